//! [`TargetBlocks`] is the set of blocks that fuzzing is to reach, and the ways out of each program that may lead to one of
//! them.

use super::reach::{Beyond, Reach};
use crate::code::{BlockId, ProgramId, Programs};
use std::collections::BTreeMap;

/// Blocks to be reached, by program.
#[derive(Debug, Default)]
pub(super) struct TargetBlocks {
    blocks: BTreeMap<ProgramId, Reach>,
}

impl TargetBlocks {
    pub(super) fn new(programs: &Programs, targets: impl IntoIterator<Item = (ProgramId, BlockId)>) -> Self {
        let mut blocks: BTreeMap<ProgramId, Reach> = BTreeMap::new();
        for (program, block) in targets {
            let count = programs.get(program).blocks.len();
            blocks.entry(program).or_insert_with(|| Reach::nothing(count)).add(block);
        }
        Self { blocks }
    }

    /// Programs that hold any.
    pub(super) fn programs(&self) -> impl Iterator<Item = (ProgramId, &Reach)> {
        self.blocks.iter().map(|(program, blocks)| (*program, blocks))
    }

    /// The goal in a program: the targets in it, and ways out of it that lead to any.
    pub(super) fn goal(&self, programs: &Programs, program: ProgramId, calls: CallsToTarget) -> Reach {
        let count = programs.get(program).blocks.len();
        let mut goal = self.blocks.get(&program).cloned().unwrap_or_else(|| Reach::nothing(count));
        if self.blocks.is_empty() {
            return goal;
        }
        goal.add_beyond(Beyond::Anything);
        if calls.anybody {
            goal.add_beyond(Beyond::Anybody);
        }
        if calls.transfer {
            goal.add_beyond(Beyond::Transfer);
        }
        goal
    }
}

/// The calls that may lead to a target.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallsToTarget {
    /// A call of any code.
    pub(super) anybody: bool,
    /// A transfer.
    pub(super) transfer: bool,
}
