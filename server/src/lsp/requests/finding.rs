//! `bellwether/trace` and `bellwether/finding`: a finding by its id, as the trace of its calls or as JSON.

use crate::lsp::{project::results::Results, view::View};
use bellwether::{finding::Finding, project::Project};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The name of the request for a trace.
pub(crate) const TRACE: &str = "bellwether/trace";
/// The name of the request for JSON.
pub(crate) const FINDING: &str = "bellwether/finding";

/// The parameters of both.
#[derive(Debug, Deserialize)]
pub(crate) struct FindingParams {
    id: String,
}

/// The answer to `bellwether/trace`.
#[derive(Debug, Serialize)]
pub(crate) struct Trace {
    /// A few words for a tab: the oracle, the file and the line.
    title: String,
    text: String,
}

/// The trace of a finding, whose calls are run again for that.
pub(crate) fn trace(view: &View, params: &FindingParams) -> Result<Trace, String> {
    let (_, finding, _) = find(view, &params.id)?;
    let file = finding.path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let title = format!("{} in {file}:{}", finding.violation.oracle, finding.lines.line);
    Ok(Trace { title, text: finding.trace() })
}

/// The JSON form of a finding, as `bellwether replay` reads it.
pub(crate) fn json(view: &View, params: &FindingParams) -> Result<Value, String> {
    let (_, finding, project) = find(view, &params.id)?;
    Ok(finding.to_json(&project.root.to_string_lossy()))
}

/// A finding by its id, with the results that have it, and its project.
pub(super) fn find<'a>(view: &'a View, id: &str) -> Result<(&'a Results, &'a Finding, &'a Project), String> {
    let found = view.projects.iter().find_map(|results| {
        let compiled = results.compiled.as_ref()?;
        let finding = results.findings().find(|finding| finding.id == id)?;
        Some((&**results, &**finding, &*compiled.project))
    });
    found.ok_or_else(|| format!("there is no finding {id} any more"))
}
