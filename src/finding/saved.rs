//! The JSON form of a saved finding, in the corpus store and in FINDING.json (`report/json.rs`, which adds the build and
//! the wall-clock time), and how it is read back, older forms included. Fields may be added; existing ones keep their
//! meaning.

use super::{
    compared::ComparedValue,
    confirm::text_range,
    model::{Discovery, Finding},
    turning_point::TurningPoint,
};
use crate::{
    compile::{Build, ContractId},
    input::{CallTable, InputError, Sequence},
    oracle::{self, Violation},
};
use serde_json::{Value, json};
use std::time::Duration;

/// A reason why a saved finding cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FindingError {
    /// A field is absent or has the wrong form.
    #[error("field `{field}` is missing or malformed; was the file written by `bellwether fuzz --findings`?")]
    Field {
        /// The field.
        field: &'static str,
    },
    /// The sequence does not fit the contract.
    #[error("sequence{0}")]
    Sequence(#[from] InputError),
    /// The contract does not exist any more.
    #[error("contract {name} of {file} is not in the project any more")]
    Contract {
        /// Its name.
        name: String,
        /// Its source.
        file: String,
    },
}

/// A finding as it was saved, with everything needed to replay it.
#[derive(Debug, Clone)]
pub struct Saved {
    /// Its id.
    pub id: String,
    /// The oracle that reported it.
    pub oracle: &'static str,
    /// The project's root, as it was given.
    pub project: String,
    /// The contract that was fuzzed.
    pub contract: String,
    /// The source that holds that contract, relative to the root.
    pub contract_file: String,
    /// The source and the name of the test contract whose `setUp()` makes the world; none for the contract's own world.
    pub suite: Option<(String, String)>,
    /// What it says.
    pub message: String,
    /// The source of the failing expression.
    pub file: String,
    /// Its first line.
    pub line: u32,
    /// When it was found.
    pub discovery: Discovery,
    /// Whether shrinking has finished.
    pub shrunk: bool,
    sequence: Value,
}

impl Finding {
    /// The JSON form, without data of a single run: a finding made with one seed is the same everywhere. `project` is the
    /// root as the user gave it.
    pub fn to_json(&self, project: &str) -> Value {
        let compiled = self.harness.compiled();
        let mut sequence = self.sequence.to_json(&self.harness.calls);
        for (step, told) in sequence.as_array_mut().into_iter().flatten().zip(&self.story.steps) {
            step["result"] = json!(told.result);
        }
        let mut finding = json!({
            "id": self.id,
            "oracle": self.violation.oracle,
            "swc": self.swc(),
            "severity": self.level.name(),
            "contract": self.contract,
            "contract_file": self.harness.build.source(compiled.source).name,
            "project": project,
            "file": self.file,
            "line": self.lines.line,
            "column": self.lines.column,
            "end_line": self.lines.end_line,
            "end_column": self.lines.end_column,
            "message": self.message,
            "because": self.because,
            "values": self.comparison.values.iter().map(value).collect::<Vec<_>>(),
            "executions": self.discovery.executions,
            "seed": self.discovery.seed,
            "sequence": sequence,
        });
        if let Some(suite) = self.harness.suite() {
            finding["suite"] = json!(suite.name);
            finding["suite_file"] = json!(self.harness.build.source(suite.source).name);
        }
        if let Some(ignored) = &self.ignored {
            let (file, line) = ignored.place().unzip();
            finding["ignored"] = json!({ "reason": ignored.reason, "file": file, "line": line });
        }
        if let Some(TurningPoint { step, write }) = &self.turning_point {
            let place = write.map(|(source, span)| {
                let range = text_range(&self.harness, source, span);
                (&self.harness.build.source(source).name, range.line, range.column)
            });
            let (file, line, column) =
                place.map_or((None, None, None), |(file, line, column)| (Some(file), Some(line), Some(column)));
            finding["turning_point"] = json!({ "step": step, "file": file, "line": line, "column": column });
        }
        if !self.shrunk {
            // Only if the run ended before shrinking did: a later run may continue.
            finding["shrunk"] = json!(false);
        }
        finding
    }
}

