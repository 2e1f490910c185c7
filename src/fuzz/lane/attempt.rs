//! An attempt: one transaction run on a state, judged, and kept where it shows something new.

use super::{Allowance, Lane, Trying, is_written};
use crate::{
    evm::{Executor, Observation, SlotWrite, Snapshot, Status},
    fuzz::{
        corpus::{Entry, State, Taken},
        feed::Shared,
        goal::{Goal, Side, distance_from_probe},
    },
    input::Transaction,
};
use alloy_primitives::U256;
use rand::RngExt;
use std::sync::Arc;

/// Words learned at run time below this are everywhere anyway.
const LEAST_LEARNED: u64 = 256;

impl Lane {
    /// What a run came close to and nobody did yet, with how far it was from each: sides of branches, except those of the
    /// dispatcher, which are taken by calling another function, and writes that do not go anywhere.
    fn missed_goals(&self, observation: &Observation) -> Vec<(Goal, U256)> {
        let session = &self.session;
        let mut missed: Vec<(Goal, U256)> = Vec::new();
        let mut note = |goal: Goal, cost: U256| match missed.iter_mut().find(|(known, _)| *known == goal) {
            Some((_, known)) => *known = cost.min(*known),
            None => missed.push((goal, cost)),
        };
        for branch in &observation.branches {
            let goal = Goal::Side(Side { program: branch.program, pc: branch.pc, taken: !branch.taken });
            let dispatches = self.selectors.contains(&branch.left) || self.selectors.contains(&branch.right);
            if goal.is_open(&session.coverage) && !(dispatches && !is_written(session, goal)) {
                note(goal, branch.cost());
            }
        }
        if self.seeks_writes {
            for write in &observation.writes {
                let Some((program, pc)) = write.at else { continue };
                let goal = Goal::Write { program, pc };
                if goal.is_open(&session.coverage) {
                    note(goal, distance_from_probe(write.slot));
                }
            }
        }
        missed
    }

    /// Words that a contract stored matter to it.
    fn learn_words(&mut self, writes: &[SlotWrite]) {
        for write in writes.iter().filter(|write| write.value >= U256::from(LEAST_LEARNED)) {
            self.generator.dictionary.insert(write.value);
        }
    }

    /// Runs a transaction on a state, judges and keeps what it shows. The state behind it, if it succeeded, may have
    /// changed something, and `go_on` or something new asks for it.
    pub(super) fn try_one(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: Transaction,
        go_on: bool,
        allowance: &mut Allowance<'_>,
    ) -> Option<Arc<State>> {
        allowance.spend();
        let session = self.session.clone();
        let subject = &session.subject;
        session.count();
        self.trying = Trying::Call(state.clone(), transaction.clone());
        let call = subject.call(state.address, &transaction, state.snapshot.moment());
        let outcome = executor.run(&state.snapshot, &call);
        let observation = executor.observation();

        for violation in self.bench.judge(observation) {
            if session.claim(violation) {
                let sequence = state.sequence_with(&transaction);
                session.confirm(&mut self.bench, &sequence, violation);
                session.refresh();
            }
        }

        let observation = executor.observation();
        let covers_more = session.coverage.add(observation);
        self.stale = if covers_more { 0 } else { self.stale + 1 };
        let (path, edges, length) = (observation.path, observation.edges, observation.length);
        let new_path = (covers_more || !session.knows_path(path))
            && self.corpus.wants(edges, length, covers_more)
            && session.add_path(path);
        if new_path || covers_more {
            session.refresh();
            let missed = self.missed_goals(executor.observation());
            let taken = Taken { path, edges, length, covers_more, missed };
            let entry = Arc::new(Entry::new(state.clone(), transaction.clone(), taken, &session.meter));
            self.missed.add(&entry, &session.coverage, |goal| is_written(&session, goal));
            self.corpus.keep(entry.clone());
            session.share(self.index, Shared::Entry(entry));
            self.follow_evictions();
        }

        let changes = outcome.status == Status::Success
            && subject.interface.function(transaction.function).can_change_state()
            && state.depth < self.max_depth;
        if !changes || !(go_on || new_path) {
            return None;
        }
        let snapshot = executor.commit();
        let writes = &executor.observation().writes;
        // What took a new path and changed something is worth starting from, whatever it changed.
        let is_new = self.corpus.is_new_state(&state.snapshot, &snapshot, writes)
            || (new_path && changes_storage(state, &snapshot, writes));
        self.note_writer(state, &transaction, &snapshot, writes);
        if is_new && session.techniques.dictionary {
            self.learn_words(writes);
        }
        let next = Arc::new(State::after(state, transaction, snapshot, &session.meter));
        if is_new {
            let rng = &mut self.rng;
            self.corpus.keep_state(next.clone(), |count| rng.random_range(0..count));
            session.share(self.index, Shared::State(next.clone()));
            self.follow_evictions();
        }
        Some(next)
    }
}

fn changes_storage(before: &State, after: &Snapshot, writes: &[SlotWrite]) -> bool {
    writes.iter().any(|write| before.snapshot.slot(write.address, write.slot) != after.slot(write.address, write.slot))
}
