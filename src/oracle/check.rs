//! Failing checks: the code that is common to the oracles that report them. Which check belongs to which oracle is not known
//! here.

use super::{
    evidence::{Evidence, Replay},
    execution::Execution,
    trial::{StrangerPower, Trial},
    violation::{Cause, Violation},
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    code::PANIC_SELECTOR,
    evm::{CALL_GAS, CREATE_GAS, Call, CallKind, CallNode, CallTarget, Outcome, Status},
    project::Level,
};
use alloy_primitives::U256;

/// Why a check that fails is only worth knowing where a contract misbehaves that not everybody can put in its place.
const APPOINTED: &str = "The earlier calls led to it, but they take somebody with a role, and a contract of theirs that does what it likes.";

/// Reports the checks that failed for a cause that `is_own`.
pub(super) fn tell(execution: &Execution<'_>, violations: &mut Violations<'_>, is_own: impl Fn(Cause) -> bool) {
    for failure in 0..execution.observation().failures.len() {
        if let Some((place, cause)) = violations.check(execution, failure).filter(|(_, cause)| is_own(*cause)) {
            violations.add_failure(failure, place, cause);
        }
    }
}

/// Whether the transaction fails with this cause. A check of the compiler that fails in a call whose failure is handled does what it is
/// there for.
pub(super) fn is_passed_on(cause: Cause, outcome: &Outcome) -> bool {
    match cause {
        Cause::Panic(code) => is_panic(outcome, code),
        _ => outcome.status != Status::Success,
    }
}

/// Weighs a failing check that may only refuse what the caller asked for: it is a defect if other calls led to a state in which it
/// fails, and no choice of the caller avoids that.
pub(super) fn weigh(violation: &Violation, trial: &mut Trial<'_>) -> Weight {
    let told = |grounds| Weight::at_most(Level::Information, grounds);
    if trial.is_in_setup() {
        return told(Grounds::InSetup);
    }
    match trial.other_arguments(violation) {
        Ok(other) => told(Grounds::OtherArguments(other)),
        Err(_) if trial.fails_from_the_start(violation) => told(Grounds::FromTheStart),
        Err(_) if trial.has_reaction() && trial.strangers(violation).power == StrangerPower::None => {
            told(Grounds::Always(APPOINTED))
        }
        Err(tried) => Weight::at_most(Level::Error, Grounds::LedThere { tried })
            .that_takes_call_back(trial.takes_call_back(violation)),
    }
}

/// How a test can observe that a check fails, or why it cannot.
pub(super) fn evidence(cause: Cause, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
    match cause {
        Cause::Panic(code) if is_panic(&replay.outcome, code) => Ok(Evidence::Reverts(code)),
        Cause::Panic(code) if panics_again(replay, code) => Ok(Evidence::RevertsInside(code)),
        Cause::Panic(_) => {
            Err("a call inside of the last one fails, the contract hides that, and made alone that call does not fail")
        }
        Cause::Event => Ok(Evidence::Logs),
        Cause::Invalid(_) | Cause::Guard => {
            let given = if replay.is_deployment { CREATE_GAS } else { CALL_GAS };
            // Each frame around the failing one keeps 1/64 of the gas; few frames do.
            if replay.outcome.gas > given / 32 * 30 {
                Ok(Evidence::Burns)
            } else {
                Err("a call inside of the last one burns the little gas that it gets, and the contract hides that")
            }
        }
        Cause::Collision(..) | Cause::Other(_) => Err("no check fails"),
    }
}

/// Whether one of the failed calls inside, made alone after the last call, fails the same way.
fn panics_again(replay: &Replay<'_>, code: u64) -> bool {
    let mut executor = replay.harness.executor();
    let made_alone =
        |call: &&CallNode| call.depth > 0 && !call.success && matches!(call.kind, CallKind::Call | CallKind::Static);
    replay.calls.iter().filter(made_alone).any(|call| {
        let call = Call {
            sender: call.caller,
            target: CallTarget::Account(call.target, call.input.clone()),
            value: call.value,
            moment: replay.after.moment(),
            scripted: None,
        };
        is_panic(&executor.run(&replay.after, &call), code)
    })
}

fn is_panic(outcome: &Outcome, code: u64) -> bool {
    let data = [&PANIC_SELECTOR.to_be_bytes()[..], &U256::from(code).to_be_bytes::<32>()].concat();
    outcome.status == Status::Revert && outcome.output == data
}
