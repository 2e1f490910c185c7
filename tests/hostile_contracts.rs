//! Contracts that resist: each is fuzzed, or told with the reason why it is not; and no contract makes a run take for ever, or
//! more memory than it may.

mod support;

use bellwether::{
    compile::Severity,
    finding::Finding,
    fuzz::{Campaign, Event, Options},
    project::{Config, Level},
};
use expect_test::expect;
use std::sync::{Arc, mpsc};
use support::{
    campaign::{Ended, fuzz_build},
    sandbox::Sandbox,
};

/// Whether ether comes out again is another question.
fn config() -> Config {
    Config { oracles: [("frozen-ether".to_owned(), Level::Off)].into(), ..Config::default() }
}

/// Fuzzes contracts for the newest compiler, each for so many transactions.
fn fuzz(contracts: &str, executions: u64) -> Ended {
    let build = Sandbox::single(contracts).build();
    let errors: Vec<_> = build.diagnostics.iter().filter(|said| said.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    fuzz_build(&build, &config(), 1, executions)
}

/// Names and lines of the findings.
fn found(ended: &Ended) -> Vec<(String, u32)> {
    ended.findings.iter().map(|finding| (finding.contract.clone(), finding.lines.line)).collect()
}

/// Levels, oracles, lines and messages of the findings.
fn told(ended: &Ended) -> String {
    let line = |finding: &Arc<Finding>| {
        let (level, oracle, line) = (finding.level.name(), finding.violation.oracle, finding.lines.line);
        format!("{level}[{oracle}] {line}: {}\n", finding.message)
    };
    ended.findings.iter().map(line).collect()
}

fn fuzzed(ended: &Ended) -> Vec<String> {
    let run = ended.progress.iter().filter(|progress| progress.executions > 0);
    run.map(|progress| progress.harness.compiled().name.clone()).collect()
}

#[test]
fn constructors_that_resist_are_told() {
    let ended = fuzz(
        "contract Burns { constructor(uint x) { while (true) { x++; } } function f() external {} }
         contract Ether { constructor() payable { require(msg.value >= 1 ether); } function f() external pure { assert(false); } }
         contract Never { constructor(uint x) { require(x != x); } function f() external {} }
         contract Nothing { constructor() { assembly { return(0, 0) } } function f() external {} }",
        300,
    );
    assert_eq!(ended.errors.len(), 2, "{:#?}", ended.errors);
    assert!(ended.errors[0].starts_with("Burns: its constructor refused all"), "{:#?}", ended.errors);
    assert!(ended.errors[0].ends_with(" deployments that were tried: out of gas"), "{:#?}", ended.errors);
    assert_eq!(
        ended.errors[1],
        "Never: its constructor refused all 4000 deployments that were tried: revert without a reason"
    );
    assert_eq!(found(&ended), [("Ether".to_owned(), 4)]);
}

#[test]
fn what_a_chain_would_not_take_is_fuzzed_and_told() {
    let long = "x".repeat(25_000);
    let contracts = format!(
        "contract Big {{ function text() external pure returns (string memory) {{ return \"{long}\"; }}
               function f(uint x) external pure {{ assert(x != 5); }} }}
             contract Starts {{ string text; constructor() {{ text = \"{long}{long}\"; }}
               function f(uint x) external pure {{ assert(x != 5); }} }}"
    );
    let mut optimized = Sandbox::new(&format!(
        "//- foundry.toml\n[profile.default]\nsrc = '.'\noptimizer = true\n\
         //- A.sol\n// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n{contracts}"
    ));
    let ended = fuzz_build(&optimized.build(), &Config::default(), 1, 4_000);
    assert_eq!(ended.errors.len(), 2, "{:#?}", ended.errors);
    assert!(
        ended.errors[0].starts_with("Big: its code has 25") && ended.errors[0].contains("EIP-170"),
        "{:#?}",
        ended.errors
    );
    assert!(ended.errors[1].starts_with("Starts: its init code has 5") && ended.errors[1].contains("EIP-3860"));
    assert_eq!(found(&ended), [("Big".to_owned(), 4), ("Starts".to_owned(), 6)]);
    // Nobody deploys what was compiled without the optimizer.
    let ended = fuzz(&contracts, 4_000);
    assert_eq!(ended.errors, [] as [&str; 0]);
    assert_eq!(found(&ended), [("Big".to_owned(), 4), ("Starts".to_owned(), 6)]);
}

/// Contracts that call what resists, with all oracles: each is run to its end, and nothing is told but that anyone can have one of them destroyed.
#[test]
fn callees_that_resist_are_nobodys_defect() {
    let mut sandbox = Sandbox::new(
        "//- foundry.toml\n[profile.default]\nsrc = '.'\nevm_version = 'shanghai'\n//- A.sol\n// SPDX-License-Identifier: MIT\npragma solidity 0.8.20;\n\
         // Precompiles, accounts without code and the address of forge's cheatcodes.
         contract Calls {
            uint256 public calls;
            function precompile(uint8 number, bytes calldata data) external {
                (bool done, bytes memory said) = address(uint160(number % 11)).call{gas: 50_000}(data);
                require(done && said.length < 1_000); calls++; }
            function borrow(bytes calldata data) external { (bool done,) = address(4).delegatecall(data); require(done); calls++; }
            function cheat(bytes calldata data) external {
                (bool done,) = 0x7109709ECfa91a80626fF3989D68f67F5b1DD12D.call(data); require(done); calls++; } }
         // One that is gone after its first call, and is called again.
         contract Gone { address payable maker = payable(msg.sender); function number() external returns (uint256) { require(msg.sender == maker); selfdestruct(maker); } }
         contract Maker {
            Gone private gone = new Gone(); uint256 public asked;
            function ask() external { (bool done,) = address(gone).call(abi.encodeCall(Gone.number, ())); require(done); asked++; }
            function must() external { gone.number(); asked++; } }
         // Whoever is called may burn the gas, or return more than can be copied.
         interface Told { function told(uint256 number) external returns (uint256); }
         contract Tells {
            uint256 public told;
            function tell(Told who) external { try who.told{gas: 30_000}(told) returns (uint256 more) { told ^= more; } catch { told++; } }
            function ask(address who) external { (bool done, bytes memory said) = who.call{gas: 30_000}(\"\"); require(done); told += said.length; } }
",
    );
    let ended = fuzz_build(&sandbox.build(), &Config::default(), 1, 6_000);
    assert_eq!(ended.errors, [] as [String; 0]);
    assert_eq!(fuzzed(&ended), ["Calls", "Gone", "Maker", "Tells"]);
    expect![[r#"
        warning[self-destruct] 13: contract can be destroyed by anyone: ask()
    "#]]
    .assert_eq(&told(&ended));
    for progress in &ended.progress {
        assert!(progress.memory < 64 << 20, "{:?}: {}", progress.harness.compiled().name, progress.memory);
    }
}

/// People who call back, contracts that call themselves or create each other until their gas is gone, and one that is gone in its own call: with
/// all oracles, each ends, and what is told is true.
#[test]
fn attackers_that_never_stop_are_stopped() {
    let mut sandbox = Sandbox::new(
        "//- foundry.toml\n[profile.default]\nsrc = '.'\nevm_version = 'shanghai'\n//- A.sol\n// SPDX-License-Identifier: MIT\npragma solidity 0.8.20;\n\
         // Whoever is paid may call the same again, which pays them again; or it calls itself, until there is no gas.
         contract Echo {
            uint256 public depth; uint256 public deepest;
            function shout(address to) external payable { depth++; if (depth > deepest) deepest = depth; (bool done,) = to.call{value: msg.value}(msg.data); depth--; require(done || depth == 0); }
            function self(uint256 x) external { (bool done,) = address(this).call(abi.encodeCall(this.self, (x + 1))); deepest += done ? 1 : 0; } }
         // Each creates the other, until there is no gas.
         contract Hen { Egg public last; function lay() external { last = new Egg(this); } }
         contract Egg { Hen public from; constructor(Hen by) { from = by; try by.lay() {} catch {} } function touch() external { from = Hen(msg.sender); } }
         // One that is gone in the middle of its own call.
         contract Bomb {
            uint256 public calls; address payable maker = payable(msg.sender);
            function light(address to) external { require(msg.sender == maker); (bool done,) = to.call(\"\"); require(done); calls++; this.end(); calls++; }
            function end() external { require(msg.sender == address(this)); selfdestruct(maker); } }
         contract Fuse {
            Bomb private bomb = new Bomb(); uint256 public lit;
            receive() external payable {}
            function light(address to) external { bomb.light(to); lit++; } }
",
    );
    let ended = fuzz_build(&sandbox.build(), &config(), 1, 600);
    assert_eq!(ended.errors, [] as [String; 0]);
    assert_eq!(fuzzed(&ended), ["Bomb", "Echo", "Egg", "Fuse", "Hen"]);
    expect![[r#"
        information[reentrancy] 6: call can be re-entered while state is not up to date: shout(alice) (alice, when called, calls it again)
        information[reentrancy] 14: call can be re-entered while state is not up to date: light(alice) (alice, when called, calls it again)
        warning[self-destruct] 15: contract can be destroyed by anyone: light(owner)
    "#]]
    .assert_eq(&told(&ended));
    for progress in &ended.progress {
        assert!(progress.memory < 64 << 20, "{:?}: {}", progress.harness.compiled().name, progress.memory);
    }
}

#[test]
fn three_thousand_functions_are_fuzzed() {
    let functions: String =
        (0..3_000).map(|n| format!("function f{n}(uint x) external {{ sum += x ^ {n}; }}\n")).collect();
    let ended = fuzz(&format!("contract Wide {{ uint sum;\n{functions}}}"), 10_000);
    assert_eq!(fuzzed(&ended), ["Wide"]);
    assert!(ended.progress[0].paths > 1_000, "{} paths", ended.progress[0].paths);
    assert_eq!(ended.errors, [] as [&str; 0]);
}

#[test]
fn code_that_runs_until_its_gas_is_gone_ends() {
    let ended = fuzz(
        "contract Loops {
            uint[] list; mapping(uint => uint) map;
            function branches(uint n) external pure returns (uint sum) { for (uint i; i < n; i++) if (i % 3 == 0) sum ^= i; }
            function writes(uint n) external { for (uint i; i < n; i++) map[i] = i; }
            function grows(uint n) external { for (uint i; i < n; i++) list.push(i); }
            function hashes(uint n) external pure returns (bytes32 h) { for (uint i; i < n; i++) h = keccak256(abi.encode(h)); }
            function fails(uint n) external { for (uint i; i < n; i++) try this.no() {} catch {} }
            function no() external pure { assert(false); }
            function sends() external { bytes memory data = new bytes(500_000); for (uint i; i < 5000; i++) { (bool ok,) = address(1).call(data); ok; } }
            function returnsMuch() external pure returns (bytes memory) { return new bytes(1_500_000); }
            function revertsMuch() external pure { revert(string(new bytes(1_000_000))); }
        }
        contract Deep { function down(uint x) external { try this.down(x + 1) {} catch {} assert(x != 7); } }
        contract Ping { Pong pong = new Pong(); function ping() external { pong.pong(); } }
        contract Pong { function pong() external { Ping(msg.sender).ping(); } }
        contract Nursery { Child[] public children; function many(uint n) external { for (uint i; i < n; i++) children.push(new Child()); } }
        contract Child { Nursery public parent; constructor() { parent = Nursery(msg.sender); } function f() external {} }",
        150,
    );
    assert_eq!(ended.errors, [] as [String; 0]);
    assert_eq!(fuzzed(&ended), ["Child", "Deep", "Loops", "Nursery", "Ping", "Pong"]);
    assert_eq!(found(&ended), [("Loops".to_owned(), 10), ("Deep".to_owned(), 15)]);
    for progress in &ended.progress {
        assert!(progress.memory < 64 << 20, "{:?}: {}", progress.harness.compiled().name, progress.memory);
    }
}

#[test]
fn what_is_caught_again_and_again_does_not_hide_what_fails_afterwards() {
    let ended = fuzz(
        "contract Catches {
            function no() external pure { assert(false); }
            function run(uint8 x) external { for (uint i; i < 300; i++) try this.no() {} catch {} assert(x != 7); }
        }",
        2_000,
    );
    let lines: Vec<u32> = ended.findings.iter().map(|finding| finding.lines.line).collect();
    assert_eq!(lines, [4, 5]);
}

#[test]
fn odd_interfaces_are_fuzzed() {
    let ended = fuzz(
        "contract Falls { uint public n; fallback(bytes calldata data) external returns (bytes memory) { n++; assert(data.length != 4); return data; } }
         contract Receives { uint n; receive() external payable { n++; assert(n < 2); } }
         contract Ends { function end(address payable to) external { selfdestruct(to); } function f(uint8 x) external pure { assert(x != 9); } }
         contract Odd {
            struct In { uint8[2][] grid; string text; } struct Out { In[] list; bytes3 tag; }
            mapping(uint => mapping(address => In)) public nested;
            function takes(Out calldata out) external pure { assert(out.list.length < 2); }
            function calls(function(uint) external returns (uint) f) external returns (uint) { return f(3); }
            function grid(uint8[3][2][] calldata g) external pure { assert(g.length != 1); }
         }",
        4_000,
    );
    assert_eq!(ended.errors, [] as [String; 0]);
    let mut lines: Vec<u32> = found(&ended).into_iter().map(|(_, line)| line).collect();
    lines.sort_unstable();
    // Anyone destroys the contract of the fifth line, which has an assertion as well.
    assert_eq!(lines, [3, 4, 5, 5, 9, 11]);
}

#[test]
fn constructors_of_the_fourth_version_are_called() {
    let mut sandbox = Sandbox::new(
        "//- A.sol\npragma solidity 0.4.21;\ncontract Named { address owner; function Named(uint8 x) public payable { require(x > 3); owner = msg.sender; }\n\
         function f(uint8 y) public view { assert(owner == 0 || y != 4); } function() public payable {} }\n",
    );
    let ended = fuzz_build(&sandbox.build(), &config(), 1, 3_000);
    assert_eq!((ended.errors.len(), found(&ended)), (0, vec![("Named".to_owned(), 3)]));
}

#[test]
fn an_assertion_event_is_known_by_its_name() {
    let ended = fuzz(
        "contract A {
            event AssertionFailed(address indexed who, uint8[2] values, string why);
            event AssertionPassed(address indexed who);
            function f(uint8 x) external {
                if (x == 7) emit AssertionFailed(msg.sender, [x, x], \"seven\");
                else emit AssertionPassed(msg.sender);
            }
         }",
        2_000,
    );
    assert_eq!(found(&ended), [("A".to_owned(), 7)]);
}

/// Every call makes a state with a thousand slots more of its own.
const HOARD: &str = "contract Hoard {
    mapping(uint => uint) slots; uint public filled; uint public last;
    function fill(uint8 many) external { for (uint i; i < 100 + many; i++) slots[filled++] = gasleft(); }
    function note(uint x) external { last = x; }
    function check(uint8 x) external view { assert(filled < 1000 || x != 42); }
}";

#[test]
fn what_is_kept_stays_below_its_bound() {
    let build = Sandbox::single(HOARD).build();
    let keep = |memory: u64| {
        let config = Config { memory: Some(memory), ..Config::default() };
        let ended = fuzz_build(&build, &config, 1, 30_000);
        (ended.progress[0].memory, found(&ended), ended.progress[0].paths)
    };
    let (free, of_free, _) = keep(1024);
    let bounded = keep(4);
    assert_eq!(keep(4), bounded, "what goes is no matter of chance");
    let (bound, of_bound, paths) = bounded;
    assert!(free > 8 << 20, "only {free} bytes: too little to show anything");
    assert!(bound <= 4 << 20, "{bound} bytes");
    assert_eq!((of_free, of_bound), (vec![("Hoard".to_owned(), 7)], vec![("Hoard".to_owned(), 7)]));
    assert!(paths > 10, "something is kept: {paths}");
}

#[test]
fn a_smaller_bound_counts_while_it_runs() {
    let build = Sandbox::single(HOARD).build();
    let (send, events) = mpsc::channel();
    let options = Options { workers: 2, seed: 1, executions: Some(40_000), until_quiet: true, ..Options::default() };
    let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).unwrap();
    campaign.rebase(&build, &Config::default(), 1);
    while !matches!(events.recv().unwrap(), Event::Found { .. }) {}
    let config = Config { memory: Some(2), ..Config::default() };
    campaign.configure(&config);
    while !matches!(events.recv().unwrap(), Event::Quiet { .. }) {}
    campaign.pause_and_wait();
    let progress = campaign.progress();
    // Beside what the session keeps, each of two fuzzers may hold on to what went since its last turn.
    assert!(progress[0].memory <= 6 << 20, "{} bytes", progress[0].memory);
    // And on the next build.
    campaign.rebase(&build, &config, 2);
    assert_eq!(campaign.findings().len(), 1);
    campaign.stop();
}
