//! The known part of a frame's [`Memory`]: words at constant offsets, and the offset from which on nothing was written yet.

use super::domain::{Word, Words};
use alloy_primitives::U256;

/// Words that are tracked of one memory; chosen by hand.
const MAX_TRACKED_WORDS: usize = 128;
/// Bytes of a gap behind what was written before that a write fills with zeros; chosen by hand.
const MAX_GAP: u32 = 256;
/// The size beyond which no gas limit pays for memory.
pub(super) const END: u32 = 1 << 30;

/// The known content at an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    /// This word.
    Holds(Word),
    /// Nothing was written there.
    Untouched,
    /// Something that is not known.
    Unknown,
    /// Partly unknown.
    Mixed,
}

/// The memory of a frame.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Memory {
    /// Words by offset, sorted and without overlap.
    words: Vec<(u32, Word)>,
    /// From here on everything is zero; below, only `words` are known.
    top: u32,
}

impl Memory {
    /// The memory at the beginning of a frame.
    pub(super) fn empty() -> Self {
        Self { words: Vec::new(), top: 0 }
    }

    /// The first word that may overlap what starts at `offset`.
    fn first(&self, offset: u32) -> usize {
        self.words.partition_point(|(at, _)| at + 32 <= offset)
    }

    pub(super) fn load(&self, offset: u32) -> Cell {
        let first = self.first(offset);
        match self.words.get(first) {
            Some((at, word)) if *at == offset => Cell::Holds(*word),
            Some((at, _)) if *at < offset + 32 => Cell::Mixed,
            _ if offset >= self.top => Cell::Untouched,
            _ => Cell::Unknown,
        }
    }

