//! A [`Wrap`] is an operation whose exact result does not fit its type, so that it went around. It knows the numbers and not what they
//! are for.

use crate::{
    code::ArithmeticSite,
    compile::{IntegerType, OperationKind},
};
use alloy_primitives::{U256, U512};
use revm::bytecode::opcode;

/// A number of any size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exact {
    /// Whether it is below zero.
    pub negative: bool,
    /// Its distance from zero; the largest number here stands for all above it.
    pub magnitude: U512,
}

/// An operation whose result does not fit its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wrap {
    /// What it computes.
    pub kind: OperationKind,
    /// The type of the result.
    pub ty: IntegerType,
    /// The type of its operands.
    pub from: IntegerType,
    /// The operands as words; a conversion has the first one only.
    pub operands: [U256; 2],
}

impl Exact {
    /// The number that a word of this type is.
    pub fn of(word: U256, ty: IntegerType) -> Self {
        let word = cut(word, ty);
        let negative = ty.signed && word.bit(255);
        let magnitude = if negative { U256::ZERO.wrapping_sub(word) } else { word };
        Self { negative: negative && !magnitude.is_zero(), magnitude: U512::from(magnitude) }
    }

    fn sum(self, other: Self) -> Self {
        if self.negative == other.negative {
            return Self { negative: self.negative, magnitude: self.magnitude.saturating_add(other.magnitude) };
        }
        let (larger, smaller) = if self.magnitude >= other.magnitude { (self, other) } else { (other, self) };
        let magnitude = larger.magnitude - smaller.magnitude;
        Self { negative: larger.negative && !magnitude.is_zero(), magnitude }
    }

    fn negated(self) -> Self {
        Self { negative: !self.negative && !self.magnitude.is_zero(), ..self }
    }

    fn product(self, other: Self) -> Self {
        let magnitude = self.magnitude.saturating_mul(other.magnitude);
        Self { negative: self.negative != other.negative && !magnitude.is_zero(), magnitude }
    }

    fn power(self, exponent: Self) -> Self {
        let magnitude = self.magnitude.saturating_pow(exponent.magnitude);
        Self { negative: self.negative && exponent.magnitude.bit(0), magnitude }
    }

    /// Whether a type has it.
    fn fits(self, ty: IntegerType) -> bool {
        let bits = usize::from(ty.bits) - usize::from(ty.signed);
        match self.negative {
            false => self.magnitude.bit_len() <= bits,
            true => ty.signed && self.magnitude <= U512::from(1) << bits,
        }
    }
}

impl Wrap {
    /// What an instruction computes from the two words on top of the stack, if it does not fit its type.
    pub(super) fn of(site: &ArithmeticSite, opcode: u8, top: U256, below: U256) -> Option<Self> {
        let ArithmeticSite { kind, ty, from, .. } = *site;
        if fits_a_word(ty, opcode, top, below) {
            return None;
        }
        let operands = match (kind, opcode) {
            (OperationKind::Narrow, opcode::SIGNEXTEND) => {
                (top == U256::from(ty.bits / 8 - 1)).then_some([below, U256::ZERO])?
            }
            (OperationKind::Narrow, _) => {
                let mask = U256::MAX >> (256 - usize::from(ty.bits));
                let narrowed = if top == mask { below } else { top };
                (top == mask || below == mask).then_some([narrowed, U256::ZERO])?
            }
            // A constant is subtracted by adding what it lacks to zero.
            (OperationKind::Subtract, opcode::ADD) => {
                let (constant, other) = if top.bit(255) { (top, below) } else { (below, top) };
                constant.bit(255).then_some([other, U256::ZERO.wrapping_sub(constant)])?
            }
            (_, opcode::SHL) => {
                let shift = usize::try_from(top).ok().filter(|shift| *shift < 256)?;
                match kind {
                    OperationKind::Power => [U256::from(2), top],
                    _ => [below, U256::ONE << shift],
                }
            }
            _ => [top, below],
        };
        let wrap = Self { kind, ty, from, operands };
        (!wrap.exact().fits(ty)).then_some(wrap)
    }

    /// The operands as numbers.
    pub fn numbers(&self) -> [Exact; 2] {
        self.operands.map(|word| Exact::of(word, self.from))
    }

    /// The result as it should be.
    pub fn exact(&self) -> Exact {
        let [left, right] = self.numbers();
        match self.kind {
            OperationKind::Add => left.sum(right),
            OperationKind::Subtract => left.sum(right.negated()),
            OperationKind::Multiply => left.product(right),
            OperationKind::Power => left.power(Exact::of(self.operands[1], IntegerType { bits: 256, signed: false })),
            OperationKind::Narrow => left,
        }
    }

    /// The result as it is, as a word.
    pub fn word(&self) -> U256 {
        let [left, right] = self.operands;
        let word = match self.kind {
            OperationKind::Add => left.wrapping_add(right),
            OperationKind::Subtract => left.wrapping_sub(right),
            OperationKind::Multiply => left.wrapping_mul(right),
            OperationKind::Power => left.wrapping_pow(right),
            OperationKind::Narrow => left,
        };
        cut(word, self.ty)
    }

    /// The number of its type that is nearest to the exact one: comparisons with others of that type come out as they should.
    pub fn saturated(&self) -> U256 {
        let largest = U256::MAX >> (256 - usize::from(self.ty.bits) + usize::from(self.ty.signed));
        match (self.exact().negative, self.ty.signed) {
            (false, _) => largest,
            (true, false) => U256::ZERO,
            (true, true) => !largest,
        }
    }
}

