//! The types of a finding.

use super::story::Story;
use crate::{
    compile::Span,
    harness::Harness,
    input::Sequence,
    oracle::{OracleMeta, Violation},
    project::Level,
};
use std::{path::PathBuf, sync::Arc, time::Duration};

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
    pub harness: Arc<Harness>,
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
