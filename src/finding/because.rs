//! Why a finding is one, in a sentence: what its oracle found out when it ran the last call otherwise.

use super::story::told_call;
use crate::{
    harness::Harness,
    oracle::{ComparedWord, Grounds},
};
use alloy_primitives::I256;

/// One sentence, or two.
pub(super) fn because(harness: &Harness, grounds: &Grounds) -> String {
    match grounds {
        Grounds::Always(sentence) => (*sentence).to_owned(),
        Grounds::Compared(left, right) => {
            format!("An assertion states what always holds; here it compares {} with {}.", side(*left), side(*right))
        }
        Grounds::InSetup => "It fails while the contract is set up: nothing is deployed that way.".to_owned(),
        Grounds::OtherArguments(other) => {
            format!("The caller chose what fails, and is refused: `{}` comes past it.", told_call(harness, other))
        }
        Grounds::FromTheStart => {
            "The same call fails in the same way right after the setup: nobody's call led there, and it is only refused."
                .to_owned()
        }
        Grounds::LedThere { tried: 0 } => {
            "The calls before led there: right after the setup the same call does not fail here, and its arguments do not avoid it."
                .to_owned()
        }
        Grounds::LedThere { tried } => format!(
            "The calls before led there: right after the setup the same call does not fail here, and none of {tried} calls with \
             other arguments comes past it now."
        ),
    }
}

/// A side of a comparison: a number, or what looks like a hash in hexadecimal digits.
fn side(side: ComparedWord) -> String {
    match side.signed {
        true => I256::from_raw(side.word).to_string(),
        false if side.word.bit_len() > 200 => format!("{:#x}", side.word),
        false => side.word.to_string(),
    }
}
