//! A [`System`] is a linear problem where numbers wrap: operands are sums modulo a power of two, as unchecked code computes
//! them, with comparisons that have to hold. Equations are eliminated first, each giving one parameter in terms of the others.
//! The rest is found by repairing one broken comparison after another.

use super::{repair::least_broken, work_budget::WorkBudget};
use alloy_primitives::U256;
use rand::{Rng, RngExt};

/// Repairs after which the search starts again from other numbers; chosen by hand.
const MAX_REPAIRS: usize = 32;
/// Restarts after which a system is given up; chosen by hand.
const RESTARTS: usize = 4;
/// Numbers of one parameter that are tried to repair a comparison, chosen by hand; and the cost of computing them, an estimate
/// in steps of [`WorkBudget`].
const MAX_CANDIDATES: usize = 3;
const INVERSE_COST: usize = 20;

/// An unsigned comparison of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `left == right`
    Equal,
    /// `left < right`
    Less,
    /// `left > right`
    Greater,
}

/// A sum of parameters with factors, and a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// The constant.
    pub constant: U256,
    /// A factor for each parameter.
    pub factors: Vec<U256>,
}

/// A comparison of two sums that has to hold, or not to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Left operand.
    pub left: Sum,
    /// Right operand.
    pub right: Sum,
    /// The comparison.
    pub comparison: Comparison,
    /// Whether that has to hold or not to hold.
    pub holds: bool,
}

/// Conditions on parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    /// Sums are computed modulo 2^`bits`; at most 256.
    pub bits: usize,
    /// The current number of each parameter.
    pub numbers: Vec<U256>,
    /// The highest number that each can be.
    pub highest: Vec<U256>,
    /// The conditions, all of which have to hold.
    pub conditions: Vec<Condition>,
}

/// A parameter that an equation expresses in terms of the free ones.
#[derive(Debug, Clone)]
struct Pivot {
    parameter: usize,
    value: Sum,
    /// The equation determines it modulo 2^`bits`.
    bits: usize,
}

impl Sum {
    fn at(&self, numbers: &[U256]) -> U256 {
        let terms = self.factors.iter().zip(numbers).map(|(factor, number)| factor.wrapping_mul(*number));
        terms.fold(self.constant, U256::wrapping_add)
    }

    fn minus(&self, other: &Self) -> Self {
        let factors = self.factors.iter().zip(&other.factors).map(|(one, other)| one.wrapping_sub(*other));
        Self { constant: self.constant.wrapping_sub(other.constant), factors: factors.collect() }
    }

    /// Substitutes a sum for a parameter.
    fn substitute(&mut self, parameter: usize, value: &Self) {
        let factor = std::mem::take(&mut self.factors[parameter]);
        self.constant = self.constant.wrapping_add(factor.wrapping_mul(value.constant));
        for (known, new) in self.factors.iter_mut().zip(&value.factors) {
            *known = known.wrapping_add(factor.wrapping_mul(*new));
        }
    }

    fn reduce(&mut self, mask: U256) {
        self.constant &= mask;
        self.factors.iter_mut().for_each(|factor| *factor &= mask);
    }
}

impl Condition {
    fn is_met(&self, numbers: &[U256], mask: U256) -> bool {
        self.compares(self.left.at(numbers) & mask, self.right.at(numbers) & mask)
    }

    /// Whether the condition is met for these values of its sums.
    fn compares(&self, left: U256, right: U256) -> bool {
        let holds = match self.comparison {
            Comparison::Equal => left == right,
            Comparison::Less => left < right,
            Comparison::Greater => left > right,
        };
        holds == self.holds
    }
}

