//! A [`ServerEvent`] is a cause of work. The list is closed: the server does nothing without one of these, and handles them on
//! the one thread that owns the state. Requests that only read are no events: a view answers them.

use super::{
    attention::ActiveEditor,
    client::command::Control,
    project::event::{ProjectEvent, ProjectId},
};
use serde_json::Value;
use std::path::PathBuf;
use tokio::sync::oneshot;
use tower_lsp_server::{
    jsonrpc,
    ls_types::{
        DidChangeTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, InitializeResult,
        TextDocumentIdentifier, Uri, WorkspaceFolder,
    },
};

/// Takes the answer to a request. If it is dropped, the client gets an internal error.
pub(super) type Reply<T> = oneshot::Sender<jsonrpc::Result<T>>;

/// A cause of work.
#[derive(Debug)]
pub(super) enum ServerEvent {
    /// A message of the client. Sender and receiver count these, because a later request may depend on them.
    Client(ClientMessage),
    /// A request concerns this file. No answer depends on it.
    Looked(PathBuf),
    /// The server has to end.
    Shutdown { reply: Reply<()> },

    // Answers of the client.
    /// Settings, pulled; null where the client gives none.
    Pulled(Value),
    /// Whether the progress with this number may be shown.
    ProgressAllowed { number: u32, allowed: bool },
    /// Whether the user trusts a workspace; nothing where the question was not answered.
    TrustAnswered { workspace: PathBuf, answer: Option<bool> },

    // Events of our own threads.
    /// The projects in a folder of the workspace.
    Discovered { folder: PathBuf, roots: Vec<PathBuf> },
    /// A compiler was fetched, or could not be.
    Fetched,
    /// Other machines shared something.
    Received,
    /// The machines that share cannot be reached, or something of theirs cannot be used, in words for people.
    ExchangeTrouble(String),
    /// Something happened to a project.
    Project { project: ProjectId, event: ProjectEvent },

    /// Makes the state panic, as a defect would.
    #[cfg(test)]
    Defect,
}

/// A notification of the client, or a request that changes the state.
#[derive(Debug)]
pub(super) enum ClientMessage {
    Initialize {
        params: Box<InitializeParams>,
        reply: Reply<InitializeResult>,
    },
    Initialized,
    Opened(DidOpenTextDocumentParams),
    Changed(DidChangeTextDocumentParams),
    Saved(TextDocumentIdentifier),
    Closed(TextDocumentIdentifier),
    /// The file in the active editor.
    ActiveEditor(ActiveEditor),
    FilesChanged(Vec<Uri>),
    FoldersChanged {
        added: Vec<WorkspaceFolder>,
        removed: Vec<WorkspaceFolder>,
    },
    /// Settings, pushed.
    Configured(Value),
    Control {
        control: Control,
        reply: Reply<Option<Value>>,
    },
}
