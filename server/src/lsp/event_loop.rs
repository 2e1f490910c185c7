//! The event loop is the thread that owns the state. It handles events in batches: first all waiting events, then it publishes
//! a view of the result, and only then the messages to the client that follow from it.

use super::{defects::Defects, event::ServerEvent, state::GlobalState, view::ViewSender};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Instant,
};

/// Events of one batch, at most; chosen by hand.
const BATCH: usize = 256;
/// Defects in a row after which the server gives up; chosen by hand.
const MAX_DEFECTS: usize = 16;

/// The thread that owns the state.
pub(super) struct EventLoop {
    state: GlobalState,
    views: ViewSender,
    /// The number of the client's messages that were handled.
    messages_handled: u64,
    defects: Defects,
    /// Defects since the last event without one.
    in_a_row: usize,
}

impl EventLoop {
    /// A loop that publishes to `views` and reports panics to `defects`.
    pub(super) fn new(state: GlobalState, views: ViewSender, defects: Defects) -> Self {
        Self { state, views, messages_handled: 0, defects, in_a_row: 0 }
    }

    /// Handles events until the shutdown, or until [`MAX_DEFECTS`] defects in a row: then the server has to end.
    pub(super) fn run(mut self, events: &Receiver<ServerEvent>) {
        loop {
            let first = match self.state.due() {
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => events.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            if matches!(first, Err(RecvTimeoutError::Disconnected)) {
                return;
            }
            for event in first.into_iter().chain(std::iter::from_fn(|| events.try_recv().ok())).take(BATCH) {
                let is_last = matches!(event, ServerEvent::Shutdown { .. });
                // Also where it is lost by a defect.
                self.messages_handled += u64::from(matches!(event, ServerEvent::Client(_)));
                // Unanswered, a request is answered with an error.
                self.guard(|state| state.handle(event));
                if is_last {
                    return;
                }
            }
            self.show_view();
            if self.guard(|state| state.settle(Instant::now())) == Some(true) {
                self.show_view();
            }
            self.guard(|state| state.tell(Instant::now()));
            if self.in_a_row > MAX_DEFECTS {
                tracing::error!(
                    "too many internal errors in a row: the server ends, so that the editor can start it again"
                );
                return;
            }
        }
    }

    /// Publishes a view of the current state.
    fn show_view(&self) {
        self.views.send_replace(Arc::new(self.state.view(self.messages_handled)));
    }

    /// Catches a panic, so that it does not end the server: the event is lost, and the next one is handled.
    fn guard<T>(&mut self, work: impl FnOnce(&mut GlobalState) -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(|| work(&mut self.state))) {
            Ok(done) => {
                self.in_a_row = 0;
                Some(done)
            }
            Err(panic) => {
                self.in_a_row += 1;
                self.defects.tell(panic.as_ref());
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::{
        client::outbox::{Deliveries, Outbox, Outgoing},
        event::ClientMessage,
        view::{View, Views},
    };
    use std::sync::mpsc::{Sender, channel};
    use tower_lsp_server::ls_types::MessageType;

    /// A state on its thread.
    fn start() -> (Sender<ServerEvent>, Views, Deliveries, std::thread::JoinHandle<()>) {
        let (events, received) = channel();
        let (outbox, deliveries) = Outbox::new();
        let (showing, views) = Views::new();
        let defects = Defects::new(outbox.clone());
        let event_loop = EventLoop::new(GlobalState::new(events.clone(), outbox), showing, defects);
        (events, views, deliveries, std::thread::spawn(move || event_loop.run(&received)))
    }

    fn end(events: &Sender<ServerEvent>, thread: std::thread::JoinHandle<()>) {
        let (reply, answer) = tokio::sync::oneshot::channel();
        events.send(ServerEvent::Shutdown { reply }).unwrap();
        answer.blocking_recv().unwrap().unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn a_defect_is_told_once_and_what_follows_is_answered() {
        let (events, _, deliveries, thread) = start();
        for _ in 0..10 {
            let (reply, answer) = tokio::sync::oneshot::channel();
            events.send(ServerEvent::Defect).unwrap();
            events.send(ServerEvent::Client(ClientMessage::Initialize { params: Box::default(), reply })).unwrap();
            assert!(answer.blocking_recv().unwrap().is_ok());
        }
        end(&events, thread);
        let said: Vec<Outgoing> = std::iter::from_fn(|| deliveries.next_waiting()).collect();
        assert!(
            matches!(&said[..], [Outgoing::Show(MessageType::ERROR, words)] if words.contains("goes on")),
            "{said:?}"
        );
    }

    /// The newest view that has this much of what was said.
    fn see(views: &Views, said: u64) -> Option<Arc<View>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(views.clone().with(said))
    }

    #[test]
    fn a_view_has_all_that_was_said_before_and_what_was_shown_stays_as_it_is() {
        let (events, views, _deliveries, thread) = start();
        let open = |uri: &str| {
            let document = serde_json::json!({ "uri": uri, "languageId": "solidity", "version": 1, "text": "" });
            let params = serde_json::from_value(serde_json::json!({ "textDocument": document })).unwrap();
            events.send(ServerEvent::Client(ClientMessage::Opened(params))).unwrap();
        };
        open("file:///p/A.txt");
        let one = see(&views, 1).unwrap();
        assert_eq!((one.messages_handled, one.documents.paths().count()), (1, 1));
        open("file:///p/B.txt");
        let two = see(&views, 2).unwrap();
        assert_eq!((two.messages_handled, two.documents.paths().count(), one.documents.paths().count()), (2, 2, 1));
        end(&events, thread);
        assert!(see(&views, 3).is_none(), "nobody shows another one");
    }
}
