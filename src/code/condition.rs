//! [`Conditions`] describes the words that JUMPIs test. Each block is read by itself: a word that it tests or leaves on the
//! stack is a comparison made in the block, a combination of several, or a word that was on the stack when the block was
//! entered. The block before is known only at run time, so words are followed from block to block there (`evm/decide.rs`), and
//! nothing has to be guessed about functions with many callers, loops and ternaries.

use super::{block::Block, instruction::Instruction};
use alloy_primitives::U256;
use revm::bytecode::opcode;
use std::collections::{BTreeMap, BTreeSet};

/// The origin of a word, as far as its block shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordOrigin {
    /// No comparison: a constant, a sum, memory or calldata.
    Unknown,
    /// The word at this depth of the stack when the block was entered; 0 is the top.
    Entry(u32),
    /// A test, as an index into [`Conditions::tests`].
    Test(u32),
}

/// A word that is zero if something does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// A comparison of two words. If one of them is the constant 0 or 1, the other (`of`) may be a test itself, and then stands
    /// for this comparison: negated if `flip`, and, if `strict`, only if it is either 0 or 1.
    Compare {
        /// The byte offset of the instruction.
        pc: u32,
        /// LT, GT, SLT, SGT, EQ, ISZERO, SUB or XOR.
        opcode: u8,
        /// The word that is compared with a constant.
        of: WordOrigin,
        /// Whether that word and the comparison are opposites.
        flip: bool,
        /// Whether that is so only for the words 0 and 1.
        strict: bool,
    },
    /// ISZERO of a sum with a constant: compilers write `x == n` as `x + -n` before a jump.
    Sum {
        /// The byte offset of the ISZERO.
        pc: u32,
        /// The constant that was added.
        addend: U256,
    },
    /// A sum with a constant that a JUMPI tests itself.
    Addend(U256),
    /// ISZERO of a test that needs nothing from outside the block.
    Not(WordOrigin),
    /// AND of two words, or their product.
    Both {
        /// The words, at least one of which is a test.
        words: [WordOrigin; 2],
        /// Whether it is an AND, which combines conditions only if its words are 0 or 1.
        bitwise: bool,
    },
    /// OR of two words, of which one at least is a test.
    Either([WordOrigin; 2]),
}

/// The effect of a block on the stack.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StackEffect {
    /// The words above those that it did not touch, the top last.
    words: Vec<WordOrigin>,
    /// The number of words from before that it removed or moved.
    taken: u32,
}

impl StackEffect {
    /// The word at this depth of the stack when the block is left; 0 is the top.
    pub fn at(&self, depth: u32) -> WordOrigin {
        let known = self.words.len() as u32;
        if depth < known {
            self.words[(known - 1 - depth) as usize]
        } else {
            WordOrigin::Entry(depth - known + self.taken)
        }
    }
}

/// The conditions of a program, and what is needed to find their origins at run time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The word that each JUMPI tests, by byte offset.
    pub branches: BTreeMap<u32, WordOrigin>,
    /// All tests, block by block.
    pub tests: Vec<Test>,
    /// The effect of each block on the stack.
    pub stack_effects: Vec<StackEffect>,
}

impl Conditions {
    /// Reads all blocks.
    pub(super) fn read(code: &[u8], instructions: &[Instruction], blocks: &[Block]) -> Self {
        let mut conditions = Self::default();
        for block in blocks {
            let mut stack = Stack::default();
            for instruction in &instructions[block.instructions.start as usize..block.instructions.end as usize] {
                if instruction.opcode == opcode::JUMPI {
                    let tested = match stack.peek(1) {
                        StackWord { addend: Some(addend), .. } => conditions.test(Test::Addend(addend)),
                        word => word.origin,
                    };
                    conditions.branches.insert(instruction.pc, tested);
                }
                conditions.step(code, instruction, &mut stack);
            }
            let effect = conditions.leave(stack);
            conditions.stack_effects.push(effect);
        }
        conditions
    }

    /// Byte offsets of the instructions whose operands have to be noted at run time, in order.
    pub(super) fn sites(&self) -> BTreeSet<u32> {
        let left = self.stack_effects.iter().flat_map(|effect| &effect.words);
        let mut open: Vec<WordOrigin> = self.branches.values().chain(left).copied().collect();
        let mut met = vec![false; self.tests.len()];
        let mut sites = BTreeSet::new();
        while let Some(origin) = open.pop() {
            let WordOrigin::Test(index) = origin else { continue };
            if std::mem::replace(&mut met[index as usize], true) {
                continue;
            }
            match self.tests[index as usize] {
                Test::Compare { pc, of, .. } => {
                    sites.insert(pc);
                    open.push(of);
                }
                Test::Sum { pc, .. } => {
                    sites.insert(pc);
                }
                Test::Addend(_) => {}
                Test::Not(of) => open.push(of),
                Test::Both { words, .. } | Test::Either(words) => open.extend(words),
            }
        }
        sites
    }

