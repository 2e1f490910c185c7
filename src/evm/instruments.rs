//! [`Instruments`] names what a recorder keeps beside what it keeps of every run.

use super::call_tree::CallKind;
use alloy_primitives::U256;

/// The instruments that are switched on beside those that every run has. What they keep takes time, so each is asked for; a detailed run
/// has them all.
#[derive(Debug, Clone, Default)]
pub struct Instruments {
    /// Keep the call tree, with calldata.
    pub calls: bool,
    /// Keep the reads and writes of storage inside of each call; takes the call tree along.
    pub storage: bool,
    /// Keep the logs of each call; takes the call tree along.
    pub logs: bool,
    /// Writes to watch for.
    pub watches: Vec<WriteWatch>,
}

impl Instruments {
    /// All that keep facts of any transaction; there is nothing to watch for.
    pub const ALL: Self = Self { calls: true, storage: true, logs: true, watches: Vec::new() };

    /// Asks for what `other` asks for as well.
    pub fn add(&mut self, other: Self) {
        self.calls |= other.calls;
        self.storage |= other.storage;
        self.logs |= other.logs;
        self.watches.extend(other.watches);
    }
}

/// Writes to storage that somebody wants to judge. Each is kept as a failure, with the blocks that led there, since that would take too
/// long for all writes.
#[derive(Debug, Clone, Copy)]
pub struct WriteWatch {
    /// The name under which they are kept: [`FailureKind::Write`].
    pub name: &'static str,
    /// Whether a write is one of them: how the code was called that makes it, the slot, and the word.
    pub matches: fn(CallKind, U256, U256) -> bool,
}
