//! Large numbers, of which the smallest that fails says nothing, become powers of two: what wraps around or is cut off is a matter of bits.

use super::{Attempt, together::is_number};
use crate::input::{CallTable, Field, Sequence, Transaction, brief::short};
use alloy_primitives::U256;

/// Bits from which on a number is large; chosen by hand.
const LARGE_BITS: usize = 64;

impl<F: FnMut(&Sequence) -> Option<bool>> Attempt<'_, F> {
    /// Puts the least power of two that fails in the place of each large number that has no short form, or is a bit more than one, if need
    /// be without the ether that is paid along: what is due for it may wrap around to nothing.
    pub(super) fn round_large(&mut self) {
        let calls = self.harness.calls.clone();
        for index in 0..self.best.transactions.len() {
            for field in large_numbers(&self.best.transactions[index], &calls) {
                let function = calls.function(self.best.transactions[index].call);
                let mut powers = (LARGE_BITS..256).map(|bits| U256::ONE << bits);
                let _ = powers.any(|power| {
                    let mut rounder = self.best.clone();
                    let call = &mut rounder.transactions[index];
                    if !call.set_word(function, &field, power) {
                        return false;
                    }
                    let mut unpaid = rounder.clone();
                    unpaid.transactions[index].value = U256::ZERO;
                    self.keep(unpaid) || self.keep(rounder)
                });
            }
        }
    }
}

/// The arguments of a call that are large numbers without a short form, or a bit more than a power of two.
fn large_numbers(call: &Transaction, calls: &CallTable) -> Vec<Field> {
    let is_argument = |field: &Field| matches!(field, Field::Argument { .. }) && is_number(call, calls, field);
    let has_short_form = |word: U256| !short(&word.to_string()).contains(['≈', '+']);
    let is_long = |word: U256| word.bit_len() > LARGE_BITS && !has_short_form(word);
    let large = call.words(calls).into_iter().filter(|(field, word)| is_argument(field) && is_long(*word));
    large.map(|(field, _)| field).collect()
}
