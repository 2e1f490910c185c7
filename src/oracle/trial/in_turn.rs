//! The same calls one after the other, where one of them was made while another was open.

use super::{confirmed::Trial, ended::Ended};
use crate::{
    harness::Harness,
    input::{Deed, Reaction, Transaction},
    oracle::violation::Violation,
};
use alloy_primitives::{Address, U256};

impl Trial<'_> {
    /// Whether the violation takes somebody who calls back: the same calls made one after the other do not show it, nor does the open
    /// call alone.
    pub fn takes_call_back(&mut self, violation: &Violation) -> bool {
        let transactions = self.sequence.transactions.clone();
        let Some(open) = transactions.iter().position(Transaction::calls_back) else { return false };
        let mut alone = transactions.clone();
        alone[open].reaction = None;
        let others = [orders(self.harness, &transactions, open), vec![alone]].concat();
        others.into_iter().all(|other| self.end(other, violation).is_some_and(|ended| ended.shown.is_none()))
    }

    /// Whether the call that is open succeeds where whoever is called only accepts, after the call back or without it. Where it does not, it
    /// asks for the call back, as who lends or sells something and is paid meanwhile does.
    pub(super) fn succeeds_without_call_back(
        &mut self,
        transactions: &[Transaction],
        open: usize,
        violation: &Violation,
    ) -> bool {
        let outer = &transactions[open];
        let alone = outer.reaction.as_deref().map(|Reaction { account, answer, .. }| {
            [&transactions[..open], &[accepting(outer, *account, *answer)]].concat()
        });
        let after = self.call_back_first(transactions, open, 2);
        alone.into_iter().chain(after).any(|run| self.end(run, violation).is_some_and(|ended| ended.succeeds()))
    }

    /// Whether the call back succeeds where it is made before the call that is open.
    pub(super) fn call_back_succeeds_first(
        &mut self,
        transactions: &[Transaction],
        open: usize,
        violation: &Violation,
    ) -> bool {
        let mut runs = self.call_back_first(transactions, open, 1).into_iter();
        runs.any(|run| self.end(run, violation).is_some_and(|ended| ended.succeeds()))
    }

    /// The orders in which the call back is made before the call that is open, up to this many calls of the two.
    fn call_back_first(&self, transactions: &[Transaction], open: usize, count: usize) -> Vec<Vec<Transaction>> {
        let second = orders(self.harness, transactions, open).into_iter().skip(1).step_by(2);
        second.map(|order| order[..open + count].to_vec()).collect()
    }

    /// How the same calls end one after the other.
    pub(super) fn in_turn(&mut self, transactions: &[Transaction], open: usize, violation: &Violation) -> Vec<Ended> {
        orders(self.harness, transactions, open).into_iter().filter_map(|run| self.end(run, violation)).collect()
    }
}

/// The same calls one after the other: that made in the open call after it, and before it. Whoever is called has no code there, or
/// accepts what they are called with: a hook has to be answered before anybody is paid. Where `tx.origin` is asked for, the call back is
/// also made for whoever makes the open call.
pub(in crate::oracle) fn orders(harness: &Harness, transactions: &[Transaction], open: usize) -> Vec<Vec<Transaction>> {
    let outer = &transactions[open];
    let Some(reaction) = outer.reaction.as_deref() else { return Vec::new() };
    let account = reaction.account;
    let inner = match &reaction.deed {
        Deed::Refuse | Deed::BurnGas | Deed::Bomb | Deed::Answer => return Vec::new(),
        Deed::Repeat => outer,
        Deed::Call(call) => call,
    };
    let inner = Transaction { sender: account, env: Default::default(), reaction: None, ..inner.clone() };
    let (first, rest) = (&transactions[..open], &transactions[open + 1..]);
    let accepted = |call: &Transaction| accepting(call, account, reaction.answer);
    let plain = Transaction { reaction: None, ..outer.clone() };
    let mut pairs = vec![(plain.clone(), inner.clone()), (accepted(outer), accepted(&inner))];
    pairs.extend(made_for(harness, outer.sender, &inner).map(|inner| (plain, inner)));
    let orders = pairs.into_iter().flat_map(|(outer, inner)| [[outer.clone(), inner.clone()], [inner, outer]]);
    orders.map(|order| [first, &order, rest].concat()).collect()
}

/// A call in which somebody who is called only accepts, with this answer.
pub(super) fn accepting(call: &Transaction, account: Address, answer: Option<U256>) -> Transaction {
    let reaction = Reaction { account, deed: Deed::Answer, answer };
    Transaction { reaction: Some(Box::new(reaction)), ..call.clone() }
}

/// A call as the contract of its sender makes it when somebody else calls that contract: `tx.origin` is that person then. None if no code
/// asks for it.
pub(super) fn made_for(harness: &Harness, person: Address, call: &Transaction) -> Option<Transaction> {
    let own = Deed::Call(Box::new(call.clone()));
    let made = Transaction {
        sender: person,
        value: U256::ZERO,
        at: Some(call.sender),
        reaction: Some(Box::new(Reaction::new(call.sender, own))),
        ..call.clone()
    };
    harness.reads_origin().then_some(made)
}
