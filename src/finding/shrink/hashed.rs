//! What a hash was made of is lowered along with the hash: an answer that was committed to, and that is given.

use super::Attempt;
use crate::input::{CallTable, Sequence, set_word, words};
use alloy_primitives::{U256, keccak256};
use std::collections::BTreeSet;

/// Numbers that are tried for what was hashed.
const SIMPLEST: [U256; 2] = [U256::ZERO, U256::ONE];

impl<F: FnMut(&Sequence) -> Option<bool>> Attempt<'_, F> {
    /// Lowers words that a call passes and that are hashed, with the hash wherever it is passed.
    pub(super) fn lower_hashed(&mut self) {
        let calls = self.harness.calls.clone();
        let words = self.best.transactions.iter().flat_map(|call| call.words(&calls));
        let passed: BTreeSet<U256> = words.map(|(_, word)| word).collect();
        let deployed = words_of_deployments(&self.best, &calls);
        for (hash, bytes) in self.hashes_of(|hash| passed.contains(&hash) || deployed.contains(&hash)) {
            for at in (0..bytes.len() / 32).map(|chunk| 32 * chunk) {
                let word = U256::from_be_slice(&bytes[at..at + 32]);
                let mut simpler = SIMPLEST.into_iter().filter(|simple| *simple < word && passed.contains(&word));
                let _ = simpler.any(|simple| {
                    let mut other = bytes.clone();
                    other[at..at + 32].copy_from_slice(&simple.to_be_bytes::<32>());
                    let mut candidate = self.best.clone();
                    let replaced = [(word, simple), (hash, keccak256(&other).into())];
                    replace_words(&mut candidate, &calls, &replaced);
                    self.keep(candidate)
                });
            }
        }
    }

    /// The hashes that are computed and wanted, each with what it was made of.
    fn hashes_of(&self, is_wanted: impl Fn(U256) -> bool) -> Vec<(U256, Vec<u8>)> {
        let mut executor = self.harness.executor();
        executor.set_detailed(true);
        let mut found = Vec::new();
        self.harness.run(&mut executor, &self.best, |step| {
            let made = step.executor.observation().preimages.iter();
            let made = made.map(|preimage| (U256::from_be_bytes(preimage.hash.0), preimage.bytes.to_vec()));
            found.extend(made.filter(|(hash, _)| is_wanted(*hash)));
        });
        found
    }
}

/// The words that constructors take.
fn words_of_deployments(sequence: &Sequence, calls: &CallTable) -> BTreeSet<U256> {
    let mut all = BTreeSet::new();
    for deployment in sequence.setup.deployments() {
        let inputs = &calls.instance(deployment.instance).interface.constructor.inputs;
        for (parameter, value) in inputs.iter().zip(&deployment.arguments) {
            all.extend(words(value, &parameter.ty).into_iter().map(|(_, word)| word));
        }
    }
    all
}

/// Puts other words in the place of these, wherever they are passed.
fn replace_words(sequence: &mut Sequence, calls: &CallTable, replaced: &[(U256, U256)]) {
    let other = |word: U256| replaced.iter().find(|(was, _)| *was == word).map(|(_, is)| *is);
    for call in &mut sequence.transactions {
        call.replace_arguments(calls, other);
    }
    for deployment in sequence.setup.deployments_mut() {
        let inputs = &calls.instance(deployment.instance).interface.constructor.inputs;
        for (parameter, value) in inputs.iter().zip(&mut deployment.arguments) {
            for (position, word) in words(value, &parameter.ty) {
                if let Some(other) = other(word) {
                    set_word(value, &parameter.ty, &position, other);
                }
            }
        }
    }
}
