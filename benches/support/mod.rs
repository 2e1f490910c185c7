//! What several benchmarks need: a contract of a fixture, ready to be fuzzed; the loop, run until it finds something; medians.

#![allow(dead_code, reason = "each benchmark uses a part")]

pub mod maze;

use bellwether::{
    code::Programs,
    compile::{Compiler, default_cache},
    evm::Executor,
    fuzz::{Lane, Session, Techniques},
    project::{Config, Project},
    subject::Subject,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// Transactions between looks at whether something was found.
const SLICE: u64 = 64;

/// `fixtures/NAME`.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// The contract `contract` of `fixtures/FIXTURE`.
pub fn subject(name: &str, contract: &str) -> Arc<Subject> {
    subject_of(&fixture(name), contract)
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

/// Which sequences the loop makes.
#[derive(Clone, Copy)]
pub enum Mode {
    /// Every sequence is one call from a deployed state.
    Stateless,
    /// What it makes by itself.
    Stateful,
}

/// One worker's part of a new session.
pub fn lane(subject: &Arc<Subject>, mode: Mode, seed: u64) -> Lane {
    lane_with(subject, mode, seed, Techniques::default())
}

/// One worker's part of a new session, with only these techniques.
pub fn lane_with(subject: &Arc<Subject>, mode: Mode, seed: u64, techniques: Techniques) -> Lane {
    let session = Session::new(subject.clone(), Config::default(), seed, 1, Arc::new(|_| {}));
    let lane = Lane::new(Arc::new(session.with_techniques(techniques)), 0, Vec::new());
    match mode {
        Mode::Stateless => lane.stateless(),
        Mode::Stateful => lane,
    }
}

/// What it took to find something.
pub struct Search {
    /// Whether it was.
    pub finding: bool,
    /// Transactions until the last finding that was looked for, or until the search was given up.
    pub executions: u64,
    /// Until the finding was confirmed and shrunk, or the search given up.
    pub took: Duration,
}

/// One worker fuzzes until there are so many findings, or until `give_up` says so of the executions and the time.
pub fn search(
    mut lane: Lane,
    executor: &mut Executor,
    count: usize,
    give_up: impl Fn(u64, Duration) -> bool,
) -> Search {
    let session = lane.session().clone();
    let started = Instant::now();
    while session.findings().len() < count && !give_up(session.executions(), started.elapsed()) {
        lane.run(executor, SLICE, u64::MAX, &|| false);
    }
    let took = started.elapsed();
    let findings = session.findings();
    let last = findings.iter().map(|finding| finding.discovery.executions).max();
    let last = last.filter(|_| findings.len() >= count);
    Search { finding: last.is_some(), executions: last.unwrap_or_else(|| session.executions()), took }
}

/// The middle one; of an even number, the upper of two.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
