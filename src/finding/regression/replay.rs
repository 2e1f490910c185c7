//! A [`Replayed`] finding was replayed in detail, so that its oracle can decide how a test detects the defect.

use super::error::RegressionError;
use crate::{
    code::ProgramId,
    evm::{CallEvent, CallKind, CallTree, Instruments},
    finding::model::Finding,
    input::InstanceId,
    oracle::{self, Evidence, Replay},
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeSet;

/// A finding, replayed in detail.
pub(super) struct Replayed<'a> {
    finding: &'a Finding,
    /// The programs that ran.
    pub(super) programs: BTreeSet<ProgramId>,
    /// For each step, the contract that it created and returned.
    pub(super) created: Vec<Option<CreatedContract>>,
    /// The last call.
    pub(super) last: Replay<'a>,
}

/// A contract that a call created and returned.
#[derive(Debug, Clone, Copy)]
pub(super) struct CreatedContract {
    pub(super) address: Address,
    /// The instance that stands for its kind.
    pub(super) kind: Option<InstanceId>,
}

impl<'a> Replayed<'a> {
    /// Replays the finding's sequence from a clean world; none if its last call is not reached.
    pub(super) fn of(finding: &'a Finding) -> Option<Self> {
        let mut executor = finding.harness.executor();
        executor.set_detailed(true);
        let (build, programs) = (&finding.harness.build, &finding.harness.programs);
        let arithmetic = Some(programs.arithmetic(build).clone());
        let mut instruments = Instruments { arithmetic, ..Instruments::ALL };
        if let Some(oracle) = oracle::find(finding.violation.oracle) {
            instruments.add(oracle.needs_on(build, programs).instruments);
        }
        executor.set_instruments(&instruments);
        let (mut programs, mut created, mut last) = (BTreeSet::new(), Vec::new(), None);
        let mut own_slots = BTreeSet::new();
        // What `setUp()` of a test contract does is done before a test records anything.
        let recorded = finding.harness.suite().map_or(usize::MAX, |_| finding.sequence.transactions.len());
        finding.harness.run(&mut executor, &finding.sequence, |step| {
            let observation = step.executor.observation();
            programs.extend(observation.blocks.iter().map(|visit| visit.program));
            if step.left < recorded {
                own_slots.extend(used_by_own_code(&observation.calls));
            }
            let returned = step.outcome.output.first_chunk::<32>().map(|word| Address::from_word((*word).into()));
            let is_new = |at: &Address| step.after.created().any(|new| new == *at) && !step.before.has_code(*at);
            let returned = returned.filter(|at| step.action.transaction().is_some() && is_new(at));
            created.push(returned.map(|address| CreatedContract {
                address,
                kind: finding.harness.created_kind(&step.after.code(address)),
            }));
            if step.left == 0 {
                last = Some(Replay {
                    harness: &finding.harness,
                    is_deployment: step.action.transaction().is_none(),
                    outcome: step.outcome.clone(),
                    calls: observation.calls.nodes().to_vec(),
                    failures: observation.failures.clone(),
                    writes: observation.writes.clone(),
                    before: step.before.clone(),
                    after: step.after.clone(),
                    call: finding.harness.call(step.action, step.before.moment()),
                    transaction: step.action.transaction().cloned(),
                    own_slots: std::mem::take(&mut own_slots),
                });
            }
        });
        Some(Self { finding, programs, created, last: last? })
    }

    /// The way in which a test detects the defect.
    ///
    /// # Errors
    ///
    /// If no test can detect it.
    pub(super) fn evidence(&self) -> Result<Evidence, RegressionError> {
        let violation = &self.finding.violation;
        let oracle = oracle::find(violation.oracle).ok_or(RegressionError::Gone)?;
        oracle.evidence(violation, &self.last).map_err(|why| RegressionError::NotVisible { why })
    }
}

/// The slots, each with its account, that contracts' own code reads or writes before it calls anybody.
fn used_by_own_code(calls: &CallTree) -> impl Iterator<Item = (Address, U256)> + '_ {
    let frames = calls.nodes().iter().zip(calls.events());
    let own = frames.filter(|(node, _)| !matches!(node.kind, CallKind::Delegate | CallKind::CallCode));
    own.flat_map(|(node, events)| {
        let before_calls = events.into_iter().take_while(|event| !matches!(event, CallEvent::Call(_)));
        let accesses = before_calls.filter_map(|event| match event {
            CallEvent::Storage(at) => node.storage.get(at),
            _ => None,
        });
        accesses.map(|access| (node.target, access.slot))
    })
}
