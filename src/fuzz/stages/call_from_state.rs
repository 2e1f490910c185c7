//! One call of any function, from a kept state.

use super::stage::Stage;
use crate::{
    evm::Executor,
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer},
    search::KeepState,
};

pub(super) const STAGE: Stage =
    Stage { weight: |tuning| tuning.call_from_state_weight, needs_entry: false, run: Fuzzer::call_from_state };

impl Fuzzer {
    /// One call of any function, from a state.
    fn call_from_state(&mut self, executor: &mut Executor, budget: &mut TransactionBudget<'_>) {
        let state = self.pick_state();
        if let Some(mut transaction) = self.generator.any_transaction(&mut self.rng) {
            self.reuse_arguments(&state, &mut transaction);
            self.execute(executor, &state, transaction, KeepState::IfNewPath, budget);
        }
    }
}
