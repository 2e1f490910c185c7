//! `ether-theft`: anyone can take ether or tokens that are not theirs (SWC-105). It is proven by having each user do it, who paid nothing
//! in, gave nothing up, and was given nothing; or by having whoever is paid call a contract of a user, where only `tx.origin` decides (SWC-115);
//! or by having somebody else make the call of whoever is paid before them, where only what it passes decides (SWC-114).

use super::{
    attack,
    evidence::{Evidence, Getter, Replay},
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
    description: "Anyone can take ether or tokens that they did not put in",
};

/// What anyone can do.
const TAKEN: &str = "anyone can take ether";
/// The same of tokens.
const TOKENS_TAKEN: &str = "anyone can take tokens";
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
        let instruments = Instruments { calls_out: true, token_moves: true, ..Instruments::default() };
        Needs { instruments, ..Needs::default() }
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
            to == sender && users().any(|user| user == to) && execution.balance_after(to) > INITIAL_BALANCE
        };
        let is_sought = |kind| matches!(kind, FailureKind::CallOut { to, pays: true, .. } if has_profit(to));
        attack::tell_of_others(execution, violations, is_sought, TAKEN);
        if users().any(|user| user == sender) {
            attack::tell(execution, violations, attack::is_first_move(), TOKENS_TAKEN);
        }
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
        let theft = match violation.cause == Cause::Other(TOKENS_TAKEN) {
            true => trial.token_theft(violation),
            false => trial.theft(violation),
        };
        let Theft { token, taken, share, only_first, attack } = theft?;
        // Whoever deploys the contract may well be the first.
        let most = if only_first { Level::Warning } else { Level::Error };
        Some(Weight::at_most(most, Grounds::Taken { token, taken, share, only_first }).shown_by(attack))
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        if violation.cause == Cause::Other(TOKENS_TAKEN) {
            let (token, thief) = replay.moved_tokens()?;
            return Ok(Evidence::GainsTokens(Getter::balance(token, thief)));
        }
        let thief = users().find(|user| replay.pays(*user)).ok_or("nobody is paid any more")?;
        Ok(Evidence::Gains(thief, None))
    }
}
