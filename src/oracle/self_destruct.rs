//! `self-destruct`: anyone can destroy the contract (SWC-106). It is proven by having each user do it; if they choose who gets the
//! ether as well, it is theft.

use super::{
    attack,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::{StrangerPower, Strangers, Trial},
    violation::Violation,
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    evm::{FailureKind, Instruments},
    project::Level,
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
        let is_sought = |kind| matches!(kind, FailureKind::Destroy { .. });
        attack::tell_of_others(execution, violations, is_sought, "contract can be destroyed by anyone");
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let Strangers { power, attack } = trial.strangers(violation);
        let weight = match power {
            StrangerPower::None => return None,
            StrangerPower::Reach => {
                let because = "Every user can do it without a role; who gets the ether stays the same.";
                Weight::at_most(Level::Warning, Grounds::Always(because))
            }
            StrangerPower::Choose => {
                Weight::always("Every user can do it without a role, and each chooses who gets the ether.")
            }
        };
        Some(weight.shown_by(attack))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let destroys = replay.failures.iter().any(|failure| matches!(failure.kind, FailureKind::Destroy { .. }));
        if destroys { Ok(Evidence::Destroys) } else { Err("the call does not destroy anything any more") }
    }
}
