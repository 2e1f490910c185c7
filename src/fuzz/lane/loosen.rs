//! Loosening: where a branch before the goal holds only while several words keep their sum, none of them can be moved alone.
//! Moved together, so that what binds them stays as it is, they show what they move further on.

use super::{
    probe::{Bound, Column, Move},
    pursuit::{Pursuit, Reached},
};
use crate::{
    fuzz::{goal::Aim, parameter::Setting},
    solve::{Integer, inverse, mask, signed, unsigned, word},
};
use alloy_primitives::U256;

/// Parameters that are moved together, and where the run with all of them leaves the way.
struct Group {
    /// The first of them, with all that is known of what it moves.
    column: Column,
    row: usize,
    /// How far each of the bound parameters is moved, modulo 2^256.
    steps: Vec<U256>,
}

impl Group {
    /// How the difference at the row moves.
    fn factor(&self, bits: usize) -> U256 {
        let moved = self.column.moves.iter().find(|(row, _)| *row == self.row);
        moved.map_or(U256::ZERO, |(_, moved)| moved.left.wrapping_sub(moved.right) & mask(bits))
    }
}

impl Pursuit<'_, '_> {
    /// Columns of parameters that are bound: at each branch that binds several, one of them makes up for each of the others. What
    /// that one moves further on is taken to be nothing, which is as good as what it does: it cannot be moved without the others.
    pub(super) fn loosen(&mut self, setting: &Setting, aim: &Aim, bound: Vec<Bound>) -> Result<Vec<Column>, Reached> {
        let parameters: Vec<Column> = bound.iter().map(|bound| bound.column.clone()).collect();
        let bits = parameters.iter().map(width).max().unwrap_or(256);
        let alone = |(at, Bound { column, row }): (usize, Bound)| {
            let mut steps = vec![U256::ZERO; parameters.len()];
            steps[at] = word(column.step);
            Group { column, row, steps }
        };
        let mut groups: Vec<Group> = bound.into_iter().enumerate().map(alone).collect();
        let mut columns = Vec::with_capacity(groups.len());
        while let Some(row) = groups.iter().map(|group| group.row).min() {
            let (mut here, later): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(|group| group.row == row);
            groups = later;
            // One that makes up for the others by whole steps, the fewer the better.
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
                if let Some(moved) = self.stepped(setting, &parameters, &group.steps) {
                    self.run(&moved)?;
                    let known =
                        |moves: &[(usize, Move)]| moves.iter().filter(|(at, _)| *at > row).copied().collect::<Vec<_>>();
                    if let Some(operands) = self.read(aim) {
                        group.column.moves.extend(known(&self.moves(aim, aim.prefix.len())));
                        group.column.at_goal = Move::between(aim.operands, operands);
                    } else if !self.strayed
                        && let Some(next) = aim.turned_at(self.executor.observation()).filter(|next| *next > row)
                    {
                        group.column.moves.extend(known(&self.moves(aim, next + 1)));
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

    /// The setting after each parameter went so many steps, around the end of its range if need be.
    fn stepped(&self, setting: &Setting, parameters: &[Column], steps: &[U256]) -> Option<Setting> {
        let mut moved = setting.clone();
        for (column, steps) in parameters.iter().zip(steps).filter(|(_, steps)| !steps.is_zero()) {
            let bits = width(column);
            let word = word(column.now).wrapping_add(*steps) & mask(bits);
            let below = (column.now + column.span.lowest).is_negative();
            let number = if below && bits > 0 && word.bit(bits - 1) {
                unsigned(word) - (Integer::ONE << bits)
            } else {
                unsigned(word)
            };
            if !column.parameter.set(&mut moved, &self.lane.generator, number) {
                return None;
            }
        }
        Some(moved)
    }
}

/// In how many bits a parameter counts.
fn width(column: &Column) -> usize {
    (column.span.highest - column.span.lowest).unsigned_abs().bit_len()
}

/// How many times `by` goes into `number`, modulo two to so many bits: a small whole number where there is one. What is left over
/// where `by` is more often even than `number` is left.
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
