//! `solve` finds words that bring differences to where they are wanted. A difference is what two operands of a comparison
//! are apart; a few runs show how it moves with each parameter, and from that on no run is needed to say which values
//! flip one branch and leave those before it as they are. One parameter and one difference are HARVEY's secant (§IV-B);
//! several at once go beyond it. It is arithmetic only: it runs nothing, and knows neither transactions nor states.

mod curve;
mod difference;
mod integer;
mod linear;
mod modular;
mod repair;
mod secant;
mod work_budget;

pub use curve::curve;
pub use difference::{Difference, Relation};
pub use integer::Integer;
pub use linear::{Constraint, Problem, StepRange};
pub use modular::{Comparison, Condition, Sum, System};
pub use secant::secant;
pub use work_budget::WorkBudget;

pub(crate) use difference::{signed, unsigned, word};
pub(crate) use linear::centered;
pub(crate) use modular::{inverse, mask};
