//! `corpus` holds everything worth replaying, in memory and on disk: states and entries, the corpus that fuzzers of a
//! session share, coverage, the memory account, and the files that outlive the process. Picking an entry, and using it, is
//! decided elsewhere.

mod coverage;
mod entry;
pub mod exchange;
pub mod formats;
mod keys;
mod local;
pub(crate) mod memory;
mod objective;
mod replay;
#[cfg(test)]
pub(crate) mod sample;
mod shared;
mod state;
pub mod store;

pub use coverage::{Coverage, ReachedBy, Share};
pub use entry::Entry;
pub(crate) use entry::{LookaheadResult, PathInfo};
pub use keys::Keys;
pub(crate) use local::LocalCorpus;
pub use memory::{MemoryAccount, MemoryCharge};
pub use objective::Objective;
pub(crate) use replay::{PrefixHash, ReplayQueue};
pub(crate) use shared::{Shared, SharedCorpus};
pub use state::State;
