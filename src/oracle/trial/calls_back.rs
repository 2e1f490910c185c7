//! Calls that somebody may make who is called: of each function, with words that fit the call that is open.

use crate::{
    evm::Snapshot,
    harness::Harness,
    input::{CallId, Field, FunctionKind, MadeCalls, Shape, Transaction, Type},
};
use alloy_primitives::{Address, U256};

/// Calls that are tried at most while a call is open; chosen by hand: the functions of a contract with some words each.
const MAX_CALLS: usize = 64;

/// Numbers of a call made before that are tried for amounts at most; chosen by hand.
const MAX_AMOUNTS: usize = 4;

/// The call that is open, and who is about to call back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenCall<'a> {
    pub(crate) harness: &'a Harness,
    /// The call.
    pub(crate) outer: &'a Transaction,
    /// The state before it.
    pub(crate) before: Option<&'a Snapshot>,
    /// Who is called.
    pub(crate) person: Address,
    /// To whom they may give what is theirs.
    pub(crate) accomplice: Address,
    /// The most ether that was paid in so far, in wei.
    pub(crate) paid_in: U256,
    /// Amounts that the contracts keep under the address of who is called.
    pub(crate) held: &'a [U256],
    /// Calls that led to new states.
    pub(crate) made: &'a MadeCalls,
}

impl OpenCall<'_> {
    /// Calls of each function but that of the open call, with its words where they fit, then with what is kept of who is called, and then
    /// with the words with which the function was called before.
    pub(crate) fn calls_back(&self) -> Vec<Transaction> {
        let calls = &self.harness.calls;
        let outer = calls.function(self.outer.call);
        let own: Vec<(Field, U256)> = self.outer.words(calls);
        let word_like = |shape: Option<Shape>| {
            let is_like = |field: &Field| matches!(field, Field::Argument { .. }) && field.shape(outer) == shape;
            own.iter().find(|(field, _)| is_like(field)).map(|(_, word)| *word)
        };
        let is_other = |call: &&CallId| **call != self.outer.call || calls.is_created(call.target);
        let (mut all, mut of_held) = (Vec::new(), Vec::new());
        for call in calls.state_changing().iter().filter(is_other) {
            let function = calls.function(*call);
            if function.kind != FunctionKind::Function {
                continue;
            }
            let at = self.created_at(*call);
            if calls.is_created(call.target) && at.is_none() {
                continue;
            }
            let plain = Transaction::with_nothing(*call, self.person, calls);
            let plain = Transaction { at, env: self.outer.env, ..plain };
            let filled = |amount: Option<U256>| {
                let mut filled = plain.clone();
                for (field, _) in plain.words(calls) {
                    let Field::Argument { index, .. } = &field else { continue };
                    let is_address = function.inputs[usize::from(*index)].ty.is_address();
                    let word = match amount.filter(|_| matches!(field.leaf(function), Some(Type::Uint(_)))) {
                        _ if is_address => self.accomplice.into_word().into(),
                        Some(amount) => amount,
                        None => word_like(field.shape(function)).unwrap_or(self.paid_in),
                    };
                    filled.set_word(function, &field, word);
                }
                filled
            };
            let usual = filled(None);
            of_held.extend(self.held.iter().map(|held| filled(Some(*held))).filter(|call| *call != usual));
            all.push(usual);
        }
        all.append(&mut of_held);
        for call in calls.state_changing().iter().filter(is_other) {
            let of_made = self.made.of(*call).map(|made| self.made_again(made)).unwrap_or_default();
            // Whose words are an amount and addresses, that one was made already.
            if !of_made.iter().any(|made| all.contains(made)) {
                all.extend(of_made);
            }
        }
        all.truncate(MAX_CALLS);
        all
    }

    /// A call that was made before, by who is called and for the accomplice: with one of its numbers in turn about each amount that is
    /// held, and as it was.
    fn made_again(&self, made: &Transaction) -> Vec<Transaction> {
        let calls = &self.harness.calls;
        let function = calls.function(made.call);
        let mut plain = Transaction { sender: self.person, env: self.outer.env, ..made.clone() };
        let is_address = |field: &Field| field.leaf(function) == Some(&Type::Address);
        plain.replace_words(calls, |field, _| is_address(field).then(|| self.accomplice.into_word().into()));
        let numbers = plain.words(calls).into_iter().map(|(field, _)| field);
        let numbers = numbers.filter(|field| matches!(field.leaf(function), Some(Type::Uint(_))));
        let about = |(amount, field): (U256, Field)| {
            let mut about = plain.clone();
            about.set_word(function, &field, amount).then_some(about)
        };
        let amounts = self.held.iter().chain([&self.paid_in]).filter(|amount| !amount.is_zero());
        let each = amounts.flat_map(|amount| numbers.clone().map(|field| (*amount, field)));
        let mut all: Vec<Transaction> = each.filter_map(about).take(MAX_AMOUNTS).collect();
        all.push(plain);
        all
    }

    /// The same with the amounts of ether that the open call names, where a function takes ether.
    pub(crate) fn paying_calls_back(&self) -> Vec<Transaction> {
        let calls = &self.harness.calls;
        let outer = calls.function(self.outer.call);
        let is_amount = |field: &Field| *field == Field::Value || matches!(field.leaf(outer), Some(Type::Uint(_)));
        let words = self.outer.words(calls).into_iter();
        let amounts: Vec<U256> =
            words.filter(|(field, word)| is_amount(field) && !word.is_zero()).map(|it| it.1).collect();
        let paying = self.calls_back().into_iter().filter(|call| calls.function(call.call).is_payable());
        paying
            .flat_map(|call| amounts.iter().map(move |amount| Transaction { value: *amount, ..call.clone() }))
            .collect()
    }

    /// Where the contract is that a call of a created instance goes to; none for any other call, or if there is none yet.
    fn created_at(&self, call: CallId) -> Option<Address> {
        let state = self.before.filter(|_| self.harness.calls.is_created(call.target))?;
        state.created().find(|at| self.harness.created_kind(&state.code(*at)) == Some(call.target))
    }
}
