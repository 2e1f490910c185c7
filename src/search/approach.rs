//! [`Approach`] holds how near runs have come to each branch of the source of which one side is open, and tells which runs come
//! much nearer. What it takes to reach a side is often spread over several calls none of which takes a new path: a price that
//! each donation moves a little, a counter that has to be high enough. sFuzz keeps the input that comes closest to each branch
//! (§3.2); here the run that halves the distance is kept with the state that it started from, since what led there may lead on.

use crate::{
    corpus::{Coverage, Objective},
    evm::{Edge, Observation},
};
use alloy_primitives::map::HashMap;

/// Edges that are told apart; chosen by hand. A contract has a few hundred branches.
const MAX_EDGES: usize = 4_096;

/// The nearest that runs have come to edges that none took.
#[derive(Debug, Default)]
pub(crate) struct Approach {
    /// The length of the smallest distance in bits, by edge.
    nearest: HashMap<Edge, usize>,
}

impl Approach {
    /// Whether a run at least halved the distance to an open edge that an earlier run has missed. The first run that misses an
    /// edge comes no nearer.
    pub(crate) fn comes_nearer(&mut self, observation: &Observation, coverage: &Coverage) -> bool {
        let mut nearer = false;
        for branch in observation.branches.iter().filter(|branch| branch.in_source) {
            let missed = Edge::of(branch).other();
            if !Objective::Edge(missed).is_open(coverage) {
                continue;
            }
            let bits = branch.cost().bit_len();
            let has_room = self.nearest.len() < MAX_EDGES;
            match self.nearest.get_mut(&missed) {
                Some(nearest) if bits < *nearest => {
                    *nearest = bits;
                    nearer = true;
                }
                None if has_room => {
                    self.nearest.insert(missed, bits);
                }
                _ => {}
            }
        }
        nearer
    }

    /// Forgets edges that were taken.
    pub(crate) fn forget_taken(&mut self, coverage: &Coverage) {
        self.nearest.retain(|edge, _| Objective::Edge(*edge).is_open(coverage));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        code::{ProgramId, Programs},
        compile::Build,
        corpus::MemoryAccount,
        evm::{Branch, Operator},
    };
    use alloy_primitives::U256;
    use std::sync::Arc;

    /// A run that asks once whether `left` is below ten.
    fn run(left: u64) -> Observation {
        let branch = Branch {
            program: ProgramId(0),
            pc: 1,
            taken: left < 10,
            operator: Operator::Less,
            negated: false,
            in_source: true,
            left: U256::from(left),
            right: U256::from(10),
        };
        Observation { branches: vec![branch], ..Observation::default() }
    }

    /// Coverage of no code: no edge is ever taken.
    fn coverage() -> Coverage {
        Coverage::new(Arc::new(Programs::of(&Build::default())), MemoryAccount::new())
    }

    #[test]
    fn a_run_comes_nearer_where_the_distance_loses_a_bit() {
        let (mut approach, coverage) = (Approach::default(), coverage());
        let nearer = [1_000, 900, 400, 500, 20, 20, 10].map(|left| approach.comes_nearer(&run(left), &coverage));
        assert_eq!(nearer, [false, false, true, false, true, false, true]);
    }

    #[test]
    fn what_the_compiler_decides_is_not_approached() {
        let (mut approach, coverage) = (Approach::default(), coverage());
        let generated = |left| {
            let mut run = run(left);
            run.branches[0].in_source = false;
            run
        };
        assert!(!approach.comes_nearer(&generated(1_000), &coverage));
        assert!(!approach.comes_nearer(&generated(11), &coverage));
    }
}
