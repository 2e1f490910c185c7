//! Echidna's files: a list of transactions. A call is a name with typed values, or raw calldata. What only lets time pass is added to the
//! delay of the next call, and what creates a contract is left out: the world is made already.

use super::{
    argument::Argument,
    foreign_call::ForeignCall,
    haskell,
    json::{address, count, field, optional, word},
};
use crate::input::{FunctionKind, Parameter, Type, Value, encode::encode};
use alloy_dyn_abi::DynSolType;
use alloy_primitives::{B256, I256, hex, keccak256};
use serde_json::{Value as Json, json};

/// The gas of a call, as Echidna sets it where its configuration does not say.
const GAS: u64 = 12_500_000;
/// Arrays and structures within each other that are read; chosen by hand.
const MAX_NESTING: usize = 32;

pub(super) fn read(calls: &[Json]) -> Result<Vec<ForeignCall>, String> {
    let mut read = Vec::new();
    let (mut seconds, mut blocks) = (0_u64, 0_u64);
    for (at, transaction) in calls.iter().enumerate() {
        let wrong = |problem: String| format!("[{at}]: {problem}");
        let [more_seconds, more_blocks] = field(transaction, "delay", "pair of numbers", |delay| {
            let [seconds, blocks] = delay.as_array()?.as_slice() else { return None };
            Some([count(seconds)?, count(blocks)?])
        })
        .map_err(wrong)?;
        (seconds, blocks) = (seconds.saturating_add(more_seconds), blocks.saturating_add(more_blocks));
        let call =
            field(transaction, "call", "call", |call| call.get("tag")?.as_str().map(|tag| (tag, call.get("contents"))));
        let calldata = match call.map_err(wrong)? {
            ("NoCall" | "SolCreate", _) => continue,
            ("SolCall", Some(contents)) => calldata(contents),
            ("SolCalldata", Some(contents)) => {
                contents.as_str().and_then(haskell::read).ok_or_else(|| "`contents` is not a text of bytes".to_owned())
            }
            (tag, _) => Err(format!("`{tag}` is not a known call")),
        };
        read.push(ForeignCall {
            sender: field(transaction, "src", "address", address).map_err(wrong)?,
            target: field(transaction, "dst", "address", address).map_err(wrong)?,
            calldata: calldata.map_err(wrong)?,
            value: optional(transaction, "value", "number", word).map_err(wrong)?,
            seconds: std::mem::take(&mut seconds),
            blocks: std::mem::take(&mut blocks),
        });
    }
    Ok(read)
}

/// The calldata of a call by name.
fn calldata(contents: &Json) -> Result<Vec<u8>, String> {
    let parts = contents.as_array().map(Vec::as_slice);
    let Some([Json::String(name), Json::Array(arguments)]) = parts else {
        return Err("`contents` is not a name with arguments".to_owned());
    };
    let (mut types, mut values) = (Vec::new(), Vec::new());
    for (at, argument) in arguments.iter().enumerate() {
        let (ty, value) =
            typed(argument, 0).ok_or_else(|| format!("argument {at} of `{name}` is not a known value"))?;
        // alloy writes a structure of one field as Rust does.
        types.push(ty.sol_type_name().replace(",)", ")"));
        values.push(value);
    }
    let signature = format!("{name}({})", types.join(","));
    let mut calldata = keccak256(signature)[..4].to_vec();
    encode(&values, &mut calldata);
    Ok(calldata)
}

