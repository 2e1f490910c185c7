//! A contract of a fixture, ready to be fuzzed.

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
    let project = Project::load(&root).expect("a fixture loads");
    let build = Arc::new(Compiler::new(&default_cache(), &project.root, true).build(&project));
    let programs = Arc::new(Programs::of(&build));
    let id = build.find_contract("", contract).expect("the fixture holds the contract");
    Arc::new(Subject::new(build, programs, id).expect("the fixture's contract can be linked"))
}
