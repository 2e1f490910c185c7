//! A [`RegressionTest`] is a finding as a Solidity test: it runs under `forge test` as it is, fails while the defect
//! exists, and passes once it is gone. Changes to the test file are returned; no file is written.

mod error;
mod existing;
mod inheriting;
mod layout;
mod plan;
mod replay;
mod tokens;
mod write;

use super::model::Finding;
use crate::{harness::HarnessKind, project::Project};
pub use error::RegressionError;
use existing::Existing;
use inheriting::InheritingTest;
use plan::Plan;
use replay::Replayed;
use std::path::{Path, PathBuf};
use write::{Suite, Test};

/// A finding as a Solidity test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegressionTest {
    /// The file that it belongs to, absolute.
    pub path: PathBuf,
    /// The name of its function: `test_regression_assertion_skim`.
    pub name: String,
    /// The change that the file needs.
    pub change: TestChange,
}

/// The change that adds a test to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestChange {
    /// The file is absent or empty; this is its whole text.
    Create(String),
    /// Insert a text at an offset.
    Insert {
        /// Bytes of the existing text before the insertion.
        offset: usize,
        /// The inserted text.
        text: String,
    },
    /// The file already has an equivalent test.
    Present,
}

impl TestChange {
    /// The file's text with the change made.
    pub fn apply(&self, existing: &str) -> String {
        match self {
            Self::Create(text) => text.clone(),
            Self::Insert { offset, text } => [&existing[..*offset], text, &existing[*offset..]].concat(),
            Self::Present => existing.to_owned(),
        }
    }
}

/// The test file of a finding: `<Contract>.bellwether.t.sol` in the project's test folder, in a subfolder if contracts
/// share that name; `<Contract>In<TestContract>.bellwether.t.sol` in the world that a test contract sets up.
pub fn regression_path(finding: &Finding, project: &Project) -> PathBuf {
    let (build, contract) = (&finding.harness.build, finding.harness.compiled());
    let suite = finding.harness.suite().map(|suite| format!("In{}", suite.name)).unwrap_or_default();
    let file = format!("{}{suite}.bellwether.t.sol", contract.name);
    let shares = |other: &&std::sync::Arc<crate::compile::Contract>| {
        let source = build.source(other.source);
        other.name == contract.name && other.is_deployable() && (!source.foreign || source.is_test)
    };
    if build.contracts.iter().filter(shares).count() < 2 {
        return project.tests.join(file);
    }
    let source = project.relative(&build.source(contract.source).path);
    project.tests.join(source.trim_start_matches('/').trim_end_matches(".sol")).join(file)
}

/// The test of a finding, for the file at [`regression_path`]. `existing` is that file's text, if it is there.
///
/// # Errors
///
/// If a test cannot see the defect, the file cannot take the test, or the file is outside of the workspace.
pub fn regression_test(
    finding: &Finding,
    project: &Project,
    existing: Option<&str>,
) -> Result<RegressionTest, RegressionError> {
    let path = regression_path(finding, project);
    if !project.may_write_test(&path) {
        return Err(RegressionError::Outside { path });
    }
    regression_test_at(&path, finding, project, existing)
}

/// Like [`regression_test`], for a file that the user has named, anywhere. `path` is absolute.
///
/// # Errors
///
/// As [`regression_test`].
pub fn regression_test_at(
    path: &Path,
    finding: &Finding,
    project: &Project,
    existing: Option<&str>,
) -> Result<RegressionTest, RegressionError> {
    if finding.harness.kind() == HarnessKind::Test {
        return inheriting_test(path, finding, project, existing);
    }
    let Plan { suite, mut test } = Plan::new(path, finding, project)?;
    let change = match existing.filter(|text| !text.trim().is_empty()) {
        None => TestChange::Create(suite.file(&test)),
        Some(text) => {
            append(text, &suite, &mut test).map_err(|why| RegressionError::Existing { path: path.to_owned(), why })?
        }
    };
    Ok(RegressionTest { path: path.to_owned(), name: test.name, change })
}

/// The test of a finding in a test contract.
fn inheriting_test(
    path: &Path,
    finding: &Finding,
    project: &Project,
    existing: Option<&str>,
) -> Result<RegressionTest, RegressionError> {
    let evidence = Replayed::of(finding).ok_or(RegressionError::Gone)?.evidence()?;
    let mut test = InheritingTest::new(path, finding, project, evidence);
    let change = match existing.filter(|text| !text.trim().is_empty()) {
        None => TestChange::Create(test.file()),
        Some(text) => {
            let appended = test.append(text);
            let appended = appended.map_err(|why| RegressionError::Existing { path: path.to_owned(), why })?;
            appended.map_or(TestChange::Present, |(offset, text)| TestChange::Insert { offset, text })
        }
    };
    Ok(RegressionTest { path: path.to_owned(), name: test.name, change })
}

/// Adds a test to a file, under a name that is still free.
fn append(text: &str, suite: &Suite, test: &mut Test) -> Result<TestChange, String> {
    let existing = Existing::read(text, &suite.name)?;
    let function = suite.function(test);
    if let Some(twin) = existing.twin_test(&function) {
        test.name = twin;
        return Ok(TestChange::Present);
    }
    if !existing.declares("vm") && !existing.inherits() {
        return Err("has a contract without `vm`".to_owned());
    }
    if let Some(cheatcode) = test.cheatcodes().find(|cheatcode| existing.lacks(cheatcode)) {
        return Err(format!("has an interface Vm without `{cheatcode}`"));
    }
    if let Some(import) = &suite.import
        && !existing.knows(&import.alias, &import.path)
    {
        return Err(format!("does not import {} from \"{}\"", import.alias, import.path));
    }
    test.name = existing.free_name(&test.name);
    let (offset, text) = existing.insertion(&suite.members(test, |name| existing.declares(name)));
    Ok(TestChange::Insert { offset, text })
}

#[cfg(test)]
mod tests;
