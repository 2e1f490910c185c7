//! [`Hooks`] ride in the slot that the EVM's context has for data of a chain: the recorder, and, where a harness needs one, an
//! [`Interceptor`] that answers calls in the place of a contract.

use super::{recorder::Recorder, snapshot::Snapshot};
use alloy_primitives::{Address, Bytes, U256};
use revm::{
    Context, Journal,
    context::{BlockEnv, CfgEnv, TxEnv},
};

/// The context of our EVM.
pub(super) type Machine = Context<BlockEnv, TxEnv, CfgEnv, Snapshot, Journal<Snapshot>, Hooks>;

/// What the context carries beside the state.
pub(super) struct Hooks {
    pub(super) recorder: Recorder,
    /// None for most executors: then no frame asks for it.
    pub(super) interceptor: Option<Box<dyn Interceptor>>,
}

/// Answers calls of an address in the place of a contract, where their frame would open. Such a call has no frame: it is recorded like a
/// call of a precompile.
pub trait Interceptor {
    /// The answer to a call; none if it is to run as if nobody intercepted it.
    fn answer(&mut self, call: &InterceptedCall) -> Option<Answer>;
}

/// A call whose frame would open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterceptedCall {
    /// The account that calls.
    pub caller: Address,
    /// The account that is called.
    pub target: Address,
    /// The ether sent with it, in wei.
    pub value: U256,
    /// The calldata.
    pub input: Bytes,
    /// How many calls it is in; 0 for that of the transaction.
    pub depth: u32,
}

/// How an intercepted call ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whether the call succeeds; else it reverts.
    pub success: bool,
    /// The data that it returns or reverts with.
    pub output: Bytes,
}
