//! What is inside of a value at any depth: addresses, and texts.

use super::value::Value;
use alloy_primitives::Address;

/// The addresses in a value.
pub fn addresses_mut(value: &mut Value) -> Vec<&mut Address> {
    match value {
        Value::Address(address) => vec![address],
        Value::Array(items) | Value::FixedArray(items) | Value::Tuple(items) => {
            items.iter_mut().flat_map(addresses_mut).collect()
        }
        _ => Vec::new(),
    }
}

/// The bytes of a `bytes` or `string`.
pub fn text(value: &Value) -> Option<&[u8]> {
    match value {
        Value::Bytes(bytes) => Some(bytes),
        Value::String(string) => Some(string.as_bytes()),
        _ => None,
    }
}

/// Replaces each `bytes` or `string` that equals `from` by `to`. `false` if nothing was replaced: a `string` holds UTF-8 alone.
pub fn replace_text(value: &mut Value, from: &[u8], to: &[u8]) -> bool {
    match value {
        Value::Bytes(bytes) if bytes == from => {
            *bytes = to.to_vec();
            true
        }
        Value::String(string) if string.as_bytes() == from => match String::from_utf8(to.to_vec()) {
            Ok(new) => {
                *string = new;
                true
            }
            Err(_) => false,
        },
        Value::Array(items) | Value::FixedArray(items) | Value::Tuple(items) => {
            items.iter_mut().filter_map(|item| replace_text(item, from, to).then_some(())).count() > 0
        }
        _ => false,
    }
}
