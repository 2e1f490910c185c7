//! [`SearchShare`] bounds the part of all transactions that the search may use: it grows while objectives are reached and
//! shrinks otherwise.

use crate::tuning::Tuning;
use std::sync::Arc;

/// The part of all transactions that the search may use.
#[derive(Debug)]
pub(super) struct SearchShare {
    tuning: Arc<Tuning>,
    /// The part, in thousandths.
    share: u64,
    /// Transactions in the window, and those of the search.
    all: u64,
    searching: u64,
}

impl SearchShare {
    pub(super) fn new(tuning: Arc<Tuning>) -> Self {
        Self { share: tuning.first_search_share, tuning, all: 0, searching: 0 }
    }

    /// Whether the search has used less than its share.
    pub(super) fn is_left(&self) -> bool {
        self.searching * 1_000 < self.share * self.all
    }

    /// Counts transactions of a step, whichever stage ran them.
    pub(super) fn count(&mut self, transactions: u64) {
        self.all += transactions;
        if self.all > self.tuning.search_share_window {
            (self.all, self.searching) = (self.all / 2, self.searching / 2);
        }
    }

    /// Counts transactions of the search.
    pub(super) fn count_search(&mut self, transactions: u64) {
        self.searching += transactions;
    }

    pub(super) fn grow(&mut self) {
        self.share = (self.share + self.tuning.search_share_gain).min(self.tuning.most_search_share);
    }

    pub(super) fn shrink(&mut self) {
        self.share = (self.share - self.share / self.tuning.search_share_loss).max(self.tuning.least_search_share);
    }
}
