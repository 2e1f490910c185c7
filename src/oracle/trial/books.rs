//! [`Books`] are what the contracts keep of somebody: under a key with their address in it, and wherever they are named.

use crate::evm::{Preimage, Snapshot};
use alloy_primitives::{Address, U256};

/// Members of a struct under a key that are looked at; chosen by hand.
const MAX_MEMBERS: u64 = 16;

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
    hashes.any(|preimage| preimage.bytes.windows(20).any(|part| part == account.as_slice()))
}

/// Whether a word is somebody's address, whatever is packed in front of it.
pub(super) fn names(word: U256, person: Address) -> bool {
    word.to_be_bytes::<32>()[12..] == person[..]
}
