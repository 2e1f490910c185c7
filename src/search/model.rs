//! The finite differences combined: as a [`Problem`] over integers, or as a [`System`] of sums that wrap.

use super::{
    constraint::{Operands, PathConstraint},
    probe::{Delta, FiniteDifference},
};
use crate::{
    evm::Operator,
    solve::{Comparison, Condition, Constraint, Difference, Integer, Problem, Relation, Sum, System, signed, word},
};
use alloy_primitives::U256;
use std::collections::BTreeMap;

/// Every difference that moved, with the relation that it has to satisfy.
pub(super) fn problem(constraint: &PathConstraint, columns: &[FiniteDifference]) -> Problem {
    let nothing = || vec![Integer::ZERO; columns.len()];
    let mut spans = Vec::with_capacity(columns.len());
    let mut rows: BTreeMap<usize, Vec<Integer>> = BTreeMap::new();
    let mut objective = nothing();
    for (at, column) in columns.iter().enumerate() {
        spans.push(column.span);
        objective[at] = column.at_goal.way / column.step;
        for (row, moved) in &column.moves {
            rows.entry(*row).or_insert_with(nothing)[at] = moved.way / column.step;
        }
    }
    let mut constraints: Vec<Constraint> = Vec::with_capacity(rows.len() + 1);
    for (row, slopes) in rows {
        let branch = &constraint.prefix[row];
        let difference = Difference::of(branch);
        let row = Constraint {
            difference: difference.value,
            modular: difference.modular,
            relation: Relation::of(branch.operator, branch.held()),
            slopes,
        };
        if !constraints.contains(&row) {
            constraints.push(row);
        }
    }
    let difference = constraint.operands.difference();
    constraints.push(Constraint {
        difference: difference.value,
        modular: difference.modular,
        relation: constraint.relation,
        slopes: objective,
    });
    Problem { spans, constraints }
}

/// The same in arithmetic that wraps as the EVM's does, or at the variables' own width where every observation fits it.
/// Only for words from 0 up, moved by whole steps.
pub(super) fn system(constraint: &PathConstraint, columns: &[FiniteDifference]) -> Option<System> {
    let mut numbers = Vec::with_capacity(columns.len());
    let mut highest = Vec::with_capacity(columns.len());
    for column in columns {
        if (column.now + column.span.lowest).is_negative() || column.now.is_negative() {
            return None;
        }
        numbers.push(word(column.now));
        highest.push(word(column.now + column.span.highest));
    }
    let mut rows: BTreeMap<usize, Vec<Option<Delta>>> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        for (row, moved) in &column.moves {
            rows.entry(*row).or_insert_with(|| vec![None; columns.len()])[at] = Some(*moved);
        }
    }
    let objective: Vec<Option<Delta>> = columns.iter().map(|column| Some(column.at_goal)).collect();
    let sum = |constant: U256, moves: &[Option<Delta>], of: fn(&Delta) -> U256| {
        let factors: Vec<U256> = columns
            .iter()
            .zip(moves)
            .map(|(column, moved)| moved.map_or(U256::ZERO, |moved| word(signed(of(&moved)) / column.step)))
            .collect();
        let moved = factors.iter().zip(&numbers).map(|(factor, number)| factor.wrapping_mul(*number));
        Sum { constant: moved.fold(constant, U256::wrapping_sub), factors }
    };
    let mut conditions = Vec::with_capacity(rows.len() + 1);
    let mut widest = 0;
    let decided = rows.iter().map(|(row, moves)| {
        let branch = &constraint.prefix[*row];
        (Operands::of(branch), Relation::of(branch.operator, branch.held()), moves)
    });
    for (operands, relation, moves) in decided.chain([(constraint.operands, constraint.relation, &objective)]) {
        let (comparison, holds) = match (operands.operator, relation) {
            (Operator::Equal | Operator::Differ, relation) => (Comparison::Equal, relation == Relation::Zero),
            (Operator::Less, relation) => (Comparison::Less, relation == Relation::Negative),
            (Operator::Greater, relation) => (Comparison::Greater, relation == Relation::Positive),
            (Operator::SignedLess | Operator::SignedGreater, _) => continue,
        };
        widest = widest.max(operands.left.bit_len()).max(operands.right.bit_len());
        let left = sum(operands.left, moves, |moved| moved.left);
        let right = sum(operands.right, moves, |moved| moved.right);
        let condition = Condition { left, right, comparison, holds };
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    let own = highest.iter().zip(columns).filter(|(_, column)| !column.at_goal.is_none() || !column.moves.is_empty());
    let own = own.map(|(highest, _)| highest.bit_len()).max().unwrap_or(256);
    let bits = if widest <= own { own } else { 256 };
    Some(System { bits, numbers, highest, conditions })
}
