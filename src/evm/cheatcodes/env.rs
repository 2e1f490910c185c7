//! Cheatcodes on variables of the environment. That of the process is not read: what a run does must not depend on where it runs. Tests
//! read what they set themselves, and defaults.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported, unsupported},
    error::{CheatError, ensure},
    returns,
    text::parse,
};
use crate::evm::cheats::MAX_NAMED;
use alloy_dyn_abi::{DynSolType, DynSolValue};
use std::sync::Arc;

/// Bytes of a variable's name or value at most; chosen by hand.
const MAX_VARIABLE: usize = 1 << 14;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Environment",
    about: "Environment variables are not read. A test finds what it set with `setEnv`, and the defaults of `envOr`.",
    cheatcodes: &[
        supported("setEnv(string,string)", "", set, "Sets a variable, for this test only."),
        supported("envExists(string)", "bool", exists, "Whether the test set a variable."),
        supported("envBool(string)", "bool", |call, a| one(call, a, &DynSolType::Bool), ONE),
        supported("envUint(string)", "uint256", |call, a| one(call, a, &DynSolType::Uint(256)), ONE),
        supported("envInt(string)", "int256", |call, a| one(call, a, &DynSolType::Int(256)), ONE),
        supported("envAddress(string)", "address", |call, a| one(call, a, &DynSolType::Address), ONE),
        supported("envBytes32(string)", "bytes32", |call, a| one(call, a, &DynSolType::FixedBytes(32)), ONE),
        supported("envString(string)", "string", |call, a| one(call, a, &DynSolType::String), ONE),
        supported("envBytes(string)", "bytes", |call, a| one(call, a, &DynSolType::Bytes), ONE),
        supported("envBool(string,string)", "bool[]", |call, a| list(call, a, &DynSolType::Bool), LIST),
        supported("envUint(string,string)", "uint256[]", |call, a| list(call, a, &DynSolType::Uint(256)), LIST),
        supported("envInt(string,string)", "int256[]", |call, a| list(call, a, &DynSolType::Int(256)), LIST),
        supported("envAddress(string,string)", "address[]", |call, a| list(call, a, &DynSolType::Address), LIST),
        supported("envBytes32(string,string)", "bytes32[]", |call, a| list(call, a, &DynSolType::FixedBytes(32)), LIST),
        supported("envString(string,string)", "string[]", |call, a| list(call, a, &DynSolType::String), LIST),
        supported("envBytes(string,string)", "bytes[]", |call, a| list(call, a, &DynSolType::Bytes), LIST),
        supported("envOr(string,bool)", "bool", |call, a| one_or(call, a, &DynSolType::Bool), OR),
        supported("envOr(string,uint256)", "uint256", |call, a| one_or(call, a, &DynSolType::Uint(256)), OR),
        supported("envOr(string,int256)", "int256", |call, a| one_or(call, a, &DynSolType::Int(256)), OR),
        supported("envOr(string,address)", "address", |call, a| one_or(call, a, &DynSolType::Address), OR),
        supported("envOr(string,bytes32)", "bytes32", |call, a| one_or(call, a, &DynSolType::FixedBytes(32)), OR),
        supported("envOr(string,string)", "string", |call, a| one_or(call, a, &DynSolType::String), OR),
        supported("envOr(string,bytes)", "bytes", |call, a| one_or(call, a, &DynSolType::Bytes), OR),
        supported("envOr(string,string,bool[])", "bool[]", |call, a| list_or(call, a, &DynSolType::Bool), OR_LIST),
        supported(
            "envOr(string,string,uint256[])",
            "uint256[]",
            |call, a| list_or(call, a, &DynSolType::Uint(256)),
            OR_LIST,
        ),
        supported(
            "envOr(string,string,int256[])",
            "int256[]",
            |call, a| list_or(call, a, &DynSolType::Int(256)),
            OR_LIST,
        ),
        supported(
            "envOr(string,string,address[])",
            "address[]",
            |call, a| list_or(call, a, &DynSolType::Address),
            OR_LIST,
        ),
        supported(
            "envOr(string,string,bytes32[])",
            "bytes32[]",
            |call, a| list_or(call, a, &DynSolType::FixedBytes(32)),
            OR_LIST,
        ),
        supported(
            "envOr(string,string,string[])",
            "string[]",
            |call, a| list_or(call, a, &DynSolType::String),
            OR_LIST,
        ),
        supported("envOr(string,string,bytes[])", "bytes[]", |call, a| list_or(call, a, &DynSolType::Bytes), OR_LIST),
        unsupported("resolveEnv(string)", "string", "environment variables are not read"),
        supported("isContext(ForgeContext)", "bool", is_context, "Whether it is a test, or `forge test`."),
    ],
};

