//! [`Checkpoints`] are the states along a run. Another run that begins with the same steps goes on from the last common one.

use super::step::Step;
use crate::{
    evm::{Snapshot, Status},
    input::{Setup, SetupStep},
    world::Action,
};

/// The steps of a run, each with the state after it.
#[derive(Debug, Default)]
pub struct Checkpoints {
    /// A setup that need not be run, and the state after it.
    after_setup: Option<(Setup, Snapshot)>,
    /// The steps after that, or all of them.
    steps: Vec<(SetupStep, Snapshot)>,
}

impl Checkpoints {
    /// Those of a run that begins with a setup after which the state is known.
    pub(crate) fn after_setup(setup: Setup, state: Snapshot) -> Self {
        Self { after_setup: Some((setup, state)), steps: Vec::new() }
    }

    /// The number of steps that are known without a state after each of them.
    fn skipped(&self) -> usize {
        self.after_setup.as_ref().map_or(0, |(setup, _)| setup.steps().len())
    }

    /// How many of these steps the run began with, all but the last at most, and the state after them: that of the world at the
    /// `genesis` if there are none. The last step is always run.
    pub(super) fn resume(&self, genesis: &Snapshot, steps: &[Action<'_>]) -> (usize, Snapshot) {
        let common = self.common(steps).min(steps.len().saturating_sub(1));
        self.state(common).map_or_else(|| (0, genesis.clone()), |state| (common, state.clone()))
    }

    /// The state after a setup, if the run began with it.
    pub(super) fn state_after(&self, setup: &Setup) -> Option<Snapshot> {
        let steps: Vec<Action<'_>> = setup.steps().iter().map(Action::of).collect();
        let is_known = self.common(&steps) == steps.len();
        self.state(steps.len()).filter(|_| is_known).cloned()
    }

    /// How many of these steps the run began with.
    fn common(&self, steps: &[Action<'_>]) -> usize {
        let setup = self.after_setup.as_ref().map_or(&[][..], |(setup, _)| setup.steps());
        let is_same = |known: &SetupStep, step: &Action<'_>| Action::of(known) == *step;
        match steps.split_at_checked(setup.len()) {
            Some((begin, rest)) if setup.iter().zip(begin).all(|(known, step)| is_same(known, step)) => {
                setup.len() + self.steps.iter().zip(rest).take_while(|((known, _), step)| is_same(known, step)).count()
            }
            _ => 0,
        }
    }

    /// The state after so many steps, if it is known.
    fn state(&self, steps: usize) -> Option<&Snapshot> {
        match steps.checked_sub(self.skipped())? {
            0 => self.after_setup.as_ref().map(|(_, state)| state),
            behind => self.steps.get(behind - 1).map(|(_, state)| state),
        }
    }

    /// Forgets all steps but the first ones.
    pub(super) fn truncate(&mut self, steps: usize) {
        match steps.checked_sub(self.skipped()) {
            Some(steps) => self.steps.truncate(steps),
            None => *self = Self::default(),
        }
    }

    /// Adds the step that follows, unless the run ends with it.
    pub(super) fn push(&mut self, step: &Step<'_>) {
        let known = match step.action {
            Action::Deploy(_) if step.outcome.status != Status::Success => return,
            Action::Deploy(deployment) => SetupStep::Deploy(deployment.clone()),
            Action::Call(transaction) => SetupStep::Call(transaction.clone()),
        };
        self.steps.push((known, step.after.clone()));
    }

    /// Whether nothing was run.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}
