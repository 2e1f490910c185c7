//! `textDocument/codeAction`: on a finding, *Generate regression test*. The test's text is the engine's; here it becomes an edit
//! that this client can apply. The file is written by the client, or not at all, and then opened where the client opens files for us.
//! A client that knows only commands gets one, and is handed the edit when it sends the command.

use super::{
    capabilities::Capabilities,
    diagnostics::Maker,
    documents::Place,
    execute_command,
    outbox::Outgoing,
    project::FuzzedProject,
    state::{State, path_of},
};
use crate::user_file;
use bellwether::{
    finding::{Finding, RegressionTest, TestChange, regression_path, regression_test},
    project::Project,
};
use ropey::Rope;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{collections::HashMap, path::Path};
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionContext, CodeActionDisabled, CodeActionKind, CodeActionOrCommand, CodeActionResponse,
    Command, CreateFile, DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier,
    Range, ResourceOp, ShowDocumentParams, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

impl State {
    /// The actions on the findings that touch a range, or whose diagnostics were sent along.
    pub(super) fn code_actions(
        &self,
        path: &Path,
        range: Range,
        context: &CodeActionContext,
    ) -> Option<CodeActionResponse> {
        let maker = self.maker();
        let capabilities = maker.capabilities;
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
        for project in self.projects.values() {
            let Some(compiled) = &project.compiled else { continue };
            for finding in project.findings().filter(|finding| finding.path == path) {
                // Anywhere on its lines: the cursor stands where it was typed last, often behind the semicolon.
                let here = maker.place(project, finding).is_some_and(|Place { range: at, .. }| {
                    at.start.line <= range.end.line && range.start.line <= at.end.line
                });
                if here || meant(finding) {
                    actions.extend(maker.generate_test(project, finding, &compiled.project));
                }
            }
        }
        Some(actions)
    }

    /// Has the client write the regression test of the finding that a command names, by its id; why not, in words.
    pub(super) fn write_test(&self, arguments: &[Value]) -> Result<(), String> {
        let maker = self.maker();
        if !maker.capabilities.apply_edit {
            return Err("the client did not say that it applies edits".to_owned());
        }
        let [Value::String(id)] = arguments else { return Err("the argument is one finding's id".to_owned()) };
        let compiled = self.projects.values().filter_map(|project| Some((project, project.compiled.as_ref()?)));
        let found = compiled
            .flat_map(|(project, compiled)| project.findings().map(move |finding| (finding, &compiled.project)))
            .find(|(finding, _)| finding.id == *id);
        let (finding, project) = found.ok_or_else(|| format!("there is no finding {id} any more"))?;
        let Written { edit, uri, function } = maker.test_edit(finding, project)?;
        let document = maker.capabilities.show_document.then(|| shown(uri, function));
        self.outbox.send(Outgoing::ApplyEdit(Box::new(edit), document));
        Ok(())
    }

    /// Has the client open a regression test that it has written; why not, in words.
    pub(super) fn show_test(&self, arguments: &[Value]) -> Result<(), String> {
        let [uri, function] = arguments else { return Err("the arguments are a file and a position".to_owned()) };
        let read = |error: serde_json::Error| format!("the arguments are a file and a position: {error}");
        let uri = Uri::deserialize(uri).map_err(read)?;
        let function = Range::deserialize(function).map_err(read)?;
        if path_of(&uri).is_none() {
            return Err(format!("{} is no file", uri.as_str()));
        }
        self.outbox.send(Outgoing::ShowDocument(shown(uri, function)));
        Ok(())
    }
}

/// The edit that writes a test, and what it writes.
struct Written {
    edit: WorkspaceEdit,
    /// The file.
    uri: Uri,
    /// Where the name of the test's function is in it then.
    function: Range,
}

/// What to open.
fn shown(uri: Uri, selection: Range) -> ShowDocumentParams {
    ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: Some(selection) }
}

fn wants_quick_fixes(context: &CodeActionContext) -> bool {
    let Some(only) = &context.only else { return true };
    // A kind stands for all kinds below it; the empty one for all.
    only.iter().any(|kind| *kind == CodeActionKind::QUICKFIX || *kind == CodeActionKind::EMPTY)
}

