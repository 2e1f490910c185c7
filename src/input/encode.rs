//! Encoding: values as ABI calldata (heads, then tails), and calldata back as values. It knows values and types, not
//! selectors; [`super::Transaction`] puts those in front.

use alloy_primitives::{Address, B256, Function, I256, U256};

use super::number;
use super::types::{Parameter, Type};
use super::value::Value;

/// Words that decoding produces at most from calldata that has fewer; chosen by hand. Offsets may overlap, so that short
/// calldata can describe an enormous value.
const MAX_DECODED: usize = 65_536;

/// Appends the encoding of a sequence of values (`abi.encode(a, b, c)`), allocating only to grow `out`.
pub fn encode(values: &[Value], out: &mut Vec<u8>) {
    let start = out.len();
    let mut dynamic = false;
    for value in values {
        if is_dynamic(value) {
            dynamic = true;
            out.extend_from_slice(&[0; 32]);
        } else {
            encode_static(value, out);
        }
    }
    if !dynamic {
        return;
    }
    let mut head = start;
    for value in values {
        if is_dynamic(value) {
            let offset = (out.len() - start) as u64;
            out[head + 24..head + 32].copy_from_slice(&offset.to_be_bytes());
            encode_tail(value, out);
            head += 32;
        } else {
            head += static_length(value);
        }
    }
}

/// Decodes calldata as a contract would read it, and repairs it where it is malformed: bytes beyond its end are zero, words are
/// truncated to their types, lengths to the data, and text to UTF-8.
#[must_use]
pub fn decode(parameters: &[Parameter], data: &[u8]) -> Vec<Value> {
    Decoder { data, left: MAX_DECODED.max(data.len() / 32) }.sequence(parameters.iter().map(|p| &p.ty), 0)
}

fn is_dynamic(value: &Value) -> bool {
    match value {
        Value::Bytes(_) | Value::String(_) | Value::Array(_) => true,
        Value::FixedArray(items) => items.first().is_some_and(is_dynamic),
        Value::Tuple(items) => items.iter().any(is_dynamic),
        _ => false,
    }
}

/// The bytes of a value that is not dynamic.
fn static_length(value: &Value) -> usize {
    match value {
        Value::FixedArray(items) => items.first().map_or(0, static_length) * items.len(),
        Value::Tuple(items) => items.iter().map(static_length).sum(),
        _ => 32,
    }
}

fn encode_static(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Uint(x, _) => out.extend_from_slice(&x.to_be_bytes::<32>()),
        Value::Int(x, _) => out.extend_from_slice(&x.to_be_bytes::<32>()),
        Value::Address(address) => out.extend_from_slice(address.into_word().as_slice()),
        Value::Bool(bit) => out.extend_from_slice(&U256::from(*bit).to_be_bytes::<32>()),
        Value::FixedBytes(word, _) => out.extend_from_slice(word.as_slice()),
        Value::Function(pointer) => {
            out.extend_from_slice(pointer.as_slice());
            out.extend_from_slice(&[0; 8]);
        }
        Value::FixedArray(items) | Value::Tuple(items) => items.iter().for_each(|item| encode_static(item, out)),
        // Dynamic values have tails, not heads.
        _ => {}
    }
}

fn encode_tail(value: &Value, out: &mut Vec<u8>) {
    let packed = match value {
        Value::Bytes(bytes) => bytes,
        Value::String(string) => string.as_bytes(),
        Value::Array(items) => {
            out.extend_from_slice(&U256::from(items.len()).to_be_bytes::<32>());
            return encode(items, out);
        }
        Value::FixedArray(items) | Value::Tuple(items) => return encode(items, out),
        _ => return,
    };
    out.extend_from_slice(&U256::from(packed.len()).to_be_bytes::<32>());
    out.extend_from_slice(packed);
    out.resize(out.len() + packed.len().wrapping_neg() % 32, 0);
}

struct Decoder<'a> {
    data: &'a [u8],
    /// Words that may still be made.
    left: usize,
}

