//! Changes an earlier transaction of an entry, and replays those after it.

use super::stage::Stage;
use crate::{
    corpus::Entry,
    evm::Executor,
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer},
    search::KeepState,
};
use rand::RngExt;

pub(super) const STAGE: Stage =
    Stage { weight: |tuning| tuning.mutate_sequence_weight, needs_entry: true, run: Fuzzer::mutate_sequence };

impl Fuzzer {
    /// Changes an earlier transaction of an entry: leaves it out, mutates it, puts another before it, or moves it; or lets two people
    /// change places in all of them.
    fn mutate_sequence(&mut self, executor: &mut Executor, budget: &mut TransactionBudget<'_>) {
        if let Some(entry) = self.next_entry(executor, budget) {
            self.mutate_sequence_of(executor, &entry, budget);
        }
    }

    pub(super) fn mutate_sequence_of(
        &mut self,
        executor: &mut Executor,
        entry: &Entry,
        budget: &mut TransactionBudget<'_>,
    ) {
        let mut transactions = entry.state.sequence_with(&entry.transaction).transactions;
        let mut at = self.rng.random_range(0..transactions.len());
        match self.rng.random_range(0..5_u32) {
            0 if transactions.len() > 1 => {
                transactions.remove(at);
            }
            1 if transactions.len() > 1 => {
                let to = self.rng.random_range(0..transactions.len());
                transactions.swap(at, to);
            }
            2 if transactions.len() < self.max_depth => {
                if let Some(new) = self.state_changing() {
                    transactions.insert(at, new);
                }
            }
            3 if self.generator.change_places(&mut self.rng, &mut transactions) => at = 0,
            _ => {
                self.generator.mutate_transaction(&mut self.rng, &mut transactions[at]);
            }
        }
        let mut state = entry.state.ancestor(at.min(entry.state.depth));
        let start = state.depth;
        for transaction in transactions.into_iter().skip(start) {
            if budget.is_spent() {
                return;
            }
            let transaction = self.again(transaction);
            if let Some(next) = self.execute(executor, &state, transaction, KeepState::Yes, budget).next {
                state = next;
            }
        }
    }
}
