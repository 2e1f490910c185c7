//! An [`AccountState`] is one account of a snapshot: balance, nonce, code and storage. Copies share the storage that they have in
//! common.

use super::{account_code::AccountCode, shared_map::SharedMap};
use alloy_primitives::U256;
use revm::{bytecode::Bytecode, state::AccountInfo};

/// One account.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AccountState {
    pub(super) info: AccountInfo,
    pub(super) storage: SharedMap<U256, U256>,
}

impl AccountState {
    /// Puts this code in place of the one that it has.
    pub(super) fn set_code(&mut self, code: AccountCode) {
        self.info.code_hash = code.hash;
        self.info.code = Some(code.bytecode);
    }

    /// A copy to be changed.
    pub(super) fn share(&self) -> Self {
        Self { info: self.info.clone(), storage: self.storage.share() }
    }

    /// The approximate number of bytes that this holds and `other` does not.
    pub(super) fn bytes_beside(&self, other: Option<&Self>) -> u64 {
        let shares_storage = other.is_some_and(|other| self.storage.is_same(&other.storage));
        let storage = if shares_storage { 0 } else { self.storage.own_bytes() };
        let same_code = other.is_some_and(|other| other.info.code_hash == self.info.code_hash);
        let code = self.info.code.as_ref().filter(|_| !same_code).map_or(0, Bytecode::len);
        // The jump table of code takes one bit for each of its bytes.
        size_of::<Self>() as u64 + storage + (code + code / 8) as u64
    }
}
