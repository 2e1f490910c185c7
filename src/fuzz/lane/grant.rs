//! Granting: a state in which a slot holds a word, by transactions that were seen to write the slot. What such a
//! transaction needs of the state in turn is asked for in the same way (demand-driven sequences, HARVEY §V, guided by who
//! writes what).

use super::{
    Lane,
    attempt::Go,
    pursuit::{Pursuit, Reached},
};
use crate::{
    evm::{SlotWrite, Snapshot},
    fuzz::{corpus::State, goal::Goal, memory},
    input::Transaction,
};
use alloy_primitives::{Address, U256};
use rand::RngExt;
use std::sync::{Arc, Weak};

/// Transactions that are kept for one slot, each of another function.
const MAX_WRITERS: usize = 4;
/// Slots whose writers are known: a mapping has as many as there are keys.
const MAX_SLOTS: usize = 16_384;
/// How often a writer that brings a slot closer is called again.
const REPEATS: usize = 16;

/// A transaction that changed a slot, and where from, as long as that state is kept for its own sake.
#[derive(Debug, Clone)]
pub(super) struct Writer {
    state: Weak<State>,
    transaction: Transaction,
}

impl Writer {
    /// What is kept of one.
    fn bytes(transaction: &Transaction) -> u64 {
        size_of::<Self>() as u64 + memory::of_transaction(transaction)
    }

    pub(super) fn transaction(&self) -> &Transaction {
        &self.transaction
    }
}

impl Lane {
    /// Notes which slots a transaction changed.
    pub(super) fn note_writer(
        &mut self,
        state: &Arc<State>,
        transaction: &Transaction,
        after: &Snapshot,
        writes: &[SlotWrite],
    ) {
        for write in writes {
            let key = (write.address, write.slot);
            if state.snapshot.slot(key.0, key.1) == after.slot(key.0, key.1)
                || (self.writers.len() >= MAX_SLOTS && !self.writers.contains_key(&key))
            {
                continue;
            }
            let writers = self.writers.entry(key).or_default();
            let known = writers.iter().position(|known| known.transaction.call == transaction.call);
            // A fresh one now and then: what it needs may have changed.
            let wanted = known.map_or(writers.len() < MAX_WRITERS, |_| self.rng.random_range(0..16_u32) == 0);
            if wanted && self.session.meter.fix_if_light(Writer::bytes(transaction)) {
                let writer = Writer { state: Arc::downgrade(state), transaction: transaction.clone() };
                match known {
                    Some(known) => {
                        let old = std::mem::replace(&mut writers[known], writer);
                        self.session.meter.release(Writer::bytes(&old.transaction));
                    }
                    None => writers.push(writer),
                }
            }
        }
    }

    /// The parts of a slot that are variables of their own: `(shift, bits)`, the whole slot if nothing else is known.
    pub(super) fn variables(&self, address: Address, slot: U256) -> Vec<(usize, usize)> {
        match self.packed.get(&(address, slot)) {
            Some(parts) => parts.clone(),
            None => vec![(0, 256)],
        }
    }
}

impl Pursuit<'_, '_> {
    /// A state behind `start` in which the slot holds the word, or is closer to it; none if no writer helps.
    pub(super) fn grant(
        &mut self,
        start: &Arc<State>,
        (address, slot): (Address, U256),
        word: U256,
    ) -> Option<Arc<State>> {
        if start.snapshot.slot(address, slot) == word {
            return Some(start.clone());
        }
        let writers = self.lane.writers.get(&(address, slot)).cloned().unwrap_or_default();
        let mut closest: Option<(Arc<State>, Transaction)> = None;
        let distance = |state: &State| state.snapshot.slot(address, slot).abs_diff(word);
        for Writer { state: own, transaction } in writers {
            // From here, so that what else holds here still holds; else from where it was seen to work.
            for state in std::iter::once(start.clone()).chain(own.upgrade()) {
                if state.depth >= self.lane.max_depth {
                    continue;
                }
                let mut pursuit = Pursuit {
                    lane: &mut *self.lane,
                    executor: &mut *self.executor,
                    allowance: &mut *self.allowance,
                    state,
                    goal: Goal::Word { address, slot, word },
                    attempt: 0,
                    wishes: self.wishes - 1,
                    detour: None,
                    strayed: false,
                };
                match pursuit.reach(&transaction) {
                    Reached::Yes(Some(next)) => {
                        self.lane.keep_state(&next);
                        return Some(next);
                    }
                    Reached::Closer(next) => {
                        if closest.as_ref().is_none_or(|(closest, _)| distance(&next) < distance(closest)) {
                            closest = Some((next, transaction.clone()));
                        }
                    }
                    Reached::Yes(None) | Reached::No { .. } => {}
                }
            }
        }
        // What brought it closer once may do so again.
        let (mut here, transaction) = closest?;
        for _ in 0..REPEATS {
            if here.depth >= self.lane.max_depth || distance(&here).is_zero() {
                break;
            }
            match self.call(&here, &transaction, Go::Through) {
                Ok(Some(next)) if distance(&next) < distance(&here) => here = next,
                _ => break,
            }
        }
        Some(here)
    }
}
