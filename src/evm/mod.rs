//! `evm` runs one transaction on a snapshot of a world and says what was observed. It decides nothing: what to run,
//! and what an observation means, is for the floors above.

mod decide;
mod executor;
mod instrument;
mod observation;
mod recorder;
mod shared_map;
pub(crate) use recorder::spread;
mod moment;
mod snapshot;
mod trail;

pub(crate) use executor::{CALL_GAS, CREATE_GAS};
pub use executor::{Call, Executor, Outcome, Status, Target};
pub use moment::{Moment, START};
pub use observation::{
    BlockVisit, Branch, CallKind, ChildCall, Failure, FailureKind, MAX_BRANCHES, MAX_TRACE, Observation, Operator,
    PROBE, Preimage, SlotAccess, SlotWrite, Step, probe_near,
};
pub use snapshot::{Account, Snapshot};
