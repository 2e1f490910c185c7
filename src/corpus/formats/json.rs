//! Fields of JSON objects, and what is wrong with them.

use alloy_primitives::{Address, U256, hex};
use serde_json::Value;

/// What `read` takes a field for, which has to be there.
pub(super) fn field<'a, T>(
    json: &'a Value,
    name: &str,
    what: &str,
    read: impl FnOnce(&'a Value) -> Option<T>,
) -> Result<T, String> {
    let value = json.get(name).ok_or_else(|| format!("no `{name}`"))?;
    read(value).ok_or_else(|| format!("no valid {what} in `{name}`"))
}

pub(super) fn address(json: &Value) -> Option<Address> {
    json.as_str()?.parse().ok()
}

pub(super) fn bytes(json: &Value) -> Option<Vec<u8>> {
    hex::decode(json.as_str()?).ok()
}

/// A number as decimal or hexadecimal text, or as a number.
pub(super) fn word(json: &Value) -> Option<U256> {
    match json {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.as_u64().map(U256::from),
        _ => None,
    }
}

/// A number of seconds or blocks: as much as there is, where it is more.
pub(super) fn count(json: &Value) -> Option<u64> {
    word(json).map(|word| u64::try_from(word).unwrap_or(u64::MAX))
}

/// A field that may be absent or null.
pub(super) fn optional<T: Default>(
    json: &Value,
    name: &str,
    what: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<T, String> {
    match json.get(name) {
        None | Some(Value::Null) => Ok(T::default()),
        Some(_) => field(json, name, what, read),
    }
}

/// Reads each call, and says which one is wrong.
pub(super) fn each<T>(calls: &[Value], read: impl Fn(&Value) -> Result<T, String>) -> Result<Vec<T>, String> {
    let each = calls.iter().enumerate();
    each.map(|(at, call)| read(call).map_err(|problem| format!("[{at}]: {problem}"))).collect()
}
