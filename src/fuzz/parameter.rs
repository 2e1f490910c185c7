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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evm::Moment,
        input::{Interface, Part, Position},
    };
    use std::sync::Arc;

    fn setting(generator: &Generator) -> Setting {
        let function = &generator.interface.functions[0];
        let transaction = Transaction {
            function: function.id,
            arguments: function.inputs.iter().map(|parameter| parameter.ty.zero()).collect(),
            sender: Address::ZERO,
            value: U256::ZERO,
            delay: Default::default(),
        };
        Setting { transaction, snapshot: Snapshot::empty(Moment { timestamp: 1, number: 1 }) }
    }

    fn argument(index: u16) -> Parameter {
        Parameter::Field(Field::Argument { index, position: Position { path: vec![], part: Part::Word } })
    }

    #[test]
    fn a_number_is_held_or_refused_at_the_edges_of_its_type() {
        let interface = Interface::sample(&["function f(uint256 a, int256 b, uint8 c, bytes4 d, bool e)"]);
        let generator = Generator::new(Arc::new(interface), vec![], vec![]);
        let function = &generator.interface.functions[0];
        let power = |bits: usize| -> Integer { Integer::ONE << bits };
        let one = Integer::ONE;
        for (index, number, holds) in [
            (0, power(256) - one, true),
            (0, power(256), false),
            (0, -one, false),
            (1, -power(255), true),
            (1, -power(255) - one, false),
            (1, power(255) - one, true),
            (1, power(255), false),
            (2, power(8) - one, true),
            (2, power(8), false),
            (3, power(32) - one, true),
            (3, power(32), false),
            (4, one, true),
            (4, one + one, false),
        ] {
            let mut setting = setting(&generator);
            assert_eq!(argument(index).set(&mut setting, &generator, number), holds, "{index}: {number}");
            let expected = if holds { number } else { Integer::ZERO };
            assert_eq!(argument(index).number(&setting, function), Some(expected));
            let span = argument(index).span(expected, function).unwrap();
            assert!(!span.lowest.is_positive() && !span.highest.is_negative());
        }
    }

    #[test]
    fn a_part_of_a_slot_is_set_and_the_rest_stays() {
        let generator = Generator::new(Arc::new(Interface::sample(&["function f()"])), vec![], vec![]);
        let function = &generator.interface.functions[0];
        let (address, slot) = (Address::repeat_byte(7), U256::from(3));
        let mut setting = setting(&generator);
        setting.snapshot = setting.snapshot.with_slot(address, slot, U256::from(0x11_2233));
        let part = Parameter::Storage { address, slot, shift: 8, bits: 8 };
        assert_eq!(part.number(&setting, function), Some(unsigned(U256::from(0x22))));
        assert!(part.set(&mut setting, &generator, unsigned(U256::from(0xab))));
        assert_eq!(setting.snapshot.slot(address, slot), U256::from(0x11_ab33));
        assert!(!part.set(&mut setting, &generator, unsigned(U256::from(0x100))));
    }
}
