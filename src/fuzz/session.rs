//! A [`Session`] fuzzes one contract of one build. It owns what the workers on it share: coverage, what was learned, targets
//! and findings. How one worker fuzzes is a `Fuzzer`. Where the next build runs the same code, the session goes on in
//! another one, which shares all but the findings.

use super::{
    event::{Event, EventSink},
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
    corpus::{Coverage, MemoryAccount, ReplayQueue, Shared},
    evm::Observation,
    finding::Finding,
    harness::Harness,
    input::{Adaptation, Sequence},
    lookahead::Lookahead,
    oracle::{self, OracleSet},
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

/// One contract being fuzzed.
pub struct Session {
    /// What is fuzzed.
    pub harness: Arc<Harness>,
    /// What was reached.
    pub coverage: Coverage,
    /// What is to be reached.
    pub targets: Arc<Targets>,
    /// What it keeps.
    pub meter: Arc<MemoryAccount>,
    config: RwLock<Config>,
    pub(super) seed: u64,
    pub(super) techniques: Techniques,
    pub(super) tuning: Arc<Tuning>,
    quiet_after: u64,
    pub(super) generation: u64,
    pub(super) shared: Arc<SessionShared>,
    /// Who goes on with it on the next build.
    next: OnceLock<Arc<Session>>,
    pub(super) findings: Findings,
    /// Those that were told as they were found.
    pub(super) shrinks: ShrinkQueue,
    /// Whether it was told of this build that the contract cannot be deployed.
    told: AtomicBool,
    support: AtomicBool,
    /// Looks ahead for the targets of a version, as long as anybody does.
    lookahead: Mutex<Option<(u64, Lookahead)>>,
    listener: EventSink,
    /// Where it keeps what is to outlive the process.
    pub(super) part: Option<StoreHandle>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("contract", &self.harness.compiled().name).finish_non_exhaustive()
    }
}

