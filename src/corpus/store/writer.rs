//! The thread that writes: it takes what was handed in, in this order, some at a time, and sleeps while there is nothing.

use super::folder::{Order, Store};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// What comes within so long of the first is written with it.
const BATCH: Duration = Duration::from_millis(500);
/// No more than so many sequences wait for a disk that does not answer. Findings are few, and always do.
const MAX_WAITING: usize = 4096;

/// The thread, from outside.
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
    /// Nobody wants to wait for more to come.
    hurried: bool,
    ended: bool,
}

impl Desk {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be done next; none at the end.
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
                        store.give_up("a defect of bellwether");
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
            // It catches its panics.
            let _ = thread.join();
        }
    }
}
