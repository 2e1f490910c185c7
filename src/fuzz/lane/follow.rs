//! Following: what the columns tell is run, all words at once first, then one word by the secant method (HARVEY §IV-B).

use super::{
    model::{problem, system},
    probe::{Column, Seen},
    pursuit::{Pursuit, Reached},
};
use crate::{
    fuzz::{goal::Aim, parameter::Setting},
    solve::{Integer, Relation, centered, curve, secant, unsigned},
};

/// Solutions of one model that are run.
pub(super) const SOLUTIONS: usize = 3;
/// Steps of the secant method on one word.
const SECANTS: usize = 6;
/// Words on whose curve an equality is looked for.
const CURVED: usize = 3;

/// The closest setting so far that is closer than where it started, and how far it still is.
#[derive(Debug, Default)]
struct Best(Option<(Integer, Setting)>);

impl Best {
    fn note(&mut self, aim: &Aim, difference: Integer, setting: &Setting) {
        let distance = (aim.relation.nearest(difference) - difference).abs();
        if distance < self.0.as_ref().map_or_else(|| aim.way().abs(), |(known, _)| *known) {
            self.0 = Some((distance, setting.clone()));
        }
    }
}

impl Pursuit<'_, '_> {
    /// Runs what the columns tell. A setting that is closer than the one they belong to is returned.
    pub(super) fn follow(
        &mut self,
        setting: &Setting,
        aim: &Aim,
        columns: &[Column],
        bends: bool,
    ) -> Result<Option<Setting>, Reached> {
        let mut best = Best::default();
        let mut firsts: Vec<(usize, Seen)> = Vec::new();
        if columns.iter().any(|column| column.at_goal.can_be_followed()) {
            for steps in self.alternatives(aim, columns) {
                let Some(moved) = self.moved(setting, columns, &steps) else { continue };
                let mut moving = steps.iter().enumerate().filter(|(_, steps)| !steps.is_zero());
                let single = match (moving.next(), moving.next()) {
                    (Some((at, _)), None) => Some(at),
                    _ => None,
                };
                let foreseen = single.and_then(|at| columns[at].foreseen.filter(|seen| seen.steps == steps[at]));
                let difference = match foreseen {
                    Some(seen) => seen.difference,
                    None => {
                        self.run(&moved)?;
                        self.difference(aim)
                    }
                };
                if let Some(difference) = difference {
                    best.note(aim, difference, &moved);
                }
                firsts.extend(single.map(|at| (at, Seen { steps: steps[at], difference })));
            }
        }
        if bends {
            self.bend(setting, aim, columns)?;
        }
        for (at, first) in firsts {
            self.iterate(setting, aim, &columns[at], first, &mut best)?;
        }
        Ok(best.0.map(|(_, setting)| setting))
    }

    /// Runs what a column alone tells, before others are known: one word is often enough (HARVEY §IV-B).
    pub(super) fn foresee(&mut self, setting: &Setting, aim: &Aim, column: &Column) -> Result<Option<Seen>, Reached> {
        if !column.at_goal.can_be_followed() {
            return Ok(None);
        }
        let Some(steps) = alone(aim, column).next() else { return Ok(None) };
        let Some(number) = column.now.checked_add(steps) else { return Ok(None) };
        let difference = self.difference_at(setting, aim, column, number)?;
        Ok(Some(Seen { steps, difference }))
    }

    /// How far each parameter might have to go.
    fn alternatives(&mut self, aim: &Aim, columns: &[Column]) -> Vec<Vec<Integer>> {
        let problem = problem(aim, columns);
        let mut alternatives: Vec<Vec<Integer>> = Vec::new();
        for _ in 0..SOLUTIONS {
            if let Some(steps) = problem.solve(&mut self.lane.rng, &mut self.lane.fuel)
                && !alternatives.contains(&steps)
            {
                alternatives.push(steps);
            }
        }
        if alternatives.is_empty() {
            // As far as the model knows there is none that keeps everything: each word for itself may still do.
            let moving = columns.iter().enumerate().filter(|(_, column)| !column.at_goal.way.is_zero());
            for (at, column) in moving.take(SOLUTIONS) {
                for x in alone(aim, column) {
                    let mut steps = vec![Integer::ZERO; columns.len()];
                    steps[at] = x;
                    alternatives.push(steps);
                }
            }
        }
        let wraps = system(aim, columns);
        for _ in 0..SOLUTIONS {
            let Some(numbers) = wraps.as_ref().and_then(|system| system.solve(&mut self.lane.rng, &mut self.lane.fuel))
            else {
                break;
            };
            let steps = columns.iter().zip(&numbers).map(|(column, number)| unsigned(*number) - column.now).collect();
            if !alternatives.contains(&steps) {
                alternatives.push(steps);
            }
        }
        alternatives
    }

