//! The id of a finding: stable as long as the failing expression, its function and its file keep their names, so that edits
//! elsewhere do not turn an old finding into a new one.

use crate::{harness::Harness, oracle::Violation};
use alloy_primitives::keccak256;

/// Sixteen hex digits.
pub(super) fn id(harness: &Harness, violation: &Violation) -> String {
    let source = harness.build.source(violation.place.source);
    let text = violation.place.span.text(&source.text);
    let function = source.ast.function_at(violation.place.span).map_or("", |node| node.name.as_str());
    let contract = source.ast.contract_at(violation.place.span).map_or("", |node| node.name.as_str());
    // Equal expressions in one file are told apart by their order.
    let before = source.text.get(..violation.place.span.start as usize).unwrap_or("");
    let nth = if text.is_empty() { 0 } else { before.matches(text).count() };
    let fuzzed = harness.compiled().name.as_str();
    // In the world of a test contract it is another finding, which is fixed by itself.
    let suite = harness.suite().map(|suite| suite.name.as_str());
    let nth = nth.to_string();
    let parts = [violation.oracle, &source.name, contract, function, text, &nth, fuzzed];
    let parts: Vec<&str> = parts.into_iter().chain(suite).collect();
    let parts = parts.join("\0");
    alloy_primitives::hex::encode(&keccak256(parts)[..8])
}
