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
use std::sync::Arc;

/// Payments that are tried before one call at most; chosen by hand.
const MAX_PAYMENTS: usize = 6;

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
        for payment in self.payments(&state, &transaction, unpaid) {
            if budget.is_spent() {
                return;
            }
            if let Some(paid) = self.execute(executor, &state, payment, KeepState::Yes, budget).next
                && !budget.is_spent()
                && self.execute(executor, &paid, transaction.clone(), KeepState::IfNewPath, budget).succeeded
            {
                return;
            }
        }
    }

    /// Payments to the contract that has too little: as somebody made them before, and by other functions that take ether.
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
        let mut payments: Vec<Transaction> = made.into_iter().chain(other).take(MAX_PAYMENTS).collect();
        for (index, payment) in payments.iter_mut().enumerate() {
            payment.sender = payers[index % payers.len()];
            payment.value = payment.value.max(unpaid.missing);
            payment.reaction = None;
        }
        payments
    }
}
