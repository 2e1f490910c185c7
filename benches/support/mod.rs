//! Contracts to measure on, ready to be fuzzed.

#![allow(dead_code, reason = "each bench uses a part")]

pub mod maze;

use bellwether::{
    code::Programs,
    compile::{Compiler, default_cache},
    project::Project,
    subject::Subject,
};
use std::{path::Path, sync::Arc};

/// The contract `contract` of `fixtures/FIXTURE`.
pub fn subject(fixture: &str, contract: &str) -> Arc<Subject> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(fixture);
    subject_of(&root, contract)
}

/// A contract of its own source.
pub fn compile(contract: &str, source: &str) -> Arc<Subject> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(format!("{contract}.sol")), source).expect("a file in it");
    subject_of(folder.path(), contract)
}

fn subject_of(root: &Path, contract: &str) -> Arc<Subject> {
    let project = Project::load(root).expect("a project loads");
    let build = Arc::new(Compiler::new(&default_cache(), &project.root, true).build(&project));
    let programs = Arc::new(Programs::of(&build));
    let id = build.find_contract("", contract).unwrap_or_else(|| panic!("no {contract}: {:#?}", build.diagnostics));
    Arc::new(Subject::new(build, programs, id).expect("it can be linked"))
}
