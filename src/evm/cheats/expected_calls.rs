//! An [`ExpectedCall`] is a call that a test says will be made, and an [`ExpectedCreate`] a contract that it says will be created.

use alloy_primitives::{Address, Bytes, U256, hex};

/// Ether that comes with a call adds this much to its gas, which a test does not count.
const STIPEND: u64 = 2_300;

/// A call that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) struct ExpectedCall {
    /// The account that is to be called.
    pub(in crate::evm) callee: Address,
    /// The beginning of the calldata.
    pub(in crate::evm) calldata: Bytes,
    /// The ether sent with it, in wei; none for any.
    pub(in crate::evm) value: Option<U256>,
    /// The gas given to it; none for any.
    pub(in crate::evm) gas: Option<u64>,
    /// The gas given to it at least; none for any.
    pub(in crate::evm) min_gas: Option<u64>,
    /// How often it is to be made.
    pub(in crate::evm) count: u64,
    /// Whether exactly so often, as opposed to at least.
    pub(in crate::evm) is_exact: bool,
    /// How often it was made.
    pub(in crate::evm) seen: u64,
}

impl ExpectedCall {
    /// The same, with the gas that the EVM adds to a call with ether.
    pub(in crate::evm) fn with_stipend(mut self) -> Self {
        if self.value.is_some_and(|value| !value.is_zero()) {
            self.gas = self.gas.map(|gas| gas.saturating_add(STIPEND));
            self.min_gas = self.min_gas.map(|gas| gas.saturating_add(STIPEND));
        }
        self
    }

    /// Whether a call is one that is expected.
    pub(in crate::evm) fn fits(&self, callee: Address, input: &[u8], value: Option<U256>, gas: u64) -> bool {
        self.callee == callee
            && input.starts_with(&self.calldata)
            && (self.value.is_none() || self.value == value)
            && self.gas.is_none_or(|expected| expected == gas)
            && self.min_gas.is_none_or(|least| least <= gas)
    }

    /// What is wrong at the end of the transaction, if anything is.
    pub(in crate::evm) fn complaint(&self) -> Option<String> {
        let holds = if self.is_exact { self.seen == self.count } else { self.seen >= self.count };
        if holds {
            return None;
        }
        let parts = [
            Some(format!("data {}", hex::encode_prefixed(&self.calldata))),
            self.value.map(|value| format!("value {value}")),
            self.gas.map(|gas| format!("gas {gas}")),
            self.min_gas.map(|gas| format!("minimum gas {gas}")),
        ];
        let expected: Vec<String> = parts.into_iter().flatten().collect();
        Some(format!(
            "expected call to {} with {} to be called {}, but was called {}",
            self.callee,
            expected.join(", "),
            times(self.count),
            times(self.seen)
        ))
    }
}

fn times(count: u64) -> String {
    format!("{count} time{}", if count == 1 { "" } else { "s" })
}

/// A contract that is to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evm) struct ExpectedCreate {
    /// The code that it is to have.
    pub(in crate::evm) code: Bytes,
    /// The account that is to create it.
    pub(in crate::evm) deployer: Address,
    /// Whether by CREATE2, as opposed to CREATE.
    pub(in crate::evm) by_create2: bool,
}

impl ExpectedCreate {
    /// What is wrong if no such contract was created.
    pub(in crate::evm) fn complaint(&self) -> String {
        let scheme = if self.by_create2 { "CREATE2" } else { "CREATE" };
        let code = hex::encode_prefixed(&self.code);
        format!("expected {scheme} call by address {:#x} for bytecode {code} but not found", self.deployer)
    }
}
