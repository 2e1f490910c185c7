//! Exploring: transactions and sequences made by chance from what is known, without a goal.

use super::{Allowance, Lane, attempt::Go};
use crate::{
    evm::Executor,
    fuzz::corpus::{Entry, State},
    input::{Transaction, Type, Value},
};
use rand::{RngExt, seq::IndexedRandom};
use std::sync::Arc;

/// How often an entry's last transaction is mutated when it is picked.
const ENERGY: u32 = 16;
/// Longest walk from a state.
const MAX_WALK: u32 = 6;
/// Arguments are taken from so many calls back.
const RELATED: usize = 4;
/// Of the states, so many of the latest are preferred.
const LATEST: usize = 24;

impl Lane {
    /// Mutates the last transaction of an entry, from the state before it.
    pub(super) fn mutate_entry(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let mut entry = None;
        for _ in 0..ENERGY {
            if self.guided || entry.is_none() {
                entry = self.next_entry(executor, allowance);
            }
            let Some(entry) = entry.clone().filter(|_| !allowance.is_spent()) else { return };
            let mut transaction = entry.transaction.clone();
            for _ in 0..=self.rng.random_range(0..4_u32) / 3 {
                self.generator.mutate_transaction(&mut self.rng, &mut transaction);
            }
            self.try_one(executor, &entry.state, transaction, Go::No, allowance);
        }
    }

    /// Changes an earlier transaction of an entry: leaves it out, mutates it, puts another before it, or moves it.
    pub(super) fn mutate_sequence(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let Some(entry) = self.next_entry(executor, allowance) else { return };
        let mut transactions = entry.state.sequence_with(&entry.transaction).transactions;
        let at = self.rng.random_range(0..transactions.len());
        match self.rng.random_range(0..4_u32) {
            0 if transactions.len() > 1 => {
                transactions.remove(at);
            }
            1 if transactions.len() > 1 => {
                let to = self.rng.random_range(0..transactions.len());
                transactions.swap(at, to);
            }
            2 if transactions.len() < self.max_depth => {
                if let Some(new) = self.state_changing() {
                    transactions.insert(at, new);
                }
            }
            _ => {
                self.generator.mutate_transaction(&mut self.rng, &mut transactions[at]);
            }
        }
        let mut state = entry.state.ancestor(at.min(entry.state.depth));
        let start = state.depth;
        for transaction in transactions.drain(start.min(transactions.len())..).collect::<Vec<_>>() {
            if allowance.is_spent() {
                return;
            }
            if let Some(next) = self.try_one(executor, &state, transaction, Go::On, allowance) {
                state = next;
            }
        }
    }

    /// One call of any function, from a state.
    pub(super) fn call_from_state(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let state = self.pick_state();
        if let Some(mut transaction) = self.generator.any_transaction(&mut self.rng) {
            self.relate(&state, &mut transaction);
            self.try_one(executor, &state, transaction, Go::No, allowance);
        }
    }

    /// Several calls that change state, each from where the last one led, and then any call.
    pub(super) fn walk(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let mut state = self.pick_state();
        for _ in 0..self.rng.random_range(1..=MAX_WALK) {
            if allowance.is_spent() || state.depth >= self.max_depth {
                return;
            }
            let Some(mut transaction) = self.state_changing() else { break };
            self.relate(&state, &mut transaction);
            if let Some(next) = self.try_one(executor, &state, transaction, Go::On, allowance) {
                state = next;
            }
        }
        if !allowance.is_spent()
            && let Some(mut transaction) = self.last_transaction()
        {
            self.relate(&state, &mut transaction);
            self.try_one(executor, &state, transaction, Go::No, allowance);
        }
    }

    /// The call at the end of a walk: of a function that demands other states, if there is one, else of any.
    fn last_transaction(&mut self) -> Option<Transaction> {
        if self.demands.is_empty() || self.rng.random() {
            return self.generator.any_transaction(&mut self.rng);
        }
        let at = self.rng.random_range(0..self.demands.len());
        let function = *self.demands.keys().nth(at)?;
        Some(self.generator.transaction(&mut self.rng, function))
    }