/// Whether the result is one of the usual ones, that fit: this runs each time, and the rest almost never.
#[inline]
fn fits_a_word(ty: IntegerType, opcode: u8, top: U256, below: U256) -> bool {
    ty == IntegerType { bits: 256, signed: false }
        && match opcode {
            opcode::ADD => !top.bit(255) && !below.bit(255),
            opcode::SUB => top >= below,
            opcode::MUL => top.bit_len() + below.bit_len() <= 256,
            _ => false,
        }
}

/// A word of this type, without what the compiler left in front of it.
fn cut(word: U256, ty: IntegerType) -> U256 {
    let rest = 256 - usize::from(ty.bits);
    let word = (word << rest) >> rest;
    let is_negative = ty.signed && word.bit(usize::from(ty.bits) - 1);
    if is_negative { word | !(U256::MAX >> rest) } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn unsigned(bits: u16) -> IntegerType {
        IntegerType { bits, signed: false }
    }

    const fn signed(bits: u16) -> IntegerType {
        IntegerType { bits, signed: true }
    }

    /// The word that comes out and the one that is nearest to the exact result, if it does not fit.
    fn wraps(kind: OperationKind, ty: IntegerType, opcode: u8, top: U256, below: U256) -> Option<(U256, U256)> {
        let from = if kind == OperationKind::Narrow { unsigned(256) } else { ty };
        let site = ArithmeticSite { kind, ty, from, place: None };
        Wrap::of(&site, opcode, top, below).map(|wrap| (wrap.word(), wrap.saturated()))
    }

    #[test]
    fn only_what_does_not_fit_wraps() {
        use OperationKind::{Add, Multiply, Narrow, Power, Subtract};
        let word = U256::from::<u64>;
        let max = U256::MAX;
        let half = word(1) << 255;
        let minus = |n: u64| U256::ZERO.wrapping_sub(word(n));
        for (kind, ty, opcode, top, below, expected) in [
            (Add, unsigned(256), opcode::ADD, max, word(1), Some((word(0), max))),
            (Add, unsigned(256), opcode::ADD, max, word(0), None),
            (Add, unsigned(8), opcode::ADD, word(200), word(56), Some((word(0), word(255)))),
            // What is left in front of a narrow number does not count.
            (Add, unsigned(8), opcode::ADD, word(0x1c8), word(55), None),
            (Add, signed(8), opcode::ADD, word(100), word(100), Some((minus(56), word(127)))),
            (Add, signed(8), opcode::ADD, minus(100), minus(100), Some((word(56), minus(128)))),
            (Add, signed(256), opcode::ADD, minus(1), word(1), None),
            (Subtract, unsigned(256), opcode::SUB, word(0), word(1), Some((max, word(0)))),
            (Subtract, signed(256), opcode::SUB, word(0), word(1), None),
            (Subtract, unsigned(256), opcode::ADD, word(5), minus(6), Some((max, word(0)))),
            (Subtract, unsigned(256), opcode::ADD, minus(5), word(5), None),
            (Multiply, unsigned(256), opcode::MUL, word(2), half, Some((word(0), max))),
            (Multiply, unsigned(256), opcode::SHL, word(1), half, Some((word(0), max))),
            (Multiply, signed(256), opcode::MUL, minus(1), half, Some((half, half - word(1)))),
            (Multiply, signed(256), opcode::MUL, minus(1), word(5), None),
            (Power, unsigned(256), opcode::EXP, word(10), word(77), None),
            (Power, unsigned(256), opcode::EXP, word(2), word(256), Some((word(0), max))),
            (Power, unsigned(256), opcode::EXP, word(2), max, Some((word(0), max))),
            (Narrow, unsigned(8), opcode::AND, word(255), word(300), Some((word(44), word(255)))),
            (Narrow, unsigned(8), opcode::AND, word(300), word(255), Some((word(44), word(255)))),
            (Narrow, unsigned(8), opcode::AND, word(300), word(15), None),
            (Narrow, signed(8), opcode::SIGNEXTEND, word(0), word(200), Some((minus(56), word(127)))),
        ] {
            assert_eq!(wraps(kind, ty, opcode, top, below), expected, "{kind:?} {ty:?} {top} {below}");
        }
    }

    proptest::proptest! {
        #[test]
        fn bytes_wrap_as_they_do_here(left: u8, right: u8) {
            let word = |n: u8| U256::from(n);
            let expected = |checked: Option<u8>, wrapped: u8, nearest: u8| checked.is_none().then(|| (word(wrapped), word(nearest)));
            let of = |kind, opcode| wraps(kind, unsigned(8), opcode, word(left), word(right));
            proptest::prop_assert_eq!(
                of(OperationKind::Add, opcode::ADD),
                expected(left.checked_add(right), left.wrapping_add(right), u8::MAX)
            );
            proptest::prop_assert_eq!(
                of(OperationKind::Subtract, opcode::SUB),
                expected(left.checked_sub(right), left.wrapping_sub(right), 0)
            );
            proptest::prop_assert_eq!(
                of(OperationKind::Multiply, opcode::MUL),
                expected(left.checked_mul(right), left.wrapping_mul(right), u8::MAX)
            );
        }
    }
}
