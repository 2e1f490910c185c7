//! Cheatcodes that answer calls in the place of contracts.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported},
    error::{CheatError, ensure},
    journal::account,
    returns,
};
use crate::evm::cheats::{Mock, MockAnswer};
use alloy_primitives::{Bytes, U256};
use revm::{bytecode::Bytecode, context_interface::journaled_state::account::JournaledAccountTr};
use std::{collections::VecDeque, sync::Arc};

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Mocked calls",
    about: "Of several mocks, the one with the longest matching calldata decides. Mocks stay in later transactions.",
    cheatcodes: &[
        supported(
            "mockCall(address,bytes,bytes)",
            "",
            mock_call,
            "Calls with this calldata are answered with this data.",
        ),
        supported("mockCall(address,uint256,bytes,bytes)", "", mock_value, "The same for calls with this much ether."),
        supported("mockCall(address,bytes4,bytes)", "", mock_selector, "The same for all calls of a function."),
        supported("mockCall(address,uint256,bytes4,bytes)", "", mock_value_selector, ""),
        supported("mockCalls(address,bytes,bytes[])", "", mock_calls, "One answer after another; the last one stays."),
        supported("mockCalls(address,uint256,bytes,bytes[])", "", mock_calls_value, ""),
        supported("mockCallRevert(address,bytes,bytes)", "", revert, "Calls with this calldata revert with this data."),
        supported("mockCallRevert(address,uint256,bytes,bytes)", "", revert_value, ""),
        supported("mockCallRevert(address,bytes4,bytes)", "", revert_selector, ""),
        supported("mockCallRevert(address,uint256,bytes4,bytes)", "", revert_value_selector, ""),
        supported(
            "mockFunction(address,address,bytes)",
            "",
            mock_function,
            "Calls of the first account with this calldata run the code of the second one.",
        ),
        supported("clearMockedCalls()", "", clear, "Forgets mocked calls."),
    ],
};

const FULL: &str = "too many calls are mocked, or with too much data; use clearMockedCalls";

/// Mocks calls. An account without code gets a byte of it, since callers look for code first.
fn mock(call: &mut CheatCall<'_>, mock: Mock, answers: VecDeque<MockAnswer>) -> Answer {
    let mut callee = account(call.machine, mock.callee);
    if callee.code().is_none_or(Bytecode::is_empty) {
        callee.set_code_and_hash_slow(Bytecode::new_raw(Bytes::from_static(&[0])));
    }
    let has_room = Arc::make_mut(&mut call.cheats.state_mut().mocks).add(mock, answers);
    ensure(has_room, FULL)?;
    Ok(returns::nothing())
}

/// The mock with the calldata and ether at these indices.
fn with_data(arguments: Arguments<'_>, value: Option<usize>, data: usize) -> Result<Mock, CheatError> {
    let value: Option<U256> = value.map(|index| arguments.word(index)).transpose()?;
    Ok(Mock { callee: arguments.address(0)?, calldata: Bytes::copy_from_slice(arguments.bytes(data)?), value })
}

/// The mock with the selector and ether at these indices.
fn with_selector(arguments: Arguments<'_>, value: Option<usize>, selector: usize) -> Result<Mock, CheatError> {
    let value: Option<U256> = value.map(|index| arguments.word(index)).transpose()?;
    Ok(Mock { callee: arguments.address(0)?, calldata: arguments.selector(selector)?, value })
}

/// The only answer, at this index.
fn answer(arguments: Arguments<'_>, index: usize, reverts: bool) -> Result<VecDeque<MockAnswer>, CheatError> {
    let output = Bytes::copy_from_slice(arguments.bytes(index)?);
    Ok(VecDeque::from([MockAnswer { reverts, output }]))
}

fn mock_call(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_data(arguments, None, 1)?, answer(arguments, 2, false)?)
}

fn mock_value(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_data(arguments, Some(1), 2)?, answer(arguments, 3, false)?)
}

fn mock_selector(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_selector(arguments, None, 1)?, answer(arguments, 2, false)?)
}

fn mock_value_selector(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_selector(arguments, Some(1), 2)?, answer(arguments, 3, false)?)
}

fn answers(arguments: Arguments<'_>, index: usize) -> Result<VecDeque<MockAnswer>, CheatError> {
    let many = arguments.many(index)?.into_iter();
    Ok(many.map(|output| MockAnswer { reverts: false, output: Bytes::copy_from_slice(output) }).collect())
}

fn mock_calls(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_data(arguments, None, 1)?, answers(arguments, 2)?)
}

fn mock_calls_value(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_data(arguments, Some(1), 2)?, answers(arguments, 3)?)
}

fn revert(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_data(arguments, None, 1)?, answer(arguments, 2, true)?)
}

fn revert_value(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_data(arguments, Some(1), 2)?, answer(arguments, 3, true)?)
}

fn revert_selector(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_selector(arguments, None, 1)?, answer(arguments, 2, true)?)
}

fn revert_value_selector(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    mock(call, with_selector(arguments, Some(1), 2)?, answer(arguments, 3, true)?)
}

fn mock_function(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (callee, code) = (arguments.address(0)?, arguments.address(1)?);
    let calldata = Bytes::copy_from_slice(arguments.bytes(2)?);
    let has_room = Arc::make_mut(&mut call.cheats.state_mut().mocks).add_function(callee, calldata, code);
    ensure(has_room, FULL)?;
    Ok(returns::nothing())
}

fn clear(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    if !call.cheats.state().mocks.is_empty() {
        Arc::make_mut(&mut call.cheats.state_mut().mocks).clear_calls();
    }
    Ok(returns::nothing())
}
