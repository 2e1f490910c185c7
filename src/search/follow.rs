//! Following the finite differences: the words that they predict are run, first all words at once, then one word by the
//! secant method (HARVEY §IV-B).

use super::{
    constraint::{Operands, PathConstraint},
    model::{problem, system},
    objective_search::{ObjectiveSearch, Reached},
    probe::{Delta, FiniteDifference, Seen},
    runner::{Lent, Runner},
    variable::Assignment,
};
use crate::solve::{Integer, Relation, centered, curve, secant, signed, unsigned, word};

/// The closest assignment so far that is closer than the starting point, and its distance.
#[derive(Debug, Default)]
struct Best(Option<(Integer, Assignment)>);

impl Best {
    fn note(&mut self, constraint: &PathConstraint, difference: Integer, assignment: &Assignment) {
        let distance = (constraint.relation.nearest(difference) - difference).abs();
        if distance < self.0.as_ref().map_or_else(|| constraint.required_change().abs(), |(known, _)| *known) {
            self.0 = Some((distance, assignment.clone()));
        }
    }
}

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// Runs the predictions of the finite differences. Returns an assignment that is closer than the one they were measured
    /// at.
    pub(super) fn follow(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        columns: &[FiniteDifference],
        bends: bool,
    ) -> Result<Option<Assignment>, Reached> {
        let mut best = Best::default();
        let mut firsts: Vec<(usize, Seen)> = Vec::new();
        if columns.iter().any(|column| column.at_goal.can_be_followed()) {
            for steps in self.alternatives(constraint, columns) {
                let Some(moved) = self.moved(assignment, columns, &steps) else { continue };
                let mut moving = steps.iter().enumerate().filter(|(_, steps)| !steps.is_zero());
                let single = match (moving.next(), moving.next()) {
                    (Some((at, _)), None) => Some(at),
                    _ => None,
                };
                let predicted = single.and_then(|at| columns[at].predicted.filter(|seen| seen.steps == steps[at]));
                let difference = match predicted {
                    Some(seen) => seen.difference,
                    None => {
                        self.run(&moved)?;
                        self.difference(constraint)
                    }
                };
                if let Some(difference) = difference {
                    best.note(constraint, difference, &moved);
                }
                firsts.extend(single.map(|at| (at, Seen { steps: steps[at], difference })));
            }
        }
        if constraint.relation == Relation::Zero {
            self.flip_bits(assignment, constraint, columns)?;
            if bends {
                self.fit_polynomial(assignment, constraint, columns)?;
            }
        }
        for (at, first) in firsts {
            self.secant_refine(assignment, constraint, &columns[at], first, &mut best)?;
        }
        Ok(best.0.map(|(_, assignment)| assignment))
    }

    /// Runs the prediction of one finite difference before others are known: one word is often enough (HARVEY §IV-B).
    pub(super) fn predict_univariate(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        column: &FiniteDifference,
    ) -> Result<Option<Seen>, Reached> {
        if !column.at_goal.can_be_followed() {
            return Ok(None);
        }
        let Some(steps) = alone(constraint, column).next() else { return Ok(None) };
        let Some(number) = column.now.checked_add(steps) else { return Ok(None) };
        let difference = self.difference_at(assignment, constraint, column, number)?;
        Ok(Some(Seen { steps, difference }))
    }

    /// Candidate step counts for each variable.
    fn alternatives(&mut self, constraint: &PathConstraint, columns: &[FiniteDifference]) -> Vec<Vec<Integer>> {
        let problem = problem(constraint, columns);
        let mut alternatives: Vec<Vec<Integer>> = Vec::new();
        for _ in 0..self.tuning.solutions {
            let Lent { rng, search, .. } = self.runner.lend();
            if let Some(steps) = problem.solve(rng, &mut search.budget)
                && !alternatives.contains(&steps)
            {
                alternatives.push(steps);
            }
        }
        if alternatives.is_empty() {
            // If the model has no solution that keeps every branch, a single word may still have one.
            let moving = columns.iter().enumerate().filter(|(_, column)| !column.at_goal.way.is_zero());
            for (at, column) in moving.take(self.tuning.solutions) {
                for x in alone(constraint, column) {
                    let mut steps = vec![Integer::ZERO; columns.len()];
                    steps[at] = x;
                    alternatives.push(steps);
                }
            }
        }
        let wraps = system(constraint, columns);
        for _ in 0..self.tuning.solutions {
            let Lent { rng, search, .. } = self.runner.lend();
            let solved = wraps.as_ref().and_then(|system| system.solve(rng, &mut search.budget));
            let Some(numbers) = solved else { break };
            let steps = columns.iter().zip(&numbers).map(|(column, number)| unsigned(*number) - column.now).collect();
            if !alternatives.contains(&steps) {
                alternatives.push(steps);
            }
        }
        alternatives
    }

    /// The secant method on one word, starting at its first prediction; after a run that diverged, the next step is half way back.
    fn secant_refine(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        column: &FiniteDifference,
        first: Seen,
        best: &mut Best,
    ) -> Result<(), Reached> {
        let mut old = (Integer::ZERO, constraint.operands.difference().value);
        let (mut x, mut seen) = (first.steps, first.difference);
        let mut tried = vec![Integer::ZERO, x];
        for _ in 0..self.tuning.secant_steps {
            let predictions = match seen {
                Some(y) => {
                    let new = (x, y);
                    let predictions = secant(old, new, constraint.relation.nearest(y));
                    old = new;
                    predictions
                }
                None => [old.0.checked_add(x).map(|sum| sum / (Integer::ONE + Integer::ONE)), None],
            };
            let Some(next) = predictions.into_iter().flatten().find(|next| !tried.contains(next)) else { break };
            x = next;
            tried.push(x);
            let mut moved = assignment.clone();
            let Some(number) = column.now.checked_add(x) else { break };
            if !column.variable.set(&mut moved, self.runner.lend().generator, number) {
                break;
            }
            self.run(&moved)?;
            seen = self.difference(constraint);
            if let Some(y) = seen {
                best.note(constraint, y, &moved);
            }
        }
        Ok(())
    }

    /// Flips the bits in which the operands of an equality differ in each word whose bits move them one by one, as `^` does: with the
    /// differences of numbers alone, such a word ends where each step leads away.
    fn flip_bits(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        columns: &[FiniteDifference],
    ) -> Result<(), Reached> {
        for column in columns {
            let Some(flipped) = flipped(constraint, column) else { continue };
            self.difference_at(assignment, constraint, column, flipped)?;
        }
        Ok(())
    }

    /// Runs the roots of the curve along which an equality moves with one word.
    fn fit_polynomial(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        columns: &[FiniteDifference],
    ) -> Result<(), Reached> {
        let here = constraint.operands.difference().value;
        for column in columns.iter().filter(|column| !column.at_goal.is_none()).take(self.tuning.fitted_words) {
            let (now, step) = (column.now, column.step);
            let next = here + column.at_goal.way;
            // If there are no numbers farther on, those on the other side serve as well.
            let on = column.span.holds(step + step + step);
            let third = if on { now + step + step } else { now - step };
            let Some(third) = self.difference_at(assignment, constraint, column, third)? else { continue };
            // On a line, the secant method has already tried this.
            if centered(if on { third - next } else { here - third }) == column.at_goal.way {
                continue;
            }
            let fourth = if on { now + step + step + step } else { now - step - step };
            let Some(fourth) = self.difference_at(assignment, constraint, column, fourth)? else { continue };
            let zeros = if on {
                curve(now, step, [here, next, third, fourth])
            } else {
                curve(now - step - step, step, [fourth, third, here, next])
            };
            for zero in zeros {
                self.difference_at(assignment, constraint, column, zero)?;
            }
        }
        Ok(())
    }

    /// The difference with one variable set to another number; none if the number is out of range, or the run diverges.
    fn difference_at(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
        column: &FiniteDifference,
        number: Integer,
    ) -> Result<Option<Integer>, Reached> {
        let mut moved = assignment.clone();
        if !column.variable.set(&mut moved, self.runner.lend().generator, number) {
            return Ok(None);
        }
        self.run(&moved)?;
        Ok(self.difference(constraint))
    }

    /// The difference in the last run; none if that run diverged.
    fn difference(&self, constraint: &PathConstraint) -> Option<Integer> {
        self.evaluate(constraint).map(|operands| operands.difference().value)
    }

    /// The assignment after each variable moved by this many steps.
    pub(super) fn moved(
        &mut self,
        assignment: &Assignment,
        columns: &[FiniteDifference],
        steps: &[Integer],
    ) -> Option<Assignment> {
        let mut moved = assignment.clone();
        for (column, steps) in columns.iter().zip(steps).filter(|(_, steps)| !steps.is_zero()) {
            if !column.variable.set(&mut moved, self.runner.lend().generator, column.now.checked_add(*steps)?) {
                return None;
            }
        }
        Some(moved)
    }
}

