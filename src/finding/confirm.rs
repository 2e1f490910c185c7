//! Confirming a finding: its sequence is replayed from a clean world, and the last call has to show the violation.

use super::{
    identity,
    model::{Discovery, Finding, TextRange},
    story::tell,
};
use crate::{
    compile::{SourceId, Span},
    evm::Executor,
    harness::Harness,
    input::Sequence,
    oracle::{OracleSet, Violation},
    project::Level,
};
use std::{ops::ControlFlow, sync::Arc};

/// Whether the last call of `sequence` (the last step of its setup, if there is no call) shows `violation` from a clean
/// world.
pub fn shows(
    harness: &Harness,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    sequence: &Sequence,
    violation: &Violation,
) -> bool {
    last_violations(harness, executor, oracles, sequence).contains(violation)
}

/// Like [`shows`], but asks `goes_on` after each transaction, with the gas that it took, whether to continue.
pub fn shows_while(
    harness: &Harness,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    sequence: &Sequence,
    violation: &Violation,
    mut goes_on: impl FnMut(u64) -> ControlFlow<()>,
) -> Option<bool> {
    let violations = judge_last(harness, executor, oracles, sequence, &mut goes_on)?;
    Some(violations.contains(violation))
}

/// The violations of the last call of `sequence`, replayed from a clean world.
pub fn last_violations(
    harness: &Harness,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    sequence: &Sequence,
) -> Vec<Violation> {
    judge_last(harness, executor, oracles, sequence, &mut |_| ControlFlow::Continue(())).unwrap_or_default()
}

/// The violations of the last step; none if `goes_on` broke the replay off.
fn judge_last(
    harness: &Harness,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    sequence: &Sequence,
    goes_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Option<Vec<Violation>> {
    let (mut left, mut last) = (sequence.len(), Vec::new());
    executor.set_instruments(oracles.instruments());
    let end = harness.run_while(executor, sequence, |step| {
        left -= 1;
        if left == 0 {
            last = oracles.judge(step.executor, step.outcome);
        }
        goes_on(step.outcome.gas)
    });
    end.is_continue().then_some(last)
}

/// Replays a sequence from a clean world and, if it shows `violation`, makes a finding of it, without shrinking it.
pub fn describe(
    harness: &Arc<Harness>,
    oracles: &mut OracleSet,
    sequence: Sequence,
    violation: Violation,
    level: Level,
    discovery: Discovery,
) -> Option<Finding> {
    let mut executor = harness.executor();
    if !shows(harness, &mut executor, oracles, &sequence, &violation) {
        return None;
    }
    let story = tell(harness, &sequence);
    let source = harness.build.source(violation.place.source);
    Some(Finding {
        id: identity::id(harness, &violation),
        violation,
        level,
        contract: harness.compiled().name.clone(),
        file: source.name.clone(),
        path: source.path.clone(),
        span: violation.place.span,
        lines: text_range(harness, violation.place.source, violation.place.span),
        message: format!("{}: {}", violation.cause.describe(), story.calls(", ")),
        discovery,
        sequence,
        shrunk: false,
        story,
        harness: harness.clone(),
    })
}

/// The range in lines and columns.
fn text_range(harness: &Harness, source: SourceId, span: Span) -> TextRange {
    let source = harness.build.source(source);
    let (line, column) = source.lines.position(&source.text, span.start);
    let (end_line, end_column) = source.lines.position(&source.text, span.end);
    TextRange { line, column, end_line, end_column }
}
