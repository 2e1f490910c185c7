//! A [`Dictionary`] holds values that a contract treats specially: from its code, its source, and the comparisons of its runs.
//! It stores what it is given and draws from it. It does not look at code or runs itself.

use std::collections::BTreeSet;

use alloy_primitives::{Address, U256};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::nudge::nudge;

/// Words that are kept in all; chosen by hand. Constants are kept even beyond it. A learned word replaces the oldest one.
pub const CAPACITY: usize = 4_096;

/// Learned words that are kept even if constants alone fill the dictionary; chosen by hand.
const LEAST_LEARNED: usize = 256;

/// Strings that are kept, and byte strings, and addresses; chosen by hand.
const MAX_OTHERS: usize = 512;

/// A set of special values. It does not depend on the order in which constants are added.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    constants: Vec<U256>,
    learned: Vec<U256>,
    oldest: usize,
    known: BTreeSet<U256>,
    strings: Vec<String>,
    bytes: Vec<Vec<u8>>,
    addresses: Vec<Address>,
    /// One of them that takes no part in the world: nothing is made with it.
    stranger: Option<Address>,
}

impl Dictionary {
    /// A dictionary of the constants of a contract.
    pub fn from_words(words: impl IntoIterator<Item = U256>) -> Self {
        let known: BTreeSet<U256> = words.into_iter().collect();
        Self { constants: known.iter().copied().collect(), known, ..Self::default() }
    }

    /// Adds a word learned at run time, such as the operand of a comparison; tells whether it is new. A full
    /// dictionary forgets the word that was learned first.
    pub fn insert(&mut self, word: U256) -> bool {
        if !self.known.insert(word) {
            return false;
        }
        let room = CAPACITY.saturating_sub(self.constants.len()).max(LEAST_LEARNED);
        if self.learned.len() < room {
            self.learned.push(word);
        } else {
            let forgotten = std::mem::replace(&mut self.learned[self.oldest], word);
            self.known.remove(&forgotten);
            self.oldest = (self.oldest + 1) % room;
        }
        true
    }

    /// Adds a string literal; tells whether it is new and was kept.
    pub fn insert_string(&mut self, string: impl Into<String>) -> bool {
        insert_sorted(&mut self.strings, string.into())
    }

    /// Adds a byte string (a hex literal, calldata); tells whether it is new and was kept.
    pub fn insert_bytes(&mut self, bytes: impl Into<Vec<u8>>) -> bool {
        insert_sorted(&mut self.bytes, bytes.into())
    }

    /// Adds an address that the contract mentions; tells whether it is new and was kept.
    pub fn insert_address(&mut self, address: Address) -> bool {
        insert_sorted(&mut self.addresses, address)
    }

    /// A word, or sometimes one of its neighbours. Constants and learned words are drawn equally often, whatever their numbers.
    pub fn choose<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<U256> {
        let word = self.choose_exact(rng)?;
        Some(nudge(rng, word))
    }

    /// A word, exactly as it was added.
    pub fn choose_exact<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<U256> {
        let constants = match (self.constants.is_empty(), self.learned.is_empty()) {
            (false, false) => rng.random(),
            (_, none_learned) => none_learned,
        };
        if constants { &self.constants } else { &self.learned }.choose(rng).copied()
    }

    /// A string.
    pub fn choose_string<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<&str> {
        self.strings.choose(rng).map(String::as_str)
    }

    /// A byte string.
    pub fn choose_bytes<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<&[u8]> {
        self.bytes.choose(rng).map(Vec::as_slice)
    }

    /// Adds the address of somebody who takes no part in the world.
    pub fn insert_stranger(&mut self, address: Address) {
        self.insert_address(address);
        self.stranger = Some(address);
    }

    /// An address; not that of the stranger for what is `strict`, as deployments are: a world made with them would be none.
    pub fn choose_address<R: Rng + ?Sized>(&self, rng: &mut R, strict: bool) -> Option<Address> {
        match self.stranger.filter(|_| strict) {
            None => self.addresses.choose(rng).copied(),
            Some(stranger) => {
                let known: Vec<Address> = self.addresses.iter().copied().filter(|known| *known != stranger).collect();
                known.choose(rng).copied()
            }
        }
    }

    /// Whether a word is in it.
    #[must_use]
    pub fn contains(&self, word: U256) -> bool {
        self.known.contains(&word)
    }

    /// All its words in ascending order.
    pub fn words(&self) -> impl Iterator<Item = U256> + '_ {
        self.known.iter().copied()
    }

    /// The number of words that it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether it holds no word.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

/// Inserts into a sorted, bounded set.
fn insert_sorted<T: Ord>(set: &mut Vec<T>, item: T) -> bool {
    match set.binary_search(&item) {
        Err(at) if set.len() < MAX_OTHERS => {
            set.insert(at, item);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn constants_are_a_set_and_stay() {
        let mut dictionary = Dictionary::from_words([7, 3, 7].map(U256::from));
        assert!(!dictionary.insert(U256::from(3)));
        for word in 100..10_000u32 {
            dictionary.insert(U256::from(word));
        }
        assert_eq!(dictionary.len(), CAPACITY);
        assert!(dictionary.contains(U256::from(7)) && dictionary.contains(U256::from(9_999)));
        assert!(!dictionary.contains(U256::from(100)), "the first that was learned is the first to go");
        assert_eq!(dictionary.words().next(), Some(U256::from(3)));
    }

    #[test]
    fn neighbours_come_up() {
        let dictionary = Dictionary::from_words([U256::from(100)]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let drawn: BTreeSet<_> = (0..100).filter_map(|_| dictionary.choose(&mut rng)).collect();
        assert_eq!(drawn, BTreeSet::from([99, 100, 101].map(U256::from)));
        assert_eq!(Dictionary::default().choose(&mut rng), None);
    }
}
