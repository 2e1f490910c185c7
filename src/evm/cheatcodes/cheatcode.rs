//! A [`Cheatcode`] is a function that tests call at a fixed address and that the engine runs itself. A [`CheatFamily`] is those that are
//! about one thing; each has a file and its own part of the table.

use super::{arguments::Arguments, error::CheatError};
use crate::evm::{cheats::Cheats, hooks::Machine};
use alloy_primitives::{Address, Bytes, U256};
use revm::context_interface::CreateScheme;

/// Whether a cheatcode is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It does what Foundry's does.
    Supported,
    /// It does nothing, and nothing that a fuzzer sees depends on it.
    Ignored,
    /// It reverts, for this reason.
    Unsupported(&'static str),
}

/// A function that tests call.
#[derive(Clone, Copy)]
pub struct Cheatcode {
    /// Its name and the types of its parameters. Structs stand by their name.
    pub signature: &'static str,
    /// What it returns, as types; empty for nothing.
    pub returns: &'static str,
    /// Whether it is there.
    pub support: Support,
    /// What it does, in one sentence; empty where the one before it says so.
    pub docs: &'static str,
    pub(super) run: Run,
}

impl std::fmt::Debug for Cheatcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cheatcode").field("signature", &self.signature).finish_non_exhaustive()
    }
}

impl Cheatcode {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.signature.split('(').next().unwrap_or(self.signature)
    }
}

/// Cheatcodes that are about one thing.
#[derive(Debug, Clone, Copy)]
pub struct CheatFamily {
    /// What they are about.
    pub title: &'static str,
    /// What is to be known of them, in a sentence or two; may be empty.
    pub about: &'static str,
    /// The cheatcodes.
    pub cheatcodes: &'static [Cheatcode],
}

/// How a cheatcode is run.
pub(super) type Run = fn(&mut CheatCall<'_>, Arguments<'_>) -> Answer;

/// What a cheatcode returns, encoded.
pub(super) type Answer = Result<Bytes, CheatError>;

/// A call of a cheatcode.
pub(super) struct CheatCall<'a> {
    /// The EVM's context; the cheatcodes are not in it meanwhile.
    pub(super) machine: &'a mut Machine,
    /// The cheatcodes.
    pub(super) cheats: &'a mut Cheats,
    /// The account that calls.
    pub(super) caller: Address,
    /// The number of calls around it.
    pub(super) depth: usize,
    /// The gas that the caller gave it and that is left.
    pub(super) gas: u64,
    /// The contract that is to be created, and whose address is what the cheatcode returns.
    pub(super) creation: Option<Creation>,
}

impl CheatCall<'_> {
    /// Takes gas for work that takes as long as so much gas of a contract. Foundry's cheatcodes cost nothing; here a loop of them must
    /// end.
    pub(super) fn charge(&mut self, gas: u64) -> Result<(), CheatError> {
        self.gas = self.gas.checked_sub(gas).ok_or(CheatError::OutOfGas)?;
        Ok(())
    }
}

/// A contract that a cheatcode creates.
#[derive(Debug)]
pub(super) struct Creation {
    /// The account that creates it.
    pub(super) creator: Address,
    /// `tx.origin` of its constructor.
    pub(super) origin: Address,
    pub(super) scheme: CreateScheme,
    /// The ether sent with it, in wei.
    pub(super) value: U256,
    /// The creation code, with the constructor's arguments behind it.
    pub(super) code: Bytes,
}

/// A cheatcode that is there.
pub(super) const fn supported(
    signature: &'static str,
    returns: &'static str,
    run: Run,
    docs: &'static str,
) -> Cheatcode {
    Cheatcode { signature, returns, support: Support::Supported, docs, run }
}

/// A cheatcode that does nothing.
pub(super) const fn ignored(signature: &'static str, returns: &'static str, run: Run, docs: &'static str) -> Cheatcode {
    Cheatcode { signature, returns, support: Support::Ignored, docs, run }
}

/// A cheatcode that is not there.
pub(super) const fn unsupported(signature: &'static str, returns: &'static str, reason: &'static str) -> Cheatcode {
    Cheatcode { signature, returns, support: Support::Unsupported(reason), docs: "", run: |_, _| Ok(Bytes::new()) }
}
