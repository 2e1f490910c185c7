//! Mutates the last transaction of an entry, from the state before it.

use super::stage::Stage;
use crate::{
    evm::Executor,
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer},
    search::KeepState,
};
use rand::RngExt;

pub(super) const STAGE: Stage =
    Stage { weight: |tuning| tuning.mutate_last_weight, needs_entry: true, run: Fuzzer::mutate_last };

impl Fuzzer {
    /// Mutates the last transaction of an entry, from the state before it.
    fn mutate_last(&mut self, executor: &mut Executor, budget: &mut TransactionBudget<'_>) {
        let mut entry = None;
        for _ in 0..self.tuning.mutations_per_entry {
            if self.guidance.is_on || entry.is_none() {
                entry = self.next_entry(executor, budget);
            }
            let Some(entry) = entry.clone().filter(|_| !budget.is_spent()) else { return };
            if self.session.harness.calls.property(entry.transaction.call).is_some_and(|kind| !kind.is_drawn()) {
                // It has no words: what it says depends on the calls before.
                self.mutate_sequence_of(executor, &entry, budget);
                continue;
            }
            let mut transaction = self.again(entry.transaction.clone());
            for _ in 0..=self.rng.random_range(0..4_u32) / 3 {
                self.generator.mutate_transaction(&mut self.rng, &mut transaction);
            }
            self.execute(executor, &entry.state, transaction, KeepState::IfNewPath, budget);
        }
    }
}
