//! Assertions that compare two values. One that fails reverts with Foundry's words.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, Cheatcode, supported},
    error::CheatError,
    returns,
};
use alloy_primitives::{
    Address, B256, I256, U256, hex,
    utils::{ParseUnits, Unit},
};

/// What the two have to be to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Different,
    Less,
    Greater,
    AtMost,
    AtLeast,
}

impl Relation {
    fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Different => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::Greater => order.is_gt(),
            Self::AtMost => order.is_le(),
            Self::AtLeast => order.is_ge(),
        }
    }

    /// What they are instead.
    fn opposite(self) -> &'static str {
        match self {
            Self::Equal => "!=",
            Self::Different => "==",
            Self::Less => ">=",
            Self::Greater => "<=",
            Self::AtMost => ">",
            Self::AtLeast => "<",
        }
    }
}

/// The type of the two values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Uint,
    Int,
    Address,
    Bytes32,
    String,
    Bytes,
}

/// A value, or the elements of a list.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Compared<'a> {
    Word(U256),
    Int(I256),
    Bytes(&'a [u8]),
}

impl Compared<'_> {
    fn text(&self, kind: Kind) -> String {
        match self {
            Self::Int(int) => int.to_string(),
            Self::Bytes(bytes) if kind == Kind::String => String::from_utf8_lossy(bytes).into_owned(),
            Self::Bytes(bytes) => hex::encode_prefixed(bytes),
            Self::Word(word) => match kind {
                Kind::Bool => (!word.is_zero()).to_string(),
                Kind::Address => Address::from_word((*word).into()).to_string(),
                Kind::Bytes32 => B256::from(*word).to_string(),
                _ => word.to_string(),
            },
        }
    }
}

fn of_word(word: U256, kind: Kind) -> Compared<'static> {
    match kind {
        Kind::Int => Compared::Int(I256::from_raw(word)),
        Kind::Bool => Compared::Word(U256::from(!word.is_zero())),
        Kind::Address => Compared::Word(word & (U256::MAX >> 96)),
        _ => Compared::Word(word),
    }
}

