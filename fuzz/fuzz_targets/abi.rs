//! The decoder of calldata: any bytes decode as any types to values of these types and of a sane size, which encode as alloy encodes
//! them, decode to themselves, and are made of words that can be read and set. The first bytes say the types, the rest is the calldata.

#![no_main]

use bellwether::input::{Parameter, ValuePart, Type, Value, encode, set_word, words};
use libfuzzer_sys::fuzz_target;

/// Types may be nested so deep.
const MAX_DEPTH: usize = 5;
/// More words than this are not worth a test.
const MAX_WORDS: usize = 2_000;
/// Bytes that repairing malformed calldata may make of it at most, beside those that it has.
const SANE: usize = 8 << 20;

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.iter().copied();
    let count = bytes.next().unwrap_or(0) % 4;
    let parameters: Vec<Parameter> =
        (0..count).map(|_| Parameter { name: String::new(), ty: any_type(&mut bytes, MAX_DEPTH) }).collect();
    if parameters.iter().map(|parameter| least(&parameter.ty)).sum::<usize>() > MAX_WORDS {
        return;
    }
    let data: Vec<u8> = bytes.collect();

    let values = encode::decode(&parameters, &data);
    assert_eq!(values.len(), parameters.len());
    for (value, parameter) in values.iter().zip(&parameters) {
        assert!(parameter.ty.accepts(value), "{} {value:?}", parameter.ty);
    }
    let mut encoded = Vec::new();
    encode::encode(&values, &mut encoded);
    assert!(encoded.len() <= SANE + data.len(), "{} bytes of {}", encoded.len(), data.len());
    assert_eq!(encode::decode(&parameters, &encoded), values, "what was encoded is decoded");
    if encoded.len() > 64 << 10 {
        return;
    }
    assert_eq!(encoded, Value::Tuple(values.clone()).abi_encode_params(), "alloy encodes it otherwise");
    for (mut value, parameter) in values.into_iter().zip(&parameters) {
        let words: Vec<_> = words(&value, &parameter.ty).into_iter().take(64).collect();
        for (position, word) in words {
            assert_eq!(bellwether::input::words::word(&value, &position), Some(word), "{position:?}");
            let before = value.clone();
            // A length may be more than the engine itself makes.
            assert!(set_word(&mut value, &parameter.ty, &position, word) || position.part == ValuePart::Length);
            assert_eq!(value, before, "{position:?}");
        }
    }
});

/// The type that the next bytes say: one that Solidity has, so that nothing in it is empty by its type.
fn any_type(bytes: &mut impl Iterator<Item = u8>, depth: usize) -> Type {
    let (kind, size) = (bytes.next().unwrap_or(0), usize::from(bytes.next().unwrap_or(0)));
    let width = size % 32 + 1;
    match if depth == 0 { kind % 9 } else { kind % 12 } {
        0 => Type::Bool,
        1 => Type::Address,
        2 => Type::Uint(8 * width),
        3 => Type::Int(8 * width),
        4 => Type::FixedBytes(width),
        5 => Type::Function,
        6 => Type::Enum { name: "E".to_owned(), members: size as u16 + 1 },
        7 => Type::Bytes,
        8 => Type::String,
        9 => Type::Array(Box::new(any_type(bytes, depth - 1))),
        10 => Type::FixedArray(Box::new(any_type(bytes, depth - 1)), size % 40 + 1),
        _ => {
            let field = |_| Parameter { name: String::new(), ty: any_type(bytes, depth - 1) };
            Type::Tuple { name: String::new(), fields: (0..=size % 5).map(field).collect() }
        }
    }
}

/// How many values the least value of a type is made of.
fn least(ty: &Type) -> usize {
    match ty {
        Type::Array(inner) => least(inner),
        Type::FixedArray(inner, count) => 1 + count * least(inner),
        Type::Tuple { fields, .. } => 1 + fields.iter().map(|field| least(&field.ty)).sum::<usize>(),
        _ => 1,
    }
}