fn value(ComparedValue { expression, value }: &ComparedValue) -> Value {
    json!({ "expression": expression, "value": value })
}

impl Saved {
    /// Reads the JSON form.
    ///
    /// # Errors
    ///
    /// Names the field that is missing or malformed.
    pub fn read(json: &Value) -> Result<Self, FindingError> {
        let text = |field: &'static str| {
            json.get(field).and_then(Value::as_str).map(str::to_owned).ok_or(FindingError::Field { field })
        };
        let number = |field: &'static str| json.get(field).and_then(Value::as_u64).ok_or(FindingError::Field { field });
        let oracle = oracle::find(&text("oracle")?).ok_or(FindingError::Field { field: "oracle" })?;
        Ok(Self {
            id: text("id")?,
            oracle: oracle.meta().id,
            project: text("project")?,
            contract: text("contract")?,
            contract_file: text("contract_file")?,
            suite: match json.get("suite") {
                Some(_) => Some((text("suite_file")?, text("suite")?)),
                None => None,
            },
            message: text("message")?,
            file: text("file")?,
            line: u32::try_from(number("line")?).map_err(|_| FindingError::Field { field: "line" })?,
            discovery: Discovery {
                seed: number("seed")?,
                executions: number("executions")?,
                elapsed: number("elapsed_ms").ok().map(Duration::from_millis),
            },
            shrunk: json.get("shrunk").and_then(Value::as_bool).unwrap_or(true),
            sequence: json.get("sequence").cloned().ok_or(FindingError::Field { field: "sequence" })?,
        })
    }

    /// Whether it is about the storage layouts of two builds, which a replay of its calls does not show.
    pub fn is_of_layouts(&self) -> bool {
        self.oracle == oracle::LAYOUT_CHANGE
    }

    /// The contract in a build.
    ///
    /// # Errors
    ///
    /// If it does not exist any more.
    pub fn contract(&self, build: &Build) -> Result<ContractId, FindingError> {
        find(build, &self.contract_file, &self.contract)
    }

    /// The test contract whose `setUp()` makes the world, in a build; none for the contract's own world.
    ///
    /// # Errors
    ///
    /// If it does not exist any more.
    pub fn suite(&self, build: &Build) -> Result<Option<ContractId>, FindingError> {
        self.suite.as_ref().map(|(file, name)| find(build, file, name)).transpose()
    }

    /// The sequence, for a world with these calls.
    ///
    /// # Errors
    ///
    /// Names the call and the field that do not fit.
    pub fn sequence(&self, calls: &CallTable) -> Result<Sequence, FindingError> {
        Ok(Sequence::from_json(&self.sequence, calls)?)
    }

    /// The violations that may be the saved one, the likeliest first: of the same oracle in the same file, by the distance of their
    /// lines, and those first that say the same.
    pub fn recognise(&self, build: &Build, violations: &[Violation]) -> Vec<Violation> {
        let alike = |violation: &&Violation| {
            violation.oracle == self.oracle && build.source(violation.place.source).name == self.file
        };
        let line = |violation: &Violation| build.source(violation.place.source).lines.line(violation.place.span.start);
        let says_other = |violation: &Violation| !self.message.starts_with(violation.cause.describe());
        let mut alike: Vec<Violation> = violations.iter().filter(alike).copied().collect();
        alike.sort_by_key(|violation| (line(violation).abs_diff(self.line), says_other(violation)));
        alike
    }
}

fn find(build: &Build, file: &str, name: &str) -> Result<ContractId, FindingError> {
    let gone = || FindingError::Contract { name: name.to_owned(), file: file.to_owned() };
    build.find_contract(file, name).ok_or_else(gone)
}
