//! A [`Replayed`] finding was replayed in detail, so that its oracle can decide how a test detects the defect.

use super::error::RegressionError;
use crate::{
    code::ProgramId,
    finding::model::Finding,
    oracle::{self, Evidence, Replay},
};
use std::collections::BTreeSet;

/// A finding, replayed in detail.
pub(super) struct Replayed<'a> {
    finding: &'a Finding,
    /// The programs that ran.
    pub(super) programs: BTreeSet<ProgramId>,
    /// The last call.
    pub(super) last: Replay<'a>,
}

impl<'a> Replayed<'a> {
    /// Replays the finding's sequence from a clean world; none if its last call is not reached.
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

    /// The way in which a test detects the defect.
    ///
    /// # Errors
    ///
    /// If no test can detect it.
    pub(super) fn evidence(&self) -> Result<Evidence, RegressionError> {
        let violation = &self.finding.violation;
        let oracle = oracle::find(violation.oracle).ok_or(RegressionError::Gone)?;
        oracle.evidence(violation, &self.last).map_err(|why| RegressionError::NotVisible { why })
    }
}
