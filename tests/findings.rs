//! Findings as a person reads them, told with names; and as they are saved and read back.

mod support;

use bellwether::{
    finding::{Discovery, Finding, Pattern, Saved, distinct, last_violations, patterns},
    oracle::{self, OracleSet},
    project::{Config, Level},
    report::ReportedFinding,
};
use expect_test::expect;
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use support::{
    campaign::{fuzz_build, fuzz_contracts},
    sandbox::Sandbox,
};

/// Settings under which nothing is told of a contract as a whole: most contracts here keep what they are paid.
fn config() -> Config {
    Config { oracles: BTreeMap::from([("frozen-ether".to_owned(), Level::Off)]), ..Config::default() }
}

fn findings(contract: &str) -> Vec<Arc<Finding>> {
    fuzz_build(&Sandbox::single(contract).build(), &config(), 1, 50_000).findings
}

/// The findings of a single contract, as `line: message`.
fn messages(contract: &str) -> Vec<String> {
    findings(contract).iter().map(|finding| format!("{}: {}", finding.lines.line, finding.message)).collect()
}

#[test]
fn every_distinct_place_is_its_own_finding() {
    let contract = "contract A {
        function f(uint256 x) external pure { _g(x); assert(x != 1); assert(x != 2); }
        function h(uint256 x) external pure { _g(x); }
        function _g(uint256 x) private pure { assert(x != 3); }
    }";
    let lines: Vec<_> = findings(contract).iter().map(|finding| (finding.lines.line, finding.lines.column)).collect();
    assert_eq!(lines, [(4, 54), (4, 70), (6, 47)]);
}

