//! Ordinary numbers: calls in which the deployer passes none that nobody has.

use super::confirmed::Trial;
use crate::{
    input::{Transaction, Type},
    oracle::violation::Violation,
    world::is_deployer,
};
use alloy_primitives::U256;

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
        let is_other = by_deployer.fold(false, |any, transaction| {
            let function = calls.function(transaction.call);
            let is_number = |leaf: Option<&Type>| matches!(leaf, Some(Type::Uint(_)));
            transaction
                .replace_words(calls, |field, word| (word > most && is_number(field.leaf(function))).then_some(most))
                | any
        });
        if !is_other {
            return true;
        }
        let (own, planned) = (self.sequence.setup.clone(), self.harness.setup.clone());
        let planned = (planned != own).then_some(planned);
        std::iter::once(own).chain(planned).any(|setup| {
            let ended = self.end_in(setup, transactions.clone(), violation);
            ended.is_some_and(|ended| ended.shown.is_some())
        })
    }
}
