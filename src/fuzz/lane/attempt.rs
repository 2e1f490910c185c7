//! An attempt: one transaction run on a state, judged, and kept where it shows something new.

use super::{Allowance, Lane, Trying, is_written, look::bearing};
use crate::{
    evm::{Executor, Outcome, SlotWrite, Snapshot, Status},
    fuzz::{
        corpus::{Entry, State, Taken},
        feed::Shared,
        goal::{Goal, Side},
    },
    input::Transaction,
    oracle::WriteGoal,
    solve::WorkBudget,
    subject::Action,
};
use alloy_primitives::U256;
use rand::RngExt;
use std::sync::Arc;

/// Of one run, so many turns are noted that nobody took.
const MAX_TURNS: usize = 32;
/// Words learned at run time below this are everywhere anyway.
const LEAST_LEARNED: u64 = 256;

/// Whether there is to be a way on from the state behind an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Go {
    /// Only where the path is new.
    No,
    /// Yes, and if it holds something new, others may start there, too.
    On,
    /// Yes, but only to come through: what is tried step by step would leave a state for every step.
    Through,
}

impl Lane {
    /// What a run came close to and nobody did yet, with how far it was from each: sides of branches, except those of the
    /// dispatcher, which are taken by calling another function, and what oracles want.
    fn missed_goals(&self, executor: &Executor, outcome: &Outcome) -> Vec<(Goal, U256)> {
        let session = &self.session;
        let mut missed: Vec<(Goal, U256)> = Vec::new();
        let mut note = |goal: Goal, cost: U256| match missed.iter_mut().find(|(known, _)| *known == goal) {
            Some((_, known)) => *known = cost.min(*known),
            None => missed.push((goal, cost)),
        };
        let mut before = None;
        let mut turns = 0;
        for branch in &executor.observation().branches {
            let side = Side::of(branch).other();
            let goal = Goal::Side(side);
            let turn = before.map(|before| Goal::Turn { before, side });
            if branch.in_source {
                before = Some(Side::of(branch));
            } else if self.selectors.contains(&branch.left) || self.selectors.contains(&branch.right) {
                continue;
            }
            if goal.is_open(&session.coverage) {
                note(goal, branch.cost());
            }
            // Its side may be taken behind another choice soon.
            if let Some(turn) = turn
                && turns < MAX_TURNS
                && turn.is_open(&session.coverage)
            {
                turns += 1;
                note(turn, branch.cost());
            }
        }
        for WriteGoal { program, pc, distance } in self.oracles.goals(executor, outcome) {
            let goal = Goal::Write { program, pc };
            if goal.is_open(&session.coverage) {
                note(goal, distance);
            }
        }
        missed
    }

    /// Notes what an entry missed. Returns whether it was the first to come to where a target is decided.
    pub(super) fn note_missed(&mut self, entry: &Arc<Entry>) -> bool {
        let session = &self.session;
        let (written, bearing) = (|goal| is_written(session, goal), |goal| bearing(session, goal));
        self.missed.add(entry, &session.coverage, written, bearing)
    }

    /// Words that a contract stored matter to it.
    fn learn_words(&mut self, writes: &[SlotWrite]) {
        for write in writes.iter().filter(|write| write.value >= U256::from(LEAST_LEARNED)) {
            self.generator.dictionary.insert(write.value);
        }
    }

    /// Runs a transaction on a state, judges and keeps what it shows. The state behind it, if it succeeded, may have
    /// changed something, and `go` or something new asks for it.
    pub(super) fn try_one(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: Transaction,
        go: Go,
        allowance: &mut Allowance<'_>,
    ) -> Option<Arc<State>> {
        allowance.spend();
        let session = self.session.clone();
        let subject = &session.subject;
        session.count();
        self.trying = Trying::Call(state.clone(), transaction.clone());
        let call = subject.call(Action::Call(&transaction), state.snapshot.moment());
        let outcome = executor.run(&state.snapshot, &call);

        for violation in self.oracles.judge(executor, &outcome) {
            if session.claim(violation) {
                let sequence = state.sequence_with(&transaction);
                session.confirm(&mut self.oracles, &sequence, violation);
                session.refresh();
            }
        }

        let observation = executor.observation();
        let covers_more = session.cover(observation);
        if self.guided {
            self.schedule.count(observation);
        }
        self.stale = if covers_more { 0 } else { self.stale + 1 };
        let (path, edges, length) = (observation.path, observation.edges, observation.length);
        let new_path = (covers_more || !session.knows_path(path))
            && self.corpus.wants(edges, length, covers_more)
            && session.add_path(path);
        if new_path || covers_more {
            session.refresh();
            let missed = self.missed_goals(executor, &outcome);
            let taken = Taken { path, edges, length, covers_more, missed };
            let entry = Arc::new(Entry::new(state.clone(), transaction.clone(), taken, &session.meter));
            if self.note_missed(&entry) {
                // Nothing else that is being gone after is as near.
                self.fuel = WorkBudget::default();
            }
            self.keep_entry(entry.clone());
            session.share(self.index, Shared::Entry(entry));
            self.follow_evictions();
        }

        let changes = outcome.status == Status::Success
            && subject.calls.function(transaction.call).can_change_state()
            && state.depth < self.max_depth;
        if !changes || !(go != Go::No || new_path) {
            return None;
        }
        let snapshot = executor.commit();
        let writes = &executor.observation().writes;
        // What took a new path and changed something is worth starting from, whatever it changed.
        let new_words = match go {
            Go::Through => Vec::new(),
            Go::No | Go::On => self.corpus.new_words(&state.snapshot, &snapshot, writes),
        };
        let is_new = !new_words.is_empty() || (new_path && changes_storage(state, &snapshot, writes));
        self.note_writer(state, &transaction, &snapshot, writes);
        if is_new && session.techniques.dictionary {
            self.learn_words(writes);
        }
        let next = Arc::new(State::after(state, transaction, snapshot, &session.meter));
        if is_new {
            self.keep_state(&next);
            self.missed.stir(&next, &new_words);
        }
        Some(next)
    }

    /// Keeps a state for others to start from.
    pub(super) fn keep_state(&mut self, state: &Arc<State>) {
        let rng = &mut self.rng;
        self.corpus.keep_state(state.clone(), |count| rng.random_range(0..count));
        self.session.share(self.index, Shared::State(state.clone()));
        self.follow_evictions();
    }
}

fn changes_storage(before: &State, after: &Snapshot, writes: &[SlotWrite]) -> bool {
    writes.iter().any(|write| before.snapshot.slot(write.address, write.slot) != after.slot(write.address, write.slot))
}
