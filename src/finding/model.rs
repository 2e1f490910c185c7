//! The types of a finding.

use super::{
    compared::Comparison,
    ignore::{self, Ignored},
    line_values::{LineValues, line_values},
    story::Story,
    turning_point::TurningPoint,
};
use crate::{
    code::Line,
    compile::Span,
    harness::Harness,
    input::Sequence,
    oracle::{OracleMeta, StoredRead, Violation, is_layout_change},
    project::{Config, Level},
};
use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// A range in a source as editors show it: counted from 1, columns in Unicode scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRange {
    /// First line.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

/// The time and place in the session at which a finding was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Discovery {
    /// The session's seed.
    pub seed: u64,
    /// Transactions executed in the session until then.
    pub executions: u64,
    /// Time from the session's start, compile time excluded; none if it was found in another process.
    pub elapsed: Option<Duration>,
}

/// A defect with its proof.
#[derive(Debug, Clone)]
pub struct Finding {
    /// An id short enough to be typed, the same for the same defect of the same source.
    pub id: String,
    /// The violated property and its place.
    pub violation: Violation,
    /// The severity: the configured one, but none above `most`.
    pub level: Level,
    /// The highest severity that its proof allows.
    pub most: Level,
    /// Why it is not told like others, if a person said that it is meant.
    pub ignored: Option<Ignored>,
    /// Why it is a defect, or only worth knowing, in a sentence.
    pub because: String,
    /// The comparison that failed.
    pub comparison: Comparison,
    /// The contract that was fuzzed.
    pub contract: String,
    /// The source's name, relative to the root.
    pub file: String,
    /// The source's absolute path.
    pub path: PathBuf,
    /// The failing expression.
    pub span: Span,
    /// The same in lines and columns.
    pub lines: TextRange,
    /// What is wrong, in words, without the calls.
    pub what: String,
    /// One line with the calls.
    pub message: String,
    /// When and how it was found.
    pub discovery: Discovery,
    /// The sequence that shows the defect.
    pub sequence: Sequence,
    /// The lines that its last call ran, in order.
    pub passed: Vec<Line>,
    /// The values on the lines that it ran, once somebody asked for them.
    pub(crate) line_values: Arc<OnceLock<Vec<LineValues>>>,
    /// Whether shrinking has finished: until then a shorter sequence may follow, under the same id.
    pub shrunk: bool,
    /// The events of the sequence.
    pub story: Story,
    /// Where it began to be false, if it is a property of every state.
    pub turning_point: Option<TurningPoint>,
    /// What a test stores before the last call, where an older build wrote what is read.
    pub stored: Option<StoredRead>,
    /// The harness that it was replayed on.
    pub harness: Arc<Harness>,
}

impl Finding {
    /// The same finding with the level and the ignores of a configuration.
    #[must_use]
    pub fn under(self, config: &Config) -> Self {
        let (level, ignored) = self.judged_by(config);
        Self { level, ignored, ..self }
    }

    /// The same for a shared finding, which is copied only if it changes.
    pub fn shared_under(this: &Arc<Self>, config: &Config) -> Arc<Self> {
        let (level, ignored) = this.judged_by(config);
        let is_same = this.level == level && this.ignored == ignored;
        if is_same { this.clone() } else { Arc::new(Self { level, ignored, ..Self::clone(this) }) }
    }

    fn judged_by(&self, config: &Config) -> (Level, Option<Ignored>) {
        let (build, violation) = (&self.harness.build, &self.violation);
        let level = config.level_at(violation.oracle, &violation.place.names(build)).max(self.most);
        (level, ignore::ignored(build, violation, ignore::rules(config)))
    }

    /// The same finding at a place in support code, which this name tells: a folder, a file or a contract of tests, mocks or examples.
    #[must_use]
    pub(crate) fn of_support(self, support: &str) -> Self {
        self.for_information(&format!("since `{support}` says that this is a test, a mock or an example"))
    }

    /// The same finding of code that is no support, but that only calls of functions of such a contract show.
    #[must_use]
    pub(crate) fn shown_by_support(self, support: &str) -> Self {
        let reason = "since it is shown only by calling functions of a test, a mock or an example, as";
        self.for_information(&format!("{reason} `{support}` says"))
    }

    fn for_information(self, reason: &str) -> Self {
        let because = format!("{} It is for information, {reason}; name it in `include` if it is not.", self.because);
        Self { most: self.most.max(Level::Information), because, ..self }
    }

    /// The values on the lines that its last call ran. The first time, its calls are run again for that.
    pub fn line_values(&self) -> &[LineValues] {
        self.line_values.get_or_init(|| match self.sequence.transactions.is_empty() {
            true => Vec::new(),
            false => line_values(&self.harness, &self.sequence),
        })
    }

    /// What is wrong, and the calls that show it.
    pub fn told(&self, separator: &str) -> String {
        // What is seen without a call is told without one.
        let is_shown = !self.sequence.transactions.is_empty() || !is_layout_change(&self.violation);
        let calls = if is_shown { format!(": {}", self.story.calls(separator)) } else { String::new() };
        format!("{}{calls}", self.what)
    }

    /// Whether its level is warning or above, and nobody said that it is meant: what a build fails for.
    pub fn is_serious(&self) -> bool {
        self.level <= Level::Warning && self.ignored.is_none()
    }

    /// The SWC entry of its oracle.
    pub fn swc(&self) -> &'static str {
        OracleMeta::of(self.violation.oracle).map_or("", |oracle| oracle.swc)
    }
}
