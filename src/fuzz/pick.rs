//! Picking: the entry to mutate, the state to start from, and calls that are worth a try.

use super::{budget::TransactionBudget, fuzzer::Fuzzer};
use crate::{
    corpus::{Entry, State},
    evm::Executor,
    input::{Deed, Transaction},
};
use rand::{RngExt, seq::IndexedRandom};
use std::sync::Arc;

/// Of so many calls made again in which somebody burns gas or returns a bomb, one has them do it. Chosen by hand: it takes as long as a
/// hundred other calls, and mostly ends as if they had refused.
const ALL_GAS_INTERVAL: u32 = 64;

/// Of so many calls made again in which somebody calls back, one has them do it. Chosen by hand: both calls and what belongs to them take
/// three times as long as one.
const CALL_BACK_INTERVAL: u32 = 4;

impl Fuzzer {
    /// A call to be made again, mutated or elsewhere: who uses up all gas refuses instead, and who calls back has no code, now and then
    /// excepted.
    pub(super) fn again(&mut self, mut transaction: Transaction) -> Transaction {
        if transaction.calls_back() && self.rng.random_range(0..CALL_BACK_INTERVAL) > 0 {
            transaction.reaction = None;
        }
        if let Some(reaction) = &mut transaction.reaction
            && matches!(reaction.deed, Deed::BurnGas | Deed::Bomb)
            && self.rng.random_range(0..ALL_GAS_INTERVAL) > 0
        {
            reaction.deed = Deed::Refuse;
        }
        transaction
    }

    /// A call that can change state: a new one, or a mutation of one that took a new path before.
    pub(super) fn state_changing(&mut self) -> Option<Transaction> {
        if !self.search.requested.is_empty() && self.rng.random_range(0..3_u32) == 0 {
            // Writers of requested slots come first.
            let at = self.rng.random_range(0..self.search.requested.len());
            let writers = self.search.requested.iter().nth(at).map(|slot| self.search.writers.of(slot));
            if let Some(writer) = writers.and_then(|writers| writers.choose(&mut self.rng)) {
                let mut transaction = self.again(writer.transaction().clone());
                self.generator.mutate_transaction(&mut self.rng, &mut transaction);
                return Some(transaction);
            }
        }
        if !self.corpus.entries.is_empty() && self.rng.random_range(0..3_u32) == 0 {
            let at = self.rng.random_range(0..self.corpus.entries.len());
            let known = &self.corpus.entries[at].transaction;
            if self.session.harness.calls.can_change_state(known.call) {
                let mut transaction = self.again(known.clone());
                self.generator.mutate_transaction(&mut self.rng, &mut transaction);
                return Some(transaction);
            }
        }
        self.generator.state_changing_transaction(&mut self.rng)
    }

    /// The entry to mutate: that of the schedule while it is in use.
    pub(super) fn next_entry(
        &mut self,
        executor: &mut Executor,
        budget: &mut TransactionBudget<'_>,
    ) -> Option<Arc<Entry>> {
        if self.guidance.is_on { self.scheduled(executor, budget) } else { Some(self.pick_entry()) }
    }

    /// The least picked of three random entries.
    fn pick_entry(&mut self) -> Arc<Entry> {
        let count = self.corpus.entries.len();
        let draws = [(); 3].map(|()| self.rng.random_range(0..count));
        let at = draws.into_iter().min_by_key(|at| self.corpus.picks[*at]).unwrap_or(0);
        self.corpus.picks[at] += 1;
        self.corpus.entries[at].clone()
    }

    /// A state to start from: right after a deployment, one of the latest, or any.
    pub(super) fn pick_state(&mut self) -> Arc<State> {
        let states = &self.corpus.states;
        let pool = match self.rng.random_range(0..4_u32) {
            0 => &self.roots[..],
            1 | 2 => &states[states.len().saturating_sub(self.tuning.latest_states)..],
            _ => &states[..],
        };
        pool.choose(&mut self.rng)
            .or_else(|| self.roots.first())
            .cloned()
            .expect("the loop starts after the first deployment")
    }
}
