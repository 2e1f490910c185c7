//! The [`Outbox`] is the queue of all messages that the server sends of its own accord. Adding one never blocks. [`Deliveries`]
//! is its other end, from which a task sends them to the client.
//!
//! The queue stays small even if the client reads slowly or not at all: once it is long, it keeps only the newest diagnostics
//! of each file, the newest status, and a bounded number of log messages.

use super::{coverage::FileCoverage, status::StatusParams};
use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::Notify;
use tower_lsp_server::ls_types::{
    MessageType, PublishDiagnosticsParams, Registration, ShowDocumentParams, WorkDoneProgress, WorkspaceEdit,
};

/// Queued messages from which on outdated ones are dropped; chosen by hand. The queue of a client that reads is never this
/// long.
const COALESCE_FROM: usize = 64;
/// Queued messages for people, at most; chosen by hand.
const MAX_USER_MESSAGES: usize = 256;

/// A message to the client.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outgoing {
    Diagnostics(PublishDiagnosticsParams),
    Status(StatusParams),
    Coverage(FileCoverage),
    Log(MessageType, String),
    Show(MessageType, String),
    Register(Vec<Registration>),
    /// Asks the client to change files, and then to open one of them.
    ApplyEdit(Box<WorkspaceEdit>, Option<ShowDocumentParams>),
    /// Asks the client to open a document.
    ShowDocument(ShowDocumentParams),
    /// Has the client ask for lenses again.
    RefreshLenses,
    /// Has the client ask for inlay hints again.
    RefreshHints,
    /// Asks for settings.
    PullConfiguration,
    /// Asks whether the progress with this number may be shown.
    CreateProgress(u32),
    Progress(u32, WorkDoneProgress),
    /// Asks whether a workspace is trusted.
    Ask(Question),
}

/// A question to the user about a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) workspace: PathBuf,
    pub(crate) words: String,
}

impl Outgoing {
    /// Whether it is text for people.
    fn is_words(&self) -> bool {
        matches!(self, Self::Log(..) | Self::Show(..))
    }

    /// Whether `newer` makes it superfluous.
    fn is_outdated_by(&self, newer: &Self) -> bool {
        match (self, newer) {
            (Self::Diagnostics(old), Self::Diagnostics(new)) => old.uri == new.uri,
            (Self::Coverage(old), Self::Coverage(new)) => old.uri == new.uri,
            (Self::Status(_), Self::Status(_))
            | (Self::PullConfiguration, Self::PullConfiguration)
            | (Self::RefreshLenses, Self::RefreshLenses)
            | (Self::RefreshHints, Self::RefreshHints) => true,
            _ => false,
        }
    }
}

/// The sending end.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    shared: Arc<Shared>,
}

/// The receiving end.
#[derive(Debug)]
pub(crate) struct Deliveries {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    queue: VecDeque<Outgoing>,
    words: usize,
    /// The number of dropped messages for people that was not reported yet.
    left_out: usize,
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn push(&mut self, outgoing: Outgoing) {
        if self.queue.len() >= COALESCE_FROM {
            self.queue.retain(|old| !old.is_outdated_by(&outgoing));
        }
        if outgoing.is_words() {
            self.words += 1;
            if self.words > MAX_USER_MESSAGES
                && let Some(oldest) = self.queue.iter().position(Outgoing::is_words)
            {
                self.queue.remove(oldest);
                self.words -= 1;
                self.left_out += 1;
            }
        }
        self.queue.push_back(outgoing);
    }

    fn pop(&mut self) -> Option<Outgoing> {
        let next = self.queue.front()?;
        if next.is_words() {
            if self.left_out > 0 {
                let count = std::mem::take(&mut self.left_out);
                let words = format!("messages left out here, because they were not read in time: {count}");
                return Some(Outgoing::Log(MessageType::WARNING, words));
            }
            self.words -= 1;
        }
        self.queue.pop_front()
    }
}

impl Outbox {
    /// An outbox, and its other end.
    pub(crate) fn new() -> (Self, Deliveries) {
        let shared = Arc::<Shared>::default();
        (Self { shared: shared.clone() }, Deliveries { shared })
    }

    /// Queues a message.
    pub(crate) fn send(&self, outgoing: Outgoing) {
        self.shared.waiting().push(outgoing);
        self.shared.arrived.notify_one();
    }
}

impl Deliveries {
    /// The next message, if there is one.
    pub(crate) fn next_waiting(&self) -> Option<Outgoing> {
        self.shared.waiting().pop()
    }

    /// The next message. Waits until there is one.
    pub(crate) async fn next(&self) -> Outgoing {
        loop {
            if let Some(outgoing) = self.next_waiting() {
                return outgoing;
            }
            self.shared.arrived.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostics(file: usize, version: i32) -> Outgoing {
        let uri = format!("file:///{file}.sol").parse().unwrap();
        Outgoing::Diagnostics(PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: Some(version) })
    }

    fn log(number: usize) -> Outgoing {
        Outgoing::Log(MessageType::WARNING, number.to_string())
    }

    fn all(deliveries: &Deliveries) -> Vec<Outgoing> {
        std::iter::from_fn(|| deliveries.next_waiting()).collect()
    }

    #[test]
    fn who_reads_hears_everything_in_order() {
        let (outbox, deliveries) = Outbox::new();
        let said = [diagnostics(1, 1), log(1), diagnostics(1, 2), log(2), Outgoing::PullConfiguration];
        said.iter().for_each(|outgoing| outbox.send(outgoing.clone()));
        assert_eq!(all(&deliveries), said);
    }

    #[test]
    fn who_does_not_read_is_told_the_newest_and_makes_nothing_grow() {
        let (outbox, deliveries) = Outbox::new();
        for round in 0..5_000 {
            (0..3).for_each(|file| outbox.send(diagnostics(file, round)));
            outbox.send(log(round as usize));
            outbox.send(Outgoing::PullConfiguration);
        }
        let waiting = all(&deliveries);
        assert!(waiting.len() < COALESCE_FROM + MAX_USER_MESSAGES + 5, "{}", waiting.len());
        for file in 0..3 {
            let last = waiting.iter().rev().find(|outgoing| outgoing.is_outdated_by(&diagnostics(file, 0)));
            assert_eq!(last, Some(&diagnostics(file, 4_999)));
        }
        let words: Vec<&Outgoing> = waiting.iter().filter(|outgoing| outgoing.is_words()).collect();
        let first = Outgoing::Log(
            MessageType::WARNING,
            format!("messages left out here, because they were not read in time: {}", 5_000 - MAX_USER_MESSAGES),
        );
        assert_eq!((words[0], words[words.len() - 1], words.len()), (&first, &log(4_999), MAX_USER_MESSAGES + 1));
        outbox.send(log(1));
        assert_eq!(all(&deliveries), [log(1)], "told once");
    }
}
