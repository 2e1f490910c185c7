//! `textDocument/inlayHint`: at the end of lines the values that they had when the failing call of a finding ran them. On the line of the
//! finding always, on the others where `inlayValues` is on.

use crate::lsp::{documents::TrackedRange, view::View};
use bellwether::finding::Finding;
use std::{collections::BTreeMap, path::Path};
use tower_lsp_server::ls_types::{InlayHint, InlayHintLabel, Position, Range};

/// The hints on these lines of a file. A line that was edited has none until the next build.
pub(crate) fn inlay_hints(view: &View, path: &Path, range: Range) -> Vec<InlayHint> {
    let mut told: BTreeMap<Position, Vec<String>> = BTreeMap::new();
    for results in &view.projects {
        let shows_all = results.shows_all_values();
        for finding in results.findings() {
            let is_here = shows_all || finding.path == path;
            // What may no longer be true has no values.
            if !is_here || results.locate(finding, &view.documents).and_then(TrackedRange::unedited).is_none() {
                continue;
            }
            let build = &finding.harness.build;
            let Some(source) = build.source_at(path).map(|id| build.source(id)) else { continue };
            let tracker = view.documents.tracker(path, &source.text, results.text_on_disk(path));
            for (line, values) in values_in(finding, path, shows_all) {
                let end = source.code_on(line).and_then(|code| Some(tracker.locate(code)?.unedited()?.end));
                if let Some(end) = end.filter(|end| (range.start.line..=range.end.line).contains(&end.line)) {
                    let known = told.entry(end).or_default();
                    known.extend(values.into_iter().filter(|value| !known.contains(value)).collect::<Vec<_>>());
                }
            }
        }
    }
    told.into_iter().map(|(at, values)| hint(at, &values)).collect()
}

/// The lines of a file with the values that a finding had there.
fn values_in(finding: &Finding, path: &Path, shows_all: bool) -> Vec<(u32, Vec<String>)> {
    let own = (finding.path == path).then_some(finding.lines.end_line);
    let of_own = finding.comparison.told().filter(|_| own.is_some()).map(|told| vec![told.replace('`', "")]);
    if let (false, Some(line), Some(told)) = (shows_all, own, &of_own) {
        // Nobody asks for the values of a run.
        return vec![(line, told.clone())];
    }
    let build = &finding.harness.build;
    let here = finding.line_values().iter().filter(|it| build.source(it.source).path == path);
    let mut found: BTreeMap<u32, Vec<String>> =
        here.filter(|it| shows_all || Some(it.line) == own).map(|it| (it.line, it.values.clone())).collect();
    found.extend(own.zip(of_own));
    found.into_iter().collect()
}

fn hint(position: Position, values: &[String]) -> InlayHint {
    InlayHint {
        position,
        label: InlayHintLabel::String(values.join(" · ")),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
