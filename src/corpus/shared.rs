//! The [`SharedCorpus`] holds the entries and states that the fuzzers of a session exchange, and that outlive them: every
//! entry, and the states worth starting from. When a session exceeds its memory bound, the items of the highest rank are
//! dropped, here first and then in each fuzzer.

use super::{entry::Entry, state::State};
use crate::evm::spread;
use alloy_primitives::map::HashSet;
use std::sync::Arc;

/// States passed from fuzzer to fuzzer and from build to build; chosen by hand, more than one fuzzer's corpus holds. A
/// further state replaces another one.
const MAX_SHARED_STATES: usize = 1024;
/// Percent of the room that is used after an eviction; chosen by hand. The gap keeps each new entry from causing the next
/// eviction.
const FILLED: u64 = 75;

/// An item that fuzzers exchange.
#[derive(Debug, Clone)]
pub(crate) enum Shared {
    Entry(Arc<Entry>),
    State(Arc<State>),
}

impl Shared {
    /// The identity of the item among all that live: its address.
    pub(crate) fn identity(&self) -> usize {
        match self {
            Self::Entry(entry) => Arc::as_ptr(entry) as usize,
            Self::State(state) => Arc::as_ptr(state) as usize,
        }
    }

    /// The state that an entry starts from, or the state itself.
    fn state(&self) -> &Arc<State> {
        match self {
            Self::Entry(entry) => &entry.state,
            Self::State(state) => state,
        }
    }

    /// The order of eviction; the smallest rank is dropped last. An entry that reached new code is the hardest to find
    /// again. Any other entry took a path of its own. A state is only a place to start from, and is reached again by the way.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Entry(entry) if entry.covers_more => 0,
            Self::Entry(_) => 1,
            Self::State(_) => 2,
        }
    }

    fn own_bytes(&self) -> u64 {
        match self {
            Self::Entry(entry) => entry.charge.bytes(),
            // Charged together with the sequence that leads there.
            Self::State(_) => 0,
        }
    }
}

/// An item, the fuzzer that added it, and its number.
#[derive(Debug)]
struct Item {
    number: u64,
    fuzzer: usize,
    shared: Shared,
}

/// The items that are still kept, in the order of their arrival.
#[derive(Debug, Default)]
pub(crate) struct SharedCorpus {
    items: Vec<Item>,
    /// The number of the next item; numbers of dropped items are not reused.
    next: u64,
    states: usize,
}

impl SharedCorpus {
    pub(crate) fn add(&mut self, fuzzer: usize, shared: Shared) {
        if matches!(shared, Shared::State(_)) {
            if self.states >= MAX_SHARED_STATES {
                self.drop_a_state();
            }
            self.states += 1;
        }
        self.items.push(Item { number: self.next, fuzzer, shared });
        self.next += 1;
    }

    /// Drops one state to make room for the next. The choice follows from the number of the next item, so states of all
    /// ages stay, as in the corpus of a fuzzer, and the same run always keeps the same ones.
    fn drop_a_state(&mut self) {
        let nth = spread(self.next) as usize % self.states;
        let states = self.items.iter().enumerate().filter(|(_, item)| matches!(item.shared, Shared::State(_)));
        if let Some(at) = states.map(|(at, _)| at).nth(nth) {
            self.items.remove(at);
            self.states -= 1;
        }
    }

