//! A [`Task`] is what a worker does for a slice: a fuzzer that fuzzes, or the findings of a session that are to be shrunk. It waits
//! in the [`Queue`](super::queue::Queue) of its campaign and goes on with the next build where a session does.

use super::{fuzzer::Fuzzer, session::Session, shrinks::Shrinks, turns::Rank};
use crate::evm::Executor;
use std::{cell::Cell, sync::Arc};

/// Transactions in one slice: counted, not timed, so that one worker always does the same; few, so that a contract whose
/// calls take milliseconds does not keep the others waiting.
pub(super) const SLICE: u64 = 64;
/// What has been begun in a slice may go on for so many more.
pub(super) const OVERTIME: u64 = 512;

/// What a worker does in a slice.
pub(super) enum Work {
    Fuzz(Box<Fuzzer>),
    Shrink(Box<Shrinks>),
}

/// Work that waits for its turn.
pub(super) struct Task {
    pub(super) work: Work,
    pub(super) index: usize,
    pub(super) generation: u64,
    /// Its rank in the focus of this number.
    pub(super) rank: Cell<Option<(u64, Rank)>>,
}

/// What a slice came to.
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

    /// Works for a slice: on the loop with at most `most` transactions.
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

    /// Lets go of what its session does not keep any more.
    pub(super) fn follow_evictions(&mut self) {
        if let Work::Fuzz(fuzzer) = &mut self.work {
            fuzzer.follow_evictions();
        }
    }

    /// The same on the newest build, if a session goes on there with what this one did, and still has something to do; and
    /// the task of shrinking what was found too late for that session, if nobody has it.
    pub(super) fn migrate_to(self, until_quiet: bool) -> Vec<Self> {
        // What is not shrunk is shrunk on the newest build, by a task of its own.
        let Work::Fuzz(mut fuzzer) = self.work else { return Vec::new() };
        let Some(session) = fuzzer.session().successor().cloned() else { return Vec::new() };
        fuzzer.migrate_to(session.clone());
        let task = Self::fuzz(*fuzzer, self.index, session.generation);
        let goes_on = Some(task).filter(|task| !task.is_done(until_quiet));
        goes_on.into_iter().chain(shrink(&session)).collect()
    }

    /// Whether its session has nothing to do any more.
    pub(super) fn is_done(&self, until_quiet: bool) -> bool {
        let session = self.session();
        let nothing_new = || session.is_undeployable() || (until_quiet && session.is_quiet());
        session.is_left_alone() || (self.fuzzes() && nothing_new())
    }
}

/// This many more fuzzers of a session.
pub(super) fn fuzzers(session: &Arc<Session>, count: usize) -> Vec<Task> {
    let first = session.shared.add_fuzzers(count);
    let task = |index| Task::fuzz(Fuzzer::new(session.clone(), index), index, session.generation);
    (first..first + count).map(task).collect()
}

/// As many fuzzers as it takes to have this many of a session.
pub(super) fn missing_fuzzers(session: &Arc<Session>, count: usize) -> Vec<Task> {
    fuzzers(session, count.saturating_sub(session.shared.fuzzers()))
}

/// The task of shrinking what was found, if there is something to shrink and nobody does.
pub(super) fn shrink(session: &Arc<Session>) -> Option<Task> {
    session.shrinks.take_up().then(|| Task::shrink(Shrinks::new(session.clone()), session.generation))
}
