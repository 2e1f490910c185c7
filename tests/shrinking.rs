//! Sequences of findings are short and simple: whoever finds a defect, it has one story.

mod support;

use alloy_primitives::{Address, U256, keccak256};
use bellwether::{
    code::Programs,
    finding::{Finding, Shrinker, last_violations, shows, shrink, tell},
    harness::Harness,
    input::{Deed, Generator, Reaction, Sequence, Setup, Transaction, Value},
    oracle::{self, OracleSet},
    project::{Config, Level},
    world::{ACTORS, World},
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::{collections::BTreeMap, sync::Arc};
use support::{campaign::fuzz_build, sandbox::Sandbox};

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
