//! Cheatcodes that expect calls to be made and contracts to be created before the transaction ends.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported},
    error::{CheatError, ensure},
    returns,
};
use crate::evm::cheats::{ExpectedCall, ExpectedCreate, MAX_EXPECTED};
use alloy_primitives::Bytes;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Expected calls and creations",
    about: "They are checked at the end of the transaction. Calldata matches each call whose calldata begins with it.",
    cheatcodes: &[
        supported(
            "expectCall(address,bytes)",
            "",
            expect_call,
            "An account is called with this calldata, at least once.",
        ),
        supported("expectCall(address,bytes,uint64)", "", expect_call_times, "Exactly this many times."),
        supported("expectCall(address,uint256,bytes)", "", with_value, "With this much ether."),
        supported("expectCall(address,uint256,bytes,uint64)", "", with_value_times, ""),
        supported("expectCall(address,uint256,uint64,bytes)", "", with_gas, "With this much ether and this much gas."),
        supported("expectCall(address,uint256,uint64,bytes,uint64)", "", with_gas_times, ""),
        supported("expectCallMinGas(address,uint256,uint64,bytes)", "", with_min_gas, "With at least this much gas."),
        supported("expectCallMinGas(address,uint256,uint64,bytes,uint64)", "", with_min_gas_times, ""),
        supported(
            "expectCreate(bytes,address)",
            "",
            expect_create,
            "An account creates a contract with this code by CREATE.",
        ),
        supported("expectCreate2(bytes,address)", "", expect_create2, "The same by CREATE2."),
        supported("interceptInitcode()", "", intercept, "The next creation reverts with its creation code as data."),
    ],
};

/// A call of an account, with calldata that stands at this index.
fn call_with(arguments: Arguments<'_>, data: usize) -> Result<ExpectedCall, CheatError> {
    let (callee, calldata) = (arguments.address(0)?, Bytes::copy_from_slice(arguments.bytes(data)?));
    let (value, gas, min_gas) = (None, None, None);
    Ok(ExpectedCall { callee, calldata, value, gas, min_gas, count: 1, is_exact: false, seen: 0 })
}

/// Expects a call, exactly so often where a number stands at this index.
fn expect(call: &mut CheatCall<'_>, expected: ExpectedCall, arguments: Arguments<'_>, count: Option<usize>) -> Answer {
    let mut expected = expected.with_stipend();
    if let Some(index) = count {
        (expected.count, expected.is_exact) = (arguments.u64(index)?, true);
    }
    let all = &mut call.cheats.expected_calls;
    let is_same = |known: &&mut ExpectedCall| known.callee == expected.callee && known.calldata == expected.calldata;
    match all.iter_mut().find(is_same) {
        Some(_) if expected.is_exact => Err(CheatError::new("counted expected calls can only bet set once")),
        Some(known) if known.is_exact => {
            Err(CheatError::new("cannot overwrite a counted expectCall with a non-counted expectCall"))
        }
        Some(known) => {
            known.count = known.count.saturating_add(1);
            Ok(returns::nothing())
        }
        None => {
            ensure(all.len() < MAX_EXPECTED, "too many calls are expected at once")?;
            all.push(expected);
            Ok(returns::nothing())
        }
    }
}

fn expect_call(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, call_with(arguments, 1)?, arguments, None)
}

fn expect_call_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, call_with(arguments, 1)?, arguments, Some(2))
}

fn value(arguments: Arguments<'_>, data: usize) -> Result<ExpectedCall, CheatError> {
    Ok(ExpectedCall { value: Some(arguments.word(1)?), ..call_with(arguments, data)? })
}

fn with_value(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, value(arguments, 2)?, arguments, None)
}

fn with_value_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, value(arguments, 2)?, arguments, Some(3))
}

fn gas(arguments: Arguments<'_>) -> Result<ExpectedCall, CheatError> {
    Ok(ExpectedCall { gas: Some(arguments.u64(2)?), ..value(arguments, 3)? })
}

fn with_gas(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, gas(arguments)?, arguments, None)
}

fn with_gas_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, gas(arguments)?, arguments, Some(4))
}

fn min_gas(arguments: Arguments<'_>) -> Result<ExpectedCall, CheatError> {
    Ok(ExpectedCall { min_gas: Some(arguments.u64(2)?), ..value(arguments, 3)? })
}

fn with_min_gas(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, min_gas(arguments)?, arguments, None)
}

fn with_min_gas_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, min_gas(arguments)?, arguments, Some(4))
}

fn expect_creation(call: &mut CheatCall<'_>, arguments: Arguments<'_>, by_create2: bool) -> Answer {
    ensure(call.cheats.expected_creates.len() < MAX_EXPECTED, "too many creations are expected at once")?;
    let (code, deployer) = (Bytes::copy_from_slice(arguments.bytes(0)?), arguments.address(1)?);
    call.cheats.expected_creates.push(ExpectedCreate { code, deployer, by_create2 });
    Ok(returns::nothing())
}

fn expect_create(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect_creation(call, arguments, false)
}

fn expect_create2(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect_creation(call, arguments, true)
}

fn intercept(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    ensure(!call.cheats.intercepts_creation, "vm.interceptInitcode() has already been called")?;
    call.cheats.intercepts_creation = true;
    Ok(returns::nothing())
}