    /// Applies one instruction to the stack.
    fn step(&mut self, code: &[u8], instruction: &Instruction, stack: &mut Stack) {
        if let Some(constant) = stack.fold(instruction) {
            stack.words.push(StackWord::constant(constant));
            return;
        }
        match instruction.opcode {
            opcode::DUP1..=opcode::DUP16 => {
                let word = stack.peek(usize::from(instruction.opcode - opcode::DUP1));
                stack.words.push(word);
            }
            opcode::SWAP1..=opcode::SWAP16 => stack.swap(usize::from(instruction.opcode - opcode::SWAP1) + 1),
            opcode::ISZERO => {
                let word = stack.pop();
                let origin = match word.addend {
                    Some(addend) => self.test(Test::Sum { pc: instruction.pc, addend }),
                    None => self.compare(instruction, word, StackWord::constant(U256::ZERO)),
                };
                stack.push(origin);
            }
            opcode::ADD => {
                let addend = match (stack.pop().constant, stack.pop().constant) {
                    (Some(addend), None) | (None, Some(addend)) => Some(addend),
                    _ => None,
                };
                stack.words.push(StackWord { addend, ..StackWord::UNKNOWN });
            }
            opcode::LT | opcode::GT | opcode::SLT | opcode::SGT | opcode::EQ | opcode::SUB | opcode::XOR => {
                let (left, right) = (stack.pop(), stack.pop());
                let origin = self.compare(instruction, left, right);
                stack.push(origin);
            }
            opcode::AND | opcode::OR | opcode::MUL => {
                let (left, right) = (stack.pop(), stack.pop());
                let origin = self.join(instruction.opcode, left, right);
                stack.push(origin);
            }
            _ => {
                let word = instruction.pushed(code).map_or(StackWord::UNKNOWN, StackWord::constant);
                for _ in 0..instruction.inputs() {
                    stack.pop();
                }
                stack.words.extend((0..instruction.outputs()).map(|_| word));
            }
        }
    }

    fn compare(&mut self, instruction: &Instruction, left: StackWord, right: StackWord) -> WordOrigin {
        let (pc, opcode) = (instruction.pc, instruction.opcode);
        let (zero, one) = (Some(U256::ZERO), Some(U256::from(1)));
        let (word, constant, first) = match (left.constant, right.constant) {
            (None, Some(constant)) => (left.origin, Some(constant), true),
            (Some(constant), None) => (right.origin, Some(constant), false),
            _ => (WordOrigin::Unknown, None, true),
        };
        // How the comparison relates to a word that is a test itself: whether it is the opposite, and whether only for 0 and
        // 1.
        let meaning = match opcode {
            opcode::ISZERO | opcode::EQ if constant == zero => Some((true, false)),
            opcode::EQ if constant == one => Some((false, true)),
            opcode::SUB | opcode::XOR if constant == zero => Some((false, false)),
            opcode::SUB | opcode::XOR if constant == one => Some((true, true)),
            opcode::LT if first && constant == one => Some((true, false)),
            opcode::GT if !first && constant == one => Some((true, false)),
            opcode::LT if !first && constant == zero => Some((false, false)),
            opcode::GT if first && constant == zero => Some((false, false)),
            _ => None,
        };
        match (word, meaning) {
            (WordOrigin::Test(_), Some((flip, strict))) if self.is_sure(word) && (!strict || self.is_boolean(word)) => {
                if flip {
                    self.test(Test::Not(word))
                } else {
                    word
                }
            }
            (WordOrigin::Test(_) | WordOrigin::Entry(_), Some((flip, strict))) => {
                self.test(Test::Compare { pc, opcode, of: word, flip, strict })
            }
            _ => self.test(Test::Compare { pc, opcode, of: WordOrigin::Unknown, flip: false, strict: false }),
        }
    }

    fn join(&mut self, opcode: u8, left: StackWord, right: StackWord) -> WordOrigin {
        let words = [left.origin, right.origin];
        let (test, other) = match words {
            [WordOrigin::Test(_), _] => (left.origin, right.constant),
            [_, WordOrigin::Test(_)] => (right.origin, left.constant),
            _ => return WordOrigin::Unknown,
        };
        match (opcode, other) {
            // A mask that leaves 0 and 1 as they are.
            (opcode::AND, Some(mask)) if mask.bit(0) && self.is_boolean(test) => test,
            (opcode::OR, Some(mask)) if mask.is_zero() => test,
            (_, Some(_)) => WordOrigin::Unknown,
            (opcode::OR, None) => self.test(Test::Either(words)),
            (opcode, None) => self.test(Test::Both { words, bitwise: opcode == opcode::AND }),
        }
    }

