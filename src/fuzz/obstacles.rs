//! An [`Obstacle`] is why code was not entered: the branch in front of it that always went the other way, and how close a call came to
//! going its way. It is looked for when somebody asks, since that reads the whole corpus; what it says is in `unreached.rs`.

use super::{session::Session, survey::BlockState};
use crate::{
    code::{Block, BlockId, Exit, Program, ProgramId},
    compile::{Decider, NodeKind, SourceRange, Span},
    evm::{Branch, Edge},
    finding::{Compared, told_call},
    harness::Action,
    oracle::ComparedWord,
};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, VecDeque},
};

/// A branch that always went the other way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Obstacle {
    /// Its range in the source.
    pub(super) branch: SourceRange,
    /// What never happened.
    pub(super) never: Never,
    /// Whether that is proved: no call enters what is right behind it.
    pub(super) proved: bool,
    /// The call that came closest, if one is known.
    pub(super) closest: Option<ClosestCall>,
}

/// What never happened at a branch, in the source of the branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Never {
    /// The condition never had this value.
    Was(Span, bool),
    /// The call of a `try` never ended in this way: true is success.
    Ended(Span, bool),
    /// The expression never came to a value without failing.
    Succeeded,
    /// Control never went that way, whatever decides.
    WentThere,
}

/// A call that came close to another side of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClosestCall {
    /// The call.
    pub(super) call: String,
    /// What it compared, if the condition is one comparison.
    pub(super) compared: Option<Compared>,
}

/// A branch with the side that it never took.
#[derive(Debug, Clone, Copy)]
struct Guard {
    edge: Edge,
    /// The block right behind it on that side.
    behind: BlockId,
}

impl Session {
    /// What stands in the way to the first of these blocks of a program of which that is known. All of them are in this state.
    pub(super) fn obstacle(&self, id: ProgramId, blocks: &[BlockId], state: BlockState) -> Option<Obstacle> {
        let program = self.harness.programs.get(id);
        let states: Vec<BlockState> = program.code_blocks().map(|block| self.state_of((id, block))).collect();
        let guard = guard(program, id, blocks, |block| states.get(block.0 as usize).copied(), state)?;
        let (source, span) = program.range(guard.edge.pc)?;
        let never = self.never(program, guard, (source, span));
        let text = |span: Span| span.text(&self.harness.build.source(source).text);
        let closest = match never {
            Never::Was(condition, value) if state == BlockState::Open => {
                self.closest(guard.edge, text(condition), value)
            }
            _ => None,
        };
        Some(Obstacle { branch: (source, span), never, proved: state == BlockState::Unreachable, closest })
    }

    /// What never happened at a branch.
    fn never(&self, program: &Program, guard: Guard, (source, span): SourceRange) -> Never {
        let ast = &self.harness.build.source(source).ast;
        if let Some(decision) = ast.decision_at(span) {
            let behind = program.block(guard.behind);
            let result = decision.leads_to(&program.ranges_in(behind, source), program.fails(behind));
            return match (result, decision.decider) {
                (None, _) => Never::WentThere,
                (Some(result), Decider::Call) => Never::Ended(decision.condition, result),
                (Some(result), _) => Never::Was(decision.condition, result),
            };
        }
        let checks = |kind| {
            use NodeKind::{Arithmetic, Call, Conversion, Division, Index, Pop};
            matches!(kind, Arithmetic | Call | Conversion | Division | Index | Pop)
        };
        let is_checked = ast.nodes.iter().any(|node| node.span == span && checks(node.kind));
        if is_checked { Never::Succeeded } else { Never::WentThere }
    }

    /// The call of the corpus that came closest to an edge, on which a condition has this value.
    fn closest(&self, edge: Edge, condition: &str, value: bool) -> Option<ClosestCall> {
        let entry = self.shared.closest(edge)?;
        let call = self.harness.call(Action::Call(&entry.transaction), entry.state.snapshot.moment());
        let mut executor = self.harness.executor();
        executor.run(&entry.state.snapshot, &call);
        let went_by = |branch: &&Branch| Edge::of(branch) == edge.other();
        let branches = executor.observation().branches.iter().filter(went_by);
        let branch = branches.min_by_key(|branch| branch.cost())?;
        Some(ClosestCall {
            call: told_call(&self.harness, &entry.transaction),
            compared: Compared::of(&self.harness, condition, ComparedWord::of_branch(branch), !value),
        })
    }
}

/// The nearest branch that control never took to one of these blocks, all of which are in this state: an edge between a block in
/// another state, which is not proved to be unreachable, and a block in this one, from which control gets there.
///
/// Where a block may go on is read from the addresses that it pushes, so that the block behind a call of an internal function counts,
/// too.
fn guard(
    program: &Program,
    id: ProgramId,
    blocks: &[BlockId],
    state_of: impl Fn(BlockId) -> Option<BlockState>,
    state: BlockState,
) -> Option<Guard> {
    let is_in = |block: &BlockId| state_of(*block) == Some(state);
    let mut guards: Vec<Guard> = Vec::new();
    for block in program.code_blocks().filter(|block| !is_in(block)) {
        let Block { last, exit, .. } = *program.block(block);
        let is_known = state_of(block) == Some(BlockState::Reached) || state == BlockState::Unreachable;
        if is_known && exit == Exit::Branch && program.is_in_source(last) {
            let sides = [(true, program.jumps_to(program.block(block))), (false, program.block_behind(block))];
            let sides = sides.into_iter().filter_map(|(taken, behind)| Some((taken, behind.filter(is_in)?)));
            guards.extend(sides.map(|(taken, behind)| Guard { edge: Edge { program: id, pc: last, taken }, behind }));
        }
    }
    // Blocks that fail are shared between branches: one that is a part of what the branch decides is its own.
    guards.sort_by_key(|guard| Reverse(is_own(program, *guard)));
    let mut waiting: VecDeque<(BlockId, Guard)> = guards.into_iter().map(|guard| (guard.behind, guard)).collect();
    let mut met = BTreeSet::new();
    while let Some((block, guard)) = waiting.pop_front() {
        if !met.insert(block) {
            continue;
        }
        if blocks.contains(&block) {
            return Some(guard);
        }
        waiting.extend(next(program, block).filter(is_in).map(|next| (next, guard)));
    }
    None
}

/// The blocks that may follow a block.
fn next(program: &Program, id: BlockId) -> impl Iterator<Item = BlockId> {
    let block = program.block(id);
    let pushed = program.instructions_of(block).iter().filter_map(|instruction| instruction.pushed(&program.code));
    let behind = matches!(block.exit, Exit::Fall | Exit::Branch).then(|| program.block_behind(id)).flatten();
    pushed.filter_map(|word| program.jump_target(word)).chain(behind)
}

/// Whether a part of the block right behind a branch stands within what the branch decides.
fn is_own(program: &Program, guard: Guard) -> bool {
    let Some((source, span)) = program.range(guard.edge.pc) else { return false };
    let is_part = |(range, is_own): &(Span, bool)| *is_own && span.contains(*range) && *range != span;
    program.ranges_in(program.block(guard.behind), source).iter().any(is_part)
}
