//! `checked-arithmetic`: checked arithmetic overflows (`Panic(0x11)`, SWC-101). Off unless asked for: contracts for
//! 0.8 and newer use the check as a guard.

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
use crate::project::Level;

const META: OracleMeta = oracle_meta! {
    id: "checked-arithmetic",
    title: "Checked arithmetic overflows",
    swc: "101",
    level: Level::Off,
    description: "Checked arithmetic overflows and reverts (Panic 0x11); off by default, since many contracts rely on it as a guard",
};

#[derive(Debug)]
pub(super) struct CheckedArithmetic;

impl Oracle for CheckedArithmetic {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        check::tell(execution, violations, |cause| {
            cause == Cause::Panic(0x11) && check::is_passed_on(cause, execution.outcome)
        });
    }

    fn weigh(&self, _: &Violation, _: &mut Trial<'_>) -> Option<Weight> {
        Some(Weight::always("The result does not fit its type, so that the call reverts."))
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        check::evidence(violation.cause, replay)
    }
}
