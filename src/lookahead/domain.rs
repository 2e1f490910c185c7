//! A [`Word`] is what the analysis knows of 256 bits: a constant, or ⊤ with an identity. An identity is either a name that
//! holds within one state, or how the word was made of others (`CALLDATALOAD 4`, `w + 1`), so that a branch on one copy of
//! a word tells about its other copies. [`Words`] hold each word once: two that are made alike are the same word.

use super::arithmetic::{evaluate, is_arithmetic};
use alloy_primitives::{U256, keccak256, map::HashMap};
use revm::bytecode::opcode;

/// The size up to which a word keeps its expression; chosen by hand. Larger ones only have a name.
const MAX_SIZE: u8 = 12;

/// Index of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Word(u32);

/// The expression of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Expression {
    /// A constant.
    Known(U256),
    /// Unknown; the same name in one state means the same word.
    Any(u32),
    /// The result of an opcode that depends on its inputs alone, or on something that does not change while a frame runs.
    Made(u8, Inputs),
}

/// At most two; the top of the stack comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Inputs {
    None,
    One(Word),
    Two(Word, Word),
}

impl Inputs {
    pub(super) fn iter(self) -> impl Iterator<Item = Word> {
        let (first, second) = match self {
            Self::None => (None, None),
            Self::One(a) => (Some(a), None),
            Self::Two(a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second)
    }

    /// Each input replaced.
    pub(super) fn map(self, mut f: impl FnMut(Word) -> Word) -> Self {
        match self {
            Self::None => Self::None,
            Self::One(a) => Self::One(f(a)),
            Self::Two(a, b) => {
                let a = f(a);
                Self::Two(a, f(b))
            }
        }
    }
}

/// Properties that are stored with every word.
#[derive(Debug, Clone, Copy)]
struct Facts {
    /// The number of words in its expression.
    size: u8,
    /// Whether its expression is without names, so that it means the same in every state of a frame.
    closed: bool,
    /// It is not larger than this.
    bound: U256,
}

/// Whether an opcode gives the same for its inputs in the other order.
pub(super) fn is_commutative(byte: u8) -> bool {
    matches!(byte, opcode::ADD | opcode::MUL | opcode::AND | opcode::OR | opcode::XOR | opcode::EQ)
}

/// All words of an analysis.
#[derive(Debug, Default)]
pub(super) struct Words {
    nodes: Vec<Expression>,
    facts: Vec<Facts>,
    index: HashMap<Expression, Word>,
}

impl Words {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, word: Word) -> Expression {
        self.nodes[word.0 as usize]
    }

    /// The constant that it is.
    pub(super) fn value(&self, word: Word) -> Option<U256> {
        match self.node(word) {
            Expression::Known(value) => Some(value),
            Expression::Any(_) | Expression::Made(..) => None,
        }
    }

    /// The constant that it is, if it fits: an offset or a length.
    pub(super) fn small(&self, word: Word) -> Option<u32> {
        self.value(word).and_then(|value| u32::try_from(value).ok())
    }

    pub(super) fn is_closed(&self, word: Word) -> bool {
        self.facts[word.0 as usize].closed
    }

    /// It is not larger than this.
    pub(super) fn bound(&self, word: Word) -> U256 {
        self.facts[word.0 as usize].bound
    }

    /// Whether it is 0 or 1.
    pub(super) fn is_flag(&self, word: Word) -> bool {
        self.bound(word) <= U256::ONE
    }

    pub(super) fn known(&mut self, value: U256) -> Word {
        self.intern(Expression::Known(value), Facts { size: 1, closed: true, bound: value })
    }

    pub(super) fn any(&mut self, name: u32) -> Word {
        self.intern(Expression::Any(name), Facts { size: 1, closed: false, bound: U256::MAX })
    }

    /// The word that an opcode makes of others: a constant where they are, and none where it would be too large.
    pub(super) fn make(&mut self, byte: u8, inputs: Inputs) -> Option<Word> {
        if let Some(value) = self.evaluate(byte, inputs) {
            return Some(self.known(value));
        }
        let (byte, inputs) = self.arrange(byte, inputs);
        match inputs {
            Inputs::One(a) => {
                if let Some(word) = self.simplify_one(byte, a) {
                    return Some(word);
                }
            }
            Inputs::Two(a, b) => {
                if let Some(word) = self.simplify_two(byte, a, b) {
                    return Some(word);
                }
            }
            Inputs::None => {}
        }
        self.made(byte, inputs)
    }

