//! [`SearchShare`] is which part of all transactions the search may have: more while it reaches objectives, fewer while it does not.

/// Of a thousand transactions, the search gets at most this many, this many at first, and at least this many. Chosen by hand.
const MOST: u64 = 700;
const FIRST: u64 = 400;
const LEAST: u64 = 150;
/// By how many thousandths the share grows after an objective was reached; and by which part of itself it shrinks after none was. Chosen by hand.
const GAIN: u64 = 40;
const LOSS: u64 = 40;
/// Transactions over which the share is counted: older ones count half, a quarter, and so on. Chosen by hand.
const WINDOW: u64 = 20_000;

/// Which part of all transactions the search may have.
#[derive(Debug)]
pub(super) struct SearchShare {
    /// In thousandths.
    share: u64,
    /// Transactions in the window, and those of the search.
    all: u64,
    searching: u64,
}

impl Default for SearchShare {
    fn default() -> Self {
        Self { share: FIRST, all: 0, searching: 0 }
    }
}

impl SearchShare {
    /// Whether the search had less than its share.
    pub(super) fn is_left(&self) -> bool {
        self.searching * 1_000 < self.share * self.all
    }

    /// Counts transactions of a step, whichever stage ran them.
    pub(super) fn count(&mut self, transactions: u64) {
        self.all += transactions;
        if self.all > WINDOW {
            (self.all, self.searching) = (self.all / 2, self.searching / 2);
        }
    }

    /// Counts transactions of the search.
    pub(super) fn count_search(&mut self, transactions: u64) {
        self.searching += transactions;
    }

    pub(super) fn grow(&mut self) {
        self.share = (self.share + GAIN).min(MOST);
    }

    pub(super) fn shrink(&mut self) {
        self.share = (self.share - self.share / LOSS).max(LEAST);
    }
}
