//! [`Shrinks`] is the task that shrinks the reported findings of one session. Shrinking is scheduled like fuzzing: a worker
//! takes it from the queue for a slice, and stops at its next transaction when a build arrives or the campaign is paused. Its
//! transactions do not count as those of the loop. A session has at most one such task, which shrinks one finding after the
//! other, so that a fuzzer beside it gets every other slice however many findings there are.

use super::{session::Session, shrink_queue::Job};
use crate::{evm::Executor, finding, harness::Checkpoints, oracle::OracleSet};
use std::{ops::ControlFlow, sync::Arc};

/// Transactions in one slice: about ten candidates of a sequence of two dozen calls, of which half have to be run. Chosen by hand.
const SLICE: u64 = 128;
/// Gas in one slice, which ends earlier for a contract whose calls take milliseconds. Chosen by hand.
const SLICE_GAS: u64 = 100_000_000;
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
            if self.migrate_to(executor, &mut job, &mut slice, stop) {
                self.session.replace_by_shorter(&mut self.oracles, job.violation, job.shrinker.best());
            } else {
                self.session.shrinks.put_back(job);
            }
        }
        slice
    }

    /// Continues to shrink one finding; true once that is finished.
    fn migrate_to(
        &mut self,
        executor: &mut Executor,
        job: &mut Job,
        slice: &mut Slice,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let Job { violation, shrinker, gas } = job;
        let (harness, oracles) = (&self.session.harness, &mut self.oracles);
        let before = slice.gas;
        let mut checkpoints = Checkpoints::default();
        let ended = shrinker.run(harness, |candidate| {
            if slice.is_over() || stop() {
                return None;
            }
            let shown = (candidate, &*violation);
            finding::shows_while(harness, executor, oracles, &mut checkpoints, shown, |gas| slice.count(gas, stop))
        });
        *gas += slice.gas - before;
        ended || *gas >= FINDING_GAS
    }
}
