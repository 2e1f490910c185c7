//! A [`Program`] is the code of one contract at one stage, seen as instructions, blocks, branches and places.

use super::{
    block::{self, Block, BlockId, Exit},
    condition::Conditions,
    instruction::{Instruction, disassemble},
};
use crate::compile::{Bytecode, ContractId, SourceElement};
use alloy_primitives::{Bytes, U256, keccak256};
use revm::bytecode::opcode;
use std::{collections::BTreeSet, sync::OnceLock};

/// No index.
const NONE: u32 = u32::MAX;

/// Identifies a program. A contract keeps the ids of its programs from build to build (see [`Numbering`](super::Numbering)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramId(pub u32);

/// The time at which code runs: once at deployment, or afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Creation code.
    Creation,
    /// Deployed code.
    Runtime,
}

/// The code of a contract at one stage.
#[derive(Debug)]
pub struct Program {
    /// The contract whose code it is.
    pub contract: ContractId,
    /// Creation code or deployed code.
    pub stage: Stage,
    /// The bytes, as compiled.
    pub code: Bytes,
    /// In order.
    pub instructions: Vec<Instruction>,
    /// In order.
    pub blocks: Vec<Block>,
    /// The conditions that its JUMPIs test.
    pub conditions: Conditions,
    /// Byte offsets of the instructions that compare for some condition, in order. The index is the `site`.
    pub sites: Vec<u32>,
    elements: Vec<SourceElement>,
    instruction_at: Vec<u32>,
    block_at: Vec<u32>,
    constants: OnceLock<BTreeSet<U256>>,
    hash: OnceLock<u64>,
}

impl Program {
    /// Reads the code of `contract`.
    pub fn new(contract: ContractId, stage: Stage, bytecode: &Bytecode) -> Self {
        let code = bytecode.code.clone();
        let instructions = disassemble(&code);
        let blocks = block::cut(&instructions);
        let conditions = Conditions::read(&code, &instructions, &blocks);
        let sites = conditions.sites();
        let mut instruction_at = vec![NONE; code.len()];
        for (index, instruction) in instructions.iter().enumerate() {
            instruction_at[instruction.pc as usize] = index as u32;
        }
        let mut block_at = vec![NONE; code.len()];
        for (index, block) in blocks.iter().enumerate() {
            for instruction in &instructions[block.instructions.start as usize..block.instructions.end as usize] {
                block_at[instruction.pc as usize] = index as u32;
            }
        }
        let elements = bytecode.map.clone();
        Self {
            contract,
            stage,
            code,
            instructions,
            blocks,
            conditions,
            sites: sites.into_iter().collect(),
            elements,
            instruction_at,
            block_at,
            constants: OnceLock::new(),
            hash: OnceLock::new(),
        }
    }

    /// The hash of the code as compiled, by which other processes know it: the first eight bytes of its Keccak-256.
    pub fn hash(&self) -> u64 {
        *self.hash.get_or_init(|| {
            let first: U256 = U256::from_be_bytes(keccak256(&self.code).0) >> 192;
            first.saturating_to()
        })
    }

    /// The source range of the instruction at `pc`.
    pub fn element(&self, pc: u32) -> Option<&SourceElement> {
        let index = self.instruction_at.get(pc as usize).copied().filter(|index| *index != NONE)?;
        self.elements.get(index as usize)
    }

    /// Whether the source contains the instruction at `pc`: false in the dispatcher and in code that the compiler adds.
    pub fn is_in_source(&self, pc: u32) -> bool {
        let whole = self.element(0).map(|element| element.span);
        self.element(pc).is_some_and(|element| element.source.is_some() && Some(element.span) != whole)
    }

    /// Whether an instruction of the code, and not of the data behind it, has this opcode.
    pub fn has_opcode(&self, opcode: u8) -> bool {
        self.instructions[..self.mapped_instructions()].iter().any(|instruction| instruction.opcode == opcode)
    }

