//! [`Code`] is a program prepared for the analysis: the word that each instruction pushes, the valid jump destinations, and the
//! bytes that differ between compiled and deployed code.

use super::domain::{Inputs, Word, Words};
use crate::code::{BlockId, Instruction, Program, Stage};
use alloy_primitives::U256;
use std::{ops::Range, sync::Arc};

/// A program, ready to be stepped through.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) program: Arc<Program>,
    /// The word that each instruction pushes; an arbitrary one for those that push nothing.
    pushes: Vec<Word>,
    /// Byte ranges of deployed code that may hold anything: immutables and addresses of libraries.
    loose: Vec<Range<usize>>,
}

impl Code {
    pub(super) fn new(program: Arc<Program>, loose: &[(usize, usize)], words: &mut Words) -> Self {
        let loose: Vec<Range<usize>> = loose.iter().map(|(start, length)| *start..start + length).collect();
        let zero = words.known(U256::ZERO);
        let push = |instruction: &Instruction| {
            let Some(value) = instruction.pushed(&program.code) else { return zero };
            let start = instruction.pc as usize + 1;
            let known = words.known(value);
            if !meets(&loose, start..start + usize::from(instruction.immediate)) {
                return known;
            }
            // It is the same whenever the instruction runs.
            let at = words.known(U256::from(instruction.pc));
            words.made(instruction.opcode, Inputs::One(at)).unwrap_or(zero)
        };
        let pushes = program.instructions.iter().map(push).collect();
        Self { program, pushes, loose }
    }

    /// The word that the instruction at this index pushes.
    pub(super) fn push(&self, instruction: u32) -> Word {
        self.pushes[instruction as usize]
    }

    /// The bytes in this range of the deployed code, zeros behind its end. `None` where they are not known.
    pub(super) fn bytes(&self, range: Range<usize>) -> Option<Vec<u8>> {
        let code = &self.program.code;
        // Arguments of the constructor stand behind creation code.
        let is_known = self.program.stage == Stage::Runtime || range.end <= code.len();
        if !is_known || meets(&self.loose, range.clone()) {
            return None;
        }
        Some(range.map(|at| code.get(at).copied().unwrap_or(0)).collect())
    }

    /// The destination of a jump to `target`.
    pub(super) fn jump(&self, target: U256) -> Landing {
        if let Some(block) = self.program.jump_target(target) {
            return Landing::Block(block);
        }
        // Inside of the code no other place can be jumped to; what stands behind it may be anything.
        u32::try_from(target)
            .ok()
            .filter(|pc| self.program.block_of(*pc).is_none())
            .map_or(Landing::Nowhere, |pc| self.behind(pc))
    }

    /// The place at which control goes on behind a block.
    pub(super) fn fall(&self, block: BlockId) -> Landing {
        let next = self.program.block_behind(block);
        next.map_or_else(|| self.behind(self.program.code.len() as u32), Landing::Block)
    }

    fn behind(&self, pc: u32) -> Landing {
        let is_argument = self.program.stage == Stage::Creation && pc as usize >= self.program.code.len();
        if is_argument { Landing::Unknown } else { Landing::Nowhere }
    }

    /// Whether this word is a valid jump destination.
    pub(super) fn is_destination(&self, words: &Words, word: Word) -> bool {
        words.value(word).is_some_and(|value| matches!(self.jump(value), Landing::Block(_)))
    }
}

/// A place at which control goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Landing {
    /// Into this block.
    Block(BlockId),
    /// Nowhere: the frame ends.
    Nowhere,
    /// Into bytes that are not of the program.
    Unknown,
}

fn meets(loose: &[Range<usize>], range: Range<usize>) -> bool {
    loose.iter().any(|other| other.start < range.end && range.start < other.end)
}
