//! What an edit costs: a contract whose code stays the same goes on as if nothing had happened, one whose code does not keeps what
//! it learned, and findings follow their contract whatever becomes of it.

mod support;

use bellwether::fuzz::{Event, Options, TargetState};
use std::{collections::BTreeMap, sync::Arc};
use support::{
    running::{Running, kinds, until_quiet},
    sandbox::Sandbox,
};

const HEAD: &str = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n";

const COUNTER: &str = "contract Counter {
    uint256 public count;
    function add(uint256 by) external { require(by <= 10); count += by; }
    function check() external view { assert(count != 20); }
}
";

const BOX: &str = "contract Box {
    uint256 public word;
    function put(uint256 x) external { if (x > 1000) word = x; else word += x; }
    function look(uint256 x) external view { require(x != word); assert(word != 7); }
}
";

fn file(contracts: &[&str]) -> String {
    format!("{HEAD}{}", contracts.concat())
}

/// A project of files.
fn project(files: &[(&str, String)]) -> Sandbox {
    let text: String = files.iter().map(|(name, text)| format!("//- {name}\n{text}")).collect();
    Sandbox::new(&text)
}

#[test]
fn a_comment_starts_no_work_and_moves_findings() {
    let mut sandbox = project(&[("B.sol", file(&[COUNTER, BOX]))]);
    let running = Running::at_rest(3, &mut sandbox);
    let numbers = || ["Counter", "Box"].map(|name| running.numbers(name));
    let before = numbers();
    assert_eq!(running.findings(), [(6, "Counter".to_owned()), (11, "Box".to_owned())]);

    let spaced = BOX.replace("assert(word != 7)", "assert( word  !=  7 )");
    for (generation, text, lines) in [
        (2, file(&["// why\n", COUNTER, BOX]), [7, 12]),
        (3, file(&["/* why\n   not */\n", COUNTER, "\n\n", BOX]), [8, 15]),
        (4, file(&[COUNTER, &spaced]), [6, 11]),
        (5, file(&[COUNTER, &spaced]), [6, 11]),
    ] {
        sandbox.write("B.sol", &text);
        running.turn_to(&mut sandbox, generation);
        let told = running.told();
        let said = kinds(&told);
        let own: Vec<String> = ["found", "found", "quiet"].map(|kind| format!("{kind} {generation}")).into();
        // The text of a failing expression is a part of its id.
        assert_eq!(said.iter().filter(|kind| !kind.starts_with("fixed")).cloned().collect::<Vec<_>>(), own, "{said:?}");
        assert_eq!(said.len(), if generation == 4 { 4 } else { 3 }, "{said:?}");
        assert_eq!(running.findings().iter().map(|(line, _)| *line).collect::<Vec<_>>(), lines);
        assert_eq!(numbers(), before, "nothing was run");
    }
    running.campaign.stop();
}

#[test]
fn contracts_that_come_and_go_leave_the_others_alone() {
    let mut sandbox = project(&[("B.sol", file(&[COUNTER]))]);
    let running = Running::at_rest(3, &mut sandbox);
    let before = running.numbers("Counter");
    // Before it and behind it, and gone again.
    sandbox.write("A.sol", &file(&[BOX]));
    sandbox.write("C.sol", &file(&["contract Third { function f(uint256 x) external pure { assert(x != 9); } }\n"]));
    running.turn_to(&mut sandbox, 2);
    assert_eq!(running.numbers("Counter"), before);
    running.rest(2);
    let found: Vec<String> = running.findings().into_iter().map(|(_, contract)| contract).collect();
    assert_eq!(found, ["Box", "Counter", "Third"]);
    let third = running.numbers("Third");
    std::fs::remove_file(sandbox.root().join("A.sol")).unwrap();
    running.told();
    running.turn_to(&mut sandbox, 3);
    assert_eq!(kinds(&running.told()), ["found 3", "found 3", "fixed 3", "quiet 3"]);
    assert_eq!((running.numbers("Counter"), running.numbers("Third")), (before, third));
    running.campaign.stop();
}

