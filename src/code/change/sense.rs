//! A [`Sense`] is what a block does, without how it arranges its words on the stack: its effects in their order, with the
//! expressions that they take, and what it leaves. Which words it finds on the stack is not part of it, only where it
//! takes the same one again: a compiler that orders variables by invented names moves them at every edit.

use super::{fingerprint::Word, functions::digest};
use crate::code::Instruction;
use revm::bytecode::opcode;
use std::collections::BTreeSet;

/// What a block has done so far.
#[derive(Default)]
pub(super) struct Sense {
    stack: Vec<Value>,
    /// How many words below those in `stack` were taken.
    below: usize,
    /// Words that were there before, in the order in which they were first taken.
    found: Vec<usize>,
    effects: Vec<u64>,
}

#[derive(Clone, Copy)]
enum Value {
    /// It was there: so far below the top that the block began with.
    Found(usize),
    Made(u64),
}

impl Sense {
    pub(super) fn push(&mut self, word: Word) {
        self.stack.push(Value::Made(digest(word)));
    }

    /// Makes sure that so many words are on the known part of the stack.
    fn reach(&mut self, depth: usize) {
        if let Some(missing) = depth.checked_sub(self.stack.len()) {
            let found = (self.below..self.below + missing).rev().map(Value::Found);
            self.stack.splice(0..0, found);
            self.below += missing;
        }
    }

    fn value(&mut self, value: Value) -> u64 {
        match value {
            Value::Made(made) => made,
            Value::Found(depth) => {
                let known = self.found.iter().position(|found| *found == depth);
                digest((
                    "found",
                    known.unwrap_or_else(|| {
                        self.found.push(depth);
                        self.found.len() - 1
                    }),
                ))
            }
        }
    }

    /// Any instruction but a push.
    pub(super) fn step(&mut self, instruction: &Instruction) {
        match instruction.opcode {
            opcode::DUP1..=opcode::DUP16 => {
                let depth = usize::from(instruction.opcode - opcode::DUP1) + 1;
                self.reach(depth);
                self.stack.push(self.stack[self.stack.len() - depth]);
            }
            opcode::SWAP1..=opcode::SWAP16 => {
                let depth = usize::from(instruction.opcode - opcode::SWAP1) + 2;
                self.reach(depth);
                let top = self.stack.len() - 1;
                self.stack.swap(top, top + 1 - depth);
            }
            opcode::POP => {
                self.reach(1);
                self.stack.pop();
            }
            other => {
                let count = instruction.inputs();
                self.reach(count);
                let taken = self.stack.split_off(self.stack.len() - count);
                let mut words: Vec<u64> = taken.into_iter().rev().map(|word| self.value(word)).collect();
                if is_symmetric(other) {
                    words.sort_unstable();
                }
                let result = digest((other, words));
                if !is_pure(other) {
                    self.effects.push(result);
                }
                let results = (0..instruction.outputs()).map(|_| Value::Made(result));
                self.stack.extend(results);
            }
        }
    }

    pub(super) fn digest(self) -> u64 {
        let left: BTreeSet<u64> = self
            .stack
            .iter()
            .filter_map(|word| if let Value::Made(made) = word { Some(*made) } else { None })
            .collect();
        digest((self.effects, left))
    }
}

/// Whether the operands may change places.
fn is_symmetric(opcode: u8) -> bool {
    matches!(opcode, opcode::ADD | opcode::MUL | opcode::EQ | opcode::AND | opcode::OR | opcode::XOR)
}

/// Whether the result depends on the operands alone, and nothing else comes of it.
fn is_pure(opcode: u8) -> bool {
    matches!(
        opcode,
        opcode::ADD..=opcode::SIGNEXTEND
            | opcode::LT..=opcode::SAR
            | opcode::ADDRESS
            | opcode::ORIGIN..=opcode::CALLDATASIZE
            | opcode::CODESIZE
            | opcode::GASPRICE
            | opcode::COINBASE..=opcode::CHAINID
            | opcode::BASEFEE
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::disassemble;
    use alloy_primitives::U256;

    fn sense(code: &[u8]) -> u64 {
        let mut sense = Sense::default();
        for instruction in disassemble(code) {
            match instruction.pushed(code) {
                Some(word) => sense.push(Word::Constant(word)),
                None => sense.step(&instruction),
            }
        }
        sense.digest()
    }

    #[test]
    fn where_words_lie_does_not_matter() {
        use opcode::*;
        // x = found - 5, once with the word on top and once under two others
        assert_eq!(sense(&[PUSH1, 5, SWAP1, SUB]), sense(&[PUSH1, 5, DUP4, SUB, SWAP3, POP]));
        assert_eq!(sense(&[PUSH1, 1, PUSH1, 2]), sense(&[PUSH1, 2, PUSH1, 1]));
        assert_eq!(sense(&[PUSH1, 1, CALLER, EQ]), sense(&[CALLER, PUSH1, 1, EQ]));
    }

    #[test]
    fn what_is_done_matters() {
        use opcode::*;
        assert_ne!(sense(&[PUSH1, 5, SWAP1, SUB]), sense(&[PUSH1, 5, SUB]));
        assert_ne!(sense(&[PUSH1, 5, ADD]), sense(&[PUSH1, 6, ADD]));
        // a - a is not a - b
        assert_ne!(sense(&[DUP1, SUB]), sense(&[SUB]));
        assert_ne!(sense(&[PUSH1, 1, PUSH1, 2, SSTORE]), sense(&[PUSH1, 2, PUSH1, 1, SSTORE]));
        assert_eq!(sense(&[PUSH1, 2, SLOAD, POP]), sense(&[PUSH1, 2, SLOAD, POP]));
        assert_ne!(U256::ZERO, U256::ONE);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_have_a_sense(code: Vec<u8>) {
            proptest::prop_assert_eq!(sense(&code), sense(&code));
        }
    }
}
