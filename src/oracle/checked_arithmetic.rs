//! `checked-arithmetic`: checked arithmetic overflows (`Panic(0x11)`, SWC-101). Off unless asked for: contracts for
//! 0.8 and newer use the check as a guard.

use super::{Cause, Oracle};

#[derive(Debug)]
pub(super) struct CheckedArithmetic;

impl Oracle for CheckedArithmetic {
    fn name(&self) -> &'static str {
        "checked-arithmetic"
    }

    fn swc(&self) -> &'static str {
        "101"
    }

    fn judges(&self, cause: Cause) -> bool {
        cause == Cause::Panic(0x11)
    }
}
