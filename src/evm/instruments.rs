//! [`Instruments`] names what a recorder keeps beside what it keeps of every run.

use super::call_tree::CallKind;
use crate::code::{Arithmetic, Contests};
use alloy_primitives::U256;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The instruments that are switched on beside those of every run. They take time, so each is asked for; a detailed run has
/// them all.
#[derive(Debug, Clone, Default)]
pub struct Instruments {
    /// Keep the call tree, with calldata.
    pub calls: bool,
    /// Keep the reads and writes of storage inside of each call; takes the call tree along.
    pub storage: bool,
    /// Keep the logs of each call; takes the call tree along.
    pub logs: bool,
    /// The writes to watch for.
    pub watches: Vec<WriteWatch>,
    /// Keep each DELEGATECALL and CALLCODE of code that the transaction may have chosen, as a failure: of an account that the
    /// calldata names, or that has no code. Those of a constructor are not kept.
    pub delegates: bool,
    /// Keep each CALL of an account without code, or of the scripted one, as a failure, and the accounts without code that would have to
    /// have some. Those of precompiles are not kept.
    pub calls_out: bool,
    /// Keep each call and each event by which a token goes from somebody else to the sender of the transaction, as a failure.
    pub token_moves: bool,
    /// Keep each CALL of a contract that fails, as a failure of the caller. Those of the scripted account are not kept.
    pub failed_calls: bool,
    /// Keep each CALL and STATICCALL of a contract of the build that refuses by itself, as a failure of the caller.
    pub refusals: bool,
    /// Keep each JUMP to where no block begins, as a failure.
    pub jumps: bool,
    /// Keep each SELFDESTRUCT of a contract that was there before, as a failure.
    pub destructions: bool,
    /// Keep each write to one of these slots, or to one that is hashed from them, by code that runs in the place of another account, as a
    /// failure.
    pub delegated_writes: BTreeSet<U256>,
    /// Keep what these instructions compute where it does not fit its type, as failures.
    pub arithmetic: Option<Arc<Arithmetic>>,
    /// Keep each write that changes a slot which two have, by code that says by itself where it writes, as a failure.
    pub contests: Option<Arc<Contests>>,
}

impl Instruments {
    /// All instruments that keep facts of any transaction, without those that name slots, and what a build computes or has twice.
    pub const ALL: Self = Self {
        calls: true,
        storage: true,
        logs: true,
        watches: Vec::new(),
        delegates: true,
        calls_out: true,
        token_moves: true,
        failed_calls: true,
        refusals: true,
        jumps: true,
        destructions: true,
        delegated_writes: BTreeSet::new(),
        arithmetic: None,
        contests: None,
    };

    /// Adds the instruments of `other`.
    pub fn add(&mut self, other: Self) {
        self.calls |= other.calls;
        self.storage |= other.storage;
        self.logs |= other.logs;
        self.watches.extend(other.watches);
        self.delegates |= other.delegates;
        self.calls_out |= other.calls_out;
        self.token_moves |= other.token_moves;
        self.failed_calls |= other.failed_calls;
        self.refusals |= other.refusals;
        self.jumps |= other.jumps;
        self.destructions |= other.destructions;
        self.delegated_writes.extend(other.delegated_writes);
        self.arithmetic = self.arithmetic.take().or(other.arithmetic);
        self.contests = self.contests.take().or(other.contests);
    }
}

/// A kind of write to storage that an oracle judges. Each such write is kept as a failure, with the blocks that led to it,
/// which would take too long for all writes.
#[derive(Debug, Clone, Copy)]
pub struct WriteWatch {
    /// The name in [`FailureKind::Write`](super::FailureKind::Write).
    pub name: &'static str,
    /// Whether a write is of this kind, given how its code was called, the slot, and the word.
    pub matches: fn(CallKind, U256, U256) -> bool,
}
