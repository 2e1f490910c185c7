//! [`Search`] is what the search knows between two attempts, and how it is set.

use super::{preimages::Preimages, queue::ObjectiveQueue, writers::Writers};
use crate::{corpus::MemoryAccount, input::CallId, solve::WorkBudget, tuning::Tuning};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Which parts of the search are on; see the switches of the fuzzer's techniques.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Switches {
    /// Predicting words from how differences moved.
    pub(crate) prediction: bool,
    /// Trying whether another state would let a transaction go further.
    pub(crate) aggressive: bool,
    /// Asking for such a state.
    pub(crate) demand_driven: bool,
    /// Putting one operand in place of the other.
    pub(crate) input_to_state: bool,
}

/// The parts of a slot that hold variables of their own, as shift and width in bits, by the account that owns the slot.
pub(crate) type PackedSlots = HashMap<(Address, U256), Vec<(usize, usize)>>;

/// What the search knows between two attempts.
#[derive(Debug)]
pub(crate) struct Search {
    /// What to try next.
    pub(crate) queue: ObjectiveQueue,
    /// Which transactions changed which slot.
    pub(crate) writers: Writers,
    /// Functions that were seen to need another state, with how often.
    pub(crate) demanding: BTreeMap<CallId, u32>,
    /// Slots that such functions need to be different.
    pub(crate) requested: BTreeSet<(Address, U256)>,
    pub(super) preimages: Preimages,
    packed: PackedSlots,
    /// What the attempt that is being made may still cost.
    pub(super) budget: WorkBudget,
    pub(super) switches: Switches,
    pub(super) tuning: Arc<Tuning>,
}

impl Search {
    /// A search that knows nothing yet; what it keeps is charged to `memory`.
    pub(crate) fn new(
        switches: Switches,
        packed: PackedSlots,
        tuning: Arc<Tuning>,
        memory: Arc<MemoryAccount>,
    ) -> Self {
        Self {
            queue: ObjectiveQueue::new(tuning.clone()),
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

    /// The variables may stand elsewhere in their slots now.
    pub(crate) fn set_packed(&mut self, packed: PackedSlots) {
        self.packed = packed;
    }

    /// Lets go of what the session does not keep any more, by addresses; and of everything that can be learned again, if the bound of memory
    /// was lowered so far that it does not fit.
    pub(crate) fn retain(&mut self, kept: &HashSet<usize>, memory: &MemoryAccount) {
        self.queue.retain(kept);
        if memory.is_overcharged() {
            self.writers.clear();
            self.preimages.clear();
        }
    }

    /// Ends the attempt that is being made, as something better to try has come up.
    pub(crate) fn break_off(&mut self) {
        self.budget = WorkBudget::default();
    }

    /// The variables of a slot: `(shift, bits)`, the whole slot if nothing else is known.
    pub(super) fn variables(&self, address: Address, slot: U256) -> Vec<(usize, usize)> {
        match self.packed.get(&(address, slot)) {
            Some(parts) => parts.clone(),
            None => vec![(0, 256)],
        }
    }
}
