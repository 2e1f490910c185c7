//! A [`Proof`] is how a defect looks to whoever makes the last call of a sequence: the fuzzer looks into every frame, a
//! test gets only what comes back and what its cheatcodes record.

use super::RegressionError;
use crate::{
    code::{PANIC_SELECTOR, ProgramId},
    evm::{CALL_GAS, CREATE_GAS, Call, CallKind, CallNode, Outcome, SlotWrite, Snapshot, Status, Target, probe_near},
    finding::Finding,
    oracle::Cause,
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeSet;

/// What a test can see of a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// The call reverts with `Panic(code)`.
    Reverts(u64),
    /// A call inside of it does, and the contract hides that. Made alone, afterwards, it does so again.
    RevertsInside(u64),
    /// It burns nearly all the gas that it gets, as INVALID does.
    Burns,
    /// It logs `AssertionFailed`.
    Logs,
    /// It writes something into this slot.
    Writes(U256),
}

/// A finding, run once more.
pub(super) struct Replay<'a> {
    finding: &'a Finding,
    /// Where the contract is, if it could be deployed.
    pub(super) own: Option<Address>,
    /// The programs that ran.
    pub(super) programs: BTreeSet<ProgramId>,
    outcome: Outcome,
    calls: Vec<CallNode>,
    writes: Vec<SlotWrite>,
    after: Snapshot,
}

impl<'a> Replay<'a> {
    /// Runs the finding's sequence from a clean world; none if it does not come to its last call.
    pub(super) fn of(finding: &'a Finding) -> Option<Self> {
        let mut executor = finding.subject.executor();
        executor.set_detailed(true);
        let (mut steps, mut own, mut programs, mut last) = (0, None, BTreeSet::new(), None);
        finding.subject.run(&mut executor, &finding.sequence, |step| {
            let observation = step.executor.observation();
            programs.extend(observation.blocks.iter().map(|visit| visit.program));
            if step.transaction.is_none() {
                own = step.outcome.created;
            }
            if steps == finding.sequence.transactions.len() {
                last = Some((
                    step.outcome.clone(),
                    observation.calls.nodes().to_vec(),
                    observation.writes.clone(),
                    step.after.clone(),
                ));
            }
            steps += 1;
        });
        let (outcome, calls, writes, after) = last?;
        Some(Self { finding, own, programs, outcome, calls, writes, after })
    }

    /// How a test sees the defect.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub(super) fn proof(&self) -> Result<Proof, RegressionError> {
        match self.finding.violation.cause {
            Cause::Event => Ok(Proof::Logs),
            Cause::Panic(code) if is_panic(&self.outcome, code) => Ok(Proof::Reverts(code)),
            Cause::Panic(code) if self.panics_again(code) => Ok(Proof::RevertsInside(code)),
            Cause::Panic(_) => Err(RegressionError::NotVisible {
                why: "a call inside of the last one fails, the contract hides that, and made alone that call does not fail",
            }),
            Cause::Write => {
                let own = |write: &&SlotWrite| Some(write.address) == self.own && write.slot == probe_near(write.slot);
                let write = self.writes.iter().filter(own).find(|write| !write.value.is_zero());
                write.map(|write| Proof::Writes(write.slot)).ok_or(RegressionError::NotVisible {
                    why: "it is not the storage of the contract itself that is written",
                })
            }
            Cause::Invalid(_) => {
                let given = if self.finding.sequence.transactions.is_empty() { CREATE_GAS } else { CALL_GAS };
                // Each frame around the one that fails keeps 1/64; few do.
                if self.outcome.gas > given / 32 * 30 {
                    Ok(Proof::Burns)
                } else {
                    Err(RegressionError::NotVisible {
                        why: "a call inside of the last one burns the little gas that it gets, and the contract hides that",
                    })
                }
            }
        }
    }

    /// Whether one of the failed calls inside, made alone after the last call, fails the same way.
    fn panics_again(&self, code: u64) -> bool {
        let mut executor = self.finding.subject.executor();
        let made_alone = |call: &&CallNode| {
            call.depth > 0 && !call.success && matches!(call.kind, CallKind::Call | CallKind::Static)
        };
        self.calls.iter().filter(made_alone).any(|call| {
            let call = Call {
                sender: call.caller,
                target: Target::Account(call.target, call.input.clone()),
                value: call.value,
                moment: self.after.moment(),
            };
            is_panic(&executor.run(&self.after, &call), code)
        })
    }
}

fn is_panic(outcome: &Outcome, code: u64) -> bool {
    let data = [&PANIC_SELECTOR.to_be_bytes()[..], &U256::from(code).to_be_bytes::<32>()].concat();
    outcome.status == Status::Revert && outcome.output == data
}
