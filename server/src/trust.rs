//! Trust on the command line: what a project names itself is executed and followed only with `--trust`. What else is given on the
//! command line is the user's own word.

use crate::output;
use anyhow::Result;
use bellwether::{
    compile::programs_in,
    project::{Project, ProjectWarning},
};
use std::path::Path;

/// How a user allows it.
pub(crate) const REMEDY: &str = "Give --trust to allow it.";

/// Opens the project of a file or folder. Without trust, what only a trusted project may name is left out, and what is not run for
/// that reason is told.
pub(crate) fn open(path: &Path, trusted: bool) -> Result<Project> {
    let mut project = Project::open(path, None)?;
    if trusted {
        return Ok(project);
    }
    project.distrust(REMEDY);
    for program in programs_in(&[&project.root]) {
        output::note(&format!(
            "warning: {} is on PATH and in the project, which is not trusted, so it is not run. {REMEDY}",
            program.display()
        ));
    }
    Ok(project)
}

/// Tells what is wrong with a project's configuration, and what of it is not followed.
pub(crate) fn tell_warnings(project: &Project) {
    project.warnings.iter().for_each(tell_warning);
}

/// Says what is wrong with a configuration.
pub(crate) fn tell_warning(warning: &ProjectWarning) {
    output::note(&format!("warning: {warning}"));
}
