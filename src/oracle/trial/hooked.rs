//! Hooks: whoever is called by a function of theirs calls back, and has more under their name than they could have without.

use super::{calls_back::OpenCall, confirmed::Trial, ended::Ended};
use crate::{
    input::{Deed, Reaction, Transaction},
    oracle::violation::Violation,
    world::users,
};
use alloy_primitives::{Address, U256};

/// Members of a struct under a key that are looked at; chosen by hand.
const MAX_MEMBERS: u64 = 16;

impl Trial<'_> {
    /// The transactions in which somebody who is called back in the last one ends with more than they could have otherwise: no order of
    /// the same calls, with or without one of them, leaves them as much ether and as much of all that the contracts keep under their
    /// address.
    pub fn hooked(&mut self, violation: &Violation) -> Option<Vec<Transaction>> {
        let shown = self.sequence.transactions.clone();
        let (last, first) = shown.split_last()?;
        let reaction = last.reaction.as_deref()?;
        let (person, answer) = (reaction.account, reaction.answer);
        let plain = [first, &[Transaction { reaction: None, ..last.clone() }]].concat();
        let mut attempts = Vec::new();
        if !matches!(reaction.deed, Deed::Answer | Deed::Refuse) {
            attempts.push(shown.clone());
        }
        for base in self.about_all(&plain, person).into_iter().chain([plain]) {
            for deed in self.deeds(&base, person) {
                let mut attempt = base.clone();
                attempt.last_mut()?.reaction = Some(Box::new(Reaction { account: person, deed, answer }));
                attempts.push(attempt);
            }
        }
        attempts.into_iter().find(|attempt| self.is_ahead(attempt, person, violation))
    }

    /// What somebody may do who is called in the last transaction.
    fn deeds(&self, transactions: &[Transaction], person: Address) -> Vec<Deed> {
        let other = users().rfind(|user| *user != person);
        let Some((outer, accomplice)) = transactions.last().zip(other) else { return Vec::new() };
        let open = OpenCall {
            harness: self.harness,
            outer,
            before: self.last.as_ref().map(|last| &last.before),
            person,
            accomplice,
            paid_in: transactions.iter().map(|transaction| transaction.value).max().unwrap_or_default(),
        };
        let calls = open.calls_back().into_iter().chain(open.paying_calls_back());
        std::iter::once(Deed::Repeat).chain(calls.map(|call| Deed::Call(Box::new(call)))).collect()
    }

    /// Whether somebody who calls back is ahead of all that the same calls come to otherwise.
    fn is_ahead(&mut self, attempt: &[Transaction], person: Address, violation: &Violation) -> bool {
        let Some(ended) = self.end(attempt.to_vec(), violation).filter(|ended| ended.shown.is_some()) else {
            return false;
        };
        let books = self.books(&ended, attempt, person);
        if books.is_empty() {
            return false;
        }
        let wealth = |ended: &Ended| ended.wealth(&[person]);
        let is_as_good = |other: &Ended| {
            wealth(other) >= wealth(&ended)
                && books.iter().all(|(account, slot, word)| other.after.slot(*account, *slot) >= *word)
        };
        let is_for_nothing = ended.before.balance(person) >= wealth(&ended)
            && books.iter().all(|(account, slot, word)| ended.before.slot(*account, *slot) >= *word);
        !is_for_nothing && !self.without_reentry(attempt, person, violation).iter().any(is_as_good)
    }

    /// Words that are kept under somebody's address, and that the last transaction raised: account, slot and word.
    fn books(&mut self, ended: &Ended, attempt: &[Transaction], person: Address) -> Vec<(Address, U256, U256)> {
        let Some(last) = attempt.last() else { return Vec::new() };
        let preimages = self.preimages(&ended.before, last);
        let is_own = |slot: U256| {
            let near = |hash: U256| slot.checked_sub(hash).is_some_and(|distance| distance < U256::from(MAX_MEMBERS));
            let hashes = preimages.iter().filter(|preimage| near(U256::from_be_bytes(preimage.hash.0)));
            let names = |bytes: &[u8]| bytes.windows(20).any(|part| part == person.as_slice());
            hashes.map(|preimage| &preimage.bytes).any(|bytes| names(bytes))
        };
        let changes = ended.before.changes(&ended.after).into_iter();
        let raised = changes.filter(|(account, slot, was, is)| is > was && *account != person && is_own(*slot));
        raised.map(|(account, slot, _, is)| (account, slot, is)).collect()
    }

    /// How the same calls end one after the other, in both orders, and each alone.
    fn without_reentry(&mut self, attempt: &[Transaction], person: Address, violation: &Violation) -> Vec<Ended> {
        let Some((last, first)) = attempt.split_last() else { return Vec::new() };
        let answer = last.reaction.as_deref().and_then(|reaction| reaction.answer);
        let accepting = |transaction: &Transaction| Transaction {
            reaction: Some(Box::new(Reaction { account: person, deed: Deed::Answer, answer })),
            ..transaction.clone()
        };
        let outer = accepting(last);
        let inner = match last.reaction.as_deref().map(|reaction| &reaction.deed) {
            Some(Deed::Call(call)) => (**call).clone(),
            _ => outer.clone(),
        };
        let inner = accepting(&Transaction { sender: person, env: Default::default(), ..inner });
        let runs = [vec![outer.clone(), inner.clone()], vec![inner.clone(), outer.clone()], vec![outer], vec![inner]];
        runs.into_iter().filter_map(|run| self.end([first, &run].concat(), violation)).collect()
    }
}
