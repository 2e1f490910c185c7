//! Findings as a person reads them: short, simple, told with names; and as they are saved and read back.

mod support;

use alloy_primitives::{Address, U256, keccak256};
use bellwether::{
    code::Programs,
    finding::{Discovery, Finding, Pattern, Saved, Shrinker, distinct, last_violations, patterns, shows, shrink, tell},
    harness::Harness,
    input::{Deed, Generator, Reaction, Sequence, Setup, Transaction, Value},
    oracle::{self, OracleSet},
    project::{Config, Level},
    report::ReportedFinding,
    world::{ACTORS, World},
};
use expect_test::expect;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
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
fn sequences_are_short_and_simple() {
    for (contract, expected) in [
        // The smallest number that fails.
        ("contract A { function f(uint256 x) external pure { assert(x < 1000); } }", "3: assertion can fail: f(1000)"),
        // Negative numbers go toward zero as well.
        ("contract A { function f(int256 x) external pure { assert(x > -300); } }", "3: assertion can fail: f(-300)"),
        // Accounts by name, the first that does it.
        (
            "contract A { function f(address who) external view { assert(who != msg.sender); } }",
            "3: assertion can fail: f(owner)",
        ),
        // Arrays and bytes as short as they can be.
        (
            "contract A { function f(uint8[] calldata xs) external pure { assert(xs.length < 2); } }",
            "3: assertion can fail: f([0, 0])",
        ),
        (
            "contract A { function f(string calldata s) external pure { assert(bytes(s).length == 0); } }",
            "3: assertion can fail: f(\"\\0\")",
        ),
        // Calls that are not needed are left out; what they counted up is counted down elsewhere.
        (
            "contract A { uint256 n; function up() external { n++; } function f(uint256 x) external view { assert(x != n || x == 0); } }",
            "3: assertion can fail: up(), f(1)",
        ),
        // Two calls become one with both amounts.
        (
            "contract A { uint256 n; function add(uint256 x) external { require(x < 9); n += x; } function f() external view { assert(n != 8); } }",
            "3: assertion can fail: add(8), f()",
        ),
        // What fails in the constructor needs no call.
        (
            "contract A { constructor(uint256 x) { assert(x < 5); } function f() external {} }",
            "3: assertion can fail: new A(5)",
        ),
        // A plain transfer is `receive`, not a fallback without data.
        (
            "contract A { receive() external payable { assert(msg.value < 7); } fallback() external payable {} }",
            "3: assertion can fail: receive{value: 7 wei}()",
        ),
    ] {
        assert_eq!(messages(contract), [expected], "{contract}");
    }
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
fn checked_arithmetic_is_told_only_when_asked_for() {
    let contract = "contract A { function f(uint256 x) external pure returns (uint256) { return x + 1; } }";
    assert_eq!(messages(contract), Vec::<String>::new());
    let (config, warnings) = Config::from_json(&serde_json::json!({ "oracles": { "checked-arithmetic": "warning" } }));
    assert!(warnings.is_empty());
    let ended = fuzz_build(&Sandbox::single(contract).build(), &config, 1, 50_000);
    let found: Vec<_> = ended.findings.iter().map(|finding| (finding.violation.oracle, finding.lines.column)).collect();
    assert_eq!(found, [("checked-arithmetic", 77)]);
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
    assert_eq!(saved.recognise(&harness.build, &violations), Some(found[0].violation));
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

/// The contract `A` with its oracles, and what draws transactions for it.
fn ready(contract: &str) -> (Arc<Harness>, OracleSet, Generator) {
    let build = Sandbox::single(contract).build();
    let programs = Arc::new(Programs::of(&build));
    let id = build.find_contract("", "A").unwrap();
    let harness = Arc::new(Harness::new(build.clone(), programs.clone(), id).unwrap());
    let oracles = OracleSet::new(build, programs, oracle::enabled(&Config::default()));
    let generator = Generator::new(harness.calls.clone(), World::senders(), World::senders());
    (harness, oracles, generator)
}

/// Any sequence that fails, however long and odd, fails in the same way after it was shrunk, and is no longer than before.
#[test]
fn shrinking_keeps_the_failure() {
    let contract = "contract A {
        uint256 sum; mapping(address => uint256) paid; bytes last;
        function add(uint96 x, address who) external payable { sum += x; paid[who] += msg.value; }
        function put(bytes calldata b, int8[] calldata xs) external { last = b; sum += xs.length; }
        function check(uint256 x) external view { assert(sum < 1_000_000 || x % 3 == 0); assert(last.length < 40); }
        function owed(address who) external view { assert(paid[who] < 5 ether); }
    }";
    let (harness, mut oracles, generator) = ready(contract);
    let mut executor = harness.executor();
    let mut shrunk = 0;
    for seed in 0..400 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut deployment = generator.deployment(&mut rng);
        deployment.sender = World::owner();
        let transactions = (0..8).filter_map(|_| generator.any_transaction(&mut rng)).collect();
        let sequence = Sequence { setup: Setup::of(deployment), transactions };
        let Some(violation) = last_violations(&harness, &mut executor, &mut oracles, &sequence).first().copied() else {
            continue;
        };
        let small = shrink(&harness, &sequence, |candidate| {
            shows(&harness, &mut executor, &mut oracles, candidate, &violation)
        });
        assert!(shows(&harness, &mut executor, &mut oracles, &small, &violation), "seed {seed}: {small:?}");
        assert!(small.transactions.len() <= 3, "seed {seed}: {small:?}");
        shrunk += 1;
    }
    assert!(shrunk >= 20, "only {shrunk} of the random sequences fail");
}

