//! Several calls that change state, each from where the last one led, and then any call. What a call enters under a hash is looked
//! for by the next one.

use super::stage::Stage;
use crate::{
    corpus::State,
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
        let mut looked_for = None;
        for _ in 0..self.rng.random_range(1..=self.tuning.max_walk) {
            if budget.is_spent() || state.depth >= self.max_depth {
                return;
            }
            let Some(transaction) = looked_for.take().or_else(|| self.related(&state, Self::state_changing)) else {
                break;
            };
            if let Some(next) = self.execute(executor, &state, transaction, KeepState::Yes, budget).next {
                let (_, entered) = next.from.as_ref().expect("a transaction led here");
                looked_for = self.wanted_keys.looked_for(entered, &self.session.harness.calls).cloned();
                state = next;
            }
        }
        if !budget.is_spent()
            && let Some(transaction) = looked_for.or_else(|| self.related(&state, Self::last_transaction))
        {
            self.execute(executor, &state, transaction, KeepState::IfNewPath, budget);
        }
    }

    /// A call that is drawn, and related to those before it.
    fn related(&mut self, state: &State, draw: fn(&mut Self) -> Option<Transaction>) -> Option<Transaction> {
        let mut transaction = draw(self)?;
        self.reuse_arguments(state, &mut transaction);
        Some(transaction)
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
