//! `property`: a function that states something about the world, as people write them for Foundry, Echidna and Medusa, says that it does not
//! hold. Which functions are properties, and when they are called, is not known here.

use super::{
    evidence::{Evidence, Expected, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::Trial,
    violation::{Cause, Place, PlaceKind, Violation},
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    compile::{SourceId, Span},
    evm::{Call, CallTarget, Outcome, Status},
    harness::{Harness, HarnessKind},
    input::{CallId, CallTable, PropertyKind},
    project::Level,
};
use revm::context::result::HaltReason;

const META: OracleMeta = oracle_meta! {
    id: "property",
    title: "A property does not hold",
    swc: "110",
    level: Level::Error,
    description: "A property that you wrote does not hold: an invariant, a fuzz test, or a function `echidna_…`, `property_…`",
};

/// The name of this oracle: while a property is called, only this one is asked.
pub(super) const PROPERTY: &str = META.id;

#[derive(Debug)]
pub(super) struct PropertyHolds;

impl Oracle for PropertyHolds {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn judges_all(&self, calls: &CallTable) -> bool {
        !calls.rules().properties.is_empty()
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        let Some(harness) = execution.harness else { return };
        let broken = match called_property(harness, execution.call) {
            Some((_, call, kind)) => fails(execution, kind).then_some((call, told(kind))),
            None if harness.kind() == HarnessKind::Test => breaks_all(harness, execution),
            None => None,
        };
        if let Some((call, what)) = broken
            && let Some((source, span)) = harness.definition(call)
        {
            let span = name_in(harness, source, span, &harness.calls.function(call).name);
            violations.add(Place { source, span, kind: PlaceKind::Span }, Cause::Other(what));
        }
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let (kind, ended) = trial.last_outcome(violation)?;
        let compared = trial.stated_comparison(&ended);
        let weight = Weight::at_most(Level::Error, Grounds::Broken { expected: expected(kind), ended, compared });
        Some(weight.that_takes_call_back(trial.takes_call_back(violation)))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let kind = called_property(replay.harness, &replay.call).map(|(.., kind)| kind);
        Ok(Evidence::Broken(expected(kind)))
    }
}

/// How a call ends of a property that holds, or of a function that states nothing.
fn expected(kind: Option<PropertyKind>) -> Expected {
    match kind {
        Some(PropertyKind::IsTrue) => Expected::True,
        Some(kind) if kind.is_of_failure() => Expected::Revert,
        _ => Expected::Success,
    }
}

/// The property that a call is of, and what it states.
pub(super) fn called_property<'a>(harness: &'a Harness, call: &Call) -> Option<(&'a Harness, CallId, PropertyKind)> {
    let properties = &harness.calls.rules().properties;
    let CallTarget::Account(to, data) = &call.target else { return None };
    let selector = data.first_chunk::<4>().filter(|_| !properties.is_empty())?;
    let is_called = |call: CallId| {
        harness.calls.instance(call.target).address == *to && harness.calls.function(call).selector == Some(*selector)
    };
    let property = properties.iter().find(|property| is_called(property.call))?;
    Some((harness, property.call, property.kind))
}

/// The call of a handler that breaks every property of a test contract by the way in which it ends, with how that is told: an assertion
/// that fails, whose text forge goes by, or any revert where these count. What the compiler asserts is told by another oracle.
fn breaks_all(harness: &Harness, execution: &Execution<'_>) -> Option<(CallId, &'static str)> {
    let CallTarget::Account(to, data) = &execution.call.target else { return None };
    let status = &execution.outcome.status;
    let rules = harness.calls.rules();
    let has_invariants = rules.properties.iter().any(|property| property.kind.holds_in_all_states());
    let what = match status {
        Status::Success if execution.after().has_failed() => "call can fail an assertion, which breaks every invariant",
        Status::Success | Status::Refused => return None,
        _ if is_assertion(execution.outcome) || execution.outcome.is_given_up() => return None,
        _ if execution.outcome.told(|_| None).contains("assertion failed") => {
            "call can fail an assertion, which breaks every invariant"
        }
        _ if rules.fail_on_revert => "call can revert, which breaks every invariant by `fail_on_revert`",
        _ => return None,
    };
    let target = harness.calls.at(*to)?;
    let selector = *data.first_chunk::<4>()?;
    let function = harness.calls.instance(target).interface.by_selector(selector)?.id;
    has_invariants.then_some((CallId { target, function }, what))
}

/// Whether a call ends as an `assert` of Solidity that fails.
pub(super) fn is_assertion(outcome: &Outcome) -> bool {
    const PANIC: [u8; 4] = [0x4e, 0x48, 0x7b, 0x71];
    match outcome.status {
        Status::Revert => outcome.output.starts_with(&PANIC) && outcome.output.last() == Some(&1),
        Status::Halt(HaltReason::InvalidFEOpcode) => true,
        _ => false,
    }
}

/// Whether a property says that it does not hold. A test that assumes something else, or skips itself, says nothing, and neither does one
/// that is out of gas.
fn fails(execution: &Execution<'_>, kind: PropertyKind) -> bool {
    let Outcome { status, output, .. } = execution.outcome;
    let says_nothing = execution.outcome.is_given_up() || execution.observation().lacks_cheatcode();
    match (status, kind) {
        (Status::Halt(HaltReason::OutOfGas(_)) | Status::Refused, _) | (_, PropertyKind::Maximised) => false,
        (Status::Revert | Status::Halt(_), kind) if kind.is_of_failure() => false,
        (Status::Success, kind) if kind.is_of_failure() => !execution.after().has_failed(),
        (Status::Revert | Status::Halt(_), _) => !says_nothing,
        (Status::Success, PropertyKind::IsTrue) => output.iter().all(|byte| *byte == 0),
        // Before reverts said it, a failure was noted here.
        (Status::Success, _) => execution.after().has_failed(),
    }
}

/// In a few words, as they follow "this ... ".
fn told(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant | PropertyKind::AfterInvariant => "invariant can be broken",
        PropertyKind::FuzzTest => "fuzz test can fail",
        PropertyKind::UnitTest => "test fails",
        PropertyKind::FailingFuzzTest => "fuzz test can succeed, and has to fail",
        PropertyKind::FailingUnitTest => "test succeeds, and has to fail",
        PropertyKind::IsTrue | PropertyKind::Reverts | PropertyKind::Succeeds | PropertyKind::Maximised => {
            "property can be broken"
        }
    }
}

/// The name of a function within its definition; the whole of it, where the name is not found.
fn name_in(harness: &Harness, source: SourceId, definition: Span, name: &str) -> Span {
    let text = definition.text(&harness.build.source(source).text);
    let start = text.find(name).map(|at| definition.start + at as u32);
    start.map_or(definition, |start| Span::new(start, start + name.len() as u32))
}
