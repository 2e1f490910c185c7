//! A [`PathConstraint`] is the distance of one run from an [`Objective`]: a difference between two operands, the value it
//! has to take, and the branches before it that have to stay as they are.

use crate::{
    code::ProgramId,
    corpus::Objective,
    evm::{Branch, Edge, Observation, Operator, SlotWrite},
    oracle::arbitrary_write::{distance_from_sentinel, proven, sentinel_near},
    solve::{Difference, Integer, Relation},
    tuning::Tuning,
};
use alloy_primitives::U256;

/// The two words that decide whether an objective is reached.
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

/// The distance of a run from an objective.
#[derive(Debug)]
pub(super) struct PathConstraint {
    objective: Objective,
    /// The branches before the objective.
    pub(super) prefix: Vec<Branch>,
    /// The operands that decided the objective.
    pub(super) operands: Operands,
    /// The relation that the two operands have to be in.
    pub(super) relation: Relation,
}

impl PathConstraint {
    /// The constraint of this run; none if it did not get to the place where the objective is decided. If it got there
    /// several times, on several paths, successive attempts take them in turn, the closest first.
    pub(super) fn new(objective: Objective, observation: &Observation, attempt: u32, tuning: &Tuning) -> Option<Self> {
        let branches = &observation.branches;
        let (length, relation, operands) = match objective {
            Objective::Edge(side) => {
                let context =
                    |index: usize| branches[index.saturating_sub(tuning.edge_context)..index].iter().map(Edge::of);
                let mut closest: Vec<usize> = Vec::new();
                for index in (0..branches.len()).filter(|index| Edge::of(&branches[*index]) == side.other()) {
                    match closest.iter_mut().find(|known| context(**known).eq(context(index))) {
                        Some(known) if branches[index].cost() < branches[*known].cost() => *known = index,
                        Some(_) => {}
                        None => closest.push(index),
                    }
                }
                closest.sort_by_key(|index| branches[*index].cost());
                let index = *closest.get(attempt as usize % closest.len().max(1))?;
                Self::deciding(branches, index, side)
            }
            Objective::EdgeInContext { context, edge } => {
                let turns = turns(branches).filter(|turn| (turn.1, turn.2) == (context, edge.other()));
                let index = turns.map(|(index, ..)| index).min_by_key(|index| branches[*index].cost())?;
                Self::deciding(branches, index, edge)
            }
            Objective::ArbitraryWrite { program, pc } => {
                let write =
                    writes_at(observation, program, pc).min_by_key(|write| distance_from_sentinel(write.slot))?;
                // If the slot is right, only the word can be wrong.
                let (relation, operands) = if distance_from_sentinel(write.slot).is_zero() {
                    (Relation::NonZero, Operands::equal(write.value, U256::ZERO))
                } else {
                    (Relation::Zero, Operands::equal(write.slot, sentinel_near(write.slot)))
                };
                (write.branches as usize, relation, operands)
            }
            Objective::StorageValue { word, .. } => {
                (branches.len(), Relation::Zero, Operands::equal(written(objective, observation)?, word))
            }
        };
        (length <= tuning.max_prefix && length <= branches.len()).then(|| {
            let prefix = branches[..length].to_vec();
            Self { objective, prefix, operands, relation }
        })
    }

    /// The index of the branch, the relation that takes the side, and the operands.
    fn deciding(branches: &[Branch], index: usize, side: Edge) -> (usize, Relation, Operands) {
        let branch = &branches[index];
        (index, Relation::of(branch.operator, side.taken != branch.negated), Operands::of(branch))
    }

    /// The change of the difference that would reach the objective.
    pub(super) fn required_change(&self) -> Integer {
        let difference = self.operands.difference().value;
        self.relation.nearest(difference) - difference
    }

    /// The operands that decided the objective in another run; none if that run diverged before.
    pub(super) fn evaluate(&self, observation: &Observation) -> Option<Operands> {
        let branches = &observation.branches;
        let length = self.prefix.len();
        if self.followed(branches) < length {
            return None;
        }
        match self.objective {
            Objective::Edge(side) | Objective::EdgeInContext { edge: side, .. } => {
                let branch = branches.get(length)?;
                ((branch.program, branch.pc) == (side.program, side.pc)).then(|| Operands::of(branch))
            }
            Objective::ArbitraryWrite { program, pc } => writes_at(observation, program, pc)
                .find(|write| write.branches as usize == length)
                .map(|write| if self.relation == Relation::NonZero { write.value } else { write.slot })
                .map(|word| Operands::equal(word, self.operands.right)),
            Objective::StorageValue { word, .. } => (branches.len() == length)
                .then(|| written(self.objective, observation))
                .flatten()
                .map(|written| Operands::equal(written, word)),
        }
    }

