//! Contracts that runs create: they are recognised by their code, called, and named in arguments from then on.

use super::fuzzer::Fuzzer;
use crate::{
    corpus::State,
    evm::Snapshot,
    input::{InstanceId, Transaction},
};
use alloy_primitives::Address;
use rand::{RngExt, seq::IndexedRandom};

impl Fuzzer {
    /// Directs a call of a created contract at one that the state has. Where it has none, it becomes a call of the main instance.
    pub(super) fn direct(&mut self, state: &State, transaction: &mut Transaction) {
        if !self.session.harness.calls.is_created(transaction.call.target) {
            return;
        }
        let there: Vec<Address> = state
            .snapshot
            .created()
            .filter(|at| self.kind_of(&state.snapshot, *at) == Some(transaction.call.target))
            .collect();
        if transaction.at.is_some_and(|at| there.contains(&at)) {
            return;
        }
        transaction.at = there.choose(&mut self.rng).copied();
        if transaction.at.is_none()
            && let Some(other) = self.call_of_main()
        {
            *transaction = other;
        }
    }

    fn call_of_main(&mut self) -> Option<Transaction> {
        let calls = &self.session.harness.calls;
        let of_main = calls.of_main(calls.state_changing());
        let of_main = if of_main.is_empty() { calls.of_main(calls.calls()) } else { of_main };
        let call = *of_main.get(self.rng.random_range(0..of_main.len().max(1)))?;
        Some(self.generator.transaction(&mut self.rng, call))
    }

    /// Adds the contracts that a run created to the accounts that arguments may name.
    pub(super) fn know_created(&mut self, snapshot: &Snapshot) {
        for at in snapshot.created().collect::<Vec<_>>() {
            if let Some(id) = self.kind_of(snapshot, at) {
                self.generator.know_created(id, at);
            }
        }
    }

    /// The instance that stands for all created contracts with the code at an address.
    fn kind_of(&mut self, snapshot: &Snapshot, at: Address) -> Option<InstanceId> {
        let harness = &self.session.harness;
        *self.created_kinds.entry(at).or_insert_with(|| harness.created_kind(&snapshot.code(at)))
    }
}
