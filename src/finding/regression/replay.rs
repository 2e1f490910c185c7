//! A [`Replayed`] finding was run once more in detail, so that its oracle can say how a test sees the defect.

use super::error::RegressionError;
use crate::{
    code::ProgramId,
    finding::model::Finding,
    oracle::{self, Evidence, Replay},
};
use std::collections::BTreeSet;

/// A finding, run once more.
pub(super) struct Replayed<'a> {
    finding: &'a Finding,
    /// The programs that ran.
    pub(super) programs: BTreeSet<ProgramId>,
    /// The last call.
    pub(super) last: Replay<'a>,
}

impl<'a> Replayed<'a> {
    /// Runs the finding's sequence from a clean world; none if it does not come to its last call.
    pub(super) fn of(finding: &'a Finding) -> Option<Self> {
        let mut executor = finding.harness.executor();
        executor.set_detailed(true);
        let count = finding.sequence.len();
        let (mut steps, mut programs, mut last) = (0, BTreeSet::new(), None);
        finding.harness.run(&mut executor, &finding.sequence, |step| {
            let observation = step.executor.observation();
            programs.extend(observation.blocks.iter().map(|visit| visit.program));
            steps += 1;
            if steps == count {
                last = Some(Replay {
                    harness: &finding.harness,
                    is_deployment: step.action.transaction().is_none(),
                    outcome: step.outcome.clone(),
                    calls: observation.calls.nodes().to_vec(),
                    writes: observation.writes.clone(),
                    after: step.after.clone(),
                });
            }
        });
        Some(Self { finding, programs, last: last? })
    }

    /// How a test sees the defect.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub(super) fn evidence(&self) -> Result<Evidence, RegressionError> {
        let violation = &self.finding.violation;
        let oracle = oracle::find(violation.oracle).ok_or(RegressionError::Gone)?;
        oracle.evidence(violation, &self.last).map_err(|why| RegressionError::NotVisible { why })
    }
}
