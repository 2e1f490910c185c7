//! People who change places in a sequence: each sends what the other sent, and is passed where the other was.

use alloy_primitives::{Address, U256};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::generate::Generator;
use super::transaction::Transaction;

impl Generator {
    /// Lets one of the senders of a sequence change places with somebody else who is there. Returns whether there is anybody else.
    pub fn change_places<R: Rng + ?Sized>(&self, rng: &mut R, transactions: &mut [Transaction]) -> bool {
        if transactions.is_empty() || self.calls.rules().bare.is_some() {
            return false;
        }
        let one = transactions[rng.random_range(0..transactions.len())].sender;
        let others: Vec<Address> = self.senders.iter().copied().filter(|sender| *sender != one).collect();
        let Some(other) = others.choose(rng).copied() else { return false };
        for transaction in transactions {
            self.swap(transaction, one, other);
        }
        true
    }

    /// Puts each of two accounts where the other one was: as the sender, as who reacts, and in the arguments, also of a call that is made
    /// back.
    fn swap(&self, transaction: &mut Transaction, one: Address, other: Address) {
        let swapped = |account: Address| match account {
            account if account == one => other,
            account if account == other => one,
            account => account,
        };
        transaction.sender = swapped(transaction.sender);
        if let Some(reaction) = &mut transaction.reaction {
            reaction.account = swapped(reaction.account);
        }
        if let Some(call) = transaction.call_back_mut() {
            self.swap(call, one, other);
        }
        let [one, other] = [one, other].map(|account| U256::from_be_slice(account.as_slice()));
        transaction.replace_arguments(&self.calls, |word| match word {
            word if word == one => Some(other),
            word if word == other => Some(one),
            _ => None,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::input::CallTable;

    const ALICE: Address = Address::repeat_byte(1);
    const BOB: Address = Address::repeat_byte(2);
    const CAROL: Address = Address::repeat_byte(3);

    /// Who sends which words after people changed places, where alice pays bob, bob pays carol, and these are there.
    fn paid(people: &[Address]) -> (bool, Vec<(Address, U256)>) {
        let calls = CallTable::sample(&["function pay(address to)"]);
        let generator = Generator::new(Arc::new(calls), people.to_vec(), people.to_vec());
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let call = generator.calls.calls()[0];
        let mut transactions = [(ALICE, BOB), (BOB, CAROL)].map(|(sender, to)| {
            let mut transaction = generator.transaction(&mut rng, call);
            let field = transaction.words(&generator.calls)[0].0.clone();
            transaction.set_word(generator.calls.function(call), &field, to.into_word().into());
            transaction.sender = sender;
            transaction
        });
        let changed = generator.change_places(&mut rng, &mut transactions);
        let all = transactions.iter().map(|transaction| (transaction.sender, transaction.words(&generator.calls)[0].1));
        (changed, all.collect())
    }

    #[test]
    fn two_people_change_places() {
        let word = |account: Address| U256::from_be_bytes(account.into_word().0);
        let (changed, paid) = paid(&[ALICE, BOB]);
        assert!(changed);
        assert_eq!(paid, [(BOB, word(ALICE)), (ALICE, word(CAROL))]);
    }

    #[test]
    fn who_is_alone_changes_places_with_nobody() {
        let (changed, _) = paid(&[]);
        assert!(!changed);
    }
}