    /// All items that are kept, the oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Shared> {
        self.items.iter().map(|item| &item.shared)
    }

    /// The items that other fuzzers added from this number on, and the number to continue from.
    pub(crate) fn poll(&self, fuzzer: usize, from: u64) -> (Vec<Shared>, u64) {
        let start = self.items.partition_point(|item| item.number < from);
        let others = self.items[start..].iter().filter(|item| item.fuzzer != fuzzer);
        (others.map(|item| item.shared.clone()).collect(), self.next)
    }

    /// Drops items of the highest rank until the rest fits into a part of `room` bytes. Returns the dropped items.
    pub(crate) fn evict(&mut self, room: u64) -> Vec<Shared> {
        let room = room / 100 * FILLED;
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        // Within one rank the latest stay: an early find took the least work, and is found again soonest.
        order.sort_by_key(|at| (self.items[*at].shared.rank(), std::cmp::Reverse(self.items[*at].number)));
        let (mut used, mut held) = (0, HashSet::<*const State>::default());
        let mut kept = vec![false; self.items.len()];
        for at in order {
            let shared = &self.items[at].shared;
            // States that a kept item already holds cost nothing.
            let way: Vec<&State> =
                shared.state().ancestors().take_while(|state| !held.contains(&std::ptr::from_ref(*state))).collect();
            let bytes = shared.own_bytes() + way.iter().map(|state| state.charge.bytes()).sum::<u64>();
            if used + bytes <= room {
                used += bytes;
                kept[at] = true;
                held.extend(way.into_iter().map(std::ptr::from_ref));
            }
        }
        let mut kept = kept.into_iter();
        let gone: Vec<Item> = self.items.extract_if(.., |_| kept.next() != Some(true)).collect();
        self.states = self.all().filter(|shared| matches!(shared, Shared::State(_))).count();
        gone.into_iter().map(|item| item.shared).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{memory::MemoryAccount, sample};

    fn entry(state: &Arc<State>, covers_more: bool, meter: &Arc<MemoryAccount>) -> Shared {
        Shared::Entry(sample::entry(state, covers_more, Vec::new(), meter))
    }

    #[test]
    fn states_beyond_the_bound_take_the_place_of_others_and_always_of_the_same() {
        let meter = MemoryAccount::new();
        let root = sample::root(&meter);
        let kept = || {
            let mut feed = SharedCorpus::default();
            for _ in 0..3 * MAX_SHARED_STATES {
                feed.add(0, Shared::State(root.clone()));
            }
            feed.add(0, entry(&root, false, &meter));
            assert_eq!(feed.all().filter(|shared| matches!(shared, Shared::State(_))).count(), MAX_SHARED_STATES);
            feed.items.iter().map(|item| item.number).collect::<Vec<_>>()
        };
        let numbers = kept();
        assert_eq!(numbers, kept());
        assert!(numbers.is_sorted(), "others are asked for by number");
        let thirds =
            [0, 1, 2].map(|third| numbers.iter().filter(|at| **at as usize / MAX_SHARED_STATES == third).count());
        assert!(thirds[0] > 50 && thirds[1] > 100 && thirds[2] > 400, "{thirds:?}");
    }

    #[test]
    fn what_reached_new_code_stays_longest_and_shared_states_are_counted_once() {
        let meter = MemoryAccount::new();
        let root = sample::root(&meter);
        let heavy = sample::after(&root, 100_000, &meter);
        let light = sample::after(&root, 10_000, &meter);
        let mut feed = SharedCorpus::default();
        let items = [
            ("plain, on the heavy one", entry(&heavy, false, &meter)),
            ("the light state", Shared::State(light.clone())),
            ("new code, on the heavy one", entry(&heavy, true, &meter)),
            ("new code, after the heavy one", entry(&sample::after(&heavy, 1_000, &meter), true, &meter)),
        ];
        items.iter().for_each(|(_, shared)| feed.add(0, shared.clone()));
        let left = |feed: &SharedCorpus| -> Vec<&str> {
            let is_left = |shared: &Shared| feed.all().any(|kept| kept.identity() == shared.identity());
            items.iter().filter(|(_, shared)| is_left(shared)).map(|(name, _)| *name).collect()
        };
        feed.evict(200_000);
        assert_eq!(left(&feed).len(), 4, "the heavy state counts once");
        feed.evict(142_000);
        assert_eq!(
            left(&feed),
            ["plain, on the heavy one", "new code, on the heavy one", "new code, after the heavy one"],
            "a state is only a place to start from"
        );
        feed.add(1, entry(&light, false, &meter));
        feed.evict(30_000);
        assert_eq!(left(&feed), [] as [&str; 0], "heavy ones do not fit at all");
        assert_eq!(feed.all().count(), 1, "but the last one does");
        assert_eq!(feed.poll(0, 4).0.len(), 1);
        assert_eq!(feed.poll(0, feed.next).0.len(), 0);
    }
}
