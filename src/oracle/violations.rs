//! [`Violations`] collects the verdicts of all oracles on one transaction, and finds the places of failures for them.

use super::{
    execution::Execution,
    place::{Places, Sought},
    violation::{Cause, Place, Violation},
};
use crate::compile::NodeKind;

/// The verdicts of all oracles on one transaction, while they are asked one after another.
#[derive(Debug)]
pub struct Violations<'a> {
    places: &'a mut Places,
    /// The place and cause of each failing check, by the index of the failure, as far as an oracle asked.
    checks: Vec<Option<Option<(Place, Cause)>>>,
    /// The place of the contract's own call that each failure is about, likewise.
    calls: Vec<Option<Option<Place>>>,
    /// The oracle that is asked.
    oracle: &'static str,
    /// Each with the index of the failure that it judges; those that judge something else come behind.
    found: Vec<(usize, Violation)>,
}

impl<'a> Violations<'a> {
    pub(super) fn new(places: &'a mut Places) -> Self {
        Self { places, checks: Vec::new(), calls: Vec::new(), oracle: "", found: Vec::new() }
    }

    /// Makes this the oracle whose verdicts are added next.
    pub(super) fn ask(&mut self, oracle: &'static str) {
        self.oracle = oracle;
    }

    /// Adds a violation that the transaction as a whole shows.
    pub fn add(&mut self, place: Place, cause: Cause) {
        self.add_failure(usize::MAX, place, cause);
    }

    /// Adds a violation that the failure with this index shows.
    pub fn add_failure(&mut self, failure: usize, place: Place, cause: Cause) {
        self.found.push((failure, Violation { oracle: self.oracle, place, cause }));
    }

    /// The place and the cause of the check that fails in the failure with this index. `None` if no check fails there, or if
    /// the author of the source cannot influence it.
    pub fn check(&mut self, execution: &Execution<'_>, failure: usize) -> Option<(Place, Cause)> {
        let failures = &execution.observation().failures;
        self.checks.resize(failures.len(), None);
        *self.checks[failure].get_or_insert_with(|| self.places.check(execution, &failures[failure]))
    }

    /// The place of the call that the contract makes in the failure with this index.
    pub(super) fn call(&mut self, execution: &Execution<'_>, failure: usize) -> Option<Place> {
        let failures = &execution.observation().failures;
        self.calls.resize(failures.len(), None);
        let sought = Sought { fits: &|kind| kind == NodeKind::Call, made_by_itself: true, narrow: |_, node| node };
        *self.calls[failure].get_or_insert_with(|| self.places.expression(execution, &failures[failure], &sought))
    }

    /// The place of the expression around the failure with this index that an oracle asks for.
    pub(super) fn expression(
        &mut self,
        execution: &Execution<'_>,
        failure: usize,
        sought: &Sought<'_>,
    ) -> Option<Place> {
        self.places.expression(execution, &execution.observation().failures[failure], sought)
    }

    /// All of them once, in the order of the failures, each with the index of the one that it judges.
    pub(super) fn finish(mut self) -> Vec<(usize, Violation)> {
        self.found.sort_by_key(|(failure, _)| *failure);
        let mut violations: Vec<(usize, Violation)> = Vec::new();
        for (failure, violation) in self.found {
            if violations.iter().all(|(_, known)| *known != violation) {
                violations.push((failure, violation));
            }
        }
        violations
    }
}
