//! The [`Trial`] itself: a confirmed sequence with what is needed to run it, or a part of it, once more.

use crate::{
    evm::{Executor, Outcome, Preimage, Snapshot},
    harness::{Action, Checkpoints, Harness},
    input::{MadeCalls, PropertyKind, Sequence, Transaction},
    oracle::violation::Violation,
};
use std::borrow::Cow;

/// The violations of the last run of an executor, each with the index of the failure that it judges.
pub(crate) type Judge<'a> = dyn FnMut(&Executor, &Outcome) -> Vec<(usize, Violation)> + 'a;

/// A confirmed sequence, ready to be run otherwise.
pub struct Trial<'a> {
    pub(super) harness: &'a Harness,
    pub(super) executor: Executor,
    pub(super) judge: &'a mut Judge<'a>,
    pub(super) sequence: Cow<'a, Sequence>,
    /// The states along the last run of a sequence.
    pub(super) checkpoints: Checkpoints,
    /// The call, with the state before it and the one right after the setup; none if the last step belongs to the setup.
    pub(super) last: Option<LastCall<'a>>,
    /// Calls that led to new states.
    pub(super) made: &'a MadeCalls,
}

/// The last call of a sequence.
#[derive(Debug)]
pub(crate) struct LastCall<'a> {
    /// The call.
    pub(crate) transaction: &'a Transaction,
    /// The state before it.
    pub(crate) before: Snapshot,
    /// The state right after the setup.
    pub(crate) start: Snapshot,
}

impl std::fmt::Debug for Trial<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trial").field("last", &self.last).finish_non_exhaustive()
    }
}

impl<'a> Trial<'a> {
    pub(crate) fn new(
        harness: &'a Harness,
        executor: Executor,
        judge: &'a mut Judge<'a>,
        sequence: &'a Sequence,
        last: Option<LastCall<'a>>,
        made: &'a MadeCalls,
    ) -> Self {
        let after_setup = |last: &LastCall<'_>| Checkpoints::after_setup(sequence.setup.clone(), last.start.clone());
        let checkpoints = last.as_ref().map(after_setup).unwrap_or_default();
        Self { harness, executor, judge, sequence: Cow::Borrowed(sequence), checkpoints, last, made }
    }

    /// What `run` does with runs that are looked at in detail.
    pub(super) fn in_detail<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.executor.set_detailed(true);
        let result = run(self);
        self.executor.set_detailed(false);
        result
    }

    /// The contract with its world.
    pub fn harness(&self) -> &'a Harness {
        self.harness
    }

    /// The number of transactions that were run so far.
    pub(crate) fn runs(&self) -> u64 {
        self.executor.runs()
    }

    /// Whether the violation happens while the world is set up.
    pub fn is_in_setup(&self) -> bool {
        self.last.is_none()
    }

    /// Whether somebody reacts to being called.
    pub fn has_reaction(&self) -> bool {
        self.sequence.transactions.iter().any(|transaction| transaction.reaction.is_some())
    }

    /// What the last call states, and how it ends, if it shows the violation.
    pub fn last_outcome(&mut self, violation: &Violation) -> Option<(Option<PropertyKind>, Outcome)> {
        let last = self.last.as_ref()?;
        let call = self.harness.call(Action::Call(last.transaction), last.before.moment());
        let kind = self.harness.calls.property(last.transaction.call);
        let outcome = self.executor.run(&last.before, &call);
        (self.judge)(&self.executor, &outcome).iter().any(|(_, shown)| shown == violation).then_some((kind, outcome))
    }

    /// The inputs of the hashes that a transaction computes on a state.
    pub(super) fn preimages(&mut self, state: &Snapshot, transaction: &Transaction) -> Vec<Preimage> {
        self.executor.set_detailed(true);
        let call = self.harness.call(Action::Call(transaction), state.moment());
        self.executor.run(state, &call);
        self.executor.set_detailed(false);
        self.executor.observation().preimages.clone()
    }

    /// Runs a transaction on a state.
    pub(super) fn run(&mut self, state: &Snapshot, transaction: &Transaction) -> Vec<(usize, Violation)> {
        let call = self.harness.call(Action::Call(transaction), state.moment());
        let outcome = self.executor.run(state, &call);
        (self.judge)(&self.executor, &outcome)
    }
}
