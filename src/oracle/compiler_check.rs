//! `compiler-check`: a check that the compiler inserted fails (SWC-110): division by zero, an index out of bounds, an
//! enum out of range, `pop` on an empty array, a call of an uninitialised function pointer.

use super::{
    check,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::Trial,
    violation::{Cause, Violation},
    violations::Violations,
    weight::Weight,
};
use crate::{compile::NodeKind, project::Level};

const META: OracleMeta = oracle_meta! {
    id: "compiler-check",
    title: "Check of the compiler fails",
    swc: "110",
    level: Level::Warning,
    description: "Division by zero, an index out of bounds, a bad enum value, `pop` on an empty array, a call of a null function",
};

#[derive(Debug)]
pub(super) struct CompilerCheck;

impl Oracle for CompilerCheck {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        let is_own = |cause| match cause {
            Cause::Panic(code) => matches!(code, 0x12 | 0x21 | 0x31 | 0x32 | 0x51),
            // Of what kind a check is may not be known; that it fails is.
            Cause::Invalid(kind) => kind != Some(NodeKind::Assert),
            Cause::Event | Cause::Guard | Cause::Collision(..) | Cause::Other(_) => false,
        };
        check::tell(execution, violations, |cause| is_own(cause) && check::is_passed_on(cause, execution.outcome));
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        Some(check::weigh(violation, trial))
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        check::evidence(violation.cause, replay)
    }
}
