//! A [`Block`] is a run of instructions with one entry and one exit.

use super::instruction::Instruction;
use revm::bytecode::opcode;
use std::ops::Range;

/// Index of a block in its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// How control leaves a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Into the block behind it.
    Fall,
    /// JUMP.
    Jump,
    /// JUMPI: to its target or into the block behind it.
    Branch,
    /// STOP, RETURN or SELFDESTRUCT.
    Finish,
    /// REVERT.
    Revert,
    /// INVALID, an unknown opcode, or the end of the code in the middle of data.
    Fail,
}

/// A basic block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Byte offset of its first instruction.
    pub start: u32,
    /// Byte offset of its last instruction.
    pub last: u32,
    /// Its instructions, as indices into the program's.
    pub instructions: Range<u32>,
    /// How it ends.
    pub exit: Exit,
}

/// Cuts instructions into blocks: at every JUMPDEST and behind everything that ends a block.
pub(super) fn cut(instructions: &[Instruction]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut first = 0;
    for (index, instruction) in instructions.iter().enumerate() {
        let next_is_entry = instructions.get(index + 1).is_none_or(|next| next.opcode == opcode::JUMPDEST);
        if instruction.ends_block() || next_is_entry {
            blocks.push(Block {
                start: instructions[first].pc,
                last: instruction.pc,
                instructions: first as u32..index as u32 + 1,
                exit: exit(instruction.opcode),
            });
            first = index + 1;
        }
    }
    blocks
}

fn exit(last: u8) -> Exit {
    match last {
        opcode::JUMP => Exit::Jump,
        opcode::JUMPI => Exit::Branch,
        opcode::STOP | opcode::RETURN | opcode::SELFDESTRUCT => Exit::Finish,
        opcode::REVERT => Exit::Revert,
        opcode::INVALID => Exit::Fail,
        other if revm::bytecode::opcode::OpCode::new(other).is_none() => Exit::Fail,
        _ => Exit::Fall,
    }
}

#[cfg(test)]
mod tests {
    use super::super::instruction::disassemble;
    use super::*;

    proptest::proptest! {
        #[test]
        fn blocks_cover_the_code_without_overlap(code: Vec<u8>) {
            let instructions = disassemble(&code);
            let mut next = 0;
            for block in cut(&instructions) {
                assert_eq!(block.instructions.start, next);
                assert!(block.instructions.end > next);
                next = block.instructions.end;
            }
            assert_eq!(next as usize, instructions.len());
        }
    }

    #[test]
    fn a_branch_has_a_block_behind_it() {
        let code = [opcode::PUSH1, 5, opcode::JUMPI, opcode::STOP, opcode::STOP, opcode::JUMPDEST, opcode::STOP];
        let exits: Vec<_> = cut(&disassemble(&code)).into_iter().map(|block| (block.start, block.exit)).collect();
        assert_eq!(exits, [(0, Exit::Branch), (3, Exit::Finish), (4, Exit::Finish), (5, Exit::Finish)]);
    }
}
