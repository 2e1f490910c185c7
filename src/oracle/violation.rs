//! A [`Violation`] is a verdict: the oracle, the place in the source, and the cause. It does not depend on the transactions
//! that led to it: two equal violations are the same defect.

use crate::{
    compile::{Build, Bytecode, ContractKind, Node, NodeKind, SourceElement, SourceId, SourceRange, Span},
    project::PlaceNames,
};

/// A defect, independent of how it was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Violation {
    /// The name of the oracle.
    pub oracle: &'static str,
    /// The place in the source.
    pub place: Place,
    /// The cause.
    pub cause: Cause,
}

/// A part of a source that a violation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The source.
    pub source: SourceId,
    /// The range in its text.
    pub span: Span,
    /// The kind of code there.
    pub kind: PlaceKind,
}

/// The kind of code at a place.
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
        let is_whole = |node: &Node| node.span == span && node.kind != NodeKind::Getter;
        let is_function = build.source(source).ast.function_at(span).is_some_and(is_whole);
        Self { source, span, kind: if is_function { PlaceKind::Function } else { PlaceKind::Span } }
    }

    /// Whether the function that it is in does nothing else.
    pub fn is_all_of_its_function(self, build: &Build) -> bool {
        let source = build.source(self.source);
        let function = source.ast.function_at(self.span).map(|node| node.span.text(&source.text));
        let body = function.and_then(|text| text.split_once('{')?.1.strip_suffix('}'));
        body.is_some_and(|body| body.trim().trim_end_matches(';') == self.span.text(&source.text))
    }

    /// Whether some of this code was made from it.
    pub fn is_in_code(self, code: &Bytecode) -> bool {
        let is_it = |made: &SourceElement| made.source == Some(self.source) && self.span.contains(made.span);
        code.map.iter().any(is_it)
    }

    /// Whether the function that it is in is one that an interface of the build declares, so that other contracts call it.
    pub fn is_in_function_of_interface(self, build: &Build) -> bool {
        let function = build.source(self.source).ast.function_at(self.span);
        let Some(selector) = function.and_then(|function| function.selector) else { return false };
        let mut interfaces = build.contracts.iter().filter(|contract| contract.kind == ContractKind::Interface);
        interfaces.any(|interface| interface.abi.functions().any(|declared| declared.selector() == selector))
    }

    /// The names that tell where it is.
    pub fn names(self, build: &Build) -> PlaceNames<'_> {
        let source = build.source(self.source);
        PlaceNames {
            file: &source.name,
            contract: source.ast.contract_at(self.span).map_or("", |node| &node.name),
            function: source.ast.function_at(self.span).map_or("", |node| &node.name),
            expression: self.span.text(&source.text),
        }
    }
}

/// The cause of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// It fails with `Panic(code)`.
    Panic(u64),
    /// It fails with INVALID, which solc emitted before 0.8, at an expression of this kind.
    Invalid(Option<NodeKind>),
    /// A guard of a library refuses what this call passes, with INVALID.
    Guard,
    /// It emits an `AssertionFailed` event.
    Event,
    /// A variable, declared at the first range, is written as another one, declared at the second, or as the slot that stands there.
    Collision(SourceRange, SourceRange),
    /// Something that only its oracle knows, in a few words, as they follow "this ... ".
    Other(&'static str),
}

impl Cause {
    /// In a few words, as they follow "this ... ".
    pub fn describe(self) -> &'static str {
        match self {
            Self::Panic(0x01) | Self::Event | Self::Invalid(Some(NodeKind::Assert)) => "assertion can fail",
            Self::Guard => "a library's guard can refuse this",
            Self::Panic(0x11) => "arithmetic can overflow",
            Self::Panic(0x12) | Self::Invalid(Some(NodeKind::Division)) => "division by zero",
            Self::Panic(0x21) | Self::Invalid(Some(NodeKind::Conversion)) => "value can be out of the enum's range",
            Self::Panic(0x31) | Self::Invalid(Some(NodeKind::Pop)) => "pop on an empty array",
            Self::Panic(0x32) | Self::Invalid(Some(NodeKind::Index)) => "index can be out of bounds",
            Self::Panic(0x51) | Self::Invalid(Some(NodeKind::Call)) => "call of an uninitialised function pointer",
            Self::Panic(_) | Self::Invalid(_) => "check can fail",
            Self::Collision(..) => "variable is written as another one",
            Self::Other(words) => words,
        }
    }
}
