//! Ordinary numbers: the same calls where the deployer passes none that nobody has.

use super::confirmed::Trial;
use crate::{input::Type, oracle::violation::Violation, world::is_deployer};
use alloy_primitives::U256;
use std::borrow::Cow;

impl Trial<'_> {
    /// Whether the violation is shown as well if the deployer passes no unsigned numbers of more than so many bits, but the largest of
    /// them instead.
    pub fn is_shown_with_ordinary_numbers(&mut self, bits: usize, violation: &Violation) -> bool {
        let most = (U256::from(1) << bits) - U256::from(1);
        let calls = &self.harness.calls;
        let mut sequence = self.sequence.clone().into_owned();
        let by_deployer = sequence.transactions.iter_mut().filter(|transaction| is_deployer(transaction.sender));
        let mut is_other = false;
        for transaction in by_deployer {
            let function = calls.function(transaction.call);
            for (field, word) in transaction.words(calls) {
                if word > most && matches!(field.leaf(function), Some(Type::Uint(_))) {
                    is_other |= transaction.set_word(function, &field, most);
                }
            }
        }
        if !is_other {
            return true;
        }
        let shown = std::mem::replace(&mut self.sequence, Cow::Owned(sequence));
        let is_shown = self.shown(violation).is_some();
        self.sequence = shown;
        is_shown
    }
}
