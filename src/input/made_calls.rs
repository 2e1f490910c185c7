//! [`MadeCalls`] are calls that led to new states, one of each function: words that such a call succeeds with.

use super::calls::{CallId, CallTable};
use super::transaction::Transaction;
use std::collections::BTreeMap;

/// The latest call of each function that led to a new state.
#[derive(Debug, Default)]
pub struct MadeCalls(BTreeMap<CallId, Transaction>);

impl MadeCalls {
    /// Notes a call that led to a new state. What a run created may not be there elsewhere.
    pub fn note(&mut self, transaction: &Transaction, calls: &CallTable) {
        let call = transaction.call;
        let is_kept = transaction.reaction.is_none() && calls.can_change_state(call) && !calls.is_created(call.target);
        if is_kept {
            self.0.insert(call, transaction.clone());
        }
    }

    /// The call of a function that led to a new state, if there was one.
    pub fn of(&self, call: CallId) -> Option<&Transaction> {
        self.0.get(&call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{
        calls::InstanceId,
        transaction::{Deed, Reaction},
        value::Value,
    };
    use alloy_primitives::{Address, U256};

    #[test]
    fn the_latest_call_of_a_function_is_kept_if_it_can_change_state_and_nobody_reacts() {
        let calls = CallTable::sample(&["function give(uint256 amount)", "function look(uint256 at) view"]);
        let sender = Address::repeat_byte(7);
        let call =
            |index: usize| CallId { target: InstanceId::MAIN, function: calls.main().interface.functions[index].id };
        let made = |index: usize, number: u64| Transaction {
            arguments: vec![Value::Uint(U256::from(number), 256)],
            ..Transaction::with_nothing(call(index), sender, &calls)
        };
        let reaction = Some(Box::new(Reaction::new(sender, Deed::Repeat)));
        let mut known = MadeCalls::default();
        for transaction in [made(0, 1), made(0, 2), Transaction { reaction, ..made(0, 3) }, made(1, 4)] {
            known.note(&transaction, &calls);
        }
        assert_eq!(known.of(call(0)), Some(&made(0, 2)));
        assert_eq!(known.of(call(1)), None);
    }
}
