//! `search` goes after [`Objective`](crate::corpus::Objective)s: in goes something that runs transactions ([`Runner`]), out come runs that
//! reach what was just missed. It computes words from how the operands of branches move (HARVEY §IV), asks for other states (§V), and knows
//! no fuzzer, no session and no campaign.

mod attempt;
mod constraint;
mod eliminate;
mod follow;
mod model;
mod objective_search;
mod preimages;
mod probe;
mod queue;
mod runner;
mod storage;
mod variable;
mod writers;

pub(crate) use attempt::attempt;
pub(crate) use objective_search::Reached;
pub(crate) use queue::{Candidate, ObjectiveQueue, TargetDistance};
pub(crate) use runner::{KeepState, Lent, Runner};

use crate::{corpus::MemoryAccount, input::CallId, solve::WorkBudget};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use preimages::Preimages;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use writers::Writers;

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
    preimages: Preimages,
    packed: PackedSlots,
    /// What the attempt that is being made may still cost.
    budget: WorkBudget,
    switches: Switches,
}

impl Search {
    /// A search that knows nothing yet; what it keeps is charged to `memory`.
    pub(crate) fn new(switches: Switches, packed: PackedSlots, memory: Arc<MemoryAccount>) -> Self {
        Self {
            queue: ObjectiveQueue::default(),
            writers: Writers::new(memory.clone()),
            demanding: BTreeMap::new(),
            requested: BTreeSet::new(),
            preimages: Preimages::new(memory),
            packed,
            budget: WorkBudget::default(),
            switches,
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
    fn variables(&self, address: Address, slot: U256) -> Vec<(usize, usize)> {
        match self.packed.get(&(address, slot)) {
            Some(parts) => parts.clone(),
            None => vec![(0, 256)],
        }
    }
}
