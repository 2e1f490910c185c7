//! A [`PlacedWrite`] is a write to a slot that two have, by code that says by itself where it writes.

use crate::code::Derivation;
use alloy_primitives::{Address, U256};

/// A write that changes a slot which two have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlacedWrite {
    /// Whose storage.
    pub account: Address,
    /// The slot.
    pub slot: U256,
    /// Whether it is in transient storage.
    pub is_transient: bool,
    /// The word before.
    pub before: U256,
    /// The word that is stored.
    pub after: U256,
    /// How the slot was hashed, if it is within a mapping or a list.
    pub derivation: Option<Derivation>,
    /// Whether the code computed the last hash by itself.
    pub by_hand: bool,
}

impl PlacedWrite {
    /// The bits that it changes.
    pub fn changed(&self) -> U256 {
        self.before ^ self.after
    }

    /// Whether it writes to the same place: the same slot, or another value of the same mapping or list.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let place = |write: &Self| (write.account, write.is_transient, write.derivation, write.by_hand);
        place(self) == place(other) && (self.derivation.is_some() || self.slot == other.slot)
    }

    /// Any such write.
    pub(super) fn any() -> Self {
        Self {
            account: Address::ZERO,
            slot: U256::ZERO,
            is_transient: false,
            before: U256::ZERO,
            after: U256::ZERO,
            derivation: None,
            by_hand: false,
        }
    }
}
