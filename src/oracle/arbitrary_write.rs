//! `arbitrary-write`: a caller can write to a storage slot of their choice (SWC-124). It is proven by a write to
//! [`SENTINEL_SLOT`], which no code writes to by itself: a caller who can reach that slot can reach the owner's too. The oracle
//! gives the search the distance of each write from that slot; how the search gets closer is not known here.

use super::{
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle, WriteGoal},
    meta::{OracleMeta, oracle_meta},
    place::Sought,
    trial::{StrangerPower, Trial},
    violation::{Cause, Violation},
    violations::Violations,
    weight::Weight,
};
use crate::{
    code::ProgramId,
    compile::{Ast, Node, NodeKind},
    evm::{CallKind, FailureKind, Instruments, Observation, SlotWrite, WriteWatch},
    project::Level,
};
use alloy_primitives::U256;

const META: OracleMeta = oracle_meta! {
    id: "arbitrary-write",
    title: "Any storage slot can be written",
    swc: "124",
    level: Level::Error,
    description: "A caller can write to any storage slot",
};

/// A slot that no contract uses by itself, since no text is known that hashes to it: a caller who makes a contract write there
/// can make it write anywhere (HARVEY §IV-C, memory accesses). It is the same in every session, so that a sequence proves the
/// same in every replay.
pub const SENTINEL_SLOT: U256 =
    U256::from_limbs([0x3a0c_9d4e_71b5_f268, 0x86e1_2b7f_c05d_934a, 0xd17a_40f3_9b6c_e825, 0x5c92_e6a8_1f37_0bd4]);

/// The slot in the sentinel's aligned group of eight that has the lowest three bits of `slot`. Structures and packed arrays
/// advance by powers of two, so that they may never come to the sentinel itself.
pub(crate) fn sentinel_near(slot: U256) -> U256 {
    let low = U256::from(7);
    (SENTINEL_SLOT & !low) | (slot & low)
}

/// The distance of a slot from the closest one that counts as the sentinel.
pub(crate) fn distance_from_sentinel(slot: U256) -> U256 {
    slot.abs_diff(sentinel_near(slot))
}

/// The SSTOREs that wrote another word than zero to the sentinel.
pub(crate) fn proven(observation: &Observation) -> impl Iterator<Item = (ProgramId, u32)> {
    let writes = observation.failures.iter().filter(|failure| failure.kind == FailureKind::Write(META.id));
    writes.map(|failure| (failure.program, failure.pc))
}

/// Whether a write proves the defect. Constructors do not count, since the deployer chooses what they write, and neither does
/// zero, which is there already.
fn proves(kind: CallKind, slot: U256, word: U256) -> bool {
    slot == sentinel_near(slot) && !word.is_zero() && kind != CallKind::Create
}

/// The only write inside of another one, which is a block of assembly then: the IR knows no smaller place. Else that one.
fn only_inside<'a>(ast: &'a Ast, outer: &'a Node) -> &'a Node {
    let mut inside = ast
        .nodes
        .iter()
        .filter(|node| node.kind == NodeKind::Write && node.span != outer.span && outer.span.contains(node.span));
    match (inside.next(), inside.next()) {
        (Some(node), None) if outer.name.is_empty() => node,
        _ => outer,
    }
}

#[derive(Debug)]
pub(super) struct ArbitraryWrite;

impl Oracle for ArbitraryWrite {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        let watches = vec![WriteWatch { name: META.id, matches: proves }];
        Needs { instruments: Instruments { watches, ..Instruments::default() }, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        let sought = Sought { fits: &|kind| kind == NodeKind::Write, made_by_itself: true, narrow: only_inside };
        for (index, failure) in execution.observation().failures.iter().enumerate() {
            if failure.kind == FailureKind::Write(META.id)
                && let Some(place) = violations.expression(execution, index, &sought)
            {
                violations.add_failure(index, place, Cause::Other("write can reach any storage slot"));
            }
        }
    }

    fn goals(&self, execution: &Execution<'_>, goals: &mut Vec<WriteGoal>) {
        goals.extend(execution.observation().writes.iter().filter_map(|write| {
            let (program, pc) = write.at?;
            Some(WriteGoal { program, pc, distance: distance_from_sentinel(write.slot) })
        }));
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let because = "What the caller passes decides which slot is written, and here it is one that no code uses; every user can do it.";
        // An owner who may write anything is meant to.
        (trial.strangers(violation).power != StrangerPower::None).then(|| Weight::always(because))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let main = replay.harness.calls.main().address;
        let own = |write: &&SlotWrite| write.address == main && write.slot == sentinel_near(write.slot);
        let write = replay.writes.iter().filter(own).find(|write| !write.value.is_zero());
        write
            .map(|write| Evidence::Writes(write.slot))
            .ok_or("it is not the storage of the contract itself that is written")
    }
}