    /// The first branch before the objective at which another run diverged: it got there on the same path and took the
    /// other side.
    pub(super) fn divergence(&self, observation: &Observation) -> Option<usize> {
        let row = self.followed(&observation.branches);
        let (was, is) = (self.prefix.get(row)?, observation.branches.get(row)?);
        (Edge::of(is) == Edge::of(was).other()).then_some(row)
    }

    /// The number of branches of the prefix that another run took in the same way before it diverged.
    fn followed(&self, branches: &[Branch]) -> usize {
        let same = |(one, other): &(&Branch, &Branch)| Edge::of(one) == Edge::of(other);
        self.prefix.iter().zip(branches).take_while(same).count()
    }
}

impl Objective {
    /// Whether the run reached the objective. A storage value has to be the last word written; a run that fails writes
    /// nothing in the end.
    pub(super) fn is_reached(self, observation: &Observation) -> bool {
        match self {
            Self::Edge(side) => observation.branches.iter().any(|branch| Edge::of(branch) == side),
            Self::EdgeInContext { context, edge } => {
                turns(&observation.branches).any(|turn| (turn.1, turn.2) == (context, edge))
            }
            Self::ArbitraryWrite { program, pc } => proven(observation).any(|write| write == (program, pc)),
            Self::StorageValue { word, .. } => written(self, observation) == Some(word),
        }
    }
}

/// Each branch by its index, with the last edge in the source before it and its own edge.
fn turns(branches: &[Branch]) -> impl Iterator<Item = (usize, Edge, Edge)> {
    let sides = branches.iter().enumerate().scan(None, |before, (index, branch)| {
        let side = Edge::of(branch);
        let last = if branch.in_source { before.replace(side) } else { *before };
        Some(last.map(|last| (index, last, side)))
    });
    sides.flatten()
}

/// The words that the SSTORE at `pc` wrote.
fn writes_at(observation: &Observation, program: ProgramId, pc: u32) -> impl Iterator<Item = &SlotWrite> {
    observation.writes.iter().filter(move |write| write.at == Some((program, pc)))
}

