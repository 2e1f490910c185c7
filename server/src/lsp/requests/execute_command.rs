//! `workspace/executeCommand`, for commands of code actions and lenses: asks the client to write a regression test or an ignore, or
//! to show a test or a finding. A command that changes what the server does is a `Control`, and an event.

use super::{
    finding,
    ignore::ignore,
    regression_test::{WrittenTest, shown, write_test},
};
use crate::lsp::{
    client::{
        command::{SHOW_FINDING, SHOW_TEST, WRITE_IGNORE, WRITE_TEST},
        outbox::Outgoing,
    },
    project::results::Results,
    uri::path_of,
    view::View,
};
use bellwether::{finding::Finding, project::Project};
use serde::Deserialize;
use serde_json::Value;
use tower_lsp_server::ls_types::{ExecuteCommandParams, Range, Uri};

/// The message to the client for a command, or the reason why there is none.
pub(crate) fn execute_command(view: &View, params: &ExecuteCommandParams) -> Result<Outgoing, String> {
    match params.command.as_str() {
        WRITE_TEST => write(view, &params.arguments),
        WRITE_IGNORE => write_ignore(view, &params.arguments),
        SHOW_TEST => show(&params.arguments),
        SHOW_FINDING => show_finding(view, &params.arguments),
        command => {
            let offered: Vec<_> = view.capabilities.commands().collect();
            Err(format!("unknown command {command:?}; the commands are {}", offered.join(", ")))
        }
    }
}

/// Asks the client to write the regression test of the finding with this id.
fn write(view: &View, arguments: &[Value]) -> Result<Outgoing, String> {
    let (_, finding, project) = find_for_edit(view, arguments)?;
    let WrittenTest { edit, uri, function } = write_test(&view.documents, view.capabilities, finding, project)?;
    let document = view.capabilities.show_document.then(|| shown(uri, function));
    Ok(Outgoing::ApplyEdit(Box::new(edit), document))
}

/// Asks the client to write the comment that ignores the finding with this id.
fn write_ignore(view: &View, arguments: &[Value]) -> Result<Outgoing, String> {
    let (results, finding, _) = find_for_edit(view, arguments)?;
    let edit = ignore(&view.documents, view.capabilities, results, finding)?;
    Ok(Outgoing::ApplyEdit(Box::new(edit), None))
}

/// Asks the client to show the finding with this id.
fn show_finding(view: &View, arguments: &[Value]) -> Result<Outgoing, String> {
    let (results, finding, _) = find(view, arguments)?;
    let place = results.locate(finding, &view.documents).map(|place| place.range);
    let uri = view.documents.uri(&finding.path);
    let (Some(range), Some(uri)) = (place, uri) else { return Err("the finding's lines are gone".to_owned()) };
    Ok(Outgoing::ShowDocument(shown(uri, range)))
}

/// The finding whose id is the one argument, for a client that applies edits.
fn find_for_edit<'a>(view: &'a View, arguments: &[Value]) -> Result<(&'a Results, &'a Finding, &'a Project), String> {
    if !view.capabilities.apply_edit {
        return Err("the client did not say that it applies edits".to_owned());
    }
    find(view, arguments)
}

/// The finding whose id is the one argument.
fn find<'a>(view: &'a View, arguments: &[Value]) -> Result<(&'a Results, &'a Finding, &'a Project), String> {
    let [Value::String(id)] = arguments else { return Err("the argument must be the id of one finding".to_owned()) };
    finding::find(view, id)
}

/// Asks the client to open a regression test that it has written.
fn show(arguments: &[Value]) -> Result<Outgoing, String> {
    let [uri, function] = arguments else { return Err("the arguments must be a file and a position".to_owned()) };
    let read = |error: serde_json::Error| format!("the arguments must be a file and a position: {error}");
    let uri = Uri::deserialize(uri).map_err(read)?;
    let function = Range::deserialize(function).map_err(read)?;
    if path_of(&uri).is_none() {
        return Err(format!("{} is not a file", uri.as_str()));
    }
    Ok(Outgoing::ShowDocument(shown(uri, function)))
}
