//! Whole sequences of other transactions, run in the world of the confirmed one.

use super::confirmed::Trial;
use crate::{
    evm::{FailureKind, Outcome, Snapshot, Status},
    harness::{Action, Checkpoints, Step},
    input::{Sequence, Setup, Transaction},
    oracle::violation::Violation,
};
use alloy_primitives::{Address, Log, U256};
use std::ops::ControlFlow;

/// How the last transaction of a sequence ended.
#[derive(Debug, Clone)]
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    /// The hash of its path.
    pub(super) path: u64,
    pub(super) before: Snapshot,
    pub(super) after: Snapshot,
    /// What happened where the violation is, if it is shown.
    pub(super) shown: Option<FailureKind>,
}

impl Ended {
    pub(super) fn succeeds(&self) -> bool {
        self.outcome.status == Status::Success
    }

    /// The ether of these accounts together.
    pub(super) fn wealth(&self, accounts: &[Address]) -> U256 {
        wealth(&self.after, accounts)
    }
}

/// The ether of accounts together on a state.
pub(super) fn wealth(state: &Snapshot, accounts: &[Address]) -> U256 {
    accounts.iter().fold(U256::ZERO, |sum, account| sum.saturating_add(state.balance(*account)))
}

impl Trial<'_> {
    /// How these transactions end in place of those of the sequence; none if there are none, or the setup fails.
    pub(super) fn end(&mut self, transactions: Vec<Transaction>, violation: &Violation) -> Option<Ended> {
        self.end_in(self.sequence.setup.clone(), transactions, violation)
    }

    /// The same in the world of another setup.
    pub(super) fn end_in(
        &mut self,
        setup: Setup,
        transactions: Vec<Transaction>,
        violation: &Violation,
    ) -> Option<Ended> {
        if transactions.is_empty() {
            return None;
        }
        let sequence = Sequence { setup, transactions };
        let Self { harness, executor, judge, checkpoints, .. } = self;
        let mut ended = None;
        let _ = harness.run_while(executor, &sequence, checkpoints, |step| {
            if step.left == 0 {
                let shown = judge(step.executor, step.outcome).into_iter().find(|(_, shown)| shown == violation);
                let failure = shown.and_then(|(index, _)| step.executor.observation().failures.get(index));
                ended = Some(Ended {
                    outcome: step.outcome.clone(),
                    path: step.executor.observation().path,
                    before: step.before.clone(),
                    after: step.after.clone(),
                    shown: failure.map(|failure| failure.kind),
                });
            }
            ControlFlow::Continue(())
        });
        ended
    }

    /// Runs these transactions in place of those of the sequence, and passes every step behind the setup to `each`.
    pub(super) fn each_step(&mut self, transactions: Vec<Transaction>, mut each: impl FnMut(&Transaction, &Step<'_>)) {
        let Some(start) = self.last.as_ref().map(|last| last.start.clone()) else { return };
        let setup = self.sequence.setup.clone();
        let mut checkpoints = Checkpoints::after_setup(setup.clone(), start);
        let sequence = Sequence { setup, transactions };
        let _ = self.harness.run_while(&mut self.executor, &sequence, &mut checkpoints, |step| {
            if let Action::Call(call) = step.action {
                each(call, step);
            }
            ControlFlow::Continue(())
        });
    }

    /// How one transaction ends on a state, whatever it shows.
    pub(super) fn ended_on(&mut self, before: &Snapshot, transaction: &Transaction) -> Option<Ended> {
        let call = self.harness.call(Action::Call(transaction), before.moment());
        let outcome = self.executor.run(before, &call);
        let path = self.executor.observation().path;
        let after = self.executor.after().clone();
        Some(Ended { outcome, path, before: before.clone(), after, shown: None }).filter(Ended::succeeds)
    }
}

/// Whether two runs emit the same events, whatever these say: a result that is only logged stops nobody.
pub(super) fn log_alike(one: &[Log], other: &[Log]) -> bool {
    let is_alike =
        |(one, other): (&Log, &Log)| one.address == other.address && one.topics().first() == other.topics().first();
    one.len() == other.len() && one.iter().zip(other).all(is_alike)
}
