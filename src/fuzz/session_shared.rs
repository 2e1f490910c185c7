//! [`SessionShared`] is the state of fuzzing a contract beside its coverage: paths, the shared corpus, the sequences that are
//! still to be replayed, and counters. It belongs to code, not to a build: as long as the code stays the same, the sessions of
//! all builds share it.

use super::call_records::CallRecords;
use crate::code::{BlockId, ProgramId};
use crate::corpus::{Entry, MemoryAccount, Objective, ReplayQueue, Shared, SharedCorpus};
use crate::evm::Edge;
use alloy_primitives::map::HashSet;
use dashmap::DashMap;
use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// A quiet session has executed at least this many times the transactions that it took to see the last new thing. Chosen by hand.
const QUIET_FACTOR: u64 = 3;
/// Panics of its fuzzers after which a session is left alone at the next one. Chosen by hand.
const MAX_PANICS: usize = 3;
/// The memory charged for a path, in bytes.
const PATH: u64 = 24;

/// State that the sessions on the same code share.
#[derive(Debug)]
pub(super) struct SessionShared {
    /// The number of fuzzers that were ever created for it.
    fuzzers: AtomicUsize,
    paths: DashMap<u64, ()>,
    corpus: RwLock<SharedCorpus>,
    /// The number of times that entries or states were evicted from the shared corpus.
    evictions: AtomicU64,
    /// Sequences from the corpus of other code that are still to be replayed.
    pub(super) replays: ReplayQueue,
    executions: AtomicU64,
    /// Those of the loop that came to their end.
    succeeded: AtomicU64,
    /// Those that were run beside the loop to weigh violations.
    trial_runs: AtomicU64,
    /// The number of transactions at which something new was last seen.
    novelty: AtomicU64,
    panics: AtomicUsize,
    /// The time spent on lookahead analysis, in nanoseconds.
    looked: AtomicU64,
    pub(super) started: Instant,
    /// How calls ended.
    pub(super) call_records: Mutex<CallRecords>,
    /// Whether all that can be run was run: nothing of it can be chosen.
    finished: AtomicBool,
    /// Whether the proofs for `unreachable` were started.
    proving: AtomicBool,
    /// The blocks of the contract that cannot be entered, once that was looked for.
    unreachable: OnceLock<BTreeSet<(ProgramId, BlockId)>>,
    /// Why the contract cannot be deployed, once that is known. Read at every step, so without a lock.
    undeployable: OnceLock<String>,
}

impl SessionShared {
    /// An empty state with sequences to be replayed.
    pub(super) fn new(replays: ReplayQueue) -> Self {
        Self {
            fuzzers: AtomicUsize::new(0),
            paths: DashMap::new(),
            corpus: RwLock::default(),
            evictions: AtomicU64::new(0),
            replays,
            executions: AtomicU64::new(0),
            succeeded: AtomicU64::new(0),
            trial_runs: AtomicU64::new(0),
            novelty: AtomicU64::new(0),
            panics: AtomicUsize::new(0),
            looked: AtomicU64::new(0),
            started: Instant::now(),
            call_records: Mutex::default(),
            finished: AtomicBool::new(false),
            proving: AtomicBool::new(false),
            unreachable: OnceLock::new(),
            undeployable: OnceLock::new(),
        }
    }

    /// Counts new fuzzers, and returns the number of those before.
    pub(super) fn add_fuzzers(&self, count: usize) -> usize {
        self.fuzzers.fetch_add(count, Ordering::Relaxed)
    }

    /// The number of fuzzers that were ever created for it.
    pub(super) fn fuzzers(&self) -> usize {
        self.fuzzers.load(Ordering::Relaxed)
    }

    pub(super) fn executions(&self) -> u64 {
        self.executions.load(Ordering::Relaxed)
    }

