//! Prefix inference: the path of a transaction, executed abstractly (paper, §4.3). At a branch, the condition of the side that
//! was taken is assumed. After a call, its result is known.

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
    /// The program that it runs.
    pub(super) program: ProgramId,
    /// The abstract state at its current position.
    pub(super) state: AbstractState,
    /// The current block; `None` before the first.
    pub(super) block: Option<BlockId>,
    /// The index of the current instruction: the first of the block, or a pending call.
    pub(super) instruction: u32,
}

/// A path, executed as far as was asked for.
#[derive(Debug)]
pub(super) struct Prefix<'a> {
    steps: &'a [TraceStep],
    /// The number of executed steps.
    done: usize,
    /// The open frames; `None` for code that does not belong to the build.
    frames: Vec<Option<AbstractFrame>>,
    /// Whether the path did not fit the code, so that nothing is known of it.
    is_lost: bool,
}

impl<'a> Prefix<'a> {
    pub(super) fn new(steps: &'a [TraceStep]) -> Self {
        Self { steps, done: 0, frames: Vec::new(), is_lost: false }
    }

    /// Executes up to and including the step at this index, and returns the open frames. `None` if the path does not fit the
    /// code.
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

    /// Notes that the pending call returned.
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

    /// Runs to the end of its block and into `next`.
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
