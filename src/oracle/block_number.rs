//! `block-number`: who is paid is decided by the number or the randomness of the block, which are known or chosen beforehand (SWC-120). It is proven by
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
    id: "block-number",
    title: "The block decides who is paid",
    swc: "120",
    level: Level::Warning,
    description: "Who is paid depends on values of the block, which are known or chosen beforehand",
};

/// What this oracle looks for.
const VALUES: BlockPayment = BlockPayment {
    mover: Mover::Blocks,
    pays_ether: "the block decides who is paid here",
    pays_tokens: "the block decides who gets tokens here",
};

#[derive(Debug)]
pub(super) struct BlockNumber;

impl Oracle for BlockNumber {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        BlockPayment::needs()
    }

    fn applies_to(&self, calls: &CallTable) -> bool {
        calls.block_reads.number || calls.block_reads.prevrandao
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        VALUES.tell(execution, violations);
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        VALUES.weigh(violation, trial)
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        VALUES.evidence(violation, replay)
    }
}
