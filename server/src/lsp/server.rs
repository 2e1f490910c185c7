//! The [`Server`] implements the protocol. Each handler acts once, before it awaits anything, so that everything happens in the
//! order of the client's messages. A message that changes the state becomes an event for the thread that owns it, and a request
//! among these waits for its answer. A request that only reads is answered on a thread of its own, from the newest view with
//! everything that the client said before, and does not wait for events.

use super::{
    attention::ActiveEditor,
    client::{command::Control, coverage::FileCoverage, outbox::Outbox},
    defects::Defects,
    event::{ClientMessage, Reply, ServerEvent},
    parent,
    requests::{
        code_action::code_actions,
        code_lens::code_lenses,
        coverage::{CoverageParams, coverage},
        execute_command::execute_command,
        finding::{self, FindingParams, Trace},
        hover::hover,
        inlay_hint::inlay_hints,
    },
    uri::path_of,
    view::{View, Views},
};
use serde_json::Value;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
    mpsc::Sender,
};
use tokio::sync::oneshot;
use tower_lsp_server::{
    LanguageServer,
    jsonrpc::{Error, Result},
    ls_types::{
        CodeActionParams, CodeActionResponse, CodeLens, CodeLensParams, DidChangeConfigurationParams,
        DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
        DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams, Hover,
        HoverParams, InitializeParams, InitializeResult, InitializedParams, InlayHint, InlayHintParams, Uri,
    },
};

/// The protocol's side of the server.
#[derive(Debug)]
pub(super) struct Server {
    events: Sender<ServerEvent>,
    /// The number of the client's messages that were sent to the state.
    said: AtomicU64,
    views: Views,
    outbox: Outbox,
    defects: Defects,
    /// Notified when the client's process ends.
    parent_ended: Mutex<Option<oneshot::Sender<()>>>,
}

impl Server {
    /// A server that sends its events to `events` and reads `views`.
    pub(super) fn new(
        events: Sender<ServerEvent>,
        views: Views,
        outbox: Outbox,
        defects: Defects,
        parent_ended: oneshot::Sender<()>,
    ) -> Self {
        Self { events, said: AtomicU64::new(0), views, outbox, defects, parent_ended: Mutex::new(Some(parent_ended)) }
    }

    /// Answers the message that the wire put in the place of an unreadable one.
    pub(super) async fn malformed(&self, params: Value) -> Result<()> {
        let error = if params["isJson"] == true { Error::invalid_request() } else { Error::parse_error() };
        Err(Error { data: params.get("reason").cloned(), ..error })
    }

    /// `bellwether/activeEditor`.
    pub(super) async fn active_editor(&self, params: ActiveEditor) {
        self.tell(ClientMessage::ActiveEditor(params));
    }

    /// `bellwether/trace`.
    pub(super) async fn trace(&self, params: FindingParams) -> Result<Trace> {
        self.read(move |view| finding::trace(view, &params)).await?.map_err(Error::invalid_params)
    }

    /// `bellwether/finding`.
    pub(super) async fn finding(&self, params: FindingParams) -> Result<Value> {
        self.read(move |view| finding::json(view, &params)).await?.map_err(Error::invalid_params)
    }

    /// `bellwether/coverage`.
    pub(super) async fn coverage(&self, params: CoverageParams) -> Result<Vec<FileCoverage>> {
        self.read(move |view| coverage(view, &params)).await
    }

    /// Sends a message of the client to the state.
    fn tell(&self, message: ClientMessage) {
        // Counted first: a reader may wait for one message too many, but never for one too few.
        self.said.fetch_add(1, Ordering::SeqCst);
        self.send(ServerEvent::Client(message));
    }

    fn send(&self, event: ServerEvent) {
        // The state's thread ends with the shutdown, after which there is nothing to do.
        let _ = self.events.send(event);
    }

