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
        let before = match &self.after_setup {
            None => genesis,
            Some((setup, state)) => {
                let begins = setup.steps().iter().zip(steps).all(|(known, step)| Action::of(known) == *step);
                if !begins || steps.len() <= self.skipped() {
                    return (0, genesis.clone());
                }
                state
            }
        };
        let rest = &steps[self.skipped()..];
        let same = self.steps.iter().zip(rest).take_while(|((known, _), step)| Action::of(known) == **step);
        let common = same.count().min(rest.len().saturating_sub(1));
        (self.skipped() + common, self.steps[..common].last().map_or(before, |(_, state)| state).clone())
    }

    /// The state after a setup, if the run began with it.
    pub(super) fn state_after(&self, setup: &Setup) -> Option<Snapshot> {
        let (before, rest) = match &self.after_setup {
            None => (None, setup.steps()),
            Some((known, state)) => (Some(state), setup.steps().strip_prefix(known.steps())?),
        };
        let known = self.steps.get(..rest.len())?;
        let is_same = known.iter().zip(rest).all(|((known, _), step)| known == step);
        is_same.then(|| known.last().map(|(_, state)| state).or(before).cloned()).flatten()
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
