//! Steering a fuzzer to its targets: while targets are open, entries are picked by the [`Schedule`](super::schedule::Schedule),
//! and objectives from which no target can be reached are searched for later.

use super::{budget::TransactionBudget, fuzzer::Fuzzer, schedule::Configuration, session::Session};
use crate::{
    code::{BlockId, ProgramId},
    corpus::{Entry, LookaheadResult, MemoryCharge, Objective},
    evm::{Edge, Executor},
    harness::Action,
    lookahead::{Ahead, SplitPoint},
    search::TargetDistance,
};
use rand::RngExt;
use std::sync::{Arc, PoisonError};

impl Fuzzer {
    /// Keeps an entry, and adds its path to the schedule.
    pub(super) fn keep_entry(&mut self, entry: Arc<Entry>) {
        if self.guidance.is_on {
            self.guidance.schedule.enter(entry.path);
        }
        self.corpus.keep(entry);
    }

    /// Follows changes of the targets: proves which ones are unreachable, and orders the objectives by their distance to those
    /// that are open.
    pub(super) fn turn_to_targets(&mut self) {
        let session = self.session.clone();
        let targets = &session.targets;
        let looks = session.techniques.lookahead != Configuration::A;
        let is_time = targets.guide() || session.executions() > self.tuning.late_proofs;
        if looks && targets.open() > 0 && is_time && targets.begin_proofs() {
            session.prove_targets();
        }
        if looks && session.executions() > self.tuning.late_proofs && session.shared.begin_proving() {
            session.prove_unreachable();
        }
        if !self.guidance.is_on || self.guidance.version == Some(targets.version()) {
            return;
        }
        self.guidance.version = Some(targets.version());
        self.guidance.is_on = targets.guide();
        if !self.guidance.is_on {
            (self.guidance.picked, self.guidance.schedule) = (None, Default::default());
        }
        self.search.queue.set_distances(|objective| distance_to_target(&session, objective));
    }

    /// The entry that the schedule picked until its energy is spent, then the next one.
    pub(super) fn scheduled(
        &mut self,
        executor: &mut Executor,
        budget: &mut TransactionBudget<'_>,
    ) -> Option<Arc<Entry>> {
        if self.guidance.departures != self.corpus.departures {
            self.guidance.departures = self.corpus.departures;
            self.guidance.schedule.retain(&self.corpus.entries.iter().map(|entry| entry.path).collect());
        }
        if let Some((entry, left)) = self.guidance.picked.as_mut().filter(|(_, left)| *left > 0) {
            *left -= 1;
            return Some(entry.clone());
        }
        for skipped in 0..=self.tuning.skipped_entries {
            if budget.is_spent() || self.corpus.entries.is_empty() {
                return None;
            }
            let at = self.rng.random_range(0..self.corpus.entries.len());
            let entry = self.corpus.entries[at].clone();
            self.look_ahead(executor, &entry, budget);
            let energy = self.guidance.schedule.energy(entry.path);
            if energy > 0 || skipped == self.tuning.skipped_entries {
                self.guidance.picked = Some((entry.clone(), energy.saturating_sub(1)));
                return Some(entry);
            }
        }
        None
    }

    /// Analyses the lookahead of an entry by one detailed run and adds it to the schedule, unless the schedule has it for these
    /// targets.
    fn look_ahead(&mut self, executor: &mut Executor, entry: &Entry, budget: &mut TransactionBudget<'_>) {
        let session = self.session.clone();
        let version = session.targets.version();
        if !self.guidance.schedule.looks_ahead() {
            return;
        }
        // After targets were reached there may be a shorter prefix, but the known one remains valid.
        let may_look = self.guidance.looks < self.tuning.first_looks + self.clock / self.tuning.look_interval;
        if self.guidance.schedule.version(entry.path) == Some(version) || !may_look {
            return;
        }
        self.guidance.looks += 1;
        budget.spend();
        session.count();
        let call = session.harness.call(Action::Call(&entry.transaction), entry.state.snapshot.moment());
        executor.set_detailed(true);
        executor.run(&entry.state.snapshot, &call);
        executor.set_detailed(false);
        let observation = executor.observation();
        let mut told = entry.told.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = match told.as_ref().filter(|told| told.version == version) {
            Some(told) => told.ahead.clone(),
            None => {
                let ahead = Arc::new(session.look_ahead(|lookahead| lookahead.analyze(observation)));
                let charge = charge(&session, &ahead);
                *told = Some(LookaheadResult { version, ahead: ahead.clone(), _charge: charge });
                ahead
            }
        };
        self.guidance.schedule.tell(entry.path, version, &ahead, &observation.branches);
    }
}

fn charge(session: &Session, ahead: &Ahead) -> MemoryCharge {
    let bytes = size_of::<Ahead>() + ahead.split_points.capacity() * size_of::<SplitPoint>();
    session.meter.charge(bytes as u64)
}

/// The distance from an objective to the closest open target.
pub(super) fn distance_to_target(session: &Session, objective: Objective) -> TargetDistance {
    let looks = matches!(session.techniques.lookahead, Configuration::B | Configuration::D);
    if !looks || !session.targets.guide() {
        return TargetDistance::Unguided;
    }
    let Some((program, block)) = behind(session, objective) else { return TargetDistance::Blocks(u32::MAX) };
    if session.targets.is_open_at((program, block)) {
        return TargetDistance::Zero;
    }
    // The return points of other code than the contract's own are not known here.
    if session.harness.programs.get(program).contract != session.harness.contract {
        return TargetDistance::Blocks(u32::MAX);
    }
    let blocks = session.look_ahead(|lookahead| lookahead.blocks_to_target(program, block));
    blocks.map_or(TargetDistance::Unreachable, TargetDistance::Blocks)
}

/// The block that an edge enters.
fn behind(session: &Session, objective: Objective) -> Option<(ProgramId, BlockId)> {
    let (Objective::Edge(Edge { program: id, pc, taken })
    | Objective::EdgeInContext { edge: Edge { program: id, pc, taken }, .. }) = objective
    else {
        return None;
    };
    let program = session.harness.programs.get(id);
    let block = program.block_of(pc)?;
    let entered = if taken { program.jumps_to(program.block(block)) } else { program.block_behind(block) };
    Some((id, entered?))
}
