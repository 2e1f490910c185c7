//! A [`Goal`] is something that a transaction is to do, and an [`Aim`] is how far one run was from it: a difference, what it
//! has to become, and the branches before it that have to stay as they are.

use super::super::missed::Side;
use crate::{
    code::ProgramId,
    evm::{Branch, Observation, Operator},
    solve::{Difference, Integer, Relation},
};
use alloy_primitives::{Address, U256};

/// A goal behind more branches than this is too far to aim at.
const MAX_PREFIX: usize = 1024;

/// What a transaction is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::fuzz) enum Goal {
    /// Take a side of a branch.
    Side(Side),
    /// Write this slot with the SSTORE at this place.
    Slot { at: (ProgramId, u32), slot: U256 },
    /// Leave this word in this slot.
    Word { address: Address, slot: U256, word: U256 },
}

/// The two words that decide whether a goal is reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operands {
    pub(super) left: U256,
    pub(super) right: U256,
    pub(super) operator: Operator,
}

impl Operands {
    pub(super) fn of(branch: &Branch) -> Self {
        Self { left: branch.left, right: branch.right, operator: branch.operator }
    }

    fn equal(left: U256, right: U256) -> Self {
        Self { left, right, operator: Operator::Equal }
    }

    pub(super) fn difference(self) -> Difference {
        Difference::between(self.operator, self.left, self.right)
    }
}

/// How far a run was from a goal.
#[derive(Debug)]
pub(super) struct Aim {
    goal: Goal,
    /// The branches before the goal.
    pub(super) prefix: Vec<Branch>,
    /// What decided it.
    pub(super) operands: Operands,
    /// What the difference has to be.
    pub(super) relation: Relation,
}

impl Aim {
    /// How far this run was; none if it did not even come to where the goal is decided.
    pub(super) fn new(goal: Goal, observation: &Observation) -> Option<Self> {
        let branches = &observation.branches;
        let (length, relation, operands) = match goal {
            Goal::Side(side) => {
                let at = |branch: &Branch| (branch.program, branch.pc, branch.taken);
                let missed = branches.iter().enumerate().filter(|(_, branch)| {
                    at(branch) == (side.program, side.pc, !side.taken)
                });
                let (index, branch) = missed.min_by_key(|(_, branch)| branch.cost())?;
                let relation = Relation::of(branch.operator, side.taken != branch.negated);
                (index, relation, Operands::of(branch))
            }
            Goal::Slot { at, slot } => {
                let write = observation.writes.iter().find(|write| write.at == Some(at))?;
                (write.branches as usize, Relation::Zero, Operands::equal(write.slot, slot))
            }
            Goal::Word { word, .. } => {
                (branches.len(), Relation::Zero, Operands::equal(written(goal, observation)?, word))
            }
        };
        (length <= MAX_PREFIX && length <= branches.len()).then(|| {
            let prefix = branches[..length].to_vec();
            Self { goal, prefix, operands, relation }
        })
    }

    /// The way from where it was to the goal.
    pub(super) fn way(&self) -> Integer {
        let difference = self.operands.difference().value;
        self.relation.nearest(difference) - difference
    }

    /// What decided it in another run; none if it went another way before.
    pub(super) fn read(&self, observation: &Observation) -> Option<Operands> {
        let branches = &observation.branches;
        let length = self.prefix.len();
        let same = |(one, other): (&Branch, &Branch)| {
            (one.program, one.pc, one.taken) == (other.program, other.pc, other.taken)
        };
        if branches.len() < length || !self.prefix.iter().zip(branches).all(same) {
            return None;
        }
        match self.goal {
            Goal::Side(side) => {
                let branch = branches.get(length)?;
                ((branch.program, branch.pc) == (side.program, side.pc)).then(|| Operands::of(branch))
            }
            Goal::Slot { at, slot } => {
                let here = |write: &&crate::evm::SlotWrite| write.at == Some(at) && write.branches as usize == length;
                observation.writes.iter().find(here).map(|write| Operands::equal(write.slot, slot))
            }
            Goal::Word { word, .. } => {
                (branches.len() == length).then(|| written(self.goal, observation)).flatten().map(|written| {
                    Operands::equal(written, word)
                })
            }
        }
    }
}

impl Goal {
    /// Whether the run did it. For a word, whether it was written last; a run that fails writes nothing in the end.
    pub(super) fn is_reached(self, observation: &Observation) -> bool {
        match self {
            Self::Side(side) => observation
                .branches
                .iter()
                .any(|branch| (branch.program, branch.pc, branch.taken) == (side.program, side.pc, side.taken)),
            Self::Slot { at, slot } => {
                observation.writes.iter().any(|write| write.at == Some(at) && write.slot == slot)
            }
            Self::Word { word, .. } => written(self, observation) == Some(word),
        }
    }
}

/// The last word that was written into the goal's slot.
fn written(goal: Goal, observation: &Observation) -> Option<U256> {
    let Goal::Word { address, slot, .. } = goal else { return None };
    let write = observation.writes.iter().rev().find(|write| (write.address, write.slot) == (address, slot));
    write.map(|write| write.value)
}