    /// Bytes that are known, of `length` from `offset` on.
    pub(super) fn bytes(&self, words: &Words, offset: u32, length: u32) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length as usize);
        let end = offset + length;
        let mut at = offset;
        let mut next = self.first(offset);
        while at < end {
            match self.words.get(next) {
                Some((start, word)) if *start <= at => {
                    let value = words.value(*word)?.to_be_bytes::<32>();
                    let from = (at - start) as usize;
                    let count = (32 - from).min((end - at) as usize);
                    bytes.extend_from_slice(&value[from..from + count]);
                    at += count as u32;
                    next += 1;
                }
                other => {
                    if at < self.top {
                        return None;
                    }
                    let until = other.map_or(end, |(start, _)| (*start).min(end));
                    bytes.resize(bytes.len() + (until - at) as usize, 0);
                    at = until;
                }
            }
        }
        Some(bytes)
    }

    /// Writes a word.
    pub(super) fn store(&mut self, words: &mut Words, offset: u32, word: Word) {
        let gap = offset.saturating_sub(self.top);
        if gap > 0 && gap <= MAX_GAP && self.words.len() + (gap / 32) as usize <= MAX_TRACKED_WORDS {
            let zero = words.known(U256::ZERO);
            while self.top + 32 <= offset {
                let at = self.top;
                self.put(at, zero);
            }
        }
        self.put(offset, word);
    }

    fn put(&mut self, offset: u32, word: Word) {
        self.forget(offset, Some(32));
        if self.words.len() < MAX_TRACKED_WORDS {
            let at = self.words.partition_point(|(at, _)| *at < offset);
            self.words.insert(at, (offset, word));
        }
    }

    /// Gives an identity to the word at `offset`, if nothing is known of it.
    pub(super) fn name(&mut self, offset: u32, word: Word) {
        if self.words.len() < MAX_TRACKED_WORDS {
            let at = self.words.partition_point(|(at, _)| *at < offset);
            self.words.insert(at, (offset, word));
        }
    }

    /// Forgets the bytes at `offset`, up to this length if it is known.
    pub(super) fn forget(&mut self, offset: u32, length: Option<u32>) {
        let end = length.map_or(u32::MAX, |length| offset.saturating_add(length));
        if end == offset {
            return;
        }
        let first = self.first(offset);
        let last = self.words.partition_point(|(at, _)| *at < end);
        if first < last {
            self.words.drain(first..last);
        }
        self.top = self.top.max(end);
    }

    /// Forgets all words: something was written somewhere.
    pub(super) fn forget_all(&mut self) {
        self.words.clear();
        self.top = u32::MAX;
    }

    /// Each word replaced.
    pub(super) fn map(&self, mut f: impl FnMut(Word) -> Word) -> Self {
        Self { words: self.words.iter().map(|(at, word)| (*at, f(*word))).collect(), top: self.top }
    }

    /// The facts that hold in both: words that differ become the result of `join`.
    pub(super) fn join(&self, other: &Self, zero: Word, mut join: impl FnMut(Word, Word) -> Word) -> Self {
        let mut words = Vec::new();
        let (mut left, mut right) = (self.words.iter().peekable(), other.words.iter().peekable());
        loop {
            let at = match (left.peek(), right.peek()) {
                (Some((a, _)), Some((b, _))) => *a.min(b),
                (Some((a, _)), None) => *a,
                (None, Some((b, _))) => *b,
                (None, None) => break,
            };
            let known = |memory: &Self| match memory.load(at) {
                Cell::Holds(word) => Some(word),
                Cell::Untouched => Some(zero),
                Cell::Unknown | Cell::Mixed => None,
            };
            if let (Some(a), Some(b)) = (known(self), known(other)) {
                words.push((at, join(a, b)));
            }
            left.next_if(|(a, _)| *a == at);
            right.next_if(|(b, _)| *b == at);
        }
        Self { words, top: self.top.max(other.top) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    enum Write {
        Word(u32, u64),
        Bytes(u32, u32),
        Onwards(u32),
    }

    fn write() -> impl Strategy<Value = Write> {
        prop_oneof![
            4 => (0_u32..200, 1_u64..9).prop_map(|(at, value)| Write::Word(at, value)),
            1 => (0_u32..200, 0_u32..70).prop_map(|(at, length)| Write::Bytes(at, length)),
            1 => (100_u32..400).prop_map(Write::Onwards),
        ]
    }

    /// Applies writes to real memory and to the known part of it; unknown bytes are 0xee in the former.
    fn run(words: &mut Words, writes: &[Write]) -> (Vec<u8>, Memory) {
        let (mut real, mut memory) = (vec![0; 512], Memory::empty());
        for write in writes {
            match *write {
                Write::Word(at, value) => {
                    let value = U256::from(value);
                    real[at as usize..at as usize + 32].copy_from_slice(&value.to_be_bytes::<32>());
                    let word = words.known(value);
                    memory.store(words, at, word);
                }
                Write::Bytes(at, length) => {
                    real[at as usize..(at + length) as usize].fill(0xee);
                    memory.forget(at, Some(length));
                }
                Write::Onwards(at) => {
                    real[at as usize..].fill(0xee);
                    memory.forget(at, None);
                }
            }
        }
        (real, memory)
    }

    fn agrees(words: &Words, real: &[u8], memory: &Memory) {
        let zero = [0; 32];
        for at in 0..400_u32 {
            let there = &real[at as usize..at as usize + 32];
            match memory.load(at) {
                Cell::Holds(word) if words.value(word).is_some() => {
                    assert_eq!(words.value(word).unwrap().to_be_bytes::<32>(), there);
                }
                Cell::Untouched => assert_eq!(there, zero),
                _ => {}
            }
            if let Some(bytes) = memory.bytes(words, at, 40) {
                assert_eq!(bytes, &real[at as usize..at as usize + 40]);
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_known_is_there(a in prop::collection::vec(write(), 0..12), b in prop::collection::vec(write(), 0..12)) {
            let mut words = Words::default();
            let (real_a, memory_a) = run(&mut words, &a);
            let (real_b, memory_b) = run(&mut words, &b);
            agrees(&words, &real_a, &memory_a);
            let zero = words.known(U256::ZERO);
            let any = words.any(0);
            let joined = memory_a.join(&memory_b, zero, |a, b| if a == b { a } else { any });
            agrees(&words, &real_a, &joined);
            agrees(&words, &real_b, &joined);
            prop_assert_eq!(&memory_a.join(&memory_a, zero, |a, _| a), &memory_a);
        }
    }

    #[test]
    fn a_small_gap_is_zero() {
        let mut words = Words::default();
        let pointer = words.known(U256::from(0x80));
        let mut memory = Memory::empty();
        memory.store(&mut words, 0x40, pointer);
        let zero = words.known(U256::ZERO);
        assert_eq!(memory.load(0), Cell::Holds(zero));
        assert_eq!(memory.load(0x60), Cell::Untouched);
        memory.forget(0x60, None);
        assert_eq!(memory.load(0x40), Cell::Holds(pointer));
        assert_eq!(memory.load(0x60), Cell::Unknown);
    }
}
