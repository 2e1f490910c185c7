//! The [`TurningPoint`] of a property that does not hold: the call after which it holds no longer, and the write by which it changed.

use crate::{
    compile::SourceRange,
    evm::{Executor, SlotWrite, Snapshot},
    harness::{Action, Harness},
    input::{Sequence, Transaction},
    oracle::{OracleSet, Violation},
};
use std::collections::BTreeSet;

/// Where a property began to be false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurningPoint {
    /// The call after which it does not hold, as an index into the steps of the story.
    pub step: usize,
    /// The write without which it would hold, or else the last one of those that it reads; none if no code of the build made it.
    pub write: Option<SourceRange>,
}

/// A call of a sequence, with the states before and after it.
pub(super) type Passed = (Snapshot, Snapshot, Vec<SlotWrite>);

/// The turning point of a property that the last call of a sequence asks; `passed` are all of its steps. None if nothing was called
/// before, the property states nothing about every state, or it did not hold right after the setup.
pub(super) fn turning_point(
    harness: &Harness,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    (sequence, passed): (&Sequence, &[Passed]),
    violation: &Violation,
) -> Option<TurningPoint> {
    let (property, before) = sequence.transactions.split_last()?;
    harness.calls.property(property.call).filter(|kind| kind.holds_in_all_states())?;
    let setup = sequence.setup.steps().len();
    let mut asked = Asked { harness, executor, oracles, property, violation };
    let step = (setup..setup + before.len()).rev().find(|step| asked.holds_in(&passed[*step].0))?;
    let (was, is, writes) = &passed[step];
    // Asked once more, as the words that it reads are those of this state.
    if asked.holds_in(is) {
        return None;
    }
    let reads: BTreeSet<_> =
        asked.executor.observation().reads.iter().copied().map(|read| (read.address, read.slot)).collect();
    let mut seen = BTreeSet::new();
    let last = writes.iter().rev().filter(|write| seen.insert((write.address, write.slot)));
    let changing: Vec<&SlotWrite> = last
        .filter(|write| reads.contains(&(write.address, write.slot)))
        .filter(|write| was.slot(write.address, write.slot) != is.slot(write.address, write.slot))
        .collect();
    let deciding = changing.iter().copied().find(|SlotWrite { address, slot, .. }| {
        asked.holds_in(&is.with_slot(*address, *slot, was.slot(*address, *slot)))
    });
    // Where sums are compared, no word decides by itself.
    let write = deciding.or(changing.first().copied());
    let write = write.and_then(|write| write.at).and_then(|(program, pc)| harness.programs.get(program).range(pc));
    Some(TurningPoint { step, write })
}

/// A property, asked in several states.
struct Asked<'a> {
    harness: &'a Harness,
    executor: &'a mut Executor,
    oracles: &'a mut OracleSet,
    property: &'a Transaction,
    violation: &'a Violation,
}

impl Asked<'_> {
    fn holds_in(&mut self, state: &Snapshot) -> bool {
        let call = self.harness.call(Action::Call(self.property), state.moment());
        let outcome = self.executor.run(state, &call);
        !self.oracles.judge(self.executor, &outcome).contains(self.violation)
    }
}
