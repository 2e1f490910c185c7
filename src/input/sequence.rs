//! A [`Sequence`] is what the fuzzer runs and what a finding shows: a setup, then transactions one after another.

use super::{setup::Setup, transaction::Transaction};

/// A setup and the transactions after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// How the world came to be.
    pub setup: Setup,
    /// The calls after it, in order.
    pub transactions: Vec<Transaction>,
}
