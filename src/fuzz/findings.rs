//! [`Findings`] are the violations of one session that were claimed, with the findings of those that were confirmed.

use crate::{finding::Finding, oracle::Violation, project::Config};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

type Claims = BTreeMap<Violation, Claim>;

/// What is known of a claimed violation.
#[derive(Debug)]
enum Claim {
    /// It is being confirmed, or was not shown again.
    Open,
    /// Its oracle claimed nothing of the sequences that were confirmed. It was seen so many times since the first.
    PutOff(u64),
    /// It was confirmed.
    Confirmed(Arc<Finding>),
}

impl Claim {
    fn finding(&self) -> Option<&Arc<Finding>> {
        match self {
            Self::Confirmed(finding) => Some(finding),
            Self::Open | Self::PutOff(_) => None,
        }
    }

    fn into_finding(self) -> Option<Arc<Finding>> {
        match self {
            Self::Confirmed(finding) => Some(finding),
            Self::Open | Self::PutOff(_) => None,
        }
    }

    fn finding_mut(&mut self) -> Option<&mut Arc<Finding>> {
        match self {
            Self::Confirmed(finding) => Some(finding),
            Self::Open | Self::PutOff(_) => None,
        }
    }
}

/// Whether something that was in vain is tried again when it is seen for the so-manieth time: at powers of two, and at cubes.
pub(super) fn is_due(times: u64) -> bool {
    let root = (times as f64).cbrt().round() as u64;
    times.is_power_of_two() || root.checked_pow(3) == Some(times)
}

/// Claimed violations, each with its finding once it is confirmed.
#[derive(Debug, Default)]
pub(super) struct Findings(Mutex<Claims>);

impl Findings {
    /// Claims a violation if it `counts`: true for the first fuzzer that sees it. One that was put off is claimed again when the number of
    /// times that it was seen is a power of two, or a cube: each trial takes some dozen runs, and another sequence may prove it.
    pub(super) fn claim(&self, violation: Violation, counts: impl Fn() -> bool) -> bool {
        match self.lock().entry(violation) {
            Entry::Vacant(vacant) if counts() => {
                vacant.insert(Claim::Open);
                true
            }
            Entry::Vacant(_) => false,
            Entry::Occupied(mut known) => match known.get_mut() {
                Claim::PutOff(times) => {
                    *times += 1;
                    is_due(*times) && counts()
                }
                Claim::Open | Claim::Confirmed(_) => false,
            },
        }
    }

    /// Puts a claimed violation off, of which its oracle claims nothing yet.
    pub(super) fn put_off(&self, violation: Violation) {
        let mut claims = self.lock();
        if let Some(claim @ Claim::Open) = claims.get_mut(&violation) {
            *claim = Claim::PutOff(1);
        }
    }

    /// The finding of a violation, if it was confirmed.
    pub(super) fn get(&self, violation: &Violation) -> Option<Arc<Finding>> {
        self.lock().get(violation)?.finding().cloned()
    }

    pub(super) fn insert(&self, finding: Arc<Finding>) {
        self.lock().insert(finding.violation, Claim::Confirmed(finding));
    }

    /// Replaces the finding of the same violation, as the settings judge it now. `None` if that finding was taken.
    pub(super) fn replace(&self, shorter: Finding, config: impl FnOnce() -> Config) -> Option<Arc<Finding>> {
        let mut claims = self.lock();
        let known = claims.get_mut(&shorter.violation)?.finding_mut()?;
        *known = Arc::new(shorter.under(&config()));
        Some(known.clone())
    }

    /// Confirmed findings, ordered by violation.
    pub(super) fn all(&self) -> Vec<Arc<Finding>> {
        self.lock().values().filter_map(Claim::finding).cloned().collect()
    }

    /// Moves the confirmed findings out; their violations stay claimed.
    pub(super) fn take(&self) -> Vec<Arc<Finding>> {
        let mut claims = self.lock();
        let taken = claims.values_mut().filter(|claim| claim.finding().is_some());
        taken.filter_map(|claim| mem::replace(claim, Claim::Open).into_finding()).collect()
    }

    /// Gives every finding its level and its ignore by these settings.
    pub(super) fn judge_by(&self, config: &Config) {
        for finding in self.lock().values_mut().filter_map(Claim::finding_mut) {
            *finding = Finding::shared_under(finding, config);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Claims> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
