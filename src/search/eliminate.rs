//! Eliminating coupled variables. Where a branch before the objective holds only while several words keep their sum, none
//! of them can be moved alone. Moved together, so that the sum is unchanged, they show their effect on later branches.

use super::{
    constraint::PathConstraint,
    objective_search::{ObjectiveSearch, Reached},
    probe::{CoupledVariable, Delta, FiniteDifference},
    runner::Runner,
    variable::Assignment,
};
use crate::solve::{Integer, inverse, mask, signed, unsigned, word};
use alloy_primitives::U256;

/// Variables that are moved together, and the branch at which a run with all of them diverges.
struct Group {
    /// The first of them, with everything known about its effect.
    column: FiniteDifference,
    row: usize,
    /// The step of each coupled variable, modulo 2^256.
    steps: Vec<U256>,
}

impl Group {
    /// The factor by which the difference at the row moves.
    fn factor(&self, bits: usize) -> U256 {
        let moved = self.column.moves.iter().find(|(row, _)| *row == self.row);
        moved.map_or(U256::ZERO, |(_, moved)| moved.left.wrapping_sub(moved.right) & mask(bits))
    }
}

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// Finite differences of coupled variables: at each branch that couples several, one of them compensates for each of
    /// the others. The effect of that one further on is taken to be zero. This loses nothing, because it cannot be moved
    /// without the others.
    pub(super) fn eliminate_coupling(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        bound: Vec<CoupledVariable>,
    ) -> Result<Vec<FiniteDifference>, Reached> {
        let variables: Vec<FiniteDifference> = bound.iter().map(|bound| bound.column.clone()).collect();
        let bits = variables.iter().map(width).max().unwrap_or(256);
        let alone = |(at, CoupledVariable { column, row }): (usize, CoupledVariable)| {
            let mut steps = vec![U256::ZERO; variables.len()];
            steps[at] = word(column.step);
            Group { column, row, steps }
        };
        let mut groups: Vec<Group> = bound.into_iter().enumerate().map(alone).collect();
        let mut columns = Vec::with_capacity(groups.len());
        while let Some(row) = groups.iter().map(|group| group.row).min() {
            let (mut here, later): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(|group| group.row == row);
            groups = later;
            // A variable that compensates for the others by whole steps, the fewer the better.
            let size = |group: &Group| {
                let factor = group.factor(bits);
                (factor.trailing_zeros(), factor.min(factor.wrapping_neg() & mask(bits)))
            };
            let Some(first) = (0..here.len()).min_by_key(|at| size(&here[*at])) else { break };
            let first = here.swap_remove(first);
            for mut group in here {
                let times = quotient(group.factor(bits), first.factor(bits), bits);
                for (steps, others) in group.steps.iter_mut().zip(&first.steps) {
                    *steps = steps.wrapping_sub(others.wrapping_mul(times));
                }
                if let Some(moved) = self.stepped(assignment, &variables, &group.steps) {
                    self.run(&moved)?;
                    let known = |moves: &[(usize, Delta)]| {
                        moves.iter().filter(|(at, _)| *at > row).copied().collect::<Vec<_>>()
                    };
                    if let Some(operands) = self.evaluate(constraint) {
                        group.column.moves.extend(known(&self.moves(constraint, constraint.prefix.len())));
                        group.column.at_goal = Delta::between(constraint.operands, operands);
                    } else if !self.prefix_failed
                        && let Some(next) = constraint.divergence(self.runner.observation()).filter(|next| *next > row)
                    {
                        group.column.moves.extend(known(&self.moves(constraint, next + 1)));
                        group.row = next;
                        groups.push(group);
                        continue;
                    }
                }
                columns.push(group.column);
            }
            columns.push(first.column);
        }
        Ok(columns)
    }

    /// The assignment after each variable moved by this many steps, wrapping around at the end of its range.
    fn stepped(
        &mut self,
        assignment: &Assignment,
        variables: &[FiniteDifference],
        steps: &[U256],
    ) -> Option<Assignment> {
        let mut moved = assignment.clone();
        for (column, steps) in variables.iter().zip(steps).filter(|(_, steps)| !steps.is_zero()) {
            let bits = width(column);
            let word = word(column.now).wrapping_add(*steps) & mask(bits);
            let below = (column.now + column.span.lowest).is_negative();
            let number = if below && bits > 0 && word.bit(bits - 1) {
                unsigned(word) - (Integer::ONE << bits)
            } else {
                unsigned(word)
            };
            if !column.variable.set(&mut moved, self.runner.lend().generator, number) {
                return None;
            }
        }
        Some(moved)
    }
}

/// The number of bits of a variable that matter.
fn width(column: &FiniteDifference) -> usize {
    (column.span.highest - column.span.lowest).unsigned_abs().bit_len()
}

/// The number of times that `by` goes into `number`, modulo 2^`bits`: a small whole number where there is one. A remainder
/// is ignored where `by` has more factors of two than `number`.
fn quotient(number: U256, by: U256, bits: usize) -> U256 {
    if by.is_zero() {
        return U256::ZERO;
    }
    let small = |word: U256| signed(word << (256 - bits)).asr(256 - bits);
    let (one, other) = (small(number), small(by));
    if (one % other).is_zero() {
        return word(one / other);
    }
    let evenness = by.trailing_zeros();
    ((number >> evenness).wrapping_mul(inverse(by >> evenness))) & mask(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_is_small_where_it_can_be_and_exact_where_numbers_wrap() {
        let max = mask(64);
        for (number, by, bits, expected) in [
            (U256::from(14), U256::from(7), 64, Some(U256::from(2))),
            (max - U256::from(13), U256::from(7), 64, Some(U256::MAX - U256::ONE)),
            (U256::from(13), U256::from(3), 64, None),
            (U256::from(6), U256::from(4), 256, None),
        ] {
            let times = quotient(number, by, bits);
            assert!(expected.is_none_or(|expected| times == expected), "{number} {by}: {times}");
            if number.trailing_zeros() >= by.trailing_zeros() {
                assert_eq!(times.wrapping_mul(by) & mask(bits), number & mask(bits));
            }
        }
    }
}
