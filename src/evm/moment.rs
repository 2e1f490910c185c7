//! A [`Moment`] is the block in which a transaction runs, as far as code can read it.

use alloy_primitives::{Address, U256};

/// The block of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Seconds since the epoch.
    pub timestamp: u64,
    /// Block number.
    pub number: u64,
    /// `block.prevrandao`.
    pub prevrandao: U256,
    /// `block.basefee`, in wei.
    pub base_fee: u64,
    /// `block.coinbase`.
    pub coinbase: Address,
}

impl Moment {
    /// A block with this timestamp and number, and zeros for everything else.
    pub const fn new(timestamp: u64, number: u64) -> Self {
        Self { timestamp, number, prevrandao: U256::ZERO, base_fee: 0, coinbase: Address::ZERO }
    }
}

/// The block in which every session starts: a timestamp and a number of late 2023.
pub const START: Moment = Moment::new(1_700_000_000, 18_500_000);
