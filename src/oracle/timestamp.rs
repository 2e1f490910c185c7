//! `timestamp`: who is paid is decided by the time of the block, which its proposer chooses (SWC-116). It is proven by
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
    id: "timestamp",
    title: "The time of a block decides who is paid",
    swc: "116",
    level: Level::Warning,
    description: "Whoever proposes a block decides by its time who is paid",
};

#[derive(Debug)]
pub(super) struct Timestamp;

impl Oracle for Timestamp {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { instruments: Instruments { calls_out: true, ..Instruments::default() }, ..Needs::default() }
    }

    fn applies_to(&self, calls: &CallTable) -> bool {
        calls.block_reads.timestamp
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        if execution.outcome.status != Status::Success || execution.call.scripted.is_some() {
            return;
        }
        let is_sought = |kind| matches!(kind, FailureKind::CallOut { pays: true, .. });
        attack::tell(execution, violations, is_sought, "the time of the block decides who is paid here");
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let (moved, attack) = trial.moved(Mover::Seconds, violation)?;
        Some(Weight::at_most(Level::Warning, Grounds::Moved { mover: Mover::Seconds, moved }).shown_by(attack))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let senders = World::senders().into_iter().filter(|account| replay.pays(*account));
        senders.into_iter().find_map(|who| replay.moved(Mover::Seconds, who)).ok_or("nobody is paid any more")
    }
}