#[test]
fn an_event_that_says_so_counts_unless_it_is_reverted() {
    let contract = "contract A {
        event AssertionFailed(string why);
        function f(uint256 x) external { if (x == 3) emit AssertionFailed(\"three\"); }
        function g(uint256 x) external { if (x == 4) { emit AssertionFailed(\"four\"); revert(); } }
    }";
    assert_eq!(messages(contract), ["5: assertion can fail: f(3)"]);
}

#[test]
fn variables_are_told_by_name() {
    let contract = "contract A {
        enum Phase { Open, Closed }
        struct Deposit { uint128 amount; bool locked; uint256[] parts; }
        address public boss; uint8 small; Phase phase; int64 debt;
        mapping(address => mapping(uint256 => Deposit)) deposits;
        uint16[] list; uint256[3] fixedOnes; mapping(string => uint256) byName; string title;
        function set() external {
            boss = msg.sender; small = 7; phase = Phase.Closed; debt = -5;
            deposits[msg.sender][9].amount = 11; deposits[msg.sender][9].locked = true; deposits[msg.sender][9].parts.push(13);
            list.push(17); list.push(19); fixedOnes[1] = 23; byName[\"key\"] = 29; title = \"hello\";
        }
        function f() external view { assert(small != 7); }
    }";
    let found = findings(contract);
    assert_eq!(found.len(), 1);
    let changes = found[0].story.steps[1].changes.iter();
    let mut changes: Vec<_> = changes.map(|c| format!("{}: {} → {}", c.name, c.before, c.after)).collect();
    changes.sort();
    assert_eq!(
        changes,
        [
            "boss: address(0) → owner",
            "byName[\"key\"]: 0 → 29",
            "debt: 0 → -5",
            "deposits[owner][9].amount: 0 → 11",
            "deposits[owner][9].locked: false → true",
            "deposits[owner][9].parts: length 0 → length 1",
            "deposits[owner][9].parts[0]: 0 → 13",
            "fixedOnes[1]: 0 → 23",
            "list: length 0 → length 2",
            "list[0]: 0 → 17",
            "list[1]: 0 → 19",
            "phase: 0 → 1",
            "small: 0 → 7",
            "title: \"\" → \"hello\"",
        ]
    );
    assert_eq!(found[0].story.steps[2].result, "panic 0x01");
}

#[test]
fn a_failing_call_tells_what_it_had_changed_until_it_failed() {
    let contract = "contract A {
        uint256 most = type(uint256).max;
        mapping(bytes32 => uint256) paid;
        function f(uint8 x) external {
            most = x;
            paid[keccak256(\"a\")] += 1e18;
            assert(most != 7);
        }
    }";
    let found = findings(contract);
    let [finding] = &found[..] else { panic!("{found:#?}") };
    expect![[r#"
        assertion can fail: f(7)
          1. owner: new A() → ok
               most: 0 → 2^256 − 1
          2. owner: f(7) → panic 0x01: assertion failed
               until it failed, most: 2^256 − 1 → 7
               until it failed, paid[0x3ac2…f1cb]: 0 → 1e18
    "#]]
    .assert_eq(&format!("{}\n{}", finding.message, finding.story.to_text()));
    assert_eq!(finding.comparison.told().as_deref(), Some("`7 != 7`: `most` is 7"));
}

/// A sequence with what each field of a step may hold: a constructor with arguments, other senders, ether, a wait, changes.
#[test]
fn a_story_tells_who_called_what_when_and_what_that_changed() {
    let contract = "contract Till {
        address payable public keeper; uint256 immutable start = block.timestamp; mapping(address => uint256) public paid;
        constructor(address payable keeper_) { require(keeper_ != msg.sender && keeper_ != address(0)); keeper = keeper_; }
        function pay() external payable { require(msg.value > 4 && msg.sender == keeper); paid[msg.sender] += msg.value; }
        function check() external view { assert(paid[keeper] < 5 || block.timestamp < start + 3 days); }
    }";
    let found = findings(contract);
    let [finding] = &found[..] else { panic!("{found:#?}") };
    expect![[r#"
        assertion can fail: pay{value: 5 wei}(), check()
          1. owner: new Till(bob) → ok
               keeper: address(0) → bob
          2. bob: pay{value: 5 wei}() → ok
               paid[bob]: 0 → 5
               balance: 0 → 5 wei
          3. after 3 days, owner: check() → panic 0x01: assertion failed
    "#]]
    .assert_eq(&format!("{}\n{}", finding.message, finding.story.to_text()));
    expect![[r#"
        1. **owner** deploys `new Till(bob)` → ok
           - `keeper`: address(0) → bob
        2. **bob** calls `pay{value: 5 wei}()` → ok
           - `paid[bob]`: 0 → 5
           - `balance`: 0 → 5 wei
        3. *3 days later*, **owner** calls `check()` → panic 0x01: assertion failed
    "#]]
    .assert_eq(&finding.story.to_markdown());
}

#[test]
fn a_finding_is_read_back_as_it_was_saved() {
    let contract = "contract A {
        uint256 n; constructor(address who, uint256[] memory xs) { require(who != address(0)); n = xs.length; }
        function up(bytes calldata b) external payable { n += b.length; }
        function f(uint256 x) external view { assert(x < 5 || n < 2); }
    }";
    let mut sandbox = Sandbox::single(contract);
    let build = sandbox.build();
    let found = fuzz_build(&build, &config(), 1, 50_000).findings;
    assert_eq!(found.len(), 1);
    let json = found[0].to_json("somewhere");
    let saved = Saved::read(&json).unwrap();
    let harness = &found[0].harness;
    assert_eq!(saved.contract(&harness.build).unwrap(), harness.contract);
    let sequence = saved.sequence(&harness.calls).unwrap();
    assert_eq!(sequence, found[0].sequence);
    let mut oracles =
        OracleSet::new(harness.build.clone(), harness.programs.clone(), oracle::enabled(&Config::default()));
    let violations = last_violations(harness, &mut harness.executor(), &mut oracles, &sequence);
    assert_eq!(saved.recognise(&harness.build, &violations), [found[0].violation]);
}

#[test]
fn a_finding_in_a_report_is_the_saved_one_with_the_build_and_the_time() {
    let finding = findings("contract A { function f(uint256 x) external pure { assert(x < 1000); } }").remove(0);
    let saved = finding.to_json("somewhere");
    let reported =
        ReportedFinding { project: "somewhere".to_owned(), finding: finding.clone(), known: None, copies: Vec::new() }
            .to_json();
    let fields = |json: &serde_json::Value| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let head = "id oracle swc severity contract contract_file project file line column end_line end_column message because values executions";
    assert_eq!(fields(&saved), format!("{head} seed sequence"));
    assert_eq!(fields(&reported), format!("{head} elapsed_ms build seed sequence"));
    assert!(saved.as_object().unwrap().iter().all(|(field, value)| reported[field] == *value));
    assert_eq!(reported["build"], finding.harness.build.id);
    assert_eq!(Saved::read(&saved).unwrap().discovery, Discovery { elapsed: None, ..finding.discovery });
    let milliseconds = finding.discovery.elapsed.unwrap().as_millis() as u64;
    assert_eq!(Saved::read(&reported).unwrap().discovery.elapsed, Some(Duration::from_millis(milliseconds)));
}

#[test]
fn an_assertion_that_compares_tells_the_values_of_its_sides() {
    let values = |check: &str| {
        let finding =
            findings(&format!("contract A {{ function f(int8 x, uint8 y) external pure {{ {check} }} }}")).remove(0);
        finding.to_json("")["values"].clone()
    };
    let of = |expression: &str, value: &str| serde_json::json!({ "expression": expression, "value": value });
    assert_eq!(values("assert(y  != 7);"), serde_json::json!([of("y", "7"), of("7", "7")]));
    assert_eq!(values("assert(-5 != x);"), serde_json::json!([of("-5", "-5"), of("x", "-5")]));
    assert_eq!(values("assert(y != 3 && y != 4);"), serde_json::json!([]));
}

/// A property whose assertion logs what it compared, as that of ds-test.
const LOGGED: &str = "event log_named_uint(string key, uint256 val);
    function assertEq(uint256 a, uint256 b) internal returns (bool) {
        if (a == b) return true;
        emit log_named_uint(\"      Left\", a);
        emit log_named_uint(\"     Right\", b);
        return false;
    }
    function property_small() external returns (bool) { return assertEq(total + 1, 1); }";

#[test]
fn a_property_tells_the_values_of_the_comparison_that_failed() {
    let told = |property: &str| {
        let source = format!(
            "contract A {{ uint256 total; function set(uint8 x) external {{ total = x; }}\n\
             function less(uint256 a, uint256 b) internal pure {{ if (a >= b) revert(\"assertion failed: 7 >= 7\"); }}\n\
             function assertLt(uint256 a, uint256 b, string memory) internal pure {{ less(a, b); }}\n{property} }}"
        );
        let finding = findings(&source).remove(0);
        let values = finding.comparison.values.iter().map(|side| format!("{} = {}", side.expression, side.value));
        format!("{}; {}", values.collect::<Vec<_>>().join(", "), finding.because)
    };
    let of = |body: &str| told(&format!("function property_small() external view returns (bool) {{ {body} }}"));
    expect![[r#"
        total = 7, 7 = 7; It returns false.
        limit = 7, total = 8; It returns false.
        ; It returns false.
        total = 7, 7 = 7; It returns false.
        total = 7, 7 = 7; It ends with revert "seven".
        total = 7, 3 + 4 = 7; It ends with revert "assertion failed: 7 >= 7".
        total + 1 = 2, 1 = 1; It returns false.
    "#]]
    .assert_eq(
        &[
            of("return total < 7;"),
            of("uint256 limit = 7; return ok() && (limit >= total); } function ok() internal pure returns (bool) { return true;"),
            of("for (uint256 i; i < 2; i++) {} return !(total > 7);"),
            of("if (total == 7) return false; return true;"),
            told("function property_small() external view { require(total != 7, \"seven\"); }"),
            told("function property_small() external view { assertLt(total, 3 + 4, \"why, not\"); }"),
            told(LOGGED),
        ]
        .map(|line| line + "\n")
        .concat(),
    );
}

#[test]
fn a_property_tells_which_write_made_it_false() {
    let source = "contract A { uint256 sum; uint256 count; bool open;\n\
        function start() external { open = true; }\n\
        function add(uint8 x) external { require(open); count = 1; sum = x; count = 2; }\n\
        function property_small() external view returns (bool) { return sum < 7; } }";
    let finding = findings(source).remove(0);
    let point = finding.turning_point.as_ref().unwrap();
    let written = point.write.unwrap().1.text(&finding.harness.build.source(point.write.unwrap().0).text);
    expect!["A.add(7): sum = x"].assert_eq(&format!("A.{}: {written}", finding.story.steps[point.step].call));
    let saved = finding.to_json("");
    expect![[r#"{"step":2,"file":"A.sol","line":5,"column":60}"#]].assert_eq(&saved["turning_point"].to_string());
    assert_eq!(findings("contract A { function property_no() external pure { revert(); } }")[0].turning_point, None);
}

#[test]
fn copies_of_one_defect_are_one_pattern_with_its_places() {
    let check = |name: &str, body: &str| {
        format!("contract {name} {{ uint8 s; function f(uint8 x) external {{ s = x; {body} }} }}\n")
    };
    let copied = "assert(x != 7);";
    let all = findings(
        &[
            check("A", copied),
            check("B", "assert( x != 7 );"),
            check("C", "assert(x != 8);"),
            check("D", "assert(x != 7); assert(x != 9); s = 2; assert(x != 7);"),
        ]
        .concat(),
    );
    let told = |pattern: &Pattern<'_>| {
        let lines = pattern.copies.iter().map(|copy| copy.lines.line.to_string()).collect::<Vec<_>>().join(" ");
        format!("{}: {lines}", pattern.finding.lines.line)
    };
    let patterns: Vec<String> = patterns(&all).iter().map(told).collect();
    // Lines count from the contract's: the sandbox puts a pragma in front. The last assertion of D never fails, as the first does before.
    let first = all[0].lines.line;
    assert_eq!(
        patterns,
        [format!("{first}: {} {}", first + 1, first + 3), format!("{}: ", first + 2), format!("{}: ", first + 3)]
    );
}

#[test]
fn a_saved_finding_that_is_damaged_names_the_field() {
    let found = findings("contract A { function f(uint256 x) external pure { assert(x < 1000); } }");
    for field in ["oracle", "contract", "sequence", "line", "project"] {
        let mut json = found[0].to_json(".");
        json.as_object_mut().unwrap().remove(field);
        let error = Saved::read(&json).unwrap_err().to_string();
        assert!(error.contains(&format!("`{field}`")), "{error}");
    }
    let mut json = found[0].to_json(".");
    json["sequence"][1]["function"] = "gone()".into();
    let saved = Saved::read(&json).unwrap();
    let error = saved.sequence(&found[0].harness.calls).unwrap_err().to_string();
    assert!(error.contains("[1].function") && error.contains("gone()"), "{error}");
}

/// A base and two children. Each child has a function with the code of the base's own, of which the optimizer keeps one copy: in `Early`
/// it is the child's, so that there the place in the base is known no better than by its function.
const PAIRS: &str = "//- foundry.toml
[profile.default]
optimizer = true
//- src/Pairs.sol
// SPDX-License-Identifier: MIT
pragma solidity 0.7.6;
contract Pairs {
    uint256[] items;
    function add(uint256 item) external { items.push(item); }
    function pair(uint256 i, uint256 j) external view returns (uint256) {
        uint256 one = items[i];
        return one * items[j];
    }
}
contract Early is Pairs {
    function near(uint256 first, uint256 second) external view returns (uint256) {
        uint256 found = items[first];
        return found * items[second];
    }
}
contract Late is Pairs {
    function zone(uint256 first, uint256 second) external view returns (uint256) {
        uint256 found = items[first];
        return found * items[second];
    }
}
";

/// The contract, first line and last line of each finding.
fn places<'a>(findings: impl IntoIterator<Item = &'a Arc<Finding>>) -> Vec<(&'a str, u32, u32)> {
    let place = |finding: &'a Arc<Finding>| (&*finding.contract, finding.lines.line, finding.lines.end_line);
    findings.into_iter().map(place).collect()
}

#[test]
fn what_fails_in_a_base_is_told_once_for_the_base_at_the_best_place() {
    let build = Sandbox::new(PAIRS).build();
    let all = fuzz_build(&build, &Config::default(), 1, 10_000).findings;
    assert_eq!(
        places(&all),
        [("Pairs", 7, 7), ("Pairs", 8, 8), ("Early", 13, 13), ("Early", 14, 14), ("Late", 18, 21)],
        "the last is vague, because the copy that is left is the base's"
    );

    // By itself each child tells what it knows.
    let of = |name: &str| fuzz_contracts(&build, &Config::default(), 1, 10_000, &[name]).findings;
    let (early, late) = (of("Early"), of("Late"));
    assert_eq!(places(&early), [("Early", 6, 9), ("Early", 13, 13), ("Early", 14, 14)]);
    assert_eq!(places(&late), [("Late", 7, 7), ("Late", 8, 8), ("Late", 18, 21)]);
    // Without the base, one child tells it for both; with it, the order in which they are found plays no part.
    assert_eq!(places(distinct(late.iter().chain(&early)))[..2], [("Late", 7, 7), ("Late", 8, 8)]);
    assert_eq!(places(distinct(early.iter().chain(&late)))[..2], [("Late", 7, 7), ("Late", 8, 8)]);
    let every = [&late[..], &early, &all].concat();
    assert_eq!(places(distinct(&every)), places(&all));
}
