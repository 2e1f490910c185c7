//! Numbers next to a number: comparisons are off by one more often than by anything else.

use alloy_primitives::U256;
use rand::{Rng, RngExt};

/// The number, or a neighbour.
pub(super) fn nudge<R: Rng + ?Sized>(rng: &mut R, x: U256) -> U256 {
    match rng.random_range(0..4u32) {
        0 => x.wrapping_add(U256::ONE),
        1 => x.wrapping_sub(U256::ONE),
        _ => x,
    }
}
