//! A [`Session`] fuzzes one contract of one build. It owns what the workers on it share: coverage, paths, the feed of
//! entries, and findings. How one worker fuzzes is a [`Lane`](super::Lane).

use super::{
    campaign::{Event, Notice},
    coverage::Coverage,
    feed::{Feed, Shared},
    memory::Meter,
    recall::Shelf,
    techniques::Techniques,
};
use crate::{
    finding::{self, Discovery, Finding},
    input::Sequence,
    oracle::{Bench, Violation},
    project::{Config, Level},
    subject::Subject,
};
use alloy_primitives::map::HashSet;
use dashmap::DashMap;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Instant,
};

/// A session is quiet when this many transactions showed nothing new.
const QUIET: u64 = 1_000_000;
/// And at least as many as this many times those that it took to see the last new thing.
const QUIET_FACTOR: u64 = 3;

/// What a path takes that is only remembered, in bytes.
const PATH: u64 = 24;

/// What outlives a build.
#[derive(Debug, Default)]
pub struct Carried {
    /// The corpus, as sequences for the new interface.
    pub sequences: Vec<Sequence>,
    /// Findings of the old build.
    pub findings: Vec<Arc<Finding>>,
}

/// One contract being fuzzed.
pub struct Session {
    /// What is fuzzed.
    pub subject: Arc<Subject>,
    /// What was reached.
    pub coverage: Coverage,
    /// What it keeps.
    pub meter: Arc<Meter>,
    config: RwLock<Config>,
    pub(super) seed: u64,
    pub(super) techniques: Techniques,
    pub(super) generation: u64,
    /// How many lanes were ever made for it.
    pub(super) lanes: AtomicUsize,
    paths: DashMap<u64, ()>,
    feed: RwLock<Feed>,
    evictions: AtomicU64,
    findings: Mutex<BTreeMap<Violation, Option<Arc<Finding>>>>,
    executions: AtomicU64,
    novelty: AtomicU64,
    panics: AtomicUsize,
    started: Instant,
    undeployable: Mutex<Option<String>>,
    listener: Notice,
    /// Where it keeps what is to outlive the process.
    pub(super) shelf: Option<Shelf>,
}

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
            meter,
            subject,
            config: RwLock::new(config),
            seed,
            techniques: Techniques::default(),
            generation,
            lanes: AtomicUsize::new(0),
            paths: DashMap::new(),
            feed: RwLock::default(),
            evictions: AtomicU64::new(0),
            findings: Mutex::default(),
            executions: AtomicU64::new(0),
            novelty: AtomicU64::new(0),
            panics: AtomicUsize::new(0),
            started: Instant::now(),
            undeployable: Mutex::default(),
            listener,
            shelf: None,
        }
    }

    /// The same with only these techniques.
    #[must_use]
    pub fn with_techniques(self, techniques: Techniques) -> Self {
        Self { techniques, ..self }
    }

    /// Takes other settings while lanes run: what an oracle found is of its new level from now on.
    pub(super) fn configure(&self, config: &Config) {
        // Not held any more when the findings are locked: who claims one holds them while it reads this.
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config.clone();
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        for finding in findings.values_mut().flatten() {
            *finding = Finding::at_level(finding, config.level(finding.violation.oracle));
        }
    }

    pub(super) fn level(&self, oracle: &str) -> Level {
        self.config.read().unwrap_or_else(PoisonError::into_inner).level(oracle)
    }

    /// Replays the findings of an earlier build: those that still fail are findings of this one at once. Returns the
    /// ids of those that no longer do. What an oracle found that is switched off now is kept for the day when it is not.
    pub(super) fn replay(&self, old: &[Arc<Finding>]) -> Vec<String> {
        let mut bench = Bench::complete(self.subject.build.clone(), self.subject.programs.clone());
        let mut gone = Vec::new();
        for finding in old {
            match self.replay_one(&mut bench, finding) {
                Some(kept) => {
                    if kept.id != finding.id {
                        self.release_finding(&finding.id);
                    }
                    self.publish(Arc::new(kept));
                }
                None => {
                    self.release_finding(&finding.id);
                    gone.push(finding.id.clone());
                }
            }
        }
        gone
    }

    fn replay_one(&self, bench: &mut Bench, old: &Finding) -> Option<Finding> {
        let sequence = old.sequence.rebase(&old.subject.interface, &self.subject.interface)?;
        let mut executor = self.subject.executor();
        let violations = finding::last_violations(&self.subject, &mut executor, bench, &sequence);
        let text = |subject: &Subject, violation: &Violation| {
            let source = subject.build.source(violation.source);
            (source.name.clone(), violation.span.text(&source.text).to_owned())
        };
        let was = text(&old.subject, &old.violation);
        let of_oracle = || violations.iter().filter(|violation| violation.oracle == old.violation.oracle);
        // The same expression if it is still there, else whatever the same oracle finds the call guilty of.
        let same =
            of_oracle().find(|violation| text(&self.subject, violation) == was).or_else(|| of_oracle().next())?;
        finding::describe(&self.subject, bench, sequence, *same, self.level(same.oracle), old.discovery)
    }

    /// Oracles as configured.
    pub(super) fn bench(&self) -> Bench {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        Bench::new(self.subject.build.clone(), self.subject.programs.clone(), &config)
    }

    /// Counts a transaction; the number of transactions so far.
    pub(super) fn count(&self) -> u64 {
        self.executions.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Transactions executed.
    pub fn executions(&self) -> u64 {
        self.executions.load(Ordering::Relaxed)
    }

    /// Something new was seen.
    pub(super) fn refresh(&self) {
        self.novelty.store(self.executions(), Ordering::Relaxed);
    }

    /// Whether nothing new has been seen for a while, or never can be.
    pub fn is_quiet(&self) -> bool {
        let novelty = self.novelty.load(Ordering::Relaxed);
        self.undeployable().is_some() || self.executions() > novelty.saturating_mul(QUIET_FACTOR).max(novelty + QUIET)
    }

    /// Counts a panic of one of its lanes; how many there were.
    pub(super) fn count_panic(&self) -> usize {
        self.panics.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// How many paths were kept.
    pub fn path_count(&self) -> usize {
        self.paths.len()
    }

    /// Why the contract cannot be deployed, if so.
    pub fn undeployable(&self) -> Option<String> {
        self.undeployable.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn give_up(&self, why: String) {
        let first = self.undeployable.lock().unwrap_or_else(PoisonError::into_inner).replace(why.clone()).is_none();
        if first {
            (self.listener)(Event::Undeployable { generation: self.generation, subject: self.subject.clone(), why });
        }
    }

    /// Whether this path was taken before.
    pub(super) fn knows_path(&self, path: u64) -> bool {
        self.paths.contains_key(&path)
    }

    /// Remembers a path: false if it was taken before, or if there is no room for more of them.
    pub(super) fn add_path(&self, path: u64) -> bool {
        !self.paths.contains_key(&path) && self.meter.fix_if_light(PATH) && self.paths.insert(path, ()).is_none()
    }

    pub(super) fn share(&self, lane: usize, shared: Shared) {
        if let Shared::Entry(entry) = &shared {
            self.archive_entry(entry);
        }
        let mut gone = Vec::new();
        let mut feed = self.feed.write().unwrap_or_else(PoisonError::into_inner);
        feed.add(lane, shared);
        if self.meter.is_over() {
            gone = feed.evict(self.meter.room());
            self.evictions.fetch_add(1, Ordering::Relaxed);
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
        self.evictions.load(Ordering::Relaxed)
    }

    /// What is kept still, by its address.
    pub(super) fn kept(&self) -> HashSet<usize> {
        self.feed.read().unwrap_or_else(PoisonError::into_inner).all().map(Shared::identity).collect()
    }

    /// What other lanes shared since `from`; and where to ask from next time.
    pub(super) fn news(&self, lane: usize, from: u64) -> (Vec<Shared>, u64) {
        self.feed.read().unwrap_or_else(PoisonError::into_inner).news(lane, from)
    }

    /// Claims a violation: true for the first who sees it, and never for an oracle that was switched off meanwhile.
    pub(super) fn claim(&self, violation: Violation) -> bool {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        match findings.entry(violation) {
            std::collections::btree_map::Entry::Vacant(vacant) if self.level(violation.oracle) != Level::Off => {
                vacant.insert(None);
                true
            }
            std::collections::btree_map::Entry::Vacant(_) | std::collections::btree_map::Entry::Occupied(_) => false,
        }
    }

    /// Makes a finding of a claimed violation and tells it.
    pub(super) fn confirm(&self, bench: &mut Bench, sequence: &Sequence, violation: Violation) {
        let discovery = Discovery { seed: self.seed, executions: self.executions(), elapsed: Some(self.started.elapsed()) };
        let level = self.level(violation.oracle);
        match finding::confirm(&self.subject, bench, sequence, violation, level, discovery) {
            Some(finding) => self.publish(Arc::new(finding)),
            None => {
                tracing::warn!(contract = %self.subject.compiled().name, ?violation, "not shown from a clean world; dropped")
            }
        }
    }

    pub(super) fn publish(&self, finding: Arc<Finding>) {
        self.archive_finding(&finding);
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).insert(finding.violation, Some(finding.clone()));
        if finding.level != Level::Off {
            (self.listener)(Event::Found { generation: self.generation, finding });
        }
    }

    /// Confirmed findings, by place.
    pub fn findings(&self) -> Vec<Arc<Finding>> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).values().flatten().cloned().collect()
    }

    /// What a session on `next`, the same contract in the next build, can start from. Calls of functions that are gone
    /// are left out, and with another constructor all sequences are.
    pub fn carry_to(&self, next: &Subject) -> Carried {
        let feed = self.feed.read().unwrap_or_else(PoisonError::into_inner);
        let sequences = feed.all().map(|shared| match shared {
            Shared::Entry(entry) => entry.state.sequence_with(&entry.transaction),
            Shared::State(state) => state.sequence(),
        });
        let (from, to) = (&self.subject.interface, &next.interface);
        let sequences = sequences.filter_map(|sequence| sequence.rebase(from, to)).collect();
        Carried { sequences, findings: self.findings() }
    }
}
