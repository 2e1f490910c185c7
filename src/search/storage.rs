//! Words of storage: where no word of the transaction leads to the objective, a word of a slot may. If it does, the
//! function needs a longer sequence, and the state is searched for with the transactions that write the slot (HARVEY §V,
//! demand-driven sequences).

use super::{
    constraint::PathConstraint,
    model::problem,
    objective_search::{ObjectiveSearch, Reached},
    probe::FiniteDifference,
    runner::{Lent, Runner},
    variable::{Assignment, Variable},
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Slots that are remembered as requested; chosen by hand. Later ones are searched for as well, but not remembered.
const MAX_REQUESTED: usize = 1024;

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// Tests whether another state would reach the objective, and if so searches for it. Returns which part of the state
    /// moves anything.
    pub(super) fn search_storage(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        fields: &[FiniteDifference],
        reads: &[(Address, U256)],
    ) -> Result<Vec<FiniteDifference>, Reached> {
        let mut columns = self.probe_storage(assignment, constraint, reads)?;
        let moving: Vec<FiniteDifference> =
            columns.iter().filter(|column| !column.at_goal.is_none() || !column.moves.is_empty()).cloned().collect();
        if moving.is_empty() {
            return Ok(moving);
        }
        columns.extend_from_slice(fields);
        let problem = problem(constraint, &columns);
        for _ in 0..self.tuning.solutions {
            let Lent { rng, search, .. } = self.runner.lend();
            let Some(steps) = problem.solve(rng, &mut search.budget) else { continue };
            let Some(wanted) = self.moved(assignment, &columns, &steps) else { continue };
            self.peek(&wanted)?;
            if !self.objective.is_reached(self.runner.observation()) {
                continue;
            }
            if self.search().switches.demand_driven {
                let mut slots: Vec<(Address, U256)> = columns
                    .iter()
                    .zip(&steps)
                    .filter(|(_, steps)| !steps.is_zero())
                    .filter_map(|(column, _)| match column.variable {
                        Variable::Storage { address, slot, .. } => Some((address, slot)),
                        Variable::Field(_)
                        | Variable::Earlier { .. }
                        | Variable::CallBack(_)
                        | Variable::Answer
                        | Variable::Setup { .. } => None,
                    })
                    .collect();
                slots.dedup();
                self.request_storage(&wanted, &slots)?;
            }
            break;
        }
        Ok(moving)
    }

    /// Searches for a state that would reach the objective: notes that the function needs longer sequences, and requests
    /// the slots one by one.
    fn request_storage(&mut self, wanted: &Assignment, slots: &[(Address, U256)]) -> Result<(), Reached> {
        let search = self.search();
        *search.demanding.entry(wanted.transaction.call).or_default() += 1;
        if search.requested.len() < MAX_REQUESTED {
            search.requested.extend(slots);
        }
        let mut here = self.state.clone();
        for (address, slot) in slots {
            let word = wanted.snapshot.slot(*address, *slot);
            if let Some(granted) = self.reach_storage_value(&here, (*address, *slot), word) {
                here = granted;
            }
        }
        if Arc::ptr_eq(&here, &self.state) {
            return Ok(());
        }
        // Runs the matching transaction from the state that the search for the slots ended in.
        let before = std::mem::replace(&mut self.state, here);
        let ended = self.run(wanted).map(drop);
        self.state = before;
        ended
    }
}
