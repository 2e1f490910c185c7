//! Mutation of one value: exactly one leaf or one length changes, by the operators of sFuzz (table 1) or by drawing it anew,
//! and the value keeps its type. The choice among the parameters of a transaction is [`super::Generator`]'s.

use alloy_primitives::U256;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::number;
use super::types::Type;
use super::value::{self, MAX_BYTES, Value, ValueSource, max_elements};
use super::words::{Position, Shape, ValuePart, from_width, set_word, shape, to_width, word};

/// Changes a value at exactly one place, and returns which. `None`, with nothing changed, only if the type has a single value
/// or the value is not of the type.
///
/// Where the answer's part is [`ValuePart::Word`], [`ValuePart::Length`] or [`ValuePart::Chunk`], this one word is all that changed,
/// except that an array that grew has new elements, too.
pub fn mutate<R: Rng + ?Sized>(
    value: &mut Value,
    ty: &Type,
    rng: &mut R,
    source: &ValueSource<'_>,
) -> Option<Position> {
    let mut path = Vec::new();
    let part = change(value, ty, rng, source, &mut path)?;
    Some(Position { path, part })
}

fn change<R: Rng + ?Sized>(
    value: &mut Value,
    ty: &Type,
    rng: &mut R,
    source: &ValueSource<'_>,
    path: &mut Vec<u32>,
) -> Option<ValuePart> {
    match (value, ty) {
        (Value::Tuple(items), Type::Tuple { fields, .. }) => {
            if fields.is_empty() || fields.len() != items.len() {
                return None;
            }
            let first = rng.random_range(0..fields.len() as u32) as usize;
            let at = (0..fields.len()).map(|i| (first + i) % fields.len()).find(|i| !fields[*i].ty.is_constant())?;
            path.push(at as u32);
            change(&mut items[at], &fields[at].ty, rng, source, path)
        }
        (Value::FixedArray(items), Type::FixedArray(inner, _)) => {
            if items.is_empty() || inner.is_constant() {
                return None;
            }
            if rng.random_range(0..16u32) == 0 && swap(items, rng) {
                return Some(ValuePart::Content);
            }
            change_element(items, inner, rng, source, path)
        }
        (Value::Array(items), Type::Array(inner)) => {
            if items.is_empty() || inner.is_constant() || rng.random_range(0..3u32) == 0 {
                return Some(change_array(items, inner, rng, source));
            }
            change_element(items, inner, rng, source, path)
        }
        (Value::Bytes(bytes), Type::Bytes) => Some(change_bytes(bytes, rng, source)),
        (Value::String(string), Type::String) => Some(change_string(string, rng, source)),
        (value, ty) => {
            let shape = shape(ty, &Position::WORD)?;
            let old = word(value, &Position::WORD)?;
            let new = change_word(old, ty, shape, rng, source);
            set_word(value, ty, &Position::WORD, new).then_some(ValuePart::Word)
        }
    }
}

fn change_element<R: Rng + ?Sized>(
    items: &mut [Value],
    inner: &Type,
    rng: &mut R,
    source: &ValueSource<'_>,
    path: &mut Vec<u32>,
) -> Option<ValuePart> {
    let at = rng.random_range(0..items.len() as u32);
    path.push(at);
    change(&mut items[at as usize], inner, rng, source, path)
}

/// Another word of this type.
fn change_word<R: Rng + ?Sized>(old: U256, ty: &Type, shape: Shape, rng: &mut R, source: &ValueSource<'_>) -> U256 {
    let dictionary = source.dictionary;
    let x = to_width(old, shape);
    let new = match ty {
        Type::Bool => x ^ U256::ONE,
        Type::Address => change_address(x, rng, source, |rng| value::address(rng, source)),
        Type::Contract { name, is_declared } => {
            change_address(x, rng, source, |rng| value::contract(rng, source, name, *is_declared))
        }
        Type::Enum { members, .. } => {
            let drawn = (0..4).map(|_| U256::from(value::member(rng, *members))).find(|new| *new != x);
            // An enum of one member has nowhere else to go but out of its range.
            drawn.unwrap_or_else(|| (x + U256::ONE) % U256::from((*members).max(2)))
        }
        Type::Int(bits) => number::step(rng, x, *bits, dictionary, |rng| number::signed_number(rng, *bits, dictionary)),
        Type::FixedBytes(n) => {
            number::step(rng, x, 8 * n, dictionary, |rng| to_width(value::fixed_bytes(rng, *n, source).into(), shape))
        }
        _ => {
            let bits = match shape {
                Shape::Unsigned(bits) | Shape::Signed(bits) => bits,
                Shape::Left(n) => 8 * n,
                Shape::Length(_) => 256,
            };
            number::step(rng, x, bits, dictionary, |rng| number::number(rng, bits, dictionary))
        }
    };
    from_width(new, shape)
}

