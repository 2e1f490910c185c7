//! A [`Runner`] is what the search needs of whoever runs it: somebody who runs transactions and keeps states. The search knows no fuzzer
//! and no campaign.

use super::knowledge::Search;
use crate::{
    corpus::State,
    evm::{Observation, Preimage, Snapshot},
    input::{Generator, Transaction},
};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// Whether a run that succeeds and changes something leaves a state to go on from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeepState {
    /// Only where the run took a new path.
    IfNewPath,
    /// Yes, and if the state holds something new, it is added to the corpus.
    Yes,
    /// Return the state to the caller without adding it to the corpus: one that is tried step by step would leave a state for each step.
    Transient,
}

/// Runs transactions for the search.
pub(crate) trait Runner {
    /// The parts that the search shares with its runner, lent together.
    fn lend(&mut self) -> Lent<'_>;

    /// What the last run showed.
    fn observation(&self) -> &Observation;

    /// Whether transactions are left to be run.
    fn may_run(&self) -> bool;

    /// Runs an input like any other: it is judged, counted, and kept where it shows something new. Gives the state behind it, if it
    /// succeeded, changed something, and `keep` says so.
    fn run(&mut self, state: &Arc<State>, transaction: Transaction, keep: KeepState) -> Option<Arc<State>>;

    /// Runs a transaction on a state that may not be reachable: it leaves no trace but the observation, and counts.
    fn peek(&mut self, snapshot: &Snapshot, transaction: &Transaction);

    /// Runs a transaction like [`peek`](Self::peek), and gives what it hashed.
    fn peek_preimages(&mut self, snapshot: &Snapshot, transaction: &Transaction) -> Vec<Preimage>;

    /// Keeps a state for others to start from.
    fn keep_state(&mut self, state: &Arc<State>);

    /// The states that are kept to start from, the latest last.
    fn states(&self) -> &[Arc<State>];

    /// The number of transactions behind which no state is kept.
    fn max_depth(&self) -> usize;
}

/// What a [`Runner`] lends.
pub(crate) struct Lent<'a> {
    /// Draws everything.
    pub(crate) rng: &'a mut ChaCha8Rng,
    /// Sets words of transactions, and knows the call table.
    pub(crate) generator: &'a Generator,
    /// What the search knows.
    pub(crate) search: &'a mut Search,
}