    fn test(&mut self, test: Test) -> WordOrigin {
        self.tests.push(test);
        WordOrigin::Test(self.tests.len() as u32 - 1)
    }

    fn test_of(&self, origin: WordOrigin) -> Option<Test> {
        if let WordOrigin::Test(index) = origin { Some(self.tests[index as usize]) } else { None }
    }

    /// Whether the operands of the word are known once its block has run.
    fn is_sure(&self, origin: WordOrigin) -> bool {
        matches!(self.test_of(origin), Some(Test::Compare { .. } | Test::Sum { .. } | Test::Not(_)))
    }

    /// Whether the word is either 0 or 1.
    fn is_boolean(&self, origin: WordOrigin) -> bool {
        match self.test_of(origin) {
            Some(Test::Compare { opcode, .. }) => !matches!(opcode, opcode::SUB | opcode::XOR),
            Some(Test::Sum { .. } | Test::Not(_)) => true,
            _ => false,
        }
    }

    fn leave(&self, stack: Stack) -> StackEffect {
        let Stack { words, mut taken } = stack;
        let untouched = |taken: u32, word: &StackWord| taken > 0 && word.origin == WordOrigin::Entry(taken - 1);
        let mut below = 0;
        while words.get(below).is_some_and(|word| untouched(taken, word)) {
            below += 1;
            taken -= 1;
        }
        let words = words[below..].iter().map(|word| match self.test_of(word.origin) {
            // A difference that is left on the stack is a number: compilers write one for `!=` only right before a JUMPI.
            Some(Test::Compare { opcode: opcode::SUB | opcode::XOR, .. }) => WordOrigin::Unknown,
            _ => word.origin,
        });
        StackEffect { words: words.collect(), taken }
    }
}

#[derive(Debug, Clone, Copy)]
struct StackWord {
    origin: WordOrigin,
    constant: Option<U256>,
    /// The addend, if the word is a sum with a constant.
    addend: Option<U256>,
}

impl StackWord {
    const UNKNOWN: Self = Self::from(WordOrigin::Unknown);

    const fn from(origin: WordOrigin) -> Self {
        Self { origin, constant: None, addend: None }
    }

    fn constant(word: U256) -> Self {
        Self { constant: Some(word), ..Self::UNKNOWN }
    }
}

/// The stack while a block is read: words from before it appear when they are touched.
#[derive(Debug, Default)]
struct Stack {
    words: Vec<StackWord>,
    taken: u32,
}

impl Stack {
    fn reach(&mut self, depth: usize) {
        let missing = (depth + 1).saturating_sub(self.words.len());
        if missing > 0 {
            let entered = (0..missing as u32).rev().map(|below| StackWord::from(WordOrigin::Entry(self.taken + below)));
            let entered: Vec<_> = entered.collect();
            self.words.splice(0..0, entered);
            self.taken += missing as u32;
        }
    }

    fn peek(&mut self, depth: usize) -> StackWord {
        self.reach(depth);
        self.words[self.words.len() - 1 - depth]
    }

    fn pop(&mut self) -> StackWord {
        self.reach(0);
        self.words.pop().unwrap_or(StackWord::UNKNOWN)
    }

    /// Evaluates an instruction on constants, which it takes from the stack: compilers write long constants as short sums.
    fn fold(&mut self, instruction: &Instruction) -> Option<U256> {
        let known = |depth: usize| self.words.len().checked_sub(depth + 1).and_then(|at| self.words[at].constant);
        let constant = match instruction.opcode {
            opcode::NOT => !known(0)?,
            opcode::ADD => known(0)?.wrapping_add(known(1)?),
            opcode::SUB => known(0)?.wrapping_sub(known(1)?),
            opcode::MUL => known(0)?.wrapping_mul(known(1)?),
            opcode::EXP => known(0)?.wrapping_pow(known(1)?),
            opcode::AND => known(0)? & known(1)?,
            opcode::OR => known(0)? | known(1)?,
            opcode::SHL => known(1)?.wrapping_shl(known(0)?.saturating_to()),
            _ => return None,
        };
        self.words.truncate(self.words.len() - instruction.inputs());
        Some(constant)
    }

    fn push(&mut self, origin: WordOrigin) {
        self.words.push(StackWord::from(origin));
    }

