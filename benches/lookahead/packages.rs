//! Contracts of npm packages, at fixed versions, kept in the cache folder between runs. Targets are drawn as the paper draws them
//! (§6.2): of what a run without targets covers late, so that all of them can be reached; one from each of the two latest spans of
//! time, each half as long as the one after it, in which anything was covered.

use crate::{
    SEEDS, row, say,
    search::{Goal, runs},
    support::{npm, report::line, statistics::median},
    techniques,
};
use bellwether::{
    code::{Programs, Stage},
    compile::{Compiler, default_cache},
    fuzz::{Configuration, Fuzzer, Session, Target, TargetState, Targets},
    harness::Harness,
    lookahead::Lookahead,
    project::{Config, Project},
};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

/// The folder they are kept in is named after [`EDITION`]: change both.
const PACKAGES: [&str; 3] = ["@ensdomains/ens@0.4.3", "openzeppelin-solidity@2.5.1", "@gnosis.pm/safe-contracts@1.3.0"];
const EDITION: &str = "contracts-1";

/// Contracts of ours that are no more than one of theirs, ready to be deployed.
const CONTRACTS: [(&str, &str); 3] = [
    ("NameRegistrar", include_str!("packages/NameRegistrar.sol")),
    ("Sale", include_str!("packages/Sale.sol")),
    ("Wallet", include_str!("packages/Wallet.sol")),
];

/// Transactions of the run that targets are drawn from, and of each search.
const DRAWN: u64 = 300_000;
/// Targets of each contract.
const TARGETS: usize = 2;

/// Whether a contract of this name is among them.
pub fn has(contract: &str) -> bool {
    CONTRACTS.iter().any(|(name, _)| *name == contract)
}

/// A and B on each target of the contracts of these names, or of all if there is none.
pub fn compare(seeds: u64, wanted: &[String]) {
    line("\n### Contracts of npm packages\n");
    line(
        "| contract | target | covered after | aiming | configuration | reached | executions, median | quartiles | ms, median | quartiles | / B | p | A12 |",
    );
    line("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let is_wanted = |harness: &Arc<Harness>| wanted.is_empty() || wanted.contains(&harness.compiled().name);
    for harness in harnesses().into_iter().filter(is_wanted) {
        let (contract, build) = (&harness.compiled().name, &harness.build);
        for (target, after) in draw(&harness) {
            let file = &build.source(target.source).name;
            let file = Path::new(file).file_name().map_or(file.clone(), |name| name.to_string_lossy().into_owned());
            for aims in [false, true] {
                say(&format!("{contract}: {file}:{}, aiming {aims}", target.line));
                let goal = Goal { blocks: target.blocks.clone(), line: target.line };
                let [other, best] = [Configuration::A, Configuration::B]
                    .map(|configuration| runs(&harness, &goal, techniques(configuration, aims), DRAWN, seeds));
                for (name, runs) in [("A", &other), ("B", &best)] {
                    let aiming = if aims { "on" } else { "off" };
                    line(&row(
                        &format!("{contract} | `{file}:{}` | {after} | {aiming} | {name}", target.line),
                        runs,
                        &best,
                    ));
                }
            }
        }
    }
}

/// What each costs before the first transaction: the control-flow graph, where lookahead is to be used, and the targets of a first
/// build.
pub fn graphs() {
    line("\n### Control-flow graphs\n");
    line("| contract | blocks | every jump is known | graph, ms, median of five | targets of a first build, ms |");
    line("|---|---|---|---|---|");
    for harness in harnesses() {
        let program = harness.programs.id(harness.contract, Stage::Runtime);
        let (mut graphs, mut targets) = (Vec::new(), Vec::new());
        let mut is_known = true;
        for _ in 0..5 {
            let started = Instant::now();
            is_known &= Lookahead::new(harness.programs.clone(), []).knows_jumps(program);
            graphs.push(started.elapsed().as_secs_f64() * 1e3);
            let started = Instant::now();
            assert!(!Targets::of_first_build(&harness).is_empty());
            targets.push(started.elapsed().as_secs_f64() * 1e3);
        }
        let blocks = harness.programs.get(program).blocks.len();
        let known = if is_known { "yes" } else { "no" };
        line(&format!(
            "| {} | {blocks} | {known} | {:.1} | {:.1} |",
            harness.compiled().name,
            median(graphs),
            median(targets)
        ));
    }
}

/// The contracts, compiled.
fn harnesses() -> Vec<Arc<Harness>> {
    let root = project();
    let build =
        Compiler::new(&default_cache(), root.path(), true).build(&Project::load(root.path()).expect("a project"));
    let build = Arc::new(build);
    let programs = Arc::new(Programs::of(&build));
    let harness = |(contract, _): &(&str, &str)| {
        let Some(id) = build.find_contract("", contract) else {
            panic!("no {contract}: {:#?}", build.diagnostics);
        };
        Arc::new(Harness::new(build.clone(), programs.clone(), id).expect("it can be linked"))
    };
    CONTRACTS.iter().map(harness).collect()
}

/// What a run without targets covered late, and after how many transactions. Its seed is none of those that are compared.
fn draw(harness: &Arc<Harness>) -> Vec<(Target, u64)> {
    let name = &harness.compiled().name;
    say(&format!("{name}: {DRAWN} transactions without targets"));
    let session = Session::new(harness.clone(), Config::default(), SEEDS + 1, 1, Arc::new(|_| {}));
    let session = Arc::new(session.with_targets(Targets::of_first_build(harness)));
    let mut fuzzer = Fuzzer::new(session.clone(), 0);
    let spent = fuzzer.run(&mut harness.executor(), DRAWN, DRAWN, &|| false);
    assert!(spent > 0, "{name}: {:?}", session.undeployable());
    let states = session.targets.states();
    let reached = |from: u64, to: u64| -> Vec<(Target, u64)> {
        let all = session.targets.list().iter().zip(&states);
        let inside = all.filter_map(|(target, state)| match state {
            TargetState::Reached { executions, .. } if (from + 1..=to).contains(executions) => {
                Some((target.clone(), *executions))
            }
            _ => None,
        });
        inside.collect()
    };
    let mut rng = ChaCha8Rng::seed_from_u64(SEEDS + 1);
    let spans = (0..12).map(|halvings| (DRAWN >> (halvings + 1), DRAWN >> halvings));
    spans.filter_map(|(from, to)| reached(from, to).choose(&mut rng).cloned()).take(TARGETS).collect()
}

/// A project that imports them; gone when this is dropped.
fn project() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (contract, text) in CONTRACTS {
        fs::write(root.path().join(format!("{contract}.sol")), text).expect("a file in it");
    }
    link(&packages().join("node_modules"), &root.path().join("node_modules"));
    root
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).expect("a link in a temporary folder");
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) {
    std::os::windows::fs::symlink_dir(from, to).expect("a link in a temporary folder");
}

/// The folder with the packages, fetched the first time.
fn packages() -> PathBuf {
    let folder = default_cache().join("benches").join(EDITION);
    if !folder.is_dir() {
        let parent = folder.parent().expect("it is in the cache");
        fs::create_dir_all(parent).expect("the cache is writable");
        let staging = tempfile::tempdir_in(parent).expect("the cache is writable");
        npm::install(PACKAGES, staging.path());
        fs::rename(staging.keep(), &folder).expect("the cache is writable");
    }
    folder
}
