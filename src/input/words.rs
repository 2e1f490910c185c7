//! Words: a view of a value as the 256-bit words that make it up, each with its position, so that a prediction or a shrinker
//! can read one and set it without knowing types. Setting a word does exactly that, or refuses.

use alloy_primitives::{Address, B256, Function, I256, U256};

use super::leaves::text;
use super::number;
use super::types::Type;
use super::value::{MAX_BYTES, Value, left_aligned, max_elements};

/// A place in a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The path to it: an index into each array and struct. Empty for the value itself.
    pub path: Vec<u32>,
    /// The part of the value there.
    pub part: ValuePart,
}

/// A part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValuePart {
    /// The one word of a number, boolean, address, enum, `bytesN` or function.
    Word,
    /// The length of an array, `bytes` or `string`.
    Length,
    /// The i-th 32 bytes of a `bytes` or `string`, left-aligned, zeros after its end.
    Chunk(u32),
    /// Several words at once: elements removed or swapped, bytes moved. A mutation may report it; it is never one of
    /// [`words`] and cannot be set.
    Content,
}

/// The numbers that the word at a position can be, and where they wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number from 0 up, of this many bits. An enum has 8.
    Unsigned(usize),
    /// A two's complement number of this many bits, sign-extended to the word.
    Signed(usize),
    /// This many bytes at the left of the word; the rest is zero.
    Left(usize),
    /// A length, at most this.
    Length(usize),
}

impl Position {
    /// The one word of a value that is neither array nor struct.
    pub const WORD: Self = Self { path: Vec::new(), part: ValuePart::Word };
}

/// Every word of a value, with its position, in order.
#[must_use]
pub fn words(value: &Value, ty: &Type) -> Vec<(Position, U256)> {
    let mut words = Vec::new();
    visit(value, ty, &mut Vec::new(), &mut |path, part, word| {
        words.push((Position { path: path.to_vec(), part }, word));
    });
    words
}

/// Whether a value has this word somewhere.
#[must_use]
pub fn contains(value: &Value, ty: &Type, word: U256) -> bool {
    let mut found = false;
    visit(value, ty, &mut Vec::new(), &mut |_, _, other| found |= other == word);
    found
}

/// The word at a position, if there is one.
#[must_use]
pub fn word(value: &Value, position: &Position) -> Option<U256> {
    let mut here = value;
    for index in &position.path {
        here = items(here)?.get(*index as usize)?;
    }
    match position.part {
        ValuePart::Word => single(here),
        ValuePart::Length => Some(U256::from(match here {
            Value::Array(items) => items.len(),
            _ => text(here)?.len(),
        })),
        ValuePart::Chunk(i) => chunk(text(here)?, i),
        ValuePart::Content => None,
    }
}

/// Sets the word at a position; `false`, with nothing changed, where there is no such position or the type cannot hold
/// the word there. A longer array is filled up with zero values, a longer string with `a`.
pub fn set_word(value: &mut Value, ty: &Type, position: &Position, word: U256) -> bool {
    match locate(value, ty, &position.path) {
        Some((value, ty)) => set(value, ty, position.part, word),
        None => false,
    }
}

/// The shape of the word at a position; `None` where the type has no such position. It does not depend on a value: whether an
/// array is that long, [`word`] tells.
#[must_use]
pub fn shape(ty: &Type, position: &Position) -> Option<Shape> {
    let mut here = ty;
    for index in &position.path {
        here = match here {
            Type::Array(inner) | Type::FixedArray(inner, _) => inner,
            Type::Tuple { fields, .. } => &fields.get(*index as usize)?.ty,
            _ => return None,
        };
    }
    match (position.part, here) {
        (ValuePart::Word, Type::Bool) => Some(Shape::Unsigned(1)),
        (ValuePart::Word, Type::Address | Type::Contract { .. }) => Some(Shape::Unsigned(160)),
        (ValuePart::Word, Type::Enum { .. }) => Some(Shape::Unsigned(8)),
        (ValuePart::Word, Type::Uint(bits)) => Some(Shape::Unsigned(*bits)),
        (ValuePart::Word, Type::Int(bits)) => Some(Shape::Signed(*bits)),
        (ValuePart::Word, Type::FixedBytes(n)) => Some(Shape::Left(*n)),
        (ValuePart::Word, Type::Function) => Some(Shape::Left(24)),
        (ValuePart::Length, Type::Array(inner)) => Some(Shape::Length(max_elements(inner))),
        (ValuePart::Length, Type::Bytes | Type::String) => Some(Shape::Length(MAX_BYTES)),
        (ValuePart::Chunk(_), Type::Bytes | Type::String) => Some(Shape::Left(32)),
        _ => None,
    }
}

