//! A [`Step`] is one executed step of a sequence: those of the setup, then each transaction.

use crate::{
    evm::{Executor, Outcome, Snapshot},
    world::Action,
};

/// One executed step.
#[derive(Debug)]
pub struct Step<'a> {
    /// The action.
    pub action: Action<'a>,
    /// How it ended.
    pub outcome: &'a Outcome,
    /// The state before it.
    pub before: &'a Snapshot,
    /// The state after it.
    pub after: &'a Snapshot,
    /// The executor, which holds the observation of the step.
    pub executor: &'a Executor,
    /// How many steps follow, if none of them is a deployment that fails.
    pub left: usize,
}
