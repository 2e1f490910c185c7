//! Payments that a block decides, as the oracles of its time and of its other values tell them: who is paid ether or tokens.

use super::{
    attack,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::Needs,
    trial::{Mover, Trial},
    violation::{Cause, Violation},
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    evm::{FailureKind, Instruments, Status},
    project::Level,
    world::World,
};

/// What decides who is paid, and the words for that.
pub(super) struct BlockPayment {
    pub(super) mover: Mover,
    /// Where ether is paid.
    pub(super) pays_ether: &'static str,
    /// Where tokens are.
    pub(super) pays_tokens: &'static str,
}

impl BlockPayment {
    pub(super) fn needs() -> Needs {
        let instruments = Instruments { calls_out: true, token_moves: true, ..Instruments::default() };
        Needs { instruments, ..Needs::default() }
    }

    pub(super) fn tell(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        if execution.outcome.status != Status::Success || execution.call.scripted.is_some() {
            return;
        }
        let pays = |kind| matches!(kind, FailureKind::CallOut { pays: true, .. });
        attack::tell(execution, violations, pays, self.pays_ether);
        attack::tell(execution, violations, attack::is_first_move(), self.pays_tokens);
    }

    pub(super) fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let (moved, attack) = trial.moved(self.mover, violation)?;
        Some(Weight::at_most(Level::Warning, Grounds::Moved { mover: self.mover, moved }).shown_by(attack))
    }

    pub(super) fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        if violation.cause == Cause::Other(self.pays_tokens) {
            let (token, who) = replay.moved_tokens()?;
            return replay.moved(self.mover, who, Some(token)).ok_or("they get tokens in each block");
        }
        let senders = World::senders().into_iter().filter(|account| replay.pays(*account));
        senders.into_iter().find_map(|who| replay.moved(self.mover, who, None)).ok_or("nobody is paid any more")
    }
}
