//! `checked-arithmetic`: checked arithmetic overflows (`Panic(0x11)`, SWC-101). Off unless asked for: contracts for
//! 0.8 and newer use the check as a guard.

use super::{Cause, Oracle};
use crate::project::{self, OracleMeta};

#[derive(Debug)]
pub(super) struct CheckedArithmetic;

impl Oracle for CheckedArithmetic {
    fn meta(&self) -> &'static OracleMeta {
        &project::CHECKED_ARITHMETIC
    }

    fn judges(&self, cause: Cause) -> bool {
        cause == Cause::Panic(0x11)
    }
}
