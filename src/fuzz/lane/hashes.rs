//! What was hashed: where a comparison of hashes decides, what was hashed to one of them is put in place of the other's.

use super::{Allowance, Lane};
use crate::{
    evm::Executor,
    fuzz::{corpus::State, parameter::Setting},
    input::{Transaction, Value},
    subject::Action,
};
use alloy_primitives::U256;
use std::sync::Arc;

/// Hashes whose preimages are known.
const MAX_HASHES: usize = 4096;

impl Lane {
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
        let words = setting.transaction.words(&session.subject.calls);
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
        while self.has_fuel(allowance) {
            self.fuel.spend_transaction();
            allowance.spend();
            let session = self.session.clone();
            session.count();
            executor.run(&here.snapshot, &session.subject.call(Action::Call(&call), here.snapshot.moment()));
            for preimage in &executor.observation().preimages {
                let hash: U256 = preimage.hash.into();
                let bytes = (size_of::<(U256, Vec<u8>)>() + preimage.bytes.len()) as u64;
                if self.hashes.len() < MAX_HASHES
                    && !self.hashes.contains_key(&hash)
                    && session.meter.fix_if_light(bytes)
                {
                    self.hashes.insert(hash, preimage.bytes.clone());
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
