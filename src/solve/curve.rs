//! The [`curve`] of the second or third degree through four points, and its zeros. HARVEY's secant (§IV-B) oscillates around
//! the goal on such a curve. Where squares wrap modulo 2^256 a secant leads nowhere, while differences of differences stay
//! small.

use super::{integer::Integer, linear::centered, secant::floor};
use alloy_primitives::U512;

/// Bits of a coefficient; chosen by hand. A curve with longer ones is not one that somebody wrote.
const MAX_FACTOR: usize = 160;
/// Bits of any intermediate result, so that 512 bits hold it.
const MAX_BITS: usize = 500;

/// The whole numbers at which the curve through `differences` is 0 modulo 2^256. The differences are those at `start` and at
/// one, two and three steps from it. Empty if there is no zero, or if the points lie on a line or on nothing that simple.
pub fn curve(start: Integer, step: Integer, differences: [Integer; 4]) -> Vec<Integer> {
    if step.is_zero() {
        return Vec::new();
    }
    // The unit is one step, counted from the first number with this remainder: there the coefficients are those in the source.
    let steps = floor(start, step);
    let rest = start - steps * step;
    let Some(factors) = factors(steps, differences) else { return Vec::new() };
    let zeros = zeros(&factors);
    let exact = zeros.into_iter().filter(|zero| value(&factors, *zero).is_zero());
    exact.filter_map(|zero| zero.checked_mul(step)?.checked_add(rest)).collect()
}

/// Coefficients of six times the difference, as a polynomial of the steps from 0, the constant first: Newton's forward
/// differences, moved to 0. A word is known modulo 2^256, so each coefficient is taken as close to 0 as possible.
fn factors(start: Integer, differences: [Integer; 4]) -> Option<Vec<Integer>> {
    let two = Integer::ONE + Integer::ONE;
    let three = two + Integer::ONE;
    let six = three + three;
    let firsts = [0, 1, 2].map(|at| centered(differences[at + 1].wrapping_sub(differences[at])));
    let seconds = [0, 1].map(|at| centered(firsts[at + 1].wrapping_sub(firsts[at])));
    let third = centered(seconds[1].wrapping_sub(seconds[0]));
    let leading = if third.is_zero() { seconds[0] } else { third };
    if leading.is_zero() || leading.unsigned_abs().bit_len() > MAX_FACTOR {
        return None;
    }
    let times = |a: Integer, b: Integer| a.wrapping_mul(b);
    let cube = third;
    let square = times(three, seconds[0].wrapping_sub(third));
    let slope = times(six, firsts[0]).wrapping_sub(times(three, seconds[0])).wrapping_add(times(two, third));
    let constant = times(six, differences[0]);
    let back = start.wrapping_neg();
    // The polynomial at a number that is `start` less, by Horner's scheme for each factor.
    let moved_square = square.wrapping_add(times(three, times(cube, back)));
    let moved_slope = slope.wrapping_add(times(back, times(two, square).wrapping_add(times(three, times(cube, back)))));
    let moved_constant =
        constant.wrapping_add(times(back, slope.wrapping_add(times(back, square.wrapping_add(times(cube, back))))));
    let mut factors = vec![short(moved_constant, 257), short(moved_slope, 256), short(moved_square, 256), cube];
    while factors.last().is_some_and(Integer::is_zero) {
        factors.pop();
    }
    Some(factors)
}

/// The number closest to 0 that is congruent modulo 2^`bits`.
fn short(number: Integer, bits: usize) -> Integer {
    let spare = U512::BITS - bits;
    (number << spare).asr(spare)
}

/// The value of a polynomial at a number within its [`bound`].
fn value(factors: &[Integer], number: Integer) -> Integer {
    factors.iter().rev().fold(Integer::ZERO, |sum, factor| sum * number + *factor)
}

/// The polynomial has no zero beyond 2 to the power of this (Fujiwara's bound). `None` if that is too far to compute with.
fn bound(factors: &[Integer]) -> Option<usize> {
    let degree = factors.len() - 1;
    let bits = |factor: &Integer| factor.unsigned_abs().bit_len();
    let widest = factors[..degree].iter().enumerate().map(|(at, factor)| bits(factor).div_ceil(degree - at)).max()?;
    let most = factors.iter().enumerate().map(|(at, factor)| bits(factor) + at * (widest + 2)).max()?;
    (most + degree < MAX_BITS).then_some(widest + 2)
}

