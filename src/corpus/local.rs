//! [`LocalCorpus`] holds the entries and states that one fuzzer picks from.

use super::{entry::Entry, state::State};
use crate::{evm::Snapshot, tuning::Tuning};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use std::sync::Arc;

/// Slots that are told apart; chosen by hand. A mapping has one slot for each key.
const MAX_SLOTS: usize = 16_384;

/// The entries and states of one fuzzer.
#[derive(Debug)]
pub(crate) struct LocalCorpus {
    tuning: Arc<Tuning>,
    pub(crate) entries: Vec<Arc<Entry>>,
    /// The number of times that each entry was picked.
    pub(crate) picks: Vec<u32>,
    pub(crate) states: Vec<Arc<State>>,
    lengths: HashMap<u64, Vec<u64>>,
    /// The number of entries that were replaced or dropped.
    pub(crate) departures: u64,
    /// The range of words that each changed slot has held.
    ranges: HashMap<(Address, U256), Range>,
}

impl LocalCorpus {
    pub(crate) fn new(tuning: Arc<Tuning>) -> Self {
        Self {
            tuning,
            entries: Vec::new(),
            picks: Vec::new(),
            states: Vec::new(),
            lengths: HashMap::default(),
            departures: 0,
            ranges: HashMap::default(),
        }
    }

    /// Whether an entry with these edges and this length would be kept.
    pub(crate) fn wants(&self, edges: u64, length: u64, covers_more: bool) -> bool {
        if covers_more {
            return true;
        }
        let known = self.lengths.get(&edges);
        self.entries.len() < self.tuning.max_entries
            && known.is_none_or(|known| {
                known.len() < self.tuning.paths_per_edges || known.iter().any(|kept| *kept > length)
            })
    }

    /// Keeps an entry; it may replace a longer one with the same edges.
    pub(crate) fn keep(&mut self, entry: Arc<Entry>) {
        let known = self.lengths.entry(entry.edges).or_default();
        if known.len() >= self.tuning.paths_per_edges
            && let Some((at, longest)) = known.iter().copied().enumerate().max_by_key(|(_, length)| *length)
        {
            known.swap_remove(at);
            let old = self.entries.iter().position(|old| old.edges == entry.edges && old.length == longest);
            if let Some(old) = old {
                known.push(entry.length);
                self.entries[old] = entry;
                self.picks[old] = 0;
                self.departures += 1;
                return;
            }
        }
        known.push(entry.length);
        self.entries.push(entry);
        self.picks.push(0);
    }

    /// The slots written between two states whose word has a size class that they never had, or is lower or higher than
    /// ever. A state without any such slot is not new.
    pub(crate) fn new_words(
        &mut self,
        before: &Snapshot,
        after: &Snapshot,
        writes: &[crate::evm::SlotWrite],
    ) -> Vec<(Address, U256)> {
        let mut new = Vec::new();
        for access in writes {
            let (was, is) = (before.slot(access.address, access.slot), after.slot(access.address, access.slot));
            if was == is {
                continue;
            }
            let key = (access.address, access.slot);
            if self.ranges.len() < MAX_SLOTS || self.ranges.contains_key(&key) {
                let fresh = || Range { lowest: was, highest: was, sizes: 0, extremes: self.tuning.max_extremes };
                if self.ranges.entry(key).or_insert_with(fresh).add(is) {
                    new.push(key);
                }
            }
        }
        new
    }

    /// Drops all entries and states but these, by their addresses.
    pub(crate) fn retain(&mut self, kept: &HashSet<usize>) {
        self.departures += 1;
        let is_kept = |at: usize| kept.contains(&at);
        let picks = std::mem::take(&mut self.picks);
        let with_picks = std::mem::take(&mut self.entries).into_iter().zip(picks);
        (self.entries, self.picks) = with_picks.filter(|(entry, _)| is_kept(Arc::as_ptr(entry) as usize)).unzip();
        self.states.retain(|state| is_kept(Arc::as_ptr(state) as usize));
    }

    /// Keeps a state; if there are many, `at` chooses the one that it replaces.
    pub(crate) fn keep_state(&mut self, state: Arc<State>, at: impl FnOnce(usize) -> usize) {
        if self.states.len() < self.tuning.max_states {
            self.states.push(state);
        } else {
            let at = at(self.states.len());
            self.states[at] = state;
        }
    }
}

/// The words that one slot has held.
#[derive(Debug)]
struct Range {
    lowest: U256,
    highest: U256,
    /// One bit for each [`size`].
    sizes: u8,
    /// The number of new extremes that still count.
    extremes: u8,
}

impl Range {
    /// Whether the word is of a new size, or a new extreme that counts.
    fn add(&mut self, word: U256) -> bool {
        let bit = 1 << size(word);
        let new_size = self.sizes & bit == 0;
        self.sizes |= bit;
        let extreme = word < self.lowest || word > self.highest;
        self.lowest = self.lowest.min(word);
        self.highest = self.highest.max(word);
        let counts = extreme && self.extremes > 0;
        self.extremes -= u8::from(counts);
        new_size || counts
    }
}

/// The size class of a word, roughly its length: finer classes would keep a state for every amount that was ever approved.
fn size(word: U256) -> u8 {
    match word.bit_len() {
        0 => 0,
        1 => 1,
        2..=8 => 2,
        9..=64 => 3,
        65..=128 => 4,
        129..=255 => 5,
        _ => 6,
    }
}
