//! [`Withdrawals`] are the calls by which users were paid ether, one of each function, and those by which somebody paid some in: what led
//! to a new state may let whoever made it withdraw more than before.

use crate::{
    corpus::State,
    evm::{FailureKind, Observation},
    input::{CallId, CallTable, Field, Transaction, ValuePart},
    world::{ACTORS, is_deployer},
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

    /// The same by somebody else several times in a row: with each of several words in turn as the first word of the arguments that names no
    /// account, or so many times in the same way. None if the call says how much.
    pub(super) fn in_turn(
        &self,
        person: Address,
        passed: &[U256],
        times: usize,
        calls: &CallTable,
    ) -> Vec<Transaction> {
        let mut own = self.transaction.clone();
        own.put_in_place(own.sender, person, calls);
        let words = passed_words(&own, calls);
        if words.iter().any(|(_, word)| *word == self.paid) {
            return Vec::new();
        }
        let Some((first, _)) = words.first().filter(|_| passed.len() > 1) else { return vec![own; times] };
        let function = calls.function(own.call);
        let of = |word: &U256| {
            let mut other = own.clone();
            other.set_word(function, first, *word).then_some(other)
        };
        passed.iter().filter_map(of).collect()
    }
}

/// The words of a call's arguments that are no addresses of people and no lengths.
pub(super) fn passed_words(transaction: &Transaction, calls: &CallTable) -> Vec<(Field, U256)> {
    let is_passed = |(field, word): &(Field, U256)| {
        let is_word = matches!(field, Field::Argument { position, .. } if position.part == ValuePart::Word);
        is_word && ACTORS.iter().all(|actor| U256::from_be_bytes(actor.address.into_word().0) != *word)
    };
    transaction.words(calls).into_iter().filter(is_passed).collect()
}

/// How ether was paid in and out so far.
#[derive(Debug, Default)]
pub(super) struct Withdrawals {
    known: BTreeMap<CallId, Withdrawal>,
    payments: BTreeMap<CallId, Transaction>,
    /// The least ether, in wei and other than none, that a call of each function was paid with.
    least: BTreeMap<CallId, U256>,
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
        if !transaction.value.is_zero() {
            let least = self.least.entry(call).or_insert(transaction.value);
            *least = transaction.value.min(*least);
            if is_new || !self.payments.contains_key(&call) {
                self.payments.insert(call, transaction.clone());
            }
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

    /// The least ether, in wei, that a call of this function was paid with, if it was ever paid.
    pub(super) fn least(&self, call: CallId) -> Option<U256> {
        self.least.get(&call).copied()
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

    /// A withdrawal by which one user was paid 7 wei, and another user.
    fn withdrawal(signature: &str, arguments: fn(Address) -> Vec<Value>) -> (CallTable, Withdrawal, Address) {
        let calls = CallTable::sample(&[signature]);
        let [one, other] = [users().next(), users().next_back()].map(|user| user.expect("there are users"));
        let call = CallId { target: InstanceId::MAIN, function: calls.main().interface.functions[0].id };
        let transaction = Transaction { arguments: arguments(one), ..Transaction::with_nothing(call, one, &calls) };
        (calls, Withdrawal { transaction, paid: U256::from(7) }, other)
    }

    /// What another user calls where one was paid 7 wei by a call with these arguments, and these words are stored.
    fn withdrawn(signature: &str, arguments: fn(Address) -> Vec<Value>, amounts: &[u64]) -> Vec<Vec<Value>> {
        let (calls, withdrawal, other) = withdrawal(signature, arguments);
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

    /// What another user calls in a row who passed these words, where one was paid 7 wei by a call with these arguments.
    fn in_turn(signature: &str, arguments: fn(Address) -> Vec<Value>, passed: &[u64]) -> Vec<Vec<Value>> {
        let (calls, withdrawal, other) = withdrawal(signature, arguments);
        let passed: Vec<U256> = passed.iter().map(|word| U256::from(*word)).collect();
        withdrawal.in_turn(other, &passed, 2, &calls).into_iter().map(|made| made.arguments).collect()
    }

    #[test]
    fn whoever_passed_several_words_withdraws_by_each_of_them() {
        let other = users().next_back().expect("there are users");
        assert_eq!(in_turn("function refund(uint256 id)", |_| vec![number(3)], &[5, 9]), [[number(5)], [number(9)]]);
        assert_eq!(
            in_turn("function refund(address to, uint256 id)", |one| vec![Value::Address(one), number(3)], &[5, 9]),
            [[Value::Address(other), number(5)], [Value::Address(other), number(9)]]
        );
    }

    #[test]
    fn whoever_passed_one_word_or_none_withdraws_twice_in_the_same_way() {
        assert_eq!(in_turn("function refund(uint256 id)", |_| vec![number(3)], &[5]), [[number(3)], [number(3)]]);
        assert_eq!(in_turn("function refund()", |_| vec![], &[5, 9]), [[], []] as [[Value; 0]; 2]);
    }

    #[test]
    fn whoever_says_how_much_does_not_withdraw_twice() {
        assert_eq!(in_turn("function take(uint256 amount)", |_| vec![number(7)], &[5, 9]), [] as [[Value; 1]; 0]);
    }

    #[test]
    fn whoever_withdraws_passes_their_own_address() {
        let other = users().next_back().expect("there are users");
        let withdrawn = withdrawn("function take(address to)", |one| vec![Value::Address(one)], &[5]);
        assert_eq!(withdrawn, [[Value::Address(other)]]);
    }
}
