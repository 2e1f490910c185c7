//! Whether a project can be read, what of its settings is not followed, and whether it names anything that needs trust.

use super::check::Check;
use crate::{lsp::remembered_trust, trust::REMEDY};
use bellwether::{
    compile::programs_in,
    project::{Layout, Project, ProjectError},
};
use std::path::Path;

/// Opens the project of a file or folder.
pub(super) fn open(path: &Path) -> Result<Project, ProjectError> {
    Project::open(path, None)
}

/// Checks a project, and returns it as it is without trust where there is none.
pub(super) fn checks(mut project: Project, trusted: bool, checks: &mut Vec<Check>) -> Project {
    let layout = match project.layout {
        Layout::Foundry => "Foundry",
        Layout::Hardhat => "Hardhat",
        Layout::Plain => "a plain folder",
    };
    let root = project.root.display().to_string();
    let files = project.files().len();
    checks.push(match files {
        0 => Check::problem(
            "project",
            format!("{root} ({layout}) has no Solidity file"),
            "name the folder of a project, or look at `src` in foundry.toml and `exclude` in bellwether.toml",
        ),
        1 => Check::ok("project", format!("{root} ({layout}), 1 file")),
        files => Check::ok("project", format!("{root} ({layout}), {files} files")),
    });
    for warning in &project.warnings {
        checks.push(Check::problem("settings", warning.to_string(), "correct it; until then the default is used"));
    }
    trust(&mut project, trusted, checks);
    project
}

fn trust(project: &mut Project, trusted: bool, checks: &mut Vec<Check>) {
    let programs = programs_in(&[&project.root]);
    if !project.needs_trust() && programs.is_empty() {
        checks.push(Check::ok("trust", "not needed: the project brings no program that would be run"));
        return;
    }
    if trusted {
        checks.push(Check::ok("trust", "given by --trust: what the project names is run"));
        return;
    }
    let before = project.warnings.len();
    project.distrust("");
    for warning in &project.warnings[before..] {
        checks.push(Check::warning("trust", warning.to_string().trim_end().to_owned(), REMEDY));
    }
    for program in programs {
        let said = format!("{} is on PATH and in the project, so it is not run", program.display());
        checks.push(Check::warning("trust", said, REMEDY));
    }
    match remembered_trust(&project.root) {
        Some(true) => checks.push(Check::note("trust", "in editors you said that you trust this folder", "")),
        Some(false) => checks.push(Check::note("trust", "in editors you said that you do not trust this folder", "")),
        None => {}
    }
}
