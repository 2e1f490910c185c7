//! Wishing: where no word of the transaction leads to the goal, words of storage may. If they do, the function demands longer
//! sequences, and the state that it needs is asked of those who write it (HARVEY §V, demand-driven sequences).

use super::{
    follow::SOLUTIONS,
    model::problem,
    probe::Column,
    pursuit::{Pursuit, Reached},
};
use crate::fuzz::{
    goal::Aim,
    parameter::{Parameter, Setting},
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Slots that are wanted to be different; those that follow are asked for, too, but not remembered.
const MAX_WANTED: usize = 1024;

impl Pursuit<'_, '_> {
    /// Asks whether another state would do, and if so for that state. Says what of the state moves anything.
    pub(super) fn wish(
        &mut self,
        setting: &Setting,
        aim: &Aim,
        fields: &[Column],
        reads: &[(Address, U256)],
    ) -> Result<Vec<Column>, Reached> {
        let mut columns = self.probe_storage(setting, aim, reads)?;
        let moving: Vec<Column> =
            columns.iter().filter(|column| !column.at_goal.is_none() || !column.moves.is_empty()).cloned().collect();
        if moving.is_empty() {
            return Ok(moving);
        }
        columns.extend_from_slice(fields);
        let problem = problem(aim, &columns);
        for _ in 0..SOLUTIONS {
            let Some(steps) = problem.solve(&mut self.lane.rng, &mut self.lane.fuel) else { continue };
            let Some(wanted) = self.moved(setting, &columns, &steps) else { continue };
            self.peek(&wanted)?;
            if !self.goal.is_reached(self.executor.observation()) {
                continue;
            }
            if self.lane.session.techniques.demand_driven {
                let mut slots: Vec<(Address, U256)> = columns
                    .iter()
                    .zip(&steps)
                    .filter(|(_, steps)| !steps.is_zero())
                    .filter_map(|(column, _)| match column.parameter {
                        Parameter::Storage { address, slot, .. } => Some((address, slot)),
                        Parameter::Field(_) | Parameter::Earlier { .. } => None,
                    })
                    .collect();
                slots.dedup();
                self.demand(&wanted, &slots)?;
            }
            break;
        }
        Ok(moving)
    }

    /// Another state would do: the function demands longer sequences, and the slots are asked for one after the other.
    fn demand(&mut self, wanted: &Setting, slots: &[(Address, U256)]) -> Result<(), Reached> {
        *self.lane.demands.entry(wanted.transaction.call).or_default() += 1;
        if self.lane.wanted.len() < MAX_WANTED {
            self.lane.wanted.extend(slots);
        }
        let mut here = self.state.clone();
        for (address, slot) in slots {
            let word = wanted.snapshot.slot(*address, *slot);
            if let Some(granted) = self.grant(&here, (*address, *slot), word) {
                here = granted;
            }
        }
        if Arc::ptr_eq(&here, &self.state) {
            return Ok(());
        }
        // From where the wish led to, the transaction that belongs to it.
        let before = std::mem::replace(&mut self.state, here);
        let ended = self.run(wanted).map(drop);
        self.state = before;
        ended
    }
}
