//! The corpus: states that are worth starting from, and entries: a state and the transaction that took a new path from
//! it. States know how they were reached, so that every entry is a sequence, and share all that they have in common.

use super::{
    goal::Goal,
    memory::{self, Meter, Weight},
    schedule::Told,
};
use crate::{
    evm::Snapshot,
    input::{Sequence, Setup, Transaction},
};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use std::sync::{Arc, Mutex};

/// Of one set of edges, this many paths are kept, the shortest: loops must not fill the corpus (engine.md, "Path id").
const PATHS_PER_EDGES: usize = 4;
/// Longest sequence.
pub(super) const MAX_DEPTH: usize = 24;
/// More entries than this are not kept unless they reach new code.
const MAX_ENTRIES: usize = 4096;
/// As many states are kept to start from.
const MAX_STATES: usize = 512;

/// More slots than this are not told apart: a mapping has as many as there are keys.
const MAX_SLOTS: usize = 16_384;
/// So often a new extreme of one slot makes a state worth keeping: a counter would go on for ever.
const MAX_EXTREMES: u8 = 8;

/// A state of the chain and how it was reached.
#[derive(Debug)]
pub struct State {
    /// The state.
    pub snapshot: Snapshot,
    /// How its world came to be.
    pub setup: Arc<Setup>,
    /// The state before, and the transaction that led here; none right after the setup.
    pub from: Option<(Arc<State>, Transaction)>,
    /// How many transactions led here.
    pub depth: usize,
    /// What it holds that the state before does not.
    pub(super) weight: Weight,
}

impl State {
    /// The state right after a setup.
    pub fn root(snapshot: Snapshot, setup: Setup, meter: &Arc<Meter>) -> Self {
        let weight = meter.weigh(size_of::<Self>() as u64 + memory::of_setup(&setup) + snapshot.bytes_beside(None));
        Self { snapshot, setup: Arc::new(setup), from: None, depth: 0, weight }
    }

    /// The state that a transaction leads to.
    pub fn after(before: &Arc<Self>, transaction: Transaction, snapshot: Snapshot, meter: &Arc<Meter>) -> Self {
        let own = size_of::<Self>() as u64 + memory::of_transaction(&transaction);
        let weight = meter.weigh(own + snapshot.bytes_beside(Some(&before.snapshot)));
        Self {
            snapshot,
            setup: before.setup.clone(),
            weight,
            from: Some((before.clone(), transaction)),
            depth: before.depth + 1,
        }
    }

    /// This state, and those before it back to the deployment.
    pub(super) fn way(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |state| state.from.as_ref().map(|(before, _)| &**before))
    }

    /// The last transactions that led here, so many at most, in order.
    pub(super) fn last_calls(&self, count: usize) -> Vec<&Transaction> {
        let calls = self.way().filter_map(|state| state.from.as_ref()).map(|(_, call)| call);
        let mut calls: Vec<_> = calls.take(count).collect();
        calls.reverse();
        calls
    }

    /// The sequence that leads here.
    pub fn sequence(&self) -> Sequence {
        let transactions = self.last_calls(self.depth).into_iter().cloned().collect();
        Sequence { setup: (*self.setup).clone(), transactions }
    }

    /// The sequence that leads here, and then `transaction`.
    pub fn sequence_with(&self, transaction: &Transaction) -> Sequence {
        let mut sequence = self.sequence();
        sequence.transactions.push(transaction.clone());
        sequence
    }

    /// The state that `depth` transactions lead to on the way here.
    pub fn ancestor(self: &Arc<Self>, depth: usize) -> Arc<Self> {
        let mut state = self;
        while let Some((before, _)) = &state.from {
            if state.depth <= depth {
                break;
            }
            state = before;
        }
        state.clone()
    }
}

