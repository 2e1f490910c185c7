//! A [`SharedMap`] is a map that is cheap to copy: copies share what they have in common. While it is small it is one table, which is
//! the fastest to read and is copied whole when a copy changes. Beyond [`MAX_TABLE`] entries it is a hash trie, of which a change copies
//! a few nodes, whatever the size.

use alloy_primitives::map::{DefaultHashBuilder, HashMap};
use archery::ArcK;
use rpds::HashTrieMap;
use std::{
    fmt::{Debug, Formatter},
    hash::Hash,
    sync::Arc,
};

/// Entries up to which a table is copied faster than the nodes of a trie, or nearly so (two changes of a map of words: a table of 8
/// entries 100 ns and 1 KiB, of 32 entries 350 ns and 4 KiB; a trie of 32 entries 1,200 ns and 600 bytes, of 10,000 entries 2 KiB, both with 64 children
/// to a node).
const MAX_TABLE: usize = 16;
/// Children of a node of a trie, chosen by hand: the fewer there are, the less a change copies, and the deeper is the trie. What it
/// costs in a world of ten thousand slots is measured by `cargo bench --bench world`.
const DEGREE: u8 = 16;
/// Bytes of a node without its children: its counter, and what it says of them.
const NODE: u64 = 56;

type Trie<K, V> = HashTrieMap<K, V, ArcK, DefaultHashBuilder>;

/// A map that shares what it has in common with its copies.
#[derive(Clone)]
pub(super) struct SharedMap<K: Eq + Hash, V> {
    entries: Entries<K, V>,
    /// Changes of a trie since it was copied, from which the size of what it does not share is estimated.
    changes: u32,
}

#[derive(Clone)]
enum Entries<K: Eq + Hash, V> {
    Table(Arc<HashMap<K, V>>),
    Trie(Trie<K, V>),
}

impl<K: Eq + Hash + Clone + Debug, V: Clone + Debug> Debug for SharedMap<K, V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Eq + Hash, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        Self { entries: Entries::Table(Arc::default()), changes: 0 }
    }
}

impl<K: Eq + Hash + Clone, V: Clone> SharedMap<K, V> {
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        match &self.entries {
            Entries::Table(table) => table.get(key),
            Entries::Trie(trie) => trie.get(key),
        }
    }

    pub(super) fn insert(&mut self, key: K, value: V) {
        if let Entries::Table(table) = &self.entries
            && table.len() >= MAX_TABLE
            && !table.contains_key(&key)
        {
            let mut trie = Trie::new_with_hasher_and_degree_and_ptr_kind(DefaultHashBuilder::default(), DEGREE);
            table.iter().for_each(|(key, value)| trie.insert_mut(key.clone(), value.clone()));
            self.entries = Entries::Trie(trie);
            self.changes = MAX_TABLE as u32;
        }
        match &mut self.entries {
            Entries::Table(table) => drop(Arc::make_mut(table).insert(key, value)),
            Entries::Trie(trie) => {
                trie.insert_mut(key, value);
                self.changes += 1;
            }
        }
    }

    pub(super) fn remove(&mut self, key: &K) {
        match &mut self.entries {
            Entries::Table(table) if table.contains_key(key) => drop(Arc::make_mut(table).remove(key)),
            Entries::Table(_) => {}
            Entries::Trie(trie) => self.changes += u32::from(trie.remove_mut(key)),
        }
    }

    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = (&K, &V)> + '_> {
        match &self.entries {
            Entries::Table(table) => Box::new(table.iter()),
            Entries::Trie(trie) => Box::new(trie.iter()),
        }
    }

    fn len(&self) -> usize {
        match &self.entries {
            Entries::Table(table) => table.len(),
            Entries::Trie(trie) => trie.size(),
        }
    }

    /// A copy that counts its changes from here on.
    pub(super) fn share(&self) -> Self {
        Self { entries: self.entries.clone(), changes: 0 }
    }

    /// Whether neither changed since one was copied from the other. False may also mean that the changes cancelled out.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (&self.entries, &other.entries) {
            (Entries::Table(one), Entries::Table(other)) => Arc::ptr_eq(one, other),
            (Entries::Trie(_), Entries::Trie(_)) => self.changes == 0 && self.len() == other.len(),
            _ => false,
        }
    }

    /// The approximate number of bytes that this takes beside the map that it was copied from, without what entries point to.
    pub(super) fn own_bytes(&self) -> u64 {
        let entry = size_of::<(K, V)>() as u64;
        match &self.entries {
            Entries::Table(table) => table_bytes(table.capacity(), entry),
            Entries::Trie(_) if self.changes == 0 => 0,
            Entries::Trie(trie) => root_bytes(trie.size()) + u64::from(self.changes) * path_bytes(trie.size(), entry),
        }
    }
}

/// The bytes of the root of a trie, which all changes since a copy have in common.
fn root_bytes(size: usize) -> u64 {
    NODE + 8 * (size as u64).min(DEGREE.into())
}

/// The bytes that one change of a trie copies or adds below the root: a node of each level, and an entry with two counters.
fn path_bytes(size: usize, entry: u64) -> u64 {
    let below = |entries: &u64| Some(entries / u64::from(DEGREE)).filter(|entries| *entries > 1);
    let levels = std::iter::successors(below(&(size as u64)), below);
    NODE + 16 + entry + levels.map(|entries| NODE + 8 * entries.min(DEGREE.into())).sum::<u64>()
}

/// The bytes of a hash table: a power of two of slots, of which seven in eight may be filled, with one byte of control data
/// each.
fn table_bytes(capacity: usize, entry: u64) -> u64 {
    if capacity == 0 { 0 } else { (capacity * 8 / 7).next_power_of_two() as u64 * (entry + 1) }
}

impl<K: Eq + Hash + Clone, V: Clone + PartialEq> PartialEq for SharedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// A map and its copies hold what as many maps of the standard library hold, whatever is changed in which of them.
        #[test]
        fn copies_change_by_themselves(
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0..48_u8, prop::option::of(0..9_u32), any::<bool>()), 0..200),
        ) {
            let mut maps = vec![(SharedMap::default(), HashMap::default())];
            for (which, key, value, copies) in changes {
                let at = which.index(maps.len());
                if copies {
                    let (shared, known) = (maps[at].0.share(), maps[at].1.clone());
                    prop_assert!(shared.is_same(&maps[at].0));
                    maps.push((shared, known));
                }
                let (shared, known) = &mut maps[at];
                match value {
                    Some(value) => {
                        shared.insert(key, value);
                        known.insert(key, value);
                    }
                    None => {
                        shared.remove(&key);
                        known.remove(&key);
                    }
                }
            }
            for (shared, known) in &maps {
                prop_assert!((0..48).all(|key| shared.get(&key) == known.get(&key)));
                prop_assert_eq!(&shared.iter().map(|(key, value)| (*key, *value)).collect::<HashMap<_, _>>(), known);
                prop_assert!(maps.iter().all(|(other, it)| (shared == other) == (known == it)));
            }
        }
    }

    #[test]
    fn a_large_map_takes_little_beside_the_one_that_it_was_copied_from() {
        let mut map = SharedMap::default();
        (0..10_000_u64).for_each(|key| map.insert([key; 4], [key; 4]));
        let mut copy = map.share();
        copy.insert([7; 4], [8; 4]);
        assert!(copy.own_bytes() < 1_024, "{}", copy.own_bytes());
        assert!(!copy.is_same(&map));
    }
}
