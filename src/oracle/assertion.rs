//! `assertion`: an `assert` whose condition does not hold (SWC-110): `Panic(0x01)`, INVALID at an `assert` before 0.8,
//! or an `AssertionFailed` event that was not reverted.

use super::{
    check,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    violation::{Cause, Violation},
    violations::Violations,
};
use crate::{compile::NodeKind, project::Level};

const META: OracleMeta = oracle_meta! {
    id: "assertion",
    title: "Assertion fails",
    swc: "110",
    level: Level::Error,
    description: "An `assert` fails, or a test library's failure is signalled",
};

#[derive(Debug)]
pub(super) struct Assertion;

impl Oracle for Assertion {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        check::tell(execution, violations, |cause| {
            matches!(cause, Cause::Panic(0x01) | Cause::Event | Cause::Invalid(Some(NodeKind::Assert)))
        });
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        check::evidence(violation.cause, replay)
    }
}
