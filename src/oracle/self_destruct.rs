//! `self-destruct`: anyone can destroy the contract (SWC-106). It is proven by having each user do it; if they choose who gets the
//! ether as well, it is theft.

use super::{
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    place::Sought,
    trial::{StrangerPower, Strangers, Trial},
    violation::{Cause, Violation},
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    compile::NodeKind,
    evm::{FailureKind, Instruments},
    project::Level,
    world::is_deployer,
};

const META: OracleMeta = oracle_meta! {
    id: "self-destruct",
    title: "Anyone can destroy the contract",
    swc: "106",
    level: Level::Error,
    description: "Anyone can make the contract destroy itself",
};

#[derive(Debug)]
pub(super) struct SelfDestruct;

impl Oracle for SelfDestruct {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { instruments: Instruments { destructions: true, ..Instruments::default() }, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        // What the deployer may do is no attack, and a test that shows it would stay red.
        if is_deployer(execution.call.sender) {
            return;
        }
        let sought = Sought { fits: &|kind| kind == NodeKind::Call, made_by_itself: true, narrow: |_, node| node };
        for (index, failure) in execution.observation().failures.iter().enumerate() {
            if matches!(failure.kind, FailureKind::Destroy { .. })
                && let Some(place) = violations.expression(execution, index, &sought)
            {
                violations.add_failure(index, place, Cause::Other("contract can be destroyed by anyone"));
            }
        }
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let Strangers { power, attack } = trial.strangers(violation);
        let weight = match power {
            StrangerPower::None => return None,
            StrangerPower::Reach => {
                let because = "Every user can do it, and none of them has a role; who gets the ether stays the same.";
                Weight::at_most(Level::Warning, Grounds::Always(because))
            }
            StrangerPower::Choose => {
                Weight::always("Every user can do it, none of them has a role, and each chooses who gets the ether.")
            }
        };
        Some(weight.shown_by(attack))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let destroys = replay.failures.iter().any(|failure| matches!(failure.kind, FailureKind::Destroy { .. }));
        if destroys { Ok(Evidence::Destroys) } else { Err("the call does not destroy anything any more") }
    }
}
