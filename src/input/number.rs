//! Integers that matter to smart contracts (small ones, limits of a width, powers, units of ether and time, constants of the
//! code), and the small steps from one to another that find the next branch. Widths are in bits and know nothing of ABI types.
//! Signed numbers are two's complement in their width.

use alloy_primitives::U256;
use rand::{Rng, RngExt};

use super::{dictionary::Dictionary, nudge::nudge};

/// Units in which contracts count: basis points, token decimals, gwei, ether, ray; seconds to years.
const UNITS: [u128; 14] = [
    100,
    1_000,
    10_000,
    1_000_000,
    100_000_000,
    1_000_000_000,
    1_000_000_000_000_000_000,
    1_000_000_000_000_000_000_000_000_000,
    60,
    3_600,
    86_400,
    604_800,
    2_592_000,
    31_536_000,
];

/// The largest step of an arithmetic mutation, as in AFL.
const MAX_STEP: u32 = 35;

/// The largest number of this width.
pub(super) fn mask(bits: usize) -> U256 {
    match bits {
        0 => U256::ZERO,
        1..256 => U256::MAX >> (256 - bits),
        _ => U256::MAX,
    }
}

/// The 256-bit two's complement of a number of this width.
pub(super) fn sign_extend(x: U256, bits: usize) -> U256 {
    if bits < 256 && bits > 0 && x.bit(bits - 1) { x | !mask(bits) } else { x }
}

/// A number of at most this width that a contract is likely to treat specially.
pub(super) fn number<R: Rng + ?Sized>(rng: &mut R, bits: usize, dictionary: &Dictionary) -> U256 {
    let x = match rng.random_range(0..100u32) {
        0..14 => U256::from(rng.random_range(0..4u32)),
        14..26 => U256::from(rng.random_range(0..=16u32)),
        26..34 => {
            let power = U256::ONE << rng.random_range(0..bits as u32);
            nudge(rng, power)
        }
        34..42 => U256::from(UNITS[rng.random_range(0..UNITS.len() as u32) as usize]) * few(rng),
        42..46 => U256::from(10u128.pow(rng.random_range(0..=27u32))) * few(rng),
        46..56 => limit(rng, bits),
        56..80 => match dictionary.choose(rng) {
            Some(word) => word,
            None => number_of_some_width(rng, bits),
        },
        _ => number_of_some_width(rng, bits),
    };
    x & mask(bits)
}

/// Like [`number`], for a signed type: its limits and small negative numbers too.
pub(super) fn signed_number<R: Rng + ?Sized>(rng: &mut R, bits: usize, dictionary: &Dictionary) -> U256 {
    let x = number(rng, bits, dictionary);
    match rng.random_range(0..16u32) {
        0..5 => x.wrapping_neg() & mask(bits),
        5 => mask(bits - 1) - U256::from(rng.random_range(0..2u32)),
        6 => (U256::ONE << (bits - 1)) + U256::from(rng.random_range(0..2u32)),
        _ => x,
    }
}

/// A number of at most this width close to `x`, or made from it, and never `x` itself: the operators of sFuzz, table 1
/// (walking bits and bytes, arithmetic, interesting values, dictionary), with negation and doubling. The width is not 0.
pub(super) fn step<R: Rng + ?Sized>(
    rng: &mut R,
    x: U256,
    bits: usize,
    dictionary: &Dictionary,
    interesting: impl Fn(&mut R) -> U256,
) -> U256 {
    for _ in 0..4 {
        let y = match rng.random_range(0..20u32) {
            0..3 => x ^ walk(rng, 1, bits),
            3..5 => x ^ walk(rng, 8, bits),
            5..9 => arithmetic(rng, x),
            9 => {
                let lane = [8, 16, 32][rng.random_range(0..3u32) as usize];
                let at = rng.random_range(0..bits.div_ceil(lane) as u32) as usize * lane;
                let window = mask(lane) << at;
                (x & !window) | (arithmetic(rng, x >> at) << at & window)
            }
            10 => x << 1,
            11 => x >> 1,
            12 => x.wrapping_neg(),
            13 => !x,
            14..17 => dictionary.choose(rng).unwrap_or_else(|| interesting(rng)),
            _ => interesting(rng),
        } & mask(bits);
        if y != x {
            return y;
        }
    }
    x ^ U256::ONE
}