    fn swap(&mut self, depth: usize) {
        self.reach(depth);
        let top = self.words.len() - 1;
        self.words.swap(top, top - depth);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{block::cut, instruction::disassemble};
    use super::*;
    use opcode::*;

    fn read(code: &[u8]) -> Conditions {
        let instructions = disassemble(code);
        Conditions::read(code, &instructions, &cut(&instructions))
    }

    fn compare(pc: u32, opcode: u8) -> Test {
        Test::Compare { pc, opcode, of: WordOrigin::Unknown, flip: false, strict: false }
    }

    #[test]
    fn through_iszero_and_duplicates() {
        // calldataload(0) < 5, negated twice, duplicated
        let code = [PUSH0, CALLDATALOAD, PUSH1, 5, LT, ISZERO, DUP1, ISZERO, PUSH1, 11, JUMPI, JUMPDEST, STOP];
        let conditions = read(&code);
        assert_eq!(conditions.tests, [compare(4, LT), Test::Not(WordOrigin::Test(0)), Test::Not(WordOrigin::Test(1))]);
        assert_eq!(conditions.branches, BTreeMap::from([(10, WordOrigin::Test(2))]));
        assert_eq!(conditions.sites(), BTreeSet::from([4]));
        assert_eq!(conditions.stack_effects[0], StackEffect { words: vec![WordOrigin::Test(1)], taken: 0 });
    }

    #[test]
    fn constants_that_say_the_same_or_the_opposite() {
        // A comparison, then what it is compared with; the test it comes to.
        let not = Test::Not(WordOrigin::Test(0));
        for (then, last) in [
            (vec![PUSH0, EQ], not),
            (vec![PUSH1, 1, EQ], compare(2, LT)),
            (vec![PUSH1, 1, XOR], not),
            (vec![PUSH1, 1, SUB], not),
            (vec![PUSH1, 1, GT], not),
            (vec![PUSH0, LT], compare(2, LT)),
            (vec![PUSH1, 255, AND], compare(2, LT)),
            (vec![PUSH0, OR], compare(2, LT)),
            (vec![PUSH1, 254, NOT, PUSH1, 255, AND, EQ], compare(2, LT)),
            (vec![PUSH1, 2, EQ], compare(5, EQ)),
        ] {
            let code = [&[CALLER, ADDRESS, LT][..], &then, &[PUSH0, JUMPI]].concat();
            let conditions = read(&code);
            let Some(WordOrigin::Test(tested)) = conditions.branches.values().next().copied() else {
                panic!("{then:x?}")
            };
            assert_eq!(conditions.tests[tested as usize], last, "{then:x?}");
        }
    }

    #[test]
    fn what_a_block_leaves() {
        // swap2 mul: the top two of [c b a] become a product, `a` on top of it is gone; the fourth is untouched
        let code = [SWAP2, MUL, CALLER, ADDRESS, EQ, JUMPDEST, STOP];
        let effect = &read(&code).stack_effects[0];
        let seen: Vec<_> = (0..4).map(|depth| effect.at(depth)).collect();
        assert_eq!(seen, [WordOrigin::Test(0), WordOrigin::Unknown, WordOrigin::Entry(0), WordOrigin::Entry(3)]);
    }

    #[test]
    fn tests_that_are_put_together() {
        let code = [CALLER, ADDRESS, LT, CALLER, ADDRESS, EQ, AND, CALLVALUE, OR, PUSH0, JUMPI];
        let conditions = read(&code);
        let both = Test::Both { words: [WordOrigin::Test(1), WordOrigin::Test(0)], bitwise: true };
        let either = Test::Either([WordOrigin::Unknown, WordOrigin::Test(2)]);
        assert_eq!(conditions.tests, [compare(2, LT), compare(5, EQ), both, either]);
        assert_eq!(conditions.branches, BTreeMap::from([(10, WordOrigin::Test(3))]));
    }

    #[test]
    fn a_sum_with_a_constant_is_a_comparison_with_its_negative() {
        let code = [CALLER, PUSH1, 7, ADD, DUP1, PUSH0, JUMPI, ISZERO, PUSH0, JUMPI];
        let conditions = read(&code);
        assert_eq!(
            conditions.tests,
            [Test::Addend(U256::from(7)), compare(7, ISZERO)].map(|test| match test {
                Test::Compare { pc, opcode, .. } =>
                    Test::Compare { pc, opcode, of: WordOrigin::Entry(0), flip: true, strict: false },
                test => test,
            })
        );
        let code = [CALLER, PUSH1, 6, NOT, ADD, ISZERO, PUSH0, JUMPI];
        assert_eq!(read(&code).tests, [Test::Sum { pc: 5, addend: U256::ZERO.wrapping_sub(U256::from(7)) }]);
    }

    #[test]
    fn a_raw_word_comes_from_nowhere() {
        let code = [PUSH0, CALLDATALOAD, PUSH1, 5, JUMPI, JUMPDEST];
        assert_eq!(read(&code).branches, BTreeMap::from([(4, WordOrigin::Unknown)]));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(code: Vec<u8>) {
            read(&code).sites();
        }
    }
}
