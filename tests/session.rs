//! A campaign over several builds: the same seed does the same, findings that are fixed go, those that are not stay,
//! and what was learned is carried over.

mod support;

use bellwether::{
    fuzz::{Campaign, Event, Focus, Options},
    input::Sequence,
    project::{Config, Level},
};
use std::sync::{Arc, OnceLock, mpsc};
use support::{
    campaign::fuzz_build,
    running::{QUIET_AFTER, Running, until_quiet},
    sandbox::Sandbox,
};

const COUNTER: &str = "contract Counter {
    uint256 public count;
    function add(uint256 by) external { require(by <= 10); count += by; }
    function check() external view { assert(count != 20); }
}";

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
fn a_finding_is_told_as_it_was_found_and_again_when_it_is_shrunk() {
    let mut sandbox = Sandbox::single(COUNTER);
    let running = Running::start(3);
    running.turn_to(&mut sandbox, 1);
    running.rest(1);
    assert!(running.campaign.findings()[0].shrunk);
    // Not by `rest`, which reads what it passes.
    let (again, mut told) = (Running::start(3), Vec::new());
    again.turn_to(&mut sandbox, 1);
    while !matches!(told.last(), Some(Event::Shrunk { .. })) {
        told.push(again.events.recv().unwrap());
    }
    let [Event::Found { finding: first, .. }, Event::Shrunk { finding: last, .. }] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!((first.shrunk, last.shrunk), (false, true));
    assert_eq!((&first.id, first.discovery, first.lines), (&last.id, last.discovery, last.lines));
    assert_eq!(last.message, "assertion can fail: add(10), add(10), check()");
    assert_ne!(first.sequence, last.sequence, "or it shows nothing");
    for running in [running, again] {
        running.campaign.stop();
    }
}

#[test]
fn shrinking_ends_a_run_and_counts_as_none_of_its_executions() {
    let build = Sandbox::single(COUNTER).build();
    let found = |executions| {
        let mut ended = fuzz_build(&build, &Config::default(), 3, executions);
        assert_eq!(ended.progress[0].executions, executions);
        ended.findings.pop().unwrap()
    };
    let first = found(9_000);
    // The budget is spent with the very transaction that finds it.
    let last = found(first.discovery.executions);
    assert!(last.shrunk);
    assert_eq!((&last.message, &last.sequence), (&first.message, &first.sequence));
}

/// A campaign that pauses itself on the thread that found something, before anything is shrunk.
fn pausing() -> (Arc<Campaign>, mpsc::Receiver<Event>) {
    let (send, events) = mpsc::channel();
    let pauses: Arc<OnceLock<Arc<Campaign>>> = Arc::default();
    let campaign = pauses.clone();
    let listener = move |event: Event| {
        if let (Event::Found { generation: 1, .. }, Some(campaign)) = (&event, campaign.get()) {
            campaign.set_paused(true);
        }
        let _ = send.send(event);
    };
    let campaign = Arc::new(Campaign::start(until_quiet(3), Arc::new(listener)).unwrap());
    pauses.set(campaign.clone()).unwrap();
    (campaign, events)
}

#[test]
fn shrinking_stops_where_it_is_paused_and_goes_on_on_the_next_build() {
    let mut sandbox = Sandbox::single(COUNTER);
    let (campaign, events) = pausing();
    campaign.rebase(&sandbox.build(), &Config::default(), 1);
    assert!(matches!(events.recv().unwrap(), Event::Found { generation: 1, .. }));
    campaign.pause_and_wait();
    assert!(!campaign.findings()[0].shrunk);
    // The same code, two lines further down; nothing is fuzzed or shrunk yet.
    sandbox.write("A.sol", &format!("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\n\n{COUNTER}"));
    campaign.rebase(&sandbox.build(), &Config::default(), 2);
    let Event::Found { generation: 2, finding } = events.recv().unwrap() else { panic!("not told") };
    assert!(!finding.shrunk && finding.lines.line == 8);
    campaign.set_paused(false);
    let Event::Shrunk { generation: 2, finding: shrunk } = events.recv().unwrap() else { panic!("not shrunk") };
    assert_eq!((&shrunk.id, shrunk.lines), (&finding.id, finding.lines));
    assert_eq!(shrunk.message, "assertion can fail: add(10), add(10), check()");
    campaign.pause_and_wait();
}

