//! [`Findings`] are the violations of one session that somebody claimed, and of those that were confirmed what they are.

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

/// Those that are claimed, and of those that were confirmed what they are.
#[derive(Debug, Default)]
pub(super) struct Findings(Mutex<Claims>);

impl Findings {
    /// Claims a violation that nobody claimed, if it `counts`: true for the first who sees it.
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

    /// Puts a finding in place of the one with the same violation, at the level that it has by now; none if there is none any more.
    pub(super) fn replace(&self, shorter: Finding) -> Option<Arc<Finding>> {
        let mut claims = self.lock();
        let known = claims.get_mut(&shorter.violation)?.as_mut()?;
        *known = Arc::new(Finding { level: known.level, ..shorter });
        Some(known.clone())
    }

    /// Confirmed findings, by place.
    pub(super) fn all(&self) -> Vec<Arc<Finding>> {
        self.lock().values().flatten().cloned().collect()
    }

    /// Confirmed findings, which are somebody else's from now on; they stay claimed.
    pub(super) fn take(&self) -> Vec<Arc<Finding>> {
        self.lock().values_mut().filter_map(Option::take).collect()
    }

    /// Gives every finding the level that its oracle has now.
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
