//! What the client does to texts: `textDocument/didOpen`, `didChange`, `didSave` and `didClose`. Only a save is a reason to build;
//! whatever is typed only moves what is shown.

use super::state::{State, path_of};
use tower_lsp_server::ls_types::{DidChangeTextDocumentParams, DidOpenTextDocumentParams, Uri};

impl State {
    /// `textDocument/didOpen`.
    pub(super) fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else { return };
        self.attention.notice(&path);
        self.documents.open(path.clone(), document.uri, document.version, document.text);
        self.ensure_project(&path);
        self.touch(path);
    }

    /// `textDocument/didChange`.
    pub(super) fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else { return };
        self.attention.notice(&path);
        if !self.documents.change(&path, document.version, &params.content_changes) {
            tracing::warn!("{} was changed, but it is not open", path.display());
        }
        self.touch(path);
    }

    /// `textDocument/didClose`.
    pub(super) fn closed(&mut self, uri: &Uri) {
        let Some(path) = path_of(uri) else { return };
        self.documents.close(&path);
        self.attention.closed(&path);
        self.touch(path);
    }

    /// `textDocument/didSave`.
    pub(super) fn saved(&mut self, uri: &Uri) {
        let Some(path) = path_of(uri) else { return };
        self.documents.save(&path);
        self.attention.notice(&path);
        self.attention.changed(path.clone());
        self.power.forget();
        self.show_targets(false);
        self.rebuild_for(&path, "a file was saved");
        self.ensure_project(&path);
        self.touch(path);
    }
}
