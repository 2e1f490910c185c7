//! Makes the edit that ignores a finding: a comment on the line before it, with a place for the reason. Until somebody writes the
//! reason, the comment ignores nothing, and says so.

use super::regression_test::insertion;
use crate::lsp::{client::capabilities::Capabilities, documents::Documents, project::results::Results};
use bellwether::{
    compile::{Comments, Span},
    finding::Finding,
};
use ropey::Rope;
use tower_lsp_server::ls_types::{Position, Range, TextEdit, WorkspaceEdit};

/// What stands for the reason.
const PLACEHOLDER: &str = "<why this is intended>";

/// The edit, or the reason why there is none.
pub(crate) fn ignore(
    documents: &Documents,
    capabilities: Capabilities,
    results: &Results,
    finding: &Finding,
) -> Result<WorkspaceEdit, String> {
    let range = results.locate(finding, documents).and_then(|place| place.unedited());
    let range = range.ok_or("the finding's lines were edited: save the file first")?;
    let document = documents.get(&finding.path);
    let compiled = &finding.harness.build.source(finding.violation.place.source).text;
    let on_disk = || results.text_on_disk(&finding.path).unwrap_or(compiled).to_owned();
    let text = document.map_or_else(on_disk, |document| document.text());
    let rope = Rope::from_str(&text);
    let start = rope.line_to_byte(range.start.line as usize);
    // Within a comment or a text of several lines nothing can be written above it.
    let is_inside = |comment: Span| (comment.start as usize) < start && start < comment.end as usize;
    if Comments::of(&text).spans().any(is_inside) {
        return Err(
            "the finding's line begins within a comment: write the ignore comment at the end of the line".to_owned()
        );
    }
    let line = text[start..].lines().next().unwrap_or_default();
    let indent = &line[..line.len() - line.trim_start().len()];
    let end = if text[start + line.len()..].starts_with("\r\n") { "\r\n" } else { "\n" };
    let new_text = format!("{indent}// bellwether-ignore {}: {PLACEHOLDER}{end}", finding.violation.oracle);
    let at = Position::new(range.start.line, 0);
    let uri = documents.uri(&finding.path).ok_or("the finding's file has no URI")?;
    let edit = TextEdit { range: Range::new(at, at), new_text };
    Ok(insertion(uri, document.map(|document| document.version), edit, false, capabilities))
}
