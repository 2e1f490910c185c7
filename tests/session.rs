//! A campaign over several builds: the same seed does the same, findings that are fixed go, those that are not stay,
//! and what was learned is carried over.

mod support;

use bellwether::{
    finding::Finding,
    fuzz::{Campaign, Event, Options},
    project::{Config, Level},
};
use std::sync::{Arc, mpsc};
use support::{campaign::fuzz_build, sandbox::Sandbox};

const COUNTER: &str = "contract Counter {
    uint256 public count;
    function add(uint256 by) external { require(by <= 10); count += by; }
    function check() external view { assert(count != 20); }
}";

/// A campaign with one worker and its events.
struct Running {
    campaign: Campaign,
    events: mpsc::Receiver<Event>,
}

impl Running {
    fn start(seed: u64) -> Self {
        let (send, events) = mpsc::channel();
        let options = Options { workers: 1, seed, until_quiet: true, ..Options::default() };
        let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).unwrap();
        Self { campaign, events }
    }

    /// The first finding.
    fn found(&self) -> Arc<Finding> {
        loop {
            match self.events.recv().unwrap() {
                Event::Found { finding, .. } => return finding,
                Event::Quiet { .. } => panic!("nothing found"),
                _ => {}
            }
        }
    }

    /// What was told up to now, without waiting.
    fn told(&self) -> Vec<Event> {
        self.events.try_iter().collect()
    }
}

#[test]
fn the_same_seed_finds_the_same_with_the_same_calls() {
    let mut sandbox = Sandbox::single(COUNTER);
    let build = sandbox.build();
    let run = |seed| {
        let ended = fuzz_build(&build, &Config::default(), seed, 30_000);
        let findings: Vec<_> = ended
            .findings
            .iter()
            .map(|finding| {
                let mut json = finding.to_json(".");
                json["elapsed_ms"] = 0.into();
                json.to_string()
            })
            .collect();
        let progress: Vec<_> =
            ended.progress.iter().map(|p| (p.executions, p.paths, p.branches, p.instructions)).collect();
        (findings, progress)
    };
    assert_eq!(run(7), run(7));
    assert_eq!(run(7).0.len(), 1);
}

#[test]
fn executions_are_counted_exactly() {
    let mut sandbox = Sandbox::single("contract A { uint public x; function set(uint y) external { x = y; } }");
    let build = sandbox.build();
    for executions in [1, 777, 5_000] {
        let ended = fuzz_build(&build, &Config::default(), 1, executions);
        assert_eq!(ended.progress.iter().map(|progress| progress.executions).sum::<u64>(), executions);
    }
}

#[test]
fn a_finding_goes_when_it_is_fixed_and_stays_when_it_is_not() {
    let mut sandbox = Sandbox::single(COUNTER);
    let running = Running::start(3);
    running.campaign.rebase(&sandbox.build(), &Config::default(), 1);
    let found = running.found();
    assert_eq!(found.lines.line, 6);

    // A line above it: the same defect, one line further down, told before any new fuzzing.
    sandbox.write("A.sol", &format!("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\n{COUNTER}"));
    running.campaign.rebase(&sandbox.build(), &Config::default(), 2);
    let kept: Vec<_> = running.campaign.findings();
    assert_eq!(kept.len(), 1);
    assert_eq!((kept[0].lines.line, &kept[0].id), (7, &found.id));
    assert!(!running.told().iter().any(|event| matches!(event, Event::Fixed { .. })));

    let fixed = COUNTER.replace("assert(count != 20)", "assert(count < type(uint256).max)");
    sandbox.write("A.sol", &format!("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n{fixed}"));
    running.campaign.rebase(&sandbox.build(), &Config::default(), 3);
    assert!(running.told().iter().any(|event| matches!(event, Event::Fixed { generation: 3, id } if *id == found.id)));
    assert!(running.campaign.findings().is_empty());
    running.campaign.stop();
}

#[test]
fn a_file_that_does_not_compile_keeps_its_last_findings() {
    let mut sandbox = Sandbox::single(COUNTER);
    let running = Running::start(3);
    running.campaign.rebase(&sandbox.build(), &Config::default(), 1);
    let found = running.found();
    sandbox.write("A.sol", "pragma solidity ^0.8.20;\ncontract Counter {");
    let broken = sandbox.build();
    assert!(broken.has_errors());
    running.campaign.rebase(&broken, &Config::default(), 2);
    let kept: Vec<_> = running.campaign.findings().iter().map(|finding| finding.id.clone()).collect();
    assert_eq!(kept, std::slice::from_ref(&found.id));
    running.campaign.stop();
}

#[test]
fn a_contract_that_is_gone_takes_its_findings_along() {
    let mut sandbox = Sandbox::single(COUNTER);
    let running = Running::start(3);
    running.campaign.rebase(&sandbox.build(), &Config::default(), 1);
    let found = running.found();
    sandbox.write("A.sol", "pragma solidity ^0.8.20;\ncontract Other {}");
    running.campaign.rebase(&sandbox.build(), &Config::default(), 2);
    assert!(running.told().iter().any(|event| matches!(event, Event::Fixed { id, .. } if *id == found.id)));
    running.campaign.stop();
}

