//! An [`Instruction`] is an opcode at a byte offset, with the number of immediate bytes behind it.

use alloy_primitives::U256;
use revm::bytecode::opcode::{self, OpCode};

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// Byte offset.
    pub pc: u32,
    /// The opcode byte.
    pub opcode: u8,
    /// The number of immediate bytes that follow it (PUSH1 to PUSH32).
    pub immediate: u8,
}

impl Instruction {
    /// The word that a PUSH pushes. Bytes past the end of the code count as zero. `None` for other instructions.
    pub fn pushed(&self, code: &[u8]) -> Option<U256> {
        if !(opcode::PUSH0..=opcode::PUSH32).contains(&self.opcode) {
            return None;
        }
        let start = self.pc as usize + 1;
        let mut word = [0; 32];
        let width = usize::from(self.immediate);
        for (index, byte) in word[32 - width..].iter_mut().enumerate() {
            *byte = code.get(start + index).copied().unwrap_or(0);
        }
        Some(U256::from_be_bytes(word))
    }

    /// The number of words that it takes from the stack.
    pub fn inputs(&self) -> usize {
        OpCode::new(self.opcode).map_or(0, |opcode| usize::from(opcode.info().inputs()))
    }

    /// The number of words that it puts on the stack.
    pub fn outputs(&self) -> usize {
        OpCode::new(self.opcode).map_or(0, |opcode| usize::from(opcode.info().outputs()))
    }

    /// Whether it ends its block: control leaves the frame or jumps.
    pub fn ends_block(&self) -> bool {
        matches!(
            self.opcode,
            opcode::STOP
                | opcode::JUMP
                | opcode::JUMPI
                | opcode::RETURN
                | opcode::REVERT
                | opcode::INVALID
                | opcode::SELFDESTRUCT
        ) || OpCode::new(self.opcode).is_none()
    }
}

/// Reads code from its first byte to its last. Data behind the code is read as instructions as well.
pub fn disassemble(code: &[u8]) -> Vec<Instruction> {
    let mut instructions = Vec::new();
    let mut pc = 0;
    while let Some(&byte) = code.get(pc) {
        let immediate = if (opcode::PUSH1..=opcode::PUSH32).contains(&byte) { byte - opcode::PUSH0 } else { 0 };
        instructions.push(Instruction { pc: pc as u32, opcode: byte, immediate });
        pc += 1 + usize::from(immediate);
    }
    instructions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_cut_off_by_the_end_pushes_zeros() {
        let code = [opcode::PUSH2, 0x12];
        let instructions = disassemble(&code);
        assert_eq!(instructions.len(), 1);
        assert_eq!(instructions[0].pushed(&code), Some(U256::from(0x1200)));
    }

    proptest::proptest! {
        #[test]
        fn every_byte_belongs_to_exactly_one_instruction(code: Vec<u8>) {
            let mut next = 0;
            for instruction in disassemble(&code) {
                assert_eq!(instruction.pc as usize, next);
                next += 1 + usize::from(instruction.immediate);
            }
            assert!(next >= code.len());
        }
    }
}
