//! [`Keys`] are what later calls can name of an earlier one: the ids that it returned, and the hashes under which it kept
//! something.

use crate::evm::Preimage;
use alloy_primitives::{B256, U256};
use std::collections::BTreeSet;

/// Words that are kept of one transaction; chosen by hand.
const MAX_WORDS: usize = 8;
/// Words of the arguments in one hash, from which on they are a key together.
const SEVERAL: usize = 2;

/// What later calls can name of a transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    /// Words that it returned, and hashes that a mapping is keyed by.
    pub words: Box<[U256]>,
    /// Whether it hashed its arguments together, as for an order or a proposal that is known by all of its fields.
    pub hashes_arguments: bool,
}

impl Keys {
    /// The keys of a transaction with these words as `arguments`, which computed hashes.
    pub fn new(arguments: &[U256], preimages: &[Preimage]) -> Self {
        let hashes: BTreeSet<B256> = preimages.iter().map(|preimage| preimage.hash).collect();
        // A mapping's slot is the hash of a key and a slot.
        let keyed_by = |preimage: &Preimage| {
            let key = preimage.bytes.get(..32).filter(|_| preimage.bytes.len() == 64)?;
            hashes.contains(key).then(|| U256::from_be_slice(key))
        };
        let mut seen = BTreeSet::new();
        let words = preimages.iter().filter_map(keyed_by).filter(|word| seen.insert(*word)).take(MAX_WORDS).collect();
        let of_arguments: BTreeSet<U256> = arguments.iter().copied().filter(|word| !word.is_zero()).collect();
        let hashes_several = |preimage: &Preimage| {
            let hashed = preimage.bytes.chunks_exact(32).map(U256::from_be_slice);
            let hashed: BTreeSet<U256> = hashed.filter(|word| of_arguments.contains(word)).collect();
            hashed.len() >= SEVERAL
        };
        Self { words, hashes_arguments: preimages.iter().any(hashes_several) }
    }

    /// The same keys, with words that the transaction returned.
    #[must_use]
    pub fn with_returned(self, returned: impl IntoIterator<Item = U256>) -> Self {
        Self { words: self.words.into_iter().chain(returned).take(MAX_WORDS).collect(), ..self }
    }

    /// The bytes that they take beside themselves.
    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::keccak256;

    fn hashed(words: &[U256]) -> Preimage {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes::<32>()).collect();
        Preimage { hash: keccak256(&bytes), bytes }
    }

    #[test]
    fn an_order_is_known_by_its_hash_and_by_its_fields() {
        let [maker, price, slot] = [7_u64, 900, 3].map(U256::from);
        let order = hashed(&[maker, price]);
        let id = U256::from_be_bytes(order.hash.0);
        let keys = Keys::new(&[maker, price], &[order, hashed(&[id, slot])]);
        assert_eq!(keys, Keys { words: [id].into(), hashes_arguments: true });
    }

    #[test]
    fn a_balance_is_known_by_neither() {
        let [holder, amount, slot] = [7_u64, 900, 3].map(U256::from);
        let keys = Keys::new(&[holder, amount], &[hashed(&[holder, slot])]);
        assert_eq!(keys.with_returned([U256::ONE]), Keys { words: [U256::ONE].into(), hashes_arguments: false });
    }

    #[test]
    fn of_an_allowance_the_inner_slot_is_no_key() {
        let [owner, spender, slot] = [7_u64, 8, 3].map(U256::from);
        let inner = hashed(&[owner, slot]);
        let outer = hashed(&[spender, U256::from_be_bytes(inner.hash.0)]);
        assert_eq!(Keys::new(&[spender], &[inner, outer]), Keys::default());
    }
}
