//! The world of a test contract of Foundry: its `setUp()` is run, the contracts that it creates become instances, and the contract itself
//! says what invariants call. What the calls of such a world find is not known here.

mod made;
mod plan;
mod suite;
mod targets;

pub use made::SetUpWorld;
pub(super) use plan::plan;
pub use suite::is_suite;
