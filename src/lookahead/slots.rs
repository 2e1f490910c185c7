//! [`AbstractStorage`] is the known part of storage, or of transient storage: words at slots, and whether every other slot
//! still holds what it held when the frame began.

use super::domain::{Inputs, Word, Words};

/// Slots that are tracked of one state; chosen by hand.
const MAX_TRACKED_SLOTS: usize = 64;

/// The storage of the account that a frame works on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct AbstractStorage {
    /// Whether constant slots that are not listed hold what they held at the beginning.
    fresh: bool,
    /// Words by slot, sorted. A slot that is not constant is listed only until something is written that may be the same slot.
    words: Vec<(Word, Word)>,
}

impl AbstractStorage {
    /// The storage at the beginning of a frame: no word is known, but two reads of the same slot are equal.
    pub(super) fn fresh() -> Self {
        Self { fresh: true, words: Vec::new() }
    }

    /// Words that are known, by slot.
    pub(super) fn words(&self) -> &[(Word, Word)] {
        &self.words
    }

    /// The word in a slot. `None` if it is not known; then [`AbstractStorage::name`] gives it an identity. `byte` is SLOAD or
    /// TLOAD.
    pub(super) fn read(&self, words: &mut Words, byte: u8, slot: Word) -> Option<Word> {
        if let Ok(at) = self.words.binary_search_by_key(&slot, |(slot, _)| *slot) {
            return Some(self.words[at].1);
        }
        // An unknown slot may be any of those that were written.
        let untouched = self.fresh && (words.value(slot).is_some() || self.words.is_empty());
        if untouched { words.made(byte, Inputs::One(slot)) } else { None }
    }

    /// Gives an identity to the word that was read from a slot.
    pub(super) fn name(&mut self, slot: Word, word: Word) {
        if self.words.len() < MAX_TRACKED_SLOTS
            && let Err(at) = self.words.binary_search_by_key(&slot, |(slot, _)| *slot)
        {
            self.words.insert(at, (slot, word));
        }
    }

    /// Writes a word. An unknown slot may be any slot.
    pub(super) fn write(&mut self, words: &Words, slot: Word, word: Word) {
        if words.value(slot).is_none() {
            self.forget();
        } else {
            self.words.retain(|(other, _)| words.value(*other).is_some() && *other != slot);
            if self.words.len() >= MAX_TRACKED_SLOTS {
                self.forget();
            }
        }
        self.name(slot, word);
    }

    /// Forgets everything: any slot may have been written.
    pub(super) fn forget(&mut self) {
        (self.fresh, self.words) = (false, Vec::new());
    }

    /// The constant slots that `keep` accepts, each word replaced.
    pub(super) fn map(&self, mut keep: impl FnMut(Word) -> bool, mut f: impl FnMut(Word) -> Word) -> Self {
        let kept = self.words.iter().filter(|(slot, _)| keep(*slot));
        Self { fresh: self.fresh, words: kept.map(|(slot, word)| (*slot, f(*word))).collect() }
    }

    /// The facts that hold in both, both with constant slots alone.
    pub(super) fn join(
        &self,
        other: &Self,
        words: &mut Words,
        byte: u8,
        mut join: impl FnMut(&mut Words, Word, Word) -> Word,
    ) -> Self {
        let mut slots: Vec<Word> = self.words.iter().chain(&other.words).map(|(slot, _)| *slot).collect();
        slots.sort_unstable();
        slots.dedup();
        let mut joined = Self { fresh: self.fresh && other.fresh, words: Vec::new() };
        for slot in slots {
            let (a, b) = (self.read(words, byte, slot), other.read(words, byte, slot));
            if let (Some(a), Some(b)) = (a, b) {
                let word = join(words, a, b);
                joined.words.push((slot, word));
            }
            // A slot that one of them does not know has only one side that is fresh, if any: it is not missed below.
        }
        joined
    }
}