    /// The same as it is written, without looking for a simpler form.
    pub(super) fn made(&mut self, byte: u8, inputs: Inputs) -> Option<Word> {
        let size = inputs.iter().map(|word| self.facts[word.0 as usize].size).fold(1, u8::saturating_add);
        if size > MAX_SIZE {
            return None;
        }
        let closed = inputs.iter().all(|word| self.is_closed(word));
        let bound = self.bound_of(byte, inputs);
        Some(self.intern(Expression::Made(byte, inputs), Facts { size, closed, bound }))
    }

    fn intern(&mut self, node: Expression, facts: Facts) -> Word {
        *self.index.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.facts.push(facts);
            Word(self.nodes.len() as u32 - 1)
        })
    }

    fn evaluate(&self, byte: u8, inputs: Inputs) -> Option<U256> {
        let mut values = [U256::ZERO; 2];
        let mut count = 0;
        for word in inputs.iter() {
            values[count] = self.value(word)?;
            count += 1;
        }
        let values = &values[..count];
        match byte {
            opcode::KECCAK256 => {
                let bytes: Vec<u8> = values.iter().flat_map(U256::to_be_bytes::<32>).collect();
                Some(keccak256(bytes).into())
            }
            _ if count > 0 && is_arithmetic(byte) => Some(evaluate(byte, values)),
            _ => None,
        }
    }

    /// One way to write what can be written in several: `a > b` is `b < a`, `a - 1` is `MAX + a`, constants come first.
    fn arrange(&mut self, byte: u8, inputs: Inputs) -> (u8, Inputs) {
        let Inputs::Two(a, b) = inputs else { return (byte, inputs) };
        match byte {
            opcode::GT => (opcode::LT, Inputs::Two(b, a)),
            opcode::SGT => (opcode::SLT, Inputs::Two(b, a)),
            opcode::SUB if self.value(b).is_some() && a != b => {
                let negative = evaluate(opcode::SUB, &[U256::ZERO, self.value(b).unwrap_or_default()]);
                (opcode::ADD, Inputs::Two(self.known(negative), a))
            }
            _ if is_commutative(byte) => {
                let key = |word: Word| (self.value(word).is_none(), word);
                if key(b) < key(a) { (byte, Inputs::Two(b, a)) } else { (byte, inputs) }
            }
            _ => (byte, inputs),
        }
    }

    fn simplify_one(&mut self, byte: u8, a: Word) -> Option<Word> {
        let Expression::Made(inner, inputs) = self.node(a) else { return None };
        match (byte, inner, inputs) {
            (opcode::NOT, opcode::NOT, Inputs::One(x)) => Some(x),
            // Not not: a flag stays what it is.
            (opcode::ISZERO, opcode::ISZERO, Inputs::One(x)) if self.is_flag(x) => Some(x),
            (opcode::ISZERO, opcode::ADD, Inputs::Two(x, y)) => {
                let value = self.value(x)?;
                let negative = self.known(evaluate(opcode::SUB, &[U256::ZERO, value]));
                self.make(opcode::EQ, Inputs::Two(negative, y))
            }
            (opcode::ISZERO, opcode::SUB | opcode::XOR, two @ Inputs::Two(..)) => self.make(opcode::EQ, two),
            _ => None,
        }
    }

    fn simplify_two(&mut self, byte: u8, a: Word, b: Word) -> Option<Word> {
        let same = a == b;
        let (zero, one) = (U256::ZERO, U256::ONE);
        let constant = self.value(a);
        match byte {
            opcode::ADD | opcode::OR | opcode::XOR | opcode::SHL | opcode::SHR | opcode::SAR
                if constant == Some(zero) =>
            {
                Some(b)
            }
            opcode::AND | opcode::OR if same => Some(a),
            opcode::XOR | opcode::SUB | opcode::LT | opcode::SLT if same => Some(self.known(zero)),
            opcode::EQ if same => Some(self.known(one)),
            opcode::AND | opcode::MUL | opcode::DIV | opcode::MOD if constant == Some(zero) => Some(a),
            opcode::MUL if constant == Some(one) => Some(b),
            opcode::DIV if self.value(b) == Some(one) => Some(a),
            // Bits below the bound are all that there are.
            opcode::AND if constant.is_some_and(|mask| covers(mask, self.bound(b))) => Some(b),
            opcode::DIV => {
                // Older compilers extract packed values with a division.
                let divisor = self.value(b).filter(|divisor| divisor.is_power_of_two())?;
                let shift = self.known(U256::from(divisor.trailing_zeros()));
                self.make(opcode::SHR, Inputs::Two(shift, a))
            }
            opcode::ADD | opcode::XOR => self.merge(byte, a, b),
            opcode::AND => self.merge(byte, a, b).or_else(|| self.distribute(byte, a, b)),
            opcode::SHR => self.distribute(byte, a, b),
            opcode::EQ => self.simplify_equal(constant?, b),
            opcode::LT => self.simplify_less(a, b),
            _ => None,
        }
    }

    /// `k1 + (k2 + x)` is `(k1 + k2) + x`, and so on: a counter does not grow with each round.
    fn merge(&mut self, byte: u8, a: Word, b: Word) -> Option<Word> {
        let outer = self.value(a)?;
        let Expression::Made(inner, Inputs::Two(c, x)) = self.node(b) else { return None };
        let inner_value = self.value(c).filter(|_| inner == byte)?;
        let both = self.known(evaluate(byte, &[outer, inner_value]));
        self.make(byte, Inputs::Two(both, x))
    }

    /// `m & (x | y)` is `(m & x) | (m & y)`, and so on, where a part of it is a constant then: what is packed into a slot
    /// is found again.
    fn distribute(&mut self, byte: u8, a: Word, b: Word) -> Option<Word> {
        let constant = self.value(a)?;
        match self.node(b) {
            Expression::Made(opcode::OR, Inputs::Two(x, y)) => {
                let (x, y) = (self.make(byte, Inputs::Two(a, x))?, self.make(byte, Inputs::Two(a, y))?);
                let is_simpler = self.value(x).is_some() || self.value(y).is_some();
                if is_simpler { self.make(opcode::OR, Inputs::Two(x, y)) } else { None }
            }
            Expression::Made(opcode::AND, Inputs::Two(mask, x)) if byte == opcode::SHR => {
                let mask = evaluate(opcode::SHR, &[constant, self.value(mask)?]);
                let (mask, x) = (self.known(mask), self.make(opcode::SHR, Inputs::Two(a, x))?);
                self.make(opcode::AND, Inputs::Two(mask, x))
            }
            _ => None,
        }
    }

    fn simplify_equal(&mut self, constant: U256, b: Word) -> Option<Word> {
        if constant.is_zero() {
            return self.make(opcode::ISZERO, Inputs::One(b));
        }
        if constant > self.bound(b) {
            return Some(self.known(U256::ZERO));
        }
        if constant == U256::ONE && self.is_flag(b) {
            return Some(b);
        }
        let Expression::Made(opcode::ADD, Inputs::Two(c, x)) = self.node(b) else { return None };
        let moved = evaluate(opcode::SUB, &[constant, self.value(c)?]);
        let moved = self.known(moved);
        self.make(opcode::EQ, Inputs::Two(moved, x))
    }

    fn simplify_less(&mut self, a: Word, b: Word) -> Option<Word> {
        if self.value(b).is_some_and(|b| self.bound(a) < b) {
            return Some(self.known(U256::ONE));
        }
        if self.value(a).is_some_and(|a| a >= self.bound(b)) || self.value(b) == Some(U256::ZERO) {
            return Some(self.known(U256::ZERO));
        }
        if self.value(b) == Some(U256::ONE) {
            return self.make(opcode::ISZERO, Inputs::One(a));
        }
        if self.value(a) == Some(U256::ZERO) {
            let is_zero = self.make(opcode::ISZERO, Inputs::One(b))?;
            return self.make(opcode::ISZERO, Inputs::One(is_zero));
        }
        None
    }

    fn bound_of(&self, byte: u8, inputs: Inputs) -> U256 {
        let address = || U256::MAX >> 96_usize;
        match (byte, inputs) {
            (opcode::LT | opcode::GT | opcode::SLT | opcode::SGT | opcode::EQ | opcode::ISZERO, _) => U256::ONE,
            (opcode::AND, Inputs::Two(a, b)) => self.bound(a).min(self.bound(b)),
            (opcode::OR, Inputs::Two(a, b)) if self.is_flag(a) && self.is_flag(b) => U256::ONE,
            (opcode::MOD, Inputs::Two(_, b)) => match self.value(b) {
                Some(value) if !value.is_zero() => value - U256::ONE,
                _ => U256::MAX,
            },
            (opcode::SHR, Inputs::Two(a, _)) => {
                self.value(a).map_or(U256::MAX, |shift| evaluate(opcode::SHR, &[shift, U256::MAX]))
            }
            (opcode::BYTE, _) => U256::from(0xff),
            (opcode::ADDRESS | opcode::CALLER | opcode::ORIGIN | opcode::COINBASE, _) => address(),
            _ => U256::MAX,
        }
    }
}

