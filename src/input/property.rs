//! A [`PropertyKind`] is what a function states about a world, which is called to see whether it holds. People write such functions for
//! Foundry, Echidna and Medusa; how each of these tools reads them is known here, and nothing is run.

use super::{
    interface::{Function, Mutability},
    types::Type,
};

/// What a property states, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PropertyKind {
    /// It succeeds in every state that calls lead to: `invariant_*` and `statefulFuzz*` of a test contract.
    Invariant,
    /// It succeeds after a whole run of an invariant: `afterInvariant()`.
    AfterInvariant,
    /// It succeeds right after `setUp()` with any arguments: `testFuzz_*`, `test*` with parameters, `check_*`, `prove_*`.
    FuzzTest,
    /// It succeeds right after `setUp()`: `test*` without parameters.
    UnitTest,
    /// It fails right after `setUp()` with any arguments: `testFail*` and `proveFail*` with parameters, as forge had them before 1.0.
    FailingFuzzTest,
    /// It fails right after `setUp()`: `testFail*` without parameters.
    FailingUnitTest,
    /// It returns true in every state that calls lead to: `echidna_*`, and `property_*` where it returns a boolean.
    IsTrue,
    /// It reverts in every state that calls lead to: `echidna_revert_*`.
    Reverts,
    /// It succeeds in every state that calls lead to, whoever calls it: `property_*` where it returns nothing.
    Succeeds,
    /// It returns a number, the larger the worse: `optimize_*`.
    Maximised,
}

/// Prefixes of the names of functions that halmos and others prove, and that are fuzzed here.
const PROVED: [&str; 2] = ["check_", "prove_"];
/// Prefixes of the names of functions that have to fail.
const FAILING: [&str; 2] = ["testFail", "proveFail"];

impl PropertyKind {
    /// What a function of a test contract of Foundry states; none if it is no property.
    #[must_use]
    pub fn of_test(function: &Function) -> Option<Self> {
        let Function { name, inputs, .. } = function;
        if name == "afterInvariant" && inputs.is_empty() {
            return Some(Self::AfterInvariant);
        }
        if name.starts_with("invariant") || name.starts_with("statefulFuzz") {
            return inputs.is_empty().then_some(Self::Invariant);
        }
        if FAILING.iter().any(|prefix| name.starts_with(prefix)) {
            return Some(if inputs.is_empty() { Self::FailingUnitTest } else { Self::FailingFuzzTest });
        }
        if name.starts_with("test") || PROVED.iter().any(|prefix| name.starts_with(prefix)) {
            return Some(if inputs.is_empty() { Self::UnitTest } else { Self::FuzzTest });
        }
        Self::of_contract(function, &[])
    }

    /// What a function of any contract states, where the names of properties may begin in these ways, too; none if it is no property.
    #[must_use]
    pub fn of_contract(function: &Function, prefixes: &[String]) -> Option<Self> {
        let Function { name, inputs, outputs, .. } = function;
        if !inputs.is_empty() {
            return None;
        }
        let returns = |ty: &Type| outputs.len() == 1 && outputs[0].ty == *ty;
        if name.starts_with("echidna_") && returns(&Type::Bool) {
            return Some(if name.starts_with("echidna_revert_") { Self::Reverts } else { Self::IsTrue });
        }
        if name.starts_with("property_") {
            return match outputs.as_slice() {
                [] => Some(Self::Succeeds),
                _ => returns(&Type::Bool).then_some(Self::IsTrue),
            };
        }
        if prefixes.iter().any(|prefix| name.starts_with(prefix)) && returns(&Type::Bool) {
            return Some(Self::IsTrue);
        }
        let is_optimised = ["optimize_", "echidna_opt_"].iter().any(|prefix| name.starts_with(prefix));
        (is_optimised && returns(&Type::Int(256))).then_some(Self::Maximised)
    }

    /// Whether a function of this name is meant to be a property of a contract.
    #[must_use]
    pub fn is_name_of_property(name: &str) -> bool {
        ["echidna_", "property_", "optimize_"].iter().any(|prefix| name.starts_with(prefix))
    }

    /// Whether a function of this name makes a contract a test contract of Foundry, which calls such functions by itself.
    #[must_use]
    pub fn is_name_of_test(name: &str) -> bool {
        let prefixes = ["test", "invariant", "statefulFuzz"].iter().chain(&PROVED).chain(&FAILING);
        prefixes.into_iter().any(|prefix| name.starts_with(prefix))
    }

    /// Why a function that is named like a property is none, for people; none if it is one, or is not named like one.
    #[must_use]
    pub fn mistake(function: &Function) -> Option<&'static str> {
        let Function { name, inputs, mutability, .. } = function;
        let named = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        if named(&["echidna_", "property_"])
            && Self::of_contract(function, &[]).is_none()
            && *mutability != Mutability::Pure
        {
            return Some(match inputs.is_empty() {
                true => "it has to return one `bool`",
                false => "it must not take arguments",
            });
        }
        if named(&["optimize_"]) && Self::of_contract(function, &[]).is_none() {
            return Some("it has to return one `int256` and to take no arguments");
        }
        (named(&["invariant_"]) && !inputs.is_empty()).then_some("it must not take arguments")
    }

    /// Whether it is about every state that calls lead to, and not only about the one right after the setup.
    #[must_use]
    pub fn holds_in_all_states(self) -> bool {
        !matches!(self, Self::FuzzTest | Self::UnitTest | Self::FailingFuzzTest | Self::FailingUnitTest)
    }

    /// Whether it states only that its function does not revert, whatever that returns, as forge has it.
    #[must_use]
    pub fn holds_without_revert(self) -> bool {
        matches!(self, Self::Invariant | Self::UnitTest | Self::FuzzTest)
    }

    /// Whether calls of it are drawn like any others. Those without arguments end the same until something else changes the state.
    #[must_use]
    pub fn is_drawn(self) -> bool {
        matches!(self, Self::FuzzTest | Self::FailingFuzzTest)
    }

    /// Whether it states that its function fails.
    #[must_use]
    pub fn is_of_failure(self) -> bool {
        matches!(self, Self::FailingFuzzTest | Self::FailingUnitTest | Self::Reverts)
    }
}
