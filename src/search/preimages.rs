//! [`Preimages`] maps hashes to the bytes that were hashed.

use crate::{corpus::MemoryAccount, evm::Preimage};
use alloy_primitives::{U256, map::HashMap};
use std::sync::Arc;

/// Hashes whose preimages are kept; chosen by hand.
const MAX_HASHES: usize = 4096;

/// The preimage of each hash.
#[derive(Debug)]
pub(super) struct Preimages {
    pub(super) by_hash: HashMap<U256, Vec<u8>>,
    memory: Arc<MemoryAccount>,
}

impl Preimages {
    pub(super) fn new(memory: Arc<MemoryAccount>) -> Self {
        Self { by_hash: HashMap::default(), memory }
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.memory.refund_fixed(self.by_hash.values().map(|preimage| bytes(preimage)).sum());
        self.by_hash = HashMap::default();
    }

    /// Records preimages while there is room.
    pub(super) fn learn(&mut self, preimages: Vec<Preimage>) {
        for preimage in preimages {
            let hash: U256 = preimage.hash.into();
            let bytes = bytes(&preimage.bytes);
            if self.by_hash.len() < MAX_HASHES
                && !self.by_hash.contains_key(&hash)
                && self.memory.charge_fixed_if_light(bytes)
            {
                self.by_hash.insert(hash, preimage.bytes);
            }
        }
    }
}

/// The bytes that a hash and its preimage take.
fn bytes(preimage: &[u8]) -> u64 {
    (size_of::<(U256, Vec<u8>)>() + preimage.len()) as u64
}
