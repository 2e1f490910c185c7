//! [`Search`] is the state of the search between two attempts, and its settings.

use super::{approach::Approach, preimages::Preimages, queue::ObjectiveQueue, writers::Writers};
use crate::{corpus::MemoryAccount, input::CallId, solve::WorkBudget, tuning::Tuning};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The parts of the search that are switched on; see the switches of the fuzzer's techniques.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Switches {
    /// Predicting words from the movement of differences.
    pub(crate) prediction: bool,
    /// Trying whether a transaction would go further on another state (HARVEY's aggressive mode).
    pub(crate) aggressive: bool,
    /// Searching for a sequence that reaches such a state (HARVEY's demand-driven sequences).
    pub(crate) demand_driven: bool,
    /// Replacing one operand of a comparison by the other in the input.
    pub(crate) input_to_state: bool,
}

/// The parts of a slot that hold variables of their own, as shift and width in bits, by the account that owns the slot.
pub(crate) type PackedSlots = HashMap<(Address, U256), Vec<(usize, usize)>>;

/// The state of the search between two attempts.
#[derive(Debug)]
pub(crate) struct Search {
    /// The objectives to try next.
    pub(crate) queue: ObjectiveQueue,
    /// How near runs have come to edges that none took.
    pub(crate) approach: Approach,
    /// The transactions that changed each slot.
    pub(crate) writers: Writers,
    /// Functions that needed another state, with the number of times.
    pub(crate) demanding: BTreeMap<CallId, u32>,
    /// Slots in which such functions need another word.
    pub(crate) requested: BTreeSet<(Address, U256)>,
    pub(super) preimages: Preimages,
    packed: PackedSlots,
    /// The budget that is left to the current attempt.
    pub(super) budget: WorkBudget,
    pub(super) switches: Switches,
    pub(super) tuning: Arc<Tuning>,
}

impl Search {
    /// A search without any knowledge; the memory that it keeps is charged to `memory`.
    pub(crate) fn new(
        switches: Switches,
        packed: PackedSlots,
        tuning: Arc<Tuning>,
        memory: Arc<MemoryAccount>,
    ) -> Self {
        Self {
            queue: ObjectiveQueue::new(tuning.clone()),
            approach: Approach::default(),
            writers: Writers::new(tuning.clone(), memory.clone()),
            demanding: BTreeMap::new(),
            requested: BTreeSet::new(),
            preimages: Preimages::new(memory),
            packed,
            budget: WorkBudget::default(),
            switches,
            tuning,
        }
    }

    /// Sets where the variables are in their slots, which another build may have changed.
    pub(crate) fn set_packed(&mut self, packed: PackedSlots) {
        self.packed = packed;
    }

    /// Drops everything that refers to an entry or state outside `kept`, by addresses; and all knowledge that can be
    /// learned again, if the memory bound was lowered so far that it does not fit.
    pub(crate) fn retain(&mut self, kept: &HashSet<usize>, memory: &MemoryAccount) {
        self.queue.retain(kept);
        if memory.is_overcharged() {
            self.writers.clear();
            self.preimages.clear();
        }
    }

    /// Ends the current attempt, because something better to try has come up.
    pub(crate) fn break_off(&mut self) {
        self.budget = WorkBudget::default();
    }

    /// The variables of a slot as `(shift, bits)`; the whole slot if its layout is unknown.
    pub(super) fn variables(&self, address: Address, slot: U256) -> Vec<(usize, usize)> {
        match self.packed.get(&(address, slot)) {
            Some(parts) => parts.clone(),
            None => vec![(0, 256)],
        }
    }
}
