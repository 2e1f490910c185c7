//! `textDocument/inlayHint`: at the end of lines the values that they had when the failing call of a finding ran them. On the line of the
//! finding always, on the others where `inlayValues` is on.

use crate::lsp::{documents::TrackedRange, project::results::Results, view::View};
use bellwether::{compile::Span, finding::Finding};
use std::{collections::BTreeMap, path::Path};
use tower_lsp_server::ls_types::{InlayHint, InlayHintLabel, Position, Range};

/// The hints on these lines of a file. A line that was edited has none until the next build.
pub(crate) fn inlay_hints(view: &View, path: &Path, range: Range) -> Vec<InlayHint> {
    let mut told: BTreeMap<Position, Vec<String>> = BTreeMap::new();
    for results in &view.projects {
        let shows_all = results.compiled.as_ref().is_some_and(|it| it.project.config.inlay_values == Some(true));
        for finding in results.findings() {
            // What may no longer be true has no values.
            if results.locate(finding, &view.documents).is_none_or(|place| place.edited) {
                continue;
            }
            for (line, values) in values_in(finding, path, shows_all) {
                let end = end_of(view, results, finding, path, line);
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
    let of_own = || finding.comparison.told().map(|told| vec![told.replace('`', "")]);
    let build = &finding.harness.build;
    let here = finding.line_values().iter().filter(|it| build.source(it.source).path == path);
    let mut found: BTreeMap<u32, Vec<String>> =
        here.filter(|it| shows_all || Some(it.line) == own).map(|it| (it.line, it.values.clone())).collect();
    if let Some((line, told)) = own.zip(of_own()) {
        found.insert(line, told);
    }
    found.into_iter().collect()
}

/// The end of a line, where it is now; none if it was edited.
fn end_of(view: &View, results: &Results, finding: &Finding, path: &Path, line: u32) -> Option<Position> {
    let build = &finding.harness.build;
    let source = build.source(build.source_at(path)?);
    let start = source.lines.start(line)?;
    let text = source.text.get(start as usize..)?.lines().next()?.trim_end();
    let span = Span::new(start + (text.len() - text.trim_start().len()) as u32, start + text.len() as u32);
    let TrackedRange { range, edited } = view.documents.locate(path, &source.text, span, results.text_on_disk(path))?;
    (!edited).then_some(range.end)
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
