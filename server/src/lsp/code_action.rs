//! `textDocument/codeAction`: on a finding, *Generate regression test*. The test's text is the engine's; here it becomes an edit
//! that this client can apply. The file is written by the client, or not at all.

use super::{diagnostics::Maker, state::State};
use bellwether::{
    finding::{Finding, RegressionTest, TestChange, regression_path, regression_test},
    project::Project,
};
use ropey::Rope;
use std::{collections::HashMap, path::Path};
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionContext, CodeActionDisabled, CodeActionKind, CodeActionOrCommand, CodeActionResponse,
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, Range, ResourceOp, TextDocumentEdit, TextEdit, Uri,
    WorkspaceEdit,
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
        if !maker.capabilities.code_action_literals || !wants_quick_fixes(context) {
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
                let here =
                    maker.place(finding).is_some_and(|place| place.start <= range.end && range.start <= place.end);
                if here || meant(finding) {
                    actions
                        .extend(maker.generate_test(finding, &compiled.project).map(CodeActionOrCommand::CodeAction));
                }
            }
        }
        Some(actions)
    }
}

fn wants_quick_fixes(context: &CodeActionContext) -> bool {
    let Some(only) = &context.only else { return true };
    // A kind stands for all kinds below it; the empty one for all.
    only.iter().any(|kind| *kind == CodeActionKind::QUICKFIX || *kind == CodeActionKind::EMPTY)
}

impl Maker<'_> {
    /// The action that writes the regression test. Where it cannot be written, or is already, the action says so.
    fn generate_test(self, finding: &Finding, project: &Project) -> Option<CodeAction> {
        let path = regression_path(finding, project);
        let existing = self.text(&path);
        let edit = match regression_test(finding, project, existing.as_deref()) {
            Ok(test) => match self.edit(&test, existing.as_deref()) {
                Some(edit) => Ok(edit),
                None => Err(format!("{} of {} does the same already", test.name, project.relative(&path))),
            },
            Err(error) => Err(error.to_string()),
        };
        let (edit, disabled) = match edit {
            Ok(edit) => (Some(edit), None),
            Err(reason) if self.capabilities.disabled_actions => (None, Some(CodeActionDisabled { reason })),
            Err(_) => return None,
        };
        Some(CodeAction {
            title: "Generate regression test".to_owned(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: self.of_finding(finding).map(|diagnostic| vec![diagnostic]),
            edit,
            disabled,
            ..CodeAction::default()
        })
    }

    /// The text of a file: as the client shows it, if it is open there, else from disk.
    fn text(self, path: &Path) -> Option<String> {
        self.documents.get(path).map(|document| document.text()).or_else(|| std::fs::read_to_string(path).ok())
    }

    /// What the client is to do; nothing, if the test is there.
    fn edit(self, test: &RegressionTest, existing: Option<&str>) -> Option<WorkspaceEdit> {
        let uri = self.uri(&test.path)?;
        let (at, text) = match &test.change {
            TestChange::Create(text) => (Position::default(), text),
            TestChange::Insert { offset, text } => {
                let existing = Rope::from_str(existing.unwrap_or_default());
                (self.documents.encoding.position(&existing, *offset), text)
            }
            TestChange::Present => return None,
        };
        let edit = TextEdit { range: Range::new(at, at), new_text: text.clone() };
        let version = self.documents.get(&test.path).map(|document| document.version);
        Some(insertion(
            uri,
            version,
            edit,
            existing.is_none(),
            self.capabilities.document_changes,
            self.capabilities.create_file,
        ))
    }
}

/// The edit in the richest form that the client can apply. One without any of it creates a file that is not there by itself.
fn insertion(
    uri: Uri,
    version: Option<i32>,
    edit: TextEdit,
    creates: bool,
    document_changes: bool,
    create_file: bool,
) -> WorkspaceEdit {
    if !document_changes {
        return WorkspaceEdit { changes: Some(HashMap::from([(uri, vec![edit])])), ..WorkspaceEdit::default() };
    }
    let text_document = OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version };
    let edit = TextDocumentEdit { text_document, edits: vec![OneOf::Left(edit)] };
    let changes = if creates && create_file {
        let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) };
        let create = CreateFile { uri, options: Some(options), annotation_id: None };
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
    use serde_json::{Value, json};

    fn edit(creates: bool, document_changes: bool, create_file: bool) -> Value {
        let edit = TextEdit { range: Range::default(), new_text: "t".to_owned() };
        let edit = insertion("file:///p/T.t.sol".parse().unwrap(), None, edit, creates, document_changes, create_file);
        serde_json::to_value(edit).unwrap()
    }

    #[test]
    fn each_client_gets_an_edit_that_it_can_apply() {
        let zero = json!({ "line": 0, "character": 0 });
        let text = json!({ "range": { "start": zero, "end": zero }, "newText": "t" });
        let document = json!({ "textDocument": { "uri": "file:///p/T.t.sol", "version": null }, "edits": [text] });
        let create = json!({ "kind": "create", "uri": "file:///p/T.t.sol", "options": { "overwrite": false, "ignoreIfExists": true } });
        assert_eq!(edit(true, true, true), json!({ "documentChanges": [create, document] }));
        assert_eq!(edit(false, true, true), json!({ "documentChanges": [document] }));
        assert_eq!(edit(true, true, false), json!({ "documentChanges": [document] }));
        assert_eq!(edit(true, false, false), json!({ "changes": { "file:///p/T.t.sol": [text] } }));
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
