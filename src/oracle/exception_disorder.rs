//! `exception-disorder`: a contract that is called fails, and the caller goes on as if it had not (SWC-104). It is proven by running the
//! same call with a callee that succeeds and says the same: nothing else is different.

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
    world::is_actor,
};

const META: OracleMeta = oracle_meta! {
    id: "exception-disorder",
    title: "A contract that fails goes unnoticed",
    swc: "104",
    level: Level::Warning,
    description: "A contract that is called fails, and its caller goes on as if it had not",
};

#[derive(Debug)]
pub(super) struct ExceptionDisorder;

impl Oracle for ExceptionDisorder {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { instruments: Instruments { failed_calls: true, ..Instruments::default() }, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        if execution.outcome.status != Status::Success || execution.call.scripted.is_some() {
            return;
        }
        // Where no ether comes with the call and nothing else happens, there is nothing to be noticed.
        // People who refuse are no contracts of the project.
        let is_sought = |kind| matches!(kind, FailureKind::FailedCall { to, pays, .. } if !is_actor(to) && (pays || execution.changes_storage()));
        attack::tell(execution, violations, is_sought, "failure of the called contract goes unnoticed");
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        // Whoever writes `try` says what happens if it fails.
        let text = &trial.harness().build.source(violation.place.source).text;
        let is_tried = text.get(..violation.place.span.start as usize)?.trim_end().ends_with("try");
        let because = "The called contract fails; with one in its place that returns the same and succeeds, the transaction takes the same path \
                       and ends in the same way.";
        (!is_tried && trial.goes_unnoticed(violation))
            .then(|| Weight::at_most(Level::Warning, Grounds::Always(because)))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let failed = replay.failures.iter().find_map(|failure| match failure.kind {
            FailureKind::FailedCall { to, .. } => Some(to),
            _ => None,
        });
        failed.map(Evidence::Unnoticed).ok_or("no call fails any more")
    }
}
