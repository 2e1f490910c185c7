//! Runs a call again in which a contract had too little ether for a payment, after somebody else paid some in: a contract that owes more
//! than it has pays one with the ether of another.

use crate::{
    corpus::State,
    evm::{Executor, Unpaid},
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer, unpaid::UnpaidCall},
    input::{CallId, Transaction},
    search::KeepState,
    world::ACTORS,
};
use alloy_primitives::U256;
use std::sync::Arc;

/// Payments that are tried before one call at most; chosen by hand.
const MAX_PAYMENTS: usize = 6;
/// Payments as somebody made them elsewhere that are tried after those at most; chosen by hand.
const MAX_ELSEWHERE: usize = 4;

impl Fuzzer {
    /// Notes a call in which a contract had too little ether.
    pub(in crate::fuzz) fn note_unpaid(
        &mut self,
        unpaid: Option<Unpaid>,
        state: &Arc<State>,
        transaction: &Transaction,
        new_path: bool,
    ) {
        let Some(unpaid) = unpaid else { return };
        // Nobody in a test is somebody else than its author says.
        let is_free = self.session.harness.calls.rules().bare.is_none() && state.depth + 1 < self.max_depth;
        self.unpaid.note(transaction.call, new_path, |_| {
            is_free.then(|| UnpaidCall { state: state.clone(), transaction: transaction.clone(), unpaid })
        });
    }

    /// Runs such a call again after each of some payments of somebody else.
    pub(super) fn pay_in(&mut self, executor: &mut Executor, call: UnpaidCall, budget: &mut TransactionBudget<'_>) {
        let UnpaidCall { state, transaction, unpaid } = call;
        let wanted = state.snapshot.balance(unpaid.payer).saturating_add(unpaid.missing);
        for payment in self.payments(&state, &transaction, unpaid) {
            if budget.is_spent() {
                return;
            }
            let Some(paid) = self.execute(executor, &state, payment, KeepState::Yes, budget).next else { continue };
            let there = paid.snapshot.balance(unpaid.payer);
            let attempts =
                std::iter::once(transaction.clone()).chain(self.of_what_is_there(&transaction, wanted, there));
            for attempt in attempts.collect::<Vec<_>>() {
                if budget.is_spent() || self.execute(executor, &paid, attempt, KeepState::IfNewPath, budget).succeeded {
                    return;
                }
            }
        }
    }

    /// The call that takes so much ether, where it says how much, or how many of something that has a price: with as much as there is.
    fn of_what_is_there(&self, transaction: &Transaction, wanted: U256, there: U256) -> Option<Transaction> {
        let calls = &self.session.harness.calls;
        let less = |word: U256| {
            let is_factor = !word.is_zero() && (wanted % word).is_zero();
            is_factor.then(|| there / (wanted / word)).filter(|less| !less.is_zero() && *less < word)
        };
        let mut other = transaction.clone();
        other.replace_arguments(calls, less).then_some(other)
    }

    /// Payments to the contract that has too little: as somebody made them on the way there, by other functions that take ether, and as
    /// somebody made them elsewhere.
    fn payments(&mut self, state: &State, transaction: &Transaction, unpaid: Unpaid) -> Vec<Transaction> {
        let calls = &self.session.harness.calls;
        let is_payable =
            |call: CallId| calls.instance(call.target).address == unpaid.payer && calls.function(call).is_payable();
        let made = state.ancestors().filter_map(|state| state.from.as_ref()).map(|(_, made)| made);
        let made: Vec<Transaction> =
            made.filter(|made| !made.value.is_zero() && is_payable(made.call)).cloned().collect();
        let other: Vec<CallId> = calls.calls().iter().copied().filter(|call| is_payable(*call)).collect();
        let other = other.into_iter().map(|call| self.generator.transaction(&mut self.rng, call));
        let payers = ACTORS.iter().map(|actor| actor.address).filter(|payer| *payer != transaction.sender);
        let payers: Vec<_> = payers.collect();
        let mut raised: Vec<Transaction> = made.into_iter().chain(other).take(MAX_PAYMENTS).collect();
        for payment in &mut raised {
            payment.value = payment.value.max(unpaid.missing);
        }
        // What says how much is paid is paid as it was.
        let elsewhere = self.withdrawals.payments().filter(|made| is_payable(made.call)).take(MAX_ELSEWHERE).cloned();
        let mut payments: Vec<Transaction> = raised.into_iter().chain(elsewhere).collect();
        for (index, payment) in payments.iter_mut().enumerate() {
            payment.sender = payers[index % payers.len()];
            payment.reaction = None;
        }
        payments
    }
}
