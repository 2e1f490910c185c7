//! `solve` finds words that bring differences to where they are wanted. A difference is what two operands of a comparison
//! are apart; a few runs show how it moves with each parameter, and from that on no run is needed to say which values
//! flip one branch and leave those before it as they are. One parameter and one difference are HARVEY's secant (§IV-B);
//! several at once go beyond it. It is arithmetic only: it runs nothing, and knows neither transactions nor states.

mod curve;
mod difference;
mod linear;
mod modular;
mod secant;
mod work_budget;

pub use curve::curve;
pub use difference::{Difference, Relation};
pub use linear::{Constraint, Problem, StepRange};
pub use modular::{Comparison, Condition, Sum, System};
pub use secant::secant;
pub use work_budget::WorkBudget;

pub(crate) use difference::{signed, unsigned, word};
pub(crate) use linear::centered;
pub(crate) use modular::{inverse, mask};

use alloy_primitives::aliases::I512;
use rand::{Rng, RngExt};

/// Wide enough for a word times a word.
pub type Integer = I512;

/// The repair after which the fewest conditions are broken, as `broken` counts them; now and then any, so that the search does
/// not go round in circles. None if there is none.
fn least_broken<T: Copy, R: Rng + ?Sized>(
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
