//! A session's exchange with the project's [`CorpusStore`], and with other machines: it saves and shares entries that reached new code,
//! and findings. It loads saved ones only if its contract is new in this process; otherwise it starts from the session of an earlier
//! build in memory.

use super::{exchange_handle::ExchangeHandle, session::Session, store_handle::StoreHandle};
use crate::{
    corpus::{
        Entry,
        exchange::Exchange,
        store::{CorpusStore, Kept, KeptFinding},
    },
    finding::{self, Discovery, Finding},
    oracle::{self, OracleSet},
};
use std::sync::{Arc, atomic::Ordering};

impl Session {
    /// The same session, saving to a corpus store.
    #[must_use]
    pub(super) fn with_archive(mut self, archive: Option<&Arc<CorpusStore>>) -> Self {
        self.part = archive.map(|archive| StoreHandle::new(archive.clone(), &self.harness));
        self
    }

    /// The same session, sharing what it finds.
    #[must_use]
    pub fn with_exchange(mut self, exchange: Option<&Arc<dyn Exchange>>) -> Self {
        self.exchange = exchange.map(|exchange| ExchangeHandle::new(exchange.clone(), &self.harness));
        self
    }

    /// The same session, saving to the files of an earlier one.
    #[must_use]
    pub(super) fn with_part_of(mut self, before: &Self) -> Self {
        self.part = before.part.as_ref().map(|part| {
            let part = part.migrate_to(&self.harness);
            StoreHandle { prunes: Arc::default(), ..part }
        });
        self.exchange = before.exchange.as_ref().map(|exchange| exchange.migrate_to(&self.harness));
        self
    }

    /// Takes over the files of a session that this one replaces.
    pub(super) fn take_files_of(&self, before: &Self) {
        if let (Some(part), Some(before)) = (&self.part, &before.part) {
            part.take_files_of(before);
        }
    }

    /// Loads the saved corpus and findings of the contract.
    pub(super) fn load_corpus(&self) -> Kept {
        let load = |part: &StoreHandle| {
            part.prunes.store(true, Ordering::SeqCst);
            part.archive.load(&part.key, &self.harness.calls)
        };
        self.part.as_ref().map(load).unwrap_or_default()
    }

    /// Replays saved findings: those that still fail are reported, the others are deleted.
    pub(super) fn replay_kept(&self, kept: &[KeptFinding]) {
        let mut oracles = OracleSet::of(&self.harness, oracle::all());
        for old in kept {
            let now = self.replay_one_kept(&mut oracles, old);
            if now.as_ref().is_none_or(|now| now.id != old.saved.id) {
                self.release_finding(&old.saved.id);
            }
            if let Some(now) = now {
                self.publish(Arc::new(now));
            }
        }
    }

    fn replay_one_kept(&self, oracles: &mut OracleSet, old: &KeptFinding) -> Option<Finding> {
        let sequence = old.sequence.clone()?;
        let mut executor = self.harness.executor();
        let violations = finding::last_violations(&self.harness, &mut executor, oracles, &sequence);
        let discovery = Discovery { elapsed: None, ..old.saved.discovery };
        let mut violations = old.saved.recognise(&self.harness.build, &violations).into_iter();
        let now =
            violations.find_map(|violation| self.describe(oracles, sequence.clone(), violation, discovery).ok())?;
        Some(Finding { shrunk: old.saved.shrunk, ..now })
    }

    /// Deletes loaded files that were not saved again, once all were replayed. Not if the contract was never deployed
    /// (`stood`), since then the replay shows nothing.
    pub(super) fn prune_unconfirmed(&self, stood: bool) {
        if let Some(part) = &self.part
            && stood
            && part.prunes.swap(false, Ordering::SeqCst)
        {
            part.archive.settle(&part.key);
        }
    }

    pub(super) fn archive_entry(&self, entry: &Entry) {
        if let Some(exchange) = self.exchange.as_ref().filter(|_| entry.covers_more) {
            exchange.publish_entry(&self.harness, entry);
        }
        if let Some(part) = self.part.as_ref().filter(|_| entry.covers_more) {
            let sequence = entry.state.sequence_with(&entry.transaction);
            part.archive.keep(&part.key, &self.harness.calls, &sequence);
        }
    }

    pub(super) fn release_entry(&self, entry: &Entry) {
        if let Some(part) = self.part.as_ref().filter(|_| entry.covers_more) {
            let sequence = entry.state.sequence_with(&entry.transaction);
            part.archive.release(&part.key, &self.harness.calls, &sequence);
        }
    }

    pub(super) fn archive_finding(&self, finding: &Finding) {
        if let Some(part) = &self.part {
            part.archive.keep_finding(&part.key, finding);
        }
        if let Some(exchange) = &self.exchange {
            exchange.publish_finding(finding);
        }
    }

    pub(super) fn release_finding(&self, id: &str) {
        if let Some(part) = &self.part {
            part.archive.release_finding(&part.key, id);
        }
    }
}
