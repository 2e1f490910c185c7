//! Checked arithmetic that refuses a call: where it is told if that is asked for, and where it is not. What else the compiler checks is
//! weighed in `tests/weights.rs`.

mod support;

use bellwether::project::Config;
use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, slow, told};

/// Compares what is found in a contract with `checked-arithmetic` switched on, however it is compiled.
fn check(contract: &str, expected: Expect) {
    let (config, warnings) = Config::from_json(&serde_json::json!({ "oracles": { "checked-arithmetic": "warning" } }));
    assert_eq!(warnings, []);
    let mut first = None;
    for settings in ["optimizer = false", "optimizer = true", "via_ir = true", "optimizer = true\nvia_ir = true"] {
        if settings.contains("via_ir") && !slow::is_asked_for(" through the IR") {
            continue;
        }
        let mut sandbox = Sandbox::new("");
        sandbox.write("foundry.toml", &format!("[profile.default]\n{settings}"));
        sandbox.write("src/A.sol", &format!("pragma solidity ^0.8.20;\n{contract}"));
        let told = told::findings_under(&mut sandbox, &config);
        let first: &String = first.get_or_insert_with(|| told.clone());
        assert_eq!(told, *first, "{settings}");
    }
    expected.assert_eq(&first.unwrap());
}

#[test]
fn it_is_told_only_when_asked_for() {
    let contract = "contract A { function f(uint256 x) external pure returns (uint256) {
        return x + 1; } }";
    expect![""].assert_eq(&told::findings(&mut Sandbox::single(contract)));
    check(
        contract,
        expect![[r#"
        warning[checked-arithmetic] 3: arithmetic can overflow: f(2^256 − 1)
          The result does not fit its type, so that the call reverts.
    "#]],
    );
}

#[test]
fn each_operation_has_its_place() {
    check(
        "contract A { uint8 public small; int256 public signed; uint256 public last;
            function add(uint8 x) external { small += x; }
            function subtract(uint256 x) external { last = 1000 - x; }
            function multiply(uint256 x) external { last = x * 3; }
            function negate(int256 x) external { signed = -x; }
            function divide(int256 y) external { require(y != 0); signed = type(int256).min / y; }
            function count() external { require(small > 250); small++; } }",
        expect![[r#"
            warning[checked-arithmetic] 3: arithmetic can overflow: add(1), add(255)
              The result does not fit its type, so that the call reverts.
            warning[checked-arithmetic] 4: arithmetic can overflow: subtract(1001)
              The result does not fit its type, so that the call reverts.
            warning[checked-arithmetic] 5: arithmetic can overflow: multiply(2^255)
              The result does not fit its type, so that the call reverts.
            warning[checked-arithmetic] 6: arithmetic can overflow: negate(-2^255)
              The result does not fit its type, so that the call reverts.
            warning[checked-arithmetic] 7: arithmetic can overflow: divide(-1)
              The result does not fit its type, so that the call reverts.
            warning[checked-arithmetic] 8: arithmetic can overflow: add(255), count()
              The result does not fit its type, so that the call reverts.
        "#]],
    );
}

#[test]
fn what_cannot_overflow_is_no_finding() {
    check(
        "contract A { uint256 public total; mapping(address => uint256) public balances; uint8 public small;
            function add(uint8 x, uint16 y) external { total = uint256(x) + y; }
            function guard(uint256 x) external { require(x < 1000 && total < 1000, \"too much\"); total += x; }
            function pay(uint256 x) external {
                require(x <= balances[msg.sender], \"too much\");
                balances[msg.sender] -= x; }
            function share(uint256 x, uint256 all) external { require(all > 0 && x <= all && all < 2 ** 128, \"no share\"); total = x * 100 / all; }
            function cap(uint8 x) external { small = x > 255 - small ? 255 : small + x; }
            function loop(uint256[] calldata xs) external { for (uint256 i; i < xs.length; i++) total = xs[i] % 7; } }",
        expect![[""]],
    );
}

#[test]
fn what_may_go_around_is_no_finding_of_this_kind() {
    check(
        "contract A { uint256 public hash; uint256 public calls;
            function mix(uint256 x) external { unchecked { hash = uint256(keccak256(abi.encode(hash))) + x % 7; } }
            function low(uint256 x) external { hash = uint256(uint8(x)); }
            function count() external { unchecked { calls++; } } }",
        expect![[""]],
    );
}

#[test]
fn a_panic_that_is_handled_is_no_finding() {
    check(
        "contract A { uint256 public last;
            function twice(uint256 x) external view returns (uint256) { require(msg.sender == address(this)); return x * 2; }
            function attempt(uint256 x) external { try this.twice(x) returns (uint256 y) { last = y; } catch { last = 0; } }
            function low(uint256 x) external {
                (bool ok, bytes memory data) = address(this).call(abi.encodeCall(this.twice, (x)));
                last = ok ? abi.decode(data, (uint256)) : 0; } }",
        expect![[""]],
    );
}
