//! A [`Sense`] is the meaning of a block, without how it arranges words on the stack: its effects in order, with their operands
//! as expressions, and the words that it leaves. The words that it finds on the stack are not part of it, except for whether it
//! uses the same one twice: the compiler orders variables by generated names, which moves them at every edit.

use super::{functions::digest, pushed_word::PushedWord};
use crate::code::instruction::Instruction;
use alloy_primitives::U256;
use revm::bytecode::opcode;
use std::collections::BTreeSet;

/// The meaning of the instructions read so far.
#[derive(Default)]
pub(super) struct Sense {
    stack: Vec<Value>,
    /// The number of words below those in `stack` that were taken.
    below: usize,
    /// Words that were there before, in the order in which they were first taken.
    found: Vec<usize>,
    effects: Vec<u64>,
}

#[derive(Clone, Copy)]
enum Value {
    /// The word at this depth of the stack when the block was entered.
    Found(usize),
    Constant(U256),
    Made(u64),
}

impl Sense {
    pub(super) fn push(&mut self, word: PushedWord) {
        self.stack.push(match word {
            PushedWord::Constant(word) => Value::Constant(word),
            other => Value::Made(digest(other)),
        });
    }

    /// Extends the known part of the stack to this many words.
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
            Value::Constant(word) => digest(PushedWord::Constant(word)),
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
                if let Some(word) = fold(other, &taken) {
                    self.stack.push(Value::Constant(word));
                    return;
                }
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
        let left = self.stack.iter().filter_map(|word| match word {
            Value::Found(_) => None,
            Value::Constant(word) => Some(digest(PushedWord::Constant(*word))),
            Value::Made(made) => Some(*made),
        });
        let left: BTreeSet<u64> = left.collect();
        digest((self.effects, left))
    }
}

/// Evaluates an opcode on constants, for the forms in which optimizers write constants: `2^64 - 1` is long to push, and the
/// shorter form depends on how often it occurs in the whole contract.
fn fold(opcode: u8, operands: &[Value]) -> Option<U256> {
    match (opcode, operands) {
        (opcode::NOT, [Value::Constant(a)]) => Some(!*a),
        (_, [Value::Constant(b), Value::Constant(a)]) => Some(match opcode {
            opcode::ADD => a.wrapping_add(*b),
            opcode::SUB => a.wrapping_sub(*b),
            opcode::MUL => a.wrapping_mul(*b),
            opcode::EXP => a.wrapping_pow(*b),
            opcode::SHL => usize::try_from(*a).map_or(U256::ZERO, |bits| *b << bits),
            _ => return None,
        }),
        _ => None,
    }
}

/// Whether the operands commute.
fn is_symmetric(opcode: u8) -> bool {
    matches!(opcode, opcode::ADD | opcode::MUL | opcode::EQ | opcode::AND | opcode::OR | opcode::XOR)
}

/// Whether the result depends on the operands alone, without side effects.
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
    use crate::code::instruction::disassemble;

    fn sense(code: &[u8]) -> u64 {
        let mut sense = Sense::default();
        for instruction in disassemble(code) {
            match instruction.pushed(code) {
                Some(word) => sense.push(PushedWord::Constant(word)),
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
        // 2^64 - 1, written in two ways
        let short = [PUSH1, 1, PUSH1, 1, PUSH1, 64, SHL, SUB, AND];
        assert_eq!(sense(&short), sense(&[PUSH8, 255, 255, 255, 255, 255, 255, 255, 255, AND]));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_have_a_sense(code: Vec<u8>) {
            proptest::prop_assert_eq!(sense(&code), sense(&code));
        }
    }
}
