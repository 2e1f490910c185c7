//! Confirming a finding: its sequence is replayed from a clean world, and the last call has to show the violation.

use super::{
    because::because,
    compared::compared,
    identity,
    ignore::ignored,
    model::{Discovery, Finding, TextRange},
    overwritten::owner,
    story::tell_each,
    turning_point::turning_point,
};
use crate::{
    code::{Line, Lines},
    compile::Contract,
    compile::{SourceId, Span},
    evm::{BlockVisit, Executor},
    harness::{Checkpoints, Harness},
    input::{Sequence, Transaction},
    oracle::{Cause, LastCall, OracleSet, Violation},
    project::Level,
};
use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc};

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

/// Like [`shows`], but asks `goes_on` after each transaction, with the gas that it took, whether to continue. What the sequence
/// begins with like the last one that was tried with these checkpoints is not run again.
pub fn shows_while(
    harness: &Harness,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    checkpoints: &mut Checkpoints,
    (sequence, violation): (&Sequence, &Violation),
    mut goes_on: impl FnMut(u64) -> ControlFlow<()>,
) -> Option<bool> {
    let violations = judge_last(harness, executor, oracles, checkpoints, sequence, &mut goes_on)?;
    Some(violations.contains(violation))
}

/// The violations of the last call of `sequence`, replayed from a clean world.
pub fn last_violations(
    harness: &Harness,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    sequence: &Sequence,
) -> Vec<Violation> {
    let (mut checkpoints, goes_on) = (Checkpoints::default(), &mut |_| ControlFlow::Continue(()));
    judge_last(harness, executor, oracles, &mut checkpoints, sequence, goes_on).unwrap_or_default()
}

/// The violations of the last step; none if `goes_on` broke the replay off.
fn judge_last(
    harness: &Harness,
    executor: &mut Executor,
    oracles: &mut OracleSet,
    checkpoints: &mut Checkpoints,
    sequence: &Sequence,
    goes_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Option<Vec<Violation>> {
    let mut last = Vec::new();
    executor.set_instruments(oracles.instruments());
    let end = harness.run_while(executor, sequence, checkpoints, |step| {
        if step.left == 0 {
            last = oracles.judge(step.executor, step.outcome);
        }
        goes_on(step.outcome.gas)
    });
    end.is_continue().then_some(last)
}

/// Why no finding is made of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unproven {
    /// The replay from a clean world does not show it.
    NotShown,
    /// Its oracle claims nothing, given how other runs end. Another sequence may prove it.
    NotClaimed,
}

/// Attacks that are looked at at most, each of which shows the one before best; chosen by hand.
const MAX_ATTACKS: usize = 4;

/// Replays a sequence from a clean world and, if it shows `violation`, makes a finding of it, without shrinking it.
///
/// # Errors
///
/// Why it makes none.
pub fn describe(
    harness: &Arc<Harness>,
    oracles: &mut OracleSet,
    sequence: Sequence,
    violation: Violation,
    level: Level,
    discovery: Discovery,
) -> Result<Finding, Unproven> {
    let (mut finding, mut attack) = describe_as_it_is(harness, oracles, sequence, violation, level, discovery)?;
    for _ in 0..MAX_ATTACKS {
        let Some(transactions) = attack.filter(|attack| *attack != finding.sequence.transactions) else { break };
        let shown_by = Sequence { transactions, ..finding.sequence.clone() };
        // In the world of this sequence it may not succeed.
        let Ok(attacked) = describe_as_it_is(harness, oracles, shown_by, violation, level, discovery) else { break };
        (finding, attack) = attacked;
    }
    Ok(finding)
}

/// The finding that a sequence shows, with the transactions that show it best, if not its own.
fn describe_as_it_is(
    harness: &Arc<Harness>,
    oracles: &mut OracleSet,
    sequence: Sequence,
    violation: Violation,
    level: Level,
    discovery: Discovery,
) -> Result<(Finding, Option<Vec<Transaction>>), Unproven> {
    let (mut executor, mut is_shown) = (harness.executor(), false);
    let (mut steps, mut start, mut before) = (0, None, None);
    let (mut passed, mut entered) = (Vec::new(), Vec::new());
    executor.set_instruments(oracles.instruments());
    let story = tell_each(harness, &sequence, &mut executor, |step| {
        is_shown |= step.left == 0 && oracles.judge(step.executor, step.outcome).contains(&violation);
        if steps == sequence.setup.steps().len() {
            start = Some(step.before.clone());
        }
        if step.left == 0 {
            entered.clone_from(&step.executor.observation().blocks);
        }
        steps += 1;
        before = Some(step.before.clone());
        passed.push((step.before.clone(), step.after.clone(), step.executor.observation().writes.clone()));
    });
    if !is_shown {
        return Err(Unproven::NotShown);
    }
    let last = sequence.transactions.last().zip(before.zip(start));
    let last = last.map(|(transaction, (before, start))| LastCall { transaction, before, start });
    let weight = oracles.weigh(&violation, harness, &sequence, last).ok_or(Unproven::NotClaimed)?;
    let source = harness.build.source(violation.place.source);
    let what = told_cause(harness, violation.cause);
    let comparison = compared(harness, &violation, &weight.grounds);
    let turning_point = turning_point(harness, &mut executor, oracles, (&sequence, &passed), &violation);
    let finding = Finding {
        id: identity::id(harness, &violation),
        violation,
        level: level.max(weight.most),
        most: weight.most,
        ignored: ignored(&harness.build, &violation, &[]),
        because: because(harness, &weight, &comparison),
        comparison,
        contract: harness.compiled().name.clone(),
        file: source.name.clone(),
        path: source.path.clone(),
        span: violation.place.span,
        lines: text_range(harness, violation.place.source, violation.place.span),
        message: format!("{what}: {}{}", harness.suite().map(told_setup).unwrap_or_default(), story.calls(", ")),
        what,
        discovery,
        sequence,
        passed: lines_of(harness, &entered),
        line_values: Arc::default(),
        shrunk: false,
        story,
        turning_point,
        stored: None,
        harness: harness.clone(),
    };
    Ok((finding, weight.attack))
}

/// The lines of these blocks, in order.
fn lines_of(harness: &Harness, blocks: &[BlockVisit]) -> Vec<Line> {
    let lines = Lines::of(&harness.build, &harness.programs);
    let all: BTreeSet<Line> = blocks.iter().flat_map(|visit| lines.of_block(visit.program, visit.block)).collect();
    all.into_iter().collect()
}

/// What is wrong, in words, as they follow "this ...", or with the names of variables.
fn told_cause(harness: &Harness, cause: Cause) -> String {
    let Cause::Collision(own, written) = cause else { return cause.describe().to_owned() };
    format!("{} is written as {}", owner(harness, own), owner(harness, written))
}

/// The range in lines and columns.
pub(super) fn text_range(harness: &Harness, source: SourceId, span: Span) -> TextRange {
    let source = harness.build.source(source);
    let (line, column) = source.lines.position(&source.text, span.start);
    let (end_line, end_column) = source.lines.position(&source.text, span.end);
    TextRange { line, column, end_line, end_column }
}

/// The call that makes the world of a finding, as it stands before the others.
fn told_setup(suite: &Arc<Contract>) -> String {
    format!("{}.setUp(), ", suite.name)
}
