//! Reusing: a call is related to those before it by its sender, by its arguments, and by what those are known by.

use super::fuzzer::Fuzzer;
use crate::{
    corpus::State,
    input::{Parameter, Transaction, Type, Value},
};
use alloy_primitives::{Address, B256, U256};
use rand::{RngExt, seq::IndexedRandom};

/// Of so many `bytes32` that are reused, and of so many numbers, one is a hash under which a call looked for something. Chosen by hand.
const HASHES: u32 = 2;
const NUMBERS: u32 = 32;
/// How many words of a struct make a key by themselves.
const SEVERAL: usize = 2;

impl Fuzzer {
    /// Relates a call to those before it: gives it the last sender or one that the last call named, the arguments of an earlier call that hashed them together, or
    /// for one argument the value of an argument of the same type, a sender, an amount of ether or a key of this or an earlier
    /// call.
    pub(super) fn reuse_arguments(&mut self, state: &State, transaction: &mut Transaction) {
        if let Some((_, last)) = &state.from {
            match self.rng.random_range(0..6_u32) {
                0 | 1 => transaction.sender = last.sender,
                2 => transaction.sender = self.named_by(last).unwrap_or(transaction.sender),
                _ => {}
            }
        }
        if transaction.arguments.is_empty() {
            return;
        }
        if let Some(same) = self.hashed_before(state, transaction)
            && self.rng.random()
        {
            same.into_iter().for_each(|(at, value)| transaction.arguments[at] = value);
            return;
        }
        if self.rng.random_range(0..3_u32) == 0 {
            self.reuse_argument(state, transaction);
        }
    }

    /// A sender that a call named: who was given something, or may do something from then on.
    fn named_by(&mut self, call: &Transaction) -> Option<Address> {
        let named = call.arguments.iter().filter_map(Value::as_address);
        let senders: Vec<Address> = named.filter(|address| self.generator.senders.contains(address)).collect();
        senders.choose(&mut self.rng).copied()
    }

    /// The arguments, by their index, that the latest call which hashed several of them together has in common with this one.
    fn hashed_before(&self, state: &State, transaction: &Transaction) -> Option<Vec<(usize, Value)>> {
        let calls = &self.session.harness.calls;
        let wanted = &calls.function(transaction.call).inputs;
        let earlier = state.ancestors().take(self.tuning.related_calls);
        let mut hashing = earlier.filter(|state| state.keys.hashes_arguments).filter_map(|state| state.from.as_ref());
        hashing.find_map(|(_, call)| {
            let had = &calls.function(call.call).inputs;
            let same = in_common(wanted, had);
            let values: Vec<(usize, Value)> =
                same.into_iter().map(|(at, from)| (at, call.arguments[from].clone())).collect();
            let is_key = |(at, _): &(usize, Value)| matches!(wanted[*at].ty, Type::Tuple { .. });
            (values.len() >= SEVERAL || values.iter().any(is_key)).then_some(values)
        })
    }

    fn reuse_argument(&mut self, state: &State, transaction: &mut Transaction) {
        let calls = &self.session.harness.calls;
        let at = self.rng.random_range(0..transaction.arguments.len());
        let wanted = &calls.function(transaction.call).inputs[at].ty;
        if let Some(key) = key_type(wanted) {
            let looked_for: Vec<&(U256, Transaction)> = self.wanted_keys.iter().collect();
            let share = if *wanted == Type::FixedBytes(32) { HASHES } else { NUMBERS };
            if let Some((word, by)) = looked_for.choose(&mut self.rng)
                && self.rng.random_range(0..share) == 0
            {
                transaction.arguments[at] = key(*word);
                transaction.sender = by.sender;
                return;
            }
        }
        let mut values = Vec::new();
        let mut collect = |call: &Transaction, except: Option<usize>, keys: &[U256]| {
            let parameters = calls.function(call.call).inputs.iter();
            for (index, (value, parameter)) in call.arguments.iter().zip(parameters).enumerate() {
                if parameter.ty == *wanted && Some(index) != except {
                    values.push(value.clone());
                }
            }
            match wanted {
                Type::Address | Type::Contract { .. } => values.push(Value::Address(call.sender)),
                Type::Uint(256) => {
                    values
                        .extend(Some(call.value).filter(|ether| !ether.is_zero()).map(|ether| Value::Uint(ether, 256)));
                    values.extend(keys.iter().map(|key| Value::Uint(*key, 256)));
                }
                Type::FixedBytes(32) => values.extend(keys.iter().map(|key| Value::FixedBytes(B256::from(*key), 32))),
                _ => {}
            }
        };
        collect(transaction, Some(at), &[]);
        for earlier in state.ancestors().take(self.tuning.related_calls) {
            let Some((_, call)) = &earlier.from else { break };
            collect(call, None, &earlier.keys.words);
        }
        if let Some(value) = values.choose(&mut self.rng) {
            transaction.arguments[at] = value.clone();
        }
    }
}

/// How a key is written as a value of this type, if it can be.
fn key_type(ty: &Type) -> Option<fn(U256) -> Value> {
    match ty {
        Type::Uint(256) => Some(|word| Value::Uint(word, 256)),
        Type::FixedBytes(32) => Some(|word| Value::FixedBytes(B256::from(word), 32)),
        _ => None,
    }
}

/// The parameters that two functions have in common, by their index in both: of the same type, and of the same name or the only
/// ones of that type.
fn in_common(wanted: &[Parameter], had: &[Parameter]) -> Vec<(usize, usize)> {
    let bare = |parameter: &Parameter| parameter.name.trim_matches('_').to_lowercase();
    let is_only = |all: &[Parameter], ty: &Type| all.iter().filter(|parameter| parameter.ty == *ty).count() == 1;
    let same = |parameter: &Parameter| {
        had.iter().position(|other| {
            other.ty == parameter.ty
                && (bare(other) == bare(parameter) || (is_only(wanted, &parameter.ty) && is_only(had, &parameter.ty)))
        })
    };
    wanted.iter().enumerate().filter_map(|(at, parameter)| Some((at, same(parameter)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::CallTable;

    #[test]
    fn what_two_functions_have_in_common() {
        let calls = CallTable::sample(&[
            "function schedule(address target, uint256 value, bytes data, bytes32 salt, uint256 delay)",
            "function execute(address target, uint256 value, bytes payload, bytes32 salt)",
            "function transfer(address to, uint256 amount)",
        ]);
        let inputs = |name: &str| {
            let all = &calls.main().interface.functions;
            &all.iter().find(|function| function.name == name).expect("it is there").inputs
        };
        assert_eq!(in_common(inputs("execute"), inputs("schedule")), [(0, 0), (1, 1), (2, 2), (3, 3)]);
        assert_eq!(in_common(inputs("transfer"), inputs("schedule")), [(0, 0)]);
        assert_eq!(in_common(inputs("schedule"), inputs("transfer")), [(0, 0)]);
    }
}
