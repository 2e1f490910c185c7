//! An [`Argument`] is a value of a call as it is written for another fuzzer, which needs its type.

use crate::input::{Type, Value};

/// A value with its type.
pub(super) struct Argument<'a> {
    pub(super) value: &'a Value,
    pub(super) ty: &'a Type,
}