#[test]
fn several_workers_find_the_same_place_once() {
    let mut sandbox = Sandbox::single(COUNTER);
    let (send, events) = mpsc::channel();
    let options = Options { workers: 3, seed: 1, executions: Some(60_000), ..Options::default() };
    let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).unwrap();
    campaign.rebase(&sandbox.build(), &Config::default(), 1);
    let mut found = 0;
    for event in &events {
        match event {
            Event::Found { .. } => found += 1,
            Event::Quiet { .. } => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(found, 1);
    campaign.stop();
}

#[test]
fn contracts_that_resist_are_told_or_simply_fuzzed() {
    let mut sandbox = Sandbox::single(
        "abstract contract Abstract { function f() external virtual; }
         interface Interface { function f() external; }
         library Library { function f(uint x) external pure returns (uint) { return x; } }
         contract NoFunctions { uint x; }
         contract Refuses { constructor() { revert(\"never\"); } function f() external {} }
         contract Endless { function f() external pure { while (true) {} } }
         contract Recursive { function f() external { this.f(); } }
         contract Huge { function f() external pure returns (bytes memory) { return new bytes(1_000_000); } }
         contract Factory { Child public child; function make() external { child = new Child(); } function hit(uint x) external { child.hit(x); } }
         contract Child { function hit(uint x) external pure { assert(x != 3); } }",
    );
    let ended = fuzz_build(&sandbox.build(), &Config::default(), 1, 100);
    assert_eq!(
        ended.errors,
        [
            "NoFunctions: it has no function that can be called",
            "Refuses: its constructor does not succeed (1 tries; the last: revert \"never\")",
        ]
    );
    let fuzzed: Vec<_> = ended
        .progress
        .iter()
        .filter(|progress| progress.executions > 0)
        .map(|progress| progress.subject.compiled().name.clone())
        .collect();
    assert_eq!(fuzzed, ["Child", "Endless", "Factory", "Huge", "Recursive"]);
    assert_eq!(ended.findings.len(), 1, "one place, reached directly and through the factory");
}

#[test]
fn levels_change_while_it_runs_and_nothing_is_forgotten() {
    let mut sandbox = Sandbox::single(COUNTER);
    let build = sandbox.build();
    let running = Running::start(3);
    let of_level =
        |level: Level| Config { oracles: [("assertion".to_owned(), level)].into_iter().collect(), ..Config::default() };
    running.campaign.rebase(&build, &of_level(Level::Error), 1);
    let found = running.found();
    let levels = || running.campaign.findings().iter().map(|finding| finding.level).collect::<Vec<_>>();
    running.campaign.configure(&of_level(Level::Hint));
    assert_eq!(levels(), [Level::Hint]);
    running.campaign.configure(&of_level(Level::Off));
    assert_eq!(levels(), []);
    // Not even by a new build while it is off.
    running.campaign.rebase(&build, &of_level(Level::Off), 2);
    assert_eq!(levels(), []);
    assert!(Campaign::needs_rebase(&of_level(Level::Off), &of_level(Level::Warning)));
    assert!(!Campaign::needs_rebase(&of_level(Level::Warning), &of_level(Level::Off)));
    running.told();
    running.campaign.rebase(&build, &of_level(Level::Warning), 3);
    assert_eq!(levels(), [Level::Warning]);
    let told = running.told();
    assert!(matches!(&told[0], Event::Found { generation: 3, finding } if finding.id == found.id), "{told:?}");
    assert!(!told.iter().any(|event| matches!(event, Event::Fixed { .. })));
    running.campaign.stop();
}

#[test]
fn workers_come_and_go_and_the_corpus_stays() {
    let mut sandbox = Sandbox::single(COUNTER);
    let running = Running::start(3);
    running.campaign.rebase(&sandbox.build(), &Config::default(), 1);
    running.found();
    let state = || {
        let progress = running.campaign.progress().remove(0);
        (progress.executions, progress.paths, running.campaign.findings().len())
    };
    for workers in [4, 1, 2, 3, 1] {
        let before = state();
        running.campaign.set_workers(workers).unwrap();
        let after = state();
        assert!(after.0 >= before.0 && after.1 >= before.1 && after.2 == before.2, "{before:?} {after:?}");
    }
    // It comes to its end with the threads that are left.
    while !matches!(running.events.recv().unwrap(), Event::Quiet { generation: 1 }) {}
    running.campaign.stop();
}

#[test]
fn another_seed_goes_on_from_the_same_corpus() {
    let mut sandbox = Sandbox::single(COUNTER);
    let build = sandbox.build();
    let running = Running::start(3);
    running.campaign.rebase(&build, &Config::default(), 1);
    let found = running.found();
    running.campaign.set_seed(4);
    running.campaign.rebase(&build, &Config::default(), 2);
    let kept = running.campaign.findings();
    assert_eq!((kept.len(), &kept[0].id, kept[0].discovery.seed), (1, &found.id, 3), "found with the seed of then");
    running.campaign.stop();
}
