//! [`AbstractStorage`] are what is known of storage, or of transient storage: words at slots, and whether every other slot still
//! holds what it held when the frame began.

use super::domain::{Inputs, Word, Words};

/// More slots than this are not kept.
const MAX_TRACKED_SLOTS: usize = 64;

/// Storage of the account that a frame works on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct AbstractStorage {
    /// Whether constant slots that are not here hold what they held at the beginning.
    fresh: bool,
    /// Sorted by slot. A slot that is no constant is only here while nothing was written that it could be.
    words: Vec<(Word, Word)>,
}

impl AbstractStorage {
    /// As a frame finds it: nothing is known, but what is read twice is the same.
    pub(super) fn fresh() -> Self {
        Self { fresh: true, words: Vec::new() }
    }

    /// Words that are known, by slot.
    pub(super) fn words(&self) -> &[(Word, Word)] {
        &self.words
    }

    /// The word in a slot: none if it is not known, and then [`AbstractStorage::name`] gives it an identity. `byte` is SLOAD or TLOAD.
    pub(super) fn read(&self, words: &mut Words, byte: u8, slot: Word) -> Option<Word> {
        if let Ok(at) = self.words.binary_search_by_key(&slot, |(slot, _)| *slot) {
            return Some(self.words[at].1);
        }
        // A slot that is not known may be any of those that were written.
        let untouched = self.fresh && (words.value(slot).is_some() || self.words.is_empty());
        if untouched { words.made(byte, Inputs::One(slot)) } else { None }
    }

    /// Gives what was read an identity.
    pub(super) fn name(&mut self, slot: Word, word: Word) {
        if self.words.len() < MAX_TRACKED_SLOTS
            && let Err(at) = self.words.binary_search_by_key(&slot, |(slot, _)| *slot)
        {
            self.words.insert(at, (slot, word));
        }
    }

    /// Writes a word. A slot that is not known may be any slot.
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

    /// Anything may have been written anywhere.
    pub(super) fn forget(&mut self) {
        (self.fresh, self.words) = (false, Vec::new());
    }

    /// Constant slots alone, each word replaced.
    pub(super) fn map(&self, mut keep: impl FnMut(Word) -> bool, mut f: impl FnMut(Word) -> Word) -> Self {
        let kept = self.words.iter().filter(|(slot, _)| keep(*slot));
        Self { fresh: self.fresh, words: kept.map(|(slot, word)| (*slot, f(*word))).collect() }
    }

    /// What is known of both, both with constant slots alone.
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
