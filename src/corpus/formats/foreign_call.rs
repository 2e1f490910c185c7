//! A [`ForeignCall`] is a call as another fuzzer keeps it, in the world of that fuzzer.

use alloy_primitives::{Address, U256};

/// A fuzzer whose corpus is read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Foundry's `forge`: a `corpus_dir`, and the failures that it keeps.
    Forge,
    /// Echidna: the folders `coverage` and `reproducers` of its corpus.
    Echidna,
    /// Medusa: the folders `call_sequences` and `test_results` of its corpus.
    Medusa,
}

/// A call as another fuzzer keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignCall {
    /// The sender.
    pub sender: Address,
    /// The address that is called, in the world of the fuzzer.
    pub target: Address,
    /// The calldata.
    pub calldata: Vec<u8>,
    /// The ether sent with it, in wei.
    pub value: U256,
    /// Seconds that pass before it.
    pub seconds: u64,
    /// Blocks that pass before it.
    pub blocks: u64,
}
