//! [`CallRecords`] say how calls ended: those that the fuzzers made themselves, not those that contracts made of each other.

use crate::{
    code::ProgramId,
    evm::{Observation, Outcome, Status},
    input::{CallId, PropertyKind, Sequence},
};
use alloy_primitives::I256;
use std::collections::BTreeMap;

/// How the calls of each function ended.
#[derive(Debug, Clone, Default)]
pub(super) struct CallRecords(pub(super) BTreeMap<CallId, CallRecord>);

/// How the calls of a function ended.
#[derive(Debug, Clone, Default)]
pub(super) struct CallRecord {
    /// The calls.
    pub(super) calls: u64,
    /// Those that succeeded.
    pub(super) succeeded: u64,
    /// Those that the function gave up.
    pub(super) given_up: u64,
    /// How the first one ended that reverted.
    pub(super) reverted: Option<Outcome>,
    /// Whether that one called a cheatcode that is not there.
    pub(super) lacks_cheatcode: bool,
    /// The last branch of the source that it decided: the program and the byte offset of the JUMPI.
    pub(super) reverted_at: Option<(ProgramId, u32)>,
    /// Whether another one reverted after another branch.
    pub(super) reverted_elsewhere: bool,
    /// The largest number returned, with the calls that lead to it.
    pub(super) best: Option<(I256, Sequence)>,
}

impl CallRecord {
    /// How the first call ended, if there were at least `many`, and none succeeded.
    pub(super) fn always_reverted(&self, many: u64) -> Option<&Outcome> {
        self.reverted.as_ref().filter(|_| self.succeeded == 0 && self.calls >= many)
    }
}

impl CallRecords {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes how a call ended. Returns whether it returned the largest number so far of those that are to be maximised.
    pub(super) fn note(
        &mut self,
        call: CallId,
        kind: Option<PropertyKind>,
        (outcome, observation): (&Outcome, &Observation),
        sequence: impl FnOnce() -> Sequence,
    ) -> bool {
        let record = self.0.entry(call).or_default();
        record.calls += 1;
        record.succeeded += u64::from(outcome.status == Status::Success);
        record.given_up += u64::from(outcome.is_given_up());
        if outcome.status != Status::Success && record.succeeded == 0 {
            let last = observation.branches.iter().rfind(|branch| branch.in_source);
            let place = last.map(|branch| (branch.program, branch.pc));
            if record.reverted.is_none() {
                record.reverted = Some(outcome.clone());
                record.lacks_cheatcode = observation.lacks_cheatcode();
                record.reverted_at = place;
            }
            record.reverted_elsewhere |= record.reverted_at != place;
        }
        if kind != Some(PropertyKind::Maximised) || outcome.status != Status::Success {
            return false;
        }
        let Ok(word) = <[u8; 32]>::try_from(outcome.output.as_ref()) else { return false };
        let value = I256::from_be_bytes(word);
        let is_better = record.best.as_ref().is_none_or(|(best, _)| value > *best);
        if is_better {
            record.best = Some((value, sequence()));
        }
        is_better
    }

    /// Adds the records of another fuzzer, which are empty afterwards.
    pub(super) fn take_in(&mut self, other: &mut Self) {
        for (call, other) in std::mem::take(&mut other.0) {
            let record = self.0.entry(call).or_default();
            record.calls += other.calls;
            record.succeeded += other.succeeded;
            record.given_up += other.given_up;
            if record.reverted.is_none() {
                (record.reverted, record.lacks_cheatcode) = (other.reverted, other.lacks_cheatcode);
                (record.reverted_at, record.reverted_elsewhere) = (other.reverted_at, other.reverted_elsewhere);
            } else if other.reverted.is_some() {
                record.reverted_elsewhere |= other.reverted_elsewhere || record.reverted_at != other.reverted_at;
            }
            let is_better = |(value, _): &(I256, Sequence)| record.best.as_ref().is_none_or(|(best, _)| value > best);
            if other.best.as_ref().is_some_and(is_better) {
                record.best = other.best;
            }
        }
    }
}
