//! A [`StoreHandle`] is a session's access to its files in the [`CorpusStore`].

use crate::{
    corpus::store::CorpusStore,
    harness::{Harness, Key},
};
use std::sync::{Arc, atomic::AtomicBool};

/// A session's part of the corpus store.
#[derive(Debug)]
pub(super) struct StoreHandle {
    pub(super) archive: Arc<CorpusStore>,
    pub(super) key: Key,
    /// Whether loaded files that are not saved again are deleted once all of them were replayed. Shared by all sessions on the
    /// same code.
    pub(super) prunes: Arc<AtomicBool>,
}

impl StoreHandle {
    pub(super) fn new(archive: Arc<CorpusStore>, harness: &Harness) -> Self {
        Self { archive, key: harness.key(), prunes: Arc::default() }
    }

    /// The handle for the same contract on a new build, where it may have another name or file.
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
