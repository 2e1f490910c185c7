//! The parabola through three points, and where it is 0. HARVEY's secant (§IV-B) goes beyond the goal on one and comes back from the
//! other side; and where squares wrap it shows no way at all, while the second difference is as small there as anywhere.

use super::{Integer, linear::centered, secant::floor};
use alloy_primitives::U512;

/// Twice a difference of words counts modulo two to so many bits.
const BITS: usize = 257;
/// Longer factors are not those of a parabola that somebody wrote.
const MAX_FACTOR: usize = 160;
/// Whose square is no longer than what an [`Integer`] holds.
const MAX_ROOT: usize = 250;

/// The whole numbers at which a parabola is 0: the one through `differences`, modulo 2^256, at `start` and one and two steps
/// on. Empty if there is none, or if they lie on a line.
pub fn parabola(start: Integer, step: Integer, differences: [Integer; 3]) -> Vec<Integer> {
    if step.is_zero() {
        return Vec::new();
    }
    // What is counted are steps from the first number of this remainder: there factors are those in the source.
    let steps = floor(start, step);
    let rest = start - steps * step;
    let two = Integer::ONE + Integer::ONE;
    let [here, next, last] = differences;
    let first = next.wrapping_sub(here);
    let square = centered(last.wrapping_sub(next).wrapping_sub(first));
    if square.is_zero() || square.unsigned_abs().bit_len() > MAX_FACTOR {
        return Vec::new();
    }
    // Twice the difference, `square·t² + slope·t + 2·here` with `t` from the start on, written from 0 on.
    let slope = two.wrapping_mul(first).wrapping_sub(square);
    let factor = short(slope.wrapping_sub(two.wrapping_mul(square).wrapping_mul(steps)));
    let constant = square.wrapping_mul(steps).wrapping_sub(slope).wrapping_mul(steps);
    let constant = short(constant.wrapping_add(two.wrapping_mul(here)));
    if factor.unsigned_abs().bit_len() > MAX_ROOT {
        return Vec::new();
    }
    let Some(inside) =
        (two * two * square).checked_mul(constant).and_then(|product| (factor * factor).checked_sub(product))
    else {
        return Vec::new();
    };
    let root = if inside.is_negative() { return Vec::new() } else { inside.unsigned_abs().root(2) };
    if root.wrapping_mul(root) != inside.unsigned_abs() {
        return Vec::new();
    }
    let root = Integer::from_raw(root);
    let mut zeros: Vec<Integer> = [root, -root]
        .into_iter()
        .map(|root| root - factor)
        .filter(|twice| (*twice % (two * square)).is_zero())
        .filter_map(|twice| (twice / (two * square)).checked_mul(step)?.checked_add(rest))
        .collect();
    zeros.dedup();
    zeros
}

/// The number closest to 0 with the same remainder.
fn short(number: Integer) -> Integer {
    let spare = U512::BITS - BITS;
    (number << spare).asr(spare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{signed, unsigned};
    use alloy_primitives::U256;

    /// The difference at a number, as words have it.
    fn at(number: Integer, [square, slope, constant]: [i64; 3]) -> Integer {
        let word = |number: Integer| U256::from_limbs_slice(&number.into_raw().as_limbs()[..4]);
        let [square, slope, constant] =
            [square, slope, constant].map(|factor| word(Integer::try_from(factor).unwrap()));
        let number = word(number);
        signed(square.wrapping_mul(number).wrapping_add(slope).wrapping_mul(number).wrapping_add(constant))
    }

    fn zeros(start: Integer, step: Integer, factors: [i64; 3]) -> Vec<Integer> {
        let places = [start, start + step, start + step + step];
        parabola(start, step, places.map(|place| at(place, factors)))
    }

    proptest::proptest! {
        #[test]
        fn a_parabola_is_followed_home_from_anywhere(
            start: [u64; 4],
            (square, one, other) in (1_i64..1_000, 0_i64..1_000_000, -1_000_000_i64..1_000_000),
            step in proptest::sample::select(vec![1_i64, -1, 2, 1 << 40]),
        ) {
            // square · (t − one) · (t − other)
            let factors = [square, -square * (one + other), square * one * other];
            let found = zeros(unsigned(U256::from_limbs(start)), Integer::try_from(step).unwrap(), factors);
            proptest::prop_assert!(found.iter().all(|zero| at(*zero, factors).is_zero()), "{found:?}");
            let is_on_the_way = |zero: i64| (unsigned(U256::from_limbs(start)) - Integer::try_from(zero).unwrap()) % Integer::try_from(step).unwrap();
            if step.abs() == 1 || is_on_the_way(one).is_zero() {
                proptest::prop_assert!(found.contains(&Integer::try_from(one).unwrap()), "{found:?}");
            }
        }
    }

    #[test]
    fn what_is_no_parabola_is_not_followed() {
        let number = |number: i64| Integer::try_from(number).unwrap();
        assert_eq!(zeros(number(5), Integer::ONE, [0, 3, -60]), [], "a line");
        assert_eq!(zeros(number(5), Integer::ONE, [1, 0, 4]), [], "it is nowhere 0");
        assert_eq!(zeros(number(5), Integer::ONE, [1, 0, -5]), [], "not at a whole number");
        assert_eq!(zeros(number(5), Integer::ONE, [1, -8, 16]), [number(4)], "it touches 0");
        assert_eq!(zeros(number(5), Integer::ZERO, [1, -8, 16]), [], "nothing was moved");
        let hashes = [U256::MAX / U256::from(3), U256::MAX / U256::from(7), U256::MAX / U256::from(11)].map(signed);
        assert_eq!(parabola(number(5), Integer::ONE, hashes), []);
        // Half a square, as sums of all numbers up to one are.
        let sums = [10, 15, 21].map(|sum| number(sum - 5050));
        assert_eq!(parabola(number(4), Integer::ONE, sums), [number(100), number(-101)]);
    }
}