/// The value and type at a path.
pub(super) fn locate<'a>(value: &'a mut Value, ty: &'a Type, path: &[u32]) -> Option<(&'a mut Value, &'a Type)> {
    let Some((first, rest)) = path.split_first() else { return Some((value, ty)) };
    let index = *first as usize;
    let (inner, ty) = match (value, ty) {
        (Value::Array(items), Type::Array(inner)) | (Value::FixedArray(items), Type::FixedArray(inner, _)) => {
            (items.get_mut(index)?, &**inner)
        }
        (Value::Tuple(items), Type::Tuple { fields, .. }) => (items.get_mut(index)?, &fields.get(index)?.ty),
        _ => return None,
    };
    locate(inner, ty, rest)
}

/// Calls `see` with each word of a value.
fn visit(value: &Value, ty: &Type, path: &mut Vec<u32>, see: &mut impl FnMut(&[u32], ValuePart, U256)) {
    if let Some(word) = single(value) {
        see(path, ValuePart::Word, word);
    } else if let Some(bytes) = text(value) {
        see(path, ValuePart::Length, U256::from(bytes.len()));
        for i in 0..bytes.len().div_ceil(32) as u32 {
            see(path, ValuePart::Chunk(i), chunk(bytes, i).unwrap_or_default());
        }
    } else if let Some(items) = items(value) {
        if matches!(value, Value::Array(_)) {
            see(path, ValuePart::Length, U256::from(items.len()));
        }
        for (i, item) in (0..).zip(items) {
            let ty = match ty {
                Type::Array(inner) | Type::FixedArray(inner, _) => inner,
                Type::Tuple { fields, .. } if (i as usize) < fields.len() => &fields[i as usize].ty,
                _ => return,
            };
            path.push(i);
            visit(item, ty, path, see);
            path.pop();
        }
    }
}

/// The word of a value that is one word.
fn single(value: &Value) -> Option<U256> {
    Some(match value {
        Value::Bool(bit) => U256::from(*bit),
        Value::Uint(x, _) => *x,
        Value::Int(x, _) => x.into_raw(),
        Value::Address(address) => address.into_word().into(),
        Value::FixedBytes(word, _) => (*word).into(),
        Value::Function(pointer) => {
            let mut word = [0; 32];
            word[..24].copy_from_slice(pointer.as_slice());
            U256::from_be_bytes(word)
        }
        _ => return None,
    })
}

/// The elements of an array or struct.
fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(items) | Value::FixedArray(items) | Value::Tuple(items) => Some(items),
        _ => None,
    }
}

/// The i-th 32 bytes, if there are any.
fn chunk(bytes: &[u8], i: u32) -> Option<U256> {
    let rest = bytes.get(32 * i as usize..).filter(|rest| !rest.is_empty())?;
    let mut word = [0; 32];
    let length = rest.len().min(32);
    word[..length].copy_from_slice(&rest[..length]);
    Some(U256::from_be_bytes(word))
}

