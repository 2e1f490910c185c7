//! A [`View`] is an immutable snapshot of the state, for requests. The thread that owns the state publishes a new one after
//! each batch of events. Requests that only read are answered from the newest one, on tasks of their own, whatever that thread
//! is doing.
//!
//! Three invariants hold:
//!
//! - **A request sees all that the client said before it.** What the client says is counted where it is sent and where it is handled, and a
//!   view knows how much of it is in it. A request waits for a view with everything that was sent before it. Where all of that is handled
//!   already, it waits for nothing: neither for what our own threads say, nor for what follows from an event.
//! - **A request knows no less than what is shown.** A view is shown before the diagnostics that follow from its events are sent.
//! - **Whoever reads keeps nothing running.** A view holds values, no thread and no campaign.

use super::{client::capabilities::Capabilities, documents::Documents, project::results::Results};
use std::sync::Arc;
use tokio::sync::watch;

/// A snapshot of the state.
#[derive(Debug, Default)]
pub(super) struct View {
    /// The number of the client's messages that it reflects.
    pub(super) messages_handled: u64,
    /// The client's capabilities.
    pub(super) capabilities: Capabilities,
    /// Whether the client shows diagnostics, with what belongs to them, in the same place as hovers.
    pub(super) diagnostics_in_hover: bool,
    /// Whether the client has commands that show a finding's trace and copy it.
    pub(super) finding_commands: bool,
    /// The open documents.
    pub(super) documents: Arc<Documents>,
    /// The results of each project.
    pub(super) projects: Vec<Arc<Results>>,
}

/// Publishes views. Dropping it ends all requests.
pub(super) type ViewSender = watch::Sender<Arc<View>>;

/// Receives views.
#[derive(Debug, Clone)]
pub(super) struct Views(watch::Receiver<Arc<View>>);

impl Views {
    /// Both ends. The first view is empty.
    pub(super) fn new() -> (ViewSender, Self) {
        let (showing, seen) = watch::channel(Arc::default());
        (showing, Self(seen))
    }

    /// The newest view, once it reflects this number of messages; `None` if it never will.
    pub(super) async fn with(mut self, said: u64) -> Option<Arc<View>> {
        self.0.wait_for(|view| view.messages_handled >= said).await.ok().map(|view| view.clone())
    }
}