const ONE: &str = "A variable that the test set.";
const LIST: &str = "A list in a variable, between delimiters.";
const OR: &str = "A variable that the test set, or else the default.";
const OR_LIST: &str = "A list in a variable, or else the default.";

fn set(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (name, value) = (arguments.text(0)?, arguments.text(1)?);
    ensure(!name.is_empty(), "environment variable key can't be empty")?;
    ensure(name.len() <= MAX_VARIABLE && value.len() <= MAX_VARIABLE, "the variable is longer than 16 KiB")?;
    let environment = &mut call.cheats.state_mut().environment;
    ensure(environment.len() < MAX_NAMED || environment.contains_key(name.as_ref()), "too many variables are set")?;
    Arc::make_mut(environment).insert(name.into_owned(), value.into_owned());
    Ok(returns::nothing())
}

fn exists(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let name = arguments.text(0)?;
    Ok(returns::boolean(call.cheats.state().environment.contains_key(name.as_ref())))
}

/// The text of a variable, if the test set it.
fn variable<'a>(call: &'a CheatCall<'_>, arguments: Arguments<'_>) -> Result<Option<&'a str>, CheatError> {
    let name = arguments.text(0)?;
    Ok(call.cheats.state().environment.get(name.as_ref()).map(String::as_str))
}

fn missing(arguments: Arguments<'_>) -> CheatError {
    let name = arguments.text(0).unwrap_or_default();
    CheatError::Unsupported(format!("environment variables are not read, and `{name}` was not set; use envOr").into())
}

/// A value of this type, as it is returned.
fn read(text: &str, kind: &DynSolType) -> Answer {
    parse(text.trim(), kind).map(|value| value.abi_encode().into())
}

/// A list of values of this type.
fn read_list(text: &str, delimiter: &str, kind: &DynSolType) -> Answer {
    let values = text.split(delimiter).map(|part| parse(part.trim(), kind));
    let values: Vec<DynSolValue> = values.collect::<Result<_, _>>()?;
    Ok(DynSolValue::Array(values).abi_encode().into())
}

fn one(call: &mut CheatCall<'_>, arguments: Arguments<'_>, kind: &DynSolType) -> Answer {
    variable(call, arguments)?.map_or_else(|| Err(missing(arguments)), |text| read(text, kind))
}

fn list(call: &mut CheatCall<'_>, arguments: Arguments<'_>, kind: &DynSolType) -> Answer {
    let delimiter = arguments.text(1)?;
    variable(call, arguments)?.map_or_else(|| Err(missing(arguments)), |text| read_list(text, &delimiter, kind))
}

fn one_or(call: &mut CheatCall<'_>, arguments: Arguments<'_>, kind: &DynSolType) -> Answer {
    match variable(call, arguments)? {
        Some(text) => read(text, kind),
        None if matches!(kind, DynSolType::String | DynSolType::Bytes) => Ok(returns::bytes(arguments.bytes(1)?)),
        None => Ok(returns::word(arguments.word(1)?)),
    }
}

fn list_or(call: &mut CheatCall<'_>, arguments: Arguments<'_>, kind: &DynSolType) -> Answer {
    let delimiter = arguments.text(1)?;
    match variable(call, arguments)? {
        Some(text) => read_list(text, &delimiter, kind),
        None if matches!(kind, DynSolType::String | DynSolType::Bytes) => Ok(returns::many(arguments.many(2)?)),
        None => Ok(returns::list(arguments.words(2)?.into_iter())),
    }
}

/// The contexts of tests: 0 for all of them, and 1 for `forge test`.
fn is_context(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::boolean(arguments.u64(0)? <= 1))
}
