//! [`Closures`] holds the closure of each file of an import graph: the file itself, and all files that it imports, directly or
//! not. Files are numbered in the order of their names, and a closure is a set of numbers: for thousands of files, sets of
//! names would take gigabytes.

use fixedbitset::FixedBitSet;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// The number of a file of the graph.
pub(super) type FileId = usize;

/// The closure of each file.
#[derive(Debug, Default)]
pub(super) struct Closures {
    names: Vec<Arc<str>>,
    ids: HashMap<Arc<str>, FileId>,
    closures: Vec<FixedBitSet>,
}

impl Closures {
    /// The closures of files with these imports, by name. An import that is not itself a key is in no closure.
    pub(super) fn of(imports: &BTreeMap<&str, &BTreeSet<String>>) -> Self {
        let names: Vec<Arc<str>> = imports.keys().map(|name| (*name).into()).collect();
        let ids: HashMap<Arc<str>, FileId> = names.iter().cloned().zip(0..).collect();
        let imports: Vec<Vec<FileId>> = imports
            .values()
            .map(|imports| imports.iter().filter_map(|name| ids.get(name.as_str()).copied()).collect())
            .collect();
        let closures = (0..names.len()).map(|id| reachable(id, &imports)).collect();
        Self { names, ids, closures }
    }

    /// The number of a file.
    pub(super) fn id(&self, name: &str) -> Option<FileId> {
        self.ids.get(name).copied()
    }

    /// The name of a file.
    pub(super) fn name(&self, id: FileId) -> &str {
        &self.names[id]
    }

    /// The closure of a file.
    pub(super) fn of_id(&self, id: FileId) -> &FixedBitSet {
        &self.closures[id]
    }

    /// The closure of the file of this name, if it was read.
    pub(super) fn of_file(&self, name: &str) -> Option<&FixedBitSet> {
        self.id(name).map(|id| self.of_id(id))
    }

    /// The names of the files in a set.
    pub(super) fn names<'a>(&'a self, set: &'a FixedBitSet) -> impl Iterator<Item = &'a str> {
        set.ones().map(|id| self.name(id))
    }

    /// The union of several closures.
    pub(super) fn union(&self, of: impl IntoIterator<Item = FileId>) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.names.len());
        of.into_iter().for_each(|id| all.union_with(self.of_id(id)));
        all
    }
}

fn reachable(from: FileId, imports: &[Vec<FileId>]) -> FixedBitSet {
    let mut seen = FixedBitSet::with_capacity(imports.len());
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        if !seen.put(id) {
            open.extend(&imports[id]);
        }
    }
    seen
}
