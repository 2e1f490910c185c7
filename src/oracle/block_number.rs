//! `block-number`: who is paid is decided by the number or the randomness of the block, which are known or chosen beforehand (SWC-120). It is proven by
//! running the same call in other blocks: who is paid goes back and forth. A deadline changes it once, which is none.

use super::{
    attack,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::{Mover, Trial},
    violation::Violation,
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    evm::{FailureKind, Instruments, Status},
    input::CallTable,
    project::Level,
    world::World,
};

const META: OracleMeta = oracle_meta! {
    id: "block-number",
    title: "The block decides who is paid",
    swc: "120",
    level: Level::Warning,
    description: "Who is paid depends on values of the block, which are known or chosen beforehand",
};

#[derive(Debug)]
pub(super) struct BlockNumber;

impl Oracle for BlockNumber {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { instruments: Instruments { calls_out: true, ..Instruments::default() }, ..Needs::default() }
    }

    fn applies_to(&self, calls: &CallTable) -> bool {
        calls.block_reads.number || calls.block_reads.prevrandao
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        if execution.outcome.status != Status::Success || execution.call.scripted.is_some() {
            return;
        }
        let is_sought = |kind| matches!(kind, FailureKind::CallOut { pays: true, .. });
        attack::tell(execution, violations, is_sought, "the block decides who is paid here");
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let (moved, attack) = trial.moved(Mover::Blocks, violation)?;
        Some(Weight::at_most(Level::Warning, Grounds::Moved { mover: Mover::Blocks, moved }).shown_by(attack))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let senders = World::senders().into_iter().filter(|account| replay.pays(*account));
        senders.into_iter().find_map(|who| replay.moved(Mover::Blocks, who)).ok_or("nobody is paid any more")
    }
}