impl System {
    /// Numbers for which every condition holds, if the budget is enough to find them. Another state of the random generator may
    /// find other numbers.
    pub fn solve<R: Rng + ?Sized>(&self, rng: &mut R, budget: &mut WorkBudget) -> Option<Vec<U256>> {
        let mask = mask(self.bits);
        let (pivots, mut conditions) = self.eliminate(rng, budget)?;
        let free: Vec<usize> =
            (0..self.numbers.len()).filter(|at| pivots.iter().all(|pivot| pivot.parameter != *at)).collect();
        // Comparisons in terms of the free parameters.
        for condition in &mut conditions {
            for pivot in &pivots {
                condition.left.substitute(pivot.parameter, &pivot.value);
                condition.right.substitute(pivot.parameter, &pivot.value);
            }
        }
        for restart in 0..RESTARTS {
            let mut numbers = self.numbers.clone();
            if restart > 0 {
                for at in &free {
                    let width = rng.random_range(0..=self.highest[*at].bit_len().max(1) as u32) as usize;
                    numbers[*at] = random(rng) & self::mask(width) & self.highest[*at];
                }
            }
            for _ in 0..MAX_REPAIRS {
                if budget.is_spent() {
                    return None;
                }
                // Both sums of each condition that is left, and the equations.
                budget.spend((2 * conditions.len() + pivots.len()) * numbers.len());
                let whole = self.complete(&numbers, &pivots);
                let broken: Vec<&Condition> =
                    conditions.iter().filter(|condition| !condition.is_met(&numbers, mask)).collect();
                let within = whole.iter().zip(&self.highest).all(|(number, highest)| number <= highest);
                if broken.is_empty() && within {
                    // Elimination by halves of a factor loses bits: the conditions themselves decide.
                    budget.spend(2 * self.conditions.len() * whole.len());
                    if self.conditions.iter().all(|condition| condition.is_met(&whole, mask)) {
                        return Some(whole);
                    }
                    break;
                }
                let Some(at) = (!free.is_empty()).then(|| free[rng.random_range(0..free.len())]) else { break };
                let repaired = match broken.get(rng.random_range(0..broken.len().max(1))) {
                    Some(condition) => {
                        budget.spend(MAX_CANDIDATES * free.len() * (INVERSE_COST + 2 * conditions.len()));
                        self.repair(condition, &numbers, &free, &conditions, mask, rng)
                    }
                    None => None,
                };
                let (at, number) = repaired.unwrap_or_else(|| (at, random(rng)));
                numbers[at] = number & self.highest[at];
            }
        }
        None
    }

    /// Solves the equations one after another, each for one parameter. Returns these, and the comparisons that are left.
    fn eliminate<R: Rng + ?Sized>(&self, rng: &mut R, budget: &mut WorkBudget) -> Option<(Vec<Pivot>, Vec<Condition>)> {
        let mut pivots: Vec<Pivot> = Vec::new();
        let mut rest = Vec::new();
        for condition in &self.conditions {
            if condition.comparison != Comparison::Equal || !condition.holds {
                rest.push(condition.clone());
                continue;
            }
            // Each pivot in the equation, and the equation in each pivot.
            budget.spend((2 * pivots.len() + 1) * self.numbers.len());
            let mut equation = condition.left.minus(&condition.right);
            for pivot in &pivots {
                equation.substitute(pivot.parameter, &pivot.value);
            }
            equation.reduce(mask(self.bits));
            // Divides out a power of two that all factors have in common, which costs as many bits.
            let evenness = equation.factors.iter().filter(|factor| !factor.is_zero()).map(U256::trailing_zeros).min();
            let Some(evenness) = evenness else {
                if equation.constant.is_zero() {
                    continue;
                }
                return None;
            };
            if !(equation.constant & mask(evenness)).is_zero() {
                return None;
            }
            let bits = self.bits - evenness;
            let odd: Vec<usize> = (0..equation.factors.len())
                .filter(|at| !equation.factors[*at].is_zero() && equation.factors[*at].trailing_zeros() == evenness)
                .collect();
            // Prefer a parameter that can be any number.
            let wide: Vec<usize> = odd.iter().copied().filter(|at| self.highest[*at].bit_len() >= bits).collect();
            let choices = if wide.is_empty() { &odd } else { &wide };
            let parameter = choices[rng.random_range(0..choices.len())];
            let divided = |word: U256| word >> evenness;
            let inverse = inverse(divided(equation.factors[parameter])).wrapping_neg();
            let mut value = Sum {
                constant: divided(equation.constant).wrapping_mul(inverse),
                factors: equation.factors.iter().map(|factor| divided(*factor).wrapping_mul(inverse)).collect(),
            };
            value.factors[parameter] = U256::ZERO;
            value.reduce(mask(bits));
            for pivot in &mut pivots {
                pivot.value.substitute(parameter, &value);
                pivot.value.reduce(mask(pivot.bits));
            }
            pivots.push(Pivot { parameter, value, bits });
        }
        Some((pivots, rest))
    }

