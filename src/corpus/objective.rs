//! An [`Objective`] is something that no transaction did yet although one came close. Entries remember theirs; whether an
//! objective is still open is for the [`Coverage`] to say, and how to reach it is the search's business.

use super::coverage::Coverage;
use crate::{code::ProgramId, evm::Edge};
use alloy_primitives::{Address, U256};

/// Something that a transaction is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Objective {
    /// Take a side of a branch.
    Edge(Edge),
    /// Take a side where `context` is the last side in the source before it. The code of one place is new behind another choice,
    /// and compilers put the checks of many places into one function.
    EdgeInContext {
        /// The last side in the source before it.
        context: Edge,
        /// The side to take.
        edge: Edge,
    },
    /// Change the sentinel slot by the SSTORE at `pc`: a caller who can do that can write to any slot (HARVEY §IV-C, memory accesses).
    ArbitraryWrite {
        /// The program that the SSTORE is in.
        program: ProgramId,
        /// Where the SSTORE is, in bytes.
        pc: u32,
    },
    /// Leave a word in a storage slot.
    StorageValue {
        /// The account that owns the slot.
        address: Address,
        /// The slot.
        slot: U256,
        /// The word to leave there.
        word: U256,
    },
}

impl Objective {
    /// Whether no run did it yet, as far as coverage tells.
    pub fn is_open(self, coverage: &Coverage) -> bool {
        match self {
            Self::Edge(Edge { program, pc, taken }) => !coverage.has_edge(program, pc, taken),
            Self::EdgeInContext { context, edge } => !coverage.has_edge_in_context(context, edge),
            Self::ArbitraryWrite { program, pc } => !coverage.has_write_anywhere(program, pc),
            Self::StorageValue { .. } => true,
        }
    }
}
