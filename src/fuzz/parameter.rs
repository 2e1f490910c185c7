//! A [`Parameter`] is one word that a run depends on and that can be set: a field of the transaction, or a part of a
//! storage slot. It says which numbers the word can be and how to set it, so that what is solved for numbers can be run.

use crate::{
    evm::Snapshot,
    input::{Field, Function, Generator, Shape, Transaction},
    solve::{Integer, Span, signed, unsigned},
};
use alloy_primitives::{Address, U256};

/// A word to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Parameter {
    /// Of the transaction.
    Field(Field),
    /// Of the state: `bits` bits of a slot, `shift` bits from its right end.
    Storage { address: Address, slot: U256, shift: usize, bits: usize },
}

/// What a parameter is set in.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    pub(super) transaction: Transaction,
    pub(super) snapshot: Snapshot,
}

impl Parameter {
    /// The number that it is now.
    pub(super) fn number(&self, setting: &Setting, function: &Function) -> Option<Integer> {
        match self {
            Self::Field(field) => {
                let word = setting.transaction.word(field)?;
                Some(match field.shape(function)? {
                    Shape::Signed(_) => signed(word),
                    Shape::Left(bytes) => unsigned(word >> (256 - 8 * bytes)),
                    Shape::Unsigned(_) | Shape::Length(_) => unsigned(word),
                })
            }
            Self::Storage { address, slot, shift, bits } => {
                Some(unsigned((setting.snapshot.slot(*address, *slot) >> *shift) & mask(*bits)))
            }
        }
    }

    /// Sets it; `false`, with nothing changed, if it cannot be this number.
    pub(super) fn set(&self, setting: &mut Setting, generator: &Generator, number: Integer) -> bool {
        let function = generator.interface.function(setting.transaction.function);
        let Some((lowest, highest)) = self.bounds(function) else { return false };
        if number < lowest || highest < number {
            return false;
        }
        // Within the bounds 256 bits hold all that there is.
        let word: U256 = U256::from_limbs_slice(&number.into_raw().as_limbs()[..4]);
        match self {
            Self::Field(field) => {
                let word = match field.shape(function) {
                    Some(Shape::Left(bytes)) => word << (256 - 8 * bytes),
                    _ => word,
                };
                generator.set_word(&mut setting.transaction, field, word)
            }
            Self::Storage { address, slot, shift, bits } => {
                let rest = setting.snapshot.slot(*address, *slot) & !(mask(*bits) << *shift);
                setting.snapshot = setting.snapshot.with_slot(*address, *slot, rest | (word << *shift));
                true
            }
        }
    }

    /// How far it can go from a number, both ways.
    pub(super) fn span(&self, number: Integer, function: &Function) -> Option<Span> {
        let (lowest, highest) = self.bounds(function)?;
        Some(Span { lowest: lowest - number, highest: highest - number })
    }

    /// The lowest and the highest number.
    fn bounds(&self, function: &Function) -> Option<(Integer, Integer)> {
        let power = |bits: usize| -> Integer { Integer::ONE << bits };
        Some(match self {
            Self::Field(field) => match field.shape(function)? {
                Shape::Unsigned(bits) => (Integer::ZERO, power(bits) - Integer::ONE),
                Shape::Signed(bits) => (-power(bits - 1), power(bits - 1) - Integer::ONE),
                Shape::Left(bytes) => (Integer::ZERO, power(8 * bytes) - Integer::ONE),
                Shape::Length(most) => (Integer::ZERO, unsigned(U256::from(most))),
            },
            Self::Storage { bits, .. } => (Integer::ZERO, power(*bits) - Integer::ONE),
        })
    }
}

fn mask(bits: usize) -> U256 {
    if bits >= 256 { U256::MAX } else { (U256::ONE << bits) - U256::ONE }
}
