//! Members of the compiler's JSON trees that several readers ask for. What is not there is empty.

use serde_json::Value;

/// A text.
pub(super) fn text<'a>(json: &'a Value, key: &str) -> &'a str {
    json.get(key).and_then(Value::as_str).unwrap_or("")
}

/// The type of an expression or a declaration, as the compiler writes it.
pub(super) fn type_of(json: &Value) -> &str {
    json.pointer("/typeDescriptions/typeString").and_then(Value::as_str).unwrap_or("")
}

/// What stands directly in a source or a contract.
pub(super) fn nodes(json: &Value) -> impl Iterator<Item = &Value> {
    json.get("nodes").and_then(Value::as_array).into_iter().flatten()
}
