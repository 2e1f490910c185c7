//! A [`Session`] fuzzes one contract of one build. It owns what the workers on it share: coverage, paths, the feed of
//! entries, and findings. How one worker fuzzes is a [`Lane`](super::Lane).

use super::{
    campaign::{Event, Notice},
    corpus::{Entry, State},
    coverage::Coverage,
};
use crate::{
    finding::{self, Discovery, Finding},
    input::Sequence,
    oracle::{Bench, Violation},
    project::Config,
    subject::Subject,
};
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

/// As many states are handed from lane to lane and from build to build; the corpus of one lane holds fewer.
const MAX_SHARED_STATES: usize = 1024;

/// What lanes hand to each other.
#[derive(Debug, Clone)]
pub(super) enum Shared {
    Entry(Arc<Entry>),
    State(Arc<State>),
}

/// What was handed over so far, with the lane it came from.
#[derive(Debug, Default)]
struct Feed {
    items: Vec<(usize, Shared)>,
    states: usize,
}

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
    pub(super) config: Config,
    pub(super) seed: u64,
    pub(super) generation: u64,
    pub(super) paths: DashMap<u64, ()>,
    feed: RwLock<Feed>,
    findings: Mutex<BTreeMap<Violation, Option<Arc<Finding>>>>,
    executions: AtomicU64,
    novelty: AtomicU64,
    panics: AtomicUsize,
    started: Instant,
    undeployable: Mutex<Option<String>>,
    listener: Notice,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("contract", &self.subject.compiled().name).finish_non_exhaustive()
    }
}

impl Session {
    /// A session that has seen nothing yet.
    pub fn new(subject: Arc<Subject>, config: Config, seed: u64, generation: u64, listener: Notice) -> Self {
        Self {
            coverage: Coverage::new(subject.programs.clone()),
            subject,
            config,
            seed,
            generation,
            paths: DashMap::new(),
            feed: RwLock::default(),
            findings: Mutex::default(),
            executions: AtomicU64::new(0),
            novelty: AtomicU64::new(0),
            panics: AtomicUsize::new(0),
            started: Instant::now(),
            undeployable: Mutex::default(),
            listener,
        }
    }

    /// Replays the findings of an earlier build: those that still fail are findings of this one at once. Returns the
    /// ids of those that no longer do.
    pub(super) fn replay(&self, old: &[Arc<Finding>]) -> Vec<String> {
        let mut bench = self.bench();
        let mut gone = Vec::new();
        for finding in old {
            match self.replay_one(&mut bench, finding) {
                Some(kept) => self.publish(Arc::new(kept)),
                None => gone.push(finding.id.clone()),
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
        finding::describe(&self.subject, bench, sequence, *same, self.config.level(same.oracle), old.discovery)
    }

    /// Oracles as configured.
    pub(super) fn bench(&self) -> Bench {
        Bench::new(self.subject.build.clone(), self.subject.programs.clone(), &self.config)
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

    pub(super) fn share(&self, lane: usize, shared: Shared) {
        let mut feed = self.feed.write().unwrap_or_else(PoisonError::into_inner);
        if matches!(shared, Shared::State(_)) {
            if feed.states >= MAX_SHARED_STATES {
                return;
            }
            feed.states += 1;
        }
        feed.items.push((lane, shared));
    }

    /// What other lanes shared since `from`; and where to ask from next time.
    pub(super) fn news(&self, lane: usize, from: usize) -> (Vec<Shared>, usize) {
        let feed = self.feed.read().unwrap_or_else(PoisonError::into_inner);
        (
            feed.items[from..].iter().filter(|(of, _)| *of != lane).map(|(_, shared)| shared.clone()).collect(),
            feed.items.len(),
        )
    }

    /// Claims a violation: true for the first who sees it.
    pub(super) fn claim(&self, violation: Violation) -> bool {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        match findings.entry(violation) {
            std::collections::btree_map::Entry::Vacant(vacant) => {
                vacant.insert(None);
                true
            }
            std::collections::btree_map::Entry::Occupied(_) => false,
        }
    }

    /// Makes a finding of a claimed violation and tells it.
    pub(super) fn confirm(&self, bench: &mut Bench, sequence: &Sequence, violation: Violation) {
        let discovery = Discovery { seed: self.seed, executions: self.executions(), elapsed: self.started.elapsed() };
        let level = self.config.level(violation.oracle);
        match finding::confirm(&self.subject, bench, sequence, violation, level, discovery) {
            Some(finding) => self.publish(Arc::new(finding)),
            None => {
                tracing::warn!(contract = %self.subject.compiled().name, ?violation, "not shown from a clean world; dropped")
            }
        }
    }

    fn publish(&self, finding: Arc<Finding>) {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).insert(finding.violation, Some(finding.clone()));
        (self.listener)(Event::Found { generation: self.generation, finding });
    }

    /// Confirmed findings, by place.
    pub fn findings(&self) -> Vec<Arc<Finding>> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).values().flatten().cloned().collect()
    }

    /// What a session on `next`, the same contract in the next build, can start from. Calls of functions that are gone
    /// are left out, and with another constructor all sequences are.
    pub fn carry_to(&self, next: &Subject) -> Carried {
        let feed = self.feed.read().unwrap_or_else(PoisonError::into_inner);
        let sequences = feed.items.iter().map(|(_, shared)| match shared {
            Shared::Entry(entry) => entry.state.sequence_with(&entry.transaction),
            Shared::State(state) => state.sequence(),
        });
        let (from, to) = (&self.subject.interface, &next.interface);
        let sequences = sequences.filter_map(|sequence| sequence.rebase(from, to)).collect();
        Carried { sequences, findings: self.findings() }
    }
}
