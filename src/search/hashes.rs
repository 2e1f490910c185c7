//! Comparisons of hashes: where a hash decides a comparison, its preimage is replaced by that of the other operand.

use super::{objective_search::ObjectiveSearch, runner::Runner, variable::Assignment};
use crate::input::{Transaction, replace_text};
use alloy_primitives::U256;

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// The assignment with the preimage of `to` in place of the preimage of `from`, where both are known.
    pub(super) fn same_hash(&mut self, assignment: &Assignment, from: U256, to: U256) -> Option<Assignment> {
        // A word that looks like a hash may have been computed by this sequence.
        let looks_hashed = |word: U256| word.bit_len() > 200;
        let known = &self.search().preimages.by_hash;
        if [to, from].into_iter().any(|word| looks_hashed(word) && !known.contains_key(&word)) {
            self.learn_preimages(&assignment.transaction);
        }
        let known = &self.search().preimages.by_hash;
        let (from, to) = (known.get(&from)?.clone(), known.get(&to)?.clone());
        let mut changed = assignment.clone();
        let arguments = changed.transaction.arguments.iter_mut();
        if arguments.filter_map(|value| replace_text(value, &from, &to).then_some(())).count() > 0 {
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

    /// Replays the sequence, the last transaction first, and records the preimages of its hashes.
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