#[test]
fn who_listens_may_ask_and_steer_while_findings_are_replayed() {
    let mut sandbox = Sandbox::single(COUNTER);
    let asks: Arc<OnceLock<Arc<Campaign>>> = Arc::default();
    let (send, events) = mpsc::channel();
    let campaign = asks.clone();
    let listener = move |event: Event| {
        if let (Event::Found { generation: 2, .. }, Some(campaign)) = (&event, campaign.get()) {
            // With a lock held by whoever replays, this would wait for itself.
            assert_eq!(campaign.progress().len(), 1);
            campaign.focus(Focus::default());
            campaign.set_paused(false);
        }
        let _ = send.send(event);
    };
    let campaign = Arc::new(Campaign::start(until_quiet(3), Arc::new(listener)).unwrap());
    asks.set(campaign.clone()).unwrap();
    campaign.rebase(&sandbox.build(), &Config::default(), 1);
    while !matches!(events.recv().unwrap(), Event::Found { .. }) {}
    sandbox.write("A.sol", &format!("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\n{COUNTER}"));
    campaign.rebase(&sandbox.build(), &Config::default(), 2);
    assert_eq!(campaign.findings()[0].lines.line, 7);
    campaign.pause_and_wait();
}

#[test]
fn contracts_that_somebody_works_on_get_most_turns_and_the_others_some() {
    let mut sandbox = Sandbox::new("");
    let contract = |name: &str, import: &str| {
        format!(
            "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n{import}\ncontract {name} {{
                mapping(uint256 => uint256) public slots;
                function set(uint256 at, uint256 to) external {{ slots[at % 1000] = to; }}
            }}"
        )
    };
    for (file, text) in [
        ("A.sol", contract("A", "")),
        ("B.sol", contract("B", "import {A} from \"./A.sol\";")),
        ("C.sol", contract("C", "import {B} from \"./B.sol\";")),
        ("D.sol", contract("D", "")),
    ] {
        sandbox.write(file, &text);
    }
    let build = sandbox.build();
    // How many transactions of 40,000 each contract gets, in thousands.
    let share = |focus: Option<(&str, &str)>| {
        let options = Options { workers: 1, seed: 1, executions: Some(40_000), ..Options::default() };
        let (send, events) = mpsc::channel();
        let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).unwrap();
        if let Some((looked, changed)) = focus {
            let path = |name: &str| Some(build.root.join(name));
            campaign.focus(Focus { looked: path(looked), changed: path(changed) });
        }
        campaign.rebase(&build, &Config::default(), 1);
        while !matches!(events.recv().unwrap(), Event::Quiet { .. }) {}
        let shares: Vec<u64> = campaign.progress().iter().map(|progress| progress.executions / 1_000).collect();
        campaign.stop();
        shares
    };
    // A slice may take a little longer to end what it has begun.
    let near = |share: u64, expected: u64| share.abs_diff(expected) <= 3;
    let all = |shares: &[u64], expected: [u64; 4]| shares.iter().zip(expected).all(|(share, of)| near(*share, of));
    for (focus, expected) in [
        (None, [10, 10, 10, 10]),
        (Some(("D.sol", "A.sol")), [3, 3, 3, 30]), // D has the turn of the rest, too: nobody is left
        (Some(("A.sol", "B.sol")), [25, 5, 5, 5]),
        (Some(("none.sol", "none.sol")), [10, 10, 10, 10]),
    ] {
        let shares = share(focus);
        assert!(all(&shares, expected), "{focus:?}: {shares:?}, not {expected:?}");
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
            Event::Shrunk { .. } => {}
            Event::Quiet { .. } => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(found, 1);
    campaign.stop();
}

#[test]
fn of_many_contracts_none_is_left_out() {
    // The worlds of some are planned while others are fuzzed already.
    let contracts = |failing: bool| -> String {
        (0..20)
            .map(|at| {
                format!("contract C{at} {{ function f(uint8 n) external {{ assert(n != 7 || {}); }} }}\n", !failing)
            })
            .collect()
    };
    let mut sandbox = Sandbox::single(&contracts(true));
    let running = Running::at_rest(1, &mut sandbox);
    assert_eq!(running.campaign.findings().len(), 20);
    // Each branch of theirs went both ways.
    assert!(running.campaign.progress().iter().all(|progress| progress.executions >= QUIET_AFTER / 10));
    sandbox.write("A.sol", &format!("pragma solidity ^0.8.20;\n{}", contracts(false)));
    running.turn_to(&mut sandbox, 2);
    running.rest(2);
    assert_eq!((running.campaign.findings().len(), running.campaign.progress().len()), (0, 20));
    running.campaign.stop();
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
    assert_eq!(ended.errors, ["Refuses: its constructor always fails: revert \"never\"",]);
    let fuzzed: Vec<_> = ended
        .progress
        .iter()
        .filter(|progress| progress.executions > 0)
        .map(|progress| progress.harness.compiled().name.clone())
        .collect();
    assert_eq!(fuzzed, ["Child", "Endless", "Factory", "Huge", "Recursive"]);
    assert_eq!(ended.findings.len(), 1, "one place, reached directly and through the factory");
}

