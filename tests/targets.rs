//! Targets: which places they are, and how a session ends them.

mod support;

use bellwether::{
    code::{Programs, Stage},
    compile::SourceId,
    fuzz::{Configuration, Fuzzer, Session, TargetState, Targets, Techniques},
    harness::Harness,
    project::Config,
};
use std::sync::Arc;
use support::{campaign::median, sandbox::Sandbox};

fn harness(contract: &str) -> Arc<Harness> {
    let build = Sandbox::single(contract).build();
    let programs = Arc::new(Programs::of(&build));
    let id = build.find_contract("", "A").unwrap_or_else(|| panic!("{:#?}", build.diagnostics));
    Arc::new(Harness::new(build, programs, id).unwrap())
}

/// Lines, those of failures with a minus.
fn lines(targets: &Targets) -> Vec<i64> {
    let line = |target: &bellwether::fuzz::Target| i64::from(target.line) * if target.fails { -1 } else { 1 };
    targets.list().iter().map(line).collect()
}

/// The session, of seed 1, after one fuzzer ran this many transactions.
fn session(harness: &Arc<Harness>, targets: Targets, techniques: Techniques, executions: u64) -> Arc<Session> {
    session_of_seed(1, harness, targets, techniques, executions)
}

fn session_of_seed(
    seed: u64,
    harness: &Arc<Harness>,
    targets: Targets,
    techniques: Techniques,
    executions: u64,
) -> Arc<Session> {
    let session = Session::new(harness.clone(), Config::default(), seed, 1, Arc::new(|_| {}));
    let session = Arc::new(session.with_techniques(techniques).with_targets(targets));
    Fuzzer::new(session.clone(), 0).run(&mut harness.executor(), executions, executions, &|| false);
    session
}

const SAFE: &str = "contract A {
    uint256 public limit = 5;
    uint256 immutable base;
    uint256 sum;
    constructor(uint256 start) {
        base = start;
        sum = start + 1;
    }
    function add(uint256 by) external {
        if (by == 123_456_789) {
            sum += by;
        }
        uint256 never = 0;
        if (never == 1) {
            sum = 7;
        }
        assert(by != 9_876_543);
    }
    function above() external view returns (bool) {
        return sum > base;
    }
    function other() external view returns (uint256) {
        return limit;
    }
}";

#[test]
fn lines_are_reached_or_proved_to_be_unreachable() {
    let harness = harness(SAFE);
    let targets = || Targets::of_lines(&harness, SourceId(0), 13..=17);
    assert_eq!(lines(&targets()), [13, 15, 16, 17], "the closing brace is no code");
    let ended = session(&harness, targets(), Techniques::default(), 20_000);
    let states = ended.targets.states();
    let [reached, _, _, unreachable] = states[..] else { panic!("{states:?}") };
    let TargetState::Reached { executions, .. } = reached else { panic!("{reached:?}") };
    assert!((2..20_000).contains(&executions));
    assert_eq!(unreachable, TargetState::Unreachable);
    assert_eq!(ended.targets.open(), 0);
    assert!(!ended.lookahead_time().is_zero());
}

#[test]
fn an_assertion_on_a_line_is_reached_when_it_fails() {
    let harness = harness(SAFE);
    let targets = || Targets::of_lines(&harness, SourceId(0), 19..=19);
    assert_eq!(lines(&targets()), [19, -19]);
    let techniques = Techniques { just_missed: false, dictionary: false, ..Techniques::default() };
    let soon = session(&harness, targets(), techniques, 200).targets.states();
    assert!(matches!(soon[..], [TargetState::Reached { .. }, TargetState::Open]), "{soon:?}");
    let ended = session(&harness, targets(), Techniques::default(), 20_000).targets.states();
    assert!(ended.iter().all(|state| matches!(state, TargetState::Reached { .. })), "{ended:?}");
}

#[test]
fn without_lookahead_nothing_is_proved() {
    let harness = harness(SAFE);
    let techniques = Techniques { lookahead: Configuration::A, ..Techniques::default() };
    let ended = session(&harness, Targets::of_lines(&harness, SourceId(0), 17..=17), techniques, 5_000);
    assert_eq!(ended.targets.states(), [TargetState::Open]);
    assert!(ended.lookahead_time().is_zero());
}

#[test]
fn a_first_build_tells_failures_first_and_then_all_lines() {
    let harness = harness(SAFE);
    let targets = Targets::of_first_build(&harness);
    let lines = lines(&targets);
    let first = lines.iter().position(|line| *line > 0).unwrap();
    assert!(lines[..first].contains(&-19) && lines[first..].iter().all(|line| *line > 0), "{lines:?}");
    assert!([13, 17, 22, 25].iter().all(|line| lines.contains(line)), "{lines:?}");
}

