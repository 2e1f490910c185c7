//! The last step of the sequence, run as it is, to look at it in detail.

use super::confirmed::Trial;
use crate::{
    evm::{Failure, Preimage, Snapshot},
    oracle::violation::Violation,
};
use std::ops::ControlFlow;

/// The last step of a sequence, of its setup if there is no call.
#[derive(Debug)]
pub(in crate::oracle) struct Shown {
    /// What shows the violation.
    pub(in crate::oracle) failure: Failure,
    /// The state before it.
    pub(in crate::oracle) before: Snapshot,
    /// The state after it.
    pub(in crate::oracle) after: Snapshot,
    /// The hashes that it computes.
    pub(in crate::oracle) preimages: Vec<Preimage>,
}

impl Trial<'_> {
    /// The last step of the sequence, in detail; none if it does not show the violation.
    pub(in crate::oracle) fn shown(&mut self, violation: &Violation) -> Option<Shown> {
        self.in_detail(|trial| trial.last_step(violation))
    }

    fn last_step(&mut self, violation: &Violation) -> Option<Shown> {
        let Self { harness, executor, judge, checkpoints, sequence, .. } = self;
        let mut found = None;
        let _ = harness.run_while(executor, sequence, checkpoints, |step| {
            if step.left == 0 {
                let shown = judge(step.executor, step.outcome).into_iter().find(|(_, shown)| shown == violation);
                let observation = step.executor.observation();
                found = shown.and_then(|(index, _)| observation.failures.get(index)).map(|failure| Shown {
                    failure: failure.clone(),
                    before: step.before.clone(),
                    after: step.after.clone(),
                    preimages: observation.preimages.clone(),
                });
            }
            ControlFlow::Continue(())
        });
        found
    }
}
