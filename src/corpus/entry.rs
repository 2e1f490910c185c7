//! An [`Entry`] is a state and a transaction that took a new path from it. A state contains the sequence that reached it,
//! so every entry is a sequence.

use super::{
    code_part::CodePart,
    memory::{self, MemoryAccount, MemoryCharge},
    objective::Objective,
    state::State,
};
use crate::{input::Transaction, lookahead::Ahead};
use alloy_primitives::U256;
use std::sync::{Arc, Mutex};

/// A transaction that took a path from a state that no transaction took before.
#[derive(Debug)]
pub struct Entry {
    /// The state that it starts from.
    pub state: Arc<State>,
    /// The call.
    pub transaction: Transaction,
    /// The path id.
    pub path: u64,
    /// The hash of its set of edges.
    pub edges: u64,
    /// The number of branches.
    pub length: u64,
    /// The objectives that it missed and that were open at the time, with the distance to each.
    pub(crate) missed: Vec<(Objective, U256)>,
    /// What it reached that no earlier run reached.
    pub first_reached: Box<[CodePart]>,
    /// The result of lookahead, once computed.
    pub(crate) told: Mutex<Option<LookaheadResult>>,
    /// The memory charge of the entry itself, without its state.
    pub(crate) charge: MemoryCharge,
}

/// The path of a transaction, as the corpus compares it.
#[derive(Debug)]
pub(crate) struct PathInfo {
    pub(crate) path: u64,
    pub(crate) edges: u64,
    pub(crate) length: u64,
    pub(crate) first_reached: Vec<CodePart>,
    pub(crate) missed: Vec<(Objective, U256)>,
}

impl Entry {
    pub(crate) fn new(
        state: Arc<State>,
        transaction: Transaction,
        taken: PathInfo,
        meter: &Arc<MemoryAccount>,
    ) -> Self {
        let PathInfo { path, edges, length, first_reached, missed } = taken;
        let first_reached = first_reached.into_boxed_slice();
        let own = size_of::<Self>()
            + missed.capacity() * size_of::<(Objective, U256)>()
            + size_of_val(&*first_reached);
        let charge = meter.charge(own as u64 + memory::of_transaction(&transaction));
        Self { state, transaction, path, edges, length, missed, first_reached, told: Mutex::default(), charge }
    }

    /// Whether it reached code that no earlier run reached.
    pub fn covers_more(&self) -> bool {
        !self.first_reached.is_empty()
    }
}

/// The lookahead from an entry's path, for one version of the targets; all fuzzers of a session share it.
#[derive(Debug)]
pub(crate) struct LookaheadResult {
    /// The version of the targets.
    pub(crate) version: u64,
    /// The lookahead's result.
    pub(crate) ahead: Arc<Ahead>,
    /// The bytes of the result, charged for as long as it is kept.
    pub(crate) _charge: MemoryCharge,
}
