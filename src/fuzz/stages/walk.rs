//! Several calls that change state, each from where the last one led, and then any call.

use super::stage::Stage;
use crate::{
    evm::Executor,
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer},
    input::Transaction,
    search::KeepState,
};
use rand::RngExt;

pub(super) const STAGE: Stage = Stage { weight: |tuning| tuning.walk_weight, needs_entry: false, run: Fuzzer::walk };

impl Fuzzer {
    /// Several calls that change state, each from where the last one led, and then any call.
    fn walk(&mut self, executor: &mut Executor, budget: &mut TransactionBudget<'_>) {
        let mut state = self.pick_state();
        for _ in 0..self.rng.random_range(1..=self.tuning.max_walk) {
            if budget.is_spent() || state.depth >= self.max_depth {
                return;
            }
            let Some(mut transaction) = self.state_changing() else { break };
            self.reuse_arguments(&state, &mut transaction);
            if let Some(next) = self.execute(executor, &state, transaction, KeepState::Yes, budget) {
                state = next;
            }
        }
        if !budget.is_spent()
            && let Some(mut transaction) = self.last_transaction()
        {
            self.reuse_arguments(&state, &mut transaction);
            self.execute(executor, &state, transaction, KeepState::IfNewPath, budget);
        }
    }

    /// The call at the end of a walk: in half of the walks of a function that requests other states, if there is one; otherwise
    /// of any.
    fn last_transaction(&mut self) -> Option<Transaction> {
        if self.search.demanding.is_empty() || self.rng.random() {
            return self.generator.any_transaction(&mut self.rng);
        }
        let at = self.rng.random_range(0..self.search.demanding.len());
        let function = *self.search.demanding.keys().nth(at)?;
        Some(self.generator.transaction(&mut self.rng, function))
    }
}
