//! Wiring: the calls that make the instances of a world known to each other, and that initialize them. They are found by trying.
//! A call wires if it stores the address of an instance where there was nothing; a call of an initializer, if it succeeds once.

use super::{action::Action, draft::Draft};
use crate::{
    compile::{ContractId, NodeKind},
    evm::{Snapshot, Status},
    input::{CallId, Field, Function, FunctionKind, InstanceId, Transaction},
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeSet;

/// Tries of one function, each with other words; chosen by hand.
const TRIES: usize = 8;
/// Tries of one initializer; chosen by hand. Nothing else can be done before one of them succeeds.
const INITIALIZER_TRIES: usize = 200;
/// How often all functions are tried: one may need what another one set. Chosen by hand.
const ROUNDS: usize = 2;
/// The most calls that wire one world; chosen by hand.
const MAX_CALLS: usize = 16;

/// The calls that wire a world.
pub(super) struct Wiring {
    pub(super) calls: Vec<Transaction>,
    /// Whether the main instance has initializers, none of which anybody could call.
    pub(super) is_locked: bool,
    /// The state after them.
    pub(super) state: Snapshot,
}

impl Draft<'_> {
    /// Finds the calls that wire a world, in which all instances are deployed.
    pub(super) fn wire(&mut self, mut state: Snapshot) -> Wiring {
        let table = self.generator.calls.clone();
        let candidates: Vec<(CallId, bool)> = table
            .state_changing()
            .iter()
            .map(|call| (*call, self.is_initializer(*call)))
            .filter(|(call, initializes)| *initializes || takes_contracts(table.function(*call)))
            .collect();
        let (mut calls, mut done) = (Vec::new(), BTreeSet::new());
        let mut is_locked =
            candidates.iter().any(|(call, initializes)| *initializes && call.target == InstanceId::MAIN);
        for _ in 0..ROUNDS {
            for (call, initializes) in &candidates {
                if done.contains(call) || calls.len() >= MAX_CALLS {
                    continue;
                }
                if let Some((transaction, after)) = self.wiring_call(*call, *initializes, &state) {
                    is_locked &= !(*initializes && call.target == InstanceId::MAIN);
                    done.insert(*call);
                    calls.push(transaction);
                    state = after;
                }
            }
        }
        Wiring { calls, is_locked, state }
    }

    /// A call of a function that wires, and the state after it.
    fn wiring_call(&mut self, call: CallId, initializes: bool, state: &Snapshot) -> Option<(Transaction, Snapshot)> {
        for attempt in 0..if initializes { INITIALIZER_TRIES } else { TRIES } {
            let transaction = match attempt {
                0 => self.plain_call(call),
                _ if attempt % 2 == 1 => self.mixed_call(call),
                _ => self.generator.transaction(&mut self.rng, call),
            };
            let (outcome, after) = self.act(Action::Call(&transaction), state);
            if outcome.status != Status::Success {
                continue;
            }
            let wires = self.introduces(&transaction, state, &after)
                || (initializes
                    && !state.changes(&after).is_empty()
                    && self.act(Action::Call(&transaction), &after).0.status != Status::Success);
            if wires {
                return Some((transaction, after));
            }
        }
        None
    }

    /// Whether a call stored the address of an instance that it was given where there was nothing.
    fn introduces(&self, transaction: &Transaction, before: &Snapshot, after: &Snapshot) -> bool {
        let calls = &self.generator.calls;
        let is_instance = |word: &U256| word.bit_len() <= 160 && calls.at(Address::from_word((*word).into())).is_some();
        let words = transaction.words(calls).into_iter();
        let given: Vec<U256> = words
            .filter(|(field, word)| matches!(field, Field::Argument { .. }) && is_instance(word))
            .map(|(_, word)| word)
            .collect();
        stores(before, after, &given)
    }

    /// Whether a function is an initializer, as its modifiers or its name tell.
    pub(super) fn is_initializer(&self, call: CallId) -> bool {
        let function = self.generator.calls.function(call);
        let blueprint = &self.companions.blueprints[usize::from(call.target.0)];
        let has_modifier =
            blueprint.contract().is_some_and(|contract| self.has_initializer_modifier(contract, function));
        function.kind == FunctionKind::Function && (has_modifier || is_called_initializer(&function.name))
    }

    fn has_initializer_modifier(&self, contract: ContractId, function: &Function) -> bool {
        let source = self.build.source(self.build.contract(contract).source);
        let nodes = &source.ast.nodes;
        let named = nodes.iter().filter(|node| node.kind == NodeKind::Function && node.name == function.name);
        let is_modifier = |name: &str| matches!(name, "initializer" | "reinitializer");
        named.into_iter().any(|node| {
            let inside = nodes.iter().filter(|it| it.kind == NodeKind::Invocation && node.span.contains(it.span));
            inside.into_iter().any(|invocation| is_modifier(&invocation.name))
        })
    }
}

/// `initialize`, `init`, `initializeV2`, `setup`, `__Token_init`.
fn is_called_initializer(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    name.starts_with("init") || name.eq_ignore_ascii_case("setup") || name.ends_with("_init")
}

/// Whether a function takes contracts.
fn takes_contracts(function: &Function) -> bool {
    function.kind == FunctionKind::Function && function.inputs.iter().any(|input| !input.ty.contract_types().is_empty())
}

/// Whether one of these addresses is stored where there was nothing.
pub(super) fn stores(before: &Snapshot, after: &Snapshot, addresses: &[U256]) -> bool {
    let is_new = |(_, _, was, is)| addresses.iter().any(|address| holds(is, *address, was));
    before.changes(after).into_iter().any(is_new)
}

/// Whether a word has an address at some byte, where it had nothing before.
fn holds(word: U256, address: U256, before: U256) -> bool {
    let mask = (U256::ONE << 160) - U256::ONE;
    (0..=12).any(|byte| {
        let shift: usize = 8 * byte;
        ((word >> shift) & mask) == address && ((before >> shift) & mask) == U256::ZERO
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_where_it_shares_a_slot() {
        let address = U256::from(0xdead_beef_u64) << 100;
        let packed = (address << 8) | U256::ONE;
        assert!(holds(address, address, U256::ZERO));
        assert!(holds(packed, address, U256::ONE));
        assert!(!holds(packed, address, packed), "it was there before");
        assert!(!holds(address, U256::from(7), U256::ZERO));
    }

    #[test]
    fn initializers_have_names() {
        for (name, expected) in [
            ("initialize", true),
            ("init", true),
            ("initializeV2", true),
            ("setup", true),
            ("__Token_init", true),
            ("setUpdater", false),
            ("final", false),
        ] {
            assert_eq!(is_called_initializer(name), expected, "{name}");
        }
    }
}
