//! `unchecked-call`: a call fails, and the contract goes on as if it had not (SWC-104). It is proven by running the same transaction
//! with a callee that refuses: it takes the same path, and ends in the same way.

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
    evm::{CallKind, FailureKind, Instruments, Status},
    project::Level,
    world::attacker,
};

const META: OracleMeta = oracle_meta! {
    id: "unchecked-call",
    title: "A failing call goes unnoticed",
    swc: "104",
    level: Level::Warning,
    description: "A call can fail without the contract noticing",
};

#[derive(Debug)]
pub(super) struct UncheckedCall;

impl Oracle for UncheckedCall {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { instruments: Instruments { calls_out: true, ..Instruments::default() }, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        if execution.outcome.status != Status::Success {
            return;
        }
        let scripted = execution.call.scripted.as_deref();
        if scripted.is_some_and(|scripted| !attacker::lets_calls_fail(scripted)) {
            return;
        }
        // Where no ether comes with the call and nothing else happens, there is nothing to be noticed.
        let refused = |of| execution.calls().nodes().iter().any(|call| call.target == of && !call.success);
        let is_sought = |kind| match kind {
            FailureKind::CallOut { to, pays, .. } => {
                scripted.is_none_or(|scripted| to == scripted.account && refused(to))
                    && (pays || execution.changes_storage())
            }
            _ => false,
        };
        attack::tell(execution, violations, is_sought, "failure of this call goes unnoticed");
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let attack = trial.refusal(violation)?;
        let because = "If the called account refuses, the transaction takes the same path and ends in the same way as if it had not.";
        Some(Weight::at_most(Level::Warning, Grounds::Always(because)).shown_by(attack))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let refused = |call: &&crate::evm::CallNode| call.depth > 0 && !call.success && call.kind == CallKind::Call;
        let call = replay.calls.iter().find(refused).ok_or("no call fails any more")?;
        Ok(Evidence::Unnoticed(call.target))
    }
}
