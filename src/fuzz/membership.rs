//! A [`Membership`] is the state of a campaign that it shares with the threads of its pool: its generation, whether it is
//! paused or ended, and the sink of its events.

use super::event::{Event, EventSink};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

/// Identifies a campaign in its pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MemberId(pub(super) u64);

/// A campaign in a pool.
pub(super) struct Membership {
    pub(super) id: MemberId,
    pub(super) generation: AtomicU64,
    pub(super) paused: AtomicBool,
    pub(super) ended: AtomicBool,
    pub(super) stopped: AtomicBool,
    pub(super) until_quiet: bool,
    listener: EventSink,
}

impl Membership {
    pub(super) fn new(id: MemberId, until_quiet: bool, listener: EventSink) -> Self {
        Self {
            id,
            generation: AtomicU64::new(0),
            paused: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            until_quiet,
            listener,
        }
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    pub(super) fn tell_quiet(&self) {
        self.tell(Event::Quiet { generation: self.generation() });
    }

    /// Sends an event. A panic of the sink is caught, since the thread serves other campaigns too.
    pub(super) fn tell(&self, event: Event) {
        if catch_unwind(AssertUnwindSafe(|| (self.listener)(event))).is_err() {
            tracing::error!("internal error: an event of a campaign could not be reported");
        }
    }

    /// Whether a task of this generation has to stop now.
    pub(super) fn halts(&self, generation: u64, fuzzes: bool) -> bool {
        self.stopped.load(Ordering::Relaxed)
            || self.paused.load(Ordering::Relaxed)
            || (fuzzes && self.ended.load(Ordering::Relaxed))
            || self.generation.load(Ordering::Relaxed) != generation
    }
}