impl Session {
    /// A session that has seen nothing yet.
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
            generation,
            shared: Arc::new(SessionShared::new(ReplayQueue::default())),
            next: OnceLock::new(),
            findings: Findings::default(),
            shrinks: ShrinkQueue::default(),
            told: AtomicBool::new(false),
            support: AtomicBool::new(false),
            lookahead: Mutex::default(),
            listener,
            part: None,
        }
    }

    /// The same on the next build, which runs the same code: only where that is shown, how it is judged, and which findings there
    /// are, is another matter.
    pub(super) fn migrate_to(&self, harness: Arc<Harness>, config: Config, generation: u64) -> Self {
        Self {
            coverage: self.coverage.migrate_to(harness.programs.clone()),
            targets: Arc::new(self.targets.migrate_to(&self.harness, &harness)),
            meter: self.meter.clone(),
            part: self.part.as_ref().map(|part| part.migrate_to(&harness)),
            harness,
            config: RwLock::new(config),
            seed: self.seed,
            techniques: self.techniques,
            tuning: self.tuning.clone(),
            quiet_after: self.quiet_after,
            generation,
            shared: self.shared.clone(),
            next: OnceLock::new(),
            findings: Findings::default(),
            shrinks: ShrinkQueue::default(),
            told: AtomicBool::new(false),
            support: AtomicBool::new(false),
            lookahead: Mutex::default(),
            listener: self.listener.clone(),
        }
    }

    /// The same, with what was reached before of code that is still the same.
    #[must_use]
    pub(super) fn with_earlier(self, before: &Self, change: &CodeChange) -> Self {
        let coverage = self.coverage.with_earlier(self.harness.contract, &before.coverage, change);
        Self { coverage, ..self }
    }

    /// The same, which runs a corpus again before it does anything else.
    #[must_use]
    pub fn with_corpus(self, sequences: Vec<Sequence>) -> Self {
        Self { shared: Arc::new(SessionShared::new(ReplayQueue::of(sequences))), ..self }
    }

    /// Lets go of what there is no room for any more, while nobody fuzzes.
    pub(super) fn make_room(&self) {
        self.shared.make_room(&self.meter);
    }

    /// Names who goes on with it.
    pub(super) fn hand_over(&self, next: Arc<Self>) {
        // Nobody else does: a build has one session for each contract.
        let _ = self.next.set(next);
    }

    /// Who goes on with it, on the newest build that there is.
    pub(super) fn successor(&self) -> Option<&Arc<Self>> {
        let first = self.next.get();
        std::iter::successors(first, |session| session.next.get()).last()
    }

    /// Takes what a session that this one goes on with found after it was asked for its findings, and what it reached.
    pub(super) fn catch_up(&self, before: &Self) {
        self.replay(&before.take_findings());
        self.targets.reach_covered(&self.coverage);
        self.tell_undeployable();
    }

    /// The same with only these techniques.
    #[must_use]
    pub fn with_techniques(self, techniques: Techniques) -> Self {
        Self { techniques, ..self }
    }

    /// The same, which is quiet after this many transactions without news: see [`Options`](super::Options).
    #[must_use]
    pub(super) fn with_quiet_after(self, quiet_after: u64) -> Self {
        Self { quiet_after, ..self }
    }

    /// The same with other numbers that steer the search.
    #[must_use]
    pub fn with_tuning(self, tuning: Tuning) -> Self {
        Self { tuning: Arc::new(tuning), ..self }
    }

    /// The same with targets. What is covered already, such as blocks that did not change since an earlier build, is reached.
    #[must_use]
    pub fn with_targets(self, targets: Targets) -> Self {
        targets.reach_covered(&self.coverage);
        Self { targets: Arc::new(targets), ..self }
    }

    /// Takes other settings while fuzzers run: what an oracle found is of its new level from now on.
    pub(super) fn configure(&self, config: &Config) {
        // Not held any more when the findings are locked: who claims one holds them while it reads this.
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config.clone();
        self.findings.set_levels(config);
    }

    pub(super) fn config(&self) -> Config {
        self.config.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn level(&self, oracle: &str) -> Level {
        self.config.read().unwrap_or_else(PoisonError::into_inner).level(oracle)
    }

    /// Oracles as configured.
    pub(super) fn oracles(&self) -> OracleSet {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        OracleSet::new(self.harness.build.clone(), self.harness.programs.clone(), oracle::enabled(&config))
    }

    /// Adds what a transaction reached; true if any of it is new.
    pub(super) fn cover(&self, observation: &Observation) -> bool {
        let new = self.coverage.add(observation);
        if new {
            self.targets.reach(observation, || (self.executions(), self.shared.started.elapsed()));
        }
        new
    }

    /// Asks what is ahead, for the targets that are open now.
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

    /// What looking ahead took.
    pub fn lookahead_time(&self) -> Duration {
        self.shared.lookahead_time()
    }

    /// Closes the targets that no call of any code that may run here can reach.
    pub(super) fn prove_targets(&self) {
        self.look_ahead(|lookahead| self.targets.prove(|(program, block)| lookahead.is_reachable(program, block)));
    }

    /// Counts a transaction; the number of transactions so far.
    pub(super) fn count(&self) -> u64 {
        self.shared.count()
    }

    /// Transactions executed.
    pub fn executions(&self) -> u64 {
        self.shared.executions()
    }

    /// Something new was seen.
    pub(super) fn refresh(&self) {
        self.shared.refresh();
    }

    /// Whether nothing new has been seen for a while, or never can be.
    pub fn is_quiet(&self) -> bool {
        self.shared.is_quiet(self.quiet_after)
    }

    /// Counts a panic of one of its fuzzers; how many there were.
    pub(super) fn count_panic(&self) -> usize {
        self.shared.count_panic()
    }

    /// Whether its fuzzers panicked so often that it is not fuzzed any more.
    pub(super) fn is_left_alone(&self) -> bool {
        self.shared.is_left_alone()
    }

    /// How many paths were kept.
    pub fn path_count(&self) -> usize {
        self.shared.path_count()
    }

    /// Why the contract cannot be deployed, if so.
    pub fn undeployable(&self) -> Option<&str> {
        self.shared.undeployable()
    }

    /// Why nothing of it is run any more, if so.
    pub(super) fn given_up(&self) -> Option<String> {
        let panics = self.shared.panics();
        let left_alone = || format!("bellwether met {panics} internal errors while fuzzing it, and left it alone");
        self.undeployable().map(str::to_owned).or_else(|| self.is_left_alone().then(left_alone))
    }

    /// Whether it only supports what the project is about.
    pub(super) fn is_support(&self) -> bool {
        self.support.load(Ordering::Relaxed)
    }

    /// Says whether it only supports what the project is about. Tasks that wait already are not ranked again.
    pub(super) fn set_support(&self, support: bool) {
        self.support.store(support, Ordering::Relaxed);
    }

    /// Whether there is anything to run: a function, or a check in the constructor.
    pub(super) fn has_anything_to_run(&self) -> bool {
        let harness = &self.harness;
        let creation = harness.programs.get(harness.programs.id(harness.contract, Stage::Creation));
        let has_check = || creation.conditions.branches.keys().any(|pc| creation.is_in_source(*pc));
        !harness.calls.calls().is_empty() || !harness.interface().skipped.is_empty() || has_check()
    }

    /// Whether the contract cannot be deployed.
    pub(super) fn is_undeployable(&self) -> bool {
        self.shared.is_undeployable()
    }

    pub(super) fn give_up(&self, why: String) {
        self.shared.give_up(why);
        self.tell_undeployable();
    }

    /// Tells once of each build that the contract cannot be deployed, if so.
    pub(super) fn tell_undeployable(&self) {
        if let Some(why) = self.undeployable().filter(|_| self.has_anything_to_run())
            && !self.told.swap(true, Ordering::Relaxed)
        {
            let (generation, harness, why) = (self.generation, self.harness.clone(), why.to_owned());
            self.tell(Event::Undeployable { generation, harness, why });
        }
    }

    /// Keeps what a fuzzer shares with the others.
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

    /// Tells what happened.
    pub(super) fn tell(&self, event: Event) {
        (self.listener)(event);
    }

    /// Confirmed findings, by place.
    pub fn findings(&self) -> Vec<Arc<Finding>> {
        self.findings.all()
    }

    /// Confirmed findings, which are the next build's to judge from now on. What is found later is left for later.
    pub(super) fn take_findings(&self) -> Vec<Arc<Finding>> {
        self.findings.take()
    }

    /// All that is worth running again on other code, as sequences for its interface: what reached the most first.
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
