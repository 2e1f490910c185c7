//! [`Findings`] are the violations of one session that were claimed, with the findings of those that were confirmed.

use crate::{finding::Finding, oracle::Violation, project::Config};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

type Claims = BTreeMap<Violation, Claim>;

/// Ways in which one violation came about that are remembered; chosen by hand.
const MAX_WAYS: usize = 256;

/// What is known of a claimed violation.
#[derive(Debug)]
enum Claim {
    /// It is being confirmed, or was not shown again.
    Open,
    /// Its oracle claimed nothing of the sequences that were confirmed.
    PutOff(PutOff),
    /// It was confirmed.
    Confirmed(Arc<Finding>),
}

/// A violation that was put off.
#[derive(Debug, Default)]
struct PutOff {
    /// How many times it was seen.
    times: u64,
    /// The ways in which it came about.
    ways: BTreeSet<u64>,
    /// Transactions that were run to try them.
    runs: u64,
}

impl PutOff {
    /// Whether this is the first time that it comes about in this way, as far as ways are remembered.
    fn is_new(&mut self, way: u64) -> bool {
        self.ways.len() < MAX_WAYS && self.ways.insert(way)
    }
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
    /// times that it was seen is a power of two, or a cube; and when it comes about in another `way`, as long as the trials of all that
    /// were put off take no more than so many `runs`, of which each has its part.
    pub(super) fn claim(
        &self,
        violation: Violation,
        counts: impl Fn() -> bool,
        runs: u64,
        way: impl FnOnce() -> u64,
    ) -> bool {
        let mut claims = self.lock();
        let all = claims.len() as u64;
        match claims.entry(violation) {
            Entry::Vacant(vacant) if counts() => {
                vacant.insert(Claim::Open);
                true
            }
            Entry::Vacant(_) => false,
            Entry::Occupied(mut known) => match known.get_mut() {
                Claim::PutOff(put_off) => {
                    put_off.times += 1;
                    let is_new_way = put_off.runs < runs / all && put_off.is_new(way());
                    (is_new_way || is_due(put_off.times)) && counts()
                }
                Claim::Open | Claim::Confirmed(_) => false,
            },
        }
    }

    /// Puts a claimed violation off, of which its oracle claims nothing yet after so many `runs`.
    pub(super) fn put_off(&self, violation: Violation, runs: u64) {
        match self.lock().get_mut(&violation) {
            Some(Claim::PutOff(put_off)) => put_off.runs += runs,
            Some(claim @ Claim::Open) => *claim = Claim::PutOff(PutOff { times: 1, runs, ..PutOff::default() }),
            Some(Claim::Confirmed(_)) | None => {}
        }
    }

    /// The finding of a violation, if it was confirmed.
    pub(super) fn get(&self, violation: &Violation) -> Option<Arc<Finding>> {
        self.lock().get(violation)?.finding().cloned()
    }

    /// Adds a confirmed finding. Of several that are told of one place by one oracle, and so have one id, the most serious stays; false if
    /// that is another one.
    pub(super) fn insert(&self, finding: Arc<Finding>) -> bool {
        let mut claims = self.lock();
        let is_same = |claim: &Claim| {
            let other = claim.finding().filter(|other| other.id == finding.id);
            other.filter(|other| other.violation != finding.violation).map(|other| other.most)
        };
        if claims.values().filter_map(is_same).any(|most| most <= finding.most) {
            claims.insert(finding.violation, Claim::Open);
            return false;
        }
        claims.values_mut().filter(|claim| is_same(claim).is_some()).for_each(|claim| *claim = Claim::Open);
        claims.insert(finding.violation, Claim::Confirmed(finding));
        true
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        compile::{SourceId, Span},
        oracle::layout_change,
    };

    /// Which of these ways are tried, one after the other, if each trial takes ten transactions.
    fn tried(ways: &[u64], affordable: u64) -> Vec<bool> {
        let findings = Findings::default();
        let violation = layout_change((SourceId(0), Span::new(0, 1)));
        let mut claim = |way: &u64| {
            let is_claimed = findings.claim(violation, || true, affordable, || *way);
            if is_claimed {
                findings.put_off(violation, 10);
            }
            is_claimed
        };
        ways.iter().map(&mut claim).collect()
    }

    #[test]
    fn what_was_put_off_is_tried_again_in_another_way() {
        // It is seen for the second, fourth and eighth time as well.
        assert_eq!(tried(&[1, 1, 1, 1, 1, 1, 2, 2], 1_000), [true, true, false, true, false, false, true, true]);
    }

    #[test]
    fn another_way_is_tried_as_long_as_it_can_be_afforded() {
        assert_eq!(tried(&[1, 2, 3, 4, 5, 6, 7], 40), [true, true, true, true, false, false, false]);
    }
}
