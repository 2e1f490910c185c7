//! Output of the command line: the only place that writes to standard output and standard error outside the protocol.
//! A closed pipe is not an error: whoever read it has seen enough. A live line stands at the bottom of the terminal until the next
//! thing is written.

use clap::ValueEnum;
use console::Term;
use std::{
    io::Write,
    sync::{Mutex, PoisonError},
};

/// How a command that tells how something is writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One object, for programs
    Json,
}

/// What stands on the live line; empty where there is none.
static LIVE: Mutex<String> = Mutex::new(String::new());

/// A line for standard output.
pub(crate) fn line(text: &str) {
    rewrite("");
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// A line for standard error, above the live line.
pub(crate) fn note(text: &str) {
    let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    rewrite("");
    let _ = writeln!(std::io::stderr().lock(), "{text}");
    rewrite(&live);
}

/// Rewrites the live line of a terminal, cut to its width; nothing removes it.
pub(crate) fn rewrite(text: &str) {
    let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    if live.is_empty() && text.is_empty() {
        return;
    }
    let mut stderr = std::io::stderr().lock();
    let _ = write!(stderr, "\r\x1b[2K{}", fitted(text, width()));
    let _ = stderr.flush();
    text.clone_into(&mut live);
}

/// How many columns the terminal has.
fn width() -> usize {
    usize::from(Term::stderr().size().1)
}

/// The text on one line that does not wrap: the last column stays free, since terminals wrap there.
fn fitted(text: &str, width: usize) -> String {
    match width.saturating_sub(1) {
        0 => String::new(),
        columns => console::truncate_str(text, columns, "…").into_owned(),
    }
}

/// `error: what, where, what to do`.
pub(crate) fn error(error: &anyhow::Error) {
    note(&format!("error: {error:#}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_line_is_cut_by_columns_and_not_by_letters() {
        assert_eq!(fitted("src: 3 contracts", 80), "src: 3 contracts");
        assert_eq!(fitted("src: 3 contracts", 10), "src: 3 c…");
        assert_eq!(fitted("\u{5408}\u{7d04}\u{5408}\u{7d04}", 7), "\u{5408}\u{7d04}…", "two columns each");
        assert_eq!(fitted("anything", 0), "");
    }
}