#[test]
fn a_lane_that_panics_is_reported_and_replaced_until_its_contract_is_left_alone() {
    let asserts: String =
        (0..8).map(|n| format!("function f{n}(uint8 x) external pure {{ assert(x != {n}); }}")).collect();
    let source = format!("contract Falls {{ {asserts} }} {COUNTER}");
    let mut sandbox = Sandbox::single(&source);
    let (send, events) = mpsc::channel();
    // Who listens runs on the thread that fuzzes, and falls there at every finding of one contract.
    let listener = move |event: Event| {
        let fuzzing = std::thread::current().name().is_some_and(|name| name.starts_with("fuzz-"));
        let falls = fuzzing && matches!(&event, Event::Found { finding, .. } if finding.contract == "Falls");
        let _ = send.send(event);
        assert!(!falls, "on purpose");
    };
    let campaign = Campaign::start(until_quiet(5), Arc::new(listener)).unwrap();
    let build = sandbox.build();
    campaign.rebase(&build, &Config::default(), 1);
    let (mut reports, mut calls, mut others) = (Vec::new(), None, 0);
    while reports.len() < 4 || others == 0 {
        match events.recv().unwrap() {
            Event::Panicked { generation: 1, contract, report } => {
                assert_eq!(contract, "Falls");
                reports.push(report);
            }
            Event::Found { finding, .. } if finding.contract == "Falls" => {
                calls = Some(finding.harness.calls.clone());
            }
            Event::Found { finding, .. } => {
                assert_eq!(finding.contract, "Counter");
                others += 1;
            }
            Event::Shrunk { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    for (at, report) in reports.iter().enumerate() {
        let start = format!("on purpose; build {}, contract Falls, seed 5, fuzzer ", build.id);
        assert!(report.starts_with(&start), "{report}");
        let follows = if at < 3 { "; its fuzzing continues" } else { "; it is not fuzzed until the next build" };
        let (_, sequence) = report.strip_suffix(follows).expect(report).split_once("sequence ").expect(report);
        let sequence = serde_json::from_str(sequence).unwrap();
        let sequence = Sequence::from_json(&sequence, calls.as_ref().unwrap()).unwrap();
        assert!(!sequence.transactions.is_empty(), "{report}");
    }

    // The next build is a new beginning for it.
    sandbox.write(
        "A.sol",
        &format!("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n{source} contract C {{}}"),
    );
    while let Ok(event) = events.try_recv() {
        assert!(!matches!(event, Event::Panicked { .. }), "it was left alone");
    }
    campaign.rebase(&sandbox.build(), &Config::default(), 2);
    while !matches!(events.recv().unwrap(), Event::Panicked { generation: 2, .. }) {}
    campaign.stop();
}

#[test]
fn what_was_learned_is_carried_to_a_build_with_other_functions() {
    let with = |functions: &str| COUNTER.replacen("function add", &format!("{functions} function add"), 1);
    let mut sandbox = Sandbox::single(&with(
        "function aaa(address who, bytes calldata) external {} function zzz() external { count = 0; }",
    ));
    let running = Running::start(3);
    running.campaign.rebase(&sandbox.build(), &Config::default(), 1);
    running.found();
    for (generation, functions) in
        [(2, ""), (3, "function bbb(uint256[] calldata) external {}"), (4, "function zzz() external { count = 0; }")]
    {
        sandbox
            .write("A.sol", &format!("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n{}", with(functions)));
        running.campaign.rebase(&sandbox.build(), &Config::default(), generation);
        assert_eq!(running.campaign.findings().len(), 1, "replayed");
        running.rest(generation);
        let progress = &running.campaign.progress()[0];
        assert!(progress.rerun > 0 && progress.awaiting_rerun == 0 && progress.paths >= 4, "{progress:?}");
    }
    running.campaign.pause_and_wait();
    let panicked = running.told().into_iter().find(|event| matches!(event, Event::Panicked { .. }));
    assert!(panicked.is_none(), "{panicked:?}");
    running.campaign.stop();
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

/// What is a product decides who waits, and changes while everything runs.
#[test]
fn what_is_included_while_it_runs_is_a_product_at_once() {
    let mut sandbox = Sandbox::single(COUNTER);
    sandbox.write("mocks/Mock.sol", "pragma solidity ^0.8.20; contract Mock { function f() external {} }");
    let running = Running::start(3);
    running.turn_to(&mut sandbox, 1);
    let support = || ["Counter", "Mock"].map(|name| running.progress(name).support);
    let including = |patterns: &[&str]| Config {
        include: Some(patterns.iter().map(|pattern| (*pattern).to_owned()).collect()),
        ..Config::default()
    };
    assert_eq!(support(), [false, true]);
    running.campaign.configure(&including(&["mocks"]));
    assert_eq!(support(), [false, false]);
    running.campaign.configure(&including(&[]));
    assert_eq!(support(), [false, true]);
    running.campaign.stop();
}
