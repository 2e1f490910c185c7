//! The choice among repairs of a broken condition, which both solvers share.

use rand::{Rng, RngExt};

/// The repair after which `broken` counts the fewest conditions. One time in eight it is any repair, so that the search does
/// not go round in circles. `None` if there is no repair.
pub(super) fn least_broken<T: Copy, R: Rng + ?Sized>(
    mut repairs: Vec<T>,
    rng: &mut R,
    mut broken: impl FnMut(&T) -> usize,
) -> Option<T> {
    if repairs.is_empty() {
        return None;
    }
    if rng.random_range(0..8_u32) == 0 {
        return Some(repairs[rng.random_range(0..repairs.len())]);
    }
    // Ties are broken at random.
    let first = rng.random_range(0..repairs.len());
    repairs.rotate_left(first);
    repairs.into_iter().min_by_key(|repair| broken(repair))
}