#[test]
fn with_a_constructor_go_those_that_read_what_it_sets() {
    let harness = harness(SAFE);
    let of = |line: u32| {
        let all = Targets::of_lines(&harness, SourceId(0), line as usize..=line as usize);
        let blocks = all.list().iter().flat_map(|target| target.blocks.clone());
        let creation = blocks.filter(|(id, _)| harness.programs.get(*id).stage == Stage::Creation);
        lines(&Targets::of_blocks(&harness, creation))
    };
    assert!(of(9).contains(&22), "{:?}", of(9));
    assert!(!of(9).contains(&25), "{:?}", of(9));
    // Its initial value is set there, too.
    assert!(of(4).contains(&25), "{:?}", of(4));
}

#[test]
fn code_that_the_contract_creates_belongs_to_it() {
    let harness = harness(
        "contract B { uint256 x; function set(uint256 y) external {
            if (y == 3) {
                x = y;
            }
        } }
        contract C { function never() external {} }
        contract A { B b = new B(); function pass(uint256 y) external { b.set(y); } }",
    );
    let of = |lines| Targets::of_lines(&harness, SourceId(0), lines);
    assert_eq!(lines(&of(5..=5)), [5]);
    assert!(of(8..=8).is_empty(), "nobody creates a C");
    let ended = session(&harness, of(5..=5), Techniques::default(), 20_000);
    assert!(matches!(ended.targets.states()[..], [TargetState::Reached { .. }]));
}

/// Three checks in a row, each of another number, between others that lead elsewhere.
const STAIRS: &str = "contract A {
    uint256 sum;
    function climb(uint256 a, uint256 b, uint256 c) external { unchecked {
        if (a % 7_919 == 5) { sum += 1; }
        if (3 * a + 17 == 51_841_007) {
            if (b % 104_729 == 77) { sum += 2; }
            if (5 * b + a == 977_280_330 + 1) { sum += 3; }
            if (a + b + 11 * c == 3_455_101_229) {
                assert(c * c + 3 * c != 97_539_130);
            }
        }
        if (c % 15_485_863 == 6) { sum += 4; }
    } }
}";

#[test]
fn checks_before_a_target_are_solved_one_after_the_other_before_anything_else() {
    let harness = harness(STAIRS);
    let reached = |lookahead, seed| {
        let targets = Targets::of_lines(&harness, SourceId(0), 9..=9);
        let techniques = Techniques { lookahead, ..Techniques::default() };
        match session_of_seed(seed, &harness, targets, techniques, 20_000).targets.states()[0] {
            TargetState::Reached { executions, .. } => executions,
            other => panic!("{other:?}"),
        }
    };
    let [without, with] = [Configuration::A, Configuration::B].map(|lookahead| median(|seed| reached(lookahead, seed)));
    assert!(with < 60 && 3 * with < without, "medians: {with} with lookahead, {without} without");
}

/// What leads nowhere is left alone, and what is behind the rare side found sooner.
#[test]
fn configurations_do_different_things_and_each_the_same_again() {
    let mill = support::fixture("mill").join("src/Mill.sol");
    let text = std::fs::read_to_string(mill).unwrap();
    let harness = harness(&text[text.find("contract Mill").unwrap()..].replace("contract Mill", "contract A"));
    let asserts = |target: &&bellwether::fuzz::Target| {
        let text = &harness.build.source(target.source).text;
        target.fails && text.lines().nth(target.line as usize - 1).unwrap().contains("assert(")
    };
    let first = Targets::of_first_build(&harness);
    let blocks: Vec<_> = first.list().iter().filter(asserts).flat_map(|target| target.blocks.clone()).collect();
    let run = |lookahead| {
        let techniques = Techniques { lookahead, just_missed: false, ..Techniques::default() };
        let ended = session(&harness, Targets::of_blocks(&harness, blocks.clone()), techniques, 10_000);
        let executions = |state: &TargetState| match state {
            TargetState::Reached { executions, .. } => Some(*executions),
            TargetState::Open | TargetState::Unreachable => None,
        };
        (ended.path_count(), ended.targets.states().iter().map(executions).collect::<Vec<_>>())
    };
    let all = [Configuration::A, Configuration::B, Configuration::C, Configuration::D].map(run);
    assert_eq!(all, [Configuration::A, Configuration::B, Configuration::C, Configuration::D].map(run));
    assert!((1..4).all(|other| all[0] != all[other]) && all[1] != all[3], "{all:?}");
    assert_eq!(all[1].1.iter().flatten().count(), 1, "{all:?}");
}