/// What a token is deployed with and what is burnt of it have to be equal, and become small together.
#[test]
fn numbers_of_the_deployment_and_of_calls_shrink_together() {
    let contract = "contract A {
        uint256 public supply; constructor(uint256 supply_) { require(supply_ > 6); supply = supply_; }
        function burn(uint256 amount) external { require(amount == supply); supply = 0; }
        function check() external view { assert(supply > 0); }
    }";
    let (harness, mut oracles, generator) = ready(contract);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut deployment = generator.deployment(&mut rng);
    let large = U256::from(123_456_789);
    (deployment.sender, deployment.arguments) = (World::owner(), vec![Value::Uint(large, 256)]);
    let call = |text: &str| Transaction::from_text(text, &harness.calls, World::owner(), &|_| None).unwrap();
    let transactions = vec![call("burn(123456789)"), call("check()")];
    let sequence = Sequence { setup: Setup::of(deployment), transactions };
    let mut executor = harness.executor();
    let violation = last_violations(&harness, &mut executor, &mut oracles, &sequence)[0];
    let small =
        shrink(&harness, &sequence, |candidate| shows(&harness, &mut executor, &mut oracles, candidate, &violation));
    assert_eq!(tell(&harness, &small).calls(", "), "burn(7), check()");
}

/// The story of a sequence that shows an assertion, after it was made simple. Each call has its sender in front.
fn simple(contract: &str, calls: &[(Address, &str)], change: impl FnOnce(&mut Sequence)) -> String {
    let (harness, mut oracles, generator) = ready(contract);
    let mut deployment = generator.deployment(&mut ChaCha8Rng::seed_from_u64(1));
    deployment.sender = World::owner();
    let call =
        |(sender, text): &(Address, &str)| Transaction::from_text(text, &harness.calls, *sender, &|_| None).unwrap();
    let mut sequence = Sequence { setup: Setup::of(deployment), transactions: calls.iter().map(call).collect() };
    change(&mut sequence);
    let mut executor = harness.executor();
    let violation = last_violations(&harness, &mut executor, &mut oracles, &sequence)[0];
    let small =
        shrink(&harness, &sequence, |candidate| shows(&harness, &mut executor, &mut oracles, candidate, &violation));
    tell(&harness, &small).calls(", ")
}

