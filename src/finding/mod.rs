//! A [`Finding`] is a defect with its proof: a violation, a sequence that shows it, and the story of that sequence. It
//! exists only after it was replayed from a clean world on the build that it is shown for. Its sequence is the one that was
//! found first, and is replaced by a shorter one when that is known.

mod distinct;
mod identity;
mod regression;
mod saved;
mod shrink;
mod slots;
mod story;

pub use distinct::distinct;
pub use regression::{
    RegressionError, RegressionTest, TestChange, regression_path, regression_test, regression_test_at,
};
pub use saved::{FindingError, Saved};
pub use shrink::{Shrinker, shrink};
pub(crate) use story::result;
pub use story::{Change, Step, Story, tell};

use crate::{
    compile::{SourceId, Span},
    evm::Executor,
    input::Sequence,
    oracle::{OracleMeta, OracleSet, Violation},
    project::Level,
    subject::Subject,
};
use std::{ops::ControlFlow, path::PathBuf, sync::Arc, time::Duration};

/// A range in a source as people count: from 1, columns in Unicode scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRange {
    /// First line.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column behind the last character.
    pub end_column: u32,
}

/// What was known when it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Discovery {
    /// The session's seed.
    pub seed: u64,
    /// Transactions executed in the session until then.
    pub executions: u64,
    /// Time from the session's start, compile time excluded; none if that was in another process.
    pub elapsed: Option<Duration>,
}

/// A defect with its proof.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The same for the same defect of the same source, and short enough to be typed.
    pub id: String,
    /// What is wrong.
    pub violation: Violation,
    /// How bad, as configured.
    pub level: Level,
    /// The contract that was fuzzed.
    pub contract: String,
    /// The source's name, relative to the root.
    pub file: String,
    /// The source's absolute path.
    pub path: PathBuf,
    /// The failing expression.
    pub span: Span,
    /// The same, as people count.
    pub lines: TextRange,
    /// In one line, with the calls.
    pub message: String,
    /// When and how it was found.
    pub discovery: Discovery,
    /// What shows it.
    pub sequence: Sequence,
    /// Whether shrinking came to its end: until then a shorter sequence may follow, under the same id.
    pub shrunk: bool,
    /// What happens in it.
    pub story: Story,
    /// What it was replayed on.
    pub subject: Arc<Subject>,
}

impl Finding {
    /// The same finding, shown at another level.
    pub fn at_level(this: &Arc<Self>, level: Level) -> Arc<Self> {
        if this.level == level { this.clone() } else { Arc::new(Self { level, ..Self::clone(this) }) }
    }

    /// The SWC entry of its oracle.
    pub fn swc(&self) -> &'static str {
        OracleMeta::of(self.violation.oracle).map_or("", |oracle| oracle.swc)
    }
}

/// Whether the last call of `sequence` (its deployment, if there is no other) shows `violation` from a clean world.
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
    executor.set_instruments(oracles.instruments());
    let end = subject.run_while(executor, sequence, |step| {
        if seen == sequence.transactions.len() {
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
    executor.set_instruments(oracles.instruments());
    subject.run(executor, sequence, |step| {
        if seen == sequence.transactions.len() {
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
