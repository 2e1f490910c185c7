//! Output of the command line: the only place that writes to standard output and standard error outside the protocol.
//! A closed pipe is not an error: whoever read it has seen enough.

use std::io::Write;

/// A line for standard output.
pub(crate) fn line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// A line for standard error.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Rewrites the last line of a terminal.
pub(crate) fn rewrite(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = write!(stderr, "\r\x1b[2K{text}");
    let _ = stderr.flush();
}

/// `error: what, where, what to do`.
pub(crate) fn error(error: &anyhow::Error) {
    note(&format!("error: {error:#}"));
}
