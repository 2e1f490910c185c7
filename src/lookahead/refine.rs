//! Learns from a branch: the value of its condition is followed back to the words that the condition was made of, as far as
//! only one value of them makes it true.

use super::{
    arithmetic::evaluate,
    domain::{Expression, Inputs, Word, Words},
    state::AbstractState,
};
use alloy_primitives::U256;
use revm::bytecode::opcode;

impl AbstractState {
    /// Whether a condition is known to hold, or not to.
    pub(super) fn decide(&self, words: &mut Words, condition: Word) -> Option<bool> {
        let is_zero = self.try_make(words, opcode::ISZERO, Inputs::One(condition))?;
        words.value(is_zero).map(|value| value.is_zero())
    }

    /// Assumes that `word` is `value`. False if it cannot be.
    #[must_use]
    pub(super) fn assume(&mut self, words: &mut Words, word: Word, value: U256) -> bool {
        let word = self.resolve(words, word);
        if let Some(known) = words.value(word) {
            return known == value;
        }
        if value > words.bound(word) {
            return false;
        }
        let known = words.known(value);
        self.note(words, word, known);
        let Expression::Made(byte, inputs) = words.node(word) else { return true };
        let (holds, fails) = (value == U256::ONE, value.is_zero());
        match (byte, inputs) {
            (opcode::NOT, Inputs::One(a)) => self.assume(words, a, evaluate(opcode::NOT, &[value])),
            (opcode::ISZERO, Inputs::One(a)) if holds => self.assume(words, a, U256::ZERO),
            (opcode::ISZERO, Inputs::One(a)) => self.assume_nonzero(words, a),
            (opcode::OR, Inputs::Two(a, b)) if fails => {
                self.assume(words, a, U256::ZERO) && self.assume(words, b, U256::ZERO)
            }
            (opcode::AND, Inputs::Two(a, b)) if holds && words.is_flag(a) && words.is_flag(b) => {
                self.assume(words, a, U256::ONE) && self.assume(words, b, U256::ONE)
            }
            (_, Inputs::Two(a, b)) => match (byte, words.value(a)) {
                (opcode::EQ, Some(constant)) if holds => self.assume(words, b, constant),
                (opcode::ADD, Some(constant)) => self.assume(words, b, evaluate(opcode::SUB, &[value, constant])),
                (opcode::XOR, Some(constant)) => self.assume(words, b, evaluate(opcode::XOR, &[value, constant])),
                (opcode::SUB, Some(constant)) => self.assume(words, b, evaluate(opcode::SUB, &[constant, value])),
                (opcode::SUB | opcode::XOR, None) if fails => self.assume_made(words, opcode::EQ, inputs, U256::ONE),
                _ => true,
            },
            _ => true,
        }
    }

    /// Assumes that `word` is not zero. False if it must be.
    #[must_use]
    pub(super) fn assume_nonzero(&mut self, words: &mut Words, word: Word) -> bool {
        let word = self.resolve(words, word);
        if let Some(known) = words.value(word) {
            return !known.is_zero();
        }
        if words.is_flag(word) {
            return self.assume(words, word, U256::ONE);
        }
        match self.try_make(words, opcode::ISZERO, Inputs::One(word)) {
            Some(is_zero) => match words.value(is_zero) {
                Some(value) if !value.is_zero() => return false,
                Some(_) => {}
                None => {
                    let zero = words.known(U256::ZERO);
                    self.note(words, is_zero, zero);
                }
            },
            None => return true,
        }
        match words.node(word) {
            Expression::Made(opcode::AND | opcode::MUL, Inputs::Two(a, b)) => {
                self.assume_nonzero(words, a) && self.assume_nonzero(words, b)
            }
            _ => true,
        }
    }

    fn assume_made(&mut self, words: &mut Words, byte: u8, inputs: Inputs, value: U256) -> bool {
        match self.try_make(words, byte, inputs) {
            Some(word) => self.assume(words, word, value),
            None => true,
        }
    }
}
