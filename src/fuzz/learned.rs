//! What a session [`Learned`] of its contract, beside coverage: paths, the feed of entries, what is still to be run again, and how
//! long it took. It belongs to code, not to a build: as long as the code stays the same, every session on it has this in common.

use super::{feed::Feed, rerun::Rerun};
use dashmap::DashMap;
use std::{
    sync::{
        OnceLock, RwLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Instant,
};

/// A quiet session has executed at least this many times the transactions that it took to see the last new thing. Chosen by hand.
const QUIET_FACTOR: u64 = 3;

/// What outlives a build that changes nothing.
#[derive(Debug)]
pub(super) struct Learned {
    /// How many lanes were ever made for it.
    pub(super) lanes: AtomicUsize,
    pub(super) paths: DashMap<u64, ()>,
    pub(super) feed: RwLock<Feed>,
    /// How often the feed let go of something.
    pub(super) evictions: AtomicU64,
    /// The corpus of other code, as far as it was not run yet.
    pub(super) rerun: Rerun,
    pub(super) executions: AtomicU64,
    /// How many there were when something new was seen last.
    pub(super) novelty: AtomicU64,
    pub(super) panics: AtomicUsize,
    /// What looking ahead took, in nanoseconds.
    pub(super) looked: AtomicU64,
    pub(super) started: Instant,
    /// Why the contract cannot be deployed, once that is known. Read at every step, so without a lock.
    undeployable: OnceLock<String>,
}

impl Learned {
    /// Nothing but what is to be run again.
    pub(super) fn new(rerun: Rerun) -> Self {
        Self {
            lanes: AtomicUsize::new(0),
            paths: DashMap::new(),
            feed: RwLock::default(),
            evictions: AtomicU64::new(0),
            rerun,
            executions: AtomicU64::new(0),
            novelty: AtomicU64::new(0),
            panics: AtomicUsize::new(0),
            looked: AtomicU64::new(0),
            started: Instant::now(),
            undeployable: OnceLock::new(),
        }
    }

    pub(super) fn executions(&self) -> u64 {
        self.executions.load(Ordering::Relaxed)
    }

    /// Whether more than `quiet_after` transactions in a row showed nothing new, or the contract cannot be deployed. After a long
    /// search it takes more of them: see [`QUIET_FACTOR`].
    pub(super) fn is_quiet(&self, quiet_after: u64) -> bool {
        let novelty = self.novelty.load(Ordering::Relaxed);
        let enough = novelty.saturating_mul(QUIET_FACTOR).max(novelty.saturating_add(quiet_after));
        self.is_undeployable() || self.executions() > enough
    }

    pub(super) fn is_undeployable(&self) -> bool {
        self.undeployable.get().is_some()
    }

    /// Why the contract cannot be deployed, if so.
    pub(super) fn undeployable(&self) -> Option<&str> {
        self.undeployable.get().map(String::as_str)
    }

    /// The first reason that somebody gives is the one that is told.
    pub(super) fn give_up(&self, why: String) {
        self.undeployable.get_or_init(|| why);
    }
}
