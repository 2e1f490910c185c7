//! A [`CodePart`] is what coverage counts: a part of a program that is reached or not.

use crate::code::{BlockId, ProgramId};

/// A part of a program that is reached or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodePart {
    /// The JUMPI at this byte offset jumped, or did not.
    Edge {
        /// Whose code it is.
        program: ProgramId,
        /// The byte offset of the JUMPI.
        pc: u32,
        /// Whether it jumped.
        taken: bool,
    },
    /// A block was entered.
    Block {
        /// Whose code it is.
        program: ProgramId,
        /// The block.
        block: BlockId,
    },
    /// The SSTORE at this byte offset wrote to the sentinel slot, and so can write to any slot.
    Write {
        /// Whose code it is.
        program: ProgramId,
        /// The byte offset of the SSTORE.
        pc: u32,
    },
}