#[test]
fn a_name_is_not_the_contract() {
    let mut sandbox = project(&[("B.sol", file(&[COUNTER, BOX]))]);
    let running = Running::at_rest(3, &mut sandbox);
    let before = (running.numbers("Counter"), running.numbers("Box"));
    // Another name, then another file: what it learned is still known, and its finding follows.
    sandbox.write("B.sol", &file(&[&COUNTER.replace("Counter", "Tally"), BOX]));
    running.turn_to(&mut sandbox, 2);
    assert_eq!(kinds(&running.told()), ["found 2", "found 2", "fixed 2", "quiet 2"]);
    assert_eq!((running.numbers("Tally"), running.numbers("Box")), before);
    assert_eq!(running.findings(), [(6, "Tally".to_owned()), (11, "Box".to_owned())]);
    sandbox.write("B.sol", &file(&[BOX]));
    sandbox.write("src/Tally.sol", &file(&["\n", &COUNTER.replace("Counter", "Tally")]));
    running.turn_to(&mut sandbox, 3);
    assert_eq!((running.numbers("Tally"), running.numbers("Box")), before);
    assert_eq!(running.findings(), [(6, "Box".to_owned()), (7, "Tally".to_owned())]);
    // Another name and other code at once.
    let renamed = COUNTER.replace("Counter", "Sum").replace("by <= 10", "by <= 10 && by > 0");
    sandbox.write("src/Tally.sol", &file(&[&renamed]));
    running.campaign.set_paused(true);
    running.turn_to(&mut sandbox, 4);
    assert_eq!(running.findings(), [(6, "Box".to_owned()), (6, "Sum".to_owned())], "before anything is fuzzed");
    assert_eq!(running.progress("Sum").executions, 0);
    running.campaign.stop();
}

#[test]
fn an_edit_keeps_the_coverage_of_what_it_did_not_touch() {
    let mut sandbox = project(&[("B.sol", file(&[COUNTER, BOX]))]);
    let running = Running::at_rest(3, &mut sandbox);
    let (counter, was) = (running.numbers("Counter"), running.progress("Box"));
    running.campaign.set_paused(true);
    for (generation, less) in [(2, "999"), (3, "998")] {
        sandbox.write("B.sol", &file(&[COUNTER, &BOX.replace("1000", less)]));
        running.turn_to(&mut sandbox, generation);
        let is = running.progress("Box");
        assert_eq!((is.executions, is.paths), (0, 0), "nothing was run yet");
        // Of the comparison that changed nothing is known.
        let missing = was.instructions.covered - is.instructions.covered;
        assert!(missing > 0 && missing < was.instructions.known / 4, "{:?} {:?}", was.instructions, is.instructions);
        assert!(is.branches.covered > 0 && is.branches.covered < was.branches.covered);
        assert_eq!(running.findings(), [(6, "Counter".to_owned()), (11, "Box".to_owned())]);
        assert_eq!(running.numbers("Counter"), counter);
    }
    running.campaign.set_paused(false);
    running.rest(3);
    let is = running.progress("Box");
    assert_eq!((is.branches, is.instructions), (was.branches, was.instructions));
    assert!(is.paths >= was.paths, "{} of {}", is.paths, was.paths);
    assert_eq!(running.numbers("Counter"), counter);
    running.campaign.stop();
}

#[test]
fn what_is_found_after_a_comment_is_told_of_the_new_lines() {
    let mut sandbox = project(&[("B.sol", file(&[COUNTER]))]);
    let running = Running::start(3);
    running.campaign.set_paused(true);
    for generation in 1..=9 {
        sandbox.write("B.sol", &file(&["\n".repeat(generation).as_str(), COUNTER]));
        running.turn_to(&mut sandbox, generation as u64);
    }
    running.campaign.set_paused(false);
    assert_eq!(running.found().lines.line, 15);
    running.campaign.stop();
}

