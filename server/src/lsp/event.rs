//! An [`Event`] is a cause of work. This list is closed: whatever the server does, it does because of one of these, on the one
//! thread that owns the state.

use super::{attention::ActiveEditor, builder::Built};
use bellwether::{finding::Finding, fuzz};
use serde_json::Value;
use std::{path::PathBuf, sync::Arc};
use tokio::sync::oneshot;
use tower_lsp_server::{
    jsonrpc,
    ls_types::{
        CodeActionParams, CodeActionResponse, DidChangeTextDocumentParams, DidOpenTextDocumentParams,
        ExecuteCommandParams, Hover, HoverParams, InitializeParams, InitializeResult, TextDocumentIdentifier, Uri,
        WorkspaceFolder,
    },
};

/// Where the answer to a request goes. Dropped unanswered, it is an internal error for the client.
pub(super) type Reply<T> = oneshot::Sender<jsonrpc::Result<T>>;

/// Which of the projects, by the order in which they were opened. Never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ProjectId(pub(super) usize);

/// A cause of work.
#[derive(Debug)]
pub(super) enum Event {
    // What the client says.
    Initialize {
        params: Box<InitializeParams>,
        reply: Reply<InitializeResult>,
    },
    Initialized,
    Opened(DidOpenTextDocumentParams),
    Changed(DidChangeTextDocumentParams),
    Saved(TextDocumentIdentifier),
    Closed(TextDocumentIdentifier),
    /// Which file is in the active editor.
    ActiveEditor(ActiveEditor),
    FilesChanged(Vec<Uri>),
    FoldersChanged {
        added: Vec<WorkspaceFolder>,
        removed: Vec<WorkspaceFolder>,
    },
    /// Settings, pushed.
    Configured(Value),
    Hover {
        params: HoverParams,
        reply: Reply<Option<Hover>>,
    },
    CodeAction {
        params: Box<CodeActionParams>,
        reply: Reply<Option<CodeActionResponse>>,
    },
    Command {
        params: ExecuteCommandParams,
        reply: Reply<Option<Value>>,
    },
    Shutdown {
        reply: Reply<()>,
    },

    // What the client answers.
    /// Settings, pulled; null where the client gives none.
    Pulled(Value),
    /// Whether the progress with this number may be shown.
    ProgressAllowed {
        number: u32,
        allowed: bool,
    },
    /// Whether the user trusts a workspace; nothing where the question was not answered.
    TrustAnswered {
        workspace: PathBuf,
        answer: Option<bool>,
    },

    // What our own threads say.
    /// The projects in a folder of the workspace.
    Discovered {
        folder: PathBuf,
        roots: Vec<PathBuf>,
    },
    /// A compiler was fetched, or could not be.
    Fetched,
    /// A build is done; if it differs from the last, its findings are being replayed now.
    Built {
        project: ProjectId,
        built: Box<Built>,
    },
    /// The findings of the last build have been replayed: these hold, and what was found since.
    Replayed {
        project: ProjectId,
        generation: u64,
        findings: Vec<Arc<Finding>>,
    },
    /// The builder waits again.
    BuilderIdle {
        project: ProjectId,
    },
    /// Something happened while fuzzing.
    Fuzzed {
        project: ProjectId,
        event: fuzz::Event,
    },

    /// Makes the state panic, as a defect would.
    #[cfg(test)]
    Defect,
}
