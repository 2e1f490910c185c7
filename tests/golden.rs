//! The loop does today what it did yesterday: for every contract of the fixtures and seeds 1 to 3, each transaction that one
//! worker runs, on which state, where it goes and what comes of it, as a line in `tests/golden.txt`.
//!
//! A change that is meant to keep the engine's behaviour keeps this file byte for byte. A change that is not says in its commit
//! which defect it mends or what it improves, and writes the file anew: `BELLWETHER_UPDATE=1 cargo test --test golden`.

mod support;

use alloy_primitives::{hex, keccak256};
use bellwether::{
    code::Programs,
    compile::ContractId,
    evm::{Call, CallTarget, Snapshot},
    finding,
    fuzz::{Fuzzer, Session},
    harness::Harness,
    project::{Config, Project},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::Path,
    sync::Arc,
};
use support::{campaign::build, fixture, projects};

/// Transactions of one session: enough to pass through every part of the loop, and all fixtures within a minute.
const TRANSACTIONS: u64 = 3_000;
const SEEDS: std::ops::RangeInclusive<u64> = 1..=3;

#[test]
fn the_loop_does_what_it_did() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt");
    let now: String = projects().iter().map(|root| sessions(root)).collect();
    if std::env::var_os("BELLWETHER_UPDATE").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let before = std::fs::read_to_string(&path).unwrap();
    let moved: Vec<String> = {
        let (now, before) = (by_session(&now), by_session(&before));
        let moved = now.keys().chain(before.keys()).collect::<BTreeSet<_>>().into_iter();
        let moved = moved.filter(|session| now.get(*session) != before.get(*session));
        moved
            .map(|session| format!("{session}\n  was {:?}\n  is  {:?}", before.get(session), now.get(session)))
            .collect()
    };
    assert!(moved.is_empty(), "{} sessions moved:\n{}", moved.len(), moved.join("\n"));
}

/// What each session did, by its name.
fn by_session(text: &str) -> BTreeMap<&str, &str> {
    text.lines().filter_map(|line| line.split_once(": ")).collect()
}

/// A line for each contract of a project and each seed.
fn sessions(root: &Path) -> String {
    let project = Project::load(root).unwrap();
    let build = build(&project);
    let programs = Arc::new(Programs::of(&build));
    let name = root.strip_prefix(fixture("")).unwrap().display().to_string();
    let mut lines = String::new();
    for (id, contract) in (0..).map(ContractId).zip(&build.contracts) {
        if !contract.is_deployable() {
            continue;
        }
        let harness = Arc::new(Harness::new(build.clone(), programs.clone(), id).unwrap());
        for seed in SEEDS {
            writeln!(lines, "{name} {} {seed}: {}", contract.name, session(&harness, seed)).unwrap();
        }
    }
    lines
}

/// What one worker does: `calls 1f2e3d4c (3000), 57 paths, 23/30 branches | assertion src/Vault.sol:78 after 105: skim()`.
fn session(harness: &Arc<Harness>, seed: u64) -> String {
    let session = Arc::new(Session::new(harness.clone(), Config::default(), seed, 1, Arc::new(|_| {})));
    let mut executor = harness.executor();
    executor.start_tape();
    Fuzzer::new(session.clone(), 0).run(&mut executor, TRANSACTIONS, TRANSACTIONS, &|| false);
    let tape = executor.take_tape();
    let branches = session.coverage.alone().branches(harness.contract);
    let mut line = format!(
        "calls {} ({}), {} paths, {}/{} branches",
        calls(harness, &tape),
        session.executions(),
        session.path_count(),
        branches.covered,
        branches.known
    );
    for finding in session.findings() {
        let calls = finding::tell(harness, &finding.sequence).calls("; ");
        write!(
            line,
            " | {} {}:{} after {}: {calls}",
            finding.violation.oracle, finding.file, finding.lines.line, finding.discovery.executions
        )
        .unwrap();
    }
    line
}

/// A hash of what was run, in which order, and of which state each call started from.
fn calls(harness: &Harness, tape: &[(Snapshot, Call)]) -> String {
    let mut bytes = Vec::new();
    for (state, call) in tape {
        for (address, slot, before, after) in harness.world.genesis.changes(state) {
            bytes.extend_from_slice(address.as_slice());
            [slot, before, after].iter().for_each(|word| bytes.extend_from_slice(&word.to_be_bytes::<32>()));
        }
        bytes.extend_from_slice(call.sender.as_slice());
        bytes.extend_from_slice(&call.value.to_be_bytes::<32>());
        for number in [state.moment().timestamp, state.moment().number, call.moment.timestamp, call.moment.number] {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        match &call.target {
            CallTarget::Account(address, data) => {
                [address.as_slice(), data].iter().for_each(|part| bytes.extend_from_slice(part))
            }
            CallTarget::Create(_, code) => bytes.extend_from_slice(code),
        }
    }
    hex::encode(&keccak256(&bytes)[..8])
}