/// A uniformly random number of exactly this many random bits.
pub(super) fn random<R: Rng + ?Sized>(rng: &mut R, bits: usize) -> U256 {
    let mut limbs = [0; 4];
    for limb in &mut limbs[..bits.div_ceil(64).min(4)] {
        *limb = rng.next_u64();
    }
    U256::from_limbs(limbs) & mask(bits)
}

/// A random number whose width is random too, so that no magnitude is rare.
fn number_of_some_width<R: Rng + ?Sized>(rng: &mut R, bits: usize) -> U256 {
    let width = rng.random_range(1..=bits as u32) as usize;
    random(rng, width)
}

/// One to ten, mostly one.
fn few<R: Rng + ?Sized>(rng: &mut R) -> U256 {
    U256::from(rng.random_range(0..=10u32).saturating_sub(rng.random_range(0..6u32)).max(1))
}

/// The ends of a width, unsigned and signed, and their neighbours.
fn limit<R: Rng + ?Sized>(rng: &mut R, bits: usize) -> U256 {
    let end = match rng.random_range(0..5u32) {
        0..3 => mask(bits),
        3 => mask(bits - 1),
        _ => U256::ZERO,
    };
    if rng.random() { end } else { nudge(rng, end) }
}

/// One, two or four consecutive units of `unit` bits, anywhere in the width.
fn walk<R: Rng + ?Sized>(rng: &mut R, unit: usize, bits: usize) -> U256 {
    let run = unit << rng.random_range(0..3u32);
    let at = rng.random_range(0..bits.div_ceil(unit) as u32) as usize * unit;
    mask(run) << at
}

/// Adds or subtracts 1 to 35.
fn arithmetic<R: Rng + ?Sized>(rng: &mut R, x: U256) -> U256 {
    let by = U256::from(rng.random_range(1..=MAX_STEP));
    if rng.random() { x.wrapping_add(by) } else { x.wrapping_sub(by) }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn widths_are_kept_and_steps_always_move() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let dictionary = Dictionary::from_words([U256::from(41)]);
        for bits in [1, 8, 24, 64, 96, 128, 160, 192, 248, 256] {
            for _ in 0..500 {
                let x = number(&mut rng, bits, &dictionary);
                let y = step(&mut rng, x, bits, &dictionary, |rng| number(rng, bits, &dictionary));
                assert!(x <= mask(bits) && y <= mask(bits) && x != y, "{bits}: {x} {y}");
                if bits > 1 {
                    assert!(signed_number(&mut rng, bits, &dictionary) <= mask(bits));
                }
            }
        }
    }

    #[test]
    fn what_contracts_compare_with_is_common() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let dictionary = Dictionary::from_words([U256::from(123_456_789)]);
        let ether = U256::from(1_000_000_000_000_000_000u128);
        for wanted in [U256::ZERO, U256::ONE, U256::MAX, U256::from(123_456_789), U256::from(123_456_788), ether] {
            let tries = (0..5_000).find(|_| number(&mut rng, 256, &dictionary) == wanted);
            assert!(tries.is_some(), "{wanted} does not come up in 5,000 tries");
        }
    }

    #[test]
    fn signs_extend() {
        assert_eq!(sign_extend(U256::from(0xff), 8), U256::MAX);
        assert_eq!(sign_extend(U256::from(0x7f), 8), U256::from(0x7f));
        assert_eq!(sign_extend(U256::MAX, 256), U256::MAX);
    }
}