/// Whoever finds it, with whatever people, numbers and texts, and in whatever order: a defect has one story.
#[test]
fn one_defect_has_one_story() {
    let [owner, alice, bob, carol] = ACTORS.map(|actor| actor.address);
    let unchanged = |_: &mut Sequence| ();
    let people = "contract A { mapping(address => uint256) paid;
        function pay(address who) external { require(who != msg.sender); paid[who]++; }
        function check(address who) external view { assert(paid[who] == 0); } }";
    for (payer, paid) in [(alice, bob), (carol, alice), (owner, carol), (bob, owner)] {
        let calls = [(payer, format!("pay({paid})")), (carol, format!("check({paid})"))];
        let calls = calls.each_ref().map(|(sender, text)| (*sender, text.as_str()));
        assert_eq!(simple(people, &calls, unchanged), "pay(owner), check(owner)");
    }
    let sums = "contract A { uint256 sum; uint256 calls;
        function add(uint256 x) external { require(x > 0); unchecked { sum += x; } calls++; }
        function check() external view { assert(calls < 2 || sum > 0); } }";
    let half = U256::from(1) << 255;
    for (one, other) in [(half, half), (half + U256::from(77), half - U256::from(77)), (U256::MAX, U256::from(1))] {
        let calls = [(bob, format!("add({one})")), (alice, format!("add({other})")), (bob, "check()".to_owned())];
        let calls = calls.each_ref().map(|(sender, text)| (*sender, text.as_str()));
        assert_eq!(simple(sums, &calls, unchanged), "add(1), add(2^256 − 1), check()");
    }
    let rests = "contract A { uint256 open;
        function announce(uint256 x) external { require(x > 900); open = x; }
        function take(uint256 x) external { assert(open == 0 || open + x != 1000); } }";
    for (one, other) in [(993_u64, 7_u64), (950, 50), (901, 99)] {
        let calls = [(bob, format!("announce({one})")), (alice, format!("take({other})"))];
        let calls = calls.each_ref().map(|(sender, text)| (*sender, text.as_str()));
        assert_eq!(simple(rests, &calls, unchanged), "announce(1000), take(0)");
    }
    let ratios = "contract A { uint256 net;
        function issue(uint256 x) external { require(x >= 0.001 ether); net = x; }
        function settle(uint256 paid) external { assert(paid != net + net * 175 / 10000); } }";
    for net in [1_000_000_000_000_001_u64, 9_223_372_036_854_775_807, 2_994_434_432_841_349_569] {
        let paid = u128::from(net) + u128::from(net) * 175 / 10_000;
        let calls = [(bob, format!("issue({net})")), (alice, format!("settle({paid})"))];
        let calls = calls.each_ref().map(|(sender, text)| (*sender, text.as_str()));
        assert_eq!(simple(ratios, &calls, unchanged), "issue(1e15), settle(1017500000000000)");
    }
    let numbered = "contract A { address[] guests; mapping(uint256 => uint256) left;
        function book() external { guests.push(msg.sender); }
        function leave(uint256 id) external { require(guests[id] == msg.sender && id > 0); left[id]++; assert(left[id] < 3); } }";
    for others in [1, 2, 7] {
        let booked = std::iter::repeat_n((bob, "book()".to_owned()), others);
        let own = [(alice, "book()".to_owned())].into_iter();
        let left = std::iter::repeat_n((alice, format!("leave({others})")), 3);
        let calls: Vec<(Address, String)> = booked.chain(own).chain(left).collect();
        let calls: Vec<(Address, &str)> = calls.iter().map(|(sender, text)| (*sender, text.as_str())).collect();
        assert_eq!(simple(numbered, &calls, unchanged), "book(), book(), leave(1), leave(1), leave(1)");
    }
    let texts = "contract A { bytes32 answer;
        function ask(string calldata text) external { require(bytes(text).length > 0); answer = keccak256(bytes(text)); }
        function guess(string calldata text) external view { assert(keccak256(bytes(text)) != answer); } }";
    for text in ["7cg?r5/", "z", "Tr.EO🦀"] {
        let calls = [(bob, format!("ask(\"{text}\")")), (bob, format!("guess(\"{text}\")"))];
        let calls = calls.each_ref().map(|(sender, text)| (*sender, text.as_str()));
        assert_eq!(simple(texts, &calls, unchanged), "ask(\"a\"), guess(\"a\")");
    }
    let order = "contract A { bool one; bool two;
        function first() external { one = true; } function second() external { two = true; }
        function check() external view { assert(!one || !two); } }";
    for calls in [["first()", "second()"], ["second()", "first()"]] {
        let calls = [(owner, calls[0]), (owner, calls[1]), (owner, "check()")];
        assert_eq!(simple(order, &calls, unchanged), "first(), second(), check()");
    }
    let ether = "contract A { constructor() payable {} receive() external payable {}
        function out() external { payable(msg.sender).transfer(1 ether); assert(false); } }";
    for paid in [0_u64, 2, 600_000_000_000_000_000] {
        let pay = |sequence: &mut Sequence| {
            sequence.setup.deployments_mut().for_each(|deployment| deployment.value = U256::from(paid));
            sequence.transactions[0].value = U256::from(10).pow(U256::from(18)) - U256::from(paid);
        };
        assert_eq!(simple(ether, &[(alice, "receive()"), (bob, "out()")], pay), "receive{value: 1 ether}(), out()");
    }
    // What somebody does who is called is told only where it matters.
    let refuse = |sequence: &mut Sequence| {
        sequence.transactions[0].reaction = Some(Box::new(Reaction::new(bob, Deed::Refuse)));
    };
    let calls = [(owner, "first()"), (owner, "second()"), (owner, "check()")];
    assert_eq!(simple(order, &calls, refuse), "first(), second(), check()");
    let later = |sequence: &mut Sequence| {
        let call = sequence.transactions.remove(1);
        sequence.transactions[0].reaction = Some(Box::new(Reaction::new(owner, Deed::Call(Box::new(call)))));
    };
    let called = "contract A { bool one; bool two;
        function first() external { one = true; payable(msg.sender).call(\"\"); } function second() external { two = true; }
        function check() external view { assert(!one || !two); } }";
    assert_eq!(simple(called, &calls, later), "first(), second(), check()");
}

