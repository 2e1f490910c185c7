//! A defect is a panic of our own. It must not end the server, so it is caught where work begins: by the thread of the state for each
//! event, by the task of each request, by the thread of each builder. [`Defects`] tells the user of the first, once, and the log of all.

use super::client::outbox::{Outbox, Outgoing};
use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tower_lsp_server::ls_types::MessageType;

/// Where defects are told. All clones tell the user once, together.
#[derive(Debug, Clone)]
pub(super) struct Defects {
    outbox: Outbox,
    apologised: Arc<AtomicBool>,
}

impl Defects {
    /// Nobody was told of one yet.
    pub(super) fn new(outbox: Outbox) -> Self {
        Self { outbox, apologised: Arc::default() }
    }

    /// Tells of a panic.
    pub(super) fn tell(&self, panic: &(dyn Any + Send)) {
        tracing::error!("a defect of bellwether: {}", panic_words(panic));
        if !self.apologised.swap(true, Ordering::SeqCst) {
            let words = "Bellwether met a defect of its own, and goes on. What it shows may be incomplete until it is restarted; \
                         its log has the details.";
            self.outbox.send(Outgoing::Show(MessageType::ERROR, words.to_owned()));
        }
    }
}

/// What a panic said.
pub(super) fn panic_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}
