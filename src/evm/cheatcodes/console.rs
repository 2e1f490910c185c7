//! `console.log`: what a call of the console's account says, as text. Its functions are `log` with up to four parameters of four types, and
//! a few with one parameter of another type. Older libraries call an unsigned number `uint`, which is no type of the ABI.

use super::{arguments::Arguments, error::CheatError};
use alloy_primitives::{
    Address, B256, I256, U256, hex, keccak256,
    map::HashMap,
    utils::{ParseUnits, Unit},
};
use std::{borrow::Cow, sync::LazyLock};

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Uint,
    Int,
    Text,
    Bool,
    Address,
    Bytes,
    /// So many bytes in a word.
    Fixed(u8),
}

/// A parameter's value.
enum Value<'a> {
    Uint(U256),
    Int(I256),
    Text(Cow<'a, str>),
    Bool(bool),
    Address(Address),
    Bytes(Cow<'a, [u8]>),
}

/// The functions of the console, by selector.
static FUNCTIONS: LazyLock<HashMap<[u8; 4], Vec<Kind>>> = LazyLock::new(functions);

fn functions() -> HashMap<[u8; 4], Vec<Kind>> {
    let mut functions = HashMap::default();
    let mut add = |parameters: &[(&str, Kind)]| {
        let types: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
        let kinds: Vec<Kind> = parameters.iter().map(|(_, kind)| *kind).collect();
        let mut signatures = vec![format!("log({})", types.join(","))];
        signatures.push(signatures[0].replace("int256", "int"));
        for signature in signatures {
            let [first, second, third, fourth, ..] = keccak256(signature).0;
            functions.insert([first, second, third, fourth], kinds.clone());
        }
    };
    const FOUR: [(&str, Kind); 4] =
        [("uint256", Kind::Uint), ("string", Kind::Text), ("bool", Kind::Bool), ("address", Kind::Address)];
    let mut lists: Vec<Vec<(&str, Kind)>> = vec![Vec::new()];
    for _ in 0..=4 {
        lists.iter().for_each(|list| add(list));
        lists = lists.iter().flat_map(|list| FOUR.map(|one| [&list[..], &[one]].concat())).collect();
    }
    add(&[("int256", Kind::Int)]);
    add(&[("string", Kind::Text), ("int256", Kind::Int)]);
    add(&[("bytes", Kind::Bytes)]);
    for size in 1..=32 {
        add(&[(format!("bytes{size}").as_str(), Kind::Fixed(size))]);
    }
    functions
}

/// What a call with this calldata says; none if it is no function of the console.
pub(super) fn text(input: &[u8]) -> Option<String> {
    let (selector, data) = input.split_first_chunk::<4>()?;
    let kinds = FUNCTIONS.get(selector)?;
    let arguments = Arguments::new(data);
    let values = kinds.iter().enumerate().map(|(index, kind)| value(arguments, index, *kind));
    let values: Vec<Value<'_>> = values.collect::<Result<_, _>>().ok()?;
    Some(match values.split_first() {
        Some((Value::Text(format), rest)) if !rest.is_empty() => formatted(format, rest),
        _ => values.iter().map(|value| value.text('s')).collect::<Vec<_>>().join(" "),
    })
}

fn value(arguments: Arguments<'_>, index: usize, kind: Kind) -> Result<Value<'_>, CheatError> {
    Ok(match kind {
        Kind::Uint => Value::Uint(arguments.word(index)?),
        Kind::Int => Value::Int(arguments.int(index)?),
        Kind::Text => Value::Text(arguments.text(index)?),
        Kind::Bool => Value::Bool(arguments.boolean(index)?),
        Kind::Address => Value::Address(arguments.address(index)?),
        Kind::Bytes => Value::Bytes(Cow::Borrowed(arguments.bytes(index)?)),
        Kind::Fixed(size) => {
            let word: B256 = arguments.b256(index)?;
            Value::Bytes(Cow::Owned(word[..usize::from(size)].to_vec()))
        }
    })
}

/// A format with its values filled in, and the values that it has no place for behind it.
fn formatted(format: &str, values: &[Value<'_>]) -> String {
    let (mut text, mut left) = (String::with_capacity(format.len()), values.iter());
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let digits = behind.len() - behind.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let place = behind[digits..].chars().next();
        let decimals = behind[..digits].parse::<u8>().ok();
        let taken = match place {
            Some('%') if digits == 0 => {
                text.push('%');
                Some(1)
            }
            Some('e') => left.next().map(|value| {
                text.push_str(&value.exponent(decimals));
                digits + 1
            }),
            Some(letter @ ('s' | 'd' | 'i' | 'o' | 'x')) if digits == 0 => left.next().map(|value| {
                text.push_str(&value.text(letter));
                1
            }),
            _ => None,
        };
        if taken.is_none() {
            text.push('%');
        }
        rest = &behind[taken.unwrap_or(0)..];
    }
    text.push_str(rest);
    for value in left {
        text.push(' ');
        text.push_str(&value.text('s'));
    }
    text
}

impl Value<'_> {
    /// The value as a letter of a format asks for it.
    fn text(&self, letter: char) -> String {
        match (self, letter) {
            (Self::Uint(word), 'x') => format!("{word:#x}"),
            (Self::Uint(word), _) => word.to_string(),
            (Self::Int(int), 'x') => format!("{int:#x}"),
            (Self::Int(int), _) => int.to_string(),
            (Self::Text(_), 'd' | 'i' | 'x') => "NaN".to_owned(),
            (Self::Text(text), 'o') => format!("'{text}'"),
            (Self::Text(text), _) => text.clone().into_owned(),
            (Self::Bool(value), 'd' | 'i') => u8::from(*value).to_string(),
            (Self::Bool(value), _) => value.to_string(),
            (Self::Address(at), 'd' | 'i') => U256::from_be_slice(at.as_slice()).to_string(),
            (Self::Address(at), _) => at.to_string(),
            (Self::Bytes(bytes), _) => hex::encode_prefixed(bytes),
        }
    }

    /// A number as a product with a power of ten, or as one with so many decimals.
    fn exponent(&self, decimals: Option<u8>) -> String {
        let (word, sign) = match self {
            Self::Uint(word) => (*word, ""),
            Self::Int(int) => (int.unsigned_abs(), if int.is_negative() { "-" } else { "" }),
            other => return other.text('d'),
        };
        if let Some(unit) = decimals.and_then(Unit::new) {
            let text = ParseUnits::U256(word).format_units(unit);
            let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            return format!("{sign}{text}");
        }
        let digits = word.to_string();
        let (first, behind) = digits.split_at(1);
        let behind = behind.trim_end_matches('0');
        let point = if behind.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{behind}e{}", digits.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_dyn_abi::DynSolValue;

    fn said(signature: &str, values: Vec<DynSolValue>) -> Option<String> {
        let mut input = keccak256(signature)[..4].to_vec();
        input.extend(DynSolValue::Tuple(values).abi_encode_params());
        text(&input)
    }

    fn uint(number: u64) -> DynSolValue {
        DynSolValue::Uint(U256::from(number), 256)
    }

    fn string(text: &str) -> DynSolValue {
        DynSolValue::String(text.to_owned())
    }

    #[test]
    fn values_are_told_one_behind_the_other_or_where_the_format_says() {
        let cases = [
            ("log()", vec![], ""),
            ("log(string)", vec![string("100%")], "100%"),
            ("log(uint)", vec![uint(7)], "7"),
            ("log(uint256,bool)", vec![uint(7), DynSolValue::Bool(true)], "7 true"),
            ("log(string,uint256)", vec![string("is %s, %s"), uint(7)], "is 7, %s"),
            ("log(string,uint256,uint256)", vec![string("a %x"), uint(255), uint(1)], "a 0xff 1"),
            ("log(string,uint256)", vec![string("%e ether %%"), uint(1_500_000)], "1.5e6 ether %"),
            ("log(string,uint256)", vec![string("%3e"), uint(1_500)], "1.5"),
            ("log(bytes4)", vec![DynSolValue::FixedBytes(B256::repeat_byte(0xab), 4)], "0xabababab"),
            ("log(int256)", vec![DynSolValue::Int(I256::MINUS_ONE, 256)], "-1"),
        ];
        for (signature, values, expected) in cases {
            assert_eq!(said(signature, values).as_deref(), Some(expected), "{signature}");
        }
        assert_eq!(said("log(uint8)", vec![uint(7)]), None);
    }

    proptest::proptest! {
        #[test]
        fn no_calldata_makes_it_panic(at: proptest::sample::Index, data: Vec<u8>, format: String, number: u64) {
            let selector = FUNCTIONS.keys().nth(at.index(FUNCTIONS.len())).unwrap();
            text(&[&selector[..], &data].concat());
            text(&data);
            said("log(string,uint256)", vec![string(&format), uint(number)]);
        }
    }
}
