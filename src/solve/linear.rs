//! A [`Problem`] is a system of linear constraints on parameters: one difference has to reach a relation while the others keep
//! theirs. The solver repairs one broken constraint after another, as local search does for satisfiability, but with exact
//! steps: the value that repairs a constraint is computed and not guessed.

use super::{difference::Relation, integer::Integer, repair::least_broken, secant::floor, work_budget::WorkBudget};
use rand::{Rng, RngExt};

/// Repairs after which a problem is given up; chosen by hand.
const MAX_REPAIRS: usize = 64;
/// The cost of evaluating one constraint, and of computing the candidates of one parameter, in steps of [`WorkBudget`]; both
/// are estimates.
const CONSTRAINT_COST: usize = 4;
const CANDIDATES_COST: usize = 32;

/// The values that a parameter can take, relative to its current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepRange {
    /// The lowest.
    pub lowest: Integer,
    /// The highest.
    pub highest: Integer,
}

impl StepRange {
    /// Whether a value is in the range.
    pub fn holds(self, steps: Integer) -> bool {
        self.lowest <= steps && steps <= self.highest
    }

    fn clamp(self, steps: Integer) -> Integer {
        steps.max(self.lowest).min(self.highest)
    }
}

/// A difference, and the relation that it has to meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    /// Its value before any parameter moves.
    pub difference: Integer,
    /// Whether it counts modulo 2^256.
    pub modular: bool,
    /// The relation that it has to meet.
    pub relation: Relation,
    /// The change of the difference for one step of each parameter.
    pub slopes: Vec<Integer>,
}

/// Constraints on parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problem {
    /// The range of each parameter.
    pub spans: Vec<StepRange>,
    /// The constraints, all of which have to hold.
    pub constraints: Vec<Constraint>,
}

impl Problem {
    /// The steps of each parameter after which every constraint holds, if the budget is enough to find them. Another state of
    /// the random generator may find other steps.
    pub fn solve<R: Rng + ?Sized>(&self, rng: &mut R, budget: &mut WorkBudget) -> Option<Vec<Integer>> {
        let spans = self.tightened();
        let mut steps = vec![Integer::ZERO; spans.len()];
        let mut differences: Vec<Integer> = self.constraints.iter().map(|constraint| constraint.difference).collect();
        for _ in 0..MAX_REPAIRS {
            if budget.is_spent() {
                return None;
            }
            let broken: Vec<usize> =
                (0..differences.len()).filter(|at| !self.constraints[*at].relation.holds(differences[*at])).collect();
            if broken.is_empty() {
                return Some(steps);
            }
            let at = broken[rng.random_range(0..broken.len())];
            let (parameter, value) = self.repair(at, &spans, &steps, &differences, rng, budget)?;
            let by = value - steps[parameter];
            steps[parameter] = value;
            for (difference, constraint) in differences.iter_mut().zip(&self.constraints) {
                *difference = constraint.moved(*difference, parameter, by)?;
            }
        }
        None
    }

    /// The ranges without the values that a constraint on one parameter alone rules out.
    fn tightened(&self) -> Vec<StepRange> {
        let mut spans = self.spans.clone();
        for constraint in self.constraints.iter().filter(|constraint| !constraint.modular) {
            let mut moving = constraint.slopes.iter().enumerate().filter(|(_, slope)| !slope.is_zero());
            let (Some((at, slope)), None) = (moving.next(), moving.next()) else { continue };
            // A bound on slope * steps.
            let (most, bound) = match constraint.relation {
                Relation::Negative => (true, Integer::MINUS_ONE - constraint.difference),
                Relation::NonPositive => (true, -constraint.difference),
                Relation::Positive => (false, Integer::ONE - constraint.difference),
                Relation::NonNegative => (false, -constraint.difference),
                Relation::Zero | Relation::NonZero => continue,
            };
            let span = &mut spans[at];
            if most == slope.is_positive() {
                span.highest = span.highest.min(floor(bound, *slope));
            } else {
                span.lowest = span.lowest.max(-floor(-bound, *slope));
            }
        }
        spans
    }

