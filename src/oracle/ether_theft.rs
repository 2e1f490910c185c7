//! `ether-theft`: anyone can take ether that is not theirs (SWC-105). It is proven by having each user do it, who paid nothing in, gave
//! nothing up, and was given nothing; or by having whoever is paid call a contract of a user, where only `tx.origin` decides (SWC-115);
//! or by having somebody else make the call of whoever is paid before them, where only what it passes decides (SWC-114).

use super::{
    attack,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::{Copied, Theft, Trial, Trick},
    violation::{Cause, Violation},
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    evm::{Branch, CallTarget, FailureKind, Instruments, Status},
    harness::Harness,
    project::Level,
    world::{INITIAL_BALANCE, users},
};
use alloy_primitives::Address;

const META: OracleMeta = oracle_meta! {
    id: "ether-theft",
    title: "Anyone can take ether",
    swc: "105",
    level: Level::Error,
    description: "Anyone can take ether that they did not put in",
};

/// What anyone can do.
const TAKEN: &str = "anyone can take ether";
/// What anyone can do who sees a call before it is mined.
const COPIED: &str = "anyone who sees this call before it is mined can make it first, and take the ether";
/// What anyone can do whose contract is called.
const TRICKED: &str = "anyone whose contract is called can take ether in the name of the caller";

/// Bits that a hash has at least, but for one in 2^64; chosen by hand.
const MIN_HASH_BITS: usize = 192;

#[derive(Debug)]
pub(super) struct EtherTheft;

impl Oracle for EtherTheft {
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
        if execution.harness.is_some_and(Harness::reads_origin) {
            let contract = execution.call.scripted.as_ref().map(|scripted| scripted.account);
            let is_called = |of: Address| matches!(execution.call.target, CallTarget::Account(at, _) if at == of);
            let is_meant = |to: Address| contract.is_none_or(|contract| to == contract && is_called(contract));
            let is_sought = |kind| matches!(kind, FailureKind::CallOut { to, pays: true, .. } if is_meant(to));
            attack::tell(execution, violations, is_sought, TRICKED);
        }
        if execution.call.scripted.is_some() {
            return;
        }
        let sender = execution.call.sender;
        let has_profit = |to: Address| {
            to == sender && users().any(|user| user == to) && execution.after().balance(to) > INITIAL_BALANCE
        };
        let is_sought = |kind| matches!(kind, FailureKind::CallOut { to, pays: true, .. } if has_profit(to));
        attack::tell_of_others(execution, violations, is_sought, TAKEN);
        // Whoever knows what a hash was made of is paid.
        let is_hash = |branch: &Branch| branch.left == branch.right && branch.left.bit_len() > MIN_HASH_BITS;
        if execution.observation().branches.iter().any(is_hash) {
            attack::tell_of_others(execution, violations, is_sought, COPIED);
        }
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        if violation.cause == Cause::Other(TRICKED) {
            let Trick { taken, tricked, attack } = trial.trick(violation)?;
            return Some(Weight::at_most(Level::Warning, Grounds::Tricked { taken, tricked }).shown_by(attack));
        }
        if violation.cause == Cause::Other(COPIED) {
            let Copied { taken, author, attack } = trial.copied(violation)?;
            // What everybody can take needs no call to be copied.
            if trial.theft(violation).is_some() {
                return None;
            }
            return Some(Weight::at_most(Level::Warning, Grounds::Copied { taken, author }).shown_by(attack));
        }
        let Theft { taken, share, only_first, attack } = trial.theft(violation)?;
        // Whoever deploys the contract may well be the first.
        let most = if only_first { Level::Warning } else { Level::Error };
        Some(Weight::at_most(most, Grounds::Taken { taken, share, only_first }).shown_by(attack))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let thief = users().find(|user| replay.pays(*user)).ok_or("nobody is paid any more")?;
        Ok(Evidence::Gains(thief, None))
    }
}
