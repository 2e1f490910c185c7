//! [`Evidence`] is what the caller of a contract can observe of a defect. The fuzzer sees every frame, but a regression test
//! sees only what a call returns and what cheatcodes record. The oracle chooses the evidence; the layers above know how a test
//! checks it.

use crate::{
    evm::{CallNode, Failure, Outcome, SlotWrite, Snapshot},
    harness::Harness,
};
use alloy_primitives::{Address, U256};

/// The observable sign of a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The call reverts with `Panic(code)`.
    Reverts(u64),
    /// A call inside of it does, and the contract hides that. The same call, made alone afterwards, does so again.
    RevertsInside(u64),
    /// It consumes nearly all the gas that it gets, as INVALID does.
    Burns,
    /// It logs `AssertionFailed`.
    Logs,
    /// It writes something into this slot.
    Writes(U256),
    /// It runs the code of this account by DELEGATECALL or CALLCODE.
    Delegates(Address),
    /// It destroys a contract.
    Destroys,
}

/// The last call of a finding's sequence (of its setup, if there is no other), run once more in detail.
#[derive(Debug)]
pub struct Replay<'a> {
    /// The contract with its world.
    pub harness: &'a Harness,
    /// Whether the call is the deployment.
    pub is_deployment: bool,
    /// How the call ended.
    pub outcome: Outcome,
    /// The calls in it, its own first.
    pub calls: Vec<CallNode>,
    /// Its failures.
    pub failures: Vec<Failure>,
    /// The words that it stored.
    pub writes: Vec<SlotWrite>,
    /// The state after it.
    pub after: Snapshot,
}