    /// A call that can change state: a new one, or one that took a new path before, changed in one place.
    fn state_changing(&mut self) -> Option<Transaction> {
        if !self.wanted.is_empty() && self.rng.random_range(0..3_u32) == 0 {
            // Writers of what is demanded come first.
            let at = self.rng.random_range(0..self.wanted.len());
            let writers = self.wanted.iter().nth(at).and_then(|slot| self.writers.get(slot));
            if let Some(writer) = writers.and_then(|writers| writers.choose(&mut self.rng)) {
                let mut transaction = writer.transaction().clone();
                self.generator.mutate_transaction(&mut self.rng, &mut transaction);
                return Some(transaction);
            }
        }
        if !self.corpus.entries.is_empty() && self.rng.random_range(0..3_u32) == 0 {
            let at = self.rng.random_range(0..self.corpus.entries.len());
            let known = &self.corpus.entries[at].transaction;
            if self.session.subject.calls.function(known.call).can_change_state() {
                let mut transaction = known.clone();
                self.generator.mutate_transaction(&mut self.rng, &mut transaction);
                return Some(transaction);
            }
        }
        self.generator.state_changing_transaction(&mut self.rng)
    }

    /// Makes a call belong to those before it: the same sender again, or an argument that an earlier call had, or sent,
    /// or that another parameter of this one has.
    fn relate(&mut self, state: &State, transaction: &mut Transaction) {
        if let Some((_, last)) = &state.from
            && self.rng.random_range(0..3_u32) == 0
        {
            transaction.sender = last.sender;
        }
        if transaction.arguments.is_empty() || self.rng.random_range(0..3_u32) != 0 {
            return;
        }
        let calls = &self.session.subject.calls;
        let at = self.rng.random_range(0..transaction.arguments.len());
        let wanted = &calls.function(transaction.call).inputs[at].ty;
        let mut values = Vec::new();
        let mut collect = |call: &Transaction, except: Option<usize>| {
            let parameters = calls.function(call.call).inputs.iter();
            for (index, (value, parameter)) in call.arguments.iter().zip(parameters).enumerate() {
                if parameter.ty == *wanted && Some(index) != except {
                    values.push(value.clone());
                }
            }
            match wanted {
                Type::Address => values.push(Value::Address(call.sender)),
                Type::Uint(256) if !call.value.is_zero() => values.push(Value::Uint(call.value, 256)),
                _ => {}
            }
        };
        collect(transaction, Some(at));
        let mut before = state;
        for _ in 0..RELATED {
            let Some((earlier, call)) = &before.from else { break };
            collect(call, None);
            before = earlier;
        }
        if let Some(value) = values.choose(&mut self.rng) {
            transaction.arguments[at] = value.clone();
        }
    }

    /// The entry to mutate: the schedule's while there are targets.
    fn next_entry(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) -> Option<Arc<Entry>> {
        if self.guided { self.scheduled(executor, allowance) } else { Some(self.pick_entry()) }
    }

    /// Of three entries the one that was picked least.
    fn pick_entry(&mut self) -> Arc<Entry> {
        let count = self.corpus.entries.len();
        let draws = [(); 3].map(|()| self.rng.random_range(0..count));
        let at = draws.into_iter().min_by_key(|at| self.corpus.picks[*at]).unwrap_or(0);
        self.corpus.picks[at] += 1;
        self.corpus.entries[at].clone()
    }

    /// A deployment, one of the latest states, or any.
    fn pick_state(&mut self) -> Arc<State> {
        let states = &self.corpus.states;
        let pool = match self.rng.random_range(0..4_u32) {
            0 => &self.roots[..],
            1 | 2 => &states[states.len().saturating_sub(LATEST)..],
            _ => &states[..],
        };
        pool.choose(&mut self.rng)
            .or_else(|| self.roots.first())
            .cloned()
            .expect("the loop starts after the first deployment")
    }
}
