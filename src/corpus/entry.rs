//! An [`Entry`] is a state and a transaction that took a new path from it. A state contains the sequence that reached it,
//! so every entry is a sequence.

use super::{
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
    /// Whether it reached code that no earlier run reached.
    pub covers_more: bool,
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
    pub(crate) covers_more: bool,
    pub(crate) missed: Vec<(Objective, U256)>,
}

impl Entry {
    pub(crate) fn new(
        state: Arc<State>,
        transaction: Transaction,
        taken: PathInfo,
        meter: &Arc<MemoryAccount>,
    ) -> Self {
        let PathInfo { path, edges, length, covers_more, missed } = taken;
        let own = size_of::<Self>() + missed.capacity() * size_of::<(Objective, U256)>();
        let charge = meter.charge(own as u64 + memory::of_transaction(&transaction));
        Self { state, transaction, path, edges, length, missed, covers_more, told: Mutex::default(), charge }
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
