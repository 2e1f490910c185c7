//! The [`Server`] is what the protocol calls. Each handler does one thing: it sends an event to the thread that owns the state,
//! before it awaits anything, so that events arrive in the order of the client's messages; a request then waits for its answer.

use super::{
    attention::ActiveEditor,
    event::{Event, Reply},
    parent,
};
use serde_json::Value;
use std::sync::{Mutex, PoisonError, mpsc::Sender};
use tokio::sync::oneshot;
use tower_lsp_server::{
    LanguageServer,
    jsonrpc::{Error, Result},
    ls_types::{
        CodeActionParams, CodeActionResponse, DidChangeConfigurationParams, DidChangeTextDocumentParams,
        DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
        DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams, Hover, HoverParams,
        InitializeParams, InitializeResult, InitializedParams,
    },
};

/// The protocol's side of the server.
#[derive(Debug)]
pub(super) struct Server {
    events: Sender<Event>,
    /// Where the end of the client's process is told.
    parent_ended: Mutex<Option<oneshot::Sender<()>>>,
}

impl Server {
    /// Sends its events there.
    pub(super) fn new(events: Sender<Event>, parent_ended: oneshot::Sender<()>) -> Self {
        Self { events, parent_ended: Mutex::new(Some(parent_ended)) }
    }

    /// Answers what the wire put in the place of a message that cannot be read.
    pub(super) async fn malformed(&self, params: Value) -> Result<()> {
        let error = if params["isJson"] == true { Error::invalid_request() } else { Error::parse_error() };
        Err(Error { data: params.get("reason").cloned(), ..error })
    }

    /// `bellwether/activeEditor`.
    pub(super) async fn active_editor(&self, params: ActiveEditor) {
        self.send(Event::ActiveEditor(params));
    }

    fn send(&self, event: Event) {
        // The state's thread ends with the shutdown, after which there is nothing to do.
        let _ = self.events.send(event);
    }

    async fn ask<T>(&self, event: impl FnOnce(Reply<T>) -> Event) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        self.send(event(reply));
        answer.await.unwrap_or_else(|_| Err(Error::internal_error()))
    }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let parent_ended = self.parent_ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(process), Some(parent_ended)) = (params.process_id, parent_ended) {
            parent::watch(process, parent_ended);
        }
        self.ask(|reply| Event::Initialize { params: Box::new(params), reply }).await
    }

    async fn initialized(&self, _: InitializedParams) {
        self.send(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        self.ask(|reply| Event::Shutdown { reply }).await
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.send(Event::Opened(params));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.send(Event::Changed(params));
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        self.send(Event::Saved(params.text_document));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.send(Event::Closed(params.text_document));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.send(Event::FilesChanged(params.changes.into_iter().map(|change| change.uri).collect()));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.send(Event::FoldersChanged { added: params.event.added, removed: params.event.removed });
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.send(Event::Configured(params.settings));
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.ask(|reply| Event::Hover { params, reply }).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        self.ask(|reply| Event::CodeAction { params: Box::new(params), reply }).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        self.ask(|reply| Event::Command { params, reply }).await
    }
}
