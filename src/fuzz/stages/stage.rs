//! A [`Stage`] is one way to spend transactions.

use crate::{
    evm::Executor,
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer},
    tuning::Tuning,
};

/// One way to spend transactions, drawn by its weight.
pub(in crate::fuzz) struct Stage {
    /// The number of steps, out of 100, in which it is drawn.
    pub(super) weight: fn(&Tuning) -> u32,
    /// Whether it starts from an entry of the corpus, so that it runs only once there is one.
    pub(super) needs_entry: bool,
    /// Spends transactions.
    pub(super) run: fn(&mut Fuzzer, &mut Executor, &mut TransactionBudget<'_>),
}