/// The number with the bits flipped in which the operands differ, wherever in the operands its bits are; none if they are not there as
/// they are in the number.
fn flipped(constraint: &PathConstraint, column: &FiniteDifference) -> Option<Integer> {
    let Operands { left, right, .. } = constraint.operands;
    let Delta { left: left_moved, right: right_moved, .. } = column.at_goal;
    let differs = left ^ right;
    let moved = differs ^ left.wrapping_add(left_moved) ^ right.wrapping_add(right_moved);
    let now = word(column.now);
    let bits = now ^ word(column.now + column.step);
    if moved.is_zero() || bits.is_zero() {
        return None;
    }
    let (from, to) = (bits.trailing_zeros(), moved.trailing_zeros());
    let flips = if to >= from { differs >> (to - from) } else { differs << (from - to) };
    let are_there = if to >= from { bits << (to - from) == moved } else { bits >> (from - to) == moved };
    let number = now ^ flips;
    let is_signed = (column.now + column.span.lowest).is_negative();
    are_there.then(|| if is_signed { signed(number) } else { unsigned(number) })
}

/// The distance that one variable has to move for the objective, if the difference moves with it as it was measured.
fn alone(constraint: &PathConstraint, column: &FiniteDifference) -> impl Iterator<Item = Integer> {
    secant((Integer::ZERO, Integer::ZERO), (column.step, column.at_goal.way), constraint.required_change())
        .into_iter()
        .flatten()
}
