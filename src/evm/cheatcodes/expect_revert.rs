//! Cheatcodes about reverts: the next call is expected to revert, or assumed not to.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported},
    error::{CheatError, ensure},
    returns,
};
use crate::evm::cheats::{ASSUME, AcceptedRevert, AssumedNoRevert, ExpectedRevert, SKIP};
use alloy_primitives::{Address, Bytes};

/// Reverts that one call of `assumeNoRevert` names at most; chosen by hand.
const MAX_REASONS: usize = 64;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Expected reverts and assumptions",
    about: "A call that reverts as expected succeeds for its caller, and returns zeros.",
    cheatcodes: &[
        supported("expectRevert()", "", any, "The next call reverts."),
        supported(
            "expectRevert(bytes4)",
            "",
            by_selector,
            "The next call reverts with this error, which has no arguments.",
        ),
        supported("expectRevert(bytes)", "", by_data, "The next call reverts with this message or data."),
        supported(
            "expectRevert(address)",
            "",
            by_reverter,
            "The next call reverts, and this contract is the first that reverts.",
        ),
        supported("expectRevert(bytes4,address)", "", by_selector_and_reverter, ""),
        supported("expectRevert(bytes,address)", "", by_data_and_reverter, ""),
        supported(
            "expectRevert(uint64)",
            "",
            any_times,
            "This many next calls revert; with 0, the next call does not.",
        ),
        supported("expectRevert(bytes4,uint64)", "", by_selector_times, ""),
        supported("expectRevert(bytes,uint64)", "", by_data_times, ""),
        supported("expectRevert(address,uint64)", "", by_reverter_times, ""),
        supported("expectRevert(bytes4,address,uint64)", "", by_selector_and_reverter_times, ""),
        supported("expectRevert(bytes,address,uint64)", "", by_data_and_reverter_times, ""),
        supported(
            "expectPartialRevert(bytes4)",
            "",
            partial,
            "The next call reverts with this error, whatever its arguments.",
        ),
        supported("expectPartialRevert(bytes4,address)", "", partial_by_reverter, ""),
        supported("_expectCheatcodeRevert()", "", cheatcode_any, "The next cheatcode reverts."),
        supported("_expectCheatcodeRevert(bytes4)", "", cheatcode_by_selector, ""),
        supported("_expectCheatcodeRevert(bytes)", "", cheatcode_by_data, ""),
        supported("assume(bool)", "", assume, "Drops the run unless the condition holds."),
        supported("assumeNoRevert()", "", assume_no_revert, "Drops the run if the next call reverts."),
        supported(
            "assumeNoRevert(PotentialRevert)",
            "",
            assume_no_revert_of,
            "Drops the run if the call reverts in this way.",
        ),
        supported(
            "assumeNoRevert(PotentialRevert[])",
            "",
            assume_no_revert_of_any,
            "Drops the run if the call reverts in one of these ways.",
        ),
        supported("skip(bool)", "", skip, "Skips the test if the condition holds."),
        supported("skip(bool,string)", "", skip_with_reason, "The same, with a reason."),
    ],
};

fn expect(call: &mut CheatCall<'_>, revert: AcceptedRevert, count: u64, of_cheatcode: bool) -> Answer {
    ensure(call.cheats.expected_revert.is_none(), "you must call another function prior to expecting a second revert")?;
    call.cheats.expected_revert = Some(ExpectedRevert {
        may_be_internal: call.cheats.allows_internal_reverts,
        revert,
        depth: call.depth,
        max_depth: call.depth,
        count,
        seen: 0,
        reverted_by: None,
        of_cheatcode,
        is_new: true,
    });
    Ok(returns::nothing())
}

fn with(reason: Option<Bytes>, reverter: Option<Address>) -> AcceptedRevert {
    AcceptedRevert { reason, is_partial: false, reverter }
}

/// The data at the beginning of the arguments.
fn data(arguments: Arguments<'_>) -> Result<Option<Bytes>, CheatError> {
    arguments.bytes(0).map(|data| Some(Bytes::copy_from_slice(data)))
}

