//! The text of values, amounts and calls for people, and as Solidity expressions. It is not read back (that is `text`). Whole
//! test files are written elsewhere.

use std::fmt::Write;

use alloy_primitives::{Address, I256, U256, hex};

use super::brief::short;
use super::calls::CallTable;
use super::interface::FunctionKind;
use super::number;
use super::transaction::Transaction;
use super::types::{Parameter, Type};
use super::value::Value;

/// The name of an address, if it has one: `alice`, or in Solidity any expression of type `address`.
pub type Names<'a> = &'a dyn Fn(Address) -> Option<String>;

/// A value as a person reads it: decimal numbers, addresses by name, quoted strings, structs with their field names. Nothing is
/// shortened.
#[must_use]
pub fn display(value: &Value, ty: &Type, names: Names<'_>) -> String {
    displayed(value, ty, names, &|whole| {
        if whole == U256::MAX.to_string() { "type(uint256).max".to_owned() } else { whole }
    })
}

/// The same with what is long in its [short form](short).
#[must_use]
pub fn brief(value: &Value, ty: &Type, names: Names<'_>) -> String {
    displayed(value, ty, names, &|whole| short(&whole))
}

fn displayed(value: &Value, ty: &Type, names: Names<'_>, word: &dyn Fn(String) -> String) -> String {
    let list = |items: &[Value], inner: &Type| -> String {
        items.iter().map(|item| displayed(item, inner, names, word)).collect::<Vec<_>>().join(", ")
    };
    match (value, ty) {
        (Value::Address(address), _) => names(*address).unwrap_or_else(|| word(address.to_string())),
        (Value::String(string), _) => format!("{string:?}"),
        (Value::Array(items), Type::Array(inner)) | (Value::FixedArray(items), Type::FixedArray(inner, _)) => {
            format!("[{}]", list(items, inner))
        }
        (Value::Tuple(items), Type::Tuple { name, fields }) => {
            let named = !name.is_empty() && fields.iter().all(|field| !field.name.is_empty());
            let fields: Vec<_> = items
                .iter()
                .zip(fields)
                .map(|(item, field)| match displayed(item, &field.ty, names, word) {
                    text if named => format!("{}: {text}", field.name),
                    text => text,
                })
                .collect();
            if named { format!("{name}({{{}}})", fields.join(", ")) } else { format!("({})", fields.join(", ")) }
        }
        _ => word(super::text::to_text(value)),
    }
}

/// A call as a person reads it: `deposit(1)`, `buy{value: 1 ether}(alice)`, with what is long in its [short form](short).
#[must_use]
pub fn display_call(transaction: &Transaction, calls: &CallTable, names: Names<'_>) -> String {
    let function = calls.function(transaction.call);
    let arguments: Vec<_> = transaction
        .arguments
        .iter()
        .zip(&function.inputs)
        .map(|(argument, parameter)| brief(argument, &parameter.ty, names))
        .collect();
    let options = match transaction.value {
        U256::ZERO => String::new(),
        value => format!("{{value: {}}}", short(&amount(value))),
    };
    format!("{}{options}({})", function.name, arguments.join(", "))
}

/// An amount of wei in the unit in which it is shortest, exactly; also a Solidity literal: `1.5 ether`, `3 gwei`.
#[must_use]
pub fn amount(wei: U256) -> String {
    let gwei = U256::from(1_000_000_000u64);
    let milliether = U256::from(1_000_000_000_000_000u64);
    if wei.is_zero() {
        "0".to_owned()
    } else if (wei % milliether).is_zero() {
        let (whole, thousandths) = (wei / milliether).div_rem(U256::from(1_000));
        let digits = format!("{thousandths:03}");
        match digits.trim_end_matches('0') {
            "" => format!("{whole} ether"),
            digits => format!("{whole}.{digits} ether"),
        }
    } else if (wei % gwei).is_zero() {
        format!("{} gwei", wei / gwei)
    } else {
        format!("{wei} wei")
    }
}

