//! Granting: a state in which a slot holds a word, by transactions that were seen to write the slot. What such a
//! transaction needs of the state in turn is asked for in the same way (demand-driven sequences, HARVEY §V, guided by who
//! writes what).

use super::{super::corpus::State, Allowance, Lane, aim::Reached, goal::Goal};
use crate::fuzz::parameter::Setting;
use crate::{
    evm::{Executor, SlotWrite, Snapshot},
    input::{Transaction, Value},
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
/// Hashes whose preimages are known.
const MAX_HASHES: usize = 4096;

/// A transaction that changed a slot, and where from, as long as that state is kept for its own sake.
#[derive(Debug, Clone)]
pub(super) struct Writer {
    state: Weak<State>,
    transaction: Transaction,
}

impl Writer {
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
            let writer = || Writer { state: Arc::downgrade(state), transaction: transaction.clone() };
            match writers.iter().position(|known| known.transaction.function == transaction.function) {
                // A fresh one now and then: what it needs may have changed.
                Some(known) if self.rng.random_range(0..16_u32) == 0 => writers[known] = writer(),
                None if writers.len() < MAX_WRITERS => writers.push(writer()),
                Some(_) | None => {}
            }
        }
    }

    /// A state behind `state` in which the slot holds the word, or is closer to it; none if no writer helps.
    pub(super) fn grant(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        (address, slot): (Address, U256),
        word: U256,
        wishes: u32,
        allowance: &mut Allowance<'_>,
    ) -> Option<Arc<State>> {
        if state.snapshot.slot(address, slot) == word {
            return Some(state.clone());
        }
        let writers = self.writers.get(&(address, slot)).cloned().unwrap_or_default();
        let goal = Goal::Word { address, slot, word };
        let mut closest: Option<(Arc<State>, Transaction)> = None;
        let distance = |state: &State| state.snapshot.slot(address, slot).abs_diff(word);
        for Writer { state: own, transaction } in writers {
            // From here, so that what else holds here still holds; else from where it was seen to work.
            for start in std::iter::once(state.clone()).chain(own.upgrade()) {
                if start.depth >= self.max_depth {
                    continue;
                }
                match self.reach(executor, &start, &transaction, goal, 0, wishes, allowance) {
                    Reached::Yes(Some(next)) => return Some(next),
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
            if here.depth >= self.max_depth || distance(&here).is_zero() || !self.has_fuel(allowance) {
                break;
            }
            self.fuel -= 1;
            match self.try_one(executor, &here, transaction.clone(), true, allowance) {
                Some(next) if distance(&next) < distance(&here) => here = next,
                _ => break,
            }
        }
        Some(here)
    }

    /// The parts of a slot that are variables of their own: `(shift, bits)`, the whole slot if nothing else is known.
    pub(super) fn variables(&self, address: Address, slot: U256) -> Vec<(usize, usize)> {
        let own = self.roots.iter().any(|root| root.address == address);
        match self.packed.get(&slot).filter(|_| own) {
            Some(parts) => parts.clone(),
            None => vec![(0, 256)],
        }
    }

    /// The setting with what was hashed to `to` in place of what was hashed to `from`, where both are known.
    pub(super) fn same_hash(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        setting: &Setting,
        from: U256,
        to: U256,
        allowance: &mut Allowance<'_>,
    ) -> Option<Setting> {
        // What looks like a hash may be one of this sequence's.
        let looks_hashed = |word: U256| word.bit_len() > 200;
        if [to, from].into_iter().any(|word| looks_hashed(word) && !self.hashes.contains_key(&word)) {
            self.learn_hashes(executor, state, &setting.transaction, allowance);
        }
        let (from, to) = (self.hashes.get(&from)?.clone(), self.hashes.get(&to)?.clone());
        let mut changed = setting.clone();
        let arguments = changed.transaction.arguments.iter_mut();
        if arguments.filter_map(|value| replace(value, &from, &to).then_some(())).count() > 0 {
            return Some(changed);
        }
        if from.len() != to.len() {
            return None;
        }
        let session = self.session.clone();
        let function = session.subject.interface.function(setting.transaction.function);
        let words = setting.transaction.words(function);
        let mut any = false;
        for (from, to) in from.chunks(32).zip(to.chunks(32)).filter(|(from, _)| from.len() == 32) {
            let (from, to) = (U256::from_be_slice(from), U256::from_be_slice(to));
            let fields = words.iter().filter(|(_, word)| *word == from && from != to).map(|(field, _)| field);
            for field in fields {
                any |= self.generator.set_word(&mut changed.transaction, field, to);
            }
        }
        any.then_some(changed)
    }

    /// Runs the sequence again and notes what it hashes.
    fn learn_hashes(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: &Transaction,
        allowance: &mut Allowance<'_>,
    ) {
        executor.set_detailed(true);
        let (mut here, mut call) = (state.clone(), transaction.clone());
        while !allowance.is_spent() {
            allowance.spend();
            let session = self.session.clone();
            session.count();
            executor.run(&here.snapshot, &session.subject.call(here.address, &call, here.snapshot.moment()));
            for preimage in &executor.observation().preimages {
                if self.hashes.len() < MAX_HASHES {
                    self.hashes.insert(preimage.hash.into(), preimage.bytes.clone());
                }
            }
            let Some((before, earlier)) = &here.from else { break };
            call = earlier.clone();
            here = before.clone();
        }
        executor.set_detailed(false);
    }
}

/// Puts `to` where a `bytes` or `string` is `from`.
fn replace(value: &mut Value, from: &[u8], to: &[u8]) -> bool {
    match value {
        Value::Bytes(bytes) if bytes == from => {
            *bytes = to.to_vec();
            true
        }
        Value::String(string) if string.as_bytes() == from => match String::from_utf8(to.to_vec()) {
            Ok(new) => {
                *string = new;
                true
            }
            Err(_) => false,
        },
        Value::Array(items) | Value::FixedArray(items) | Value::Tuple(items) => {
            items.iter_mut().filter_map(|item| replace(item, from, to).then_some(())).count() > 0
        }
        _ => false,
    }
}
