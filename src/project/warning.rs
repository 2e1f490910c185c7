//! A [`ProjectWarning`] is a part of a project's configuration that was ignored, with its place. It never stops a project from
//! loading; a [`ProjectError`](super::ProjectError) does.

use std::{fmt, path::PathBuf};

/// A part of the configuration that could not be used as written. The project works without it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProjectWarning {
    /// The absolute path of the file that holds it; `None` for settings that an editor sent.
    pub file: Option<PathBuf>,
    /// The line in that file, counted from 1, where one is known.
    pub line: Option<usize>,
    /// The mistake and what to do, in one sentence that names the key.
    pub message: String,
}

/// `file:line: message`, as compilers write it; only the message for an editor's settings.
impl fmt::Display for ProjectWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            f.write_str(" ")?;
        }
        f.write_str(&self.message)
    }
}
