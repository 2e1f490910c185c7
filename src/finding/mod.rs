//! A [`Finding`] is a defect with its proof: a violation, a sequence that shows it, and the story of that sequence. It
//! exists only after it was replayed from a clean world on the build that it is shown for. Its sequence is the first one
//! found, and is replaced by a shorter one once that is known.

mod because;
mod compared;
mod confirm;
mod decided;
mod distinct;
mod identity;
mod ignore;
mod line_values;
mod model;
mod overwritten;
mod pattern;
mod regression;
mod saved;
mod shrink;
mod signatures;
mod slots;
mod story;
mod trace;
mod turning_point;
mod upgrade;
mod wrapped;

pub(crate) use compared::Compared;
pub use compared::{ComparedValue, Comparison};
pub use confirm::{Unproven, describe, last_violations, shows, shows_while};
pub use distinct::distinct;
pub use ignore::{IgnoreComment, IgnoreMistake, Ignored, IgnoredBy, ignore_comments, ignore_mistakes};
pub use line_values::LineValues;
pub use model::{Discovery, Finding, TextRange};
pub use pattern::{Pattern, patterns};
pub use regression::{
    RegressionError, RegressionTest, TestChange, regression_path, regression_test, regression_test_at,
};
pub use saved::{FindingError, Saved};
pub use shrink::{Shrinker, shrink};
pub use story::{Change, Step, Story, tell, told_setup_calls};
pub(crate) use story::{ending, told_call};
pub use trace::trace;
pub use turning_point::TurningPoint;
pub use upgrade::{LAST_COMMIT, upgrade_findings};
