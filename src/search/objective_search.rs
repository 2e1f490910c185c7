//! An [`ObjectiveSearch`] is one attempt at an objective from one state: its start, its budget, and the runs that it makes.

use super::{
    constraint::{Operands, PathConstraint},
    knowledge::Search,
    runner::{KeepState, Runner},
    variable::Assignment,
};
use crate::{
    corpus::{Objective, State},
    input::{CallTable, Setup, Transaction},
    tuning::Tuning,
};
use std::sync::Arc;

/// One attempt to reach an objective.
pub(super) struct ObjectiveSearch<'a, R: Runner> {
    pub(super) runner: &'a mut R,
    pub(super) tuning: Arc<Tuning>,
    /// The state that it starts from.
    pub(super) state: Arc<State>,
    pub(super) objective: Objective,
    /// The number of earlier attempts at the objective.
    pub(super) attempt: u32,
    /// The number of further levels at which it may search for other states.
    pub(super) storage_depth: u32,
    /// An assignment that gets to the objective's decision on another path.
    pub(super) alternative: Option<Assignment>,
    /// Whether the last run ended in an earlier transaction than the one searched, which says nothing about the objective.
    pub(super) prefix_failed: bool,
}

/// The result of an attempt.
#[derive(Debug)]
pub(crate) enum Reached {
    /// The objective was reached; the state after it, if it was kept.
    Yes(Option<Arc<State>>),
    /// The objective was not reached, but this state is closer to it than the one before.
    Closer(Arc<State>),
    /// No progress; `stuck` if no word of transaction or state moved the difference.
    No { stuck: bool },
}

impl Reached {
    /// The budget is spent.
    pub(super) const SPENT: Self = Self::No { stuck: false };
}

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// The state of the search.
    pub(super) fn search(&mut self) -> &mut Search {
        self.runner.lend().search
    }

    /// The call table of the world.
    pub(super) fn calls(&mut self) -> Arc<CallTable> {
        self.runner.lend().generator.calls.clone()
    }

    /// Runs an assignment as an ordinary input, and returns the state after it if it was kept.
    ///
    /// # Errors
    ///
    /// If the objective is reached, or the budget is spent.
    pub(super) fn run(&mut self, assignment: &Assignment) -> Result<Option<Arc<State>>, Reached> {
        let Some(setup) = self.other_setup(assignment) else {
            let calls = self.state.last_calls(assignment.earlier.len());
            let same = assignment.earlier.iter().zip(calls).take_while(|(one, other)| one == other).count();
            let state = self.state.ancestor(self.state.depth - assignment.earlier.len() + same);
            return self.run_from(state, &assignment.earlier[same..], &assignment.transaction);
        };
        self.spend()?;
        let Some(root) = self.runner.set_up(setup) else {
            self.prefix_failed = true;
            return Ok(None);
        };
        let ended = self.run_from(root.clone(), &assignment.earlier, &assignment.transaction);
        if matches!(ended, Err(Reached::Yes(_))) {
            self.runner.keep_root(root);
        }
        ended
    }

    /// The setup of an assignment, if it is another one than that of the search.
    fn other_setup(&self, assignment: &Assignment) -> Option<Setup> {
        let setup = (!assignment.setup.is_empty()).then(|| self.state.setup.with_words_of(&assignment.setup));
        setup.filter(|setup| *setup != *self.state.setup)
    }

    /// Runs earlier transactions and then one that may reach the objective; see [`run`](Self::run).
    pub(super) fn run_from(
        &mut self,
        mut state: Arc<State>,
        earlier: &[Transaction],
        transaction: &Transaction,
    ) -> Result<Option<Arc<State>>, Reached> {
        for earlier in earlier {
            // An earlier call that fails ends the run: the transactions after it were made for another state.
            match self.call(&state, earlier, KeepState::Transient)? {
                Some(next) => state = next,
                None => {
                    self.prefix_failed = true;
                    return Ok(None);
                }
            }
        }
        let keeps = self.keeps();
        let keep = if keeps { KeepState::Transient } else { KeepState::IfNewPath };
        let next = self.call(&state, transaction, keep)?;
        if self.objective.is_reached(self.runner.observation()) && (!keeps || next.is_some()) {
            return Err(Reached::Yes(next));
        }
        Ok(next)
    }

    /// The constraint of the last run.
    pub(super) fn constraint(&self) -> Option<PathConstraint> {
        (!self.prefix_failed)
            .then(|| PathConstraint::new(self.objective, self.runner.observation(), self.attempt, &self.tuning))
            .flatten()
    }

    /// The operands that decided the objective in the last run; none if that run diverged.
    pub(super) fn evaluate(&self, constraint: &PathConstraint) -> Option<Operands> {
        (!self.prefix_failed).then(|| constraint.evaluate(self.runner.observation())).flatten()
    }

    /// Whether the state after the objective is needed.
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

    /// Runs a transaction on a state that may not be reachable: it is counted, but leaves no trace except the observation.
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
