//! [`Hooks`] ride in the slot that the EVM's context has for data of a chain: the recorder, and, where a harness needs them, the
//! cheatcodes.

use super::{cheats::Cheats, recorder::Recorder, snapshot::Snapshot};
use revm::{
    Context, Journal,
    context::{BlockEnv, CfgEnv, TxEnv},
};

/// The context of our EVM.
pub(super) type Machine = Context<BlockEnv, TxEnv, CfgEnv, Snapshot, Journal<Snapshot>, Hooks>;

/// What the context carries beside the state.
pub(super) struct Hooks {
    pub(super) recorder: Recorder,
    /// None for most executors: then no frame asks for them.
    pub(super) cheats: Option<Box<Cheats>>,
}