fn read(arguments: Arguments<'_>, index: usize, kind: Kind) -> Result<Compared<'_>, CheatError> {
    match kind {
        Kind::String | Kind::Bytes => arguments.bytes(index).map(Compared::Bytes),
        _ => arguments.word(index).map(|word| of_word(word, kind)),
    }
}

fn read_list(arguments: Arguments<'_>, index: usize, kind: Kind) -> Result<Vec<Compared<'_>>, CheatError> {
    match kind {
        Kind::String | Kind::Bytes => Ok(arguments.many(index)?.into_iter().map(Compared::Bytes).collect()),
        _ => Ok(arguments.words(index)?.into_iter().map(|word| of_word(word, kind)).collect()),
    }
}

/// The failure of an assertion; `message` is where the test's own words stand, if it has some.
pub(super) fn failed(arguments: Arguments<'_>, message: Option<usize>, why: Option<&str>) -> CheatError {
    let own = message.and_then(|index| arguments.text(index).ok());
    let mut text = own.map_or_else(|| "assertion failed".to_owned(), std::borrow::Cow::into_owned);
    if let Some(why) = why {
        text = format!("{text}: {why}");
    }
    CheatError::Assertion(text)
}

/// Compares two values.
fn values(arguments: Arguments<'_>, relation: Relation, kind: Kind, message: Option<usize>) -> Answer {
    let (left, right) = (read(arguments, 0, kind)?, read(arguments, 1, kind)?);
    if relation.holds(left.cmp(&right)) {
        return Ok(returns::nothing());
    }
    let why = format!("{} {} {}", left.text(kind), relation.opposite(), right.text(kind));
    Err(failed(arguments, message, Some(&why)))
}

/// Compares two lists.
fn lists(arguments: Arguments<'_>, relation: Relation, kind: Kind, message: Option<usize>) -> Answer {
    let (left, right) = (read_list(arguments, 0, kind)?, read_list(arguments, 1, kind)?);
    if relation.holds(left.cmp(&right)) {
        return Ok(returns::nothing());
    }
    let text = |list: &[Compared<'_>]| {
        let elements: Vec<String> = list.iter().map(|element| element.text(kind)).collect();
        format!("[{}]", elements.join(", "))
    };
    let why = format!("{} {} {}", text(&left), relation.opposite(), text(&right));
    Err(failed(arguments, message, Some(&why)))
}

/// A number with so many decimals.
pub(super) fn decimal(word: U256, is_signed: bool, decimals: U256) -> String {
    let number = if is_signed { ParseUnits::I256(I256::from_raw(word)) } else { ParseUnits::U256(word) };
    match Unit::new(decimals.saturating_to()) {
        Some(unit) => number.format_units(unit),
        None => number.to_string(),
    }
}

/// Compares two numbers that are told with decimals.
fn decimals(arguments: Arguments<'_>, relation: Relation, kind: Kind, message: Option<usize>) -> Answer {
    let (left, right) = (read(arguments, 0, kind)?, read(arguments, 1, kind)?);
    if relation.holds(left.cmp(&right)) {
        return Ok(returns::nothing());
    }
    let text = |index| Ok(decimal(arguments.word(index)?, kind == Kind::Int, arguments.word(2)?));
    let why = format!("{} {} {}", text(0)?, relation.opposite(), text(1)?);
    Err(failed(arguments, message, Some(&why)))
}

fn truth(arguments: Arguments<'_>, expected: bool, message: Option<usize>) -> Answer {
    if arguments.boolean(0)? == expected { Ok(returns::nothing()) } else { Err(failed(arguments, message, None)) }
}

fn is_true(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    truth(arguments, true, None)
}

fn is_true_told(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    truth(arguments, true, Some(1))
}

fn is_false(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    truth(arguments, false, None)
}

fn is_false_told(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    truth(arguments, false, Some(1))
}

/// The four forms of an assertion on one type: values and lists, without and with a message.
macro_rules! forms {
    ($name:literal, $relation:ident, $type:literal, $kind:ident, $docs:expr) => {
        [
            supported(
                concat!($name, "(", $type, ",", $type, ")"),
                "",
                |_, arguments| values(arguments, Relation::$relation, Kind::$kind, None),
                $docs,
            ),
            supported(
                concat!($name, "(", $type, ",", $type, ",string)"),
                "",
                |_, arguments| values(arguments, Relation::$relation, Kind::$kind, Some(2)),
                "",
            ),
            supported(
                concat!($name, "(", $type, "[],", $type, "[])"),
                "",
                |_, arguments| lists(arguments, Relation::$relation, Kind::$kind, None),
                "",
            ),
            supported(
                concat!($name, "(", $type, "[],", $type, "[],string)"),
                "",
                |_, arguments| lists(arguments, Relation::$relation, Kind::$kind, Some(2)),
                "",
            ),
        ]
    };
}

/// The two forms of an assertion on numbers of one type that are told with decimals, without and with a message.
macro_rules! decimal_forms {
    ($name:literal, $relation:ident, $type:literal, $kind:ident, $docs:expr) => {
        [
            supported(
                concat!($name, "Decimal(", $type, ",", $type, ",uint256)"),
                "",
                |_, arguments| decimals(arguments, Relation::$relation, Kind::$kind, None),
                $docs,
            ),
            supported(
                concat!($name, "Decimal(", $type, ",", $type, ",uint256,string)"),
                "",
                |_, arguments| decimals(arguments, Relation::$relation, Kind::$kind, Some(3)),
                "",
            ),
        ]
    };
}

/// The forms of an assertion on an order, of numbers of both types.
macro_rules! order_forms {
    ($name:literal, $relation:ident, $docs:expr) => {
        [
            number_forms!($name, $relation, "uint256", Uint, $docs),
            number_forms!($name, $relation, "int256", Int, ""),
            decimal_forms!($name, $relation, "uint256", Uint, AS_DECIMALS),
            decimal_forms!($name, $relation, "int256", Int, ""),
        ]
    };
}

/// The two plain forms of an assertion on numbers of one type, without and with a message.
macro_rules! number_forms {
    ($name:literal, $relation:ident, $type:literal, $kind:ident, $docs:expr) => {
        [
            supported(
                concat!($name, "(", $type, ",", $type, ")"),
                "",
                |_, arguments| values(arguments, Relation::$relation, Kind::$kind, None),
                $docs,
            ),
            supported(
                concat!($name, "(", $type, ",", $type, ",string)"),
                "",
                |_, arguments| values(arguments, Relation::$relation, Kind::$kind, Some(2)),
                "",
            ),
        ]
    };
}

const EQUAL: &str = "The two are equal.";
const DIFFERENT: &str = "The two differ.";
const AS_DECIMALS: &str = "The same for numbers that are shown with this many decimals.";

const EQUALITIES: &[[Cheatcode; 4]] = &[
    [
        supported("assertTrue(bool)", "", is_true, "The condition holds."),
        supported("assertTrue(bool,string)", "", is_true_told, ""),
        supported("assertFalse(bool)", "", is_false, "The condition does not hold."),
        supported("assertFalse(bool,string)", "", is_false_told, ""),
    ],
    forms!("assertEq", Equal, "bool", Bool, EQUAL),
    forms!("assertEq", Equal, "uint256", Uint, ""),
    forms!("assertEq", Equal, "int256", Int, ""),
    forms!("assertEq", Equal, "address", Address, ""),
    forms!("assertEq", Equal, "bytes32", Bytes32, ""),
    forms!("assertEq", Equal, "string", String, ""),
    forms!("assertEq", Equal, "bytes", Bytes, ""),
    forms!("assertNotEq", Different, "bool", Bool, DIFFERENT),
    forms!("assertNotEq", Different, "uint256", Uint, ""),
    forms!("assertNotEq", Different, "int256", Int, ""),
    forms!("assertNotEq", Different, "address", Address, ""),
    forms!("assertNotEq", Different, "bytes32", Bytes32, ""),
    forms!("assertNotEq", Different, "string", String, ""),
    forms!("assertNotEq", Different, "bytes", Bytes, ""),
];

const ORDERS: &[[[Cheatcode; 2]; 4]] = &[
    order_forms!("assertLt", Less, "The first is less than the second."),
    order_forms!("assertGt", Greater, "The first is greater than the second."),
    order_forms!("assertLe", AtMost, "The first is at most the second."),
    order_forms!("assertGe", AtLeast, "The first is at least the second."),
    [
        decimal_forms!("assertEq", Equal, "uint256", Uint, AS_DECIMALS),
        decimal_forms!("assertEq", Equal, "int256", Int, ""),
        decimal_forms!("assertNotEq", Different, "uint256", Uint, AS_DECIMALS),
        decimal_forms!("assertNotEq", Different, "int256", Int, ""),
    ],
];

pub(super) const EQUALITY: CheatFamily = CheatFamily {
    title: "Assertions of equality",
    about: "An assertion that fails reverts, with the test's own message if it has one.",
    cheatcodes: EQUALITIES.as_flattened(),
};

pub(super) const ORDER: CheatFamily =
    CheatFamily { title: "Assertions on numbers", about: "", cheatcodes: ORDERS.as_flattened().as_flattened() };
