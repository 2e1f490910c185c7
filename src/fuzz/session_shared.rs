//! [`SessionShared`] is what a session knows of its contract, beside coverage: paths, the shared corpus, the sequences that are still to be
//! replayed, and how long it took. It belongs to code, not to a build: as long as the code stays the same, every session on it shares this.

use crate::corpus::{MemoryAccount, ReplayQueue, Shared, SharedCorpus};
use alloy_primitives::map::HashSet;
use dashmap::DashMap;
use std::{
    sync::{
        OnceLock, PoisonError, RwLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// A quiet session has executed at least this many times the transactions that it took to see the last new thing. Chosen by hand.
const QUIET_FACTOR: u64 = 3;
/// A session whose fuzzers panic more often than this is left alone. Chosen by hand.
const MAX_PANICS: usize = 3;
/// The bytes of a path that is only remembered.
const PATH: u64 = 24;

/// What outlives a build that changes nothing.
#[derive(Debug)]
pub(super) struct SessionShared {
    /// How many fuzzers were ever made for it.
    fuzzers: AtomicUsize,
    paths: DashMap<u64, ()>,
    corpus: RwLock<SharedCorpus>,
    /// How often the shared corpus let go of something.
    evictions: AtomicU64,
    /// The corpus of other code, as far as it was not run yet.
    pub(super) replays: ReplayQueue,
    executions: AtomicU64,
    /// The number of transactions when something new was seen last.
    novelty: AtomicU64,
    panics: AtomicUsize,
    /// The time that looking ahead took, in nanoseconds.
    looked: AtomicU64,
    pub(super) started: Instant,
    /// Why the contract cannot be deployed, once that is known. Read at every step, so without a lock.
    undeployable: OnceLock<String>,
}

impl SessionShared {
    /// Nothing but sequences that are to be replayed.
    pub(super) fn new(replays: ReplayQueue) -> Self {
        Self {
            fuzzers: AtomicUsize::new(0),
            paths: DashMap::new(),
            corpus: RwLock::default(),
            evictions: AtomicU64::new(0),
            replays,
            executions: AtomicU64::new(0),
            novelty: AtomicU64::new(0),
            panics: AtomicUsize::new(0),
            looked: AtomicU64::new(0),
            started: Instant::now(),
            undeployable: OnceLock::new(),
        }
    }

    /// Counts fuzzers that are made; the number of those before.
    pub(super) fn add_fuzzers(&self, count: usize) -> usize {
        self.fuzzers.fetch_add(count, Ordering::Relaxed)
    }

    /// How many fuzzers were ever made for it.
    pub(super) fn fuzzers(&self) -> usize {
        self.fuzzers.load(Ordering::Relaxed)
    }

    pub(super) fn executions(&self) -> u64 {
        self.executions.load(Ordering::Relaxed)
    }

    /// Counts a transaction; the number of transactions so far.
    pub(super) fn count(&self) -> u64 {
        self.executions.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Something new was seen.
    pub(super) fn refresh(&self) {
        self.novelty.store(self.executions(), Ordering::Relaxed);
    }

    /// Whether more than `quiet_after` transactions in a row showed nothing new, or the contract cannot be deployed. After a long
    /// search it takes more of them: see [`QUIET_FACTOR`].
    pub(super) fn is_quiet(&self, quiet_after: u64) -> bool {
        let novelty = self.novelty.load(Ordering::Relaxed);
        let enough = novelty.saturating_mul(QUIET_FACTOR).max(novelty.saturating_add(quiet_after));
        self.is_undeployable() || self.executions() > enough
    }

    /// Counts a panic of one of its fuzzers; how many there were.
    pub(super) fn count_panic(&self) -> usize {
        self.panics.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn panics(&self) -> usize {
        self.panics.load(Ordering::Relaxed)
    }

    /// Whether its fuzzers panicked so often that it is not fuzzed any more.
    pub(super) fn is_left_alone(&self) -> bool {
        self.panics() > MAX_PANICS
    }

    /// Counts the time that looking ahead took.
    pub(super) fn count_lookahead(&self, time: Duration) {
        self.looked.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    pub(super) fn lookahead_time(&self) -> Duration {
        Duration::from_nanos(self.looked.load(Ordering::Relaxed))
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

    /// How many paths were kept.
    pub(super) fn path_count(&self) -> usize {
        self.paths.len()
    }

    /// Whether this path was taken before.
    pub(super) fn knows_path(&self, path: u64) -> bool {
        self.paths.contains_key(&path)
    }

    /// Remembers a path: false if it was taken before, or if there is no room for more of them.
    pub(super) fn add_path(&self, path: u64, memory: &MemoryAccount) -> bool {
        !self.knows_path(path) && memory.charge_fixed_if_light(PATH) && self.paths.insert(path, ()).is_none()
    }

    /// Shares what a fuzzer keeps. Gives what there is no room for any more.
    pub(super) fn share(&self, fuzzer: usize, shared: Shared, memory: &MemoryAccount) -> Vec<Shared> {
        let mut corpus = self.corpus.write().unwrap_or_else(PoisonError::into_inner);
        corpus.add(fuzzer, shared);
        self.evict(&mut corpus, memory)
    }

    /// Lets go of what there is no room for any more, while nobody fuzzes.
    pub(super) fn make_room(&self, memory: &MemoryAccount) {
        self.evict(&mut self.corpus.write().unwrap_or_else(PoisonError::into_inner), memory);
    }

    fn evict(&self, corpus: &mut SharedCorpus, memory: &MemoryAccount) -> Vec<Shared> {
        if !memory.is_over() {
            return Vec::new();
        }
        self.evictions.fetch_add(1, Ordering::Relaxed);
        corpus.evict(memory.room())
    }

    /// How often the corpus was too large: fuzzers have to let go of what [`kept`](Self::kept) does not name.
    pub(super) fn evictions(&self) -> u64 {
        self.evictions.load(Ordering::Relaxed)
    }

    /// The addresses of everything that is kept.
    pub(super) fn kept(&self) -> HashSet<usize> {
        self.read(|corpus| corpus.all().map(Shared::identity).collect())
    }

    /// What other fuzzers shared since `cursor`; and where to ask from next time.
    pub(super) fn poll(&self, fuzzer: usize, cursor: u64) -> (Vec<Shared>, u64) {
        self.read(|corpus| corpus.poll(fuzzer, cursor))
    }

    /// All that is shared, what reached the most first.
    pub(super) fn shared(&self) -> Vec<Shared> {
        let mut shared: Vec<Shared> = self.read(|corpus| corpus.all().cloned().collect());
        shared.sort_by_key(Shared::rank);
        shared
    }

    fn read<T>(&self, ask: impl FnOnce(&SharedCorpus) -> T) -> T {
        ask(&self.corpus.read().unwrap_or_else(PoisonError::into_inner))
    }
}
