//! `bellwether/coverage`: which lines were reached, of one file or of all.

use crate::lsp::{client::coverage::FileCoverage, coverage, uri::path_of, view::View};
use serde::Deserialize;
use tower_lsp_server::ls_types::Uri;

/// The parameters of `bellwether/coverage`.
#[derive(Debug, Deserialize)]
pub(crate) struct CoverageParams {
    /// The file; none means all files with code that is fuzzed.
    #[serde(default)]
    uri: Option<Uri>,
}

/// The coverage that is asked for; nothing for a file without code that is fuzzed.
pub(crate) fn coverage(view: &View, params: &CoverageParams) -> Vec<FileCoverage> {
    let wanted = params.uri.as_ref().map(path_of);
    let is_wanted = |path: &std::path::Path| wanted.as_ref().is_none_or(|wanted| wanted.as_deref() == Some(path));
    coverage::of_files(&view.projects, &view.documents, is_wanted).into_values().collect()
}