/// The selector at the beginning of the arguments.
fn selector(arguments: Arguments<'_>) -> Result<Option<Bytes>, CheatError> {
    arguments.selector(0).map(Some)
}

fn any(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    expect(call, with(None, None), 1, false)
}

fn by_selector(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(selector(arguments)?, None), 1, false)
}

fn by_data(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(data(arguments)?, None), 1, false)
}

fn by_reverter(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(None, Some(arguments.address(0)?)), 1, false)
}

fn by_selector_and_reverter(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(selector(arguments)?, Some(arguments.address(1)?)), 1, false)
}

fn by_data_and_reverter(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(data(arguments)?, Some(arguments.address(1)?)), 1, false)
}

fn any_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(None, None), arguments.u64(0)?, false)
}

fn by_selector_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(selector(arguments)?, None), arguments.u64(1)?, false)
}

fn by_data_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(data(arguments)?, None), arguments.u64(1)?, false)
}

fn by_reverter_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(None, Some(arguments.address(0)?)), arguments.u64(1)?, false)
}

fn by_selector_and_reverter_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(selector(arguments)?, Some(arguments.address(1)?)), arguments.u64(2)?, false)
}

fn by_data_and_reverter_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(data(arguments)?, Some(arguments.address(1)?)), arguments.u64(2)?, false)
}

fn partial(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let revert = AcceptedRevert { is_partial: true, ..with(selector(arguments)?, None) };
    expect(call, revert, 1, false)
}

fn partial_by_reverter(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let revert = AcceptedRevert { is_partial: true, ..with(selector(arguments)?, Some(arguments.address(1)?)) };
    expect(call, revert, 1, false)
}

fn cheatcode_any(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    expect(call, with(None, None), 1, true)
}

fn cheatcode_by_selector(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(selector(arguments)?, None), 1, true)
}

fn cheatcode_by_data(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, with(data(arguments)?, None), 1, true)
}

fn assume(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    if arguments.boolean(0)? { Ok(returns::nothing()) } else { Err(CheatError::Data(Bytes::from_static(ASSUME))) }
}

fn assume_none(call: &mut CheatCall<'_>, reasons: Vec<AcceptedRevert>) -> Answer {
    ensure(
        call.cheats.assumed_no_revert.is_none(),
        "you must make another external call prior to calling assumeNoRevert again",
    )?;
    ensure(reasons.len() <= MAX_REASONS, "there are more than 64 reverts")?;
    call.cheats.assumed_no_revert = Some(AssumedNoRevert { depth: call.depth, reasons, reverted_by: None });
    Ok(returns::nothing())
}

fn assume_no_revert(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    assume_none(call, Vec::new())
}

/// A struct of reverter, whether only the first four bytes count, and data.
fn potential(fields: &Arguments<'_>) -> Result<AcceptedRevert, CheatError> {
    let reverter = Some(fields.address(0)?).filter(|reverter| !reverter.is_zero());
    let reason = Some(Bytes::copy_from_slice(fields.bytes(2)?));
    Ok(AcceptedRevert { reason, is_partial: fields.boolean(1)?, reverter })
}

fn assume_no_revert_of(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let reason = potential(&arguments.fields(0)?)?;
    assume_none(call, vec![reason])
}

fn assume_no_revert_of_any(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let reasons = arguments.structs(0)?;
    ensure(reasons.len() <= MAX_REASONS, "there are more than 64 reverts")?;
    let reasons = reasons.iter().map(potential).collect::<Result<_, _>>()?;
    assume_none(call, reasons)
}

fn skip_for(condition: bool, reason: &[u8]) -> Answer {
    if condition { Err(CheatError::Data([SKIP, reason].concat().into())) } else { Ok(returns::nothing()) }
}

fn skip(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    skip_for(arguments.boolean(0)?, &[])
}

fn skip_with_reason(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    skip_for(arguments.boolean(0)?, arguments.bytes(1)?)
}
