//! A [`Session`] fuzzes one contract of one build. It owns what the workers on it share: coverage, what was learned, targets
//! and findings. How one worker fuzzes is a [`Lane`](super::Lane). Where the next build runs the same code, the session goes on in
//! another one, which shares all but the findings.

use super::{
    campaign::{Event, Notice, QUIET_AFTER},
    coverage::Coverage,
    feed::Shared,
    lane::Lane,
    learned::Learned,
    memory::Meter,
    recall::Part,
    rerun::Rerun,
    schedule::Configuration,
    shrinks::{self, Shrinks},
    target::Targets,
    task::Task,
    techniques::Techniques,
};
use crate::{
    code::{Change, Stage},
    evm::Observation,
    finding::{self, Discovery, Finding, Shrinker},
    input::{Adaptation, Sequence},
    lookahead::Lookahead,
    oracle::{self, OracleSet, Violation},
    project::{Config, Level},
    subject::Subject,
};
use alloy_primitives::map::HashSet;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// A session whose lanes panic more often than this is left alone.
const MAX_PANICS: usize = 3;

/// What a path takes that is only remembered, in bytes.
const PATH: u64 = 24;

/// One contract being fuzzed.
pub struct Session {
    /// What is fuzzed.
    pub subject: Arc<Subject>,
    /// What was reached.
    pub coverage: Coverage,
    /// What is to be reached.
    pub targets: Arc<Targets>,
    /// What it keeps.
    pub meter: Arc<Meter>,
    config: RwLock<Config>,
    pub(super) seed: u64,
    pub(super) techniques: Techniques,
    quiet_after: u64,
    pub(super) generation: u64,
    pub(super) learned: Arc<Learned>,
    /// Who goes on with it on the next build.
    next: OnceLock<Arc<Session>>,
    findings: Mutex<Findings>,
    /// Those that were told as they were found.
    pub(super) shrinks: shrinks::Waiting,
    /// Whether it was told of this build that the contract cannot be deployed.
    told: AtomicBool,
    support: AtomicBool,
    /// Looks ahead for the targets of a version, as long as anybody does.
    lookahead: Mutex<Option<(u64, Lookahead)>>,
    listener: Notice,
    /// Where it keeps what is to outlive the process.
    pub(super) part: Option<Part>,
}

/// Those that are claimed, and of those that were confirmed what they are.
type Findings = BTreeMap<Violation, Option<Arc<Finding>>>;

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("contract", &self.subject.compiled().name).finish_non_exhaustive()
    }
}

impl Session {
    /// A session that has seen nothing yet.
    pub fn new(subject: Arc<Subject>, config: Config, seed: u64, generation: u64, listener: Notice) -> Self {
        let meter = Meter::new();
        Self {
            coverage: Coverage::new(subject.programs.clone(), meter.clone()),
            targets: Arc::default(),
            meter,
            subject,
            config: RwLock::new(config),
            seed,
            techniques: Techniques::default(),
            quiet_after: QUIET_AFTER,
            generation,
            learned: Arc::new(Learned::new(Rerun::default())),
            next: OnceLock::new(),
            findings: Mutex::default(),
            shrinks: shrinks::Waiting::default(),
            told: AtomicBool::new(false),
            support: AtomicBool::new(false),
            lookahead: Mutex::default(),
            listener,
            part: None,
        }
    }

    /// The same on the next build, which runs the same code: only where that is shown, how it is judged, and which findings there
    /// are, is another matter.
    pub(super) fn go_on(&self, subject: Arc<Subject>, config: Config, generation: u64) -> Self {
        Self {
            coverage: self.coverage.go_on(subject.programs.clone()),
            targets: Arc::new(self.targets.go_on(&self.subject, &subject)),
            meter: self.meter.clone(),
            part: self.part.as_ref().map(|part| part.go_on(&subject)),
            subject,
            config: RwLock::new(config),
            seed: self.seed,
            techniques: self.techniques,
            quiet_after: self.quiet_after,
            generation,
            learned: self.learned.clone(),
            next: OnceLock::new(),
            findings: Mutex::default(),
            shrinks: shrinks::Waiting::default(),
            told: AtomicBool::new(false),
            support: AtomicBool::new(false),
            lookahead: Mutex::default(),
            listener: self.listener.clone(),
        }
    }

    /// The same, with what was reached before of code that is still the same.
    #[must_use]
    pub(super) fn with_earlier(self, before: &Self, change: &Change) -> Self {
        let coverage = self.coverage.with_earlier(self.subject.contract, &before.coverage, change);
        Self { coverage, ..self }
    }