/// A value with its type.
fn typed(json: &Json, depth: usize) -> Option<(DynSolType, Value)> {
    if depth > MAX_NESTING {
        return None;
    }
    let contents = json.get("contents")?;
    let pair = || match contents.as_array()?.as_slice() {
        [size, value] => Some((usize::try_from(size.as_u64()?).ok()?, value.as_str()?)),
        _ => None,
    };
    let bits = |bits: usize| (bits.is_multiple_of(8) && (8..=256).contains(&bits)).then_some(bits);
    Some(match json.get("tag")?.as_str()? {
        "AbiBool" => (DynSolType::Bool, Value::Bool(contents.as_bool()?)),
        "AbiAddress" => (DynSolType::Address, Value::Address(address(contents)?)),
        "AbiUInt" => {
            let (size, number) = pair()?;
            let size = bits(size)?;
            let number = number.parse().ok().filter(|number: &alloy_primitives::U256| number.bit_len() <= size)?;
            (DynSolType::Uint(size), Value::Uint(number, size))
        }
        "AbiInt" => {
            let (size, number) = pair()?;
            let size = bits(size)?;
            let number: I256 = number.parse().ok()?;
            (number.bits() as usize <= size).then_some((DynSolType::Int(size), Value::Int(number, size)))?
        }
        "AbiBytes" => {
            let (length, text) = pair()?;
            let bytes = haskell::read(text).filter(|bytes| bytes.len() <= length && (1..=32).contains(&length))?;
            (DynSolType::FixedBytes(length), Value::FixedBytes(B256::right_padding_from(&bytes), length))
        }
        "AbiBytesDynamic" => (DynSolType::Bytes, Value::Bytes(haskell::read(contents.as_str()?)?)),
        "AbiString" => {
            let text = haskell::read(contents.as_str()?)?;
            (DynSolType::String, Value::String(String::from_utf8_lossy(&text).into_owned()))
        }
        "AbiArrayDynamic" => {
            let [ty, items] = contents.as_array()?.as_slice() else { return None };
            let (ty, items) = (type_of(ty, depth)?, items_of(items, depth)?);
            (DynSolType::Array(Box::new(ty)), Value::Array(items))
        }
        "AbiArray" => {
            let [_, ty, items] = contents.as_array()?.as_slice() else { return None };
            let (ty, items) = (type_of(ty, depth)?, items_of(items, depth)?);
            (DynSolType::FixedArray(Box::new(ty), items.len()), Value::FixedArray(items))
        }
        "AbiTuple" => {
            let fields =
                contents.as_array()?.iter().map(|field| typed(field, depth + 1)).collect::<Option<Vec<_>>>()?;
            let (types, values) = fields.into_iter().unzip();
            (DynSolType::Tuple(types), Value::Tuple(values))
        }
        _ => return None,
    })
}

fn items_of(json: &Json, depth: usize) -> Option<Vec<Value>> {
    json.as_array()?.iter().map(|item| typed(item, depth + 1).map(|(_, value)| value)).collect()
}

