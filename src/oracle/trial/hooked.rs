//! Hooks and payments: whoever is called calls back, and has more under their name than they could have without.

use super::{
    books::{Books, any_is_less, names},
    calls_back::OpenCall,
    confirmed::Trial,
    ended::Ended,
    in_turn::{accepting, made_for},
};
use crate::{
    evm::FailureKind,
    input::{Deed, Reaction, Transaction},
    oracle::violation::Violation,
    world::users,
};
use alloy_primitives::{Address, U256};

impl Trial<'_> {
    /// The transactions in which somebody who is called in the last one calls back and ends with more than they could have otherwise: no
    /// order of the same calls, with or without one of them, leaves them as much ether and as much of all that the contracts keep under
    /// their address.
    pub fn hooked(&mut self, violation: &Violation) -> Option<Vec<Transaction>> {
        let shown = self.sequence.transactions.clone();
        let (person, answer) = self.called(&shown, violation)?;
        let (last, first) = shown.split_last()?;
        let plain = [first, &[Transaction { reaction: None, ..last.clone() }]].concat();
        let mut attempts = Vec::new();
        if last.calls_back() {
            attempts.push(shown.clone());
        }
        let bases = [self.about_all(&plain, person), self.in_two(&plain, person, answer), Some(plain)];
        let held = self.held(person);
        for base in bases.into_iter().flatten() {
            for deed in self.deeds(&base, person, &held) {
                let mut attempt = base.clone();
                attempt.last_mut()?.reaction = Some(Box::new(Reaction { account: person, deed, answer }));
                attempts.push(attempt);
            }
        }
        attempts.into_iter().find(|attempt| self.is_ahead(attempt, person, violation))
    }

    /// The user who is called where the violation is, and what they answer: who reacts in the last call, or else who is paid there.
    pub(super) fn called(
        &mut self,
        transactions: &[Transaction],
        violation: &Violation,
    ) -> Option<(Address, Option<U256>)> {
        if let Some(reaction) = transactions.last()?.reaction.as_deref() {
            return Some((reaction.account, reaction.answer));
        }
        let FailureKind::CallOut { to, .. } = self.end(transactions.to_vec(), violation)?.shown? else { return None };
        users().any(|user| user == to).then_some((to, None))
    }

    /// The transactions, the last of which is made twice with half of its amounts; none if it has no amounts. Whoever is called back in
    /// the second has something already.
    fn in_two(&self, transactions: &[Transaction], person: Address, answer: Option<U256>) -> Option<Vec<Transaction>> {
        let (last, first) = transactions.split_last()?;
        let mut half = Transaction { value: last.value / U256::from(2), ..last.clone() };
        self.set_amounts(&mut half, |amount| amount / U256::from(2));
        let before = accepting(&half, person, answer);
        (half != *last).then(|| [first, &[before, half]].concat())
    }

    /// What somebody may do who is called in the last transaction, and under whose address these amounts are held.
    pub(super) fn deeds(&self, transactions: &[Transaction], person: Address, held: &[U256]) -> Vec<Deed> {
        let other = users().rfind(|user| *user != person);
        let Some((outer, accomplice)) = transactions.last().zip(other) else { return Vec::new() };
        let open = OpenCall {
            harness: self.harness,
            outer,
            before: self.last.as_ref().map(|last| &last.before),
            person,
            accomplice,
            paid_in: transactions.iter().map(|transaction| transaction.value).max().unwrap_or_default(),
            held,
            made: self.made,
        };
        let calls = open.calls_back().into_iter().chain(open.paying_calls_back());
        std::iter::once(Deed::Repeat).chain(calls.map(|call| Deed::Call(Box::new(call)))).collect()
    }

    /// Whether somebody who calls back is ahead of all that the same calls come to otherwise.
    fn is_ahead(&mut self, attempt: &[Transaction], person: Address, violation: &Violation) -> bool {
        let Some(ended) = self.end(attempt.to_vec(), violation).filter(|ended| ended.shown.is_some()) else {
            return false;
        };
        let Some(last) = attempt.last() else { return false };
        let preimages = self.preimages(&ended.before, last);
        let books = Books { preimages, person };
        let (before, after) = (&ended.before, &ended.after);
        let (changed, owned) = (books.changed(before, after), books.owned(before, after));
        let wealth = |ended: &Ended| ended.wealth(&[person]);
        let is_as_good = |other: &Ended| {
            let others = books.changed(before, &other.after);
            let mut words = changed.iter().chain(&others);
            let owns = |(account, slot): &(Address, U256)| names(other.after.slot(*account, *slot), person);
            wealth(other) >= wealth(&ended)
                && words.all(|(account, slot)| other.after.slot(*account, *slot) >= after.slot(*account, *slot))
                && owned.iter().all(owns)
        };
        let is_raised = |(account, slot): &(Address, U256)| after.slot(*account, *slot) > before.slot(*account, *slot);
        let is_for_nothing =
            before.balance(person) >= wealth(&ended) && owned.is_empty() && !changed.iter().any(is_raised);
        let is_paid_for = wealth(&ended) < before.balance(person) || any_is_less(&changed, before, after);
        if is_paid_for && !self.succeeds_without_call_back(attempt, attempt.len() - 1, violation) {
            return false;
        }
        !is_for_nothing && !self.without_reentry(attempt, person, violation).iter().any(is_as_good)
    }

    /// How the same calls end one after the other, in both orders, and each alone.
    fn without_reentry(&mut self, attempt: &[Transaction], person: Address, violation: &Violation) -> Vec<Ended> {
        let Some((last, first)) = attempt.split_last() else { return Vec::new() };
        let answer = last.reaction.as_deref().and_then(|reaction| reaction.answer);
        let accepting = |transaction: &Transaction| accepting(transaction, person, answer);
        let outer = accepting(last);
        let inner = match last.reaction.as_deref().map(|reaction| &reaction.deed) {
            Some(Deed::Call(call)) => (**call).clone(),
            _ => outer.clone(),
        };
        let inner = Transaction { sender: person, env: Default::default(), ..inner };
        let for_outer = made_for(self.harness, outer.sender, &Transaction { reaction: None, ..inner.clone() });
        let mut runs = vec![vec![outer.clone()]];
        for inner in std::iter::once(accepting(&inner)).chain(for_outer) {
            runs.extend([vec![outer.clone(), inner.clone()], vec![inner.clone(), outer.clone()], vec![inner]]);
        }
        runs.into_iter().filter_map(|run| self.end([first, &run].concat(), violation)).collect()
    }
}