fn set(value: &mut Value, ty: &Type, part: ValuePart, word: U256) -> bool {
    match part {
        ValuePart::Word => match single_of(ty, word) {
            Some(new) => {
                *value = new;
                true
            }
            None => false,
        },
        ValuePart::Length => set_length(value, ty, word),
        ValuePart::Chunk(i) => match value {
            Value::Bytes(bytes) => set_chunk(bytes, i, word),
            Value::String(string) => {
                let mut bytes = string.clone().into_bytes();
                match set_chunk(&mut bytes, i, word).then(|| String::from_utf8(bytes)) {
                    Some(Ok(new)) => {
                        *string = new;
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        },
        ValuePart::Content => false,
    }
}

/// The value of a one-word type with this word, if the type can hold it.
fn single_of(ty: &Type, word: U256) -> Option<Value> {
    let bytes = word.to_be_bytes::<32>();
    Some(match ty {
        Type::Bool if word.bit_len() <= 1 => Value::Bool(!word.is_zero()),
        Type::Address | Type::Contract { .. } if word.bit_len() <= 160 => {
            Value::Address(Address::from_word(B256::from(bytes)))
        }
        Type::Enum { .. } if word.bit_len() <= 8 => Value::Uint(word, 8),
        Type::Uint(bits) if word.bit_len() <= *bits => Value::Uint(word, *bits),
        Type::Int(bits) if number::sign_extend(word & number::mask(*bits), *bits) == word => {
            Value::Int(I256::from_raw(word), *bits)
        }
        Type::FixedBytes(n) if bytes[*n..].iter().all(|byte| *byte == 0) => Value::FixedBytes(B256::from(bytes), *n),
        Type::Function if bytes[24..].iter().all(|byte| *byte == 0) => {
            Value::Function(Function::from_slice(&bytes[..24]))
        }
        _ => return None,
    })
}

fn set_length(value: &mut Value, ty: &Type, word: U256) -> bool {
    let most = match ty {
        Type::Array(inner) => max_elements(inner),
        _ => MAX_BYTES,
    };
    let Some(length) = usize::try_from(word).ok().filter(|length| *length <= most) else { return false };
    match (value, ty) {
        (Value::Array(items), Type::Array(inner)) => items.resize(length, inner.zero()),
        (Value::Bytes(bytes), _) => bytes.resize(length, 0),
        (Value::String(string), _) if length <= string.len() => {
            if !string.is_char_boundary(length) {
                return false;
            }
            string.truncate(length);
        }
        (Value::String(string), _) => string.extend(std::iter::repeat_n('a', length - string.len())),
        _ => return false,
    }
    true
}

fn set_chunk(bytes: &mut [u8], i: u32, word: U256) -> bool {
    let word = word.to_be_bytes::<32>();
    let Some(rest) = bytes.get_mut(32 * i as usize..).filter(|rest| !rest.is_empty()) else { return false };
    let length = rest.len().min(32);
    if word[length..].iter().any(|byte| *byte != 0) {
        return false;
    }
    rest[..length].copy_from_slice(&word[..length]);
    true
}

/// The word of a number in its right-aligned width, as mutation works on it, and back.
pub(super) fn to_width(word: U256, shape: Shape) -> U256 {
    match shape {
        Shape::Left(n) => word >> (256 - 8 * n),
        Shape::Unsigned(bits) | Shape::Signed(bits) => word & number::mask(bits),
        Shape::Length(_) => word,
    }
}

/// The inverse of [`to_width`].
pub(super) fn from_width(x: U256, shape: Shape) -> U256 {
    match shape {
        Shape::Left(n) => left_aligned(x, n).into(),
        Shape::Signed(bits) => number::sign_extend(x, bits),
        Shape::Unsigned(_) | Shape::Length(_) => x,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_nested_value() {
        let ty = Type::Array(Box::new(Type::Bytes));
        let value = Value::Array(vec![Value::Bytes(vec![0xab; 33]), Value::Bytes(Vec::new())]);
        let seen: Vec<_> = words(&value, &ty).into_iter().map(|(at, word)| (at.path, at.part, word)).collect();
        let ab = U256::from_be_bytes([0xab; 32]);
        let expected = [
            (vec![], ValuePart::Length, U256::from(2)),
            (vec![0], ValuePart::Length, U256::from(33)),
            (vec![0], ValuePart::Chunk(0), ab),
            (vec![0], ValuePart::Chunk(1), U256::from(0xab) << 248),
            (vec![1], ValuePart::Length, U256::ZERO),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_type_refuses_what_it_cannot_hold() {
        let minus_one = U256::MAX;
        let cases = [
            (Type::Uint(8), U256::from(255), true),
            (Type::Uint(8), U256::from(256), false),
            (Type::Int(8), minus_one, true),
            (Type::Int(8), U256::from(128), false),
            (Type::Bool, U256::from(2), false),
            (Type::Address, U256::ONE << 160, false),
            (Type::FixedBytes(4), U256::from(1) << 224, true),
            (Type::FixedBytes(4), U256::from(1), false),
            (Type::Enum { name: String::new(), members: 3 }, U256::from(2), true),
        ];
        for (ty, word, held) in cases {
            let mut value = ty.zero();
            assert_eq!(set_word(&mut value, &ty, &Position::WORD, word), held, "{ty} {word}");
            assert_eq!(value == ty.zero(), !held);
        }
    }

    #[test]
    fn strings_stay_utf8() {
        let mut value = Value::String("aé".to_owned());
        let length = Position { path: vec![], part: ValuePart::Length };
        assert!(!set_word(&mut value, &Type::String, &length, U256::from(2)), "in the middle of a character");
        let chunk = Position { path: vec![], part: ValuePart::Chunk(0) };
        assert!(!set_word(&mut value, &Type::String, &chunk, U256::from(0xff) << 248));
        assert!(set_word(&mut value, &Type::String, &length, U256::from(4)));
        assert_eq!(value, Value::String("aéa".to_owned()));
    }
}
