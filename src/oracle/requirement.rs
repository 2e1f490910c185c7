//! `requirement`: a contract calls another one in a way that it always refuses (SWC-123). It is proven by running the call with other words,
//! by every sender, and right after the setup: none of them is accepted, and the contract that refuses looks at nothing else.

use super::{
    attack,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::Trial,
    violation::Violation,
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    evm::{FailureKind, Instruments, Status},
    project::Level,
};

const META: OracleMeta = oracle_meta! {
    id: "requirement",
    title: "The called contract always refuses",
    swc: "123",
    level: Level::Warning,
    description: "A contract calls another one of the project in a way that it always refuses",
};

#[derive(Debug)]
pub(super) struct Requirement;

impl Oracle for Requirement {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { instruments: Instruments { refusals: true, ..Instruments::default() }, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        // Whoever catches it says what happens then.
        let is_sought =
            |kind| execution.outcome.status == Status::Revert && matches!(kind, FailureKind::Refused { .. });
        attack::tell(execution, violations, is_sought, "called contract always refuses this");
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let because = "Whatever is passed, and whoever sends it, the called contract refuses; it looks at nothing but the call itself, \
                       so that no other state makes it accept.";
        trial.is_always_refused(violation).then(|| Weight::at_most(Level::Warning, Grounds::Always(because)))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let is_refused = replay.failures.iter().any(|failure| matches!(failure.kind, FailureKind::Refused { .. }));
        match is_refused && replay.outcome.status != Status::Success {
            true => Ok(Evidence::Refused),
            false => Err("the contract hides that it is refused"),
        }
    }
}
