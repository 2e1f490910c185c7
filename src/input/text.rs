//! The text of values in corpus files, which is read back: decimal integers, `0x` bytes and addresses, `true`, a string as
//! itself, arrays as `[1, 2]`, structs as `(1, "a")`, strings inside those quoted as in JSON. Text for people, and Solidity, is
//! in `print`.

use alloy_primitives::{Address, B256, Function, I256, U256, hex};

use super::number;
use super::types::Type;
use super::value::Value;

/// A value as text that [`parse`] reads back.
#[must_use]
pub fn to_text(value: &Value) -> String {
    match value {
        Value::String(string) => string.clone(),
        _ => {
            let mut out = String::new();
            write_value(value, &mut out);
            out
        }
    }
}

/// The value of a type that a text stands for. Beside what [`to_text`] writes, integers may be hexadecimal and
/// addresses in any case.
///
/// # Errors
///
/// A description of the mistake and of what was expected, without the place.
pub fn parse(text: &str, ty: &Type) -> Result<Value, String> {
    if *ty == Type::String {
        return Ok(Value::String(text.to_owned()));
    }
    let mut rest = text;
    let value = parse_value(&mut rest, ty)?;
    match rest.trim_start() {
        "" => Ok(value),
        rest => Err(format!("expected `{ty}`, found `{}` after it", shortened(rest))),
    }
}

fn write_value(value: &Value, out: &mut String) {
    let text = match value {
        Value::Bool(bit) => bit.to_string(),
        Value::Uint(x, _) => x.to_string(),
        Value::Int(x, _) => x.to_string(),
        Value::Address(address) => address.to_string(),
        Value::FixedBytes(word, n) => hex::encode_prefixed(&word[..*n]),
        Value::Function(pointer) => hex::encode_prefixed(pointer),
        Value::Bytes(bytes) => hex::encode_prefixed(bytes),
        Value::String(string) => serde_json::Value::from(string.as_str()).to_string(),
        Value::Array(items) | Value::FixedArray(items) => return write_items(items, '[', ']', out),
        Value::Tuple(items) => return write_items(items, '(', ')', out),
        // Only alloy's eip712 feature has another variant, and nothing here makes one.
        #[allow(unreachable_patterns)]
        _ => return,
    };
    out.push_str(&text);
}

fn write_items(items: &[Value], open: char, close: char, out: &mut String) {
    out.push(open);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_value(item, out);
    }
    out.push(close);
}

/// Reads one value from the start of `rest`.
fn parse_value(rest: &mut &str, ty: &Type) -> Result<Value, String> {
    *rest = rest.trim_start();
    match ty {
        Type::Array(inner) => Ok(Value::Array(parse_items(rest, ty, |_| Some(inner))?)),
        Type::FixedArray(inner, n) => {
            let items = parse_items(rest, ty, |i| (i < *n).then_some(inner))?;
            if items.len() != *n {
                return Err(format!("expected `{ty}`, found another number of elements: {}", items.len()));
            }
            Ok(Value::FixedArray(items))
        }
        Type::Tuple { fields, .. } => {
            let items = parse_items(rest, ty, |i| fields.get(i).map(|field| &field.ty))?;
            if items.len() != fields.len() {
                return Err(format!("expected `{ty}`, found another number of fields: {}", items.len()));
            }
            Ok(Value::Tuple(items))
        }
        Type::String => {
            let mut strings = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            match strings.next() {
                Some(Ok(string)) => {
                    *rest = &rest[strings.byte_offset()..];
                    Ok(Value::String(string))
                }
                _ => Err(format!("expected a string in double quotes, found `{}`", shortened(rest))),
            }
        }
        _ => {
            let end = rest.find([',', ']', ')']).unwrap_or(rest.len());
            let (token, after) = rest.split_at(end);
            *rest = after;
            let token = token.trim();
            parse_token(token, ty).ok_or_else(|| match token {
                "" => format!("expected `{ty}`, found nothing"),
                _ => format!("expected `{ty}`, found `{}`", shortened(token)),
            })
        }
    }
}

/// Reads the elements of an array or the fields of a struct, with their brackets.
fn parse_items<'t>(
    rest: &mut &str,
    ty: &Type,
    inner: impl Fn(usize) -> Option<&'t Type>,
) -> Result<Vec<Value>, String> {
    let (open, close) = if matches!(ty, Type::Tuple { .. }) { ('(', ')') } else { ('[', ']') };
    let expected = |what: char, rest: &str| format!("expected `{what}` of `{ty}`, found `{}`", shortened(rest));
    *rest = rest.strip_prefix(open).ok_or_else(|| expected(open, rest))?.trim_start();
    let mut items = Vec::new();
    if let Some(after) = rest.strip_prefix(close) {
        *rest = after;
        return Ok(items);
    }
    loop {
        let inner = inner(items.len()).ok_or_else(|| expected(close, rest))?;
        items.push(parse_value(rest, inner)?);
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(close) {
            *rest = after;
            return Ok(items);
        }
        *rest = rest.strip_prefix(',').ok_or_else(|| expected(close, rest))?;
    }
}