/// The same where other numbers, functions or answers serve as well.
#[test]
fn what_serves_as_well_is_told_alike() {
    let [owner, alice, bob, _] = ACTORS.map(|actor| actor.address);
    let unchanged = |_: &mut Sequence| ();
    let sums = "contract A { uint256 sum; uint256 calls;
        function put(uint256 x) external { require(x > 0 && x < 60); sum += x; calls++; }
        function check() external view { assert(sum != 101 || calls != 2); } }";
    for (one, other) in [(59, 42), (51, 50), (48, 53)] {
        let calls = [(bob, format!("put({one})")), (alice, format!("put({other})")), (bob, "check()".to_owned())];
        let calls = calls.each_ref().map(|(sender, text)| (*sender, text.as_str()));
        assert_eq!(simple(sums, &calls, unchanged), "put(50), put(51), check()");
    }
    let alike = "contract A { uint256 sum; function put(uint256 x) external { sum += x; }
        function putMany(uint256 x) external { sum += x; }
        function check() external view { assert(sum < 5); } }";
    for call in ["putMany(7)", "put(19)"] {
        assert_eq!(simple(alike, &[(bob, call), (alice, "check()")], unchanged), "put(5), check()");
    }
    let committed = "contract A { bytes32 answer; function commit(bytes32 hash) external { answer = hash; }
        function reveal(uint256 word) external view { assert(keccak256(abi.encode(word)) != answer); } }";
    for word in [1_u64, 160, 126_144_003] {
        let hash = keccak256(U256::from(word).to_be_bytes::<32>());
        let calls = [(bob, format!("commit({hash})")), (alice, format!("reveal({word})"))];
        let calls = calls.each_ref().map(|(sender, text)| (*sender, text.as_str()));
        assert_eq!(simple(committed, &calls, unchanged), "commit(0x290d…e563), reveal(0)");
    }
    // What is due wraps around.
    let bought = "contract A { uint256 bought;
        function buy(uint256 amount) external payable {
            unchecked { require(msg.value == amount * 1 ether); } bought = amount; }
        function check() external view { assert(bought < 2 ** 200); } }";
    for more in [0_u64, 1, 7] {
        let amount = (U256::ONE << 238) + U256::from(more);
        let calls = [(bob, format!("buy({amount})")), (owner, "check()".to_owned())];
        let calls = calls.each_ref().map(|(sender, text)| (*sender, text.as_str()));
        let pay = |sequence: &mut Sequence| {
            sequence.transactions[0].value = U256::from(more) * U256::from(10).pow(U256::from(18));
        };
        assert_eq!(simple(bought, &calls, pay), "buy(2^238), check()");
    }
}

