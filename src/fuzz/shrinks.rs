//! [`Shrinks`] are the findings of one session that were told and are still to be made short. Shrinking is work like fuzzing: a
//! worker takes it from the queue, a slice at a time, and stops at its next transaction when a build comes or somebody pauses. Its
//! transactions are not those of the loop and do not count as such. A session has one such task at most, whose findings wait
//! behind each other, so that a fuzzer beside it has every other turn however many findings there are.

use super::{session::Session, shrink_queue::Job};
use crate::{evm::Executor, finding, oracle::OracleSet};
use std::{ops::ControlFlow, sync::Arc};

/// Transactions in one slice. Of a sequence of two dozen calls, ten candidates.
const SLICE: u64 = 256;
/// Gas in one slice: a contract whose calls take milliseconds has a shorter one.
const SLICE_GAS: u64 = 100_000_000;
/// Gas that one finding may take: as much as 200,000 plain transfers, which none of the fixtures comes near.
const FINDING_GAS: u64 = 4_000_000_000;

/// A worker's view of the findings of a session that wait to be shrunk.
pub(super) struct Shrinks {
    session: Arc<Session>,
    oracles: OracleSet,
}

/// What a slice came to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slice {
    /// Transactions that were run.
    pub(super) transactions: u64,
    /// What they took.
    pub(super) gas: u64,
    /// Whether nothing is left to be done.
    pub(super) done: bool,
}

impl Slice {
    /// Counts a transaction. Whether another one may follow in the same candidate.
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

    /// Shrinks for a slice, or until `stop` says so.
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

    /// Goes on with one finding. Whether that came to its end.
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
        let ended = shrinker.run(harness, |candidate| {
            if slice.is_over() || stop() {
                return None;
            }
            finding::shows_while(harness, executor, oracles, candidate, violation, |gas| slice.count(gas, stop))
        });
        *gas += slice.gas - before;
        ended || *gas >= FINDING_GAS
    }
}
