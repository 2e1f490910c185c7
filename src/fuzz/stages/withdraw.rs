//! Has a user whose call led to a state withdraw what it stored, in the ways in which users were paid before: a contract that notes more than
//! it got pays it out, or has too little for that.

use crate::{
    corpus::State,
    evm::Executor,
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer, withdrawals::Withdrawal},
    search::KeepState,
    world::users,
};
use alloy_primitives::U256;
use rand::RngExt;
use std::{collections::BTreeSet, sync::Arc};

/// Functions that are tried from one state at most; chosen by hand.
const MAX_FUNCTIONS: usize = 4;
/// Words that are withdrawn from one state at most; chosen by hand.
const MAX_AMOUNTS: usize = 3;

impl Fuzzer {
    /// Withdraws what the call stored that led to a state, if a user made it.
    pub(super) fn withdraw(&mut self, executor: &mut Executor, state: &Arc<State>, budget: &mut TransactionBudget<'_>) {
        let Some((before, made)) = &state.from else { return };
        if !users().any(|user| user == made.sender) || state.depth >= self.max_depth {
            return;
        }
        let stored = before.snapshot.changes(&state.snapshot).into_iter().filter(|(.., is)| !is.is_zero());
        let words: BTreeSet<U256> = stored.map(|(.., word)| word).collect();
        let words: Vec<U256> = words.into_iter().rev().take(MAX_AMOUNTS).collect();
        let known: Vec<Withdrawal> = self.withdrawals.known().take(MAX_FUNCTIONS).cloned().collect();
        for withdrawal in known {
            for mut transaction in withdrawal.by(made.sender, &words, &self.session.harness.calls) {
                if budget.is_spent() {
                    return;
                }
                if self.rng.random() {
                    self.reuse_arguments(state, &mut transaction);
                }
                self.execute(executor, state, transaction, KeepState::IfNewPath, budget);
            }
        }
    }
}
