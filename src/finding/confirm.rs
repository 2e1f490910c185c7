//! Confirming a finding: its sequence is run from a clean world, and the last call has to show the violation.

use super::{
    identity,
    model::{Discovery, Finding, TextRange},
    story::tell,
};
use crate::{
    compile::{SourceId, Span},
    evm::Executor,
    input::Sequence,
    oracle::{OracleSet, Violation},
    project::Level,
    subject::Subject,
};
use std::{ops::ControlFlow, sync::Arc};

/// Whether the last call of `sequence` (the last of its setup, if there is no other) shows `violation` from a clean world.
pub fn shows(
    subject: &Subject,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    sequence: &Sequence,
    violation: &Violation,
) -> bool {
    last_violations(subject, executor, oracles, sequence).contains(violation)
}

/// The same, unless `goes_on`, which is asked after each transaction with the gas that it took, breaks it off.
pub fn shows_while(
    subject: &Subject,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    sequence: &Sequence,
    violation: &Violation,
    mut goes_on: impl FnMut(u64) -> ControlFlow<()>,
) -> Option<bool> {
    let (mut seen, mut shows) = (0, false);
    let last_step = sequence.len() - 1;
    executor.set_instruments(oracles.instruments());
    let end = subject.run_while(executor, sequence, |step| {
        if seen == last_step {
            shows = oracles.judge(step.executor, step.outcome).contains(violation);
        }
        seen += 1;
        goes_on(step.outcome.gas)
    });
    end.is_continue().then_some(shows)
}

/// What the last call of `sequence` violates, run from a clean world.
pub fn last_violations(
    subject: &Subject,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    sequence: &Sequence,
) -> Vec<Violation> {
    let (mut seen, mut last) = (0, Vec::new());
    let last_step = sequence.len() - 1;
    executor.set_instruments(oracles.instruments());
    subject.run(executor, sequence, |step| {
        if seen == last_step {
            last = oracles.judge(step.executor, step.outcome);
        }
        seen += 1;
    });
    last
}

/// Replays a sequence as it is from a clean world and, if it shows `violation`, makes a finding of it, which is not shrunk.
pub fn describe(
    subject: &Arc<Subject>,
    oracles: &mut OracleSet,
    sequence: Sequence,
    violation: Violation,
    level: Level,
    discovery: Discovery,
) -> Option<Finding> {
    let mut executor = subject.executor();
    if !shows(subject, &mut executor, oracles, &sequence, &violation) {
        return None;
    }
    let story = tell(subject, &sequence);
    let source = subject.build.source(violation.place.source);
    Some(Finding {
        id: identity::id(subject, &violation),
        violation,
        level,
        contract: subject.compiled().name.clone(),
        file: source.name.clone(),
        path: source.path.clone(),
        span: violation.place.span,
        lines: text_range(subject, violation.place.source, violation.place.span),
        message: format!("{}: {}", violation.cause.describe(), story.calls(", ")),
        discovery,
        sequence,
        shrunk: false,
        story,
        subject: subject.clone(),
    })
}

/// The range as people count.
fn text_range(subject: &Subject, source: SourceId, span: Span) -> TextRange {
    let source = subject.build.source(source);
    let (line, column) = source.lines.position(&source.text, span.start);
    let (end_line, end_column) = source.lines.position(&source.text, span.end);
    TextRange { line, column, end_line, end_column }
}
