//! [`Progress`] is the state of fuzzing one contract, and [`TargetReport`] the state of its targets.

use super::target::{Target, TargetState};
use crate::{corpus::Share, harness::Harness};
use std::{sync::Arc, time::Duration};

/// The state of fuzzing one contract.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The harness of the session in its own world, or if it has none, in the one that a test contract sets up.
    pub harness: Arc<Harness>,
    /// The name of the test contract in whose world it is fuzzed as well, or only.
    pub suite: Option<String>,
    /// Transactions executed.
    pub executions: u64,
    /// Those of them that came to their end; probes of the search on states that may not be reachable do not count.
    pub succeeded: u64,
    /// Transactions that were run beside those, to weigh violations by how other runs end. A violation that comes to nothing is weighed
    /// again when it is seen for the second, fourth, eighth time, and so on.
    pub trial_runs: u64,
    /// Why the contract is no longer fuzzed, if so: its constructor always fails, or its fuzzers panicked too often.
    pub given_up: Option<String>,
    /// The number of distinct paths that were kept.
    pub paths: usize,
    /// Covered directions of the branches in its source.
    pub branches: Share,
    /// Covered instructions of its runtime code.
    pub instructions: Share,
    /// Whether it is support code (a test, mock or example), which gets a small share of the slices.
    pub support: bool,
    /// Whether it is quiet: nothing new was seen for a long time.
    pub quiet: bool,
    /// The memory that its corpus takes, in bytes.
    pub memory: u64,
    /// Of the transactions, those that replayed an earlier corpus after a change.
    pub rerun: u64,
    /// Sequences of that corpus that are still to be replayed.
    pub awaiting_rerun: usize,
}

/// The targets of a contract and how far they are.
#[derive(Debug, Clone)]
pub struct TargetReport {
    /// The session's harness.
    pub harness: Arc<Harness>,
    /// Each target with its state.
    pub targets: Vec<(Target, TargetState)>,
    /// The time spent on lookahead analysis.
    pub lookahead: Duration,
}