/// A transaction that took a path from a state that none took before.
#[derive(Debug)]
pub struct Entry {
    /// Where it starts.
    pub state: Arc<State>,
    /// What is called.
    pub transaction: Transaction,
    /// The path id.
    pub path: u64,
    /// The set of edges.
    pub edges: u64,
    /// How many branches.
    pub length: u64,
    /// What it came close to, and nobody had done by then, with how far it was from each.
    pub(super) missed: Vec<(Goal, U256)>,
    /// Whether it reached code that nothing had reached before.
    pub covers_more: bool,
    /// What is ahead of it, once somebody looked.
    pub(super) told: Mutex<Option<Told>>,
    /// What it holds beside its state.
    pub(super) weight: Weight,
}

/// How a transaction went.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) path: u64,
    pub(super) edges: u64,
    pub(super) length: u64,
    pub(super) covers_more: bool,
    pub(super) missed: Vec<(Goal, U256)>,
}

impl Entry {
    pub(super) fn new(state: Arc<State>, transaction: Transaction, taken: Taken, meter: &Arc<Meter>) -> Self {
        let Taken { path, edges, length, covers_more, missed } = taken;
        let own = size_of::<Self>() + missed.capacity() * size_of::<(Goal, U256)>();
        let weight = meter.weigh(own as u64 + memory::of_transaction(&transaction));
        Self { state, transaction, path, edges, length, missed, covers_more, told: Mutex::default(), weight }
    }
}

/// Entries and states of one lane.
#[derive(Debug, Default)]
pub(super) struct Corpus {
    pub(super) entries: Vec<Arc<Entry>>,
    /// How often each entry was picked.
    pub(super) picks: Vec<u32>,
    pub(super) states: Vec<Arc<State>>,
    lengths: HashMap<u64, Vec<u64>>,
    /// How often entries left.
    pub(super) departures: u64,
    /// What each slot that ever changed was seen to hold.
    ranges: HashMap<(Address, U256), Range>,
}

impl Corpus {
    /// Whether an entry of these edges and this length would be kept.
    pub(super) fn wants(&self, edges: u64, length: u64, covers_more: bool) -> bool {
        if covers_more {
            return true;
        }
        let known = self.lengths.get(&edges);
        self.entries.len() < MAX_ENTRIES
            && known.is_none_or(|known| known.len() < PATHS_PER_EDGES || known.iter().any(|kept| *kept > length))
    }

    /// Keeps an entry; a longer one of the same edges makes room.
    pub(super) fn keep(&mut self, entry: Arc<Entry>) {
        let known = self.lengths.entry(entry.edges).or_default();
        if known.len() >= PATHS_PER_EDGES
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

    /// The slots that were written between two states and hold a word of a size that they never had, or a lower or higher
    /// one than ever. A state without any is not new.
    pub(super) fn new_words(
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
                let fresh = || Range { lowest: was, highest: was, sizes: 0, extremes: MAX_EXTREMES };
                if self.ranges.entry(key).or_insert_with(fresh).add(is) {
                    new.push(key);
                }
            }
        }
        new
    }

    /// Lets go of all but these, by their addresses.
    pub(super) fn retain(&mut self, kept: &HashSet<usize>) {
        self.departures += 1;
        let is_kept = |at: usize| kept.contains(&at);
        let picks = std::mem::take(&mut self.picks);
        let with_picks = std::mem::take(&mut self.entries).into_iter().zip(picks);
        (self.entries, self.picks) = with_picks.filter(|(entry, _)| is_kept(Arc::as_ptr(entry) as usize)).unzip();
        self.states.retain(|state| is_kept(Arc::as_ptr(state) as usize));
    }

    /// Keeps a state; `at` chooses which one makes room when there are many.
    pub(super) fn keep_state(&mut self, state: Arc<State>, at: impl FnOnce(usize) -> usize) {
        if self.states.len() < MAX_STATES {
            self.states.push(state);
        } else {
            let at = at(self.states.len());
            self.states[at] = state;
        }
    }
}

/// What one slot was seen to hold.
#[derive(Debug)]
struct Range {
    lowest: U256,
    highest: U256,
    /// One bit for each [`size`].
    sizes: u8,
    /// How many new extremes still count.
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

/// How large a word is, roughly: finer classes would keep a state for every amount that was ever approved.
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
