//! Why lines were not reached, as it is told.

mod support;

use bellwether::{
    fuzz::{Campaign, Event, Options},
    project::Config,
};
use expect_test::{Expect, expect};
use std::sync::{Arc, mpsc};
use support::sandbox::Sandbox;

/// Transactions after which proofs are there: `late_proofs` of the tuning, and as many again.
const TRANSACTIONS: u64 = 40_000;

/// Fuzzes the files of a sandbox, with this number of transactions for all of its contracts.
fn campaign(sandbox: &mut Sandbox, executions: u64) -> Campaign {
    let (send, events) = mpsc::channel();
    let options = Options { workers: 1, seed: 1, executions: Some(executions), ..Options::default() };
    let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).unwrap();
    campaign.rebase(&sandbox.build(), &Config::default(), 1);
    while !matches!(events.recv().unwrap(), Event::Quiet { .. }) {}
    campaign
}

/// Compares what is told of each line that was not reached, below the line.
fn check(mut sandbox: Sandbox, file: &str, expected: &Expect) {
    let campaign = campaign(&mut sandbox, TRANSACTIONS);
    let path = sandbox.root().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let survey = campaign.survey();
    let mut told = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(why) = survey.why_not_reached(&path, number) {
            told += &format!("{number}: {}\n    {why}\n", line.trim());
        }
    }
    campaign.stop();
    expected.assert_eq(&told);
}

#[test]
fn a_condition_that_never_held_or_always_did_is_told_with_the_call_that_came_closest() {
    let sandbox = Sandbox::single(
        r#"contract A {
            uint256 total;
            uint256 immutable cap;
            constructor() { cap = 100; }
            function deposit(uint256 amount) external {
                require(amount <= cap && total + amount < 150, "full");
                total += amount;
                if (total > 200) {
                    total = 0;
                }
                if (total < 1000) return;
                total = 7;
            }
            function key(bytes32 preimage, uint64 n) external {
                if (keccak256(abi.encode(preimage)) == bytes32(uint256(n))) {
                    total = 1;
                } else {
                    total = 2;
                }
                for (uint256 i = 0; i < total && total > 5; i++) {
                    total = 3;
                }
            }
        }"#,
    );
    check(
        sandbox,
        "A.sol",
        &expect![[r#"
            11: total = 0;
                Not reached yet, in 40 000 transactions. `total > 200` in line 10 was never true. The closest call known is `deposit(42)`, where `total` was 148.
            14: total = 7;
                Not reached yet, in 40 000 transactions. `total < 1000` in line 13 was never false. The closest call known is `deposit(42)`, where `total` was 148.
            18: total = 1;
                Not reached yet, in 40 000 transactions. `keccak256(abi.encode(preimage)) == bytes32(uint256(n))` in line 17 was never true. The closest call known is `key(0x8a88…a78b, 0)`, where `keccak256(abi.encode(preimage))` was 0x2f4b…a6fd and `bytes32(uint256(n))` was 0.
            23: total = 3;
                Not reached yet, in 40 000 transactions. `i < total && total > 5` in line 22 was never true.
        "#]],
    );
}

#[test]
fn a_function_whose_calls_all_revert_and_code_behind_calls_that_fail() {
    let sandbox = Sandbox::new(
        r#"//- Base.sol
pragma solidity ^0.8.20;
abstract contract Base {
    error Early(uint256 at);
    modifier late() {
        if (block.timestamp < 2 ** 200) revert Early(block.timestamp);
        _;
    }
    function scale(uint256 x) internal pure virtual returns (uint256) {
        return x * 2;
    }
}
//- A.sol
pragma solidity ^0.8.20;
import "./Base.sol";
interface Feed { function price() external view returns (uint256); }
contract A is Base {
    uint256 stored;
    function settle(uint256 amount) external late {
        stored = scale(amount);
    }
    function read(uint256 amount) external {
        stored = Feed(address(this)).price();
        stored += amount;
    }
    function ask() external {
        try Feed(address(this)).price() returns (uint256 price) {
            stored = price;
        } catch {
            stored = 1;
        }
    }
    function price() external pure returns (uint256) {
        revert("none");
    }
}
"#,
    );
    check(
        sandbox,
        "A.sol",
        &expect![[r#"
            7: stored = scale(amount);
                Not reached yet, in 40 000 transactions. `block.timestamp < 2 ** 200` in line 5 of Base.sol was never false. The closest call known is `settle(≈1.522e74)`, where `block.timestamp` was 1700000000 and `2 ** 200` was 0x1000…0000. Every call of `settle` reverted, the first one after line 5 of Base.sol with revert Early.
            11: stored += amount;
                Not reached yet, in 40 000 transactions. `Feed(address(this)).price()` in line 10 failed each time. Every call of `read` reverted, the first one at line 10 with revert "none".
            15: stored = price;
                Not reached yet, in 40 000 transactions. `Feed(address(this)).price()` in line 14 never succeeded.
        "#]],
    );
}

#[test]
fn what_is_proved_to_be_unreachable_is_told_so() {
    let sandbox = Sandbox::single(
        "contract A {
            uint256 stored;
            function leave(uint256 steps) external {
                uint256 mode = 1;
                if (mode == 2) {
                    stored = steps;
                }
                stored = 1;
            }
        }",
    );
    check(
        sandbox,
        "A.sol",
        &expect![[r#"
        8: stored = steps;
            Cannot be reached: proved within this world. `mode == 2` in line 7 is never true.
    "#]],
    );
}

#[test]
fn nothing_is_told_before_anything_was_run() {
    let mut sandbox = Sandbox::single("contract A { function f(uint256 x) external { if (x == 7)\n revert(); } }");
    let campaign = campaign(&mut sandbox, 0);
    assert_eq!(campaign.survey().why_not_reached(&sandbox.root().join("A.sol"), 4), None);
    campaign.stop();
}
