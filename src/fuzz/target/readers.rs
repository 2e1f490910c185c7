//! Readers: the blocks that read slots and immutables which a constructor sets. A changed constructor shows its effect there. A
//! slot is known if the block itself pushes it, as compilers do for variables with a slot of their own; slots of mappings and
//! arrays, and slots that code of the IR passes between functions, are not found.

use crate::{
    code::{Block, BlockId, Program, ProgramId, Stage},
    harness::Harness,
};
use alloy_primitives::U256;
use revm::bytecode::opcode;
use std::collections::{BTreeMap, BTreeSet};

/// The offset in memory from which constructors keep the values of immutables.
const RESERVED: u64 = 0x80;

/// The blocks of deployed code that read the slots, or any immutable, that these blocks of creation code set. Immutables are
/// not told apart.
pub(super) fn of(harness: &Harness, blocks: &BTreeSet<(ProgramId, BlockId)>) -> Vec<(ProgramId, BlockId)> {
    let mut set: BTreeMap<ProgramId, (BTreeSet<U256>, bool)> = BTreeMap::new();
    for (id, block) in blocks {
        let program = harness.programs.get(*id);
        if program.stage != Stage::Creation {
            continue;
        }
        let (slots, immutables) = set.entry(harness.programs.id(program.contract, Stage::Runtime)).or_default();
        slots.extend(operands(program, program.block(*block), opcode::SSTORE));
        *immutables |=
            operands(program, program.block(*block), opcode::MSTORE).any(|offset| offset >= U256::from(RESERVED));
    }
    let mut readers = Vec::new();
    for (id, (slots, immutables)) in set {
        let program = harness.programs.get(id);
        let ranges = &harness.build.contract(program.contract).immutables;
        for (block, at) in program.blocks.iter().zip((0..).map(BlockId)) {
            let reads_slot = operands(program, block, opcode::SLOAD).any(|slot| slots.contains(&slot));
            let bytes = block.start as usize..=block.last as usize;
            let reads_immutable = immutables && ranges.iter().any(|(start, _)| bytes.contains(start));
            if reads_slot || reads_immutable {
                readers.push((id, at));
            }
        }
    }
    readers
}

/// The top of the stack before each of these instructions of a block, if the block itself pushed it.
fn operands(program: &Program, block: &Block, of: u8) -> impl Iterator<Item = U256> {
    let mut stack: Vec<Option<U256>> = Vec::new();
    let mut found = Vec::new();
    for instruction in program.instructions_of(block) {
        let byte = instruction.opcode;
        if byte == of {
            found.extend(stack.last().copied().flatten());
        }
        let (inputs, outputs) = (instruction.inputs(), instruction.outputs());
        // Words below, from before the block, are unknown.
        while stack.len() < inputs {
            stack.insert(0, None);
        }
        let top = stack.len();
        match byte {
            opcode::DUP1..=opcode::DUP16 => stack.push(stack[top - usize::from(byte - opcode::DUP1) - 1]),
            opcode::SWAP1..=opcode::SWAP16 => stack.swap(top - 1, top - 2 - usize::from(byte - opcode::SWAP1)),
            _ => {
                stack.truncate(top - inputs);
                stack.resize(stack.len() + outputs, None);
                if let (Some(word), Some(last)) = (instruction.pushed(&program.code), stack.last_mut()) {
                    *last = Some(word);
                }
            }
        }
    }
    found.into_iter()
}
