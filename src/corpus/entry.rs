//! An [`Entry`] is a state and the transaction that took a path from it which no transaction took before. A state knows how it was
//! reached, so every entry is a sequence.

use super::{
    memory::{self, MemoryAccount, MemoryCharge},
    objective::Objective,
    state::State,
};
use crate::{input::Transaction, lookahead::Ahead};
use alloy_primitives::U256;
use std::sync::{Arc, Mutex};

/// A transaction that took a path from a state that none took before.
#[derive(Debug)]
pub struct Entry {
    /// Where it starts.
    pub state: Arc<State>,
    /// What is called.
    pub transaction: Transaction,
    /// The path id.
    pub path: u64,
    /// The set of edges.
    pub edges: u64,
    /// How many branches.
    pub length: u64,
    /// What it came close to, and nobody had done by then, with how far it was from each.
    pub(crate) missed: Vec<(Objective, U256)>,
    /// Whether it reached code that nothing had reached before.
    pub covers_more: bool,
    /// What is ahead of it, once somebody looked.
    pub(crate) told: Mutex<Option<LookaheadResult>>,
    /// What it holds beside its state.
    pub(crate) charge: MemoryCharge,
}

/// How a transaction went.
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

/// What is ahead of an entry's path, for one version of the targets; all fuzzers of a session share it.
#[derive(Debug)]
pub(crate) struct LookaheadResult {
    /// The version of the targets.
    pub(crate) version: u64,
    /// What was found.
    pub(crate) ahead: Arc<Ahead>,
    /// Its bytes, counted as long as it is kept.
    pub(crate) _charge: MemoryCharge,
}