/// The value of a type that is neither string, array nor struct.
fn parse_token(token: &str, ty: &Type) -> Option<Value> {
    Some(match ty {
        Type::Bool => Value::Bool(token.parse().ok()?),
        Type::Address | Type::Contract { .. } => {
            Value::Address(Address::from_slice(&bytes(token).filter(|b| b.len() == 20)?))
        }
        Type::Uint(bits) => Value::Uint(integer(token).filter(|x| x.bit_len() <= *bits)?, *bits),
        Type::Enum { .. } => Value::Uint(integer(token).filter(|x| x.bit_len() <= 8)?, 8),
        Type::Int(bits) => {
            let raw = match token.strip_prefix('-') {
                Some(token) => integer(token).filter(|x| *x <= U256::ONE << (bits - 1))?.wrapping_neg(),
                None => integer(token).filter(|x| x.bit_len() < *bits)?,
            };
            Value::Int(I256::from_raw(number::sign_extend(raw & number::mask(*bits), *bits)), *bits)
        }
        Type::FixedBytes(n) => {
            let mut word = B256::ZERO;
            word[..*n].copy_from_slice(&bytes(token).filter(|b| b.len() == *n)?);
            Value::FixedBytes(word, *n)
        }
        Type::Function => Value::Function(Function::from_slice(&bytes(token).filter(|b| b.len() == 24)?)),
        Type::Bytes => Value::Bytes(bytes(token)?),
        _ => return None,
    })
}

/// An unsigned integer, decimal or `0x`.
pub(super) fn integer(token: &str) -> Option<U256> {
    let (digits, radix) = match token.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (token, 10),
    };
    // The number parser also takes underscores, signs and nothing at all.
    let plain = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix as u32));
    plain.then(|| U256::from_str_radix(digits, radix).ok()).flatten()
}

/// Bytes with their `0x`.
pub(super) fn bytes(token: &str) -> Option<Vec<u8>> {
    hex::decode(token.strip_prefix("0x")?).ok()
}

/// At most forty characters, for an error.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::types::Parameter;

    fn order() -> Type {
        let field = |ty| Parameter { name: String::new(), ty };
        Type::Tuple { name: String::new(), fields: vec![field(Type::Uint(8)), field(Type::String)] }
    }

    #[test]
    fn values_as_text() {
        let tens = Type::FixedArray(Box::new(Type::Uint(256)), 2);
        let cases = [
            (Type::Uint(256), "1000000000000000000"),
            (Type::Int(8), "-128"),
            (Type::Int(256), "-57896044618658097711785492504343953926634992332820282019728792003956564819968"),
            (Type::Bool, "true"),
            (Type::Address, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
            (Type::FixedBytes(4), "0xdeadbeef"),
            (Type::Bytes, "0x"),
            (Type::String, "as \"it\" is, [1]"),
            (tens, "[1, 2]"),
            (Type::Array(Box::new(order())), r#"[(1, "a, \"b\")\n"), (2, "")]"#),
            (Type::Array(Box::new(Type::Array(Box::new(Type::Bool)))), "[[], [true]]"),
        ];
        for (ty, text) in cases {
            let value = parse(text, &ty).expect(text);
            assert_eq!(to_text(&value), text);
        }
        assert_eq!(
            parse(" [ 0x10 ,2 ]", &Type::Array(Box::new(Type::Uint(8)))).map(|v| to_text(&v)),
            Ok("[16, 2]".to_owned())
        );
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let cases = [
            (Type::Uint(8), "256", "expected `uint8`, found `256`"),
            (Type::Uint(8), "", "expected `uint8`, found nothing"),
            (Type::Uint(8), "1_0", "expected `uint8`, found `1_0`"),
            (Type::Int(8), "-129", "expected `int8`, found `-129`"),
            (Type::Int(8), "128", "expected `int8`, found `128`"),
            (Type::Address, "0x12", "expected `address`, found `0x12`"),
            (Type::FixedBytes(2), "0x1", "expected `bytes2`, found `0x1`"),
            (Type::Bool, "true, false", "expected `bool`, found `, false` after it"),
            (order(), "(1)", "expected `(uint8,string)`, found another number of fields: 1"),
            (order(), "(1, a)", "expected a string in double quotes, found `a)`"),
            (Type::FixedArray(Box::new(Type::Bool), 1), "[true, true]", "expected `]` of `bool[1]`, found ` true]`"),
        ];
        for (ty, text, error) in cases {
            assert_eq!(parse(text, &ty), Err(error.to_owned()));
        }
    }
}
