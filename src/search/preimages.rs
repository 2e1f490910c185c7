//! [`Preimages`] are what was hashed: where a comparison of hashes decides, the preimage of one of them is put in place of the other's.

use super::{objective_search::ObjectiveSearch, runner::Runner, variable::Assignment};
use crate::{
    corpus::MemoryAccount,
    evm::Preimage,
    input::{Transaction, Value},
};
use alloy_primitives::{U256, map::HashMap};
use std::sync::Arc;

/// Hashes whose preimages are known. Chosen by hand.
const MAX_HASHES: usize = 4096;

/// What was hashed to each hash.
#[derive(Debug)]
pub(super) struct Preimages {
    by_hash: HashMap<U256, Vec<u8>>,
    memory: Arc<MemoryAccount>,
}

impl Preimages {
    pub(super) fn new(memory: Arc<MemoryAccount>) -> Self {
        Self { by_hash: HashMap::default(), memory }
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.memory.refund_fixed(self.by_hash.values().map(|preimage| bytes(preimage)).sum());
        self.by_hash = HashMap::default();
    }

    fn learn(&mut self, preimages: Vec<Preimage>) {
        for preimage in preimages {
            let hash: U256 = preimage.hash.into();
            let bytes = bytes(&preimage.bytes);
            if self.by_hash.len() < MAX_HASHES
                && !self.by_hash.contains_key(&hash)
                && self.memory.charge_fixed_if_light(bytes)
            {
                self.by_hash.insert(hash, preimage.bytes);
            }
        }
    }
}

/// The bytes that a hash and its preimage take.
fn bytes(preimage: &[u8]) -> u64 {
    (size_of::<(U256, Vec<u8>)>() + preimage.len()) as u64
}

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// The assignment with what was hashed to `to` in place of what was hashed to `from`, where both are known.
    pub(super) fn same_hash(&mut self, assignment: &Assignment, from: U256, to: U256) -> Option<Assignment> {
        // A word that looks like a hash may be one that this sequence computed.
        let looks_hashed = |word: U256| word.bit_len() > 200;
        let known = &self.search().preimages.by_hash;
        if [to, from].into_iter().any(|word| looks_hashed(word) && !known.contains_key(&word)) {
            self.learn_preimages(&assignment.transaction);
        }
        let known = &self.search().preimages.by_hash;
        let (from, to) = (known.get(&from)?.clone(), known.get(&to)?.clone());
        let mut changed = assignment.clone();
        let arguments = changed.transaction.arguments.iter_mut();
        if arguments.filter_map(|value| replace(value, &from, &to).then_some(())).count() > 0 {
            return Some(changed);
        }
        if from.len() != to.len() {
            return None;
        }
        let words = assignment.transaction.words(&self.calls());
        let mut any = false;
        for (from, to) in from.chunks(32).zip(to.chunks(32)).filter(|(from, _)| from.len() == 32) {
            let (from, to) = (U256::from_be_slice(from), U256::from_be_slice(to));
            let fields = words.iter().filter(|(_, word)| *word == from && from != to).map(|(field, _)| field);
            for field in fields {
                any |= self.runner.lend().generator.set_word(&mut changed.transaction, field, to);
            }
        }
        any.then_some(changed)
    }

    /// Runs the sequence again, the last transaction first, and notes what it hashes.
    fn learn_preimages(&mut self, transaction: &Transaction) {
        let (mut here, mut call) = (self.state.clone(), transaction.clone());
        while self.has_budget() {
            self.search().budget.spend_transaction();
            let preimages = self.runner.peek_preimages(&here.snapshot, &call);
            self.search().preimages.learn(preimages);
            let Some((before, earlier)) = &here.from else { break };
            call = earlier.clone();
            here = before.clone();
        }
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
