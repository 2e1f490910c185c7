//! `delegatecall`: a caller without a role chooses the code that works on the contract's storage (SWC-112). It is proven by running
//! the same calls with another address: what is delegated to moves with it.

use super::{
    attack,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::{StrangerPower, Strangers, Trial},
    violation::Violation,
    violations::Violations,
    weight::Weight,
};
use crate::{
    evm::{FailureKind, Instruments},
    project::Level,
};

const META: OracleMeta = oracle_meta! {
    id: "delegatecall",
    title: "Anyone chooses the code of a delegatecall",
    swc: "112",
    level: Level::Error,
    description: "Anyone can choose the code that a `delegatecall` runs on the contract's storage",
};

#[derive(Debug)]
pub(super) struct Delegatecall;

impl Oracle for Delegatecall {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { instruments: Instruments { delegates: true, ..Instruments::default() }, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        // The contracts of the world were there before anybody chose; whoever chooses can choose another one as well.
        let is_of_the_world = |code| execution.harness.is_some_and(|harness| harness.calls.at(code).is_some());
        let is_sought = |kind| matches!(kind, FailureKind::Delegate { code, .. } if !is_of_the_world(code));
        attack::tell_of_others(execution, violations, is_sought, "delegatecall can run anyone's code");
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let because = "The code that runs is what the caller passes: with another address the same calls run other code, and every user \
                       can make them. That code can change each variable and take the ether.";
        let Strangers { power, attack } = trial.strangers(violation);
        (power == StrangerPower::Choose).then(|| Weight::always(because).shown_by(attack))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let delegated = replay.failures.iter().find_map(|failure| match failure.kind {
            FailureKind::Delegate { code, .. } => Some(code),
            _ => None,
        });
        delegated.map(Evidence::Delegates).ok_or("the call does not delegate any more")
    }
}
