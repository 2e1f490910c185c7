//! A [`CheatState`] is what cheatcodes keep from one transaction to the next: from `setUp` to the test, and from call to call of a
//! sequence. It is part of a snapshot, and shared by all that have the same.

use super::{
    mocks::Mocks,
    prank::{Broadcast, Pranks},
    recorded::{Accesses, RecordedLogs},
};
use crate::evm::{account_state::AccountState, moment::Moment, shared_map::SharedMap};
use alloy_primitives::{Address, B256, U256};
use std::{collections::BTreeMap, sync::Arc};

/// States that a test keeps at once; chosen by hand. A handler may keep one in each call, and never go back to it.
const MAX_KEPT: usize = 64;
/// Labels, remembered keys, variables of the environment and hashes of blocks that are kept, each; chosen by hand.
pub(in crate::evm) const MAX_NAMED: usize = 4_096;

/// A state that a test can go back to.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::evm) struct KeptState {
    /// Its accounts.
    pub(in crate::evm) accounts: SharedMap<Address, Arc<AccountState>>,
    /// Its block.
    pub(in crate::evm) moment: Moment,
    /// The bytes that it takes beside the state that it was kept in.
    pub(in crate::evm) bytes: u64,
}

/// What cheatcodes keep.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::evm) struct CheatState {
    /// The pranks that are on.
    pub(in crate::evm) pranks: Pranks,
    /// The broadcast that is on.
    pub(in crate::evm) broadcast: Option<Broadcast>,
    /// The names of accounts.
    pub(in crate::evm) labels: Arc<BTreeMap<Address, String>>,
    /// `block.chainid`, where a test chose one.
    pub(in crate::evm) chain_id: Option<u64>,
    /// `tx.gasprice`, where a test chose one.
    pub(in crate::evm) gas_price: Option<u64>,
    /// The excess of blob gas of which `block.blobbasefee` is made, where a test chose one.
    pub(in crate::evm) excess_blob_gas: Option<u64>,
    /// The hashes of blobs that BLOBHASH gives.
    pub(in crate::evm) blob_hashes: Vec<B256>,
    /// The hashes of blocks that a test chose.
    pub(in crate::evm) block_hashes: Arc<BTreeMap<u64, B256>>,
    /// The private keys that are remembered.
    pub(in crate::evm) keys: Arc<BTreeMap<Address, B256>>,
    /// The environment that a test made.
    pub(in crate::evm) environment: Arc<BTreeMap<String, String>>,
    /// The mocked calls.
    pub(in crate::evm) mocks: Arc<Mocks>,
    /// The storage that is recorded.
    pub(in crate::evm) accesses: Arc<Accesses>,
    /// The logs that are recorded.
    pub(in crate::evm) logs: Arc<RecordedLogs>,
    /// The states that a test can go back to.
    pub(in crate::evm) kept: Arc<BTreeMap<u64, KeptState>>,
    /// The number of the next kept state.
    pub(in crate::evm) next_kept: u64,
    /// The seed of random numbers.
    pub(in crate::evm) seed: U256,
    /// The random numbers that were drawn.
    pub(in crate::evm) drawn: u64,
}

impl CheatState {
    /// Keeps a state, and gives its number; none if as many are kept as there is room for.
    pub(in crate::evm) fn keep(&mut self, state: KeptState) -> Option<u64> {
        if self.kept.len() >= MAX_KEPT {
            return None;
        }
        let id = self.next_kept;
        self.next_kept += 1;
        Arc::make_mut(&mut self.kept).insert(id, state);
        Some(id)
    }

    /// The approximate number of bytes that it takes.
    pub(in crate::evm) fn bytes(&self) -> u64 {
        let text = |(name, value): (usize, usize)| name + value + 48;
        let named = self.labels.values().map(|label| text((20, label.len()))).sum::<usize>()
            + self.environment.iter().map(|(name, value)| text((name.len(), value.len()))).sum::<usize>()
            + (self.keys.len() + self.block_hashes.len() + self.blob_hashes.len()) * 64;
        let recorded = self.accesses.bytes() + self.logs.bytes() + self.mocks.bytes() + self.pranks.bytes();
        let kept: u64 = self.kept.values().map(|kept| kept.bytes + size_of::<KeptState>() as u64).sum();
        (size_of::<Self>() + named + recorded) as u64 + kept
    }
}