fn type_of(json: &Json, depth: usize) -> Option<DynSolType> {
    if depth > MAX_NESTING {
        return None;
    }
    let contents = json.get("contents");
    let size = || usize::try_from(contents?.as_u64()?).ok();
    Some(match json.get("tag")?.as_str()? {
        "AbiBoolType" => DynSolType::Bool,
        "AbiAddressType" => DynSolType::Address,
        "AbiUIntType" => DynSolType::Uint(size()?),
        "AbiIntType" => DynSolType::Int(size()?),
        "AbiBytesType" => DynSolType::FixedBytes(size()?),
        "AbiBytesDynamicType" => DynSolType::Bytes,
        "AbiStringType" => DynSolType::String,
        "AbiArrayDynamicType" => DynSolType::Array(Box::new(type_of(contents?, depth + 1)?)),
        "AbiArrayType" => {
            let [length, ty] = contents?.as_array()?.as_slice() else { return None };
            DynSolType::FixedArray(Box::new(type_of(ty, depth + 1)?), usize::try_from(length.as_u64()?).ok()?)
        }
        "AbiTupleType" => {
            let fields = contents?.as_array()?.iter().map(|field| type_of(field, depth + 1));
            DynSolType::Tuple(fields.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// The transaction of a call; none where an argument is one that Echidna does not have.
pub(super) fn write(call: &ForeignCall, name: &str, kind: FunctionKind, arguments: &[Argument<'_>]) -> Option<Json> {
    let ForeignCall { sender, target, calldata, value, seconds, blocks } = call;
    let called = if kind == FunctionKind::Function {
        let values =
            arguments.iter().map(|argument| valued(argument.value, argument.ty)).collect::<Option<Vec<_>>>()?;
        json!({ "contents": [name, values], "tag": "SolCall" })
    } else {
        json!({ "contents": haskell::show(calldata), "tag": "SolCalldata" })
    };
    Some(json!({
        "call": called,
        "delay": [format!("{seconds:#066x}"), format!("{blocks:#066x}")],
        "dst": target.to_checksum(None),
        "gas": GAS,
        "gasprice": format!("{:#066x}", 0),
        "src": sender.to_checksum(None),
        "value": format!("{value:#066x}"),
    }))
}

fn valued(value: &Value, ty: &Type) -> Option<Json> {
    let items = |items: &[Value], ty: &Type| items.iter().map(|item| valued(item, ty)).collect::<Option<Vec<_>>>();
    let (tag, contents) = match (value, ty) {
        (Value::Bool(value), _) => ("AbiBool", json!(value)),
        (Value::Address(address), _) => ("AbiAddress", json!(address.to_checksum(None))),
        (Value::Uint(number, bits), _) => ("AbiUInt", json!([bits, number.to_string()])),
        (Value::Int(number, bits), _) => ("AbiInt", json!([bits, number.to_string()])),
        (Value::FixedBytes(word, length), _) => ("AbiBytes", json!([length, haskell::show(&word[..*length])])),
        (Value::Bytes(bytes), _) => ("AbiBytesDynamic", json!(haskell::show(bytes))),
        (Value::String(text), _) => ("AbiString", json!(haskell::show(text.as_bytes()))),
        (Value::Array(all), Type::Array(inner)) => ("AbiArrayDynamic", json!([typing(inner)?, items(all, inner)?])),
        (Value::FixedArray(all), Type::FixedArray(inner, length)) => {
            ("AbiArray", json!([length, typing(inner)?, items(all, inner)?]))
        }
        (Value::Tuple(all), Type::Tuple { fields, .. }) => {
            let fields = all.iter().zip(fields).map(|(value, Parameter { ty, .. })| valued(value, ty));
            ("AbiTuple", json!(fields.collect::<Option<Vec<_>>>()?))
        }
        _ => return None,
    };
    Some(json!({ "contents": contents, "tag": tag }))
}

fn typing(ty: &Type) -> Option<Json> {
    let sized = |tag: &str, size: usize| json!({ "contents": size, "tag": tag });
    Some(match ty {
        Type::Bool => json!({ "tag": "AbiBoolType" }),
        Type::Address | Type::Contract { .. } => json!({ "tag": "AbiAddressType" }),
        Type::Uint(bits) => sized("AbiUIntType", *bits),
        Type::Enum { .. } => sized("AbiUIntType", 8),
        Type::Int(bits) => sized("AbiIntType", *bits),
        Type::FixedBytes(length) => sized("AbiBytesType", *length),
        Type::Bytes => json!({ "tag": "AbiBytesDynamicType" }),
        Type::String => json!({ "tag": "AbiStringType" }),
        Type::Array(inner) => json!({ "contents": typing(inner)?, "tag": "AbiArrayDynamicType" }),
        Type::FixedArray(inner, length) => json!({ "contents": [length, typing(inner)?], "tag": "AbiArrayType" }),
        Type::Tuple { fields, .. } => {
            let fields = fields.iter().map(|field| typing(&field.ty)).collect::<Option<Vec<_>>>()?;
            json!({ "contents": fields, "tag": "AbiTupleType" })
        }
        Type::Function => return None,
    })
}

/// The address at which Echidna deploys the contract.
pub(super) const TARGET: alloy_primitives::Address =
    alloy_primitives::Address::new(hex!("00a329c0648769a73afac7f9381e08fb43dbea72"));
