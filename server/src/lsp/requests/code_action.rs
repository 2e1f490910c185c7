//! `textDocument/codeAction`: on a finding, *Generate regression test*, *Ignore this finding…*, and for clients that can *Replay and show
//! trace* and *Copy as JSON*. Only the client writes the file, and opens a test afterwards if it supports that. A client that knows only commands gets one, and gets the edit when it sends the command.

use super::{
    ignore::ignore,
    regression_test::{WrittenTest, write_test},
};
use crate::lsp::{
    client::command::{COPY_FINDING, OPEN_TRACE, SHOW_TEST, WRITE_IGNORE, WRITE_TEST},
    diagnostics::DiagnosticsContext,
    documents::TrackedRange,
    project::results::Results,
    view::View,
};
use bellwether::{finding::Finding, project::Project};
use serde_json::{Value, json};
use std::path::Path;
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionContext, CodeActionDisabled, CodeActionKind, CodeActionOrCommand, CodeActionResponse,
    Command, Diagnostic, Range,
};

/// The actions on the findings that touch a range, or whose diagnostics were sent along.
pub(crate) fn code_actions(
    view: &View,
    path: &Path,
    range: Range,
    context: &CodeActionContext,
) -> Option<CodeActionResponse> {
    let capabilities = view.capabilities;
    if !(capabilities.code_action_literals || capabilities.actions_are_commands()) || !wants_quick_fixes(context) {
        return None;
    }
    let meant = |finding: &Finding| {
        context
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.data.as_ref().and_then(|data| data.as_str()) == Some(&finding.id))
    };
    let mut actions = Vec::new();
    for results in &view.projects {
        let Some(compiled) = &results.compiled else { continue };
        for finding in results.findings().filter(|finding| finding.path == path) {
            // Anywhere on its lines: the cursor stands where it was typed last, often behind the semicolon.
            let here = results.locate(finding, &view.documents).is_some_and(|TrackedRange { range: at, .. }| {
                at.start.line <= range.end.line && range.start.line <= at.end.line
            });
            if here || meant(finding) {
                let diagnostics = shown(view, results, finding);
                actions.extend(generate_test(view, finding, &compiled.project, &diagnostics));
                actions.extend(ignore_finding(view, results, finding, &diagnostics));
                if view.finding_commands {
                    actions.extend(own_commands(view, finding, &diagnostics));
                }
            }
        }
    }
    Some(actions)
}

fn wants_quick_fixes(context: &CodeActionContext) -> bool {
    let Some(only) = &context.only else { return true };
    // A kind stands for all kinds below it; the empty one for all.
    only.iter().any(|kind| *kind == CodeActionKind::QUICKFIX || *kind == CodeActionKind::EMPTY)
}

/// The action that writes the regression test. Where it cannot be written, or is already, the action says so.
fn generate_test(
    view: &View,
    finding: &Finding,
    project: &Project,
    diagnostics: &Option<Vec<Diagnostic>>,
) -> Option<CodeActionOrCommand> {
    let capabilities = view.capabilities;
    let title = "Generate regression test".to_owned();
    let (written, disabled) = match write_test(&view.documents, capabilities, finding, project) {
        Ok(_) if capabilities.actions_are_commands() => {
            let arguments = Some(vec![Value::String(finding.id.clone())]);
            let command = WRITE_TEST.to_owned();
            return Some(CodeActionOrCommand::Command(Command { title, command, arguments }));
        }
        Ok(written) => (Some(written), None),
        Err(reason) if capabilities.disabled_actions => (None, Some(CodeActionDisabled { reason })),
        Err(_) => return None,
    };
    // A client runs the command after it applied the edit.
    let show = |written: &WrittenTest| Command {
        title: "Open regression test".to_owned(),
        command: SHOW_TEST.to_owned(),
        arguments: Some(vec![json!(written.uri), json!(written.function)]),
    };
    let command = written.as_ref().filter(|_| capabilities.show_document).map(show);
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: diagnostics.clone(),
        edit: written.map(|written| written.edit),
        command,
        disabled,
        ..CodeAction::default()
    }))
}

/// The diagnostic of a finding, if it has one of its own.
fn shown(view: &View, results: &Results, finding: &Finding) -> Option<Vec<Diagnostic>> {
    let context = DiagnosticsContext {
        documents: &view.documents,
        capabilities: &view.capabilities,
        is_beside_hover: view.diagnostics_in_hover,
    };
    let pattern = results.patterns().into_iter().find(|pattern| pattern.finding.id == finding.id)?;
    Some(vec![context.of_finding(results, &pattern)?])
}

/// The action that writes a comment above the finding, in which a reason remains to be written.
fn ignore_finding(
    view: &View,
    results: &Results,
    finding: &Finding,
    diagnostics: &Option<Vec<Diagnostic>>,
) -> Option<CodeActionOrCommand> {
    let capabilities = view.capabilities;
    let title = "Ignore this finding…".to_owned();
    let edit = ignore(&view.documents, capabilities, results, finding).ok()?;
    if capabilities.actions_are_commands() {
        let arguments = Some(vec![Value::String(finding.id.clone())]);
        return Some(CodeActionOrCommand::Command(Command { title, command: WRITE_IGNORE.to_owned(), arguments }));
    }
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: diagnostics.clone(),
        edit: Some(edit),
        ..CodeAction::default()
    }))
}

/// The actions that the client carries out by itself, with what it asks for.
fn own_commands(view: &View, finding: &Finding, diagnostics: &Option<Vec<Diagnostic>>) -> [CodeActionOrCommand; 2] {
    let actions = [("Replay and show trace", OPEN_TRACE), ("Copy as JSON", COPY_FINDING)];
    actions.map(|(title, command)| {
        let (title, command) = (title.to_owned(), command.to_owned());
        let command = Command { title: title.clone(), command, arguments: Some(vec![json!(finding.id)]) };
        if !view.capabilities.code_action_literals {
            return CodeActionOrCommand::Command(command);
        }
        CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: diagnostics.clone(),
            command: Some(command),
            ..CodeAction::default()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_kinds_of_actions_are_not_ours() {
        let context = |only: Option<Vec<CodeActionKind>>| CodeActionContext { only, ..CodeActionContext::default() };
        assert!(wants_quick_fixes(&context(None)));
        assert!(wants_quick_fixes(&context(Some(vec![CodeActionKind::EMPTY]))));
        assert!(wants_quick_fixes(&context(Some(vec![CodeActionKind::REFACTOR, CodeActionKind::QUICKFIX]))));
        assert!(!wants_quick_fixes(&context(Some(vec![CodeActionKind::SOURCE_ORGANIZE_IMPORTS]))));
    }
}
