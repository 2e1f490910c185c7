//! Ordinary numbers: calls in which the deployer passes none that nobody has.

use super::confirmed::Trial;
use crate::{
    input::{Sequence, Transaction, Type},
    oracle::violation::Violation,
    world::is_deployer,
};
use alloy_primitives::U256;
use std::borrow::Cow;

impl Trial<'_> {
    /// Whether calls show the violation as well if the deployer passes no unsigned numbers of more than so many bits, but the largest of
    /// them instead.
    pub fn is_shown_with_ordinary_numbers(
        &mut self,
        bits: usize,
        mut transactions: Vec<Transaction>,
        violation: &Violation,
    ) -> bool {
        let most = (U256::from(1) << bits) - U256::from(1);
        let calls = &self.harness.calls;
        let by_deployer = transactions.iter_mut().filter(|transaction| is_deployer(transaction.sender));
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
        let setups = [self.sequence.setup.clone(), self.harness.setup.clone()];
        let other = |setup| Sequence { setup, transactions: transactions.clone() };
        setups.map(other).into_iter().any(|other| self.is_shown_by(other, violation))
    }

    /// Whether the last step of another sequence shows the violation.
    fn is_shown_by(&mut self, other: Sequence, violation: &Violation) -> bool {
        let own = std::mem::replace(&mut self.sequence, Cow::Owned(other));
        let is_shown = self.shown(violation).is_some();
        self.sequence = own;
        is_shown
    }
}