    /// Counts a transaction, and returns the number of transactions so far.
    pub(super) fn count(&self) -> u64 {
        self.executions.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn succeeded(&self) -> u64 {
        self.succeeded.load(Ordering::Relaxed)
    }

    /// Counts a transaction of the loop that came to its end.
    pub(super) fn count_success(&self) {
        self.succeeded.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn trial_runs(&self) -> u64 {
        self.trial_runs.load(Ordering::Relaxed)
    }

    /// Counts transactions that were run to weigh a violation.
    pub(super) fn count_trial_runs(&self, count: u64) {
        self.trial_runs.fetch_add(count, Ordering::Relaxed);
    }

    /// Notes that something new was seen.
    pub(super) fn refresh(&self) {
        self.novelty.store(self.executions(), Ordering::Relaxed);
    }

    /// Whether more than `quiet_after` transactions in a row showed nothing new, or the contract cannot be deployed. After a long
    /// search it takes more of them: see [`QUIET_FACTOR`].
    pub(super) fn is_quiet(&self, quiet_after: u64) -> bool {
        let novelty = self.novelty.load(Ordering::Relaxed);
        let enough = novelty.saturating_mul(QUIET_FACTOR).max(novelty.saturating_add(quiet_after));
        self.is_undeployable() || self.is_finished() || self.executions() > enough
    }

    /// Counts a panic of one of its fuzzers, and returns the number of panics so far.
    pub(super) fn count_panic(&self) -> usize {
        self.panics.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn panics(&self) -> usize {
        self.panics.load(Ordering::Relaxed)
    }

    /// Whether its fuzzers panicked so often that it is no longer fuzzed.
    pub(super) fn is_left_alone(&self) -> bool {
        self.panics() > MAX_PANICS
    }

    /// Adds time spent on lookahead analysis.
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

    /// Sets why the contract cannot be deployed. The first reason is kept.
    pub(super) fn give_up(&self, why: String) {
        self.undeployable.get_or_init(|| why);
    }

    /// Adds what a fuzzer recorded.
    pub(super) fn take_in(&self, records: &mut CallRecords) {
        if !records.is_empty() {
            self.call_records.lock().unwrap_or_else(PoisonError::into_inner).take_in(records);
        }
    }

    /// Notes that all that can be run was run.
    pub(super) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// Whether all that can be run was run.
    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }

    /// True for the first caller, which then proves what cannot be entered.
    pub(super) fn begin_proving(&self) -> bool {
        !self.proving.load(Ordering::Relaxed) && !self.proving.swap(true, Ordering::Relaxed)
    }

    /// The blocks that cannot be entered, once that was looked for.
    pub(super) fn unreachable(&self) -> Option<&BTreeSet<(ProgramId, BlockId)>> {
        self.unreachable.get()
    }

    /// Sets the blocks that cannot be entered.
    pub(super) fn set_unreachable(&self, blocks: BTreeSet<(ProgramId, BlockId)>) {
        self.unreachable.get_or_init(|| blocks);
    }

    /// The number of distinct paths that were kept.
    pub(super) fn path_count(&self) -> usize {
        self.paths.len()
    }

    /// Whether this path was taken before.
    pub(super) fn knows_path(&self, path: u64) -> bool {
        self.paths.contains_key(&path)
    }

    /// Adds a path; false if it was taken before or the memory is used up.
    pub(super) fn add_path(&self, path: u64, memory: &MemoryAccount) -> bool {
        !self.knows_path(path) && memory.charge_fixed_if_light(PATH) && self.paths.insert(path, ()).is_none()
    }

    /// Adds an entry or a state of a fuzzer, and returns those that are evicted for it.
    pub(super) fn share(&self, fuzzer: usize, shared: Shared, memory: &MemoryAccount) -> Vec<Shared> {
        let mut corpus = self.corpus.write().unwrap_or_else(PoisonError::into_inner);
        corpus.add(fuzzer, shared);
        self.evict(&mut corpus, memory)
    }

    /// Evicts entries and states over the memory bound; used when no fuzzer adds any.
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

    /// The number of evictions so far: after one, fuzzers drop everything that is not in [`kept`](Self::kept).
    pub(super) fn evictions(&self) -> u64 {
        self.evictions.load(Ordering::Relaxed)
    }

    /// The addresses of all entries and states in the shared corpus.
    pub(super) fn kept(&self) -> HashSet<usize> {
        self.read(|corpus| corpus.all().map(Shared::identity).collect())
    }

    /// The entries and states that other fuzzers shared since `cursor`, and the cursor for the next poll.
    pub(super) fn poll(&self, fuzzer: usize, cursor: u64) -> (Vec<Shared>, u64) {
        self.read(|corpus| corpus.poll(fuzzer, cursor))
    }

    /// The whole shared corpus, ordered by [`Shared::rank`].
    pub(super) fn shared(&self) -> Vec<Shared> {
        let mut shared: Vec<Shared> = self.read(|corpus| corpus.all().cloned().collect());
        shared.sort_by_key(Shared::rank);
        shared
    }

    /// The entry of the shared corpus that came closest to an edge; of those that came as close, one with the fewest calls before.
    pub(super) fn closest(&self, edge: Edge) -> Option<Arc<Entry>> {
        let objective = Objective::Edge(edge);
        let distance =
            |entry: &Entry| entry.missed.iter().find(|(it, _)| *it == objective).map(|(_, distance)| *distance);
        self.read(|corpus| {
            let entries = corpus.all().filter_map(|shared| match shared {
                Shared::Entry(entry) => Some((distance(entry)?, entry)),
                Shared::State(_) => None,
            });
            entries.min_by_key(|(distance, entry)| (*distance, entry.state.depth)).map(|(_, entry)| entry.clone())
        })
    }

    fn read<T>(&self, ask: impl FnOnce(&SharedCorpus) -> T) -> T {
        ask(&self.corpus.read().unwrap_or_else(PoisonError::into_inner))
    }
}
