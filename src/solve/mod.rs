//! `solve` finds words that bring differences to where they are wanted. A difference is what two operands of a comparison
//! are apart; a few runs show how it moves with each parameter, and from that on no run is needed to say which values
//! flip one branch and leave those before it as they are. One parameter and one difference are HARVEY's secant (§IV-B);
//! several at once go beyond it. It is arithmetic only: it runs nothing, and knows neither transactions nor states.

mod difference;
mod linear;
mod modular;
mod secant;

pub use difference::{Difference, Relation};
pub use linear::{Constraint, Problem, Span};
pub use modular::{Comparison, Condition, Sum, System};
pub use secant::secant;

pub(crate) use difference::{signed, unsigned};
pub(crate) use linear::centered;

use alloy_primitives::aliases::I512;

/// Wide enough for a word times a word.
pub type Integer = I512;