    /// The parameter and the value that repair the constraint and break the fewest others; now and then any repair.
    fn repair<R: Rng + ?Sized>(
        &self,
        at: usize,
        spans: &[StepRange],
        steps: &[Integer],
        differences: &[Integer],
        rng: &mut R,
        budget: &mut WorkBudget,
    ) -> Option<(usize, Integer)> {
        let constraint = &self.constraints[at];
        let mut choices = Vec::new();
        for (parameter, span) in spans.iter().enumerate().filter(|(at, _)| !constraint.slopes[*at].is_zero()) {
            budget.spend(CANDIDATES_COST);
            for value in constraint.candidates(differences[at], parameter, steps[parameter], *span, rng) {
                if value != steps[parameter] && span.holds(value) {
                    choices.push((parameter, value));
                }
            }
        }
        budget.spend((choices.len() + 1) * self.constraints.len() * CONSTRAINT_COST);
        least_broken(choices, rng, |(parameter, value)| {
            let by = *value - steps[*parameter];
            self.constraints
                .iter()
                .zip(differences)
                .filter(|(constraint, difference)| {
                    !constraint
                        .moved(**difference, *parameter, by)
                        .is_some_and(|moved| constraint.relation.holds(moved))
                })
                .count()
        })
    }
}

impl Constraint {
    /// The difference after a parameter moved; `None` if it leaves 512 bits.
    fn moved(&self, difference: Integer, parameter: usize, by: Integer) -> Option<Integer> {
        let slope = self.slopes[parameter];
        if slope.is_zero() || by.is_zero() {
            return Some(difference);
        }
        let moved = slope.checked_mul(by)?.checked_add(difference)?;
        Some(if self.modular { centered(moved) } else { moved })
    }

    /// Values of one parameter that repair this constraint, or bring it closer.
    fn candidates<R: Rng + ?Sized>(
        &self,
        difference: Integer,
        parameter: usize,
        now: Integer,
        span: StepRange,
        rng: &mut R,
    ) -> Vec<Integer> {
        let slope = self.slopes[parameter];
        let wanted = self.relation.nearest(difference);
        let mut values = Vec::new();
        let mut reach = |way: Integer| {
            let Some(value) = now.checked_add(floor(way, slope)) else { return };
            values.push(value);
            if !(way % slope).is_zero() {
                values.push(value + Integer::ONE);
            }
        };
        reach(wanted - difference);
        if self.modular {
            let turn: Integer = Integer::ONE << 256_usize;
            reach(wanted - difference + turn);
            reach(wanted - difference - turn);
        }
        let exact = values.len();
        if self.modular {
            // Several parameters may reach together what one cannot.
            values.push(span.clamp(values[0]));
        } else {
            values.iter_mut().for_each(|value| *value = span.clamp(*value));
        }
        if !matches!(self.relation, Relation::Zero) {
            // Beyond the border, try a little, much, and all of the room that is left.
            let forward = (wanted - difference).is_negative() == slope.is_negative();
            let border = values[exact - 1];
            let far: Integer = Integer::ONE << rng.random_range(1..=66_usize);
            values.push(span.clamp(if forward { border + far } else { border - far }));
            values.push(if forward { span.highest } else { span.lowest });
        }
        values
    }
}

