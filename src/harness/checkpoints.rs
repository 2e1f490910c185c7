//! [`Checkpoints`] are the states along a run. Another run that begins with the same steps goes on from the last common one.

use super::step::Step;
use crate::{
    evm::{Snapshot, Status},
    input::SetupStep,
    world::Action,
};

/// The steps of a run, each with the state after it.
#[derive(Debug, Default)]
pub struct Checkpoints(Vec<(SetupStep, Snapshot)>);

impl Checkpoints {
    /// How many of these steps the run began with, all but the last at most: that one is always run.
    pub(super) fn common(&self, steps: &[Action<'_>]) -> usize {
        let same = self.0.iter().zip(steps).take_while(|((known, _), step)| Action::of(known) == **step);
        same.count().min(steps.len().saturating_sub(1))
    }

    /// The state after so many steps; none for the state before all of them.
    pub(super) fn state(&self, steps: usize) -> Option<&Snapshot> {
        Some(&self.0[steps.checked_sub(1)?].1)
    }

    /// Forgets all steps but the first ones.
    pub(super) fn truncate(&mut self, steps: usize) {
        self.0.truncate(steps);
    }

    /// Adds the step that follows, unless the run ends with it.
    pub(super) fn push(&mut self, step: &Step<'_>) {
        let known = match step.action {
            Action::Deploy(_) if step.outcome.status != Status::Success => return,
            Action::Deploy(deployment) => SetupStep::Deploy(deployment.clone()),
            Action::Call(transaction) => SetupStep::Call(transaction.clone()),
        };
        self.0.push((known, step.after.clone()));
    }

    /// Whether nothing was run.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
