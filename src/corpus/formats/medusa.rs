//! Medusa's files: a list of elements, each a message with its calldata, and the blocks and seconds before it. The calldata is read; its
//! arguments in readable form are there for people.

use super::{
    argument::Argument,
    foreign_call::ForeignCall,
    json::{address, bytes, count, each, field, optional, word},
};
use alloy_primitives::hex;
use serde_json::{Value, json};

/// The gas of a call, as Medusa sets it where its configuration does not say.
const GAS: u64 = 12_500_000;

pub(super) fn read(calls: &[Value]) -> Result<Vec<ForeignCall>, String> {
    each(calls, |element| {
        let call = field(element, "call", "object", |call| call.is_object().then_some(call))?;
        Ok(ForeignCall {
            sender: field(call, "from", "address", address)?,
            target: field(call, "to", "address", address)?,
            calldata: field(call, "data", "hexadecimal text", bytes)?,
            value: optional(call, "value", "number", word)?,
            seconds: optional(element, "blockTimestampDelay", "number of seconds", count)?,
            blocks: optional(element, "blockNumberDelay", "number of blocks", count)?,
        })
    })
}

/// The element of a call of a function with this signature, if that is one that is named.
pub(super) fn write(call: &ForeignCall, signature: &str, arguments: &[Argument<'_>]) -> Value {
    let ForeignCall { sender, target, calldata, value, seconds, blocks } = call;
    let inputs: Vec<Value> = arguments.iter().map(|argument| readable(argument.value)).collect();
    json!({
        "call": {
            "from": format!("{sender:#x}"),
            "to": format!("{target:#x}"),
            "nonce": 0,
            "value": format!("{value:#x}"),
            "gasLimit": GAS,
            "gasPrice": "0x1",
            "gasFeeCap": "0x0",
            "gasTipCap": "0x0",
            "data": hex::encode_prefixed(calldata),
            "dataAbiValues": { "methodSignature": signature, "inputValues": inputs },
            "AccessList": null,
            "SkipAccountChecks": false,
        },
        "blockNumberDelay": blocks,
        "blockTimestampDelay": seconds,
    })
}

/// A value as Medusa writes it.
fn readable(value: &crate::input::Value) -> Value {
    use crate::input::Value as Abi;
    match value {
        Abi::Bool(value) => json!(value),
        Abi::Uint(number, _) => json!(number.to_string()),
        Abi::Int(number, _) => json!(number.to_string()),
        Abi::Address(address) => json!(format!("{address:#x}")),
        Abi::FixedBytes(word, length) => json!(hex::encode(&word[..*length])),
        Abi::Function(pointer) => json!(hex::encode(pointer)),
        Abi::Bytes(bytes) => json!(hex::encode(bytes)),
        Abi::String(text) => json!(text),
        Abi::Array(items) | Abi::FixedArray(items) | Abi::Tuple(items) => items.iter().map(readable).collect(),
        #[expect(unreachable_patterns, reason = "alloy may be built with custom structures")]
        _ => Value::Null,
    }
}