    /// All numbers, computed from the free ones.
    fn complete(&self, numbers: &[U256], pivots: &[Pivot]) -> Vec<U256> {
        let mut whole = numbers.to_vec();
        for pivot in pivots {
            whole[pivot.parameter] = pivot.value.at(numbers) & mask(pivot.bits);
        }
        whole
    }

    /// A free parameter, and a number for it that repairs a comparison and breaks the fewest others.
    fn repair<R: Rng + ?Sized>(
        &self,
        condition: &Condition,
        numbers: &[U256],
        free: &[usize],
        conditions: &[Condition],
        mask: U256,
        rng: &mut R,
    ) -> Option<(usize, U256)> {
        let (left, right) = (condition.left.at(numbers) & mask, condition.right.at(numbers) & mask);
        let mut choices = Vec::new();
        for at in free {
            let (of_left, of_right) = (condition.left.factors[*at] & mask, condition.right.factors[*at] & mask);
            let (moved, factor) = if of_right.is_zero() { (left, of_left) } else { (right, of_right) };
            if factor.is_zero() {
                continue;
            }
            let wants_less = (condition.comparison == Comparison::Less) == condition.holds;
            let moves_left = of_right.is_zero();
            for wanted in wanted(condition, moves_left == wants_less, if moves_left { right } else { left }, mask, rng)
            {
                let evenness = factor.trailing_zeros();
                let way = (wanted.wrapping_sub(moved) & mask) >> evenness;
                let steps = way.wrapping_mul(inverse(factor >> evenness)) & (mask >> evenness);
                choices.push((*at, numbers[*at].wrapping_add(steps) & mask));
            }
        }
        choices.retain(|(at, number)| *number <= self.highest[*at]);
        let sums: Vec<(U256, U256)> =
            conditions.iter().map(|condition| (condition.left.at(numbers), condition.right.at(numbers))).collect();
        least_broken(choices, rng, |(at, number)| {
            let by = number.wrapping_sub(numbers[*at]);
            let is_broken = |(condition, (left, right)): &(&Condition, &(U256, U256))| {
                let moved = |sum: U256, factor: U256| sum.wrapping_add(factor.wrapping_mul(by)) & mask;
                !condition
                    .compares(moved(*left, condition.left.factors[*at]), moved(*right, condition.right.factors[*at]))
            };
            conditions.iter().zip(&sums).filter(is_broken).count()
        })
    }
}

/// Words to move an operand to: next to the border, far from it, and somewhere between.
fn wanted<R: Rng + ?Sized>(
    condition: &Condition,
    below: bool,
    other: U256,
    mask: U256,
    rng: &mut R,
) -> [U256; MAX_CANDIDATES] {
    let somewhere = random(rng) & mask;
    if condition.comparison == Comparison::Equal {
        return [other.wrapping_add(U256::ONE) & mask, somewhere, other ^ U256::ONE];
    }
    let (border, end) = if below {
        (other.saturating_sub(U256::from(condition.holds)), U256::ZERO)
    } else {
        (other.saturating_add(U256::from(condition.holds)) & mask, mask)
    };
    let (low, high) = (border.min(end), border.max(end));
    let room = high.wrapping_sub(low).wrapping_add(U256::ONE);
    let between = if room.is_zero() { somewhere } else { low.wrapping_add(somewhere % room) };
    [border, end, between]
}

/// The inverse of an odd number modulo 2^256, by Newton's method: each step doubles the number of correct bits.
pub(crate) fn inverse(odd: U256) -> U256 {
    let two = U256::from(2);
    (0..8).fold(odd, |guess, _| guess.wrapping_mul(two.wrapping_sub(odd.wrapping_mul(guess))))
}

pub(crate) fn mask(bits: usize) -> U256 {
    if bits >= 256 { U256::MAX } else { (U256::ONE << bits) - U256::ONE }
}

