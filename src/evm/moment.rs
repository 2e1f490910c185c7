//! A [`Moment`] is a point on the chain: what a block tells the transactions in it.

use alloy_primitives::{Address, U256};

/// A point on the chain.
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
    /// A block at a time and a height that says nothing else.
    pub const fn new(timestamp: u64, number: u64) -> Self {
        Self { timestamp, number, prevrandao: U256::ZERO, base_fee: 0, coinbase: Address::ZERO }
    }
}

/// Where every session starts: a time and a height of late 2023.
pub const START: Moment = Moment::new(1_700_000_000, 18_500_000);
