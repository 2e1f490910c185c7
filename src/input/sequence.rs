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

impl Sequence {
    /// How many steps it has: those of the setup, and its transactions. At least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a setup has a step")]
    pub fn len(&self) -> usize {
        self.setup.steps().len() + self.transactions.len()
    }
}
