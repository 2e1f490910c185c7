//! Cheatcodes that expect logs of the next call. The test emits each expected log itself, right after it has asked for it.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported, unsupported},
    error::{CheatError, ensure},
    returns,
};
use crate::evm::cheats::EmitChecks;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Expected logs",
    about: "The test emits the expected log itself, right after the cheatcode. Flags say which indexed parameters are compared, and \
            whether the data is.",
    cheatcodes: &[
        supported("expectEmit()", "", all, "The next call emits this log."),
        supported("expectEmit(address)", "", all_from, "The same, emitted by this contract."),
        supported("expectEmit(bool,bool,bool,bool)", "", some, "The same with flags."),
        supported("expectEmit(bool,bool,bool,bool,address)", "", some_from, ""),
        supported("expectEmit(uint64)", "", all_times, "The next call emits this log this many times."),
        supported("expectEmit(address,uint64)", "", all_from_times, ""),
        supported("expectEmit(bool,bool,bool,bool,uint64)", "", some_times, ""),
        supported("expectEmit(bool,bool,bool,bool,address,uint64)", "", some_from_times, ""),
        supported(
            "expectEmitAnonymous()",
            "",
            anonymous,
            "The same for an anonymous event, of which the first topic is a parameter.",
        ),
        supported("expectEmitAnonymous(address)", "", anonymous_from, ""),
        supported("expectEmitAnonymous(bool,bool,bool,bool,bool)", "", anonymous_some, ""),
        supported("expectEmitAnonymous(bool,bool,bool,bool,bool,address)", "", anonymous_some_from, ""),
        unsupported("expectSafeMemory(uint64,uint64)", "", MEMORY),
        unsupported("expectSafeMemoryCall(uint64,uint64)", "", MEMORY),
        unsupported("stopExpectSafeMemory()", "", MEMORY),
    ],
};

const MEMORY: &str = "writes to memory are not watched";

/// Everything of a log that is no anonymous event's.
const ALL: EmitChecks = EmitChecks { topics: [true; 4], data: true, emitter: None, is_anonymous: false, count: 1 };
const ANONYMOUS: EmitChecks = EmitChecks { is_anonymous: true, ..ALL };

fn expect(call: &mut CheatCall<'_>, checks: EmitChecks) -> Answer {
    ensure(call.cheats.expected_emits.expect(call.depth, checks), "too many logs are expected at once")?;
    Ok(returns::nothing())
}

/// What four flags say.
fn flags(arguments: Arguments<'_>) -> Result<EmitChecks, CheatError> {
    let flag = |index| arguments.boolean(index);
    Ok(EmitChecks { topics: [true, flag(0)?, flag(1)?, flag(2)?], data: flag(3)?, ..ALL })
}

/// What five flags say.
fn five_flags(arguments: Arguments<'_>) -> Result<EmitChecks, CheatError> {
    let flag = |index| arguments.boolean(index);
    Ok(EmitChecks { topics: [flag(0)?, flag(1)?, flag(2)?, flag(3)?], data: flag(4)?, ..ANONYMOUS })
}

fn all(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    expect(call, ALL)
}

fn all_from(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, EmitChecks { emitter: Some(arguments.address(0)?), ..ALL })
}

fn some(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, flags(arguments)?)
}

fn some_from(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, EmitChecks { emitter: Some(arguments.address(4)?), ..flags(arguments)? })
}

fn all_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, EmitChecks { count: arguments.u64(0)?, ..ALL })
}

fn all_from_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, EmitChecks { emitter: Some(arguments.address(0)?), count: arguments.u64(1)?, ..ALL })
}

fn some_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, EmitChecks { count: arguments.u64(4)?, ..flags(arguments)? })
}

fn some_from_times(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (emitter, count) = (Some(arguments.address(4)?), arguments.u64(5)?);
    expect(call, EmitChecks { emitter, count, ..flags(arguments)? })
}

fn anonymous(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    expect(call, ANONYMOUS)
}

fn anonymous_from(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, EmitChecks { emitter: Some(arguments.address(0)?), ..ANONYMOUS })
}

fn anonymous_some(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, five_flags(arguments)?)
}

fn anonymous_some_from(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    expect(call, EmitChecks { emitter: Some(arguments.address(5)?), ..five_flags(arguments)? })
}
