//! [`PropertyReads`] is what a property depends on, as far as its calls showed.

use crate::{
    code::Programs,
    evm::{Observation, SlotWrite},
};
use alloy_primitives::{Address, U256, map::HashSet};
use revm::bytecode::opcode;

/// Slots that one property reads at most, so that they are remembered; chosen by hand. A property that reads more is called after each
/// change.
const MAX_READS: usize = 1024;
/// Instructions that read something else than storage.
const LOOKS_AROUND: [u8; 8] = [
    opcode::BALANCE,
    opcode::SELFBALANCE,
    opcode::TIMESTAMP,
    opcode::NUMBER,
    opcode::EXTCODESIZE,
    opcode::EXTCODEHASH,
    opcode::TLOAD,
    opcode::BLOCKHASH,
];

/// What a property depends on, as far as its calls showed.
#[derive(Debug, Default)]
pub(super) struct PropertyReads {
    slots: HashSet<(Address, U256)>,
    /// Whether it looks at ether or at the block: then any call may change what it says.
    looks_around: bool,
}

impl PropertyReads {
    /// Adds what a call looked at.
    pub(super) fn learn(&mut self, observation: &Observation, programs: &Programs) {
        self.slots.extend(observation.reads.iter().map(|read| (read.address, read.slot)));
        self.looks_around |= self.slots.len() > MAX_READS
            || observation.blocks.iter().any(|visit| {
                let program = programs.get(visit.program);
                let instructions = program.instructions_of(program.block(visit.block));
                instructions.iter().any(|instruction| LOOKS_AROUND.contains(&instruction.opcode))
            });
    }

    /// Whether the property may say something else after these writes.
    pub(super) fn may_change(&self, writes: &[SlotWrite]) -> bool {
        self.looks_around || writes.iter().any(|write| self.slots.contains(&(write.address, write.slot)))
    }
}
