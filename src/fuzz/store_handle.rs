//! A [`StoreHandle`] is where a session keeps what is to outlive the process.

use crate::{
    corpus::store::CorpusStore,
    harness::{Harness, Key},
};
use std::sync::{Arc, atomic::AtomicBool};

/// A session's part of the archive.
#[derive(Debug)]
pub(super) struct StoreHandle {
    pub(super) archive: Arc<CorpusStore>,
    pub(super) key: Key,
    /// Whether what was prune_unconfirmed and brings nothing is to go when all of it was run. All sessions on the same code share this.
    pub(super) prunes: Arc<AtomicBool>,
}

impl StoreHandle {
    pub(super) fn new(archive: Arc<CorpusStore>, harness: &Harness) -> Self {
        Self { archive, key: harness.key(), prunes: Arc::default() }
    }

    /// The same for a contract that may have another name, or stand in another file.
    pub(super) fn migrate_to(&self, harness: &Harness) -> Self {
        let next = Self { prunes: self.prunes.clone(), ..Self::new(self.archive.clone(), harness) };
        next.take_files_of(self);
        next
    }

    pub(super) fn take_files_of(&self, before: &Self) {
        if self.key != before.key {
            self.archive.rename(&before.key, &self.key);
        }
    }
}
