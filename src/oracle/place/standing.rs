//! A [`Standing`] is where a frame of the EVM stands after the blocks that it came through: in which function, and whether the places of
//! the blocks are its own.
//!
//! The optimizer keeps one copy of code that occurs several times, under the place of one of them. Whoever runs it from elsewhere is
//! recognised by the way there: a jump and where it lands belong to one expression or statement, a call lands in the function that it
//! names, and a return lands at the call.

use super::syntax::{Syntax, function_around};
use crate::{
    code::{BlockId, Exit, Program},
    compile::{Build, Jump, NodeKind, SourceRange},
};
use std::collections::BTreeSet;

/// Where a frame stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Standing {
    /// The function that runs, as far as the way tells.
    pub(super) function: RunningFunction,
    /// How it came to code of another place, if it did.
    pub(super) borrowed: Option<Borrowed>,
}

/// Which function runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RunningFunction {
    /// The one that the frame was called for.
    Outermost,
    /// The one that is defined here.
    Called(SourceRange),
    /// Not known.
    Unknown,
}

/// A way into code that has the place of other code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Borrowed {
    /// The last place that is the frame's own.
    pub(super) from: SourceRange,
    /// The place that it came to from there.
    pub(super) to: SourceRange,
}

/// One internal call.
#[derive(Debug, Clone, Copy)]
struct InternalCall {
    /// The place of the jump that entered it, where the return has to land.
    call: Option<SourceRange>,
    standing: Standing,
}

/// Follows a frame through its blocks.
pub(super) struct Walker<'a> {
    pub(super) build: &'a Build,
    pub(super) program: &'a Program,
    pub(super) syntax: &'a Syntax,
    /// The functions that the frame may have been called for.
    pub(super) selected: &'a [SourceRange],
}