/// Another address: mostly one that exists.
fn change_address<R: Rng + ?Sized>(
    x: U256,
    rng: &mut R,
    source: &ValueSource<'_>,
    draw: impl Fn(&mut R) -> alloy_primitives::Address,
) -> U256 {
    if rng.random_range(0..16u32) > 0 {
        for _ in 0..4 {
            let drawn: U256 = draw(rng).into_word().into();
            if drawn != x {
                return drawn;
            }
        }
    }
    number::step(rng, x, 160, source.dictionary, |rng| number::random(rng, 160))
}

/// Changes the length of an array, or the order of its elements.
fn change_array<R: Rng + ?Sized>(
    items: &mut Vec<Value>,
    inner: &Type,
    rng: &mut R,
    source: &ValueSource<'_>,
) -> ValuePart {
    let most = max_elements(inner);
    let length = items.len();
    let operator = if length == 0 { rng.random_range(0..3u32) } else { rng.random_range(0..10u32) };
    match operator {
        // Grow at the end, by one or (sFuzz: any length up to 255) by more.
        0..3 if length < most => {
            let more = match rng.random_range(0..8u32) {
                0 => rng.random_range(1..=32u32) as usize,
                1 => 2,
                _ => 1,
            };
            let more = more.min(most - length);
            items.extend((0..more).map(|_| inner.generate(rng, source)));
            ValuePart::Length
        }
        3 | 4 if length < most => {
            let copied = items.choose(rng).cloned();
            items.extend(copied);
            ValuePart::Length
        }
        5 => {
            items.truncate(rng.random_range(0..length as u32) as usize);
            ValuePart::Length
        }
        6 if length > 1 => {
            let at = rng.random_range(0..length as u32 - 1) as usize;
            items.remove(at);
            ValuePart::Content
        }
        7 | 8 if swap(items, rng) => ValuePart::Content,
        _ => {
            if items.pop().is_none() {
                items.push(inner.zero());
            }
            ValuePart::Length
        }
    }
}

/// Swaps two elements that differ, if it finds some.
fn swap<R: Rng + ?Sized>(items: &mut [Value], rng: &mut R) -> bool {
    if items.len() < 2 {
        return false;
    }
    let a = rng.random_range(0..items.len() as u32) as usize;
    let b = (a + rng.random_range(1..items.len() as u32) as usize) % items.len();
    if items[a] == items[b] {
        return false;
    }
    items.swap(a, b);
    true
}

fn change_bytes<R: Rng + ?Sized>(bytes: &mut Vec<u8>, rng: &mut R, source: &ValueSource<'_>) -> ValuePart {
    let old = bytes.clone();
    for _ in 0..4 {
        edit_bytes(bytes, rng, source);
        bytes.truncate(MAX_BYTES.max(old.len()));
        if *bytes != old {
            return difference(&old, bytes);
        }
    }
    if bytes.pop().is_none() {
        bytes.push(0);
    }
    ValuePart::Length
}

/// One edit of a byte string, possibly without effect.
fn edit_bytes<R: Rng + ?Sized>(bytes: &mut Vec<u8>, rng: &mut R, source: &ValueSource<'_>) {
    let length = bytes.len();
    let operator = if length == 0 { rng.random_range(0..4u32) } else { rng.random_range(0..18u32) };
    match operator {
        0 => *bytes = value::bytes(rng, source),
        1 | 2 => {
            let count = insertion(rng);
            bytes.extend(value::bytes_of_length(rng, count, source));
        }
        3 => {
            let at = rng.random_range(0..=length as u32) as usize;
            let count = insertion(rng);
            let new = value::bytes_of_length(rng, count, source);
            bytes.splice(at..at, new);
        }
        4 => bytes.truncate(rng.random_range(0..length as u32) as usize),
        5 => {
            let at = rng.random_range(0..length as u32) as usize;
            let end = (at + insertion(rng)).min(length);
            bytes.drain(at..end);
        }
        6..9 => {
            let at = rng.random_range(0..length as u32) as usize;
            bytes[at] ^= 1 << rng.random_range(0..8u32);
        }
        9..11 => {
            let at = rng.random_range(0..length as u32) as usize;
            bytes[at] = rng.random();
        }
        11..13 => {
            let at = rng.random_range(0..length as u32) as usize;
            let step = rng.random_range(1..=35u8);
            bytes[at] = if rng.random() { bytes[at].wrapping_add(step) } else { bytes[at].wrapping_sub(step) };
        }
        _ => {
            // A whole word, where `abi.decode` would read one, changed as a number. Calldata has a selector before its words.
            let selector = if length % 32 == 4 && length > 4 { 4 } else { 0 };
            let words = (length - selector).div_ceil(32) as u32;
            let start = selector + 32 * rng.random_range(0..words) as usize;
            let end = (start + 32).min(length);
            let shape = Shape::Left(end - start);
            let mut word = [0; 32];
            word[..end - start].copy_from_slice(&bytes[start..end]);
            let x = to_width(U256::from_be_bytes(word), shape);
            let bits = 8 * (end - start);
            let dictionary = source.dictionary;
            let new = number::step(rng, x, bits, dictionary, |rng| number::number(rng, bits, dictionary));
            let word = from_width(new, shape).to_be_bytes::<32>();
            bytes[start..end].copy_from_slice(&word[..end - start]);
        }
    }
}

