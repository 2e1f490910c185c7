//! The project that a corpus is of, compiled.

use crate::trust;
use anyhow::{Result, bail};
use bellwether::{
    compile::{Build, Compiler, cache_folder},
    project::Project,
};
use std::{path::Path, sync::Arc};

/// Compiles the project in a folder, as far as it compiles.
pub(super) fn compile(given: &Path, trusted: bool) -> Result<(Project, Arc<Build>)> {
    if !given.exists() {
        bail!("{}: no such file or folder; give the project's folder", given.display());
    }
    let project = trust::open(given, trusted)?;
    trust::tell_warnings(&project);
    let build = Compiler::new(&cache_folder(&project), &project.root, trusted).build(&project);
    Ok((project, Arc::new(build)))
}
