//! A [`Violation`] is a verdict: which oracle, which place in the source, and what is wrong there. It does not say how it was reached:
//! two that are equal are the same defect.

use super::{
    Execution,
    place::{Places, Sought},
};
use crate::compile::{Build, NodeKind, SourceId, Span};

/// What is wrong, in a form that does not depend on how it was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Violation {
    /// The name of the oracle.
    pub oracle: &'static str,
    /// Where it is in the source.
    pub place: Place,
    /// What is wrong there.
    pub cause: Cause,
}

/// A part of a source that a violation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The source.
    pub source: SourceId,
    /// The range in its text.
    pub span: Span,
    /// What stands there.
    pub kind: PlaceKind,
}

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlaceKind {
    /// The expression or statement that fails.
    Span,
    /// A whole function, constructor or modifier: which expression in it fails is not known.
    Function,
}

impl Place {
    /// The place of a range, which is a function if it is exactly that of one.
    pub(super) fn of(build: &Build, source: SourceId, span: Span) -> Self {
        let is_whole = |node: &crate::compile::Node| node.span == span && node.kind != NodeKind::Getter;
        let is_function = build.source(source).ast.function_at(span).is_some_and(is_whole);
        Self { source, span, kind: if is_function { PlaceKind::Function } else { PlaceKind::Span } }
    }
}

/// What is wrong at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// It fails with `Panic(code)`.
    Panic(u64),
    /// It fails with INVALID, which solc emitted before 0.8, at an expression of this kind.
    Invalid(Option<NodeKind>),
    /// It emits an `AssertionFailed` event.
    Event,
    /// Something that only its oracle knows, in a few words, as they follow "this ... ".
    Other(&'static str),
}

impl Cause {
    /// In a few words, as they follow "this ... ".
    pub fn describe(self) -> &'static str {
        match self {
            Self::Panic(0x01) | Self::Event | Self::Invalid(Some(NodeKind::Assert)) => "assertion can fail",
            Self::Panic(0x11) => "arithmetic can overflow",
            Self::Panic(0x12) | Self::Invalid(Some(NodeKind::Division)) => "division by zero",
            Self::Panic(0x21) | Self::Invalid(Some(NodeKind::Conversion)) => "value can be out of the enum's range",
            Self::Panic(0x31) | Self::Invalid(Some(NodeKind::Pop)) => "pop on an empty array",
            Self::Panic(0x32) | Self::Invalid(Some(NodeKind::Index)) => "index can be out of bounds",
            Self::Panic(0x51) | Self::Invalid(Some(NodeKind::Call)) => "call of an uninitialised function pointer",
            Self::Panic(_) | Self::Invalid(_) => "check can fail",
            Self::Other(words) => words,
        }
    }
}

/// The verdicts of all oracles on one transaction, while they are asked one after another.
#[derive(Debug)]
pub struct Violations<'a> {
    places: &'a mut Places,
    /// Where failing checks are, by the index of the failure, as far as an oracle asked.
    checks: Vec<Option<Option<(Place, Cause)>>>,
    /// The oracle that is asked.
    oracle: &'static str,
    /// Each with the index of the failure that it judges; those that judge something else come behind.
    found: Vec<(usize, Violation)>,
}

impl<'a> Violations<'a> {
    pub(super) fn new(places: &'a mut Places) -> Self {
        Self { places, checks: Vec::new(), oracle: "", found: Vec::new() }
    }

    /// From now on what is added is a verdict of this oracle.
    pub(super) fn ask(&mut self, oracle: &'static str) {
        self.oracle = oracle;
    }

    /// Adds a violation that the transaction as a whole shows.
    pub fn add(&mut self, place: Place, cause: Cause) {
        self.add_failure(usize::MAX, place, cause);
    }

    /// Adds a violation that the failure with this index shows.
    pub fn add_failure(&mut self, failure: usize, place: Place, cause: Cause) {
        self.found.push((failure, Violation { oracle: self.oracle, place, cause }));
    }

    /// Where the check is that fails in the failure with this index, and how it fails. None where no check fails there, or where it
    /// is of no interest to the author of the source.
    pub fn check(&mut self, execution: &Execution<'_>, failure: usize) -> Option<(Place, Cause)> {
        let failures = &execution.observation().failures;
        self.checks.resize(failures.len(), None);
        *self.checks[failure].get_or_insert_with(|| self.places.check(execution, &failures[failure]))
    }

    /// Where the expression is that an oracle looks for around the failure with this index.
    pub(super) fn expression(
        &mut self,
        execution: &Execution<'_>,
        failure: usize,
        sought: &Sought<'_>,
    ) -> Option<Place> {
        self.places.expression(execution, &execution.observation().failures[failure], sought)
    }

    /// All of them once, in the order of the failures.
    pub(super) fn finish(mut self) -> Vec<Violation> {
        self.found.sort_by_key(|(failure, _)| *failure);
        let mut violations = Vec::new();
        for (_, violation) in self.found {
            if !violations.contains(&violation) {
                violations.push(violation);
            }
        }
        violations
    }
}
