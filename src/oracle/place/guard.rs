//! A guard is an assertion in a pure function of a library, as SafeMath's were before 0.8: it says what the function may be called
//! with. Where it fails, the place is the call that passed something else.

use super::standing::Walker;
use crate::{
    code::BlockId,
    compile::{Build, ContractKind, Node, NodeKind, SourceRange},
    oracle::violation::Place,
};

/// Whether a place is in a pure function of a library.
pub(super) fn is_guard(build: &Build, place: &Place) -> bool {
    let source = build.source(place.source);
    let is_library = source.ast.contract_at(place.span).is_some_and(|contract| {
        let mut kinds = source.ast.contract_kinds.iter();
        kinds.any(|(name, kind)| *name == contract.name && *kind == ContractKind::Library)
    });
    let head = |function: &Node| {
        let text = function.span.text(&source.text);
        text.split('{').next().is_some_and(|head| {
            head.split(|letter: char| !letter.is_alphanumeric()).any(|word| matches!(word, "pure" | "constant"))
        })
    };
    is_library && source.ast.function_at(place.span).is_some_and(head)
}

/// The last call from outside of the library on the way to a guard; the guard itself if the way does not tell.
pub(super) fn call_of_guard(walker: &Walker<'_>, way: &[BlockId], guard: Place) -> Place {
    let build = walker.build;
    let Some(library) = build.source(guard.source).ast.contract_at(guard.span) else { return guard };
    let is_outside = |(source, span): &SourceRange| *source != guard.source || !library.span.contains(*span);
    let call = walker.calls(way).into_iter().find(is_outside);
    let named = call.and_then(|(source, span)| {
        let call = build.source(source).ast.smallest(span, |node| node.kind == NodeKind::Call)?;
        Some(Place::of(build, source, call.span))
    });
    named.unwrap_or(guard)
}