/// The last word that was written into the objective's slot.
fn written(objective: Objective, observation: &Observation) -> Option<U256> {
    let Objective::StorageValue { address, slot, .. } = objective else { return None };
    let write = observation.writes.iter().rev().find(|write| (write.address, write.slot) == (address, slot));
    write.map(|write| write.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::SENTINEL_SLOT;
    use alloy_primitives::Address;

    const PROGRAM: ProgramId = ProgramId(0);

    fn branch(pc: u32, taken: bool, left: u64, right: u64) -> Branch {
        let (left, right) = (U256::from(left), U256::from(right));
        Branch {
            program: PROGRAM,
            pc,
            taken,
            operator: Operator::Equal,
            negated: false,
            in_source: pc < 100,
            left,
            right,
        }
    }

    fn observation(branches: Vec<Branch>, writes: Vec<(u64, u64)>) -> Observation {
        let count = branches.len() as u32;
        let writes = writes.into_iter().map(|(slot, value)| SlotWrite {
            address: Address::ZERO,
            slot: U256::from(slot),
            value: U256::from(value),
            at: None,
            branches: count,
        });
        Observation { writes: writes.collect(), branches, ..Observation::default() }
    }

    #[test]
    fn the_closest_iteration_of_a_loop_is_chosen() {
        let turns = (0..100_000).map(|turn| branch(7, false, turn, 41));
        let seen = observation(turns.take(crate::evm::MAX_BRANCHES).collect(), vec![]);
        let constraint = PathConstraint::new(
            Objective::Edge(Edge { program: PROGRAM, pc: 7, taken: true }),
            &seen,
            0,
            &Tuning::default(),
        )
        .unwrap();
        // 41 itself would have taken the side: both neighbours are equally close, and the first one comes earlier.
        assert_eq!((constraint.prefix.len(), constraint.operands.left), (40, U256::from(40)));
        let far = observation((0..5_000).map(|turn| branch(7, false, 9_000 - turn, 41)).collect(), vec![]);
        assert!(
            PathConstraint::new(
                Objective::Edge(Edge { program: PROGRAM, pc: 7, taken: true }),
                &far,
                0,
                &Tuning::default()
            )
            .is_none(),
            "too many branches before it"
        );
    }

    #[test]
    fn a_check_that_many_places_share_is_chosen_in_each_of_them() {
        // The branch is not in the source; it is reached with 1 after 3, and after 4 with 90 and then with 50.
        let shared = |left| branch(107, false, left, 0);
        let branches =
            [branch(3, true, 1, 1), shared(1), branch(4, false, 1, 2), shared(90), branch(4, false, 1, 2), shared(50)];
        let seen = observation(branches.to_vec(), vec![]);
        let side = Edge { program: PROGRAM, pc: 107, taken: true };
        let left = |attempt| {
            PathConstraint::new(Objective::Edge(side), &seen, attempt, &Tuning::default()).unwrap().operands.left
        };
        assert_eq!([0, 1, 2, 3].map(left), [1, 50, 90, 1].map(U256::from));

        let turn = |before: usize| Objective::EdgeInContext { context: Edge::of(&branches[before]), edge: side };
        let behind = |objective| {
            PathConstraint::new(objective, &seen, 0, &Tuning::default())
                .map(|constraint| (constraint.prefix.len(), constraint.operands.left))
        };
        assert_eq!(behind(turn(0)), Some((1, U256::from(1))));
        assert_eq!(behind(turn(2)), Some((5, U256::from(50))));
        assert_eq!(behind(turn(1)), None, "what stands in no source is nowhere");
        let mut through = branches;
        through[3].taken = true;
        let through = observation(through.to_vec(), vec![]);
        assert!(turn(2).is_reached(&through) && !turn(0).is_reached(&through));
    }

    #[test]
    fn a_run_that_went_another_way_tells_nothing() {
        let objective = Objective::Edge(Edge { program: PROGRAM, pc: 9, taken: true });
        let constraint = PathConstraint::new(
            objective,
            &observation(vec![branch(3, true, 1, 1), branch(9, false, 5, 8)], vec![]),
            0,
            &Tuning::default(),
        )
        .unwrap();
        assert_eq!(constraint.required_change(), Integer::try_from(3).unwrap());
        for (branches, read) in [
            (vec![branch(3, true, 2, 2), branch(9, false, 6, 8)], Some(6)),
            (vec![branch(3, true, 2, 2), branch(9, true, 8, 8)], Some(8)),
            (vec![branch(3, false, 2, 1), branch(9, false, 6, 8)], None),
            (vec![branch(3, true, 2, 2), branch(11, false, 6, 8)], None),
            (vec![branch(3, true, 2, 2)], None),
        ] {
            let seen = observation(branches, vec![]);
            assert_eq!(constraint.evaluate(&seen).map(|operands| operands.left), read.map(U256::from));
        }
    }

    #[test]
    fn a_write_is_as_far_from_anywhere_as_its_slot_is_from_the_sentinel() {
        let objective = Objective::ArbitraryWrite { program: PROGRAM, pc: 40 };
        let wrote = |slot: U256, value: u64| {
            let mut seen = observation(vec![branch(3, true, 1, 1)], vec![(0, value)]);
            seen.writes[0].slot = slot;
            seen.writes[0].at = Some((PROGRAM, 40));
            seen
        };
        let constraint = PathConstraint::new(objective, &wrote(U256::from(3), 1), 0, &Tuning::default()).unwrap();
        assert_eq!(
            constraint.operands.right,
            (SENTINEL_SLOT & !U256::from(7)) | U256::from(3),
            "steps of eight lead there"
        );
        assert_eq!(constraint.evaluate(&wrote(U256::from(11), 0)).unwrap().left, U256::from(11));
        assert!(
            PathConstraint::new(
                Objective::ArbitraryWrite { program: PROGRAM, pc: 41 },
                &wrote(U256::ZERO, 1),
                0,
                &Tuning::default()
            )
            .is_none()
        );
        // The slot is right, but the word written is the one that it already holds.
        let nothing = PathConstraint::new(objective, &wrote(SENTINEL_SLOT, 0), 0, &Tuning::default()).unwrap();
        assert_eq!((nothing.relation, nothing.required_change()), (Relation::NonZero, Integer::ONE));
        assert_eq!(nothing.evaluate(&wrote(SENTINEL_SLOT, 5)).unwrap().left, U256::from(5));
    }

    #[test]
    fn a_word_is_the_last_that_was_written() {
        let objective = Objective::StorageValue { address: Address::ZERO, slot: U256::from(2), word: U256::from(9) };
        let twice = observation(vec![branch(3, true, 1, 1)], vec![(2, 9), (1, 4), (2, 7)]);
        assert!(!objective.is_reached(&twice));
        assert_eq!(
            PathConstraint::new(objective, &twice, 0, &Tuning::default()).unwrap().required_change(),
            Integer::try_from(2).unwrap()
        );
        assert!(objective.is_reached(&observation(vec![], vec![(2, 7), (2, 9)])));
        assert!(
            PathConstraint::new(objective, &observation(vec![], vec![(1, 9)]), 0, &Tuning::default()).is_none(),
            "nobody wrote it"
        );
    }
}
