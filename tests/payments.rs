//! Payments that fail, and what a contract makes of it.

mod support;

use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, told};

/// Compares what is found in a contract, as level, oracle, line, message and reason.
fn check(contract: &str, expected: Expect) {
    check_file(&format!("pragma solidity ^0.8.0;\n{contract}"), expected);
}

fn check_file(source: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/A.sol", source);
    expected.assert_eq(&told::findings(&mut sandbox));
}

#[test]
fn a_payment_that_fails_goes_unnoticed() {
    check(
        "contract A { mapping(address => uint256) public balances;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function withdraw() external {
                uint256 amount = balances[msg.sender];
                balances[msg.sender] = 0;
                payable(msg.sender).send(amount); } }",
        expect![[r#"
            warning[unchecked-call] 7: failure of this call goes unnoticed: deposit{value: 1 wei}(), withdraw() (owner, when called, refuses)
              If the called account refuses, the transaction takes the same path and ends in the same way as if it had not.
        "#]],
    );
}

#[test]
fn a_payment_whose_failure_is_looked_at_is_no_finding() {
    check(
        "contract A { mapping(address => uint256) public balances; uint256 public failed;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function first() external {
                uint256 amount = balances[msg.sender];
                balances[msg.sender] = 0;
                if (!payable(msg.sender).send(amount)) balances[msg.sender] = amount; }
            function second() external returns (bool ok) {
                uint256 amount = balances[msg.sender];
                balances[msg.sender] = 0;
                (ok,) = msg.sender.call{value: amount}(\"\"); } }",
        expect![[""]],
    );
}

#[test]
fn a_payment_whose_failure_is_returned_is_no_finding() {
    // The owner's script ignores what the function says, which is not the function's doing.
    check(
        "contract A { address owner = msg.sender; event Sent(bool ok);
            receive() external payable {}
            function send(address payable to) external returns (bool ok) {
                require(msg.sender == owner); (ok,) = to.call{value: 1}(\"\"); emit Sent(ok); }
            function run(bytes calldata script) external {
                require(msg.sender == owner); (bool ok,) = address(this).delegatecall(script); require(ok); } }",
        expect![[""]],
    );
}

#[test]
fn a_payment_for_which_there_is_no_ether_is_no_finding() {
    check(
        "contract A { uint256 public calls;
            function tip(address payable to) external returns (bool) { calls++; return to.send(1 wei); } }",
        expect![[""]],
    );
}

#[test]
fn a_failure_that_is_only_logged_goes_unnoticed() {
    check(
        "contract A { mapping(address => uint256) public due; event Paid(address to, bool success);
            function owe(address to) external payable { require(to != address(0)); due[to] += msg.value; }
            function pay(address to) external {
                uint256 amount = due[to];
                require(amount > 0);
                due[to] = 0;
                (bool success,) = to.call{value: amount}(\"\");
                emit Paid(to, success); } }",
        expect![[r#"
            warning[unchecked-call] 8: failure of this call goes unnoticed: owe{value: 1 wei}(owner), pay(owner) (owner, when called, refuses)
              If the called account refuses, the transaction takes the same path and ends in the same way as if it had not.
        "#]],
    );
}

#[test]
fn what_a_contract_lacks_is_paid_in_by_somebody_else() {
    check(
        "contract Till {
            function put() external payable { require(msg.value > 0); }
            function out() external {
                payable(msg.sender).transfer(765432.123456789 ether);
                assert(false); } }",
        expect![[r#"
            error[assertion] 6: assertion can fail: put{value: 765432123456789 gwei}(), out()
              An assertion states what always holds, and this sequence breaks it.
        "#]],
    );
}

#[test]
fn what_happens_if_a_payment_fails_is_looked_at() {
    check(
        "contract Prize { uint256 public failed;
            function pay(address payable to) external payable {
                (bool ok,) = to.call{value: msg.value}(\"\");
                if (!ok) failed++;
                assert(failed == 0); } }
        contract Counts { uint256 public failed;
            function back() external payable {
                (bool ok,) = msg.sender.call{value: msg.value}(\"\");
                if (!ok) failed++; }
            function check() external view { assert(failed < 2); } }",
        expect![[r#"
            error[assertion] 6: assertion can fail: pay(prize)
              An assertion states what always holds.
            error[assertion] 11: assertion can fail: back() (alice, when called, refuses), back(), check()
              An assertion states what always holds.
        "#]],
    );
}

/// Whoever is paid uses up the gas, or returns as much as it pays for: the sequence is found, not written here.
#[test]
fn whoever_is_paid_burns_gas_or_returns_a_bomb() {
    check(
        "contract Race { uint256 public runs;
            function pay(address to) external payable {
                require(uint160(to) > 1_000, \"a precompile\");
                uint256 before = gasleft();
                (bool ok,) = to.call{value: msg.value, gas: 500_000}(\"\");
                if (!ok) payable(msg.sender).transfer(msg.value);
                runs++;
                assert(ok || before - gasleft() < 400_000); } }
        contract Parcel { uint256 public longest;
            function pay(address to) external payable {
                (bool ok, bytes memory all) = to.call{value: msg.value, gas: 100_000}(\"\");
                require(ok);
                if (all.length > longest) longest = all.length;
                assert(longest < 10_000); } }",
        expect![[r#"
            error[assertion] 9: assertion can fail: pay(alice) (alice, when called, uses up all gas)
              An assertion states what always holds, and this sequence breaks it.
            error[assertion] 15: assertion can fail: pay(alice) (alice, when called, returns more bytes than the gas that is left can copy)
              An assertion states what always holds.
        "#]],
    );
}

/// Little gas, and a copy of no more than was asked for, make both harmless.
#[test]
fn whoever_is_paid_burns_little_gas_and_returns_what_nobody_copies() {
    check(
        "contract Race { uint256 public runs;
            function pay(address to) external payable {
                require(uint160(to) > 1_000, \"a precompile\");
                uint256 before = gasleft();
                (bool ok,) = to.call{value: msg.value, gas: 30_000}(\"\");
                if (!ok) payable(msg.sender).transfer(msg.value);
                runs++;
                assert(ok || before - gasleft() < 400_000); } }
        contract Parcel { uint256 public longest;
            function pay(address to) external payable {
                uint256 length;
                assembly {
                    if iszero(call(100000, to, callvalue(), 0, 0, 0, 32)) { revert(0, 0) }
                    length := returndatasize()
                    if gt(length, 32) { length := 32 } }
                if (length > longest) longest = length;
                assert(longest < 10_000); } }",
        expect![[""]],
    );
}
