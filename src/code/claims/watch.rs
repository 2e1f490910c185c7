//! A [`SlotWatch`] is what is looked at while a program runs: the instructions that may write where two things are kept, and those slots.

use super::owner::ProgramClaims;
use crate::code::layout::{Derivation, DerivationStep, MAX_STEPS};
use alloy_primitives::{U256, keccak256};

/// Slots between a hash and what is meant that are taken to belong to it, at most; chosen by hand. Lists may be long, and hashes are further
/// from each other.
const MAX_DISTANCE: u32 = 1 << 20;
/// Contested slots of which it is looked up whether a list is in them; chosen by hand.
const MAX_LISTS: u64 = 64;

/// Slots from the first to the last.
pub(super) type SlotRange = (U256, U256);

/// A hash that was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashedSlot {
    /// The hash.
    pub hash: U256,
    /// The last word of what was hashed.
    pub parent: U256,
    /// Whether something stood before it.
    pub has_key: bool,
    /// Whether the code computes it by itself, and not the compiler for a mapping or a list.
    pub by_hand: bool,
}

/// What is looked at while a program runs.
#[derive(Debug, Default)]
pub struct SlotWatch {
    /// Whether an SSTORE or a TSTORE at a byte offset is looked at.
    pub(super) sites: Vec<bool>,
    /// Whether a KECCAK256 at a byte offset is computed by the code itself.
    pub(super) by_hand: Vec<bool>,
    /// The slots that two have.
    pub(super) contested: Vec<SlotRange>,
    /// The same in transient storage.
    pub(super) transient: Vec<SlotRange>,
    /// The slots of variables that a hash computed by hand should not lead to.
    pub(super) roots: Vec<SlotRange>,
    /// The hashes of contested slots, each with its slot: the compiler may have computed where a list begins.
    pub(super) lists: Vec<HashedSlot>,
    /// What the code says.
    pub(super) claims: ProgramClaims,
}

impl SlotWatch {
    /// What the code says.
    pub fn claims(&self) -> &ProgramClaims {
        &self.claims
    }

    /// Whether a write at a byte offset is looked at.
    #[inline]
    pub fn looks_at(&self, pc: usize) -> bool {
        self.sites.get(pc).copied().unwrap_or(false)
    }

    /// Whether the code computes the hash at a byte offset by itself.
    pub fn is_by_hand(&self, pc: usize) -> bool {
        self.by_hand.get(pc).copied().unwrap_or(false)
    }

    /// Whether a transaction may write to transient slots that two have.
    pub fn looks_at_transient(&self) -> bool {
        !self.transient.is_empty()
    }

    /// Whether two have a slot.
    pub fn is_contested(&self, slot: U256, is_transient: bool) -> bool {
        is_in(if is_transient { &self.transient } else { &self.contested }, slot)
    }

    /// How a slot was hashed from one that two have, given the hashes that were computed, and whether the last hash was computed by hand.
    pub fn derive(&self, slot: U256, hashes: &[HashedSlot]) -> Option<(Derivation, bool)> {
        let is_root = |at, by_hand| is_in(&self.contested, at) || (by_hand && is_in(&self.roots, at));
        derivation_of(slot, hashes.iter().rev().chain(&self.lists), is_root)
    }

    /// Computes where the lists begin that may be in contested slots.
    pub(super) fn find_lists(&mut self) {
        let of_range = |(first, last): &SlotRange| {
            let count = last.wrapping_sub(*first).saturating_to::<u64>().min(MAX_LISTS);
            let first = *first;
            (0..=count).map(move |at| first.wrapping_add(U256::from(at)))
        };
        let list = |parent: U256| HashedSlot {
            hash: U256::from_be_bytes(keccak256(parent.to_be_bytes::<32>()).0),
            parent,
            has_key: false,
            by_hand: false,
        };
        self.lists = self.contested.iter().flat_map(of_range).take(MAX_LISTS as usize).map(list).collect();
    }
}

/// How a slot was hashed from one that is looked for, given the hashes that were computed, and whether the last hash was computed by
/// hand, which decides what is looked for as well.
pub fn derivation_of<'a>(
    slot: U256,
    hashes: impl Iterator<Item = &'a HashedSlot> + Clone,
    is_root: impl Fn(U256, bool) -> bool,
) -> Option<(Derivation, bool)> {
    let (mut at, mut steps, mut by_hand) = (slot, Vec::new(), None);
    while steps.len() < MAX_STEPS {
        let distance = |known: &HashedSlot| u32::try_from(at.wrapping_sub(known.hash)).ok();
        let leads_there = |known: &&HashedSlot| distance(known).is_some_and(|distance| distance < MAX_DISTANCE);
        let known = hashes.clone().find(leads_there)?;
        steps.push(DerivationStep { has_key: known.has_key, distance: distance(known)? });
        let last_by_hand = *by_hand.get_or_insert(known.by_hand);
        at = known.parent;
        if is_root(at, last_by_hand) {
            let mut derivation = Derivation { root: at, steps: [None; MAX_STEPS] };
            for (to, step) in derivation.steps.iter_mut().zip(steps.into_iter().rev()) {
                *to = Some(step);
            }
            return Some((derivation, last_by_hand));
        }
    }
    None
}

fn is_in(ranges: &[SlotRange], slot: U256) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&slot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_followed_to_where_it_was_hashed_from() {
        let word = U256::from::<u64>;
        let hashed = |hash: u64, parent: u64, has_key, by_hand| HashedSlot {
            hash: word(hash),
            parent: word(parent),
            has_key,
            by_hand,
        };
        let far = 1 << 30;
        let watch =
            SlotWatch { contested: vec![(word(3), word(4))], roots: vec![(word(7), word(7))], ..SlotWatch::default() };
        let hashes = [
            hashed(far, 4, true, false),
            hashed(2 * far, far + 5, false, false),
            hashed(3 * far, 7, true, true),
            hashed(4 * far, 7, true, false),
            hashed(5 * far, 9, true, true),
        ];
        let told = |slot: u64| {
            let (derivation, by_hand) = watch.derive(word(slot), &hashes)?;
            let steps = derivation.steps.iter().flatten().map(|step| (step.has_key, step.distance));
            Some((derivation.root.to::<u64>(), steps.collect::<Vec<_>>(), by_hand))
        };
        assert_eq!(told(far), Some((4, vec![(true, 0)], false)));
        assert_eq!(told(2 * far + 1), Some((4, vec![(true, 5), (false, 1)], false)));
        assert_eq!(told(3 * far), Some((7, vec![(true, 0)], true)));
        assert_eq!(told(4 * far), None, "the compiler computes it");
        assert_eq!(told(5 * far), None, "nobody else is there");
        assert_eq!(told(far / 2), None);
        assert_eq!(told(4), None);
    }
}