/// A text on one line, its words apart by one space.
#[must_use]
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number with its digits in groups of three; what follows them, such as a unit, stays as it is.
#[must_use]
pub fn grouped(text: &str, separator: char) -> String {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let mut grouped = String::new();
    for (index, digit) in text[..digits].chars().enumerate() {
        if index > 0 && (digits - index).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped + &text[digits..]
}

/// A time in the largest unit that measures it exactly; also a Solidity literal: `2 days`, `90 seconds`.
#[must_use]
pub fn duration(seconds: u64) -> String {
    let units = [(604_800, "weeks"), (86_400, "days"), (3_600, "hours"), (60, "minutes")];
    match units.iter().find(|(unit, _)| seconds > 0 && seconds.is_multiple_of(*unit)) {
        Some((unit, name)) => plural(seconds / unit, name),
        None => plural(seconds, "seconds"),
    }
}

/// `1 day`, `2 days`.
fn plural(count: u64, name: &str) -> String {
    let name = if count == 1 { name.trim_end_matches('s') } else { name };
    format!("{count} {name}")
}

/// A Solidity 0.8 expression of the value's type, for `abi.encode` and its kin; `None` for arrays and structs, which
/// have no literals of their own. An enum is a `uint8`, so that a number outside of it can be written, too.
#[must_use]
pub fn solidity_literal(value: &Value, ty: &Type, names: Names<'_>) -> Option<String> {
    Some(match (value, ty) {
        (Value::Bool(bit), _) => bit.to_string(),
        (Value::Uint(x, bits), _) if *x == number::mask(*bits) => format!("type(uint{bits}).max"),
        (Value::Uint(x, bits), _) => format!("uint{bits}({x})"),
        (Value::Int(x, bits), _) => {
            let min = number::sign_extend(U256::ONE << (bits - 1), *bits);
            if *x == I256::from_raw(min) {
                format!("type(int{bits}).min")
            } else if *x == I256::from_raw(number::mask(bits - 1)) {
                format!("type(int{bits}).max")
            } else {
                format!("int{bits}({x})")
            }
        }
        (Value::Address(address), _) => names(*address).unwrap_or_else(|| address.to_string()),
        (Value::FixedBytes(word, n), _) => format!("bytes{n}(hex\"{}\")", hex::encode(&word[..*n])),
        (Value::Function(pointer), _) => format!("bytes24(hex\"{}\")", hex::encode(pointer)),
        (Value::Bytes(bytes), _) => format!("hex\"{}\"", hex::encode(bytes)),
        (Value::String(string), _) => solidity_string(string),
        _ => return None,
    })
}

/// A Solidity expression of type `bytes` that is the calldata of a call: readable where all its arguments have
/// literals, raw otherwise.
#[must_use]
pub fn solidity_calldata(transaction: &Transaction, calls: &CallTable, names: Names<'_>) -> String {
    let function = calls.function(transaction.call);
    match solidity_literals(&transaction.arguments, &function.inputs, names) {
        Some(literals) if function.kind == FunctionKind::Function => {
            let arguments: String = literals.iter().map(|literal| format!(", {literal}")).collect();
            format!("abi.encodeWithSignature(\"{}\"{arguments})", function.signature)
        }
        _ => format!("hex\"{}\"", hex::encode(transaction.calldata(calls))),
    }
}

/// A Solidity expression for each argument; `None` if one of them has no literal.
#[must_use]
pub fn solidity_literals(arguments: &[Value], parameters: &[Parameter], names: Names<'_>) -> Option<Vec<String>> {
    let pairs = arguments.iter().zip(parameters);
    pairs.map(|(argument, parameter)| solidity_literal(argument, &parameter.ty, names)).collect()
}

/// A Solidity string literal: plain if it is ASCII, `unicode` otherwise.
#[must_use]
pub fn solidity_string(string: &str) -> String {
    let mut literal = String::from(if string.is_ascii() { "\"" } else { "unicode\"" });
    for c in string.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            ' '..='~' => literal.push(c),
            // What ends a line, or turns the direction of text: solc refuses these as they are, some even escaped by
            // an editor. Below U+0080 and in the first plane `\u` names every one of them.
            '\0'..='\u{a0}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
                let _ = write!(literal, "\\u{:04x}", u32::from(c));
            }
            _ => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{calls::InstanceId, text::parse};

    const ALICE: Address = Address::repeat_byte(0x11);

    fn names(address: Address) -> Option<String> {
        (address == ALICE).then(|| "alice".to_owned())
    }

    fn order() -> Type {
        let field = |name: &str, ty| Parameter { name: name.to_owned(), ty };
        let fields = vec![field("maker", Type::Address), field("tags", Type::Array(Box::new(Type::String)))];
        Type::Tuple { name: "Market.Order".to_owned(), fields }
    }

    #[test]
    fn values_for_people() {
        let alice = ALICE.to_string();
        let cases = [
            (Type::Uint(256), U256::MAX.to_string(), "type(uint256).max".to_owned()),
            (Type::Address, alice.clone(), "alice".to_owned()),
            (Type::String, "a\"\u{202e}é".to_owned(), r#""a\"\u{202e}é""#.to_owned()),
            (order(), format!("({alice}, [\"x\"])"), r#"Market.Order({maker: alice, tags: ["x"]})"#.to_owned()),
        ];
        for (ty, text, expected) in cases {
            assert_eq!(display(&parse(&text, &ty).expect("a value"), &ty, &names), expected);
        }
    }

    #[test]
    fn values_as_solidity() {
        let cases = [
            (Type::Uint(8), "3", "uint8(3)"),
            (Type::Uint(8), "255", "type(uint8).max"),
            (Type::Int(16), "-32768", "type(int16).min"),
            (Type::Int(16), "32767", "type(int16).max"),
            (Type::Int(256), "-5", "int256(-5)"),
            (Type::Bool, "true", "true"),
            (Type::Address, "0x1111111111111111111111111111111111111111", "alice"),
            (Type::Address, "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
            (Type::FixedBytes(4), "0xdeadbeef", "bytes4(hex\"deadbeef\")"),
            (Type::Bytes, "0x", "hex\"\""),
            (Type::String, "a\"b\\\n\u{1}", r#""a\"b\\\n\u0001""#),
            (Type::String, "🦀\u{202e}", r#"unicode"🦀\u202e""#),
            (Type::Enum { name: "E".to_owned(), members: 3 }, "7", "uint8(7)"),
        ];
        for (ty, text, expected) in cases {
            let value = parse(text, &ty).expect("a value");
            assert_eq!(solidity_literal(&value, &ty, &names).as_deref(), Some(expected));
        }
        assert_eq!(solidity_literal(&order().zero(), &order(), &names), None);
    }

    #[test]
    fn calls() {
        let market = CallTable::sample(&[
            "function put(uint8 x) payable",
            "function all(uint8[] xs)",
            "receive() external payable",
        ]);
        let cases = [
            ("put(uint8)", 1_500_000_000_000_000_000u64, "put{value: 1.5 ether}(0)"),
            ("all(uint8[])", 0, "all([])"),
            ("receive()", 1, "receive{value: 1 wei}()"),
        ];
        let mut solidity = Vec::new();
        for (signature, wei, expected) in cases {
            let function = market.main().interface.by_signature(signature).expect("a function");
            let start = function.selector.map(Vec::from).unwrap_or_default();
            let mut call = Transaction::decode(&start, InstanceId::MAIN, &market).expect("a call");
            call.value = U256::from(wei);
            assert_eq!(display_call(&call, &market, &names), expected);
            solidity.push(solidity_calldata(&call, &market, &names));
        }
        let all = format!("hex\"9a183037{:064x}{:064x}\"", 32, 0);
        assert_eq!(solidity, ["abi.encodeWithSignature(\"put(uint8)\", uint8(0))", &all, "hex\"\""]);
    }

    #[test]
    fn amounts_and_durations() {
        let amounts = [0, 1, 3_000_000_000, 1_000_000_000_000_000, 20_000_000_000_000_000_000u128].map(U256::from);
        assert_eq!(amounts.map(amount), ["0", "1 wei", "3 gwei", "0.001 ether", "20 ether"]);
        assert_eq!([0, 61, 120, 172_800].map(duration), ["0 seconds", "61 seconds", "2 minutes", "2 days"]);
    }
}
