//! An [`Event`] is something that a campaign tells while it runs.

use crate::{
    compile::{Build, ContractId},
    finding::Finding,
    harness::Harness,
};
use std::sync::Arc;

/// What a campaign tells while it runs. Everything belongs to a generation: results of an older one are stale.
#[derive(Debug, Clone)]
pub enum Event {
    /// A finding was confirmed, or still holds on this build. It may not be shrunk yet.
    Found {
        /// Of which build.
        generation: u64,
        /// What.
        finding: Arc<Finding>,
    },
    /// A finding that was told before has a sequence now that was made as short as it gets. Its id is the same.
    Shrunk {
        /// Of which build.
        generation: u64,
        /// What.
        finding: Arc<Finding>,
    },
    /// A finding of the last build no longer fails.
    Fixed {
        /// Of which build.
        generation: u64,
        /// Its id.
        id: String,
    },
    /// A contract cannot be deployed.
    Undeployable {
        /// Of which build.
        generation: u64,
        /// Which.
        harness: Arc<Harness>,
        /// Why.
        why: String,
    },
    /// A contract cannot be fuzzed, since a library that it is linked to cannot be deployed.
    Unlinkable {
        /// Of which build.
        generation: u64,
        /// The build.
        build: Arc<Build>,
        /// Which contract of it.
        contract: ContractId,
        /// Why.
        why: String,
    },
    /// A contract is fuzzed, but a chain would not take it as it is.
    Oversized {
        /// Of which build.
        generation: u64,
        /// Which.
        harness: Arc<Harness>,
        /// What is too large.
        what: String,
    },
    /// A worker panicked and was replaced: a defect of ours.
    Panicked {
        /// Of which build.
        generation: u64,
        /// What it was fuzzing.
        contract: String,
        /// What reproduces it: the panic's words, the seed and the calls.
        report: String,
    },
    /// Nothing new is found any more, or the budget is spent, and what was found is shrunk: the workers rest.
    Quiet {
        /// Of which build.
        generation: u64,
    },
}

/// Where a campaign's events go. Called from its threads: it must not block.
pub type EventSink = Arc<dyn Fn(Event) + Send + Sync>;
