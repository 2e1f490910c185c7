//! A [`Moment`] is a point on the chain: what a block tells the transactions in it.

/// A point on the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Seconds since the epoch.
    pub timestamp: u64,
    /// Block number.
    pub number: u64,
}

/// Where every session starts: a time and a height of late 2023.
pub const START: Moment = Moment { timestamp: 1_700_000_000, number: 18_500_000 };
