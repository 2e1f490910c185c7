//! The [`Publisher`] sends diagnostics to the client: only for files that may have changed, and only if they differ from what
//! the client shows. So nothing flickers, and nothing that is fixed stays.

use super::{
    client::outbox::{Outbox, Outgoing},
    diagnostics::{self, ByFile, DiagnosticsContext},
    projects::Projects,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};
use tower_lsp_server::ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};

/// The published diagnostics, and the files for which they may be outdated.
#[derive(Debug, Default)]
pub(super) struct Publisher {
    published: Published,
    /// Whether the diagnostics of any file may be outdated.
    all: bool,
    /// The files whose diagnostics may be outdated.
    files: BTreeSet<PathBuf>,
}

impl Publisher {
    /// Marks the diagnostics of this file as possibly outdated.
    pub(super) fn touch(&mut self, path: PathBuf) {
        self.files.insert(path);
    }

    /// Marks the diagnostics of all files as possibly outdated.
    pub(super) fn touch_all(&mut self) {
        self.all = true;
    }

    /// Sends what changed.
    pub(super) fn publish(&mut self, projects: &Projects, context: DiagnosticsContext<'_>, outbox: &Outbox) {
        let mut files = std::mem::take(&mut self.files);
        if std::mem::take(&mut self.all) {
            files.extend(self.published.paths().cloned());
            files.extend(projects.iter().flat_map(diagnostics::files));
        }
        if files.is_empty() {
            return;
        }
        let by_file: Vec<ByFile<'_>> = projects.iter().map(ByFile::of).collect();
        for path in files {
            let diagnostics = by_file.iter().flat_map(|by_file| context.of_file(by_file, &path)).collect();
            let Some(uri) = context.documents.uri(&path) else { continue };
            let version = context.documents.get(&path).map(|document| document.version);
            for params in self.published.update(&path, uri, version, diagnostics) {
                outbox.send(Outgoing::Diagnostics(params));
            }
        }
    }

    /// The number of findings that the client shows.
    pub(super) fn findings(&self) -> usize {
        self.published.count(diagnostics::is_finding)
    }
}

/// The published diagnostics, by file.
#[derive(Debug, Default)]
struct Published {
    files: BTreeMap<PathBuf, (Uri, Vec<Diagnostic>)>,
}

impl Published {
    /// The messages after which the client shows exactly these diagnostics for a file. `uri` is the address as the client
    /// writes it now.
    fn update(
        &mut self,
        path: &Path,
        uri: Uri,
        version: Option<i32>,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Vec<PublishDiagnosticsParams> {
        diagnostics.sort_by_cached_key(|diagnostic| {
            let range = (diagnostic.range.start, diagnostic.range.end);
            (
                range.0.line,
                range.0.character,
                range.1.line,
                range.1.character,
                diagnostic.source.clone(),
                diagnostic.message.clone(),
            )
        });
        // Two projects may say the same of a file that both use.
        diagnostics.dedup();
        let mut sending = Vec::new();
        match self.files.get(path) {
            Some((_, last)) if *last == diagnostics => return sending,
            None if diagnostics.is_empty() => return sending,
            Some((last_uri, last)) if *last_uri != uri && !last.is_empty() => {
                sending.push(PublishDiagnosticsParams::new(last_uri.clone(), Vec::new(), None));
            }
            _ => {}
        }
        if diagnostics.is_empty() {
            self.files.remove(path);
        } else {
            self.files.insert(path.to_owned(), (uri.clone(), diagnostics.clone()));
        }
        sending.push(PublishDiagnosticsParams::new(uri, diagnostics, version));
        sending
    }

    /// The files for which the client shows anything.
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys()
    }

    /// The number of shown diagnostics that are meant.
    fn count(&self, is_meant: impl Fn(&Diagnostic) -> bool) -> usize {
        self.files.values().flat_map(|(_, diagnostics)| diagnostics).filter(|diagnostic| is_meant(diagnostic)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tower_lsp_server::ls_types::{Position, Range};

    fn diagnostic(line: u32, message: &str) -> Diagnostic {
        let range = Range::new(Position::new(line, 0), Position::new(line, 1));
        Diagnostic {
            range,
            message: message.to_owned(),
            source: Some("bellwether".to_owned()),
            ..Diagnostic::default()
        }
    }

    /// What is sent, as `uri: line message, ...`, when these are to be shown one after the other.
    fn sent(steps: &[(&str, &[(u32, &str)])]) -> Vec<Vec<String>> {
        let mut published = Published::default();
        let send = |(uri, shown): &(&str, &[(u32, &str)])| {
            let diagnostics = shown.iter().map(|(line, message)| diagnostic(*line, message)).collect();
            let params = published.update(Path::new("/p/A.sol"), uri.parse().unwrap(), Some(1), diagnostics);
            let told = |params: &PublishDiagnosticsParams| {
                let words: Vec<_> =
                    params.diagnostics.iter().map(|it| format!("{} {}", it.range.start.line, it.message)).collect();
                format!("{}: {}", params.uri.as_str(), words.join(", "))
            };
            params.iter().map(told).collect()
        };
        steps.iter().map(send).collect()
    }

    #[test]
    fn only_what_differs_is_sent_sorted_and_once() {
        let uri = "file:///p/A.sol";
        assert_eq!(
            sent(&[
                (uri, &[]),
                (uri, &[(3, "c"), (1, "b"), (1, "a"), (3, "c")]),
                (uri, &[(1, "a"), (1, "b"), (3, "c")]),
                (uri, &[(2, "a")]),
                (uri, &[]),
                (uri, &[]),
            ]),
            [
                vec![],
                vec!["file:///p/A.sol: 1 a, 1 b, 3 c".to_owned()],
                vec![],
                vec!["file:///p/A.sol: 2 a".to_owned()],
                vec!["file:///p/A.sol: ".to_owned()],
                vec![],
            ]
        );
    }

    #[test]
    fn a_file_that_is_opened_under_another_spelling_is_not_shown_twice() {
        assert_eq!(
            sent(&[("file:///p/A.sol", &[(1, "a")]), ("file:///p/%41.sol", &[(2, "a")]), ("file:///p/%41.sol", &[])]),
            [
                vec!["file:///p/A.sol: 1 a".to_owned()],
                vec!["file:///p/A.sol: ".to_owned(), "file:///p/%41.sol: 2 a".to_owned()],
                vec!["file:///p/%41.sol: ".to_owned()],
            ]
        );
    }

    #[test]
    fn what_is_shown_can_be_counted() {
        let mut published = Published::default();
        let uri: Uri = "file:///p/A.sol".parse().unwrap();
        published.update(Path::new("/p/A.sol"), uri, None, vec![diagnostic(1, "a"), diagnostic(2, "b")]);
        assert_eq!(published.count(|diagnostic| diagnostic.message == "b"), 1);
        assert_eq!(published.paths().count(), 1);
    }
}
