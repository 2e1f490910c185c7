//! A [`Session`] fuzzes one contract of one build. It owns the state that its fuzzers share: coverage, corpus, targets and
//! findings. Each `Fuzzer` is one worker's part of it. If the next build runs the same code, the session continues in a new
//! one, which shares everything but the findings.

use super::{
    event::{Event, EventSink},
    exchange_handle::ExchangeHandle,
    findings::Findings,
    options::QUIET_AFTER,
    schedule::Configuration,
    session_shared::SessionShared,
    shrink_queue::ShrinkQueue,
    store_handle::StoreHandle,
    target::Targets,
    techniques::Techniques,
};
use crate::{
    code::{CodeChange, Stage},
    corpus::{Coverage, MemoryAccount, ReplayQueue, Share, Shared, exchange::GoalPart},
    evm::Observation,
    finding::Finding,
    harness::{Harness, HarnessKind},
    input::{Adaptation, Sequence},
    lookahead::Lookahead,
    oracle::{self, OracleSet, Violation},
    project::{Config, Level},
    tuning::Tuning,
};
use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Where nothing is left to be reached, so many times fewer transactions without anything new are long; chosen by hand.
const QUIET_SHARE: u64 = 10;

/// One contract being fuzzed.
pub struct Session {
    /// The contract that is fuzzed, with its world.
    pub harness: Arc<Harness>,
    /// The coverage of its code.
    pub coverage: Coverage,
    /// The targets in its code.
    pub targets: Arc<Targets>,
    /// The memory that its corpus takes.
    pub meter: Arc<MemoryAccount>,
    config: RwLock<Config>,
    pub(super) seed: u64,
    pub(super) techniques: Techniques,
    pub(super) tuning: Arc<Tuning>,
    quiet_after: u64,
    /// Whether nothing but the corpus of an earlier day is run.
    pub(super) replays_only: bool,
    pub(super) generation: u64,
    pub(super) shared: Arc<SessionShared>,
    /// The session that continues it on the next build.
    next: OnceLock<Arc<Session>>,
    pub(super) findings: Findings,
    /// The findings that are still to be shrunk.
    pub(super) shrinks: ShrinkQueue,
    /// Whether it was reported for this build that the contract cannot be deployed.
    told: AtomicBool,
    /// Whether the contract is fuzzed in the world of a test contract as well.
    has_other_world: AtomicBool,
    support: AtomicBool,
    /// The lookahead analysis, with the version of its targets; dropped when the targets no longer guide the fuzzers.
    lookahead: Mutex<Option<(u64, Lookahead)>>,
    listener: EventSink,
    /// Its part of the corpus store.
    pub(super) part: Option<StoreHandle>,
    /// Its part of the exchange with other machines.
    pub(super) exchange: Option<ExchangeHandle>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("contract", &self.harness.compiled().name).finish_non_exhaustive()
    }
}

impl Session {
    /// A session without coverage, corpus or findings.
    pub fn new(harness: Arc<Harness>, config: Config, seed: u64, generation: u64, listener: EventSink) -> Self {
        let meter = MemoryAccount::new();
        Self {
            coverage: Coverage::new(harness.programs.clone(), meter.clone()),
            targets: Arc::default(),
            meter,
            harness,
            config: RwLock::new(config),
            seed,
            techniques: Techniques::default(),
            tuning: Arc::default(),
            quiet_after: QUIET_AFTER,
            replays_only: false,
            generation,
            shared: Arc::new(SessionShared::new(ReplayQueue::default())),
            next: OnceLock::new(),
            findings: Findings::default(),
            shrinks: ShrinkQueue::default(),
            told: AtomicBool::new(false),
            has_other_world: AtomicBool::new(false),
            support: AtomicBool::new(false),
            lookahead: Mutex::default(),
            listener,
            part: None,
            exchange: None,
        }
    }

    /// The goals that this machine tries first: all, unless it fuzzes the contract together with others.
    pub(super) fn goals_here(&self) -> GoalPart {
        self.exchange.as_ref().map_or(GoalPart::ALL, ExchangeHandle::goals_here)
    }

