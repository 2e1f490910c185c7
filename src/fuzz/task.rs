//! A [`Task`] is a unit of work for the workers of a pool: a fuzzer, or the shrinking of a session's findings. Between slices
//! it waits in the [`Queue`](super::queue::Queue) of its campaign. It moves to the next build if its session does.

use super::{fuzzer::Fuzzer, session::Session, shrinks::Shrinks, turns::Rank};
use crate::evm::Executor;
use std::{cell::Cell, sync::Arc};

/// Transactions in one slice. They are counted, not timed, so that one worker is deterministic; and few, so that a contract
/// whose calls take milliseconds does not keep the others waiting. Chosen by hand.
pub(super) const SLICE: u64 = 64;
/// Transactions by which a slice may run over to finish the step that has begun. Chosen by hand.
pub(super) const OVERTIME: u64 = 512;

/// The kinds of work.
pub(super) enum Work {
    Fuzz(Box<Fuzzer>),
    Shrink(Box<Shrinks>),
}

/// Work of a session, in the generation of a build.
pub(super) struct Task {
    pub(super) work: Work,
    pub(super) index: usize,
    pub(super) generation: u64,
    /// Its rank, with the number of the focus for which it was computed.
    pub(super) rank: Cell<Option<(u64, Rank)>>,
}

/// The cost of a slice.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    /// Transactions of the loop.
    pub(super) transactions: u64,
    /// All transactions.
    pub(super) all: u64,
    /// Gas for shrinking.
    pub(super) gas: u64,
    /// Whether the task is done for good.
    pub(super) done: bool,
}

impl Task {
    pub(super) fn fuzz(fuzzer: Fuzzer, index: usize, generation: u64) -> Self {
        Self { work: Work::Fuzz(Box::new(fuzzer)), index, generation, rank: Cell::new(None) }
    }

    pub(super) fn shrink(shrinks: Shrinks, generation: u64) -> Self {
        Self { work: Work::Shrink(Box::new(shrinks)), index: 0, generation, rank: Cell::new(None) }
    }

    pub(super) fn session(&self) -> &Arc<Session> {
        match &self.work {
            Work::Fuzz(fuzzer) => fuzzer.session(),
            Work::Shrink(shrinks) => shrinks.session(),
        }
    }

    pub(super) fn fuzzes(&self) -> bool {
        matches!(self.work, Work::Fuzz(_))
    }

    /// The rounds until its next turn: the longer a contract has shown nothing new, the more.
    pub(super) fn rounds(&self) -> u64 {
        match &self.work {
            Work::Fuzz(fuzzer) => fuzzer.rounds(),
            Work::Shrink(_) => 1,
        }
    }

    /// Works for a slice, with at most `most` transactions of the loop.
    pub(super) fn run(&mut self, executor: &mut Executor, most: u64, stop: &dyn Fn() -> bool) -> Spent {
        match &mut self.work {
            Work::Fuzz(fuzzer) => {
                let transactions = fuzzer.run(executor, SLICE.min(most), most, stop);
                Spent { transactions, all: transactions, ..Spent::default() }
            }
            Work::Shrink(shrinks) => {
                let slice = shrinks.run(executor, stop);
                Spent { transactions: 0, all: slice.transactions, gas: slice.gas, done: slice.done }
            }
        }
    }

    /// Drops entries and states that its session has evicted.
    pub(super) fn follow_evictions(&mut self) {
        if let Work::Fuzz(fuzzer) = &mut self.work {
            fuzzer.follow_evictions();
        }
    }

    /// The fuzzer's task on the newest build, if its session has a successor there with work left; and a task that shrinks the
    /// findings which arrived too late for that session, if there is none yet.
    pub(super) fn migrate_to(self, until_quiet: bool) -> Vec<Self> {
        // Findings that are not shrunk yet get a new task on the newest build.
        let Work::Fuzz(mut fuzzer) = self.work else { return Vec::new() };
        let Some(session) = fuzzer.session().successor().cloned() else { return Vec::new() };
        fuzzer.migrate_to(session.clone());
        let task = Self::fuzz(*fuzzer, self.index, session.generation);
        let goes_on = Some(task).filter(|task| !task.is_done(until_quiet));
        goes_on.into_iter().chain(shrink(&session)).collect()
    }

    /// Whether its session has no work left for it.
    pub(super) fn is_done(&self, until_quiet: bool) -> bool {
        let session = self.session();
        let nothing_new =
            || session.is_undeployable() || (until_quiet && session.is_quiet() && !session.has_received());
        session.is_left_alone() || (self.fuzzes() && nothing_new())
    }
}

/// Tasks for this many additional fuzzers of a session.
pub(super) fn fuzzers(session: &Arc<Session>, count: usize) -> Vec<Task> {
    let first = session.shared.add_fuzzers(count);
    let task = |index| Task::fuzz(Fuzzer::new(session.clone(), index), index, session.generation);
    (first..first + count).map(task).collect()
}

/// Tasks for the fuzzers that a session lacks to have this many.
pub(super) fn missing_fuzzers(session: &Arc<Session>, count: usize) -> Vec<Task> {
    fuzzers(session, count.saturating_sub(session.shared.fuzzers()))
}

/// The task that shrinks a session's findings, if there are any to shrink and there is no such task yet.
pub(super) fn shrink(session: &Arc<Session>) -> Option<Task> {
    session.shrinks.take_up().then(|| Task::shrink(Shrinks::new(session.clone()), session.generation))
}
