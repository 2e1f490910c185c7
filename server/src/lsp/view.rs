//! A [`View`] is what requests read: a snapshot of the state that never changes. The thread that owns the state shows a new one after each
//! batch of events; requests that only read are answered from the newest one, on tasks of their own, whatever that thread is doing.
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

/// What requests read.
#[derive(Debug, Default)]
pub(super) struct View {
    /// How many messages of the client are in it.
    pub(super) messages_handled: u64,
    /// What the client can do.
    pub(super) capabilities: Capabilities,
    /// Whether the client shows diagnostics, with what belongs to them, in the same place as hovers.
    pub(super) diagnostics_in_hover: bool,
    /// What it has open.
    pub(super) documents: Arc<Documents>,
    /// What is known of each project.
    pub(super) projects: Vec<Arc<Results>>,
}

/// Where views are shown. All requests end with it.
pub(super) type ViewSender = watch::Sender<Arc<View>>;

/// Where views are seen.
#[derive(Debug, Clone)]
pub(super) struct Views(watch::Receiver<Arc<View>>);

impl Views {
    /// Where views are shown, and where they are seen. The first is empty.
    pub(super) fn new() -> (ViewSender, Self) {
        let (showing, seen) = watch::channel(Arc::default());
        (showing, Self(seen))
    }

    /// The newest view, once it has this much of what the client said; none if it never will.
    pub(super) async fn with(mut self, said: u64) -> Option<Arc<View>> {
        self.0.wait_for(|view| view.messages_handled >= said).await.ok().map(|view| view.clone())
    }
}