    /// The session on the next build, which runs the same code: it has new source locations, settings and findings, and shares
    /// the rest.
    pub(super) fn migrate_to(&self, harness: Arc<Harness>, config: Config, generation: u64) -> Self {
        Self {
            coverage: self.coverage.migrate_to(harness.programs.clone()),
            targets: Arc::new(self.targets.migrate_to(&self.harness, &harness)),
            meter: self.meter.clone(),
            part: self.part.as_ref().map(|part| part.migrate_to(&harness)),
            exchange: self.exchange.as_ref().map(|exchange| exchange.migrate_to(&harness)),
            harness,
            config: RwLock::new(config),
            seed: self.seed,
            techniques: self.techniques,
            tuning: self.tuning.clone(),
            quiet_after: self.quiet_after,
            replays_only: self.replays_only,
            generation,
            shared: self.shared.clone(),
            next: OnceLock::new(),
            findings: Findings::default(),
            shrinks: ShrinkQueue::default(),
            told: AtomicBool::new(false),
            has_other_world: AtomicBool::new(false),
            support: AtomicBool::new(false),
            lookahead: Mutex::default(),
            listener: self.listener.clone(),
        }
    }

    /// The same session, with the earlier coverage of code that did not change.
    #[must_use]
    pub(super) fn with_earlier(self, before: &Self, change: &CodeChange) -> Self {
        let coverage = self.coverage.with_earlier(self.harness.contract, &before.coverage, change);
        Self { coverage, ..self }
    }

    /// The same session, with a corpus to be replayed.
    #[must_use]
    pub fn with_corpus(self, sequences: Vec<Sequence>) -> Self {
        Self { shared: Arc::new(SessionShared::new(ReplayQueue::of(sequences))), ..self }
    }

    /// Evicts entries and states over the memory bound; used when no fuzzer adds any.
    pub(super) fn make_room(&self) {
        self.shared.make_room(&self.meter);
    }

    /// Sets the session that continues this one.
    pub(super) fn hand_over(&self, next: Arc<Self>) {
        // It is set only once: a build has one session for each contract.
        let _ = self.next.set(next);
    }

    /// The session that continues this one on the newest build.
    pub(super) fn successor(&self) -> Option<&Arc<Self>> {
        let first = self.next.get();
        std::iter::successors(first, |session| session.next.get()).last()
    }

    /// Merges findings and coverage that `before` produced after the hand-over.
    pub(super) fn catch_up(&self, before: &Self) {
        self.replay(&before.take_findings());
        self.targets.reach_covered(&self.coverage);
        self.tell_undeployable();
    }

    /// The same session with only these techniques.
    #[must_use]
    pub fn with_techniques(self, techniques: Techniques) -> Self {
        Self { techniques, ..self }
    }

    /// The same session, quiet after this many transactions that show nothing new: see [`Options`](super::Options).
    #[must_use]
    pub(super) fn with_quiet_after(self, quiet_after: u64) -> Self {
        Self { quiet_after, ..self }
    }

    /// The same session, which replays a corpus and fuzzes nothing.
    #[must_use]
    pub(super) fn with_replays_only(self, replays_only: bool) -> Self {
        Self { replays_only, ..self }
    }

    /// The same session with other tuning numbers.
    #[must_use]
    pub fn with_tuning(self, tuning: Tuning) -> Self {
        Self { tuning: Arc::new(tuning), ..self }
    }

    /// The same session with targets. Targets that are covered already, such as in blocks that did not change since an earlier
    /// build, count as reached.
    #[must_use]
    pub fn with_targets(self, targets: Targets) -> Self {
        targets.reach_covered(&self.coverage);
        Self { targets: Arc::new(targets), ..self }
    }

    /// Applies other settings while fuzzers run: findings get the new levels of their oracles, and the new ignores.
    pub(super) fn configure(&self, config: &Config) {
        // This lock is released before the findings are locked, since a claim reads the settings while it holds the findings.
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config.clone();
        self.findings.judge_by(config);
    }

