//! [`Blocks`] says which blocks of a contract's code were reached. Blocks have the same numbers wherever the code is the same, so that
//! what several machines reached is put together by the hash of the code.

use serde::{Deserialize, Serialize};

/// Blocks that were reached: a bit for each block of the code, in hex digits, the lowest of a digit first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub(crate) struct Blocks(Vec<u8>);

/// Bits of a digit.
const BITS: usize = 4;

impl Blocks {
    /// Those of code whose blocks were reached or not, in their order.
    pub(crate) fn of(reached: impl IntoIterator<Item = bool>) -> Self {
        let mut digits = Vec::new();
        for (at, reached) in reached.into_iter().enumerate() {
            if at % BITS == 0 {
                digits.push(0);
            }
            digits[at / BITS] |= u8::from(reached) << (at % BITS);
        }
        Self(digits)
    }

    /// Adds the blocks that others reached.
    pub(crate) fn add(&mut self, others: &Self) {
        self.0.resize(self.0.len().max(others.0.len()), 0);
        self.0.iter_mut().zip(&others.0).for_each(|(digit, other)| *digit |= other);
    }

    /// How many were reached.
    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|digit| digit.count_ones()).sum()
    }
}

impl From<Blocks> for String {
    fn from(blocks: Blocks) -> Self {
        blocks.0.iter().filter_map(|digit| char::from_digit(u32::from(*digit), 16)).collect()
    }
}

impl From<String> for Blocks {
    /// What is no digit is a digit of which nothing was reached.
    fn from(digits: String) -> Self {
        Self(digits.chars().map(|digit| digit.to_digit(16).unwrap_or(0) as u8).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_reached_is_put_together() {
        let reached = |blocks: &[usize]| Blocks::of((0..10).map(|at| blocks.contains(&at)));
        let mut all = reached(&[0, 5]);
        assert_eq!(String::from(all.clone()), "120");
        all.add(&reached(&[0, 9]));
        assert_eq!((String::from(all.clone()), all.count()), ("122".to_owned(), 3));
        assert_eq!(Blocks::from("122".to_owned()), all);
        all.add(&Blocks::from("z0001".to_owned()));
        assert_eq!((String::from(all.clone()), all.count()), ("12201".to_owned(), 4));
        assert_eq!(Blocks::of([]).count(), 0);
    }
}