/// Whether every word up to `bound` has only bits of `mask`.
fn covers(mask: U256, bound: U256) -> bool {
    let bits = if bound.is_zero() { U256::ZERO } else { U256::MAX >> bound.leading_zeros() };
    mask & bits == bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A word over two unknowns, as a tree.
    #[derive(Debug, Clone)]
    enum Tree {
        Constant(U256),
        Unknown(u32),
        One(u8, Box<Tree>),
        Two(u8, Box<Tree>, Box<Tree>),
    }

    impl Tree {
        fn build(&self, words: &mut Words) -> Word {
            match self {
                Self::Constant(value) => words.known(*value),
                Self::Unknown(name) => words.any(*name),
                Self::One(byte, a) => {
                    let a = a.build(words);
                    words.make(*byte, Inputs::One(a)).unwrap_or_else(|| words.any(99))
                }
                Self::Two(byte, a, b) => {
                    let (a, b) = (a.build(words), b.build(words));
                    words.make(*byte, Inputs::Two(a, b)).unwrap_or_else(|| words.any(99))
                }
            }
        }

        fn value(&self, unknown: &[U256]) -> U256 {
            match self {
                Self::Constant(value) => *value,
                Self::Unknown(name) => unknown[*name as usize],
                Self::One(byte, a) => evaluate(*byte, &[a.value(unknown)]),
                Self::Two(byte, a, b) => evaluate(*byte, &[a.value(unknown), b.value(unknown)]),
            }
        }
    }

    /// The value of a word if the unknowns have these values; `None` if a part of it only has a name.
    fn concrete(words: &Words, word: Word, unknown: &[U256]) -> Option<U256> {
        match words.node(word) {
            Expression::Known(value) => Some(value),
            Expression::Any(name) => unknown.get(name as usize).copied(),
            Expression::Made(byte, inputs) => {
                let values: Option<Vec<U256>> = inputs.iter().map(|input| concrete(words, input, unknown)).collect();
                Some(evaluate(byte, &values?))
            }
        }
    }

    fn constant() -> impl Strategy<Value = U256> {
        prop_oneof![
            (0_u64..4).prop_map(U256::from),
            (0_usize..256).prop_map(|bit| U256::ONE << bit),
            (0_usize..256).prop_map(|bits| U256::MAX >> bits),
            any::<[u64; 4]>().prop_map(U256::from_limbs),
        ]
    }

    fn tree() -> impl Strategy<Value = Tree> {
        let leaf = prop_oneof![constant().prop_map(Tree::Constant), (0_u32..2).prop_map(Tree::Unknown)];
        leaf.prop_recursive(4, 12, 2, |inner| {
            let one = prop::sample::select(vec![opcode::ISZERO, opcode::NOT, opcode::CLZ]);
            let two: Vec<u8> = (opcode::ADD..=opcode::SIGNEXTEND)
                .chain(opcode::LT..=opcode::SAR)
                .filter(|byte| !matches!(*byte, opcode::ADDMOD | opcode::MULMOD | opcode::ISZERO | opcode::NOT))
                .collect();
            prop_oneof![
                (one, inner.clone()).prop_map(|(byte, a)| Tree::One(byte, Box::new(a))),
                (prop::sample::select(two), inner.clone(), inner).prop_map(|(byte, a, b)| Tree::Two(
                    byte,
                    Box::new(a),
                    Box::new(b)
                )),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Whatever form a word is brought into, it stays the same word, and within its bound.
        #[test]
        fn simpler_forms_mean_the_same(tree in tree(), a in constant(), b in constant()) {
            let mut words = Words::default();
            let word = tree.build(&mut words);
            if let Some(value) = concrete(&words, word, &[a, b]) {
                prop_assert_eq!(value, tree.value(&[a, b]));
                prop_assert!(value <= words.bound(word));
            }
        }
    }
}
