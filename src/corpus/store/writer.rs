//! The thread that writes: it takes requests in order, several at a time, and sleeps while there are none.

use super::folder::{Order, Store};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// Requests that arrive within this time after the first are written together; chosen by hand.
const BATCH: Duration = Duration::from_millis(500);
/// Sequences that may wait for a disk that does not answer; chosen by hand. Findings are few, and are never dropped.
const MAX_WAITING: usize = 4096;

/// The handle of the thread.
pub(super) struct Writer {
    desk: Arc<Desk>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Desk {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    orders: Vec<Order>,
    /// The thread is writing.
    busy: bool,
    /// Whether the thread should write without waiting for more requests.
    hurried: bool,
    ended: bool,
}

impl Desk {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next requests; none at the end.
    fn take(&self) -> Option<Vec<Order>> {
        let mut waiting = self.waiting();
        while waiting.orders.is_empty() && !waiting.ended {
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        let end = Instant::now() + BATCH;
        while !waiting.hurried && !waiting.ended {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            waiting = self.changed.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        waiting.hurried = false;
        waiting.busy = !waiting.orders.is_empty();
        waiting.busy.then(|| std::mem::take(&mut waiting.orders))
    }

    fn rest(&self) {
        self.waiting().busy = false;
        self.changed.notify_all();
    }
}

impl Writer {
    pub(super) fn start(mut store: Store) -> std::io::Result<Self> {
        let desk = Arc::new(Desk::default());
        let inside = desk.clone();
        let work = move || {
            while let Some(orders) = inside.take() {
                for order in orders {
                    if catch_unwind(AssertUnwindSafe(|| store.carry_out(order))).is_err() {
                        store.give_up("internal error");
                    }
                }
                inside.rest();
            }
        };
        let thread = std::thread::Builder::new().name("archive".to_owned()).spawn(work)?;
        Ok(Self { desk, thread: Some(thread) })
    }

    pub(super) fn give(&self, order: Order) {
        let mut waiting = self.desk.waiting();
        if waiting.orders.len() < MAX_WAITING || !order.is_of_entry() {
            let first = waiting.orders.is_empty();
            waiting.orders.push(order);
            drop(waiting);
            if first {
                self.desk.changed.notify_all();
            }
        }
    }

    pub(super) fn hurry(&self) {
        let mut waiting = self.desk.waiting();
        waiting.hurried = !waiting.orders.is_empty();
        drop(waiting);
        self.desk.changed.notify_all();
    }

    pub(super) fn flush(&self) {
        let mut waiting = self.desk.waiting();
        while waiting.busy || !waiting.orders.is_empty() {
            waiting.hurried = true;
            self.desk.changed.notify_all();
            waiting = self.desk.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.desk.waiting().ended = true;
        self.desk.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // The thread catches its own panics.
            let _ = thread.join();
        }
    }
}
