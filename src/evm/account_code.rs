//! [`AccountCode`] is the code of an account, with what the EVM finds out about it before it runs it.

use alloy_primitives::{B256, Bytes};
use revm::bytecode::Bytecode;

/// The code of an account. Its jumps are found and its hash is taken once; copies share both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountCode {
    pub(super) bytecode: Bytecode,
    pub(super) hash: B256,
}

impl AccountCode {
    /// The bytes.
    pub fn bytes(&self) -> Bytes {
        self.bytecode.original_bytes()
    }
}

impl From<Bytes> for AccountCode {
    fn from(code: Bytes) -> Self {
        let bytecode = Bytecode::new_raw(code);
        Self { hash: bytecode.hash_slow(), bytecode }
    }
}
