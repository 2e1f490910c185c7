//! Has a user whose call led to a state withdraw what it stored, in the ways in which users were paid before: a contract that notes more than
//! it got pays it out, or has too little for that.

use crate::{
    corpus::State,
    evm::Executor,
    fuzz::{
        budget::TransactionBudget,
        fuzzer::Fuzzer,
        withdrawals::{Withdrawal, passed_words},
    },
    input::Transaction,
    search::KeepState,
    world::users,
};
use alloy_primitives::U256;
use rand::{RngExt, seq::IndexedRandom};
use std::{collections::BTreeSet, sync::Arc};

/// Functions that are tried from one state at most; chosen by hand.
const MAX_FUNCTIONS: usize = 4;
/// Words that are withdrawn from one state at most; chosen by hand.
const MAX_AMOUNTS: usize = 3;
/// Withdrawals in a row at most; chosen by hand.
const MAX_IN_TURN: usize = 3;

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
            self.withdraw_in_turn(executor, state, made, &withdrawal, budget);
        }
    }

    /// Withdraws several times in a row what a call paid for, where the withdrawal does not say how much: by each of several words that the
    /// call passed, as whoever buys several things at once gives them back, or else in the same way. What was bought is paid with as little
    /// as possible.
    fn withdraw_in_turn(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        made: &Transaction,
        withdrawal: &Withdrawal,
        budget: &mut TransactionBudget<'_>,
    ) {
        if made.value.is_zero() {
            return;
        }
        let calls = self.session.harness.calls.clone();
        let mut passed: Vec<U256> = Vec::new();
        for (_, word) in passed_words(made, &calls) {
            if !passed.contains(&word) && passed.len() < MAX_IN_TURN {
                passed.push(word);
            }
        }
        let attempts = withdrawal.in_turn(made.sender, &passed, MAX_IN_TURN, &calls);
        if attempts.is_empty() || budget.is_spent() {
            return;
        }
        let mut state = self.more_for_less(executor, state, budget).unwrap_or_else(|| state.clone());
        for transaction in attempts {
            if budget.is_spent() || state.depth >= self.max_depth {
                return;
            }
            if let Some(next) = self.execute(executor, &state, transaction, KeepState::Transient, budget).next {
                state = next;
            }
        }
    }

    /// The state that the same call leads to where it is paid with as little as any call of its function was, for as much or for more: one
    /// of its numbers may be the next one. None if it is not made for that.
    fn more_for_less(
        &mut self,
        executor: &mut Executor,
        state: &State,
        budget: &mut TransactionBudget<'_>,
    ) -> Option<Arc<State>> {
        let (before, made) = state.from.as_ref()?;
        let calls = self.session.harness.calls.clone();
        let mut other = made.clone();
        other.value = other.value.min(self.withdrawals.least(made.call)?);
        if self.rng.random()
            && let Some((field, word)) = passed_words(made, &calls).choose(&mut self.rng)
        {
            other.set_word(calls.function(made.call), field, word.wrapping_add(U256::ONE));
        }
        if other == *made {
            return None;
        }
        self.execute(executor, before, other, KeepState::Transient, budget).next
    }
}