    /// Sends a message of the client to the state, and waits for the answer.
    async fn ask<T>(&self, message: impl FnOnce(Reply<T>) -> ClientMessage) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        self.tell(message(reply));
        answer.await.unwrap_or_else(|_| Err(Error::internal_error()))
    }

    /// Answers from a view with everything that was said before. A panic becomes an error, and is reported.
    async fn read<T: Send + 'static>(&self, answer: impl FnOnce(&View) -> T + Send + 'static) -> Result<T> {
        let said = self.said.load(Ordering::SeqCst);
        let view = self.views.clone().with(said).await.ok_or_else(Error::internal_error)?;
        let answered = tokio::task::spawn_blocking(move || answer(&view)).await;
        answered.map_err(|failure| {
            if let Ok(panic) = failure.try_into_panic() {
                self.defects.tell(panic.as_ref());
            }
            Error::internal_error()
        })
    }

    /// Notes that the user looks at a file, as this request shows.
    fn look(&self, uri: &Uri) {
        if let Some(path) = path_of(uri) {
            self.send(ServerEvent::Looked(path));
        }
    }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let parent_ended = self.parent_ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(process), Some(parent_ended)) = (params.process_id, parent_ended) {
            parent::watch(process, parent_ended);
        }
        self.ask(|reply| ClientMessage::Initialize { params: Box::new(params), reply }).await
    }

    async fn initialized(&self, _: InitializedParams) {
        self.tell(ClientMessage::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        let (reply, done) = oneshot::channel();
        self.send(ServerEvent::Shutdown { reply });
        done.await.unwrap_or_else(|_| Err(Error::internal_error()))
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.tell(ClientMessage::Opened(params));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.tell(ClientMessage::Changed(params));
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        self.tell(ClientMessage::Saved(params.text_document));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.tell(ClientMessage::Closed(params.text_document));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.tell(ClientMessage::FilesChanged(params.changes.into_iter().map(|change| change.uri).collect()));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.tell(ClientMessage::FoldersChanged { added: params.event.added, removed: params.event.removed });
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.tell(ClientMessage::Configured(params.settings));
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        self.look(&at.text_document.uri);
        self.read(move |view| hover(view, &path_of(&at.text_document.uri)?, at.position)).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri;
        self.look(&uri);
        self.read(move |view| code_actions(view, &path_of(&uri)?, params.range, &params.context)).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = params.text_document.uri;
        self.read(move |view| Some(code_lenses(view, &path_of(&uri)?))).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = params.text_document.uri;
        self.read(move |view| Some(inlay_hints(view, &path_of(&uri)?, params.range))).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        if let Some(control) = Control::named(&params.command) {
            return self.ask(|reply| ClientMessage::Control { control, reply }).await;
        }
        let outgoing = self.read(move |view| execute_command(view, &params)).await?;
        self.outbox.send(outgoing.map_err(Error::invalid_params)?);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::{
        client::outbox::{Deliveries, Outgoing},
        view::ViewSender,
    };
    use serde_json::json;
    use std::sync::{Arc, mpsc::Receiver};

    /// A server whose events nobody handles, and whose views nobody shows.
    fn server() -> (Server, Receiver<ServerEvent>, ViewSender, Deliveries) {
        let (events, received) = std::sync::mpsc::channel();
        let (outbox, deliveries) = Outbox::new();
        let (showing, views) = Views::new();
        let defects = Defects::new(outbox.clone());
        let (parent_ends, _) = oneshot::channel();
        (Server::new(events, views, outbox, defects, parent_ends), received, showing, deliveries)
    }

    async fn change(server: &Server) {
        let document = json!({ "uri": "file:///p/A.sol", "version": 2 });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": "" }] });
        server.did_change(serde_json::from_value(params).unwrap()).await;
    }

    #[tokio::test(flavor = "current_thread")]
    async fn who_reads_does_not_wait_for_the_state() {
        let (server, received, _showing, _deliveries) = server();
        let at = json!({ "textDocument": { "uri": "file:///p/A.sol" }, "position": { "line": 0, "character": 0 } });
        assert_eq!(server.hover(serde_json::from_value(at).unwrap()).await, Ok(None));
        let event = received.try_recv().unwrap();
        assert!(matches!(&event, ServerEvent::Looked(path) if path.ends_with("A.sol")), "{event:?}");
        let command = json!({ "command": "bellwether.showRegressionTest", "arguments": [] });
        let error = server.execute_command(serde_json::from_value(command).unwrap()).await.unwrap_err();
        assert_eq!(error.message, "the arguments must be a file and a position");
    }

    #[tokio::test(flavor = "current_thread")]
    async fn who_reads_sees_what_was_said_before_and_waits_for_no_more() {
        let (server, _received, showing, _deliveries) = server();
        change(&server).await;
        let read = server.read(|view| view.messages_handled);
        tokio::pin!(read);
        tokio::select! {
            biased;
            early = &mut read => panic!("{early:?}"),
            () = std::future::ready(()) => {}
        }
        change(&server).await;
        showing.send_replace(Arc::new(View { messages_handled: 1, ..View::default() }));
        assert_eq!(read.await, Ok(1));
        drop(showing);
        assert_eq!(
            server.read(|view| view.messages_handled).await,
            Err(Error::internal_error()),
            "nobody hears it any more"
        );
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_request_that_panics_is_an_error_and_told_once() {
        let (server, _received, _showing, deliveries) = server();
        for _ in 0..3 {
            let answer: Result<()> = server.read(|_| panic!("on purpose")).await;
            assert_eq!(answer, Err(Error::internal_error()));
        }
        assert_eq!(server.read(|view| view.messages_handled).await, Ok(0), "the next one is answered");
        let said: Vec<Outgoing> = std::iter::from_fn(|| deliveries.next_waiting()).collect();
        assert!(matches!(&said[..], [Outgoing::Show(_, words)] if words.contains("goes on")), "{said:?}");
    }
}