/// The number modulo 2^256 that is closest to 0.
pub(crate) fn centered(number: Integer) -> Integer {
    let half: Integer = Integer::ONE << 255_usize;
    if -half <= number && number < half {
        return number;
    }
    let turn: Integer = Integer::ONE << 256_usize;
    let rest = number - floor(number, turn) * turn;
    if rest < half { rest } else { rest - turn }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn number(x: i128) -> Integer {
        Integer::try_from(x).unwrap()
    }

    fn constraint(difference: i128, relation: Relation, slopes: &[i128]) -> Constraint {
        let slopes = slopes.iter().map(|slope| number(*slope)).collect();
        Constraint { difference: number(difference), modular: false, relation, slopes }
    }

    fn budget() -> WorkBudget {
        WorkBudget::transactions(1_000)
    }

    /// Each constraint as the definition has it, without shortcuts.
    fn satisfies(problem: &Problem, steps: &[Integer]) -> bool {
        let within = problem.spans.iter().zip(steps).all(|(span, steps)| span.holds(*steps));
        within
            && problem.constraints.iter().all(|constraint| {
                let moves = constraint.slopes.iter().zip(steps).map(|(slope, steps)| *slope * *steps);
                let difference = moves.fold(constraint.difference, |sum, way| sum + way);
                constraint.relation.holds(if constraint.modular { centered(difference) } else { difference })
            })
    }

    #[test]
    fn what_is_satisfied_is_kept_while_the_next_is_solved() {
        // p0 + p1 == 100 and p0 - p2 == 7 hold; p1 > 60 is wanted.
        let words = StepRange { lowest: number(-40), highest: number(1 << 64) };
        let problem = Problem {
            spans: vec![words; 3],
            constraints: vec![
                constraint(0, Relation::Zero, &[1, 1, 0]),
                constraint(0, Relation::Zero, &[1, 0, -1]),
                constraint(-20, Relation::Positive, &[0, 1, 0]),
            ],
        };
        let solved = (0..10).filter_map(|seed| problem.solve(&mut ChaCha8Rng::seed_from_u64(seed), &mut budget()));
        let solved: Vec<_> = solved.inspect(|steps| assert!(satisfies(&problem, steps))).collect();
        assert!(solved.len() >= 9, "{} of 10", solved.len());
    }

    #[test]
    fn several_parameters_together_reach_what_none_reaches_alone() {
        // Three amounts of 2^60 that may go down to 10, and a payment of 0 that may go up to 100, are to be equal.
        let amount = StepRange { lowest: number(-1 << 60), highest: number(1 << 60) };
        let payment = StepRange { lowest: number(0), highest: number(100) };
        let least = |at: usize| {
            let mut slopes = [0; 4];
            slopes[at] = 1;
            constraint((1 << 60) - 10, Relation::NonNegative, &slopes)
        };
        let sum = Constraint { modular: true, ..constraint(3 << 60, Relation::Zero, &[1, 1, 1, -1]) };
        let problem = Problem {
            spans: vec![amount, amount, amount, payment],
            constraints: vec![least(0), least(1), least(2), sum],
        };
        let solved = (0..10).filter_map(|seed| problem.solve(&mut ChaCha8Rng::seed_from_u64(seed), &mut budget()));
        let solved: Vec<_> = solved.inspect(|steps| assert!(satisfies(&problem, steps))).collect();
        assert!(solved.len() >= 9, "{} of 10", solved.len());
    }

    #[test]
    fn without_fuel_nothing_is_solved() {
        let span = StepRange { lowest: number(0), highest: number(9) };
        let problem = Problem { spans: vec![span], constraints: vec![constraint(-3, Relation::Zero, &[1])] };
        let solve = |budget: &mut WorkBudget| problem.solve(&mut ChaCha8Rng::seed_from_u64(1), budget);
        assert!(solve(&mut budget()).is_some());
        assert_eq!(solve(&mut WorkBudget::default()), None);
    }

    #[test]
    fn an_equation_may_wrap() {
        // index + 2^255 + 5 == 0, index from 0 up
        let start = number(5) - (Integer::ONE << 255_usize);
        let problem = Problem {
            spans: vec![StepRange { lowest: Integer::ZERO, highest: (Integer::ONE << 256_usize) - Integer::ONE }],
            constraints: vec![Constraint {
                difference: start,
                modular: true,
                relation: Relation::Zero,
                slopes: vec![number(-1)],
            }],
        };
        let steps = problem.solve(&mut ChaCha8Rng::seed_from_u64(1), &mut budget()).expect("one step is enough");
        assert!(satisfies(&problem, &steps), "{steps:?}");
    }

    #[test]
    fn what_moves_with_nothing_is_given_up() {
        let span = StepRange { lowest: number(0), highest: number(9) };
        let stuck = Problem { spans: vec![span], constraints: vec![constraint(3, Relation::Zero, &[0])] };
        let beyond = Problem { spans: vec![span], constraints: vec![constraint(-30, Relation::Positive, &[2])] };
        for problem in [stuck, beyond] {
            assert_eq!(problem.solve(&mut ChaCha8Rng::seed_from_u64(1), &mut budget()), None);
        }
    }

    fn relations() -> impl Strategy<Value = Relation> {
        prop::sample::select(vec![
            Relation::Zero,
            Relation::NonZero,
            Relation::Negative,
            Relation::NonNegative,
            Relation::Positive,
            Relation::NonPositive,
        ])
    }

    proptest! {
        #[test]
        fn a_solution_is_one(
            spans in prop::collection::vec((-1000_i128..=0, 0_i128..1000), 1..6),
            rows in prop::collection::vec((-500_i128..500, relations(), prop::collection::vec(-4_i128..5, 6), any::<bool>()), 1..8),
            seed: u64,
        ) {
            let spans: Vec<_> =
                spans.into_iter().map(|(low, high)| StepRange { lowest: number(low), highest: number(high) }).collect();
            let constraints = rows
                .into_iter()
                .map(|(difference, relation, slopes, modular)| Constraint {
                    modular,
                    ..constraint(difference, relation, &slopes[..spans.len()])
                })
                .collect();
            let problem = Problem { spans, constraints };
            if let Some(steps) = problem.solve(&mut ChaCha8Rng::seed_from_u64(seed), &mut budget()) {
                prop_assert!(satisfies(&problem, &steps));
            }
        }
    }
}
