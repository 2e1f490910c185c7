//! [`Withdrawals`] are the calls by which users were paid ether, one of each function, and those by which somebody paid some in: what led
//! to a new state may let whoever made it withdraw more than before.

use crate::{
    corpus::State,
    evm::{FailureKind, Observation},
    input::{CallId, CallTable, Transaction},
    world::is_deployer,
};
use alloy_primitives::{Address, U256};
use std::{collections::BTreeMap, sync::Arc};

/// A call by which a user was paid.
#[derive(Debug, Clone)]
pub(super) struct Withdrawal {
    /// The call.
    pub(super) transaction: Transaction,
    /// What they got, in wei.
    pub(super) paid: U256,
}

impl Withdrawal {
    /// The same by somebody else: of these amounts in turn, if the call says how much.
    pub(super) fn by(&self, person: Address, amounts: &[U256], calls: &CallTable) -> Vec<Transaction> {
        let mut own = self.transaction.clone();
        own.put_in_place(own.sender, person, calls);
        let of = |amount: &U256| {
            let mut other = own.clone();
            other.replace_arguments(calls, |word| (word == self.paid).then_some(*amount)).then_some(other)
        };
        let said: Vec<Transaction> = amounts.iter().filter_map(of).collect();
        if said.is_empty() { vec![own] } else { said }
    }
}

/// How ether was paid in and out so far.
#[derive(Debug, Default)]
pub(super) struct Withdrawals {
    known: BTreeMap<CallId, Withdrawal>,
    payments: BTreeMap<CallId, Transaction>,
    next: Option<Arc<State>>,
}

impl Withdrawals {
    /// Notes a call that succeeded, with what its sender had before and has afterwards. Of those of a function, the one that passes the
    /// least stands for it: what else it does may not be possible elsewhere.
    pub(super) fn note(
        &mut self,
        transaction: &Transaction,
        observation: &Observation,
        is_new: bool,
        calls: &CallTable,
        balances: impl FnOnce() -> [U256; 2],
    ) {
        let (call, sender) = (transaction.call, transaction.sender);
        if !transaction.value.is_zero() && (is_new || !self.payments.contains_key(&call)) {
            self.payments.insert(call, transaction.clone());
        }
        let is_paid = |kind| matches!(kind, FailureKind::CallOut { to, pays: true, .. } if to == sender);
        let is_withdrawal = transaction.reaction.is_none()
            && !is_deployer(sender)
            && observation.failures.iter().any(|failure| is_paid(failure.kind));
        let words = |made: &Transaction| made.words(calls).len();
        if is_withdrawal && self.known.get(&call).is_none_or(|known| words(transaction) < words(&known.transaction)) {
            let [before, after] = balances();
            let paid = after.saturating_add(transaction.value).saturating_sub(before);
            self.known.insert(call, Withdrawal { transaction: transaction.clone(), paid });
        }
    }

    /// Notes a state on a new path.
    pub(super) fn follow(&mut self, state: &Arc<State>) {
        if !self.known.is_empty() {
            self.next = Some(state.clone());
        }
    }

    /// The state from which something is withdrawn next, which is then forgotten.
    pub(super) fn take(&mut self) -> Option<Arc<State>> {
        self.next.take()
    }

    /// Whether nobody was paid yet.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The calls by which users were paid.
    pub(super) fn known(&self) -> impl Iterator<Item = &Withdrawal> {
        self.known.values()
    }

    /// The calls by which somebody paid ether in.
    pub(super) fn payments(&self) -> impl Iterator<Item = &Transaction> {
        self.payments.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        input::{InstanceId, Value},
        world::users,
    };

    /// What another user calls where one was paid 7 wei by a call with these arguments, and these words are stored.
    fn withdrawn(signature: &str, arguments: fn(Address) -> Vec<Value>, amounts: &[u64]) -> Vec<Vec<Value>> {
        let calls = CallTable::sample(&[signature]);
        let [one, other] = [users().next(), users().next_back()].map(|user| user.expect("there are users"));
        let call = CallId { target: InstanceId::MAIN, function: calls.main().interface.functions[0].id };
        let transaction = Transaction { arguments: arguments(one), ..Transaction::with_nothing(call, one, &calls) };
        let withdrawal = Withdrawal { transaction, paid: U256::from(7) };
        let amounts: Vec<U256> = amounts.iter().map(|amount| U256::from(*amount)).collect();
        let made = withdrawal.by(other, &amounts, &calls);
        assert!(made.iter().all(|made| made.sender == other));
        made.into_iter().map(|made| made.arguments).collect()
    }

    fn number(number: u64) -> Value {
        Value::Uint(U256::from(number), 256)
    }

    #[test]
    fn who_says_how_much_says_each_amount_in_turn() {
        let withdrawn =
            withdrawn("function take(uint256 kind, uint256 amount)", |_| vec![number(3), number(7)], &[5, 9]);
        assert_eq!(withdrawn, [[number(3), number(5)], [number(3), number(9)]]);
    }

    #[test]
    fn who_does_not_say_how_much_makes_the_call_once() {
        assert_eq!(withdrawn("function take(uint256 kind)", |_| vec![number(3)], &[5, 9]), [[number(3)]]);
        assert_eq!(withdrawn("function take(uint256 amount)", |_| vec![number(7)], &[]), [[number(7)]]);
    }

    #[test]
    fn whoever_withdraws_passes_their_own_address() {
        let other = users().next_back().expect("there are users");
        let withdrawn = withdrawn("function take(address to)", |one| vec![Value::Address(one)], &[5]);
        assert_eq!(withdrawn, [[Value::Address(other)]]);
    }
}