/// The number of bytes to insert or erase: one, a few, or a word.
fn insertion<R: Rng + ?Sized>(rng: &mut R) -> usize {
    [1, 1, 2, 4, 20, 32, 32, 64][rng.random_range(0..8u32) as usize]
}

fn change_string<R: Rng + ?Sized>(string: &mut String, rng: &mut R, source: &ValueSource<'_>) -> ValuePart {
    let old = string.clone();
    for _ in 0..4 {
        edit_string(string, rng, source);
        if *string != old && string.len() <= MAX_BYTES.max(old.len()) {
            return difference(old.as_bytes(), string.as_bytes());
        }
        string.clone_from(&old);
    }
    if string.pop().is_none() {
        string.push('a');
    }
    ValuePart::Length
}

/// One edit of a text, by characters, possibly without effect.
fn edit_string<R: Rng + ?Sized>(string: &mut String, rng: &mut R, source: &ValueSource<'_>) {
    let operator = if string.is_empty() { rng.random_range(0..3u32) } else { rng.random_range(0..10u32) };
    match operator {
        0 => *string = value::string(rng, source),
        1 => string.push(value::ascii(rng)),
        2 => string.push_str(&value::string(rng, source)),
        3 => string.push_str(&string.clone()),
        4 => {
            string.pop();
        }
        operator => {
            let at = boundary(string, rng);
            let (end, old) = match string[at..].chars().next() {
                Some(c) => (at + c.len_utf8(), c),
                None => return,
            };
            match operator {
                5 => string.truncate(at),
                6 => string.insert(at, value::ascii(rng)),
                7 => {
                    string.remove(at);
                }
                8 if old.is_ascii_alphabetic() => {
                    let flipped = char::from(old as u8 ^ 0x20);
                    string.replace_range(at..end, flipped.encode_utf8(&mut [0; 4]));
                }
                _ => string.replace_range(at..end, value::ascii(rng).encode_utf8(&mut [0; 4])),
            }
        }
    }
}

/// Where a random character of a text starts.
fn boundary<R: Rng + ?Sized>(string: &str, rng: &mut R) -> usize {
    string.floor_char_boundary(rng.random_range(0..string.len().max(1) as u32) as usize)
}

/// Which part of a byte string an edit changed.
fn difference(old: &[u8], new: &[u8]) -> ValuePart {
    if old.len() != new.len() {
        let common = old.len().min(new.len());
        return if old[..common] == new[..common] { ValuePart::Length } else { ValuePart::Content };
    }
    let mut changed = (0..).zip(old.chunks(32).zip(new.chunks(32))).filter(|(_, (old, new))| old != new);
    match (changed.next(), changed.next()) {
        (Some((i, _)), None) => ValuePart::Chunk(i),
        _ => ValuePart::Content,
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::Address;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::input::dictionary::Dictionary;

    #[test]
    fn what_changed_is_told() {
        let cases: [(&[u8], &[u8], ValuePart); 5] = [
            (&[1], &[1, 2], ValuePart::Length),
            (&[1, 2], &[2], ValuePart::Content),
            (&[0; 40], &[&[0; 39][..], &[1]].concat(), ValuePart::Chunk(1)),
            (&[7; 40], &[8; 40], ValuePart::Content),
            (&[7; 32], &[8; 32], ValuePart::Chunk(0)),
        ];
        for (old, new, part) in cases {
            assert_eq!(difference(old, new), part, "{old:?} {new:?}");
        }
    }

    #[test]
    fn small_types_always_change() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let accounts = [Address::ZERO];
        let dictionary = Dictionary::default();
        let source = ValueSource::sample(&dictionary, &accounts);
        let one = Type::Enum { name: "One".to_owned(), members: 1 };
        let two = Type::Enum { name: "Two".to_owned(), members: 2 };
        for ty in [Type::Bool, one, two, Type::Address, Type::Uint(8), Type::Int(8), Type::FixedBytes(1), Type::String]
        {
            for _ in 0..200 {
                let mut value = ty.zero();
                assert!(mutate(&mut value, &ty, &mut rng, &source).is_some());
                assert!(value != ty.zero() && ty.accepts(&value), "{ty:?} {value:?}");
            }
        }
    }

    #[test]
    fn a_type_with_one_value_has_no_mutation() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let dictionary = Dictionary::default();
        let source = ValueSource::sample(&dictionary, &[]);
        let empty = Type::Tuple { name: String::new(), fields: Vec::new() };
        assert_eq!(mutate(&mut empty.zero(), &empty, &mut rng, &source), None);
    }
}
