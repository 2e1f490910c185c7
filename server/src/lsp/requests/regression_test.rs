//! Makes the edit that writes a regression test, in a form that this client can apply. The engine writes the text, and only the
//! client writes the file.

use crate::{
    lsp::{client::capabilities::Capabilities, documents::Documents},
    user_file,
};
use bellwether::{
    finding::{Finding, RegressionTest, TestChange, regression_path, regression_test},
    project::Project,
};
use ropey::Rope;
use std::{collections::HashMap, path::Path};
use tower_lsp_server::ls_types::{
    CreateFile, DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, Range,
    ResourceOp, ShowDocumentParams, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

/// The edit that writes a test, and its place.
pub(crate) struct WrittenTest {
    pub(crate) edit: WorkspaceEdit,
    /// The file.
    pub(crate) uri: Uri,
    /// The range of the name of the test's function after the edit.
    pub(crate) function: Range,
}

/// The request to open a file at a range.
pub(crate) fn shown(uri: Uri, selection: Range) -> ShowDocumentParams {
    ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: Some(selection) }
}

/// The edit that writes the regression test of a finding, or the reason why there is none.
pub(crate) fn write_test(
    documents: &Documents,
    capabilities: Capabilities,
    finding: &Finding,
    project: &Project,
) -> Result<WrittenTest, String> {
    let path = regression_path(finding, project);
    let existing = text(documents, &path).map_err(|why| {
        format!("{} {why}, so no test can be added to it; repair it, or move it away", project.relative(&path))
    })?;
    let test = regression_test(finding, project, existing.as_deref()).map_err(|error| error.to_string())?;
    let edit = edit(documents, capabilities, &test, existing.as_deref());
    edit.ok_or_else(|| format!("{} of {} tests the same already", test.name, project.relative(&path)))
}

/// The text of a file, if it exists: as the client shows it if it is open there, else from disk. An error is the reason why it
/// cannot be read, in words that follow its name.
fn text(documents: &Documents, path: &Path) -> Result<Option<String>, String> {
    documents.get(path).map_or_else(|| user_file::read(path), |document| Ok(Some(document.text())))
}

/// The edit; `None` if the test is there already.
fn edit(
    documents: &Documents,
    capabilities: Capabilities,
    test: &RegressionTest,
    existing: Option<&str>,
) -> Option<WrittenTest> {
    let uri = documents.uri(&test.path)?;
    let (offset, text) = match &test.change {
        TestChange::Create(text) => (0, text),
        TestChange::Insert { offset, text } => (*offset, text),
        TestChange::Present => return None,
    };
    let encoding = documents.encoding;
    let (before, after) = existing.unwrap_or_default().split_at(offset);
    let at = encoding.position(&Rope::from_str(existing.unwrap_or_default()), offset);
    let whole = [before, text, after].concat();
    let name = whole.find(&format!(" {}(", test.name)).map_or(offset, |at| at + 1);
    let function = encoding.range(&Rope::from_str(&whole), name..name + test.name.len());
    let edit = TextEdit { range: Range::new(at, at), new_text: text.clone() };
    let version = documents.get(&test.path).map(|document| document.version);
    let edit = insertion(uri.clone(), version, edit, existing.is_none(), capabilities);
    Some(WrittenTest { edit, uri, function })
}

/// The edit in the richest form that the client can apply. One without any of it creates a file that is not there by itself. A
/// client may create files and know no versions (Neovim says so): the protocol has one list for both.
pub(super) fn insertion(
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
    use serde_json::{Value, json};

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
}
