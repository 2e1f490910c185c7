//! [`Shrinks`] is the task that shrinks the reported findings of one session. Shrinking is scheduled like fuzzing: a worker
//! takes it from the queue for a slice, and stops at its next transaction when a build arrives or the campaign is paused. Its
//! transactions do not count as those of the loop. A session has at most one such task, which shrinks one finding after the
//! other, so that a fuzzer beside it gets every other slice however many findings there are.

use super::{
    session::Session,
    shrink_queue::{Condition, Job},
};
use crate::{
    evm::Executor,
    finding::{self, Finding, Shrinker},
    harness::Checkpoints,
    oracle::OracleSet,
};
use std::{ops::ControlFlow, sync::Arc};

/// Transactions in one slice: about ten candidates of a sequence of two dozen calls, of which half have to be run. Chosen by hand.
const SLICE: u64 = 128;
/// Gas in one slice, which ends earlier for a contract whose calls take milliseconds. Chosen by hand.
const SLICE_GAS: u64 = 100_000_000;
/// Candidates in one slice whose claim is tried at most; chosen by hand.
const CLAIMS: u64 = 4;
/// Gas that shrinking one finding may take, as much as about 200,000 plain transfers. Chosen by hand, far above what the
/// fixtures need.
const FINDING_GAS: u64 = 4_000_000_000;

/// The task that shrinks the findings of a session.
pub(super) struct Shrinks {
    session: Arc<Session>,
    oracles: OracleSet,
}

/// The result of a slice.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slice {
    /// Transactions that were run.
    pub(super) transactions: u64,
    /// The gas that they used.
    pub(super) gas: u64,
    /// Whether all findings are shrunk.
    pub(super) done: bool,
}

impl Slice {
    /// Counts a transaction. Breaks if no other one may follow in the same candidate.
    fn count(&mut self, gas: u64, stop: &dyn Fn() -> bool) -> ControlFlow<()> {
        self.transactions += 1;
        self.gas += gas;
        if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_over(&self) -> bool {
        self.transactions >= SLICE || self.gas >= SLICE_GAS
    }
}

impl Shrinks {
    pub(super) fn new(session: Arc<Session>) -> Self {
        Self { oracles: session.oracles(), session }
    }

    pub(super) fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// Shrinks for a slice, or until `stop` holds.
    pub(super) fn run(&mut self, executor: &mut Executor, stop: &dyn Fn() -> bool) -> Slice {
        let mut slice = Slice::default();
        while !slice.is_over() && !stop() {
            let Some(mut job) = self.session.shrinks.next() else {
                slice.done = true;
                break;
            };
            if !self.migrate_to(executor, &mut job, &mut slice, stop) {
                self.session.shrinks.put_back(job);
            } else if let Some(again) = self.finish(&job) {
                self.session.shrinks.put_back(again);
            }
        }
        slice
    }

    /// Reports the shorter sequence of a finding. Where nothing is claimed of it, the longer one is shrunk again, by what is claimed.
    fn finish(&mut self, job: &Job) -> Option<Job> {
        let told = self.session.findings.get(&job.violation)?;
        let shorter = self.session.claimed(&mut self.oracles, &told, job.shrinker.best());
        if shorter.is_none() && job.condition == Condition::Shown {
            let shrinker = Shrinker::of(told.sequence.clone());
            return Some(Job { violation: job.violation, shrinker, condition: Condition::Claimed, gas: 0 });
        }
        self.session.replace_by_shorter(shorter.unwrap_or_else(|| Finding::clone(&told)));
        None
    }

    /// Continues to shrink one finding; true once that is finished.
    fn migrate_to(
        &mut self,
        executor: &mut Executor,
        job: &mut Job,
        slice: &mut Slice,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let Job { violation, shrinker, condition, gas } = job;
        let (session, oracles) = (&self.session, &mut self.oracles);
        let harness = &session.harness;
        let before = slice.gas;
        let mut checkpoints = Checkpoints::default();
        let ended = shrinker.run(harness, |candidate| {
            if slice.is_over() || stop() {
                return None;
            }
            let shown = (candidate, &*violation);
            let shows = finding::shows_while(harness, executor, oracles, &mut checkpoints, shown, |gas| {
                slice.count(gas, stop)
            })?;
            if !shows || *condition == Condition::Shown {
                return Some(shows);
            }
            // The runs of the trial are many.
            slice.transactions += SLICE / CLAIMS;
            let told = session.findings.get(violation);
            Some(told.is_some_and(|told| session.claimed(oracles, &told, candidate).is_some()))
        });
        *gas += slice.gas - before;
        ended || *gas >= FINDING_GAS
    }
}
