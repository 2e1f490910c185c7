//! How the two solvers choose among repairs of a condition that does not hold.

use rand::{Rng, RngExt};

/// The repair after which the fewest conditions are broken, as `broken` counts them; now and then any, so that the search does
/// not go round in circles. None if there is none.
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
    // Equal ones take turns.
    let first = rng.random_range(0..repairs.len());
    repairs.rotate_left(first);
    repairs.into_iter().min_by_key(|repair| broken(repair))
}
