//! [`Obstacle`]s say why code was not reached: the branch in front of it that always went the other way, and how close a call came to
//! going its way.

use super::session::Session;
use crate::{
    code::{BlockId, Exit, Program, ProgramId},
    compile::SourceRange,
    corpus::{Entry, Objective, Shared},
    evm::Edge,
    finding::told_call,
};
use alloy_primitives::U256;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

/// A branch that always went the other way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// Its range in the source: a `require`, an `if` with all of its statements, an operator.
    pub branch: SourceRange,
    /// The call that came closest, if one is known.
    pub closest: Option<ClosestCall>,
}

/// A call that came close to another side of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosestCall {
    /// How far the two words that were compared were from another result: never 0.
    pub distance: U256,
    /// The call.
    pub call: String,
}

impl Session {
    /// The obstacle in front of each open block of a program that a branch of the source stands before.
    pub(super) fn obstacles(&self, id: ProgramId, is_open: impl Fn(BlockId) -> bool) -> BTreeMap<BlockId, Obstacle> {
        let program = self.harness.programs.get(id);
        let guards = guards(program, &is_open);
        let edges: BTreeSet<(u32, bool)> = guards.values().copied().collect();
        let mut closest = if edges.is_empty() { BTreeMap::new() } else { self.closest(id, &edges) };
        let obstacles: BTreeMap<(u32, bool), Obstacle> = edges
            .into_iter()
            .filter_map(|edge| {
                Some((edge, Obstacle { branch: program.range(edge.0)?, closest: closest.remove(&edge) }))
            })
            .collect();
        guards.into_iter().filter_map(|(block, edge)| Some((block, obstacles.get(&edge)?.clone()))).collect()
    }

    /// The calls of the corpus that came closest to edges of a program.
    fn closest(&self, id: ProgramId, edges: &BTreeSet<(u32, bool)>) -> BTreeMap<(u32, bool), ClosestCall> {
        let mut best: BTreeMap<(u32, bool), (U256, Arc<Entry>)> = BTreeMap::new();
        for shared in self.shared.shared() {
            let Shared::Entry(entry) = shared else { continue };
            for (objective, distance) in &entry.missed {
                let (Objective::Edge(edge) | Objective::EdgeInContext { edge, .. }) = *objective else { continue };
                let Edge { program, pc, taken } = edge;
                let is_closer = |known: Option<&(U256, _)>| known.is_none_or(|(known, _)| distance < known);
                if program == id && edges.contains(&(pc, taken)) && is_closer(best.get(&(pc, taken))) {
                    best.insert((pc, taken), (*distance, entry.clone()));
                }
            }
        }
        let told = |(distance, entry): (U256, Arc<Entry>)| ClosestCall {
            distance,
            call: told_call(&self.harness, &entry.transaction),
        };
        best.into_iter().map(|(edge, found)| (edge, told(found))).collect()
    }
}

/// For each open block, the nearest edge from a block that was entered to an open one, by which control would get there. An edge is the
/// byte offset of its JUMPI and whether it jumps. Where a block may go on is read from the addresses that it pushes, so that the block
/// behind a call of an internal function counts, too.
fn guards(program: &Program, is_open: &impl Fn(BlockId) -> bool) -> BTreeMap<BlockId, (u32, bool)> {
    let mut waiting = VecDeque::new();
    for id in program.code_blocks().filter(|id| !is_open(*id)) {
        let block = program.block(id);
        if block.exit == Exit::Branch && program.is_in_source(block.last) {
            let sides = [(true, program.jumps_to(block)), (false, program.block_behind(id))];
            let open = sides.into_iter().filter_map(|(taken, to)| Some((taken, to.filter(|to| is_open(*to))?)));
            waiting.extend(open.map(|(taken, to)| (to, (block.last, taken))));
        }
    }
    let mut guards = BTreeMap::new();
    while let Some((id, edge)) = waiting.pop_front() {
        if guards.contains_key(&id) {
            continue;
        }
        guards.insert(id, edge);
        let block = program.block(id);
        let pushed = program.instructions_of(block).iter().filter_map(|instruction| instruction.pushed(&program.code));
        let behind = matches!(block.exit, Exit::Fall | Exit::Branch).then(|| program.block_behind(id)).flatten();
        let next = pushed.filter_map(|word| program.jump_target(word)).chain(behind);
        waiting.extend(next.filter(|next| is_open(*next)).map(|next| (next, edge)));
    }
    guards
}
