//! `reentrancy`: whoever is called calls back while the contract's books are not in order, and gains by it (SWC-107). It is proven by
//! running the same calls one after the other: there they gain less.

use super::{
    attack,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::{Reentry, Trial},
    violation::Violation,
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    evm::{CallNode, FailureKind, Instruments, Status},
    project::Level,
    world::{ACTORS, ActorRole, INITIAL_BALANCE, attacker},
};
use alloy_primitives::{Address, U256};

const META: OracleMeta = oracle_meta! {
    id: "reentrancy",
    title: "A call can be re-entered for a gain",
    swc: "107",
    level: Level::Error,
    description: "Whoever a contract calls can call back before its books are in order, and gain by it",
};

#[derive(Debug)]
pub(super) struct Reentrancy;

/// Payments to one user in one transaction from which on it may be a gain whatever they paid in before.
const SEVERAL: usize = 2;

/// Whether users called back, and are paid several times, or have, with one who is paid now, more ether together than they began with.
fn gains(execution: &Execution<'_>, paid: Address) -> bool {
    let after = execution.after();
    let users = ACTORS.iter().filter(|actor| actor.role == ActorRole::User).map(|actor| actor.address);
    let called_back: Vec<Address> = users.filter(|user| attacker::has_succeeded(&after, *user)).collect();
    let together = called_back.iter().copied().chain((!called_back.contains(&paid)).then_some(paid));
    let (count, wealth) =
        together.fold((0, U256::ZERO), |(count, sum), user| (count + 1, sum.saturating_add(after.balance(user))));
    // The calls of a transaction in which somebody reacts are kept.
    let is_payment = |call: &&CallNode| call.depth > 0 && call.target == paid && call.success && !call.value.is_zero();
    let payments = execution.calls().nodes().iter().filter(is_payment).count();
    !called_back.is_empty() && (payments >= SEVERAL || wealth > INITIAL_BALANCE * U256::from(count))
}

impl Oracle for Reentrancy {
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
        // A call of somebody without code is one that they could answer; where somebody has code, they did.
        let is_attacked = ACTORS.iter().any(|actor| execution.before().has_code(actor.address));
        let is_sought = |kind| match kind {
            FailureKind::CallOut { to, .. } if is_attacked => gains(execution, to),
            FailureKind::CallOut { to, pays: true, .. } => ACTORS.iter().any(|actor| actor.address == to),
            _ => false,
        };
        attack::tell(execution, violations, is_sought, "call can be re-entered for a gain");
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let Reentry { gain, attack } = trial.reentry(violation)?;
        Some(Weight::at_most(Level::Error, Grounds::Reentered { gain }).shown_by(attack))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let users = || ACTORS.iter().filter(|actor| actor.role == ActorRole::User).map(|actor| actor.address);
        let callers = users().filter(|user| attacker::has_succeeded(&replay.after, *user));
        let paid = users().find(|user| replay.pays(*user));
        let attacker = callers.clone().next().ok_or("nobody calls back any more")?;
        Ok(Evidence::Gains(attacker, paid.filter(|paid| *paid != attacker)))
    }
}
