//! Assertions that two numbers are near each other: by a difference, or by a share of the second one.

use super::{
    arguments::Arguments,
    assert::{decimal, failed},
    cheatcode::{Answer, CheatFamily, Cheatcode, supported},
    error::CheatError,
    returns,
};
use alloy_primitives::{I256, U256};

/// A share of 1 as a number: 1e18 is 100 %.
const WHOLE: U256 = U256::from_limbs([1_000_000_000_000_000_000, 0, 0, 0]);
/// Decimals of a share that is told in percent.
const PERCENT: U256 = U256::from_limbs([16, 0, 0, 0]);

/// What stands where in the calldata.
#[derive(Clone, Copy)]
struct Form {
    is_signed: bool,
    has_decimals: bool,
    message: Option<usize>,
}

/// The difference of two numbers; the largest number where it is larger.
fn difference(arguments: Arguments<'_>, is_signed: bool) -> Result<U256, CheatError> {
    let (left, right) = (arguments.word(0)?, arguments.word(1)?);
    if !is_signed {
        return Ok(left.abs_diff(right));
    }
    let ((one, left), (other, right)) =
        (I256::from_raw(left).into_sign_and_abs(), I256::from_raw(right).into_sign_and_abs());
    Ok(if one == other { left.abs_diff(right) } else { left.saturating_add(right) })
}

/// A number as the assertion tells it.
fn told(arguments: Arguments<'_>, word: U256, is_signed: bool, form: Form) -> Result<String, CheatError> {
    Ok(match form.has_decimals {
        true => decimal(word, is_signed, arguments.word(3)?),
        false if is_signed => I256::from_raw(word).to_string(),
        false => word.to_string(),
    })
}

fn by_difference(arguments: Arguments<'_>, form: Form) -> Answer {
    let (most, real) = (arguments.word(2)?, difference(arguments, form.is_signed)?);
    if real <= most {
        return Ok(returns::nothing());
    }
    let side = |index| told(arguments, arguments.word(index)?, form.is_signed, form);
    let delta = |word| told(arguments, word, false, form);
    let why = format!("{} !~= {} (max delta: {}, real delta: {})", side(0)?, side(1)?, delta(most)?, delta(real)?);
    Err(failed(arguments, form.message, Some(&why)))
}

/// The difference as a share of the second number; none if that is zero and the other is not.
fn share(arguments: Arguments<'_>, is_signed: bool) -> Result<Option<U256>, CheatError> {
    let right = arguments.word(1)?;
    let right = if is_signed { I256::from_raw(right).unsigned_abs() } else { right };
    let difference = difference(arguments, is_signed)?;
    if right.is_zero() {
        return Ok(difference.is_zero().then_some(U256::ZERO));
    }
    let overflow = || CheatError::Assertion("overflow in delta calculation".to_owned());
    difference.checked_mul(WHOLE).map(|scaled| Some(scaled / right)).ok_or_else(overflow)
}

fn by_share(arguments: Arguments<'_>, form: Form) -> Answer {
    let most = arguments.word(2)?;
    let real = match share(arguments, form.is_signed) {
        Ok(Some(real)) if real <= most => return Ok(returns::nothing()),
        Ok(real) => real,
        Err(CheatError::Assertion(why)) => return Err(failed(arguments, form.message, Some(&why))),
        Err(error) => return Err(error),
    };
    let side = |index| told(arguments, arguments.word(index)?, form.is_signed, form);
    let percent = |share: U256| format!("{}%", decimal(share, false, PERCENT));
    let why = format!(
        "{} !~= {} (max delta: {}, real delta: {})",
        side(0)?,
        side(1)?,
        percent(most),
        real.map_or_else(|| "undefined".to_owned(), percent)
    );
    Err(failed(arguments, form.message, Some(&why)))
}

/// The forms of an assertion on numbers of one type: plain and with decimals, without and with a message.
macro_rules! forms {
    ($name:literal, $compare:ident, $type:literal, $is_signed:literal, $docs:expr, $decimals:expr) => {
        [
            supported(
                concat!($name, "(", $type, ",", $type, ",uint256)"),
                "",
                |_, a| $compare(a, Form { is_signed: $is_signed, has_decimals: false, message: None }),
                $docs,
            ),
            supported(
                concat!($name, "(", $type, ",", $type, ",uint256,string)"),
                "",
                |_, a| $compare(a, Form { is_signed: $is_signed, has_decimals: false, message: Some(3) }),
                "",
            ),
            supported(
                concat!($name, "Decimal(", $type, ",", $type, ",uint256,uint256)"),
                "",
                |_, a| $compare(a, Form { is_signed: $is_signed, has_decimals: true, message: None }),
                $decimals,
            ),
            supported(
                concat!($name, "Decimal(", $type, ",", $type, ",uint256,uint256,string)"),
                "",
                |_, a| $compare(a, Form { is_signed: $is_signed, has_decimals: true, message: Some(4) }),
                "",
            ),
        ]
    };
}

const ABSOLUTE: &str = "The two differ by no more than the third.";
const RELATIVE: &str = "The two differ by no more than this share of the second one, where 1e18 is 100 %.";
const AS_DECIMALS: &str = "The same for numbers that are shown with this many decimals.";

const NEAR: &[[Cheatcode; 4]] = &[
    forms!("assertApproxEqAbs", by_difference, "uint256", false, ABSOLUTE, AS_DECIMALS),
    forms!("assertApproxEqAbs", by_difference, "int256", true, "", ""),
    forms!("assertApproxEqRel", by_share, "uint256", false, RELATIVE, AS_DECIMALS),
    forms!("assertApproxEqRel", by_share, "int256", true, "", ""),
];

pub(super) const FAMILY: CheatFamily =
    CheatFamily { title: "Assertions of approximate equality", about: "", cheatcodes: NEAR.as_flattened() };
