//! [`Evidence`] is how a defect looks to whoever makes the last call of a sequence: the fuzzer looks into every frame, a regression test
//! gets only what comes back and what its cheatcodes record. Which evidence there is, the oracle says; how a test checks it is known
//! above.

use crate::{
    evm::{CallNode, Outcome, SlotWrite, Snapshot},
    subject::Subject,
};
use alloy_primitives::U256;

/// What a test can see of a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The call reverts with `Panic(code)`.
    Reverts(u64),
    /// A call inside of it does, and the contract hides that. Made alone, afterwards, it does so again.
    RevertsInside(u64),
    /// It burns nearly all the gas that it gets, as INVALID does.
    Burns,
    /// It logs `AssertionFailed`.
    Logs,
    /// It writes something into this slot.
    Writes(U256),
}

/// The last call of a finding's sequence (of its setup, if there is no other), run once more in detail.
#[derive(Debug)]
pub struct Replay<'a> {
    /// The contract with its world.
    pub subject: &'a Subject,
    /// Whether the call is the deployment.
    pub is_deployment: bool,
    /// How the call ended.
    pub outcome: Outcome,
    /// The calls in it, its own first.
    pub calls: Vec<CallNode>,
    /// The words that it stored.
    pub writes: Vec<SlotWrite>,
    /// The state after it.
    pub after: Snapshot,
}
