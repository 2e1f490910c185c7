//! What several benchmarks need: a contract of a fixture, ready to be fuzzed; what is planted in it; the loop, run until it
//! finds that; statistics.

#![allow(dead_code, reason = "each benchmark uses a part")]

pub mod maze;
pub mod npm;
pub mod report;
pub mod runs;
pub mod statistics;

use bellwether::{
    code::Programs,
    compile::{Compiler, default_cache},
    evm::Executor,
    finding::Finding,
    fuzz::{Fuzzer, Session, Techniques},
    harness::Harness,
    project::{Config, Project},
    tuning::Tuning,
};
use std::{
    collections::BTreeSet,
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
pub fn harness(name: &str, contract: &str) -> Arc<Harness> {
    harness_at(&fixture(name), contract)
}

/// A contract of its own source.
pub fn compile(contract: &str, source: &str) -> Arc<Harness> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(format!("{contract}.sol")), source).expect("a file in it");
    harness_at(folder.path(), contract)
}

/// The contract `contract` of a project.
pub fn harness_at(root: &Path, contract: &str) -> Arc<Harness> {
    let project = Project::load(root).expect("a project loads");
    let build = Arc::new(Compiler::new(&default_cache(), &project.root, true).build(&project));
    let programs = Arc::new(Programs::of(&build));
    let id = build.find_contract("", contract).unwrap_or_else(|| panic!("no {contract}: {:#?}", build.diagnostics));
    Arc::new(Harness::new(build, programs, id).expect("it can be linked"))
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
pub fn fuzzer(harness: &Arc<Harness>, mode: Mode, seed: u64) -> Fuzzer {
    fuzzer_with(harness, mode, seed, Techniques::default())
}

/// One worker's part of a new session, with only these techniques.
pub fn fuzzer_with(harness: &Arc<Harness>, mode: Mode, seed: u64, techniques: Techniques) -> Fuzzer {
    worker(session(harness, seed).with_techniques(techniques), mode)
}

/// One worker's part of a new session, with the oracles that are on in these settings.
pub fn fuzzer_judged(harness: &Arc<Harness>, mode: Mode, seed: u64, config: Config) -> Fuzzer {
    worker(Session::new(harness.clone(), config, seed, 1, Arc::new(|_| {})), mode)
}

fn worker(session: Session, mode: Mode) -> Fuzzer {
    let fuzzer = Fuzzer::new(Arc::new(session), 0);
    match mode {
        Mode::Stateless => fuzzer.stateless(),
        Mode::Stateful => fuzzer,
    }
}

/// One worker's part of a new session, with other numbers that steer the search.
pub fn fuzzer_tuned(harness: &Arc<Harness>, seed: u64, tuning: Tuning) -> Fuzzer {
    Fuzzer::new(Arc::new(session(harness, seed).with_tuning(tuning)), 0)
}

fn session(harness: &Arc<Harness>, seed: u64) -> Session {
    Session::new(harness.clone(), Config::default(), seed, 1, Arc::new(|_| {}))
}

/// What the notes in a contract's source say must be found in it.
#[derive(Clone)]
pub struct Planted {
    file: String,
    /// Line and oracle.
    notes: BTreeSet<(u32, String)>,
}

impl Planted {
    /// What is planted in this contract.
    pub fn of(harness: &Harness) -> Self {
        let contract = harness.compiled();
        let source = harness.build.source(contract.source);
        let first = source.text[..contract.span.start as usize].matches('\n').count() as u32 + 1;
        let notes = (first..).zip(contract.span.text(&source.text).lines()).filter_map(|(number, line)| {
            let (_, note) = line.split_once("//~ ")?;
            let (_, oracle) = note.split_once(' ')?;
            Some((number, oracle.trim().to_owned()))
        });
        Self { file: source.name.clone(), notes: notes.collect() }
    }

    fn is_one(&self, finding: &Finding) -> bool {
        let note = (finding.lines.line, finding.violation.oracle.to_owned());
        finding.file == self.file && self.notes.contains(&note)
    }
}

/// What it took to find what is planted.
pub struct Search {
    /// Whether all of it was found.
    pub found: bool,
    /// Transactions until the last of it was found, or until the search was given up.
    pub executions: u64,
    /// Until that was confirmed, or the search given up.
    pub took: Duration,
}

/// One worker fuzzes until all that is planted is found, or until `give_up` says so of the executions and the time.
pub fn search(
    mut fuzzer: Fuzzer,
    executor: &mut Executor,
    planted: &Planted,
    give_up: impl Fn(u64, Duration) -> bool,
) -> Search {
    assert!(!planted.notes.is_empty(), "nothing is planted");
    let session = fuzzer.session().clone();
    let started = Instant::now();
    loop {
        let findings = session.findings();
        let planted_ones = findings.iter().filter(|finding| planted.is_one(finding));
        let discoveries: Vec<u64> = planted_ones.map(|finding| finding.discovery.executions).collect();
        let found = discoveries.len() >= planted.notes.len();
        if found || give_up(session.executions(), started.elapsed()) {
            let last = discoveries.into_iter().max().filter(|_| found);
            let executions = last.unwrap_or_else(|| session.executions());
            return Search { found, executions, took: started.elapsed() };
        }
        let spent = fuzzer.run(executor, SLICE, u64::MAX, &|| false);
        assert!(spent > 0, "{:?}", session.undeployable());
    }
}
