//! [`Writers`] records the transactions that changed each slot.

use crate::{
    corpus::{MemoryAccount, State, memory},
    evm::{SlotWrite, Snapshot},
    input::Transaction,
    tuning::Tuning,
};
use alloy_primitives::{Address, U256, map::HashMap};
use rand::{Rng, RngExt};
use std::sync::{Arc, Weak};

/// Slots whose writers are kept; chosen by hand. A mapping has one slot for each key.
const MAX_SLOTS: usize = 16_384;

/// A transaction that changed a slot, and the state it started from, for as long as something else keeps that state.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    pub(super) state: Weak<State>,
    pub(super) transaction: Transaction,
}

impl Writer {
    /// The bytes that one transaction takes.
    fn bytes(transaction: &Transaction) -> u64 {
        size_of::<Self>() as u64 + memory::of_transaction(transaction)
    }

    pub(crate) fn transaction(&self) -> &Transaction {
        &self.transaction
    }
}

/// The transactions that changed each slot.
#[derive(Debug)]
pub(crate) struct Writers {
    by_slot: HashMap<(Address, U256), Vec<Writer>>,
    tuning: Arc<Tuning>,
    memory: Arc<MemoryAccount>,
}

impl Writers {
    pub(super) fn new(tuning: Arc<Tuning>, memory: Arc<MemoryAccount>) -> Self {
        Self { by_slot: HashMap::default(), tuning, memory }
    }

    /// The transactions that changed a slot.
    pub(crate) fn of(&self, slot: &(Address, U256)) -> &[Writer] {
        self.by_slot.get(slot).map_or(&[], Vec::as_slice)
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        let transactions = self.by_slot.values().flatten().map(Writer::transaction);
        self.memory.refund_fixed(transactions.map(Writer::bytes).sum());
        self.by_slot = HashMap::default();
    }

    /// Records the slots that a transaction changed.
    pub(crate) fn note<G: Rng + ?Sized>(
        &mut self,
        rng: &mut G,
        state: &Arc<State>,
        transaction: &Transaction,
        after: &Snapshot,
        writes: &[SlotWrite],
    ) {
        for write in writes {
            let key = (write.address, write.slot);
            if state.snapshot.slot(key.0, key.1) == after.slot(key.0, key.1)
                || (self.by_slot.len() >= MAX_SLOTS && !self.by_slot.contains_key(&key))
            {
                continue;
            }
            let writers = self.by_slot.entry(key).or_default();
            let known = writers.iter().position(|known| known.transaction.call == transaction.call);
            // Replaces a writer now and then, because the state that it needs may have changed.
            let wanted =
                known.map_or(writers.len() < self.tuning.writers_per_slot, |_| rng.random_range(0..16_u32) == 0);
            if wanted && self.memory.charge_fixed_if_light(Writer::bytes(transaction)) {
                let writer = Writer { state: Arc::downgrade(state), transaction: transaction.clone() };
                match known {
                    Some(known) => {
                        let old = std::mem::replace(&mut writers[known], writer);
                        self.memory.refund_fixed(Writer::bytes(&old.transaction));
                    }
                    None => writers.push(writer),
                }
            }
        }
    }
}
