//! `evm` runs one transaction on a snapshot and returns an observation. It decides nothing: the layers above choose what to run
//! and what an observation means.

mod account_code;
mod account_state;
mod block_history;
mod call_tree;
mod cheatcodes;
mod cheats;
mod decide;
mod edge;
mod executor;
mod hooks;
mod instrument;
mod instruments;
mod moment;
mod observation;
mod outcome;
mod panic;
mod placed_write;
mod recorder;
mod scripted;
mod shared_map;
mod snapshot;
mod wrap;

pub use account_code::AccountCode;
pub use account_state::AccountState;
pub use call_tree::{CallEvent, CallKind, CallNode, CallTree, StorageAccess};
pub use cheatcodes::{
    CheatFamily, Cheatcode, FAMILIES as CHEAT_FAMILIES, Support, all as cheatcodes, document as cheatcode_document,
    interface as cheatcode_interface,
};
pub use cheats::{
    ASSUME, Artifacts, BuildArtifacts, CHEATCODE_ADDRESS, CONSOLE_ADDRESS, CREATE2_FACTORY, DEFAULT_SENDER,
    FAILED_SLOT, SKIP, TEST_ADDRESS, TEST_GAS,
};
pub use edge::Edge;
pub(crate) use executor::{CALL_GAS, CREATE_GAS};
pub use executor::{Call, CallTarget, Executor};
pub use instruments::{Instruments, WriteWatch};
pub use moment::{Moment, START};
pub use observation::{
    BlockVisit, Branch, Comparison, Failure, FailureKind, MAX_BRANCHES, MAX_TRACE, Observation, Operator, Preimage,
    SlotAccess, SlotWrite, TraceStep, Unpaid,
};
pub use outcome::{Outcome, Status};
pub use placed_write::PlacedWrite;
pub(crate) use recorder::spread;
pub use scripted::Scripted;
pub use snapshot::Snapshot;
pub(crate) use snapshot::block_hash;
pub use wrap::{Exact, Wrap};
