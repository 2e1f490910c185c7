//! Reasons why a finding has no test.

use std::path::PathBuf;

/// A reason why a finding has no test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegressionError {
    /// The sequence does not even deploy the contract.
    #[error("the calls of the finding cannot be replayed: find it again")]
    Gone,
    /// A test could not tell whether the defect is there.
    #[error("no test can see this defect from outside: {why}; `bellwether replay` still does")]
    NotVisible {
        /// The reason why it is hidden.
        why: &'static str,
    },
    /// The file exists, and another test cannot be added to it.
    #[error("{path} cannot take another test: it {why}; repair it, or move it away so that a new one is written")]
    Existing {
        /// The test file.
        path: PathBuf,
        /// The problem, in words that follow the file's name.
        why: String,
    },
    /// The file is outside of the workspace, behind a symbolic link.
    #[error("{path} leads out of the workspace through a symbolic link, so no test is written there; remove the link")]
    Outside {
        /// The test file.
        path: PathBuf,
    },
    /// The project compiles everything with a compiler too old for tests.
    #[error(
        "the project is compiled with solc {version}, and a test needs 0.7.5 or newer; leave `solc` out of its configuration, so that each file's pragma decides"
    )]
    Compiler {
        /// The compiler's version.
        version: String,
    },
}