impl<'a> Decoder<'a> {
    /// The values of a sequence whose heads start at `start`, which is also what their offsets count from.
    fn sequence<'t>(&mut self, types: impl Iterator<Item = &'t Type>, start: usize) -> Vec<Value> {
        let mut head = start;
        let mut values = Vec::new();
        for ty in types {
            let at = if ty.is_dynamic() { start.saturating_add(self.length(head)) } else { head };
            values.push(self.value(ty, at));
            head = head.saturating_add(32 * ty.head_words());
        }
        values
    }

    fn value(&mut self, ty: &Type, at: usize) -> Value {
        self.left = self.left.saturating_sub(1);
        let word = self.word(at);
        let bytes = word.to_be_bytes::<32>();
        match ty {
            Type::Bool => Value::Bool(!word.is_zero()),
            Type::Address | Type::Contract { .. } => Value::Address(Address::from_word(B256::from(bytes))),
            Type::Uint(bits) => Value::Uint(word & number::mask(*bits), *bits),
            Type::Enum { .. } => Value::Uint(word & number::mask(8), 8),
            Type::Int(bits) => {
                Value::Int(I256::from_raw(number::sign_extend(word & number::mask(*bits), *bits)), *bits)
            }
            Type::FixedBytes(n) => {
                let mut cut = B256::ZERO;
                cut[..*n].copy_from_slice(&bytes[..*n]);
                Value::FixedBytes(cut, *n)
            }
            Type::Function => Value::Function(Function::from_slice(&bytes[..24])),
            Type::Bytes => Value::Bytes(self.packed(at).to_vec()),
            Type::String => Value::String(String::from_utf8_lossy(self.packed(at)).into_owned()),
            Type::Array(inner) => {
                let start = at.saturating_add(32);
                let there = self.data.len().saturating_sub(start) / (32 * inner.head_words().max(1));
                let length = self.length(at).min(there).min(self.left / inner.element_words().max(1));
                Value::Array(self.sequence(std::iter::repeat_n(&**inner, length), start))
            }
            Type::FixedArray(inner, n) => Value::FixedArray(self.sequence(std::iter::repeat_n(&**inner, *n), at)),
            Type::Tuple { fields, .. } => Value::Tuple(self.sequence(fields.iter().map(|f| &f.ty), at)),
        }
    }

    /// The word at this offset, zeros after the end.
    fn word(&self, at: usize) -> U256 {
        let rest = self.data.get(at..).unwrap_or_default();
        match rest.first_chunk::<32>() {
            Some(word) => U256::from_be_bytes(*word),
            None => {
                let mut word = [0; 32];
                word[..rest.len()].copy_from_slice(rest);
                U256::from_be_bytes(word)
            }
        }
    }

    /// An offset or a length: nothing is further than the end.
    fn length(&self, at: usize) -> usize {
        usize::try_from(self.word(at)).unwrap_or(usize::MAX).min(self.data.len())
    }

    /// The bytes after their length.
    fn packed(&mut self, at: usize) -> &'a [u8] {
        let rest = self.data.get(at.saturating_add(32)..).unwrap_or_default();
        let length = self.length(at).min(rest.len()).min(self.left.saturating_mul(32));
        self.left -= length.div_ceil(32);
        &rest[..length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(types: impl IntoIterator<Item = Type>) -> Vec<Parameter> {
        types.into_iter().map(|ty| Parameter { name: String::new(), ty }).collect()
    }

    #[test]
    fn malformed_calldata_is_repaired() {
        let word = |x: u64| U256::from(x).to_be_bytes::<32>();
        let uints = || Type::Array(Box::new(Type::Uint(256)));
        let cases = [
            (Type::Uint(8), vec![0xff; 32], Value::Uint(U256::from(0xff), 8)),
            (Type::Uint(256), vec![1], Value::Uint(U256::ONE << 248, 256)),
            (Type::FixedBytes(1), vec![0xff; 32], Value::FixedBytes(B256::from(U256::from(0xff) << 248), 1)),
            (uints(), vec![0xff; 32], Value::Array(vec![])),
            (uints(), [word(32), word(9), word(7)].concat(), Value::Array(vec![Value::Uint(U256::from(7), 256)])),
            (Type::Bytes, [word(32), word(99), word(7)].concat(), Value::Bytes(word(7).to_vec())),
            (Type::String, Vec::new(), Value::String(String::new())),
        ];
        for (ty, data, expected) in cases {
            assert_eq!(decode(&parameters([ty]), &data), [expected]);
        }
    }

    #[test]
    fn a_short_bomb_stays_small() {
        let mut ty = Type::Uint(256);
        for _ in 0..8 {
            ty = Type::Array(Box::new(ty));
        }
        // Every offset points back at the start, where every length is large.
        let data: Vec<u8> = (0..512u64).flat_map(|_| U256::from(256).to_be_bytes::<32>()).collect();
        let mut out = Vec::new();
        encode(&decode(&parameters([ty]), &data), &mut out);
        assert!(out.len() < 100 * MAX_DECODED, "{}", out.len());
    }

    #[test]
    fn texts_that_overlap_stay_small() {
        // A list of lists of texts, all of them the whole calldata.
        let ty = Type::Array(Box::new(Type::Array(Box::new(Type::Bytes))));
        let data: Vec<u8> = (0..2_048u64).flat_map(|_| U256::from(1_024).to_be_bytes::<32>()).collect();
        let mut out = Vec::new();
        encode(&decode(&parameters([ty]), &data), &mut out);
        assert!(out.len() < 100 * MAX_DECODED, "{}", out.len());
    }

    #[test]
    fn long_calldata_is_read_to_its_end() {
        let ty = Type::Array(Box::new(Type::Uint(256)));
        let values = [Value::Array(vec![Value::Uint(U256::ONE, 256); 2 * MAX_DECODED])];
        let mut data = Vec::new();
        encode(&values, &mut data);
        assert_eq!(decode(&parameters([ty]), &data), values);
    }
}
