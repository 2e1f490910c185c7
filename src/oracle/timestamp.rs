//! `timestamp`: who is paid is decided by the time of the block, which its proposer chooses (SWC-116). It is proven by
//! running the same call in other blocks: who is paid goes back and forth. A deadline changes it once, which is none.

use super::{
    block_payment::BlockPayment,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::{Mover, Trial},
    violation::Violation,
    violations::Violations,
    weight::Weight,
};
use crate::{input::CallTable, project::Level};

const META: OracleMeta = oracle_meta! {
    id: "timestamp",
    title: "The time of a block decides who is paid",
    swc: "116",
    level: Level::Warning,
    description: "Whoever proposes a block decides by its time who is paid",
};

/// What this oracle looks for.
const TIME: BlockPayment = BlockPayment {
    mover: Mover::Seconds,
    pays_ether: "the time of the block decides who is paid here",
    pays_tokens: "the time of the block decides who gets tokens here",
};

#[derive(Debug)]
pub(super) struct Timestamp;

impl Oracle for Timestamp {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        BlockPayment::needs()
    }

    fn applies_to(&self, calls: &CallTable) -> bool {
        calls.block_reads.timestamp
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        TIME.tell(execution, violations);
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        TIME.weigh(violation, trial)
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        TIME.evidence(violation, replay)
    }
}
