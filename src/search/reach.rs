//! Reaching a storage value: a state in which a slot holds a word is produced by calling the transactions that write the
//! slot. A state that such a transaction needs in turn is searched for in the same way (demand-driven sequences, HARVEY §V,
//! guided by which transaction writes which slot).

use super::{
    objective_search::{ObjectiveSearch, Reached},
    runner::{KeepState, Runner},
    writers::Writer,
};
use crate::{
    corpus::{Objective, State},
    input::Transaction,
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// A state after `start` in which the slot holds the word, or is closer to it; none if no writer helps.
    pub(super) fn reach_storage_value(
        &mut self,
        start: &Arc<State>,
        (address, slot): (Address, U256),
        word: U256,
    ) -> Option<Arc<State>> {
        if start.snapshot.slot(address, slot) == word {
            return Some(start.clone());
        }
        let writers = self.search().writers.of(&(address, slot)).to_vec();
        let mut closest: Option<(Arc<State>, Transaction)> = None;
        let distance = |state: &State| state.snapshot.slot(address, slot).abs_diff(word);
        for Writer { state: own, transaction } in writers {
            // First from here, where everything else still holds; then from the state where the writer was seen to succeed.
            for state in std::iter::once(start.clone()).chain(own.upgrade()) {
                if state.depth >= self.runner.max_depth() {
                    continue;
                }
                let mut search = ObjectiveSearch {
                    runner: &mut *self.runner,
                    tuning: self.tuning.clone(),
                    state,
                    objective: Objective::StorageValue { address, slot, word },
                    attempt: 0,
                    storage_depth: self.storage_depth - 1,
                    alternative: None,
                    prefix_failed: false,
                };
                match search.reach(&transaction) {
                    Reached::Yes(Some(next)) => {
                        self.runner.keep_state(&next);
                        return Some(next);
                    }
                    Reached::Closer(next) => {
                        if closest.as_ref().is_none_or(|(closest, _)| distance(&next) < distance(closest)) {
                            closest = Some((next, transaction.clone()));
                        }
                    }
                    Reached::Yes(None) | Reached::No { .. } => {}
                }
            }
        }
        // A writer that brought the slot closer once may do so again.
        let (mut here, transaction) = closest?;
        for _ in 0..self.tuning.writer_repeats {
            if here.depth >= self.runner.max_depth() || distance(&here).is_zero() {
                break;
            }
            match self.call(&here, &transaction, KeepState::Transient) {
                Ok(Some(next)) if distance(&next) < distance(&here) => here = next,
                _ => break,
            }
        }
        Some(here)
    }
}
