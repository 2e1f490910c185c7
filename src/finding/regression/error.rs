//! Why a finding has no test.

use std::path::PathBuf;

/// Why there is no test of a finding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegressionError {
    /// The sequence does not even deploy the contract.
    #[error("the calls of the finding cannot be replayed: find it again")]
    Gone,
    /// A test could not tell whether the defect is there.
    #[error("no test can see this defect from outside: {why}; `bellwether replay` still does")]
    NotVisible {
        /// What hides it.
        why: &'static str,
    },
    /// The file is there and another test cannot be added to it.
    #[error("{path} cannot take another test: it {why}; repair it, or move it away so that a new one is written")]
    Existing {
        /// The test file.
        path: PathBuf,
        /// What is wrong with it, in words that follow its name.
        why: String,
    },
    /// The file is outside of the workspace, behind a symbolic link.
    #[error("{path} leads out of the workspace through a symbolic link, so no test is written there; remove the link")]
    Outside {
        /// The test file.
        path: PathBuf,
    },
    /// The project compiles everything with a compiler that is too old for tests.
    #[error(
        "the project is compiled with solc {version}, and a test needs 0.7.5 or newer; leave `solc` out of its configuration, so that each file's pragma decides"
    )]
    Compiler {
        /// The compiler.
        version: String,
    },
}