    /// The block that holds the instruction at `pc`.
    pub fn block_of(&self, pc: u32) -> Option<BlockId> {
        self.block_at.get(pc as usize).copied().filter(|index| *index != NONE).map(BlockId)
    }

    /// The block that a jump to `pc` enters, if one can jump there.
    pub fn jump_target(&self, pc: U256) -> Option<BlockId> {
        let pc = u32::try_from(pc).ok()?;
        let id = self.block_of(pc)?;
        let first = self.instructions_of(self.block(id)).first()?;
        (first.pc == pc && first.opcode == opcode::JUMPDEST).then_some(id)
    }

    /// The block that the jump at the end of a block leads to, if its destination is pushed right before.
    pub fn jumps_to(&self, block: &Block) -> Option<BlockId> {
        let [.., push, _] = self.instructions_of(block) else { return None };
        self.jump_target(push.pushed(&self.code)?)
    }

    /// All block ids, in order.
    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// The block right behind another one, if there is one: control goes on there without a jump.
    pub fn block_behind(&self, id: BlockId) -> Option<BlockId> {
        let next = BlockId(id.0 + 1);
        ((next.0 as usize) < self.blocks.len()).then_some(next)
    }

    /// The blocks that are code and not data behind it.
    pub fn code_blocks(&self) -> impl ExactSizeIterator<Item = BlockId> + use<> {
        let mapped = self.mapped_instructions() as u32;
        let count = self.blocks.partition_point(|block| block.instructions.start < mapped);
        (0..count as u32).map(BlockId)
    }

    /// A block by id.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// The instructions of a block.
    pub fn instructions_of(&self, block: &Block) -> &[Instruction] {
        &self.instructions[block.instructions.start as usize..block.instructions.end as usize]
    }

    /// Whether the block reverts with a `Panic(uint256)` of its own making, which shows in the selector that it pushes.
    pub fn is_panic(&self, block: &Block) -> bool {
        self.instructions_of(block).iter().any(|instruction| {
            instruction
                .pushed(&self.code)
                .is_some_and(|word| word == U256::from(PANIC_SELECTOR) || word == U256::from(PANIC_SELECTOR) << 224)
        })
    }

    /// Whether it reverts with `Panic(1)` of its own making, as a failing `assert` does.
    pub fn is_failing_assertion(&self, block: &Block) -> bool {
        let pushed = |instruction: &Instruction| instruction.pushed(&self.code);
        let is_code = |three: &[Instruction]| {
            let [code, at, store] = three else { return false };
            (pushed(code), pushed(at), store.opcode) == (Some(U256::ONE), Some(U256::from(4)), opcode::MSTORE)
        };
        self.is_panic(block) && self.instructions_of(block).windows(3).any(is_code)
    }

    /// Whether a block fails by itself.
    pub fn fails(&self, block: &Block) -> bool {
        matches!(block.exit, Exit::Revert | Exit::Fail) || self.is_panic(block)
    }

    /// Instructions that belong to the source: data behind the code has no place.
    pub fn mapped_instructions(&self) -> usize {
        self.elements.len().min(self.instructions.len())
    }

    /// The constants that the code pushes, without jump targets and masks: words that conditions are likely to compare with.
    pub fn constants(&self) -> &BTreeSet<U256> {
        self.constants.get_or_init(|| {
            let targets: BTreeSet<U256> =
                self.instructions.iter().filter(|i| i.opcode == opcode::JUMPDEST).map(|i| U256::from(i.pc)).collect();
            self.instructions[..self.mapped_instructions()]
                .iter()
                .filter(|instruction| instruction.immediate > 0)
                .filter_map(|instruction| instruction.pushed(&self.code))
                .filter(|word| !targets.contains(word))
                .collect()
        })
    }
}

/// The selector of `Panic(uint256)`.
pub(crate) const PANIC_SELECTOR: u32 = 0x4e48_7b71;