/// Interrupted after any number of candidates, it goes on where it was: the same candidates in the same order, none of them twice.
#[test]
fn shrinking_that_is_interrupted_tries_the_same() {
    let contract = "contract A { uint256 n; function add(uint256 x) external { n += x % 100; }
        function f(int8[] calldata xs) external view { assert(n < 90 || xs.length < 2); } }";
    let found = findings(contract).remove(0);
    let harness = &found.harness;
    let mut long = found.sequence.clone();
    let call = long.transactions[0].clone();
    long.transactions.splice(0..0, vec![call; 6]);
    // Calls of both functions with bytes enough in them: no execution is needed to tell.
    let weight = |sequence: &Sequence| -> u32 {
        let calls = sequence.transactions.iter().map(|call| call.calldata(&harness.calls));
        calls.flatten().map(u32::from).sum()
    };
    let fails = |sequence: &Sequence| {
        let last = long.transactions.len() - 1;
        let is = |call: Option<&Transaction>, at: usize| call.map(|call| call.call) == Some(long.transactions[at].call);
        is(sequence.transactions.first(), 0)
            && is(sequence.transactions.last(), last)
            && 3 * weight(sequence) > weight(&long)
    };
    let tried = |every: usize| {
        let (mut shrinker, mut tried, mut asked) = (Shrinker::of(long.clone()), Vec::new(), 0);
        while !shrinker.run(harness, |candidate| {
            asked += 1;
            if asked % every == 0 {
                return None;
            }
            tried.push(candidate.clone());
            Some(fails(candidate))
        }) {}
        (tried, shrinker.best().clone())
    };
    let whole = tried(usize::MAX);
    assert!(whole.0.len() > 20 && fails(&whole.1), "{}", whole.0.len());
    for every in [2, 3, 7, 50] {
        assert!(tried(every) == whole, "interrupted at each {every}th");
    }
}

#[test]
fn time_passes_with_blocks_in_every_finding() {
    for (condition, seconds, blocks, wait) in [
        ("block.timestamp >= start + 100", 100, 1, "100 seconds"),
        ("block.number >= first + 5", 1, 5, "5 blocks"),
        ("block.timestamp >= start + 100 && block.number >= first + 30", 100, 30, "100 seconds and 30 blocks"),
    ] {
        let contract = format!(
            "contract A {{ uint256 start = block.timestamp; uint256 first = block.number;
                function f() external view {{ assert(!({condition})); }} }}"
        );
        let found = findings(&contract).remove(0);
        let [call] = &found.sequence.transactions[..] else { panic!("{}", found.message) };
        assert_eq!((call.env.seconds, call.env.blocks), (seconds, blocks), "{condition}");
        assert_eq!(found.story.steps[1].wait, wait);
    }
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