/// The numbers at which a polynomial crosses 0 or touches it, each rounded down. Between two zeros of its derivative it only
/// rises or only falls, so that bisection finds them.
fn zeros(factors: &[Integer]) -> Vec<Integer> {
    let degree = factors.len() - 1;
    if degree == 1 {
        return vec![floor(-factors[0], factors[1])];
    }
    let Some(bits) = bound(factors) else { return Vec::new() };
    let derivative: Vec<Integer> = factors
        .iter()
        .zip(0_u8..)
        .skip(1)
        .map(|(factor, times)| *factor * Integer::try_from(times).unwrap_or(Integer::ONE))
        .collect();
    let far: Integer = Integer::ONE << bits;
    let turns = zeros(&derivative).into_iter().filter(|turn| turn.abs() < far);
    let mut zeros: Vec<Integer> = Vec::new();
    let mut from = -far;
    for to in turns.chain([far]) {
        if from > to {
            continue;
        }
        let (mut low, mut high) = (from, to);
        from = to + Integer::ONE;
        let sides = [low, high].map(|number| value(factors, number));
        if sides[0].is_zero() {
            zeros.push(low);
        } else if sides[1].is_zero() {
            zeros.push(high);
        } else if sides[0].is_negative() != sides[1].is_negative() {
            while high - low > Integer::ONE {
                let middle = floor(low + high, Integer::ONE + Integer::ONE);
                let seen = value(factors, middle);
                if !seen.is_zero() && seen.is_negative() != sides[0].is_negative() {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            zeros.push(low);
        }
    }
    zeros.sort_unstable();
    zeros.dedup();
    zeros
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::difference::{signed, unsigned, word};
    use alloy_primitives::U256;

    fn number(number: i64) -> Integer {
        Integer::try_from(number).unwrap()
    }

    /// Where the curve with these factors, the constant first, is said to be 0 by someone who stands at `start`.
    fn zeros(start: Integer, step: Integer, factors: &[i64]) -> Vec<Integer> {
        let at = |place: Integer| {
            let words = factors.iter().rev().map(|factor| word(number(*factor)));
            signed(words.fold(U256::ZERO, |sum, factor| sum.wrapping_mul(word(place)).wrapping_add(factor)))
        };
        let places = [0, 1, 2, 3].map(|steps| start + number(steps) * step);
        curve(start, step, places.map(at))
    }

    proptest::proptest! {
        #[test]
        fn a_curve_is_followed_home_from_anywhere(
            start: [u64; 4],
            square in 1_i64..1_000,
            one in 0_i64..100_000,
            (other, third) in (-100_000_i64..100_000, -100_000_i64..100_000),
            is_cubic: bool,
            step in proptest::sample::select(vec![1_i64, -1, 2, 1 << 40]),
        ) {
            let start = unsigned(U256::from_limbs(start));
            // square · (t − one) · (t − other), and perhaps · (t − third)
            let parabola = [square * one * other, -square * (one + other), square];
            let cubic = [-third * parabola[0] / square, parabola[0] / square - third * parabola[1] / square, parabola[1] / square - third, 1];
            let factors = if is_cubic { &cubic[..] } else { &parabola[..] };
            let found = zeros(start, number(step), factors);
            let value = |zero: Integer| factors.iter().rev().fold(Integer::ZERO, |sum, factor| sum * zero + number(*factor));
            proptest::prop_assert!(found.iter().all(|zero| value(*zero).is_zero()), "{found:?}");
            let is_on_the_way = ((start - number(one)) % number(step)).is_zero();
            proptest::prop_assert!(!is_on_the_way || found.contains(&number(one)), "{found:?}");
        }
    }

    #[test]
    fn what_is_no_curve_is_not_followed() {
        assert_eq!(zeros(number(5), Integer::ONE, &[-60, 3]), [], "a line");
        assert_eq!(zeros(number(5), Integer::ONE, &[4, 0, 1]), [], "it is nowhere 0");
        assert_eq!(zeros(number(5), Integer::ONE, &[-5, 0, 1]), [], "not at a whole number");
        assert_eq!(zeros(number(5), Integer::ONE, &[16, -8, 1]), [number(4)], "it touches 0");
        assert_eq!(zeros(number(5), Integer::ZERO, &[16, -8, 1]), [], "nothing was moved");
        let hashes = [3, 7, 11, 13].map(|part| signed(U256::MAX / U256::from(part)));
        assert_eq!(curve(number(5), Integer::ONE, hashes), []);
    }

    #[test]
    fn sums_of_all_numbers_up_to_one_are_half_a_square() {
        let sums = [10, 15, 21, 28].map(|sum| number(sum - 5050));
        assert_eq!(curve(number(4), Integer::ONE, sums), [number(-101), number(100)]);
    }
}