impl Maker<'_> {
    /// The action that writes the regression test. Where it cannot be written, or is already, the action says so.
    fn generate_test(
        self,
        fuzzed: &FuzzedProject,
        finding: &Finding,
        project: &Project,
    ) -> Option<CodeActionOrCommand> {
        let title = "Generate regression test".to_owned();
        let (written, disabled) = match self.test_edit(finding, project) {
            Ok(_) if self.capabilities.actions_are_commands() => {
                let arguments = Some(vec![Value::String(finding.id.clone())]);
                let command = execute_command::WRITE_TEST.to_owned();
                return Some(CodeActionOrCommand::Command(Command { title, command, arguments }));
            }
            Ok(written) => (Some(written), None),
            Err(reason) if self.capabilities.disabled_actions => (None, Some(CodeActionDisabled { reason })),
            Err(_) => return None,
        };
        // A client carries a command out when it has made the edit.
        let show = |written: &Written| Command {
            title: "Open regression test".to_owned(),
            command: execute_command::SHOW_TEST.to_owned(),
            arguments: Some(vec![json!(written.uri), json!(written.function)]),
        };
        let command = written.as_ref().filter(|_| self.capabilities.show_document).map(show);
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: self.of_finding(fuzzed, finding).map(|diagnostic| vec![diagnostic]),
            edit: written.map(|written| written.edit),
            command,
            disabled,
            ..CodeAction::default()
        }))
    }

    /// The edit that writes the regression test; why there is none, in words.
    fn test_edit(self, finding: &Finding, project: &Project) -> Result<Written, String> {
        let path = regression_path(finding, project);
        let existing = self.text(&path).map_err(|why| {
            format!("{} {why}, so no test can be added to it; repair it, or move it away", project.relative(&path))
        })?;
        let test = regression_test(finding, project, existing.as_deref()).map_err(|error| error.to_string())?;
        let edit = self.edit(&test, existing.as_deref());
        edit.ok_or_else(|| format!("{} of {} does the same already", test.name, project.relative(&path)))
    }

    /// The text of a file, if there is one: as the client shows it, if it is open there, else from disk. Else, in words that follow
    /// its name, why it cannot be read.
    fn text(self, path: &Path) -> Result<Option<String>, String> {
        self.documents.get(path).map_or_else(|| user_file::read(path), |document| Ok(Some(document.text())))
    }

    /// What the client is to do; nothing, if the test is there.
    fn edit(self, test: &RegressionTest, existing: Option<&str>) -> Option<Written> {
        let uri = self.uri(&test.path)?;
        let (offset, text) = match &test.change {
            TestChange::Create(text) => (0, text),
            TestChange::Insert { offset, text } => (*offset, text),
            TestChange::Present => return None,
        };
        let encoding = self.documents.encoding;
        let (before, after) = existing.unwrap_or_default().split_at(offset);
        let at = encoding.position(&Rope::from_str(existing.unwrap_or_default()), offset);
        let whole = [before, text, after].concat();
        let name = whole.find(&format!(" {}(", test.name)).map_or(offset, |at| at + 1);
        let function = encoding.range(&Rope::from_str(&whole), name..name + test.name.len());
        let edit = TextEdit { range: Range::new(at, at), new_text: text.clone() };
        let version = self.documents.get(&test.path).map(|document| document.version);
        let edit = insertion(uri.clone(), version, edit, existing.is_none(), *self.capabilities);
        Some(Written { edit, uri, function })
    }
}

/// The edit in the richest form that the client can apply. One without any of it creates a file that is not there by itself. A
/// client may create files and know no versions (Neovim says so): the protocol has one list for both.
fn insertion(
    uri: Uri,
    version: Option<i32>,
    edit: TextEdit,
    creates: bool,
    Capabilities { document_changes, create_file, .. }: Capabilities,
) -> WorkspaceEdit {
    let creates = creates && create_file;
    if !document_changes && !creates {
        return WorkspaceEdit { changes: Some(HashMap::from([(uri, vec![edit])])), ..WorkspaceEdit::default() };
    }
    let version = version.filter(|_| document_changes);
    let text_document = OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version };
    let edit = TextDocumentEdit { text_document, edits: vec![OneOf::Left(edit)] };
    let changes = if creates {
        // No options, since the file is not there: told to ignore one that is, Neovim creates neither the file nor its folder.
        let create = CreateFile { uri, options: None, annotation_id: None };
        DocumentChanges::Operations(vec![
            DocumentChangeOperation::Op(ResourceOp::Create(create)),
            DocumentChangeOperation::Edit(edit),
        ])
    } else {
        DocumentChanges::Edits(vec![edit])
    };
    WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(creates: bool, document_changes: bool, create_file: bool) -> Value {
        let edit = TextEdit { range: Range::default(), new_text: "t".to_owned() };
        let capabilities = Capabilities { document_changes, create_file, ..Capabilities::default() };
        let version = (!creates).then_some(3);
        let edit = insertion("file:///p/T.t.sol".parse().unwrap(), version, edit, creates, capabilities);
        serde_json::to_value(edit).unwrap()
    }

    #[test]
    fn each_client_gets_an_edit_that_it_can_apply() {
        let zero = json!({ "line": 0, "character": 0 });
        let text = json!({ "range": { "start": zero, "end": zero }, "newText": "t" });
        let changed = |version: Option<i32>| json!({ "textDocument": { "uri": "file:///p/T.t.sol", "version": version }, "edits": [text] });
        let create = json!({ "kind": "create", "uri": "file:///p/T.t.sol" });
        let plain = json!({ "changes": { "file:///p/T.t.sol": [text] } });
        assert_eq!(edit(true, true, true), json!({ "documentChanges": [create, changed(None)] }));
        assert_eq!(edit(false, true, true), json!({ "documentChanges": [changed(Some(3))] }));
        assert_eq!(edit(true, true, false), json!({ "documentChanges": [changed(None)] }));
        assert_eq!(edit(true, false, true), json!({ "documentChanges": [create, changed(None)] }));
        assert_eq!(edit(false, false, true), plain);
        assert_eq!(edit(true, false, false), plain);
    }

    #[test]
    fn other_kinds_of_actions_are_not_ours() {
        let context = |only: Option<Vec<CodeActionKind>>| CodeActionContext { only, ..CodeActionContext::default() };
        assert!(wants_quick_fixes(&context(None)));
        assert!(wants_quick_fixes(&context(Some(vec![CodeActionKind::EMPTY]))));
        assert!(wants_quick_fixes(&context(Some(vec![CodeActionKind::REFACTOR, CodeActionKind::QUICKFIX]))));
        assert!(!wants_quick_fixes(&context(Some(vec![CodeActionKind::SOURCE_ORGANIZE_IMPORTS]))));
    }
}
