//! `assertion`: an `assert` whose condition does not hold (SWC-110): `Panic(0x01)`, INVALID at an `assert` before 0.8,
//! or an `AssertionFailed` event that was not reverted.

use super::{
    check,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::Trial,
    violation::{Cause, Violation},
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{compile::NodeKind, project::Level};

const META: OracleMeta = oracle_meta! {
    id: "assertion",
    title: "Assertion fails",
    swc: "110",
    level: Level::Error,
    description: "An `assert` fails, or a test library signals a failure",
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
            let passed_on = || check::is_passed_on(cause, execution.outcome);
            matches!(cause, Cause::Panic(0x01) | Cause::Event | Cause::Invalid(Some(NodeKind::Assert)))
                || (cause == Cause::Guard && passed_on())
        });
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        if violation.cause == Cause::Guard {
            // It is a check of what was passed, as the compiler makes it from 0.8 on.
            let weight = check::weigh(violation, trial);
            return Some(Weight { most: weight.most.max(Level::Warning), ..weight });
        }
        let Some(sides) = trial.sides(violation) else {
            let because = "An assertion states what always holds, and this sequence breaks it.";
            return Some(Weight::always(because).that_takes_call_back(trial.takes_call_back(violation)));
        };
        let weight = match trial.accepted_sender(violation) {
            Some(accepted) => Weight::at_most(Level::Information, Grounds::RefusesSender { sides, accepted }),
            None => Weight::at_most(Level::Error, Grounds::Compared(sides[0], sides[1])),
        };
        Some(weight.that_takes_call_back(trial.takes_call_back(violation)))
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        check::evidence(violation.cause, replay)
    }
}
