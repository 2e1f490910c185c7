//! [`Findings`] are the violations of one session that were claimed, with the findings of those that were confirmed.

use crate::{
    finding::Finding,
    oracle::Violation,
    project::{Config, Level},
};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

type Claims = BTreeMap<Violation, Option<Arc<Finding>>>;

/// Claimed violations, each with its finding once it is confirmed.
#[derive(Debug, Default)]
pub(super) struct Findings(Mutex<Claims>);

impl Findings {
    /// Claims a violation if it `counts`: true for the first fuzzer that sees it.
    pub(super) fn claim(&self, violation: Violation, counts: impl FnOnce() -> bool) -> bool {
        match self.lock().entry(violation) {
            Entry::Vacant(vacant) if counts() => {
                vacant.insert(None);
                true
            }
            Entry::Vacant(_) | Entry::Occupied(_) => false,
        }
    }

    /// The finding of a violation, if it was confirmed.
    pub(super) fn get(&self, violation: &Violation) -> Option<Arc<Finding>> {
        self.lock().get(violation).cloned().flatten()
    }

    pub(super) fn insert(&self, finding: Arc<Finding>) {
        self.lock().insert(finding.violation, Some(finding));
    }

    /// Replaces the finding of the same violation, at the `level` that its oracle has now. `None` if that finding was taken.
    pub(super) fn replace(&self, shorter: Finding, level: impl FnOnce() -> Level) -> Option<Arc<Finding>> {
        let mut claims = self.lock();
        let known = claims.get_mut(&shorter.violation)?.as_mut()?;
        *known = Finding::at_level(&Arc::new(shorter), level());
        Some(known.clone())
    }

    /// Confirmed findings, ordered by violation.
    pub(super) fn all(&self) -> Vec<Arc<Finding>> {
        self.lock().values().flatten().cloned().collect()
    }

    /// Moves the confirmed findings out; their violations stay claimed.
    pub(super) fn take(&self) -> Vec<Arc<Finding>> {
        self.lock().values_mut().filter_map(Option::take).collect()
    }

    /// Sets the level of every finding to that of its oracle.
    pub(super) fn set_levels(&self, config: &Config) {
        for finding in self.lock().values_mut().flatten() {
            let level: Level = config.level(finding.violation.oracle);
            *finding = Finding::at_level(finding, level);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Claims> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