fn random<R: Rng + ?Sized>(rng: &mut R) -> U256 {
    U256::from_limbs([(); 4].map(|()| rng.next_u64()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn sum(constant: u64, factors: &[u64]) -> Sum {
        Sum { constant: U256::from(constant), factors: factors.iter().map(|factor| U256::from(*factor)).collect() }
    }

    fn system(bits: usize, parameters: usize, conditions: Vec<Condition>) -> System {
        System { bits, numbers: vec![U256::ZERO; parameters], highest: vec![mask(bits); parameters], conditions }
    }

    #[test]
    fn equations_that_wrap_are_solved_together() {
        // 13a + b == 5, a + 7b + c == 2^63, 3c + a > 2^62, all modulo 2^64
        let equal = |left, constant| Condition {
            left,
            right: sum(constant, &[0; 3]),
            comparison: Comparison::Equal,
            holds: true,
        };
        let conditions = vec![
            equal(sum(0, &[13, 1, 0]), 5),
            equal(sum(0, &[1, 7, 1]), 1 << 63),
            Condition {
                left: sum(0, &[1, 0, 3]),
                right: sum(1 << 62, &[0; 3]),
                comparison: Comparison::Greater,
                holds: true,
            },
        ];
        let system = system(64, 3, conditions);
        let numbers = system
            .solve(&mut ChaCha8Rng::seed_from_u64(1), &mut WorkBudget::transactions(1_000))
            .expect("there are many solutions");
        let [a, b, c] = [0, 1, 2].map(|at| numbers[at].to::<u64>());
        assert_eq!(a.wrapping_mul(13).wrapping_add(b), 5);
        assert_eq!(b.wrapping_mul(7).wrapping_add(a).wrapping_add(c), 1 << 63);
        assert!(c.wrapping_mul(3).wrapping_add(a) > 1 << 62);
    }

    #[test]
    fn what_excludes_itself_is_not_solved() {
        let twice = |constant| Condition {
            left: sum(0, &[2]),
            right: sum(constant, &[0]),
            comparison: Comparison::Equal,
            holds: true,
        };
        for conditions in [vec![twice(3)], vec![twice(2), twice(4)]] {
            assert_eq!(
                system(64, 1, conditions)
                    .solve(&mut ChaCha8Rng::seed_from_u64(1), &mut WorkBudget::transactions(1_000)),
                None
            );
        }
    }

    #[test]
    fn an_inverse_is_one() {
        for odd in [1_u64, 3, 13, u64::MAX] {
            assert_eq!(inverse(U256::from(odd)).wrapping_mul(U256::from(odd)), U256::ONE);
        }
    }

    proptest! {
        #[test]
        fn a_solution_is_one_and_is_mostly_found(
            witness in prop::collection::vec(any::<u64>(), 6),
            rows in prop::collection::vec((prop::collection::vec(0_u64..8, 6), any::<u64>(), 0_u8..3, any::<bool>()), 1..7),
            seed: u64,
        ) {
            let conditions: Vec<Condition> = rows
                .iter()
                .map(|(factors, constant, comparison, holds)| {
                    let left = sum(*constant, factors);
                    let witness: Vec<U256> = witness.iter().map(|number| U256::from(*number)).collect();
                    let wrapped = left.at(&witness).into_limbs()[0];
                    // The right side is such that the witness is a solution.
                    let (comparison, right, holds) = match comparison {
                        0 => (Comparison::Equal, wrapped, true),
                        1 if *holds => (Comparison::Less, wrapped.saturating_add(1 << 40), wrapped < wrapped.saturating_add(1 << 40)),
                        _ => (Comparison::Greater, wrapped.saturating_sub(1 << 40), wrapped > wrapped.saturating_sub(1 << 40)),
                    };
                    Condition { left, right: sum(right, &[0; 6]), comparison, holds }
                })
                .collect();
            let system = system(64, 6, conditions.clone());
            if let Some(numbers) = system.solve(&mut ChaCha8Rng::seed_from_u64(seed), &mut WorkBudget::transactions(1_000)) {
                prop_assert!(conditions.iter().all(|condition| condition.is_met(&numbers, mask(64))));
                prop_assert!(numbers.iter().all(|number| *number <= mask(64)));
            }
        }
    }
}
