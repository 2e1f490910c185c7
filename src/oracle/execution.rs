//! An [`Execution`] is one transaction that was run, as oracles see it: what it was, how it ended, the states before and after it, and
//! what was observed. It holds facts only.

use crate::{
    code::Programs,
    compile::Build,
    evm::{Call, CallTree, Executor, Observation, Outcome, Snapshot},
};

/// One transaction that was run.
#[derive(Debug)]
pub struct Execution<'a> {
    /// The build that ran.
    pub build: &'a Build,
    /// Its code.
    pub programs: &'a Programs,
    /// The transaction itself: its sender, where it goes, with what, and when.
    pub call: &'a Call,
    /// How it ended: status, output, logs.
    pub outcome: &'a Outcome,
    /// Whose last run it is.
    executor: &'a Executor,
}

impl<'a> Execution<'a> {
    /// The last run of an executor, which ended so; none if it ran nothing yet.
    pub(super) fn last(
        build: &'a Build,
        programs: &'a Programs,
        executor: &'a Executor,
        outcome: &'a Outcome,
    ) -> Option<Self> {
        Some(Self { build, programs, call: executor.call()?, outcome, executor })
    }

    /// The state before it.
    pub fn before(&self) -> &Snapshot {
        self.executor.before()
    }

    /// The state after it. Where it is not committed yet that takes as long as a commit, so ask for it last.
    pub fn after(&self) -> Snapshot {
        self.executor.after()
    }

    /// What was observed.
    pub fn observation(&self) -> &Observation {
        self.executor.observation()
    }

    /// The calls in it, as far as the oracle's needs ask for them.
    pub fn calls(&self) -> &CallTree {
        &self.observation().calls
    }
}
