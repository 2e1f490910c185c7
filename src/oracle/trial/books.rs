//! [`Books`] are what the contracts keep of somebody: under a key with their address in it, and wherever they are named.

use super::confirmed::Trial;
use crate::evm::{Preimage, Snapshot};
use alloy_primitives::{Address, U256};

/// Members of a struct under a key that are looked at; chosen by hand.
const MAX_MEMBERS: u64 = 16;

/// Amounts of somebody that are tried where they call back, at most; chosen by hand.
const MAX_HELD: usize = 2;
/// Bits of an amount at most: what is longer is no number of anything. Chosen by hand.
const MAX_BITS: usize = 128;

impl Trial<'_> {
    /// Amounts that the contracts keep under somebody's address where the last call looks, before it.
    pub(super) fn held(&mut self, person: Address) -> Vec<U256> {
        let Some((before, last)) = self.last.as_ref().map(|last| (last.before.clone(), last.transaction.clone()))
        else {
            return Vec::new();
        };
        let preimages = self.preimages(&before, &last);
        let deployed = self.harness.calls.instances().iter().map(|instance| instance.address);
        let contracts: Vec<Address> = deployed.chain(before.created()).collect();
        let own = preimages.iter().filter(|preimage| has_part(&preimage.bytes, person.as_slice()));
        let words = own.flat_map(|preimage| {
            let slot = U256::from_be_bytes(preimage.hash.0);
            contracts.iter().map(|contract| before.slot(*contract, slot)).collect::<Vec<_>>()
        });
        let mut held: Vec<U256> = words.filter(|word| !word.is_zero() && word.bit_len() <= MAX_BITS).collect();
        held.sort_unstable();
        held.dedup();
        held.truncate(MAX_HELD);
        held
    }
}

/// What the contracts keep of somebody.
pub(super) struct Books {
    /// The inputs of the hashes that are computed where they call back.
    pub(super) preimages: Vec<Preimage>,
    pub(super) person: Address,
}

impl Books {
    /// The slots of words under their address that are not the same in two states.
    pub(super) fn changed(&self, before: &Snapshot, after: &Snapshot) -> Vec<(Address, U256)> {
        let changes = before.changes(after).into_iter();
        let own = changes.filter(|(account, slot, ..)| {
            *account != self.person && is_kept_under(self.person, *slot, &self.preimages)
        });
        own.map(|(account, slot, ..)| (account, slot)).collect()
    }

    /// The slots that name them afterwards and did not before, as a token does whose owner they are now.
    pub(super) fn owned(&self, before: &Snapshot, after: &Snapshot) -> Vec<(Address, U256)> {
        let changes = before.changes(after).into_iter();
        let owned = changes.filter(|(account, _, was, is)| {
            *account != self.person && names(*is, self.person) && !names(*was, self.person)
        });
        owned.map(|(account, slot, ..)| (account, slot)).collect()
    }
}

/// Whether a slot is that of a key with an account in it, or that of a member of what is kept there.
pub(super) fn is_kept_under(account: Address, slot: U256, preimages: &[Preimage]) -> bool {
    let near = |hash: U256| slot.checked_sub(hash).is_some_and(|distance| distance < U256::from(MAX_MEMBERS));
    let mut hashes = preimages.iter().filter(|preimage| near(U256::from_be_bytes(preimage.hash.0)));
    hashes.any(|preimage| has_part(&preimage.bytes, account.as_slice()))
}

/// Whether any of these words is smaller afterwards.
pub(super) fn any_is_less(words: &[(Address, U256)], before: &Snapshot, after: &Snapshot) -> bool {
    words.iter().any(|(account, slot)| after.slot(*account, *slot) < before.slot(*account, *slot))
}

/// Whether a word is somebody's address, whatever is packed in front of it.
pub(super) fn names(word: U256, person: Address) -> bool {
    word.to_be_bytes::<32>()[12..] == person[..]
}

/// Whether bytes have other bytes in them.
pub(super) fn has_part(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
