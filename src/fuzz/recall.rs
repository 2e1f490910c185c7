//! What a session recalls from the project's [`Archive`], and what it has that keep: entries that reached new code, and
//! findings. Where an earlier build of this process left a corpus in memory, nothing is recalled.

use super::{
    corpus::Entry,
    session::{Carried, Session},
};
use crate::{
    archive::{Archive, Key, KeptFinding},
    finding::{self, Discovery, Finding},
    oracle::Bench,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A session's part of the archive.
#[derive(Debug)]
pub(super) struct Shelf {
    archive: Arc<Archive>,
    key: Key,
    /// Whether sequences that were recalled wait to be run.
    waits: AtomicBool,
    /// Whether those that were recalled and bring nothing are to go: only where all was run on a session that knew nothing.
    settles: AtomicBool,
}

impl Session {
    /// The same, keeping in an archive what is to outlive the process.
    #[must_use]
    pub fn with_archive(mut self, archive: Option<Arc<Archive>>) -> Self {
        let compiled = self.subject.compiled();
        let file = self.subject.build.source(compiled.source).name.clone();
        let key = Key { file, name: compiled.name.clone() };
        let (waits, settles) = (AtomicBool::new(false), AtomicBool::new(false));
        self.shelf = archive.map(|archive| Shelf { archive, key, waits, settles });
        self
    }

    /// Adds what the archive has to what an earlier build left. Findings are replayed: those that still fail are told, and
    /// those that do not are let go of. If the session before this one was not done with running what was recalled, it is
    /// recalled again.
    pub(super) fn recall(&self, before: Option<&Self>, carried: &mut Carried) {
        let is_waiting = |session: &Self| session.shelf.as_ref().is_some_and(|old| old.waits.load(Ordering::SeqCst));
        let Some(shelf) = self.shelf.as_ref().filter(|_| before.is_none_or(is_waiting)) else { return };
        let kept = shelf.archive.load(&shelf.key, &self.subject.interface);
        if before.is_none() {
            let mut bench = Bench::complete(self.subject.build.clone(), self.subject.programs.clone());
            for old in &kept.findings {
                let now = self.replay_kept(&mut bench, old);
                if now.as_ref().is_none_or(|now| now.id != old.saved.id) {
                    shelf.archive.release_finding(&shelf.key, &old.saved.id);
                }
                if let Some(now) = now {
                    self.publish(Arc::new(now));
                }
            }
        }
        shelf.waits.store(true, Ordering::SeqCst);
        shelf.settles.store(before.is_none(), Ordering::SeqCst);
        if kept.sequences.is_empty() {
            self.recalled(true);
        }
        carried.sequences.extend(kept.sequences);
    }

    fn replay_kept(&self, bench: &mut Bench, old: &KeptFinding) -> Option<Finding> {
        let sequence = old.sequence.clone()?;
        let mut executor = self.subject.executor();
        let violations = finding::last_violations(&self.subject, &mut executor, bench, &sequence);
        let violation = old.saved.recognise(&self.subject.build, &violations)?;
        let discovery = Discovery { elapsed: None, ..old.saved.discovery };
        finding::describe(&self.subject, bench, sequence, violation, self.level(violation.oracle), discovery)
    }

    /// All that was recalled has been run. If the contract never stood, that says nothing.
    pub(super) fn recalled(&self, stood: bool) {
        if let Some(shelf) = &self.shelf
            && shelf.waits.swap(false, Ordering::SeqCst)
            && shelf.settles.load(Ordering::SeqCst)
            && stood
        {
            shelf.archive.settle(&shelf.key);
        }
    }

    pub(super) fn archive_entry(&self, entry: &Entry) {
        if let Some(shelf) = self.shelf.as_ref().filter(|_| entry.covers_more) {
            let sequence = entry.state.sequence_with(&entry.transaction);
            shelf.archive.keep(&shelf.key, &self.subject.interface, &sequence);
        }
    }

    pub(super) fn release_entry(&self, entry: &Entry) {
        if let Some(shelf) = self.shelf.as_ref().filter(|_| entry.covers_more) {
            let sequence = entry.state.sequence_with(&entry.transaction);
            shelf.archive.release(&shelf.key, &self.subject.interface, &sequence);
        }
    }

    pub(super) fn archive_finding(&self, finding: &Finding) {
        if let Some(shelf) = &self.shelf {
            shelf.archive.keep_finding(&shelf.key, finding);
        }
    }

    pub(super) fn release_finding(&self, id: &str) {
        if let Some(shelf) = &self.shelf {
            shelf.archive.release_finding(&shelf.key, id);
        }
    }
}
