//! The stages of the loop; a fuzzer runs one in each step. Replaying, deploying, answering, paying in, withdrawing and searching come first
//! where they are due; otherwise one of [`STAGES`] is drawn.

mod answer;
mod call_from_state;
mod deploy;
mod mutate_last;
mod mutate_sequence;
mod pay_in;
mod replay;
mod search;
mod small_numbers;
mod stage;
mod walk;
mod withdraw;

use super::{
    budget::TransactionBudget,
    fuzzer::{Fuzzer, InFlight},
};
use crate::{corpus::Shared, evm::Executor};
use rand::RngExt;
use stage::Stage;

/// The stages that are drawn by weight. The last one replaces a drawn stage that needs an entry while there is none.
const STAGES: [&Stage; 4] = [&mutate_last::STAGE, &mutate_sequence::STAGE, &call_from_state::STAGE, &walk::STAGE];

impl Fuzzer {
    /// Fuzzes until `soft` transactions are spent or `stop` holds. The step that has begun by then is finished, with at most
    /// `hard` transactions in all. Returns the number of transactions spent.
    pub fn run(&mut self, executor: &mut Executor, soft: u64, hard: u64, stop: &dyn Fn() -> bool) -> u64 {
        self.poll_shared();
        self.receive();
        executor.set_instruments(self.oracles.instruments());
        let hard = hard.max(soft);
        let mut budget = TransactionBudget::new(hard, stop);
        while hard - budget.left() < soft && !budget.is_spent() && !self.session.is_over() {
            self.follow_evictions();
            let before = budget.left();
            self.step(executor, &mut budget);
            self.check_properties(executor, &mut budget);
            let spent = before - budget.left();
            self.share.count(spent);
            self.clock += spent;
        }
        self.session.shared.take_in(&mut self.records);
        // Nothing runs now, and the last call would keep the states that led to it alive.
        self.in_flight = InFlight::Nothing;
        self.follow_evictions();
        hard - budget.left()
    }

    /// Adds the entries and states that other fuzzers of the session shared since the last poll.
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

    /// One step of the loop: decides on a stage and runs it.
    fn step(&mut self, executor: &mut Executor, budget: &mut TransactionBudget<'_>) {
        // After the first ones, replayed sequences alternate with all other stages.
        let replays = &self.session.shared.replays;
        let only = self.session.replays_only;
        self.replayed = only || !self.replayed || !replays.may_wait() || self.roots.is_empty();
        let next = if self.replayed { replays.next() } else { None };
        if let Some(sequence) = next {
            self.replay(executor, sequence, budget);
            if self.session.shared.replays.is_done() {
                self.session.prune_unconfirmed(!self.roots.is_empty());
            }
            return;
        }
        if only {
            return self.session.finish();
        }
        if self.roots.is_empty() {
            return self.first_deployments(executor, budget);
        }
        if self.rng.random_range(0..self.tuning.redeploy_interval) == 0 && self.has_choice() {
            // A constructor may well refuse these arguments.
            let alone = self.roots[0].setup.steps().len() == 1;
            let _ = self.deploy(executor, alone);
        }
        if let Some(unanswered) = self.unanswered.take() {
            return self.answer(executor, unanswered, budget);
        }
        if let Some(unpaid) = self.unpaid.take() {
            return self.pay_in(executor, unpaid, budget);
        }
        if let Some(state) = self.withdrawals.take() {
            return self.withdraw(executor, &state, budget);
        }
        if self.session.harness.calls.calls().is_empty() {
            if !self.session.harness.calls.rules().properties.is_empty() {
                // Its properties were called, and nothing changes what they say.
                return self.session.finish();
            }
            // Nothing can be called, and the constructor was run.
            self.session.give_up("it has no function that can be called; only its constructor was run".to_owned());
            return;
        }
        self.turn_to_targets();
        if self.is_search_due() {
            return self.search(executor, budget);
        }
        if !self.withdrawals.is_empty() && self.rng.random_range(0..self.tuning.withdraw_interval) == 0 {
            let state = self.pick_state();
            return self.withdraw(executor, &state, budget);
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