    pub(super) fn config(&self) -> Config {
        self.config.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The level that the settings give a violation.
    pub(super) fn level(&self, violation: &Violation) -> Level {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        // Names are looked up only if they matter: a violation that is switched off may be seen in each transaction.
        match config.levels.as_deref() {
            None | Some([]) => config.level(violation.oracle),
            Some(_) => config.level_at(violation.oracle, &violation.place.names(&self.harness.build)),
        }
    }

    /// The oracles that are switched on.
    pub(super) fn oracles(&self) -> OracleSet {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        OracleSet::of(&self.harness, oracle::enabled(&config))
    }

    /// Adds the coverage of a transaction; true if any of it is new.
    pub(super) fn cover(&self, observation: &Observation) -> bool {
        let is_new = self.coverage.add(observation);
        if is_new {
            self.targets.reach(observation, || (self.executions(), self.shared.started.elapsed()));
        }
        is_new
    }

    /// Queries the lookahead analysis for the targets that are open now.
    pub(super) fn look_ahead<T>(&self, ask: impl FnOnce(&mut Lookahead) -> T) -> T {
        let started = Instant::now();
        let mut kept = self.lookahead.lock().unwrap_or_else(PoisonError::into_inner);
        let version = self.targets.version();
        let (of, lookahead) = kept.get_or_insert_with(|| {
            let lookahead = Lookahead::new(self.harness.programs.clone(), self.targets.open_blocks());
            (version, if self.techniques.lookahead == Configuration::C { lookahead.blind() } else { lookahead })
        });
        if *of != version {
            lookahead.set_targets(self.targets.open_blocks());
            *of = version;
        }
        let answer = ask(lookahead);
        if !self.targets.guide() {
            *kept = None;
        }
        self.shared.count_lookahead(started.elapsed());
        answer
    }

    /// The time spent on lookahead analysis.
    pub fn lookahead_time(&self) -> Duration {
        self.shared.lookahead_time()
    }

    /// Marks the targets as unreachable that no call of any code of the session can reach.
    pub(super) fn prove_targets(&self) {
        self.look_ahead(|lookahead| self.targets.prove(|(program, block)| lookahead.is_reachable(program, block)));
    }

    /// Counts a transaction, and returns the number of transactions so far.
    pub(super) fn count(&self) -> u64 {
        self.shared.count()
    }

    /// Transactions executed.
    pub fn executions(&self) -> u64 {
        self.shared.executions()
    }

    /// Transactions that were run to weigh violations, which do not count as executions.
    pub fn trial_runs(&self) -> u64 {
        self.shared.trial_runs()
    }

    /// Transactions of the loop that came to their end.
    pub(super) fn succeeded(&self) -> u64 {
        self.shared.succeeded()
    }

    /// Notes that something new was seen.
    pub(super) fn refresh(&self) {
        self.shared.refresh();
    }

    /// Transactions so far that ran again what was found in an earlier build or by another machine.
    pub fn rerun(&self) -> u64 {
        self.shared.replays.transactions()
    }

    /// Whether nothing new has been seen for long, or the contract cannot be deployed. Where nothing is left to be reached, a tenth of
    /// the transactions is long.
    pub fn is_quiet(&self) -> bool {
        let is_sooner = || self.shared.is_quiet(self.quiet_after / QUIET_SHARE) && self.has_reached_everything();
        self.shared.is_quiet(self.quiet_after) || is_sooner()
    }

    /// Whether each branch in the source of the contract went both ways, and it is no test or property, which stays true however much
    /// was reached.
    fn has_reached_everything(&self) -> bool {
        let branches = self.branches();
        self.harness.kind() == HarnessKind::Contract && branches.covered == branches.known
    }

    /// Covered directions of the branches in the source of the contract.
    pub fn branches(&self) -> Share {
        self.coverage.alone().branches(self.harness.contract)
    }

    /// Counts a panic of one of its fuzzers, and returns the number of panics so far.
    pub(super) fn count_panic(&self) -> usize {
        self.shared.count_panic()
    }

    /// Whether its fuzzers panicked so often that it is no longer fuzzed.
    pub(super) fn is_left_alone(&self) -> bool {
        self.shared.is_left_alone()
    }

    /// The number of distinct paths that were kept.
    pub fn path_count(&self) -> usize {
        self.shared.path_count()
    }

    /// Why the contract cannot be deployed, if so.
    pub fn undeployable(&self) -> Option<&str> {
        self.shared.undeployable()
    }

    /// Why the contract is no longer fuzzed, if so.
    pub(super) fn given_up(&self) -> Option<String> {
        let panics = self.shared.panics();
        let left_alone = || format!("Bellwether had {panics} internal errors while fuzzing it, and stopped");
        self.undeployable().map(str::to_owned).or_else(|| self.is_left_alone().then(left_alone))
    }

    /// Whether its contract is support code: a test, mock or example.
    pub(super) fn is_support(&self) -> bool {
        self.support.load(Ordering::Relaxed)
    }

    /// Sets whether its contract is support code. Waiting tasks keep their rank.
    pub(super) fn set_support(&self, support: bool) {
        self.support.store(support, Ordering::Relaxed);
    }

    /// Whether there is anything to run: a function, or a check in the constructor.
    pub(super) fn has_anything_to_run(&self) -> bool {
        let harness = &self.harness;
        let creation = harness.programs.get(harness.programs.id(harness.contract, Stage::Creation));
        let has_check = || creation.conditions.branches.keys().any(|pc| creation.is_in_source(*pc));
        !harness.calls.calls().is_empty()
            || !harness.calls.rules().properties.is_empty()
            || !harness.interface().skipped.is_empty()
            || has_check()
    }

    /// Notes that all that can be run was run.
    pub(super) fn finish(&self) {
        self.shared.finish();
    }

    /// Whether there is nothing left to run.
    pub(super) fn is_over(&self) -> bool {
        self.is_undeployable() || self.shared.is_finished()
    }

    /// Whether the contract cannot be deployed.
    pub(super) fn is_undeployable(&self) -> bool {
        self.shared.is_undeployable()
    }

    pub(super) fn give_up(&self, why: String) {
        self.shared.give_up(why);
        self.tell_undeployable();
    }

    /// Notes that the contract is fuzzed in the world of a test contract as well: that it cannot be deployed here is then no news.
    pub(super) fn set_has_other_world(&self) {
        self.has_other_world.store(true, Ordering::Relaxed);
    }

    /// Reports once for each build that the contract cannot be deployed, if so.
    pub(super) fn tell_undeployable(&self) {
        if let Some(why) = self.undeployable().filter(|_| self.has_anything_to_run())
            && !self.has_other_world.load(Ordering::Relaxed)
            && !self.told.swap(true, Ordering::Relaxed)
        {
            let (generation, harness, why) = (self.generation, self.harness.clone(), why.to_owned());
            self.tell(Event::Undeployable { generation, harness, why });
        }
    }

    /// Adds an entry or a state of a fuzzer to the shared corpus, and updates the corpus store.
    pub(super) fn share(&self, fuzzer: usize, shared: Shared) {
        if let Shared::Entry(entry) = &shared {
            self.archive_entry(entry);
        }
        for gone in self.shared.share(fuzzer, shared, &self.meter) {
            if let Shared::Entry(entry) = &gone {
                self.release_entry(entry);
            }
        }
    }

    /// Sends an event.
    pub(super) fn tell(&self, event: Event) {
        (self.listener)(event);
    }

    /// Confirmed findings, ordered by violation.
    pub fn findings(&self) -> Vec<Arc<Finding>> {
        self.findings.all()
    }

    /// Moves the confirmed findings out, for the next build to replay. Later findings need another call.
    pub(super) fn take_findings(&self) -> Vec<Arc<Finding>> {
        self.findings.take()
    }

    /// The corpus as sequences for the interface of other code: entries that reached new code first, sequences that are still
    /// to be replayed last.
    pub(super) fn corpus_for(&self, next: &Harness) -> Vec<Sequence> {
        let shared = self.shared.shared();
        let sequences = shared.into_iter().map(|shared| match shared {
            Shared::Entry(entry) => entry.state.sequence_with(&entry.transaction),
            Shared::State(state) => state.sequence(),
        });
        let adaptation = Adaptation::between(&self.harness.calls, &next.calls);
        sequences.chain(self.shared.replays.left()).map(|sequence| adaptation.sequence(&sequence)).collect()
    }
}
