//! An [`Edge`] is one side of a conditional jump: where it stands, and whether the jump was taken.

use super::observation::Branch;
use crate::code::ProgramId;

/// One side of a JUMPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The program that the JUMPI is in.
    pub program: ProgramId,
    /// Where the JUMPI is, in bytes.
    pub pc: u32,
    /// Whether it jumps.
    pub taken: bool,
}

impl Edge {
    /// The side that a run took.
    pub fn of(branch: &Branch) -> Self {
        Self { program: branch.program, pc: branch.pc, taken: branch.taken }
    }

    /// The other side of the same JUMPI.
    #[must_use]
    pub fn other(self) -> Self {
        Self { taken: !self.taken, ..self }
    }

    /// A number that identifies the edge, for hashes.
    pub fn number(self) -> u64 {
        (u64::from(self.program.0) << 33) | (u64::from(self.pc) << 1) | u64::from(self.taken)
    }
}
