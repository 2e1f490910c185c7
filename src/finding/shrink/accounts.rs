//! Who is who in a sequence that is made simple: as few people as possible, the first ones first.

use super::{Attempt, caller::Caller, together::is_address};
use crate::{
    input::{CallTable, Field, Sequence},
    world::is_deployer,
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeSet;

/// An account that nobody has, for as long as two others change places.
const NOBODY: Address = Address::new([0xee; 20]);

/// Where accounts are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Everywhere.
    Whole,
    /// In arguments.
    Arguments,
}

impl Part {
    fn has(self, field: &Field) -> bool {
        self == Self::Whole || matches!(field, Field::Argument { .. })
    }
}

impl<F: FnMut(&Sequence) -> Option<bool>> Attempt<'_, F> {
    /// Replaces an account by another one everywhere: a sender and an address in an argument may have to be equal. Where there have to
    /// be two, the one who comes first gets the first name.
    pub(super) fn rename_accounts(&mut self) {
        let accounts = self.harness.senders();
        for (index, from) in accounts.iter().enumerate().rev() {
            for to in &accounts[..index] {
                if self.may_be(*from, *to) && self.keep(self.renamed(Part::Whole, *from, *to)) {
                    break;
                }
            }
        }
        self.rename_passed();
        for part in [Part::Whole, Part::Arguments] {
            for (index, earlier) in accounts.iter().enumerate() {
                for later in &accounts[index + 1..] {
                    let mut mentioned = self.mentioned(part).into_iter();
                    let is_later = mentioned.find(|account| account == earlier || account == later) == Some(*later);
                    if is_later && self.may_be(*later, *earlier) && self.may_be(*earlier, *later) {
                        self.keep(self.swapped(part, *earlier, *later));
                    }
                }
            }
        }
    }

    /// Whether somebody may be somebody else: who reacts to a call has no role.
    fn may_be(&self, from: Address, to: Address) -> bool {
        let mut reactions = self.best.transactions.iter().filter_map(|transaction| transaction.reaction.as_ref());
        !is_deployer(to) || !reactions.any(|reaction| reaction.account == from)
    }

    /// Replaces an address that is passed in several places by an account, wherever it is passed.
    fn rename_passed(&mut self) {
        let accounts = self.harness.senders();
        let passed = self.mentioned(Part::Arguments);
        let is_repeated = |address: &Address| passed.iter().filter(|other| *other == address).count() > 1;
        let repeated: BTreeSet<Address> = passed.iter().filter(|address| is_repeated(address)).copied().collect();
        for from in repeated {
            for to in accounts.iter().take_while(|to| **to != from) {
                if self.keep(self.renamed(Part::Arguments, from, *to)) {
                    break;
                }
            }
        }
    }

    /// The addresses in the calls, in order, each as often as it is there.
    fn mentioned(&self, part: Part) -> Vec<Address> {
        let calls = &self.harness.calls;
        let mut all = Vec::new();
        for transaction in &self.best.transactions {
            for caller in [Caller::Sender, Caller::Called] {
                let Some(call) = caller.call(transaction) else { continue };
                let words = call.words(calls).into_iter().filter(|(field, _)| part.has(field));
                let addresses = words.filter(|(field, _)| is_address(call, calls, field));
                all.extend(addresses.map(|(_, word)| Address::from_word(word.into())));
            }
            let reaction = transaction.reaction.as_ref().filter(|_| part == Part::Whole);
            all.extend(reaction.map(|reaction| reaction.account));
        }
        all
    }

    /// The best candidate with an address replaced by another one.
    fn renamed(&self, part: Part, from: Address, to: Address) -> Sequence {
        renamed(&self.best, &self.harness.calls, part, from, to)
    }

    /// The best candidate with two accounts in each other's place.
    fn swapped(&self, part: Part, one: Address, other: Address) -> Sequence {
        let turns = [(other, NOBODY), (one, other), (NOBODY, one)];
        turns
            .into_iter()
            .fold(self.best.clone(), |sequence, (from, to)| renamed(&sequence, &self.harness.calls, part, from, to))
    }

    /// Calls contracts that runs created earlier in the place of later ones, so that what created those is not needed.
    pub(super) fn rename_created(&mut self) {
        let called: BTreeSet<Address> = self.best.transactions.iter().filter_map(|call| call.at).collect();
        if called.is_empty() {
            return;
        }
        let mut created = Vec::new();
        self.harness.run(&mut self.harness.executor(), &self.best, |step| created = step.after.created().collect());
        created.reverse();
        for from in called {
            for to in created.clone().into_iter().take_while(|to| *to != from) {
                let mut candidate = self.renamed(Part::Whole, from, to);
                for call in candidate.transactions.iter_mut().filter(|call| call.at == Some(from)) {
                    call.at = Some(to);
                }
                if self.keep(candidate) {
                    break;
                }
            }
        }
    }
}

/// A sequence with an address replaced by another one, also in the calls of who is called.
fn renamed(sequence: &Sequence, calls: &CallTable, part: Part, from: Address, to: Address) -> Sequence {
    let mut sequence = sequence.clone();
    let [was, is] = [from, to].map(|address| U256::from_be_slice(address.as_slice()));
    for transaction in &mut sequence.transactions {
        let reaction = transaction.reaction.as_mut().filter(|_| part == Part::Whole);
        if let Some(reaction) = reaction.filter(|reaction| reaction.account == from) {
            reaction.account = to;
        }
        for caller in [Caller::Sender, Caller::Called] {
            let Some(call) = caller.call_mut(transaction) else { continue };
            let function = calls.function(call.call);
            for (field, word) in call.words(calls) {
                if word == was && part.has(&field) {
                    call.set_word(function, &field, is);
                }
            }
        }
    }
    sequence
}