    /// The secant method on one word, from its first prediction on; half the way where a prediction went too far.
    fn iterate(
        &mut self,
        setting: &Setting,
        aim: &Aim,
        column: &Column,
        first: Seen,
        best: &mut Best,
    ) -> Result<(), Reached> {
        let mut old = (Integer::ZERO, aim.operands.difference().value);
        let (mut x, mut seen) = (first.steps, first.difference);
        let mut tried = vec![Integer::ZERO, x];
        for _ in 0..SECANTS {
            let predictions = match seen {
                Some(y) => {
                    let new = (x, y);
                    let predictions = secant(old, new, aim.relation.nearest(y));
                    old = new;
                    predictions
                }
                None => [old.0.checked_add(x).map(|sum| sum / (Integer::ONE + Integer::ONE)), None],
            };
            let Some(next) = predictions.into_iter().flatten().find(|next| !tried.contains(next)) else { break };
            x = next;
            tried.push(x);
            let mut moved = setting.clone();
            let Some(number) = column.now.checked_add(x) else { break };
            if !column.parameter.set(&mut moved, &self.lane.generator, number) {
                break;
            }
            self.run(&moved)?;
            seen = self.difference(aim);
            if let Some(y) = seen {
                best.note(aim, y, &moved);
            }
        }
        Ok(())
    }

    /// Where an equality moves with one word as a curve does, runs where that is 0.
    fn bend(&mut self, setting: &Setting, aim: &Aim, columns: &[Column]) -> Result<(), Reached> {
        if aim.relation != Relation::Zero {
            return Ok(());
        }
        let here = aim.operands.difference().value;
        for column in columns.iter().filter(|column| !column.at_goal.is_none()).take(CURVED) {
            let (now, step) = (column.now, column.step);
            let next = here + column.at_goal.way;
            // Where there are no numbers farther on, those on the other side do as well.
            let on = column.span.holds(step + step + step);
            let third = if on { now + step + step } else { now - step };
            let Some(third) = self.difference_at(setting, aim, column, third)? else { continue };
            // On a line the secant has done it.
            if centered(if on { third - next } else { here - third }) == column.at_goal.way {
                continue;
            }
            let fourth = if on { now + step + step + step } else { now - step - step };
            let Some(fourth) = self.difference_at(setting, aim, column, fourth)? else { continue };
            let zeros = if on {
                curve(now, step, [here, next, third, fourth])
            } else {
                curve(now - step - step, step, [fourth, third, here, next])
            };
            for zero in zeros {
                self.difference_at(setting, aim, column, zero)?;
            }
        }
        Ok(())
    }

    /// The difference when one parameter is another number; none if that is no value of it, or leads another way.
    fn difference_at(
        &mut self,
        setting: &Setting,
        aim: &Aim,
        column: &Column,
        number: Integer,
    ) -> Result<Option<Integer>, Reached> {
        let mut moved = setting.clone();
        if !column.parameter.set(&mut moved, &self.lane.generator, number) {
            return Ok(None);
        }
        self.run(&moved)?;
        Ok(self.difference(aim))
    }

    /// The difference in the last run; none if it went another way.
    fn difference(&self, aim: &Aim) -> Option<Integer> {
        self.read(aim).map(|operands| operands.difference().value)
    }

    /// The setting after each parameter went so many steps.
    pub(super) fn moved(&self, setting: &Setting, columns: &[Column], steps: &[Integer]) -> Option<Setting> {
        let mut moved = setting.clone();
        for (column, steps) in columns.iter().zip(steps).filter(|(_, steps)| !steps.is_zero()) {
            if !column.parameter.set(&mut moved, &self.lane.generator, column.now.checked_add(*steps)?) {
                return None;
            }
        }
        Some(moved)
    }
}

/// How far one parameter has to go for the goal, where the difference moves with it as it did in its column.
fn alone(aim: &Aim, column: &Column) -> impl Iterator<Item = Integer> {
    secant((Integer::ZERO, Integer::ZERO), (column.step, column.at_goal.way), aim.way()).into_iter().flatten()
}
