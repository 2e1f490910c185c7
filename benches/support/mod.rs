//! What several benchmarks need: a contract of a fixture, ready to be fuzzed; the loop, run until it finds something; medians.

#![allow(dead_code, reason = "each benchmark uses a part")]

use bellwether::{
    code::Programs,
    compile::{Compiler, default_cache},
    evm::Executor,
    fuzz::{Lane, Session},
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
    let project = Project::load(&fixture(name)).expect("a fixture loads");
    let build = Arc::new(Compiler::new(&default_cache(), &project.root, true).build(&project));
    let programs = Arc::new(Programs::of(&build));
    let id = build.find_contract("", contract).expect("the fixture holds the contract");
    Arc::new(Subject::new(build, programs, id).expect("the fixture's contract can be linked"))
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
    let session = Arc::new(Session::new(subject.clone(), Config::default(), seed, 1, Arc::new(|_| {})));
    let lane = Lane::new(session, 0, Vec::new());
    match mode {
        Mode::Stateless => lane.stateless(),
        Mode::Stateful => lane,
    }
}

/// What it took to find something.
pub struct Search {
    /// Whether it was.
    pub finding: bool,
    /// Transactions until the first finding, or until the search was given up.
    pub executions: u64,
    /// Until the finding was confirmed and shrunk, or the search given up.
    pub took: Duration,
}

/// One worker fuzzes until the first finding, or until `give_up` says so of the executions and the time.
pub fn search(
    subject: &Arc<Subject>,
    executor: &mut Executor,
    seed: u64,
    give_up: impl Fn(u64, Duration) -> bool,
) -> Search {
    let mut lane = lane(subject, Mode::Stateful, seed);
    let session = lane.session().clone();
    let started = Instant::now();
    while session.findings().is_empty() && !give_up(session.executions(), started.elapsed()) {
        lane.run(executor, SLICE, &|| false);
    }
    let took = started.elapsed();
    let first = session.findings().first().map(|finding| finding.discovery.executions);
    Search { finding: first.is_some(), executions: first.unwrap_or_else(|| session.executions()), took }
}

/// The middle one; of an even number, the upper of two.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
