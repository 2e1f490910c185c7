//! One attempt at an objective. A few runs show how the difference that decides the objective, and the differences before
//! it, move with each word of the transaction; words predicted from that are run (HARVEY §IV, extended to several words at
//! once). Where no word of the transaction moves the difference but the state does, another state is searched for: see
//! `storage`.

use super::{
    constraint::PathConstraint,
    knowledge::{Search, Switches},
    objective_search::{ObjectiveSearch, Reached},
    probe::Probed,
    queue::Candidate,
    runner::Runner,
    variable::Assignment,
};
use crate::{
    corpus::{Objective, State},
    evm::Observation,
    input::{Field, Transaction},
    solve::{Relation, WorkBudget},
};
use alloy_primitives::{Address, U256};
use rand::{
    RngExt,
    seq::{IndexedRandom, SliceRandom},
};
use std::sync::Arc;

/// Makes one attempt at an objective, and raises its rank in the queue if the attempt failed.
pub(crate) fn attempt(runner: &mut impl Runner, candidate: Candidate) -> Reached {
    let Candidate { objective, entry, attempt, state: reactivated_in } = candidate;
    // The first attempt has a small budget.
    let search = runner.lend().search;
    let tuning = search.tuning.clone();
    let most = (tuning.first_attempt_budget << attempt.min(8)).min(tuning.attempt_budget);
    search.budget = WorkBudget::transactions(most);
    let starts_elsewhere = reactivated_in.is_some();
    let state = reactivated_in.unwrap_or_else(|| entry.state.clone());
    let mut search = ObjectiveSearch {
        runner,
        state,
        objective,
        attempt,
        storage_depth: tuning.storage_depth,
        tuning,
        alternative: None,
        prefix_failed: false,
    };
    let reached = if starts_elsewhere { search.reach(&entry.transaction) } else { search.go(&entry.transaction) };
    let Search { queue, budget, .. } = runner.lend().search;
    match reached {
        Reached::No { stuck: true } => queue.penalise(objective),
        Reached::No { stuck: false } if budget.is_spent() && queue.is_near_target() => queue.requeue(objective),
        _ => {}
    }
    reached
}

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// Starts with this transaction; every second later attempt starts from another state than the one where the entry was
    /// found.
    fn go(&mut self, transaction: &Transaction) -> Reached {
        if self.attempt > 1
            && self.attempt.is_multiple_of(2)
            && let Err(reached) = self.move_elsewhere(transaction)
        {
            return reached;
        }
        self.reach(transaction)
    }

    /// Searches for a transaction like this one that reaches the objective, from the current state or from one that can be
    /// reached.
    pub(super) fn reach(&mut self, transaction: &Transaction) -> Reached {
        self.try_rounds(transaction).unwrap_or_else(|reached| reached)
    }

    /// Like `reach`; an early end is returned as the error.
    fn try_rounds(&mut self, transaction: &Transaction) -> Result<Reached, Reached> {
        let switches: Switches = self.search().switches;
        let mut assignment = Assignment::new(transaction, &self.state);
        // Words of the transaction are searched first, for every objective; other states only in later attempts.
        let asks = self.attempt > 0 || self.keeps();
        // An objective that prediction failed on many times is soon tried with cheap mutations only.
        let predicts =
            switches.prediction && (self.attempt < self.tuning.predicting_attempts || self.runner.lend().rng.random());
        let mut stuck = asks && (predicts || !switches.prediction);
        let mut closer = None;
        for round in 0..self.tuning.attempt_rounds {
            match self.run(&assignment) {
                Ok(next) => {
                    closer = closer.or_else(|| next.filter(|next| is_closer(self.objective, &self.state, next)))
                }
                Err(Reached::No { .. }) => break,
                Err(reached) => return Err(reached),
            }
            let Some(constraint) = self.constraint() else { break };
            let reads = slots_read(self.runner.observation(), self.tuning.looked_slots);
            if round == 0 {
                let objective = self.objective;
                self.search().queue.note_reads(objective, &reads);
            }

            if switches.input_to_state {
                self.copy_operand(&assignment, &constraint)?;
                if asks && round == 0 {
                    self.repeat_words(&assignment)?;
                }
            }
            let Probed { mut columns, bound } =
                if predicts { self.probe_fields(&assignment, &constraint)? } else { Probed::default() };
            let fits = round == 0 && self.attempt < self.tuning.fitting_attempts;
            let mut better = self.follow(&assignment, &constraint, &columns, fits)?;
            if !bound.is_empty() {
                let loosened = self.eliminate_coupling(&assignment, &constraint, bound)?;
                better = self.follow(&assignment, &constraint, &loosened, fits)?.or(better);
                columns.extend(loosened);
            }
            let moved = columns.iter().any(|column| column.at_goal.can_be_followed());
            stuck &= !moved;
            if let Some(better) = better {
                assignment = better;
                continue;
            }
            // A difference that cannot be moved on this path may move on another one.
            if !moved && let Some(alternative) = self.alternative.take() {
                assignment = alternative;
                continue;
            }
            let mut moving = Vec::new();
            if asks && switches.aggressive && self.storage_depth > 0 {
                moving = self.search_storage(&assignment, &constraint, &columns, &reads)?;
                stuck &= moving.is_empty();
            }
            if predicts && switches.demand_driven && self.attempt > 0 && assignment.earlier.is_empty() {
                let (assignment, mut earlier) = self.probe_earlier(&assignment, &constraint, &moving)?;
                if earlier.iter().any(|column| column.at_goal.can_be_followed()) {
                    stuck = false;
                    earlier.append(&mut columns);
                    self.follow(&assignment, &constraint, &earlier, false)?;
                }
            }
            if predicts && switches.demand_driven && !moved && (1..=self.tuning.setup_attempts).contains(&self.attempt)
            {
                stuck &= !self.search_setup(&assignment, &constraint)?;
            }
            break;
        }
        Ok(closer.map_or(Reached::No { stuck }, Reached::Closer))
    }

    /// Replaces a word of the input that equals one operand of an equality by the other operand.
    fn copy_operand(&mut self, assignment: &Assignment, constraint: &PathConstraint) -> Result<(), Reached> {
        if constraint.relation != Relation::Zero {
            return Ok(());
        }
        let (left, right) = (constraint.operands.left, constraint.operands.right);
        let words = assignment.words(&self.calls());
        let mut assignments = Vec::new();
        for (from, to) in [(left, right), (right, left)] {
            // Small numbers occur everywhere by chance.
            for (variable, _) in words.iter().filter(|(_, word)| *word == from && from > U256::from(255)).take(2) {
                let mut changed = assignment.clone();
                if variable.set_word(&mut changed, self.runner.lend().generator, to) {
                    assignments.push(changed);
                }
            }
            assignments.extend(self.same_hash(assignment, from, to));
        }
        assignments.iter().try_for_each(|changed| self.run(changed).map(drop))
    }

    /// Replaces one word by another of its kind: an address that is named twice often takes the same path, but is booked
    /// twice.
    fn repeat_words(&mut self, assignment: &Assignment) -> Result<(), Reached> {
        let calls = self.calls();
        let function = calls.function(assignment.transaction.call);
        let mut words = assignment.transaction.words(&calls);
        words.shuffle(self.runner.lend().rng);
        let mut left = self.tuning.repeated_words;
        for (at, (field, word)) in words.iter().enumerate() {
            let shape = field.shape(function);
            let is_alike = |(other, held): &&(Field, U256)| other.shape(function) == shape && held != word;
            for (_, other) in words[at + 1..].iter().filter(is_alike) {
                if left == 0 {
                    return Ok(());
                }
                let mut changed = assignment.clone();
                if self.runner.lend().generator.set_word(&mut changed.transaction, field, *other) {
                    left -= 1;
                    self.run(&changed)?;
                }
            }
        }
        Ok(())
    }

    /// Starts from another kept state, in which one of the slots that the transaction reads holds another word: first the
    /// highest, then the lowest, since bounds tend to break there, later any word. The first of a few states from which the
    /// run gets to the objective is taken.
    fn move_elsewhere(&mut self, transaction: &Transaction) -> Result<(), Reached> {
        self.run(&Assignment::new(transaction, &self.state))?;
        let choices = self.choices(&slots_read(self.runner.observation(), self.tuning.looked_slots));
        for _ in 0..self.tuning.elsewhere_states {
            let Some(words) = choices.choose(self.runner.lend().rng) else { break };
            let choice = match self.attempt {
                ..=2 => words.iter().max_by_key(|(word, _)| *word),
                3..=4 => words.iter().min_by_key(|(word, _)| *word),
                _ => words.choose(self.runner.lend().rng),
            };
            let Some((_, state)) = choice else { break };
            self.state = state.clone();
            self.run(&Assignment::new(transaction, &self.state))?;
            if self.constraint().is_some() {
                break;
            }
        }
        Ok(())
    }

    /// For each slot that holds another word in some kept state: these words, each with the latest such state, which is the
    /// deepest one.
    fn choices(&self, slots: &[(Address, U256)]) -> Vec<Vec<(U256, Arc<State>)>> {
        let states = || self.runner.states().iter().rev().filter(|state| state.depth < self.runner.max_depth());
        let choices = slots.iter().map(|(address, slot)| {
            let mut words = vec![(self.state.snapshot.slot(*address, *slot), self.state.clone())];
            for state in states() {
                let word = state.snapshot.slot(*address, *slot);
                if words.iter().all(|(known, _)| *known != word) {
                    words.push((word, state.clone()));
                }
            }
            words.swap_remove(0);
            words
        });
        choices.filter(|words| !words.is_empty()).collect()
    }
}

/// The slots that a run read, each once, and at most this many.
fn slots_read(observation: &Observation, most: usize) -> Vec<(Address, U256)> {
    let mut slots = Vec::new();
    for access in &observation.reads {
        if !slots.contains(&(access.address, access.slot)) && slots.len() < most {
            slots.push((access.address, access.slot));
        }
    }
    slots
}

/// Whether the objective's slot is closer to the objective's word than it was.
fn is_closer(objective: Objective, before: &State, after: &State) -> bool {
    let Objective::StorageValue { address, slot, word } = objective else { return false };
    let distance = |state: &State| state.snapshot.slot(address, slot).abs_diff(word);
    distance(after) < distance(before)
}
