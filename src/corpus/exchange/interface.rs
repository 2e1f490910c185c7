//! [`Exchange`] is all that sessions know of the other machines.

use super::record::{Record, Refusal, Topic};
use std::{fmt::Debug, sync::Arc};

/// A part of the goals of a contract: all parts together are all goals, and no goal is in two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoalPart {
    /// Which part it is, counted from zero.
    pub index: usize,
    /// How many parts there are.
    pub parts: usize,
}

impl GoalPart {
    /// All goals.
    pub const ALL: Self = Self { index: 0, parts: 1 };

    /// Whether a goal is in it. A goal has the same number on all machines.
    pub fn has(self, goal: u64) -> bool {
        self.parts < 2 || goal % self.parts as u64 == self.index as u64
    }
}

/// Where records are published to and polled from. Nothing here waits for another machine but [`subscribe`](Self::subscribe), whose
/// patience has an end.
pub trait Exchange: Debug + Send + Sync {
    /// Asks for the records of these contracts. Waits for a while until those that were shared before have arrived.
    fn subscribe(&self, topics: &[Topic]);

    /// Shares a record. What is known already is not sent again.
    fn publish(&self, record: Record);

    /// Some of the records on a contract that other machines shared since this position, and the next position; 0 is the first.
    fn poll(&self, topic: &Topic, since: u64) -> (Vec<Arc<Record>>, u64);

    /// Whether this machine is one of those to which a contract falls. Machines that fuzz the same contracts divide them: each fuzzes all
    /// of them, most of the time those that fall to it.
    fn falls_here(&self, topic: &Topic) -> bool;

    /// The part of the goals of a contract that this machine tries first.
    fn goals_here(&self, topic: &Topic) -> GoalPart;

    /// Counts a record that could not be used, and why.
    fn refuse(&self, record: &Record, why: &Refusal);
}