#[test]
fn no_result_is_told_of_another_build_than_its_own() {
    let mut sandbox = project(&[("B.sol", file(&[COUNTER, BOX]))]);
    let running = Running::start_with(Options { workers: 2, ..until_quiet(1) });
    let mut builds = BTreeMap::new();
    // While fuzzers run: comments, code, comments.
    for generation in 1..=60_u64 {
        let lines = "\n".repeat(generation as usize % 7);
        let number = (1000 + generation / 8).to_string();
        sandbox.write("B.sol", &file(&[&lines, COUNTER, &BOX.replace("1000", &number)]));
        builds.insert(generation, running.turn_to(&mut sandbox, generation));
    }
    running.campaign.pause_and_wait();
    let told = running.told();
    for event in &told {
        match event {
            Event::Found { generation, finding } | Event::Shrunk { generation, finding } => {
                assert!(Arc::ptr_eq(&finding.harness.build, &builds[generation]))
            }
            Event::Fixed { .. } | Event::Quiet { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    // It is told once that nothing new is found: perhaps before the campaign was paused.
    if !told.iter().any(|event| matches!(event, Event::Quiet { generation: 60 })) {
        running.campaign.set_paused(false);
        running.rest(60);
    }
    let lines: Vec<u32> = running.findings().into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [10, 15]);
    running.campaign.stop();
}

#[test]
fn a_build_that_fails_between_two_that_work_costs_nothing() {
    let mut sandbox = project(&[("A.sol", file(&[BOX])), ("B.sol", file(&[COUNTER]))]);
    let running = Running::at_rest(3, &mut sandbox);
    let numbers = || ["Counter", "Box"].map(|name| running.numbers(name));
    let before = numbers();
    for (generation, text) in [
        (2, file(&[&COUNTER[..100]])),
        // Other contracts come meanwhile.
        (3, format!("{HEAD}contract Counter {{ uint }}")),
        (4, file(&["\n", COUNTER])),
    ] {
        sandbox.write("B.sol", &text);
        if generation == 3 {
            sandbox.write("0.sol", &file(&["contract Zero { uint256 x; }\n"]));
        }
        running.turn_to(&mut sandbox, generation);
        assert_eq!(numbers(), before, "{generation}");
        let counter = if generation == 4 { 7 } else { 6 };
        assert_eq!(running.findings(), [(6, "Box".to_owned()), (counter, "Counter".to_owned())], "{generation}");
    }
    running.campaign.stop();
}

#[test]
fn a_contract_that_is_split_hands_on_what_it_knew() {
    let both = "contract Both {
    uint256 public count;
    uint256 public word;
    function add(uint256 by) external { require(by <= 10); count += by; }
    function check() external view { assert(count != 20); }
    function put(uint256 x) external { if (x > 1000) word = x; else word += x; }
    function look(uint256 x) external view { require(x != word); assert(word != 7); }
}
";
    let mut sandbox = project(&[("B.sol", file(&[both]))]);
    let running = Running::at_rest(3, &mut sandbox);
    assert_eq!(running.findings(), [(7, "Both".to_owned()), (9, "Both".to_owned())]);
    running.campaign.set_paused(true);
    sandbox.write("B.sol", &file(&[COUNTER, BOX]));
    running.told();
    running.turn_to(&mut sandbox, 2);
    assert_eq!(running.findings(), [(6, "Counter".to_owned()), (11, "Box".to_owned())], "before anything is fuzzed");
    assert_eq!(kinds(&running.told()).iter().filter(|kind| *kind == "fixed 2").count(), 2, "what they were");
    assert_eq!(running.campaign.progress().iter().map(|progress| progress.executions).sum::<u64>(), 0);
    // And back again, all in one.
    sandbox.write("B.sol", &file(&[both]));
    running.turn_to(&mut sandbox, 3);
    assert_eq!(running.findings(), [(7, "Both".to_owned()), (9, "Both".to_owned())]);
    running.campaign.stop();
}

#[test]
fn findings_survive_other_settings_of_the_compiler() {
    let mut sandbox = project(&[("src/B.sol", file(&[COUNTER])), ("foundry.toml", "[profile.default]\n".to_owned())]);
    let running = Running::start(3);
    running.turn_to(&mut sandbox, 1);
    let found = running.found();
    sandbox.write("foundry.toml", "[profile.default]\noptimizer = true\noptimizer_runs = 200\n");
    running.campaign.pause_and_wait();
    running.told();
    let build = running.turn_to(&mut sandbox, 2);
    assert_ne!(build.contracts[0].settings, found.harness.compiled().settings);
    assert_eq!(kinds(&running.told())[0], "found 2");
    assert_eq!(running.campaign.findings()[0].id, found.id);
    running.campaign.stop();
}

#[test]
fn calls_are_repaired_when_their_functions_change() {
    let mut sandbox = project(&[("B.sol", file(&[COUNTER]))]);
    let running = Running::start(3);
    running.turn_to(&mut sandbox, 1);
    running.found();
    running.campaign.pause_and_wait();
    let paths = running.progress("Counter").paths;
    let with_constructor = |parameters: &str, add: &str| {
        COUNTER
            .replace("uint256 public count;", &format!("uint256 public count; constructor({parameters}) {{}}"))
            .replace("add(uint256 by)", add)
    };
    for (generation, text) in [
        (2, COUNTER.replace("add(uint256 by)", "add(address, uint256 by)")),
        (3, COUNTER.replace("add(uint256 by)", "add(uint128 by, bool)")),
        (4, COUNTER.replace("add(uint256 by)", "more(uint128 by, bool)")),
        (5, with_constructor("address owner", "more(uint128 by, bool, bytes calldata)")),
        (6, with_constructor("uint256 cap, address owner", "more(uint8 by)")),
        (7, COUNTER.replace("add(uint256 by)", "more(uint256 by)")),
    ] {
        sandbox.write("B.sol", &file(&[&text]));
        running.told();
        running.turn_to(&mut sandbox, generation);
        assert_eq!(kinds(&running.told()), [format!("found {generation}")], "before anything is fuzzed");
        assert_eq!(running.progress("Counter").executions, 0);
    }
    // The corpus came all the way.
    running.campaign.set_paused(false);
    running.rest(7);
    assert!(running.progress("Counter").paths >= paths, "{paths}");
    running.campaign.stop();
}

#[test]
fn a_change_that_is_taken_back_costs_nothing() {
    let mut sandbox = project(&[("B.sol", file(&[COUNTER, BOX]))]);
    let running = Running::at_rest(3, &mut sandbox);
    let numbers = || ["Counter", "Box"].map(|name| running.numbers(name));
    let before = numbers();
    running.campaign.set_paused(true);
    let fixed = COUNTER.replace("count != 20", "count < 2**255");
    sandbox.write("B.sol", &file(&[&fixed, BOX]));
    running.turn_to(&mut sandbox, 2);
    assert_eq!(running.findings(), [(11, "Box".to_owned())]);
    assert_eq!(running.progress("Counter").executions, 0);
    running.told();
    sandbox.write("B.sol", &file(&["\n", COUNTER, BOX]));
    running.turn_to(&mut sandbox, 3);
    assert_eq!(kinds(&running.told()), ["found 3", "found 3", "quiet 3"]);
    assert_eq!(running.findings(), [(7, "Counter".to_owned()), (12, "Box".to_owned())]);
    assert_eq!(numbers(), before);
    // Deleted, and brought back.
    sandbox.write("B.sol", &file(&[BOX]));
    running.turn_to(&mut sandbox, 4);
    assert_eq!(running.findings(), [(6, "Box".to_owned())]);
    sandbox.write("B.sol", &file(&[COUNTER, BOX]));
    running.turn_to(&mut sandbox, 5);
    assert_eq!(running.findings(), [(6, "Counter".to_owned()), (11, "Box".to_owned())]);
    assert_eq!(numbers(), before);
    running.campaign.stop();
}

#[test]
fn compilers_that_hash_comments_into_the_code_make_no_difference() {
    for (version, old) in [("0.4.26", COUNTER.to_owned()), ("0.5.17", COUNTER.to_owned())] {
        let text = |comment: &str| format!("pragma solidity {version};\n{comment}\n{old}");
        let mut sandbox = project(&[("B.sol", text(""))]);
        let running = Running::start(3);
        running.turn_to(&mut sandbox, 1);
        let found = running.found();
        running.campaign.pause_and_wait();
        let before = running.numbers("Counter");
        sandbox.write("B.sol", &text("// a comment\n"));
        running.turn_to(&mut sandbox, 2);
        assert_eq!(running.numbers("Counter"), before, "{version}");
        let kept = &running.campaign.findings()[0];
        assert_eq!((&kept.id, kept.lines.line), (&found.id, found.lines.line + 1));
        running.campaign.stop();
    }
}

#[test]
fn targets_are_what_changed_until_they_are_reached() {
    let steps = "contract Steps {
    uint256 at;
    function one(uint256 x) external { require(x == 77); at = 1; }
    function two(uint256 x) external { require(at == 1); if (x == 1) at = 2; }
}
";
    let mut sandbox = project(&[("B.sol", file(&[steps, COUNTER]))]);
    let running = Running::start(3);
    running.campaign.set_paused(true);
    running.turn_to(&mut sandbox, 1);
    let of_steps = |of: fn(TargetState) -> bool| -> Vec<u32> {
        let all = running.campaign.reaching().into_iter();
        let own = all.filter(|of| of.harness.compiled().name == "Steps").flat_map(|of| of.targets);
        own.filter(|(_, state)| of(*state)).map(|(target, _)| target.line).collect()
    };
    let open = |state| state == TargetState::Open;
    let edited = steps.replace("at = 2", "at = 3");
    for (generation, text, lines) in [
        (2, file(&[&edited, COUNTER]), &[6][..]),
        // Only its place is another.
        (3, file(&["\n", &edited, COUNTER]), &[7]),
        // Something else changes, too.
        (4, file(&["\n", &edited.replace("77", "78"), COUNTER]), &[6, 7]),
        // That goes, and what is left stays.
        (5, file(&[&edited.replace("require(x == 77); ", ""), COUNTER]), &[5, 6]),
    ] {
        sandbox.write("B.sol", &text);
        running.turn_to(&mut sandbox, generation);
        assert_eq!(of_steps(open), lines, "{generation}");
    }
    running.campaign.set_paused(false);
    running.rest(5);
    assert!(of_steps(open).is_empty());
    assert_eq!(of_steps(|state| matches!(state, TargetState::Reached { .. })), [5, 6]);
    // Reached is reached: a comment makes it no target again.
    sandbox.write("B.sol", &file(&["\n", &edited.replace("require(x == 77); ", ""), COUNTER]));
    running.turn_to(&mut sandbox, 6);
    assert_eq!(of_steps(|state| matches!(state, TargetState::Reached { .. })), [6, 7]);
    running.campaign.stop();
}

#[test]
fn one_worker_with_one_seed_does_the_same_over_several_builds() {
    let run = || {
        let mut sandbox = project(&[("B.sol", file(&[COUNTER]))]);
        let running = Running::at_rest(11, &mut sandbox);
        sandbox.write("B.sol", &file(&["\n", &COUNTER.replace("by <= 10", "by < 10")]));
        running.turn_to(&mut sandbox, 2);
        running.rest(2);
        let (numbers, rerun) = (running.numbers("Counter"), running.progress("Counter").rerun);
        let found = running.campaign.findings().iter().map(|finding| finding.message.clone()).collect::<Vec<_>>();
        running.campaign.stop();
        (numbers, rerun, found)
    };
    assert_eq!(run(), run());
}
