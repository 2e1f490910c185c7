//! A defect is a panic of our own. It must not end the server, so it is caught where work begins: for each event on the thread
//! of the state, for each request in its task, and on the thread of each builder. [`Defects`] shows the first one to the user,
//! and logs all.

use super::client::outbox::{Outbox, Outgoing};
use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tower_lsp_server::ls_types::MessageType;

/// Reports defects. All clones together show one to the user.
#[derive(Debug, Clone)]
pub(super) struct Defects {
    outbox: Outbox,
    apologised: Arc<AtomicBool>,
}

impl Defects {
    /// A reporter that has not shown a defect yet.
    pub(super) fn new(outbox: Outbox) -> Self {
        Self { outbox, apologised: Arc::default() }
    }

    /// Reports a panic.
    pub(super) fn tell(&self, panic: &(dyn Any + Send)) {
        tracing::error!("internal error: {}", panic_words(panic));
        if !self.apologised.swap(true, Ordering::SeqCst) {
            let words = "Bellwether had an internal error, and goes on. What it shows may be incomplete until the server is restarted; \
                         the server's log has the details.";
            self.outbox.send(Outgoing::Show(MessageType::ERROR, words.to_owned()));
        }
    }
}

/// The message of a panic.
pub(super) fn panic_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}
