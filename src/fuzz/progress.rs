//! [`Progress`] is how far a campaign is with one contract, and [`TargetReport`] how its targets stand.

use super::target::{Target, TargetState};
use crate::{corpus::Share, harness::Harness};
use std::{sync::Arc, time::Duration};

/// How far one contract is.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The session's harness.
    pub harness: Arc<Harness>,
    /// Transactions executed.
    pub executions: u64,
    /// Why nothing of it is run any more, if so: its constructor refuses, or fuzzing it panicked again and again.
    pub given_up: Option<String>,
    /// Paths kept.
    pub paths: usize,
    /// Sides of branches in its source.
    pub branches: Share,
    /// Instructions of its runtime code.
    pub instructions: Share,
    /// Whether it gets a small share of the turns, since it only supports what the project is about.
    pub support: bool,
    /// Whether nothing new is found any more.
    pub quiet: bool,
    /// What is kept of it, in bytes.
    pub memory: u64,
    /// Of the transactions, those of a corpus that was run again after a change.
    pub rerun: u64,
    /// Sequences of that corpus that wait for their turn.
    pub awaiting_rerun: usize,
}

/// How the targets of a contract stand.
#[derive(Debug, Clone)]
pub struct TargetReport {
    /// The session's harness.
    pub harness: Arc<Harness>,
    /// Each with how it ended.
    pub targets: Vec<(Target, TargetState)>,
    /// What looking ahead took.
    pub lookahead: Duration,
}
