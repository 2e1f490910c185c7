//! [`TargetLines`] holds the lines that the last save made worth reaching, with their outcomes. The same line in several
//! contracts counts once. They are shown on request, as hints, until the next save; lines that were reached are not shown.

use crate::lsp::client::status::Counts;
use bellwether::{
    compile::Span,
    fuzz::{TargetReport, TargetState},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The outcome of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TargetOutcome {
    /// Reached in at least one contract.
    Reached,
    /// Not reached in any, and not proved unreachable in all of them.
    Open,
    /// Proved unreachable in all contracts that have it.
    Unreachable,
}

impl TargetOutcome {
    fn of(state: TargetState) -> Self {
        match state {
            TargetState::Reached { .. } => Self::Reached,
            TargetState::Open => Self::Open,
            TargetState::Unreachable => Self::Unreachable,
        }
    }

    /// The message about it; `None` for a line that was reached.
    pub(crate) fn words(self, fails: bool) -> Option<&'static str> {
        match (self, fails) {
            (Self::Reached, _) => None,
            (Self::Open, false) => Some("not reached yet"),
            (Self::Open, true) => Some("not seen to fail yet"),
            (Self::Unreachable, false) => Some("cannot be reached (proved)"),
            (Self::Unreachable, true) => Some("cannot fail (proved)"),
        }
    }
}

/// The lines of one file.
#[derive(Debug)]
struct FileTargets {
    /// Its whole text, as it was compiled.
    text: Arc<str>,
    /// The outcomes by line, and by whether the target is a failure on the line.
    lines: BTreeMap<(u32, bool), TargetOutcome>,
}

/// A line that was not reached, in the text that was compiled.
#[derive(Debug)]
pub(crate) struct UnreachedLine<'a> {
    /// The whole text.
    pub(crate) text: &'a str,
    /// The range of the line in it, without its indentation.
    pub(crate) span: Span,
    /// The message.
    pub(crate) words: &'static str,
}

/// The lines as the campaign last reported them.
#[derive(Debug, Default)]
pub(crate) struct TargetLines {
    files: BTreeMap<PathBuf, FileTargets>,
}

impl TargetLines {
    /// Merges the targets of all contracts of a campaign, line by line.
    pub(crate) fn of(listed: &[TargetReport]) -> Self {
        let mut targets = Self::default();
        for TargetReport { harness, targets: of_contract, .. } in listed {
            for (target, state) in of_contract {
                let source = harness.build.source(target.source);
                targets.add(&source.path, &source.text, (target.line, target.fails), TargetOutcome::of(*state));
            }
        }
        targets
    }

    fn add(&mut self, path: &Path, text: &Arc<str>, line: (u32, bool), outcome: TargetOutcome) {
        if !self.files.contains_key(path) {
            self.files.insert(path.to_owned(), FileTargets { text: text.clone(), lines: BTreeMap::new() });
        }
        if let Some(file) = self.files.get_mut(path) {
            file.lines.entry(line).and_modify(|known| *known = outcome.min(*known)).or_insert(outcome);
        }
    }

    /// The number of lines by outcome; `None` without targets.
    pub(crate) fn counts(&self) -> Option<Counts> {
        let mut counts = Counts::default();
        for outcome in self.files.values().flat_map(|file| file.lines.values()) {
            *match outcome {
                TargetOutcome::Reached => &mut counts.reached,
                TargetOutcome::Open => &mut counts.open,
                TargetOutcome::Unreachable => &mut counts.unreachable,
            } += 1;
        }
        (!self.files.is_empty()).then_some(counts)
    }

    /// The files with targets.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys()
    }

    /// The lines of a file that were not reached.
    pub(crate) fn unreached_in<'a>(&'a self, path: &Path) -> impl Iterator<Item = UnreachedLine<'a>> + use<'a> {
        self.files.get(path).into_iter().flat_map(|file| {
            file.lines.iter().filter_map(|((line, fails), outcome)| {
                let words = outcome.words(*fails)?;
                Some(UnreachedLine { text: &file.text, span: line_of(&file.text, *line), words })
            })
        })
    }
}

/// A line, counted from 1, without the space around it.
fn line_of(text: &str, line: u32) -> Span {
    let mut lines = text.split_inclusive('\n');
    let start: usize = lines.by_ref().take(line.saturating_sub(1) as usize).map(str::len).sum();
    let line = lines.next().unwrap_or_default();
    let start = start + line.len() - line.trim_start().len();
    Span::new(start as u32, (start + line.trim().len()) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "contract A {\r\n    f();\r\n\u{e9}\n";

    fn targets(all: &[(&str, u32, bool, TargetOutcome)]) -> TargetLines {
        let mut targets = TargetLines::default();
        for (path, line, fails, outcome) in all {
            targets.add(Path::new(path), &TEXT.into(), (*line, *fails), *outcome);
        }
        targets
    }

    fn unreached(targets: &TargetLines, path: &str) -> Vec<(String, &'static str)> {
        let told = |unreached: UnreachedLine<'_>| (unreached.span.text(unreached.text).to_owned(), unreached.words);
        targets.unreached_in(Path::new(path)).map(told).collect()
    }

    #[test]
    fn a_line_is_told_once_and_reached_where_any_contract_reached_it() {
        use TargetOutcome::{Open, Reached, Unreachable};
        let targets = targets(&[
            ("/A.sol", 1, false, Unreachable),
            ("/A.sol", 1, false, Open),
            ("/A.sol", 2, false, Open),
            ("/A.sol", 2, false, Reached),
            ("/A.sol", 2, true, Unreachable),
            ("/A.sol", 3, false, Unreachable),
            ("/A.sol", 3, false, Unreachable),
            ("/B.sol", 1, true, Open),
        ]);
        assert_eq!(targets.counts(), Some(Counts { reached: 1, unreachable: 2, open: 2 }));
        assert_eq!(
            unreached(&targets, "/A.sol"),
            [
                ("contract A {".to_owned(), "not reached yet"),
                ("f();".to_owned(), "cannot fail (proved)"),
                ("\u{e9}".to_owned(), "cannot be reached (proved)"),
            ]
        );
        assert_eq!(unreached(&targets, "/B.sol"), [("contract A {".to_owned(), "not seen to fail yet")]);
        assert_eq!(targets.files().count(), 2);
        assert_eq!(TargetLines::default().counts(), None);
    }

    #[test]
    fn a_line_that_is_not_there_is_empty() {
        assert_eq!(line_of(TEXT, 99), Span::new(TEXT.len() as u32, TEXT.len() as u32));
    }
}