impl Walker<'_> {
    /// Where the frame stands at the end of these blocks.
    pub(super) fn walk(&self, history: &[BlockId]) -> Standing {
        let last = self.levels(history).pop().map(|level| level.standing);
        last.unwrap_or(Standing { function: RunningFunction::Unknown, borrowed: None })
    }

    /// The internal calls that the frame is in at the end of these blocks, the last one first.
    pub(super) fn calls(&self, history: &[BlockId]) -> Vec<SourceRange> {
        self.levels(history).into_iter().rev().filter_map(|level| level.call).collect()
    }

    fn levels(&self, history: &[BlockId]) -> Vec<InternalCall> {
        // Without its beginning, a way tells only what was called since.
        let whole = history.first() == Some(&BlockId(0));
        let function = if whole { RunningFunction::Outermost } else { RunningFunction::Unknown };
        let mut levels = vec![InternalCall { call: None, standing: Standing { function, borrowed: None } }];
        for pair in history.windows(2) {
            self.step(&mut levels, pair[0], pair[1]);
        }
        levels
    }

    fn step(&self, levels: &mut Vec<InternalCall>, from: BlockId, to: BlockId) {
        let (exit, entry) = (self.program.block(from), self.program.block(to));
        let jumps = match exit.exit {
            Exit::Jump => true,
            Exit::Branch => self.program.block_behind(from) != Some(to),
            _ => false,
        };
        if !jumps {
            return;
        }
        let kind = self.program.element(exit.last).map_or(Jump::Regular, |element| element.jump);
        let (left, reached) = (self.place(exit.last), self.place(entry.start));
        // The 0.4 releases do not mark the jump from the code that decodes the arguments.
        let calls = levels.len() == 1
            && exit.exit == Exit::Jump
            && [left, reached].into_iter().all(|at| at.is_some_and(|at| self.is_definition(at)));
        match if calls && kind == Jump::Regular { Jump::In } else { kind } {
            Jump::In => {
                let level = self.enter(levels.last(), left, reached);
                levels.push(level);
            }
            Jump::Out => {
                let call = levels.pop().and_then(|level| level.call);
                if levels.is_empty() {
                    let standing = Standing { function: RunningFunction::Unknown, borrowed: None };
                    levels.push(InternalCall { call: None, standing });
                }
                if let (Some(level), Some(call), Some(reached)) = (levels.last_mut(), call, reached)
                    && call != reached
                {
                    level.standing.borrowed.get_or_insert(Borrowed { from: call, to: reached });
                }
            }
            Jump::Regular => {
                if let (Some(level), Some(left), Some(reached)) = (levels.last_mut(), left, reached) {
                    self.arrive(&mut level.standing, left, reached);
                }
            }
        }
    }

    fn enter(
        &self,
        top: Option<&InternalCall>,
        left: Option<SourceRange>,
        reached: Option<SourceRange>,
    ) -> InternalCall {
        let caller =
            top.map_or(Standing { function: RunningFunction::Unknown, borrowed: None }, |level| level.standing);
        let level = |standing| InternalCall { call: left, standing };
        let (Some(left), Some(reached)) = (left, reached) else { return level(caller) };
        if self.is_definition(left) {
            // From the code that decodes the arguments to the function itself.
            let fits = self.selected.is_empty() || self.syntax.is_among(self.build, reached, self.selected);
            let borrowed = (!fits).then(|| Borrowed { from: self.selected[0], to: reached });
            return level(Standing { function: RunningFunction::Outermost, borrowed });
        }
        let call = self.syntax.exact_of(self.build, left, NodeKind::Call);
        let Some(named) = call.and_then(|call| self.syntax.named(self.build, call)) else {
            // A pointer may lead to any function; else it is code that the compiler adds, on behalf of the caller.
            let is_definition = self.is_definition(reached);
            let function = if is_definition { RunningFunction::Called(reached) } else { caller.function };
            let borrowed = caller.borrowed.filter(|_| !is_definition);
            return level(Standing { function, borrowed });
        };
        let named = if caller.borrowed.is_some() { self.only_named_by(caller.function, named) } else { Some(named) };
        let Some(named) = named else { return level(Standing { function: RunningFunction::Unknown, ..caller }) };
        let fits = self.syntax.stands_for(self.build, reached, named);
        let borrowed = (!fits).then_some(Borrowed { from: named, to: reached });
        level(Standing { function: RunningFunction::Called(if fits { reached } else { named }), borrowed })
    }

    /// The callee of a function, where its code maps to the place of another function that calls `instead`. Known only if the
    /// caller calls nothing else.
    fn only_named_by(&self, caller: RunningFunction, instead: SourceRange) -> Option<SourceRange> {
        let callers = match &caller {
            RunningFunction::Called(range) => std::slice::from_ref(range),
            RunningFunction::Outermost => self.selected,
            RunningFunction::Unknown => return None,
        };
        let mut named = BTreeSet::new();
        for (source, span) in self.syntax.with_modifiers(self.build, callers) {
            let nodes = self.build.source(source).ast.nodes.iter();
            let calls = nodes.filter(|node| node.kind == NodeKind::Call && span.contains(node.span));
            named.extend(calls.filter_map(|call| self.syntax.named(self.build, call)));
        }
        // Several calls of one function are one answer; that function is what runs, unless its own code is shared.
        let only = named.pop_first().filter(|_| named.is_empty());
        only.filter(|only| *only == instead || self.syntax.is_alike(self.build, *only, instead))
    }

    fn arrive(&self, standing: &mut Standing, left: SourceRange, reached: SourceRange) {
        let encloses = |inner: SourceRange| reached.0 == inner.0 && reached.1.contains(inner.1);
        match standing.borrowed {
            None => {
                if !encloses(left) && !self.enters_or_leaves_modifier(left, reached) {
                    standing.borrowed = Some(Borrowed { from: left, to: reached });
                }
            }
            // A range around the last place of its own is its own again.
            Some(Borrowed { from, .. }) => {
                if encloses(from) {
                    standing.borrowed = None;
                }
            }
        }
    }

    /// Modifiers stand in the code of the functions that invoke them.
    fn enters_or_leaves_modifier(&self, left: SourceRange, reached: SourceRange) -> bool {
        let is_modifier = |range: SourceRange| {
            self.build.source(range.0).ast.function_at(range.1).is_some_and(|node| node.kind == NodeKind::Modifier)
        };
        function_around(self.build, left) != function_around(self.build, reached)
            && (is_modifier(left) || is_modifier(reached))
    }

    fn is_definition(&self, range: SourceRange) -> bool {
        self.syntax.exact_of(self.build, range, NodeKind::Function).is_some()
    }

    /// The place of an instruction, if it is not code of the compiler's own.
    fn place(&self, pc: u32) -> Option<SourceRange> {
        place(self.program, pc)
    }
}

/// The place of an instruction, if it is not code of the compiler's own.
pub(super) fn place(program: &Program, pc: u32) -> Option<SourceRange> {
    program.range(pc).filter(|_| program.is_in_source(pc))
}

/// The definitions in a program whose code calls of other functions run as well.
pub(super) fn shared(build: &Build, program: &Program, syntax: &Syntax) -> BTreeSet<SourceRange> {
    let mut shared = BTreeSet::new();
    for id in program.code_blocks() {
        let block = program.block(id);
        let is_call = program.element(block.last).is_some_and(|element| element.jump == Jump::In);
        let Some(target) = program.jumps_to(block).filter(|_| is_call) else { continue };
        let (Some(left), Some(reached)) = (place(program, block.last), place(program, program.block(target).start))
        else {
            continue;
        };
        let call = syntax.exact_of(build, left, NodeKind::Call);
        if let Some(named) = call.and_then(|call| syntax.named(build, call))
            && !syntax.stands_for(build, reached, named)
        {
            shared.insert(reached);
        }
    }
    shared
}
