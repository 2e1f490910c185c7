//! Prefix inference: the path that a transaction took, executed abstractly (paper, §4.3). Where it branched, what must
//! have held for it is assumed; where it called, what came back of the call is known.

use super::{
    calls::call,
    code::{Code, Landing},
    domain::Words,
    state::AbstractState,
    step::{Departure, run},
};
use crate::{
    code::{BlockId, ProgramId},
    evm::TraceStep,
};
use alloy_primitives::U256;

/// A frame of the path.
#[derive(Debug, Clone)]
pub(super) struct AbstractFrame {
    /// Whose code it runs.
    pub(super) program: ProgramId,
    /// What is known where it stands.
    pub(super) state: AbstractState,
    /// The block where it stands; none before the first.
    pub(super) block: Option<BlockId>,
    /// The index of the instruction where it stands: the first of the block, or a call that is being made.
    pub(super) instruction: u32,
}

/// A path, executed as far as somebody asked.
#[derive(Debug)]
pub(super) struct Prefix<'a> {
    steps: &'a [TraceStep],
    /// How many steps were executed.
    done: usize,
    /// Open frames; none for code that is not of the build.
    frames: Vec<Option<AbstractFrame>>,
    /// Whether the path does not fit the code: then nothing is known.
    is_lost: bool,
}

impl<'a> Prefix<'a> {
    pub(super) fn new(steps: &'a [TraceStep]) -> Self {
        Self { steps, done: 0, frames: Vec::new(), is_lost: false }
    }

    /// Executes up to the step at this index, that one included. None if the path does not fit the code; else open frames.
    pub(super) fn advance<'c>(
        &mut self,
        to: usize,
        words: &mut Words,
        code: impl Fn(ProgramId) -> &'c Code,
    ) -> Option<&[Option<AbstractFrame>]> {
        while self.done <= to && !self.is_lost {
            let step = self.steps[self.done];
            self.is_lost = self.take(step, words, &code).is_none();
            self.done += 1;
        }
        (!self.is_lost).then_some(&self.frames)
    }

    fn take<'c>(&mut self, step: TraceStep, words: &mut Words, code: &impl Fn(ProgramId) -> &'c Code) -> Option<()> {
        match step {
            TraceStep::Enter(program) => {
                if let Some(Some(caller)) = self.frames.last_mut() {
                    caller.reach_call(words, code)?;
                }
                let open = |program| AbstractFrame {
                    program,
                    state: AbstractState::entry(words),
                    block: None,
                    instruction: 0,
                };
                let frame = program.map(open);
                self.frames.push(frame);
            }
            TraceStep::Block(block) => {
                let frame = self.frames.last_mut()?.as_mut()?;
                frame.enter(words, code, block)?;
            }
            TraceStep::Leave(success) => {
                self.frames.pop()?;
                if let Some(Some(caller)) = self.frames.last_mut() {
                    caller.finish_call(words, code, success)?;
                }
            }
            TraceStep::CallWithoutFrame(success) => {
                // The transaction itself may go to an account without code.
                if let Some(Some(caller)) = self.frames.last_mut() {
                    caller.reach_call(words, code)?;
                    caller.finish_call(words, code, success)?;
                }
            }
        }
        Some(())
    }
}

impl AbstractFrame {
    /// Runs up to the next call.
    fn reach_call<'c>(&mut self, words: &mut Words, code: &impl Fn(ProgramId) -> &'c Code) -> Option<()> {
        match run(code(self.program), words, &mut self.state, self.block?, self.instruction) {
            Departure::Call(index) => {
                self.instruction = index;
                Some(())
            }
            _ => None,
        }
    }

    /// The call where it stands came back.
    fn finish_call<'c>(
        &mut self,
        words: &mut Words,
        code: &impl Fn(ProgramId) -> &'c Code,
        success: bool,
    ) -> Option<()> {
        let byte = code(self.program).program.instructions[self.instruction as usize].opcode;
        call(words, &mut self.state, byte, Some(success))?;
        self.instruction += 1;
        Some(())
    }

    /// Runs to the end of its block and into the next one, which is this.
    fn enter<'c>(&mut self, words: &mut Words, code: &impl Fn(ProgramId) -> &'c Code, next: BlockId) -> Option<()> {
        let code = code(self.program);
        if let Some(block) = self.block {
            let start = U256::from(code.program.block(next).start);
            let state = &mut self.state;
            let fits = match run(code, words, state, block, self.instruction) {
                Departure::Fall => code.fall(block) == Landing::Block(next),
                Departure::Jump(target) => state.assume(words, target, start),
                Departure::Branch(target, condition) => {
                    let falls = code.fall(block) == Landing::Block(next);
                    let jumps = code.jump(start) == Landing::Block(next)
                        && state.value(words, target).is_none_or(|target| target == start);
                    match (falls, jumps) {
                        // A branch to the block behind it tells nothing.
                        (true, true) => true,
                        (true, false) => state.assume(words, condition, U256::ZERO),
                        (false, _) => state.assume(words, target, start) && state.assume_nonzero(words, condition),
                    }
                }
                Departure::End | Departure::Call(_) => false,
            };
            if !fits {
                return None;
            }
        }
        self.block = Some(next);
        self.instruction = code.program.block(next).instructions.start;
        Some(())
    }
}
