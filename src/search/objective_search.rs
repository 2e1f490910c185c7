//! An [`ObjectiveSearch`] is one attempt at an objective from one state: what it starts from, what it may cost, and how it runs what it sets.

use super::{
    constraint::{Operands, PathConstraint},
    knowledge::Search,
    runner::{KeepState, Runner},
    variable::Assignment,
};
use crate::{
    corpus::{Objective, State},
    input::{CallTable, Transaction},
    tuning::Tuning,
};
use std::sync::Arc;

/// One attempt to reach an objective.
pub(super) struct ObjectiveSearch<'a, R: Runner> {
    pub(super) runner: &'a mut R,
    pub(super) tuning: Arc<Tuning>,
    /// Where it starts.
    pub(super) state: Arc<State>,
    pub(super) objective: Objective,
    /// How often the objective was tried before.
    pub(super) attempt: u32,
    /// How many states deep it may still ask for other states.
    pub(super) storage_depth: u32,
    /// An assignment that comes to where the objective is decided on another way.
    pub(super) alternative: Option<Assignment>,
    /// Whether the last run ended in a transaction before the one that is set, which tells nothing about the objective.
    pub(super) prefix_failed: bool,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Reached {
    /// The objective, and the state behind it if it was kept.
    Yes(Option<Arc<State>>),
    /// Not the objective, but this state is closer to it than the one before.
    Closer(Arc<State>),
    /// Nothing; `stuck` if no word of transaction or state moved it.
    No { stuck: bool },
}

impl Reached {
    /// There is nothing left to spend.
    pub(super) const SPENT: Self = Self::No { stuck: false };
}

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// What the search knows.
    pub(super) fn search(&mut self) -> &mut Search {
        self.runner.lend().search
    }

    /// The call table of the world.
    pub(super) fn calls(&mut self) -> Arc<CallTable> {
        self.runner.lend().generator.calls.clone()
    }

    /// Runs what is set, as an input like any other, and gives the state behind it if it was kept.
    ///
    /// # Errors
    ///
    /// If the objective is reached, or there is nothing left to spend.
    pub(super) fn run(&mut self, assignment: &Assignment) -> Result<Option<Arc<State>>, Reached> {
        let mut state = self.state.clone();
        if !assignment.earlier.is_empty() {
            let calls = state.last_calls(assignment.earlier.len());
            let same = assignment.earlier.iter().zip(calls).take_while(|(one, other)| one == other).count();
            state = state.ancestor(state.depth - assignment.earlier.len() + same);
            for earlier in &assignment.earlier[same..] {
                // A call that fails leaves the state as it is; the run is over all the same, as nothing is like before.
                match self.call(&state, earlier, KeepState::Transient)? {
                    Some(next) => state = next,
                    None => {
                        self.prefix_failed = true;
                        return Ok(None);
                    }
                }
            }
        }
        let keeps = self.keeps();
        let keep = if keeps { KeepState::Transient } else { KeepState::IfNewPath };
        let next = self.call(&state, &assignment.transaction, keep)?;
        if self.objective.is_reached(self.runner.observation()) && (!keeps || next.is_some()) {
            return Err(Reached::Yes(next));
        }
        Ok(next)
    }

    /// How far the last run was from the objective.
    pub(super) fn constraint(&self) -> Option<PathConstraint> {
        (!self.prefix_failed)
            .then(|| PathConstraint::new(self.objective, self.runner.observation(), self.attempt, &self.tuning))
            .flatten()
    }

    /// What decided it in the last run; none if it went another way.
    pub(super) fn evaluate(&self, constraint: &PathConstraint) -> Option<Operands> {
        (!self.prefix_failed).then(|| constraint.evaluate(self.runner.observation())).flatten()
    }

    /// Whether the state behind the objective is what is wanted.
    pub(super) fn keeps(&self) -> bool {
        matches!(self.objective, Objective::StorageValue { .. })
    }

    pub(super) fn call(
        &mut self,
        state: &Arc<State>,
        transaction: &Transaction,
        keep: KeepState,
    ) -> Result<Option<Arc<State>>, Reached> {
        self.spend()?;
        Ok(self.runner.run(state, transaction.clone(), keep))
    }

    /// Runs a transaction on a state that may not be reachable: it leaves no trace but the observation, and counts.
    pub(super) fn peek(&mut self, assignment: &Assignment) -> Result<(), Reached> {
        self.spend()?;
        self.runner.peek(&assignment.snapshot, &assignment.transaction);
        Ok(())
    }

    /// Whether another run may be made.
    pub(super) fn has_budget(&mut self) -> bool {
        self.runner.may_run() && !self.search().budget.is_spent()
    }

    fn spend(&mut self) -> Result<(), Reached> {
        if !self.has_budget() {
            return Err(Reached::SPENT);
        }
        self.search().budget.spend_transaction();
        self.prefix_failed = false;
        Ok(())
    }
}
