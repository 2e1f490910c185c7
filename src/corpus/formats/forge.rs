//! forge's files: a list of calls, each with sender, target and calldata, and with the time before it where the campaign lets time pass.
//! They cannot say how much ether a call sends. Failures that forge keeps name the target `addr`.

use super::{
    foreign_call::ForeignCall,
    json::{address, bytes, count, each, field, optional},
};
use alloy_primitives::{U256, hex};
use serde_json::{Value, json};

pub(super) fn read(calls: &[Value]) -> Result<Vec<ForeignCall>, String> {
    each(calls, |call| {
        let target = if call.get("target").is_some() { "target" } else { "addr" };
        Ok(ForeignCall {
            sender: field(call, "sender", "address", address)?,
            target: field(call, target, "address", address)?,
            calldata: field(call, "calldata", "hexadecimal text", bytes)?,
            value: U256::ZERO,
            seconds: optional(call, "warp", "number of seconds", count)?,
            blocks: optional(call, "roll", "number of blocks", count)?,
        })
    })
}

pub(super) fn write(ForeignCall { sender, target, calldata, seconds, blocks, .. }: &ForeignCall) -> Value {
    let mut call = json!({});
    if *seconds > 0 {
        call["warp"] = json!(format!("{seconds:#x}"));
    }
    if *blocks > 0 {
        call["roll"] = json!(format!("{blocks:#x}"));
    }
    call["sender"] = json!(format!("{sender:#x}"));
    call["target"] = json!(format!("{target:#x}"));
    call["calldata"] = json!(hex::encode_prefixed(calldata));
    call
}
