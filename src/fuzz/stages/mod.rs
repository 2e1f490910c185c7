//! The stages of the loop: what a fuzzer does in one step. Replaying, deploying and searching come first where they are due; else one
//! of [`STAGES`] is drawn.

mod call_from_state;
mod deploy;
mod mutate_last;
mod mutate_sequence;
mod replay;
mod search;
mod stage;
mod walk;

use super::{
    budget::TransactionBudget,
    fuzzer::{Fuzzer, InFlight},
};
use crate::{corpus::Shared, evm::Executor};
use rand::RngExt;
use stage::Stage;

/// The stages that are drawn. The last one takes the place of one that is drawn before there is an entry to start from.
const STAGES: [&Stage; 4] = [&mutate_last::STAGE, &mutate_sequence::STAGE, &call_from_state::STAGE, &walk::STAGE];

impl Fuzzer {
    /// Fuzzes until `soft` transactions are spent or `stop` says so. What has been begun by then is brought to its end,
    /// with at most `hard` transactions in all. Returns how many were spent.
    pub fn run(&mut self, executor: &mut Executor, soft: u64, hard: u64, stop: &dyn Fn() -> bool) -> u64 {
        self.poll_shared();
        executor.set_instruments(self.oracles.instruments());
        let hard = hard.max(soft);
        let mut budget = TransactionBudget::new(hard, stop);
        while hard - budget.left() < soft && !budget.is_spent() && !self.session.is_undeployable() {
            self.follow_evictions();
            let before = budget.left();
            self.step(executor, &mut budget);
            let spent = before - budget.left();
            self.share.count(spent);
            self.clock += spent;
        }
        // Nothing is being run now, and what was holds on to the states that led to it.
        self.in_flight = InFlight::Nothing;
        self.follow_evictions();
        hard - budget.left()
    }

    /// Takes what other fuzzers of the session shared since the last time.
    fn poll_shared(&mut self) {
        let (poll, cursor) = self.session.shared.poll(self.index, self.cursor);
        self.cursor = cursor;
        for shared in poll {
            match shared {
                Shared::Entry(entry) => {
                    self.queue_objectives(&entry);
                    self.keep_entry(entry);
                }
                Shared::State(state) => {
                    let rng = &mut self.rng;
                    self.corpus.keep_state(state, |count| rng.random_range(0..count));
                }
            }
        }
    }

    /// One decision of the loop and what follows from it.
    fn step(&mut self, executor: &mut Executor, budget: &mut TransactionBudget<'_>) {
        // Behind the first ones, replayed sequences take turns with everything else.
        let replays = &self.session.shared.replays;
        self.replayed = !self.replayed || !replays.may_wait() || self.roots.is_empty();
        if self.replayed
            && let Some(sequence) = replays.next()
        {
            self.replay(executor, sequence, budget);
            if self.session.shared.replays.is_done() {
                self.session.prune_unconfirmed(!self.roots.is_empty());
            }
            return;
        }
        if self.roots.is_empty() {
            return self.first_deployments(executor, budget);
        }
        if self.rng.random_range(0..self.tuning.redeploy_interval) == 0 && self.has_choice() {
            // A constructor may well refuse these arguments.
            let alone = self.roots[0].setup.steps().len() == 1;
            let _ = self.deploy(executor, alone);
        }
        if self.session.harness.calls.calls().is_empty() {
            // Nothing can be called; what the constructor does was seen.
            self.session.give_up("nothing of it can be called; only its constructor was run".to_owned());
            return;
        }
        self.turn_to_targets();
        if self.is_search_due() {
            return self.search(executor, budget);
        }
        (self.draw_stage().run)(self, executor, budget);
    }

    /// A stage, drawn by weight.
    fn draw_stage(&mut self) -> &'static Stage {
        let [.., last] = STAGES;
        let weights = STAGES.map(|stage| (stage.weight)(&self.tuning));
        let mut drawn = self.rng.random_range(0..weights.iter().sum::<u32>());
        for (stage, weight) in STAGES.into_iter().zip(weights) {
            if drawn < weight {
                let can_run = !stage.needs_entry || !self.corpus.entries.is_empty();
                return if can_run { stage } else { last };
            }
            drawn -= weight;
        }
        last
    }
}
