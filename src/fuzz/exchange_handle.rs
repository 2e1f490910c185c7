//! An [`ExchangeHandle`] is a session's access to the [`Exchange`] on which machines share what they found.

use crate::{
    corpus::{
        Entry,
        exchange::{Exchange, GoalPart, Record, Topic},
    },
    finding::Finding,
    harness::{Harness, Key},
    project::Level,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Findings of which it is remembered that they were shared; chosen by hand, far more than a contract has.
const MAX_FINDINGS: usize = 4096;

/// A session's part of an exchange.
#[derive(Debug)]
pub(super) struct ExchangeHandle {
    pub(super) exchange: Arc<dyn Exchange>,
    key: Key,
    topic: Topic,
    known: Arc<Mutex<Known>>,
}

/// What was shared. All sessions on the same contract have it together.
#[derive(Debug, Default)]
struct Known {
    /// The position up to which records were polled.
    cursor: u64,
    /// The ids of findings that were shared, and whether they were shrunk.
    findings: BTreeMap<String, bool>,
}

impl ExchangeHandle {
    pub(super) fn new(exchange: Arc<dyn Exchange>, harness: &Harness) -> Self {
        let key = harness.key();
        let topic = Topic::of(&key);
        Self { exchange, key, topic, known: Arc::default() }
    }

    /// The handle for the same contract on a new build, where it may have another name or file.
    pub(super) fn migrate_to(&self, harness: &Harness) -> Self {
        let next = Self::new(self.exchange.clone(), harness);
        if next.topic == self.topic { Self { known: self.known.clone(), ..next } } else { next }
    }

    /// Records that other machines shared since the last time.
    pub(super) fn poll(&self) -> Vec<Arc<Record>> {
        let mut known = self.known();
        let (records, next) = self.exchange.poll(&self.topic, known.cursor);
        known.cursor = next;
        records
    }

    /// Whether another machine shared something since the last time.
    pub(super) fn has_record(&self) -> bool {
        let (records, _) = self.exchange.poll(&self.topic, self.known().cursor);
        !records.is_empty()
    }

    /// Whether the contract falls to other machines.
    pub(super) fn falls_elsewhere(&self) -> bool {
        !self.exchange.falls_here(&self.topic)
    }

    /// The goals of the contract that this machine tries first.
    pub(super) fn goals_here(&self) -> GoalPart {
        self.exchange.goals_here(&self.topic)
    }

    /// Shares an entry.
    pub(super) fn publish_entry(&self, harness: &Harness, entry: &Entry) {
        let sequence = entry.state.sequence_with(&entry.transaction);
        if let Some(record) = Record::of_entry(&self.key, &harness.calls, &sequence) {
            self.exchange.publish(record);
        }
    }

    /// Shares a finding, once as it was found and once when it is shrunk. A finding of another machine is not sent back.
    pub(super) fn publish_finding(&self, finding: &Finding) {
        if finding.level == Level::Off || !self.note_finding(&finding.id, finding.shrunk) {
            return;
        }
        if let Some(record) = Record::of_finding(&self.key, finding) {
            self.exchange.publish(record);
        }
    }

    /// Notes that a finding is shared; false if it was before, and is no shorter now.
    pub(super) fn note_finding(&self, id: &str, shrunk: bool) -> bool {
        let mut known = self.known();
        if known.findings.len() >= MAX_FINDINGS {
            known.findings.clear();
        }
        match known.findings.get_mut(id) {
            None => drop(known.findings.insert(id.to_owned(), shrunk)),
            Some(is_shrunk) if shrunk && !*is_shrunk => *is_shrunk = true,
            Some(_) => return false,
        }
        true
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
