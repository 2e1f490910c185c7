//! `textDocument/codeLens`: what was and was not done, above contracts and functions. A click on a finding's lens shows the
//! finding, in a client that shows documents.

use crate::lsp::{
    client::command::SHOW_FINDING,
    lenses::{self, Lens},
    project::results::Results,
    view::View,
};
use serde_json::Value;
use std::path::Path;
use tower_lsp_server::ls_types::{CodeLens, Command};

/// The lenses of a file, at their current places.
pub(crate) fn code_lenses(view: &View, path: &Path) -> Vec<CodeLens> {
    let lenses = view
        .projects
        .iter()
        .flat_map(|results| lenses::of_file(results, path).into_iter().map(move |lens| (results, lens)));
    lenses.filter_map(|(results, lens)| placed(view, results, lens)).collect()
}

fn placed(view: &View, results: &Results, lens: Lens<'_>) -> Option<CodeLens> {
    let Lens { source, span, title, finding } = lens;
    let on_disk = results.text_on_disk(&source.path);
    let range = view.documents.locate(&source.path, &source.text, span, on_disk)?.range;
    let command = match finding.filter(|_| view.capabilities.show_document) {
        Some(finding) => {
            let arguments = Some(vec![Value::String(finding.id.clone())]);
            Command { title, command: SHOW_FINDING.to_owned(), arguments }
        }
        // Without a name nothing happens at a click.
        None => Command { title, command: String::new(), arguments: None },
    };
    Some(CodeLens { range, command: Some(command), data: None })
}
