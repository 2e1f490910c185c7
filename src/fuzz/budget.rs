//! A [`TransactionBudget`] is the number of transactions that may still be run, with a condition that stops it early.

/// The number of transactions that may still be run.
pub(super) struct TransactionBudget<'a> {
    left: u64,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> TransactionBudget<'a> {
    pub(super) fn new(transactions: u64, stop: &'a dyn Fn() -> bool) -> Self {
        Self { left: transactions, stop }
    }

    /// Transactions that are left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Whether none are left, or `stop` holds.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0 || self.is_stopped()
    }

    /// Whether `stop` holds.
    pub(super) fn is_stopped(&self) -> bool {
        (self.stop)()
    }

    pub(super) fn spend(&mut self) {
        self.left -= 1;
    }
}
