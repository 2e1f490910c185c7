//! `assertion`: an `assert` whose condition does not hold (SWC-110): `Panic(0x01)`, INVALID at an `assert` before 0.8,
//! or an `AssertionFailed` event that was not reverted.

use super::{Cause, Oracle};
use crate::{
    compile::NodeKind,
    project::{self, OracleMeta},
};

#[derive(Debug)]
pub(super) struct Assertion;

impl Oracle for Assertion {
    fn meta(&self) -> &'static OracleMeta {
        &project::ASSERTION
    }

    fn judges(&self, cause: Cause) -> bool {
        matches!(cause, Cause::Panic(0x01) | Cause::Event | Cause::Invalid(Some(NodeKind::Assert)))
    }
}
