//! A [`Difference`] is the signed distance of two words, and a [`Relation`] is the condition on it under which a branch goes
//! one way. The paper's costs (HARVEY §IV-C) are unsigned distances. The sign is kept because a line through signed points
//! crosses zero where a line through distances only turns around.

use super::integer::Integer;
use crate::evm::{Branch, Operator};
use alloy_primitives::{I256, U256};

/// A condition on a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// 0
    Zero,
    /// anything but 0
    NonZero,
    /// less than 0
    Negative,
    /// 0 or more
    NonNegative,
    /// more than 0
    Positive,
    /// 0 or less
    NonPositive,
}

impl Relation {
    /// The condition on the difference of the operands under which the comparison holds, or does not hold.
    pub fn of(operator: Operator, holds: bool) -> Self {
        match (operator, holds) {
            (Operator::Equal, true) | (Operator::Differ, false) => Self::Zero,
            (Operator::Equal, false) | (Operator::Differ, true) => Self::NonZero,
            (Operator::Less | Operator::SignedLess, true) => Self::Negative,
            (Operator::Less | Operator::SignedLess, false) => Self::NonNegative,
            (Operator::Greater | Operator::SignedGreater, true) => Self::Positive,
            (Operator::Greater | Operator::SignedGreater, false) => Self::NonPositive,
        }
    }

    /// Whether the difference meets the condition.
    pub fn holds(self, difference: Integer) -> bool {
        match self {
            Self::Zero => difference.is_zero(),
            Self::NonZero => !difference.is_zero(),
            Self::Negative => difference.is_negative(),
            Self::NonNegative => !difference.is_negative(),
            Self::Positive => difference.is_positive(),
            Self::NonPositive => !difference.is_positive(),
        }
    }

    /// The closest difference that meets the condition.
    pub fn nearest(self, difference: Integer) -> Integer {
        match self {
            _ if self.holds(difference) => difference,
            Self::Zero | Self::NonNegative | Self::NonPositive => Integer::ZERO,
            Self::NonZero | Self::Positive => Integer::ONE,
            Self::Negative => Integer::MINUS_ONE,
        }
    }
}

/// The signed distance of two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// Left minus right.
    pub value: Integer,
    /// Whether only its remainder modulo 2^256 matters, as for `==`. The value is then the one closest to 0.
    pub modular: bool,
}

impl Difference {
    /// The difference of a branch's operands, signed or unsigned as its comparison reads them.
    pub fn of(branch: &Branch) -> Self {
        Self::between(branch.operator, branch.left, branch.right)
    }

    /// The difference of two words, signed or unsigned as this comparison reads them.
    pub fn between(operator: Operator, left: U256, right: U256) -> Self {
        match operator {
            Operator::Equal | Operator::Differ => Self::modular(left, right),
            Operator::Less | Operator::Greater => Self { value: unsigned(left) - unsigned(right), modular: false },
            Operator::SignedLess | Operator::SignedGreater => {
                Self { value: signed(left) - signed(right), modular: false }
            }
        }
    }

    /// The difference of two words that have to be equal, or different.
    pub fn modular(left: U256, right: U256) -> Self {
        Self { value: signed(left.wrapping_sub(right)), modular: true }
    }
}

/// The word as an unsigned number.
pub(crate) fn unsigned(word: U256) -> Integer {
    Integer::from_raw(alloy_primitives::U512::from(word))
}

/// The number as a word, modulo 2^256.
pub(crate) fn word(number: Integer) -> U256 {
    U256::from_limbs_slice(&number.into_raw().as_limbs()[..4])
}

/// The word as a two's complement number.
pub(crate) fn signed(word: U256) -> Integer {
    let number = I256::from_raw(word);
    let size = unsigned(number.unsigned_abs());
    if number.is_negative() { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::ProgramId;

    fn branch(operator: Operator, left: U256, right: U256, held: bool) -> Branch {
        Branch { program: ProgramId(0), pc: 0, taken: held, operator, negated: false, in_source: true, left, right }
    }

    #[test]
    fn a_difference_is_exact_at_the_edges() {
        let (zero, max, lowest) = (U256::ZERO, U256::MAX, U256::ONE << 255);
        let number = |text: &str| text.parse::<Integer>().unwrap();
        for (operator, left, right, expected) in [
            (Operator::Equal, zero, max, "1"),
            (Operator::Equal, max, zero, "-1"),
            (Operator::Less, zero, max, &format!("-{max}")),
            (Operator::Greater, max, zero, &max.to_string()),
            (Operator::SignedLess, max, zero, "-1"),
            (Operator::SignedGreater, lowest - U256::ONE, lowest, &max.to_string()),
        ] {
            assert_eq!(Difference::of(&branch(operator, left, right, true)).value, number(expected), "{operator:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn the_relation_tells_the_side_and_the_cost_is_the_way_to_the_other(
            operator in proptest::sample::select(vec![
                Operator::Equal, Operator::Differ, Operator::Less, Operator::Greater, Operator::SignedLess,
                Operator::SignedGreater,
            ]),
            left: [u64; 4],
            right: [u64; 4],
            near in proptest::option::of(0_u64..3),
        ) {
            let left = U256::from_limbs(left);
            let right = near.map_or(U256::from_limbs(right), |near| left.wrapping_add(U256::from(near)));
            let holds = match operator {
                Operator::Equal => left == right,
                Operator::Differ => left != right,
                Operator::Less => left < right,
                Operator::Greater => left > right,
                Operator::SignedLess => I256::from_raw(left) < I256::from_raw(right),
                Operator::SignedGreater => I256::from_raw(left) > I256::from_raw(right),
            };
            let branch = branch(operator, left, right, holds);
            let difference = Difference::of(&branch);
            proptest::prop_assert!(Relation::of(operator, holds).holds(difference.value));
            let other = Relation::of(operator, !holds);
            proptest::prop_assert!(!other.holds(difference.value));
            proptest::prop_assert!(other.holds(other.nearest(difference.value)));
            if !difference.modular && left != right && branch.cost() < U256::MAX {
                let way = other.nearest(difference.value) - difference.value;
                proptest::prop_assert_eq!(way.unsigned_abs(), unsigned(branch.cost()).unsigned_abs());
            }
        }
    }
}
