//! An [`Event`] is a message that a campaign sends while it runs.

use crate::{
    compile::{Build, ContractId},
    finding::Finding,
    harness::Harness,
};
use std::sync::Arc;

/// A message of a running campaign. Each belongs to the generation of a build: results of an older one are stale.
#[derive(Debug, Clone)]
pub enum Event {
    /// A finding was confirmed, or still holds on this build. It may not be shrunk yet.
    Found {
        /// The generation of the build.
        generation: u64,
        /// The finding.
        finding: Arc<Finding>,
    },
    /// A finding that was reported before now has its shrunk sequence. Its id is the same.
    Shrunk {
        /// The generation of the build.
        generation: u64,
        /// The finding.
        finding: Arc<Finding>,
    },
    /// A finding of the last build no longer fails.
    Fixed {
        /// The generation of the build.
        generation: u64,
        /// The finding's id.
        id: String,
    },
    /// A contract cannot be deployed.
    Undeployable {
        /// The generation of the build.
        generation: u64,
        /// The contract's harness.
        harness: Arc<Harness>,
        /// The reason, for people.
        why: String,
    },
    /// A contract cannot be fuzzed, since it has no world: a library that it is linked to cannot be deployed, or the world cannot be
    /// as it is configured.
    Worldless {
        /// The generation of the build.
        generation: u64,
        /// The build.
        build: Arc<Build>,
        /// The contract in that build.
        contract: ContractId,
        /// The reason, for people.
        why: String,
    },
    /// A contract is fuzzed, but is larger than a chain accepts.
    Oversized {
        /// The generation of the build.
        generation: u64,
        /// The contract's harness.
        harness: Arc<Harness>,
        /// The code that is too large, with its size.
        what: String,
    },
    /// A fuzzer panicked and was replaced: a defect of bellwether.
    Panicked {
        /// The generation of the build.
        generation: u64,
        /// The name of the contract that was fuzzed.
        contract: String,
        /// The data that reproduces it: the panic's message, the seed and the calls.
        report: String,
    },
    /// All sessions are quiet or the budget is spent, and all findings are shrunk: the workers are idle.
    Quiet {
        /// The generation of the build.
        generation: u64,
    },
}

/// The receiver of a campaign's events. Called from the threads of the pool: it must not block.
pub type EventSink = Arc<dyn Fn(Event) + Send + Sync>;
