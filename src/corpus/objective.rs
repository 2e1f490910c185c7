//! An [`Objective`] is an effect that no transaction has had yet although one came close. Entries remember the objectives
//! they missed; [`Coverage`] tells whether an objective is still open, and the search decides how to reach it.

use super::coverage::Coverage;
use crate::{
    code::{ProgramId, Programs},
    evm::{Edge, spread},
};
use alloy_primitives::{Address, U256};

/// An effect that a transaction is to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Objective {
    /// Take an edge.
    Edge(Edge),
    /// Take an edge after `context`, the last edge in the source before it. The same code can behave differently after
    /// another choice, and compilers put the checks of many places into one function.
    EdgeInContext {
        /// The last edge in the source before it.
        context: Edge,
        /// The edge to take.
        edge: Edge,
    },
    /// Change the sentinel slot by the SSTORE at `pc`: a caller able to do that can write to any slot (HARVEY §IV-C, memory
    /// accesses).
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
    /// A number that other processes give the objective too: it is made of the hash of the code and of byte offsets in it.
    pub fn number(self, programs: &Programs) -> u64 {
        let place = |program: ProgramId, pc: u32, side: u32| {
            spread(programs.get(program).hash() ^ (u64::from(pc) << 2 | u64::from(side)))
        };
        let of_edge = |edge: Edge| place(edge.program, edge.pc, u32::from(edge.taken));
        match self {
            Self::Edge(edge) => of_edge(edge),
            Self::EdgeInContext { context, edge } => spread(of_edge(context).rotate_left(1) ^ of_edge(edge)),
            Self::ArbitraryWrite { program, pc } => place(program, pc, 2),
            Self::StorageValue { slot, word, .. } => spread(slot.as_limbs()[0].rotate_left(1) ^ word.as_limbs()[0]),
        }
    }

    /// Whether no run has reached it yet, as far as coverage tells.
    pub fn is_open(self, coverage: &Coverage) -> bool {
        match self {
            Self::Edge(Edge { program, pc, taken }) => !coverage.has_edge(program, pc, taken),
            Self::EdgeInContext { context, edge } => !coverage.has_edge_in_context(context, edge),
            Self::ArbitraryWrite { program, pc } => !coverage.has_write_anywhere(program, pc),
            Self::StorageValue { .. } => true,
        }
    }
}
