//! A [`Runner`] runs transactions and keeps states on behalf of the search, which knows no fuzzer and no campaign.

use super::knowledge::Search;
use crate::{
    corpus::State,
    evm::{Observation, Preimage, Snapshot},
    input::{Generator, Setup, Transaction},
};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// Whether a run that succeeds and changes the state leaves that state to continue from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeepState {
    /// Only where the run took a new path.
    IfNewPath,
    /// Always; a state with something new is also added to the corpus.
    Yes,
    /// Return the state to the caller without adding it to the corpus: a search in small steps would add a state for every
    /// step.
    Transient,
}

/// Runs transactions for the search.
pub(crate) trait Runner {
    /// The parts that the search shares with its runner, lent together.
    fn lend(&mut self) -> Lent<'_>;

    /// The observation of the last run.
    fn observation(&self) -> &Observation;

    /// Whether the transaction budget allows another run.
    fn may_run(&self) -> bool;

    /// Runs an ordinary input: it is judged, counted, and kept if it shows something new. Returns the state after it, if it
    /// succeeded, changed the state, and `keep` allows it.
    fn run(&mut self, state: &Arc<State>, transaction: Transaction, keep: KeepState) -> Option<Arc<State>>;

    /// Runs a transaction on a state that may not be reachable: it is counted, but leaves no trace except the observation.
    fn peek(&mut self, snapshot: &Snapshot, transaction: &Transaction);

    /// Runs a transaction like [`peek`](Self::peek), and returns the preimages of its hashes.
    fn peek_preimages(&mut self, snapshot: &Snapshot, transaction: &Transaction) -> Vec<Preimage>;

    /// Runs a setup. Returns the state after it, or none if it fails, or if the transaction budget does not allow it.
    fn set_up(&mut self, setup: Setup) -> Option<Arc<State>>;

    /// The states after the setups that sequences start from.
    fn roots(&self) -> &[Arc<State>];

    /// Adds the state after a setup to the starting points of sequences.
    fn keep_root(&mut self, root: Arc<State>);

    /// How many steps at the end of each setup stay as they are.
    fn fixed_steps(&self) -> usize;

    /// Adds a state to the corpus as a starting point.
    fn keep_state(&mut self, state: &Arc<State>);

    /// The kept states to start from, the latest last.
    fn states(&self) -> &[Arc<State>];

    /// The sequence length, in transactions, from which on no state is kept.
    fn max_depth(&self) -> usize;
}

/// The parts that a [`Runner`] lends to the search.
pub(crate) struct Lent<'a> {
    /// The source of all random choices.
    pub(crate) rng: &'a mut ChaCha8Rng,
    /// Sets words of transactions, and knows the call table.
    pub(crate) generator: &'a Generator,
    /// The state of the search.
    pub(crate) search: &'a mut Search,
}
