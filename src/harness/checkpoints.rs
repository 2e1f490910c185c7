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
    /// How many of these steps the run began with, all but the last at most, and the state after them: that of the world at the
    /// `genesis` if there are none. The last step is always run.
    pub(super) fn resume(&self, genesis: &Snapshot, steps: &[Action<'_>]) -> (usize, Snapshot) {
        let same = self.0.iter().zip(steps).take_while(|((known, _), step)| Action::of(known) == **step);
        let common = same.count().min(steps.len().saturating_sub(1));
        (common, self.0[..common].last().map_or(genesis, |(_, state)| state).clone())
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
