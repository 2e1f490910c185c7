//! A [`ProjectError`] is the reason why a project could not be loaded. It names the file, the line and what to do. Problems
//! that can be worked around are [`ProjectWarning`](super::ProjectWarning)s instead.

use std::{io, path::PathBuf};

/// The reason why a project could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// Nothing is at the path that was given.
    #[error("{}: no such file or folder; give the path of a project, of a folder with contracts, or of a .sol file", path.display())]
    Missing {
        /// The path as it was looked for, absolute.
        path: PathBuf,
    },
    /// A project's root must be a folder.
    #[error("{}: is not a folder; give the folder that holds the project's configuration", path.display())]
    NotAFolder {
        /// The path as it was looked for, absolute.
        path: PathBuf,
    },
    /// A configuration file is there, but cannot be read as text.
    #[error("{}: cannot be read: {source}; make it a readable UTF-8 file, or remove it", file.display())]
    Unreadable {
        /// The file, absolute.
        file: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// `foundry.toml` is not TOML.
    #[error("{}:{line}: is not valid TOML: {message}; correct this line (`forge config` refuses it too)", file.display())]
    Syntax {
        /// The file, absolute.
        file: PathBuf,
        /// The line of the first mistake, counted from 1.
        line: usize,
        /// The parser's reason, without the place.
        message: String,
    },
    /// A key of `foundry.toml` has a value of the wrong kind.
    #[error("{}:{line}: `{key}` must be {expected}, not {found}; correct it, or remove the line for the default", file.display())]
    Value {
        /// The file, absolute.
        file: PathBuf,
        /// The line of the key, counted from 1.
        line: usize,
        /// The key, without its profile.
        key: String,
        /// A description of the accepted values.
        expected: &'static str,
        /// A description of the value.
        found: String,
    },
}