    /// The same, which runs a corpus again before it does anything else.
    #[must_use]
    pub fn with_corpus(self, sequences: Vec<Sequence>) -> Self {
        Self { learned: Arc::new(Learned::new(Rerun::of(sequences))), ..self }
    }

    /// So many lanes more.
    pub(super) fn lanes(self: &Arc<Self>, count: usize) -> Vec<Task> {
        let first = self.learned.lanes.fetch_add(count, Ordering::Relaxed);
        let lanes =
            (first..first + count).map(|index| Task::fuzz(Lane::new(self.clone(), index), index, self.generation));
        lanes.collect()
    }

    /// As many lanes as it takes to have so many.
    pub(super) fn missing_lanes(self: &Arc<Self>, count: usize) -> Vec<Task> {
        self.lanes(count.saturating_sub(self.learned.lanes.load(Ordering::Relaxed)))
    }

    /// The task of shrinking what was found, if there is something to shrink and nobody does.
    pub(super) fn shrink_task(self: &Arc<Self>) -> Option<Task> {
        self.shrinks.take_up().then(|| Task::shrink(Shrinks::new(self.clone()), self.generation))
    }

    /// Lets go of what there is no room for any more, while nobody fuzzes.
    pub(super) fn make_room(&self) {
        if self.meter.is_over() {
            self.learned.feed.write().unwrap_or_else(PoisonError::into_inner).evict(self.meter.room());
            self.learned.evictions.fetch_add(1, Ordering::Relaxed);
        }
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

    /// The same with targets. What is covered already, such as blocks that did not change since an earlier build, is reached.
    #[must_use]
    pub fn with_targets(self, targets: Targets) -> Self {
        targets.reach_covered(&self.coverage);
        Self { targets: Arc::new(targets), ..self }
    }

    /// Takes other settings while lanes run: what an oracle found is of its new level from now on.
    pub(super) fn configure(&self, config: &Config) {
        // Not held any more when the findings are locked: who claims one holds them while it reads this.
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config.clone();
        for finding in self.lock_findings().values_mut().flatten() {
            *finding = Finding::at_level(finding, config.level(finding.violation.oracle));
        }
    }

    pub(super) fn config(&self) -> Config {
        self.config.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn level(&self, oracle: &str) -> Level {
        self.config.read().unwrap_or_else(PoisonError::into_inner).level(oracle)
    }

    /// Replays the findings of an earlier build: those that still fail are findings of this one at once. Returns the
    /// ids that are no more: of those that no longer fail, and of those that have another one now, because their contract or
    /// their file has another name. What an oracle found that is switched off now is kept for the day when it is not.
    pub(super) fn replay(&self, old: &[Arc<Finding>]) -> Vec<String> {
        let mut oracles = OracleSet::new(self.subject.build.clone(), self.subject.programs.clone(), oracle::all());
        let mut gone = Vec::new();
        for finding in old {
            match self.replay_one(&mut oracles, finding) {
                Some(kept) => {
                    if kept.id != finding.id {
                        self.release_finding(&finding.id);
                        gone.push(finding.id.clone());
                    }
                    // Two may be one: each of them was found where the other one was not known.
                    let known = self.lock_findings().get(&kept.violation).is_some_and(Option::is_some);
                    if !known {
                        self.publish(Arc::new(kept));
                    }
                }
                None => {
                    self.release_finding(&finding.id);
                    gone.push(finding.id.clone());
                }
            }
        }
        gone
    }

    fn replay_one(&self, oracles: &mut OracleSet, old: &Finding) -> Option<Finding> {
        let adaptation = Adaptation::between(&old.subject.calls, &self.subject.calls);
        let sequence = adaptation.sequence(&old.sequence);
        let mut executor = self.subject.executor();
        let violations = finding::last_violations(&self.subject, &mut executor, oracles, &sequence);
        let text = |subject: &Subject, violation: &Violation| {
            let source = subject.build.source(violation.place.source);
            (source.name.clone(), violation.place.span.text(&source.text).to_owned())
        };
        let was = text(&old.subject, &old.violation);
        let of_oracle = || violations.iter().filter(|violation| violation.oracle == old.violation.oracle);
        // The same expression if it is still there, else whatever the same oracle finds the call guilty of.
        let same =
            of_oracle().find(|violation| text(&self.subject, violation) == was).or_else(|| of_oracle().next())?;
        let level = self.level(same.oracle);
        let kept = finding::describe(&self.subject, oracles, sequence, *same, level, old.discovery)?;
        Some(Finding { shrunk: old.shrunk, ..kept })
    }

    /// Oracles as configured.
    pub(super) fn oracles(&self) -> OracleSet {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        OracleSet::new(self.subject.build.clone(), self.subject.programs.clone(), oracle::enabled(&config))
    }

    /// Adds what a transaction reached; true if any of it is new.
    pub(super) fn cover(&self, observation: &Observation) -> bool {
        let new = self.coverage.add(observation);
        if new {
            self.targets.reach(observation, || (self.executions(), self.learned.started.elapsed()));
        }
        new
    }

    /// Asks what is ahead, for the targets that are open now.
    pub(super) fn look_ahead<T>(&self, ask: impl FnOnce(&mut Lookahead) -> T) -> T {
        let started = Instant::now();
        let mut kept = self.lookahead.lock().unwrap_or_else(PoisonError::into_inner);
        let version = self.targets.version();
        let (of, lookahead) = kept.get_or_insert_with(|| {
            let lookahead = Lookahead::new(self.subject.programs.clone(), self.targets.open_blocks());
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
        self.learned.looked.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        answer
    }

    /// What looking ahead took.
    pub fn lookahead_time(&self) -> Duration {
        Duration::from_nanos(self.learned.looked.load(Ordering::Relaxed))
    }

    /// Closes the targets that no call of any code that may run here can reach.
    pub(super) fn prove_targets(&self) {
        self.look_ahead(|lookahead| self.targets.prove(|(program, block)| lookahead.is_reachable(program, block)));
    }

    /// Counts a transaction; the number of transactions so far.
    pub(super) fn count(&self) -> u64 {
        self.learned.executions.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Transactions executed.
    pub fn executions(&self) -> u64 {
        self.learned.executions()
    }

    /// Something new was seen.
    pub(super) fn refresh(&self) {
        self.learned.novelty.store(self.executions(), Ordering::Relaxed);
    }

    /// Whether nothing new has been seen for a while, or never can be.
    pub fn is_quiet(&self) -> bool {
        self.learned.is_quiet(self.quiet_after)
    }

    /// Counts a panic of one of its lanes; how many there were.
    pub(super) fn count_panic(&self) -> usize {
        self.learned.panics.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Whether its lanes panicked so often that it is not fuzzed any more.
    pub(super) fn is_left_alone(&self) -> bool {
        self.learned.panics.load(Ordering::Relaxed) > MAX_PANICS
    }

    /// How many paths were kept.
    pub fn path_count(&self) -> usize {
        self.learned.paths.len()
    }

    /// Why the contract cannot be deployed, if so.
    pub fn undeployable(&self) -> Option<&str> {
        self.learned.undeployable()
    }

    /// Why nothing of it is run any more, if so.
    pub(super) fn given_up(&self) -> Option<String> {
        let panics = self.learned.panics.load(Ordering::Relaxed);
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
        let subject = &self.subject;
        let creation = subject.programs.get(subject.programs.id(subject.contract, Stage::Creation));
        let has_check = || creation.conditions.branches.keys().any(|pc| creation.is_written(*pc));
        !subject.calls.calls().is_empty() || !subject.interface().skipped.is_empty() || has_check()
    }

    /// Whether the contract cannot be deployed.
    pub(super) fn is_undeployable(&self) -> bool {
        self.learned.is_undeployable()
    }

    pub(super) fn give_up(&self, why: String) {
        self.learned.give_up(why);
        self.tell_undeployable();
    }

    /// Tells once of each build that the contract cannot be deployed, if so.
    pub(super) fn tell_undeployable(&self) {
        if let Some(why) = self.undeployable().filter(|_| self.has_anything_to_run())
            && !self.told.swap(true, Ordering::Relaxed)
        {
            let (generation, subject, why) = (self.generation, self.subject.clone(), why.to_owned());
            (self.listener)(Event::Undeployable { generation, subject, why });
        }
    }

    /// Whether this path was taken before.
    pub(super) fn knows_path(&self, path: u64) -> bool {
        self.learned.paths.contains_key(&path)
    }

    /// Remembers a path: false if it was taken before, or if there is no room for more of them.
    pub(super) fn add_path(&self, path: u64) -> bool {
        let paths = &self.learned.paths;
        !paths.contains_key(&path) && self.meter.fix_if_light(PATH) && paths.insert(path, ()).is_none()
    }

    pub(super) fn share(&self, lane: usize, shared: Shared) {
        if let Shared::Entry(entry) = &shared {
            self.archive_entry(entry);
        }
        let mut gone = Vec::new();
        let mut feed = self.learned.feed.write().unwrap_or_else(PoisonError::into_inner);
        feed.add(lane, shared);
        if self.meter.is_over() {
            gone = feed.evict(self.meter.room());
            self.learned.evictions.fetch_add(1, Ordering::Relaxed);
        }
        drop(feed);
        for shared in gone {
            if let Shared::Entry(entry) = &shared {
                self.release_entry(entry);
            }
        }
    }

    /// How often the corpus was too large: lanes have to let go of what [`Session::kept`] does not name.
    pub(super) fn evictions(&self) -> u64 {
        self.learned.evictions.load(Ordering::Relaxed)
    }

    /// What is kept still, by its address.
    pub(super) fn kept(&self) -> HashSet<usize> {
        self.learned.feed.read().unwrap_or_else(PoisonError::into_inner).all().map(Shared::identity).collect()
    }

    /// What other lanes shared since `from`; and where to ask from next time.
    pub(super) fn news(&self, lane: usize, from: u64) -> (Vec<Shared>, u64) {
        self.learned.feed.read().unwrap_or_else(PoisonError::into_inner).news(lane, from)
    }

    fn lock_findings(&self) -> MutexGuard<'_, Findings> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Claims a violation: true for the first who sees it, and never for an oracle that was switched off meanwhile.
    pub(super) fn claim(&self, violation: Violation) -> bool {
        let mut findings = self.lock_findings();
        match findings.entry(violation) {
            std::collections::btree_map::Entry::Vacant(vacant) if self.level(violation.oracle) != Level::Off => {
                vacant.insert(None);
                true
            }
            std::collections::btree_map::Entry::Vacant(_) | std::collections::btree_map::Entry::Occupied(_) => false,
        }
    }

    /// Makes a finding of a claimed violation and tells it, as it was found: it is shrunk later.
    pub(super) fn confirm(&self, oracles: &mut OracleSet, sequence: &Sequence, violation: Violation) {
        let elapsed = Some(self.learned.started.elapsed());
        let discovery = Discovery { seed: self.seed, executions: self.executions(), elapsed };
        let level = self.level(violation.oracle);
        match finding::describe(&self.subject, oracles, sequence.clone(), violation, level, discovery) {
            Some(finding) => self.publish(Arc::new(finding)),
            None => {
                tracing::warn!(contract = %self.subject.compiled().name, ?violation, "not shown from a clean world; dropped")
            }
        }
    }

    pub(super) fn publish(&self, finding: Arc<Finding>) {
        self.archive_finding(&finding);
        self.lock_findings().insert(finding.violation, Some(finding.clone()));
        if !finding.shrunk {
            self.shrinks.push(finding.violation, Shrinker::of(finding.sequence.clone()));
        }
        if finding.level != Level::Off {
            (self.listener)(Event::Found { generation: self.generation, finding });
        }
    }

    /// Tells a finding again, under the same id, with the shortest sequence that was found. Not if it belongs to the next
    /// build by now, where it is shrunk anew.
    pub(super) fn replace_by_shorter(&self, oracles: &mut OracleSet, violation: Violation, sequence: &Sequence) {
        let known = || self.lock_findings().get(&violation).cloned().flatten();
        let Some(told) = known() else { return };
        let shorter = if told.sequence == *sequence {
            Some(Finding::clone(&told))
        } else {
            finding::describe(&self.subject, oracles, sequence.clone(), violation, told.level, told.discovery)
        };
        let mut findings = self.lock_findings();
        let (Some(shorter), Some(Some(told))) = (shorter, findings.get_mut(&violation)) else { return };
        // Its level may have changed meanwhile.
        let finding = Arc::new(Finding { shrunk: true, level: told.level, ..shorter });
        *told = finding.clone();
        drop(findings);
        self.archive_finding(&finding);
        if finding.level != Level::Off {
            (self.listener)(Event::Shrunk { generation: self.generation, finding });
        }
    }

    /// Confirmed findings, by place.
    pub fn findings(&self) -> Vec<Arc<Finding>> {
        self.lock_findings().values().flatten().cloned().collect()
    }

    /// Confirmed findings, which are the next build's to judge from now on. What is found later is left for later.
    pub(super) fn take_findings(&self) -> Vec<Arc<Finding>> {
        self.lock_findings().values_mut().filter_map(Option::take).collect()
    }

    /// All that is worth running again on other code, as sequences for its interface: what reached the most first.
    pub(super) fn corpus_for(&self, next: &Subject) -> Vec<Sequence> {
        let feed = self.learned.feed.read().unwrap_or_else(PoisonError::into_inner);
        let mut shared: Vec<&Shared> = feed.all().collect();
        shared.sort_by_key(|shared| shared.rank());
        let sequences = shared.into_iter().map(|shared| match shared {
            Shared::Entry(entry) => entry.state.sequence_with(&entry.transaction),
            Shared::State(state) => state.sequence(),
        });
        let adaptation = Adaptation::between(&self.subject.calls, &next.calls);
        sequences.chain(self.learned.rerun.left()).map(|sequence| adaptation.sequence(&sequence)).collect()
    }
}
