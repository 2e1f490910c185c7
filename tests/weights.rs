//! How much a finding weighs: what the caller chose is refused, what other calls led to is a defect, and each says why.

mod support;

use bellwether::{finding::patterns, project::Config};
use expect_test::{Expect, expect};
use support::{campaign::fuzz_build, sandbox::Sandbox, told};

/// Compares what is found in a source, as level, oracle, line, message and reason.
fn check_file(source: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/A.sol", source);
    expected.assert_eq(&told::findings(&mut sandbox));
}

fn check_contract(contract: &str, expected: Expect) {
    expected.assert_eq(&told::findings(&mut Sandbox::single(contract)));
}

#[test]
fn an_index_that_the_caller_chose_is_refused() {
    check_contract(
        "contract A { uint256[] xs;
            constructor() { xs.push(7); xs.push(8); }
            function item(uint256 i) external view returns (uint256) { return xs[i]; } }",
        expect![[r#"
            information[compiler-check] 5: index can be out of bounds: item(2)
              The caller chose arguments that fail, and is refused: `item(0)` passes.
        "#]],
    );
}

#[test]
fn a_divisor_that_the_caller_chose_is_refused() {
    check_contract(
        "contract A { uint256 public last;
            function ratio(uint256 a, uint256 b) external { last = a / b; } }",
        expect![[r#"
            information[compiler-check] 4: division by zero: ratio(0, 0)
              The caller chose arguments that fail, and is refused: `ratio(0, 1)` passes.
        "#]],
    );
}

#[test]
fn a_number_that_is_no_enum_is_refused() {
    check_contract(
        "contract A { enum Kind { One, Two } Kind public kind;
            function set(uint8 to) external { kind = Kind(to); } }",
        expect![[r#"
            information[compiler-check] 4: value can be out of the enum's range: set(2)
              The caller chose arguments that fail, and is refused: `set(0)` passes.
        "#]],
    );
}

#[test]
fn what_fails_before_anybody_called_is_refused() {
    check_contract(
        "contract A { uint256[] xs;
            function add(uint256 x) external { xs.push(x); }
            function first() external view returns (uint256) { return xs[0]; } }",
        expect![[r#"
            information[compiler-check] 5: index can be out of bounds: first()
              The same call fails in the same way right after the setup: no earlier call led to it, and it is only refused.
        "#]],
    );
}

#[test]
fn a_state_that_calls_led_to_is_a_defect() {
    check_contract(
        "contract A { uint256 public shares = 10; uint256 assets = 1000;
            function burn(uint256 amount) external { require(amount <= shares); shares -= amount; }
            function priced(uint256 amount) external view returns (uint256) { return amount * assets / shares; } }",
        expect![[r#"
            warning[compiler-check] 5: division by zero: burn(10), priced(0)
              The earlier calls led to it: right after the setup the same call does not fail here, and of 4 calls with other arguments none passes now.
        "#]],
    );
}

#[test]
fn an_entry_that_calls_emptied_is_a_defect_although_others_are_not_empty() {
    check_contract(
        "contract A { mapping(uint256 => uint256) public totals;
            constructor() { totals[1] = 5; totals[2] = 5; }
            function empty() external { totals[1] = 0; }
            function share(uint256 id) external view returns (uint256) { require(id == 1 || id == 2); return 100 / totals[id]; } }",
        expect![[r#"
            warning[compiler-check] 6: division by zero: empty(), share(1)
              The earlier calls led to it: right after the setup the same call does not fail here, and of 4 calls with other arguments none passes now.
        "#]],
    );
}

#[test]
fn an_argument_of_the_constructor_is_refused() {
    check_contract(
        "contract A { uint256 public rate; constructor(uint256 by) { rate = 1000 / by; } }",
        expect![[r#"
            information[compiler-check] 3: division by zero: new A(0)
              It fails while the contract is set up: nothing is deployed that way.
        "#]],
    );
}

#[test]
fn a_check_whose_failure_is_handled_is_no_finding() {
    check_contract(
        "contract A { uint256 public last;
            function divide(uint256 a, uint256 b) external view returns (uint256) { require(msg.sender == address(this)); return a / b; }
            function tried(uint256 a, uint256 b) external { try this.divide(a, b) returns (uint256 c) { last = c; } catch { last = 0; } } }",
        expect![[""]],
    );
}

#[test]
fn an_assertion_fails_whoever_chose_and_its_sides_are_told() {
    check_contract(
        "contract A { uint256 public n; int256 debt;
            function f(uint256 x) external { n = x % 100; assert(n != 42); }
            function g(int8 x) external { debt = x; assert(debt > -5); }
            function h(bool ok) external pure { assert(ok); } }",
        expect![[r#"
            error[assertion] 4: assertion can fail: f(42)
              An assertion states what always holds.
            error[assertion] 5: assertion can fail: g(-5)
              An assertion states what always holds.
            error[assertion] 6: assertion can fail: h(false)
              An assertion states what always holds, and this sequence breaks it.
        "#]],
    );
}

#[test]
fn an_assertion_of_who_calls_only_refuses_them() {
    check_contract(
        "contract A { address owner = msg.sender; address last; uint256 paid;
            receive() external payable { assert(msg.sender == owner); }
            function f() external { last = msg.sender; assert(last == owner); }
            function g() external { paid++; assert(msg.sender != owner); } }",
        expect![[r#"
            information[assertion] 4: assertion can fail: receive()
              It only refuses some callers: a call by owner passes. Use `require` for that.
            error[assertion] 5: assertion can fail: f()
              An assertion states what always holds.
            error[assertion] 6: assertion can fail: g()
              An assertion states what always holds.
        "#]],
    );
}

#[test]
fn the_same_text_in_another_function_is_told_with_the_first_where_it_is_for_information() {
    let mut sandbox = Sandbox::single(
        "contract A { uint256[] xs; uint256 total = 5;
            function first(uint256[] calldata path) external view returns (uint256) { return path[0] + total; }
            function twice(uint256[] calldata path) external view returns (uint256) { return path[0] * 2 ** 0 + path[1]; }
            function more(uint256[] calldata path) external { xs.push(path[0]); }
            function low(uint256 x) external view { require(x < 9); assert(x != 7); }
            function high(uint256 x) external view { require(x > 5); assert(x != 7); } }",
    );
    let found = fuzz_build(&sandbox.build(), &Config::default(), 1, 20_000).findings;
    let told = patterns(&found).into_iter().map(|pattern| {
        let lines: Vec<String> = pattern.copies.iter().map(|copy| copy.lines.line.to_string()).collect();
        format!("{} {}: {}\n", pattern.finding.level.name(), pattern.finding.lines.line, lines.join(" "))
    });
    expect![[r#"
        information 4: 6
        information 5: 
        error 7: 
        error 8: 
    "#]]
    .assert_eq(&told.collect::<String>());
}

#[test]
fn a_guard_of_a_library_is_told_at_the_call_that_it_refuses() {
    let library = "// SPDX-License-Identifier: MIT
pragma solidity >=0.5.0 <0.8.0;
library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) { c = a + b; assert(c >= a); }
    function sub(uint256 a, uint256 b) internal pure returns (uint256) { assert(b <= a); return a - b; }
}
contract A { using SafeMath for uint256; uint256 public total = 5; uint256 public fees = 3;
    function add(uint256 x) external { total = total.add(x); }
    function pay(uint256 x) external { require(x <= total); total -= x; }
    function net() external view returns (uint256) { return total.sub(fees); }
    function own(uint256 x) external pure { assert(x != 7); } }";
    check_file(
        library,
        expect![[r#"
            information[assertion] 8: a library's guard can refuse this: add(2^256 − 5)
              The caller chose arguments that fail, and is refused: `add(0)` passes.
            warning[assertion] 10: a library's guard can refuse this: pay(3), net()
              The earlier calls led to it: right after the setup the same call does not fail here, and no other arguments avoid it.
            error[assertion] 11: assertion can fail: own(7)
              An assertion states what always holds.
        "#]],
    );
}

/// A bank whose ether anybody can take, and that fails an assertion for everybody.
fn open_bank(name: &str) -> String {
    format!(
        "contract {name} {{ uint256 calls;
            constructor() payable {{}}
            function pay() external payable {{ calls++; assert(calls < 3); }}
            function take() external {{ payable(msg.sender).transfer(address(this).balance); }} }}"
    )
}

/// Compares what is found in a project with a mock, which has these files beside it. `include` has the products whose names say mock.
fn check_mock(files: &[(&str, &str)], include: &[&str], expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/mocks/MockBank.sol", &open_bank("MockBank"));
    files.iter().for_each(|(path, text)| sandbox.write(path, text));
    let include = include.iter().map(|&pattern| pattern.to_owned()).collect();
    let config = Config { include: Some(include), ..Config::default() };
    expected.assert_eq(&told::findings_under(&mut sandbox, &config));
}

const PRODUCT: (&str, &str) =
    ("src/Counter.sol", "contract Counter { uint256 public n; function up() external { n++; } }");

#[test]
fn what_a_mock_lets_others_do_is_for_information_but_what_it_states_counts() {
    check_mock(
        &[PRODUCT],
        &[],
        expect![[r#"
        error[assertion] 3: assertion can fail: pay(), pay(), pay()
          An assertion states what always holds.
        information[ether-theft] 4: anyone can take ether: take()
          Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 1 ether. It is for information, since `src/mocks` says that this is a test, a mock or an example; name it in `include` if it is not.
    "#]],
    );
}

#[test]
fn what_a_mock_asserts_of_the_contract_that_calls_it_is_for_information() {
    let mut sandbox = Sandbox::new("");
    sandbox.write(
        "src/Pool.sol",
        "interface IPayer { function pay(int256 amount) external; }
        contract Pool { uint256 public n; function swap(IPayer payer) external { n++; payer.pay(int256(n)); } }",
    );
    sandbox.write(
        "src/mocks/PayerMock.sol",
        "import \"../Pool.sol\";
        contract PayerMock is IPayer { int256 public last;
            function pay(int256 amount) external override { assert(amount >= 0); last = amount; }
            function check(int256 amount) external { assert(amount != 7); last = amount; } }",
    );
    expect![[r#"
        information[assertion] 3: assertion can fail: pay(-1)
          An assertion states what always holds. It is for information, since `src/mocks` says that this is a test, a mock or an example; name it in `include` if it is not.
        error[assertion] 4: assertion can fail: check(7)
          An assertion states what always holds.
    "#]].assert_eq(&told::findings_under(&mut sandbox, &Config::default()));
}

/// A library that its callers have to use as its comment says, and a mock that lets everybody call it.
const AVERAGE: &str = "library Average {
            struct Data { uint256 sum; uint256 count; }
            // Only once something was counted.
            function mean(Data storage data) internal view returns (uint256) { return data.sum / data.count; } }";
const AVERAGE_MOCK: &str = "import \"../Average.sol\";
        contract AverageMock { Average.Data data; uint256 public last; constructor() { data.count = 1; }
            function count(uint256 amount) external { data.sum += amount % 100; data.count++; }
            function forget() external { require(data.count > 1); delete data; }
            function average() external { last = Average.mean(data); } }";

/// Compares what is found in a project with that library, that mock and this contract.
fn check_average(path: &str, text: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/Average.sol", AVERAGE);
    sandbox.write("src/mocks/AverageMock.sol", AVERAGE_MOCK);
    sandbox.write(path, text);
    expected.assert_eq(&told::findings(&mut sandbox));
}

#[test]
fn what_only_a_mock_does_with_a_library_is_for_information() {
    check_average(
        "src/Grades.sol",
        "import \"./Average.sol\";
        contract Grades { Average.Data data; uint256 public last; constructor() { data.count = 1; }
            function grade(uint256 amount) external { data.sum += amount % 100; data.count++; last = Average.mean(data); } }",
        expect![[r#"
            information[compiler-check] 4: division by zero: count(0), forget(), average()
              The earlier calls led to it: right after the setup the same call does not fail here, and no other arguments avoid it. It is for information, since it is shown only by calling functions of a test, a mock or an example, as `src/mocks` says; name it in `include` if it is not.
        "#]],
    );
}

#[test]
fn what_a_product_does_with_a_library_is_told_like_everything_else_of_it() {
    check_average(
        "src/Grades.sol",
        "import \"./Average.sol\";
        contract Grades { Average.Data data; uint256 public last; constructor() { data.count = 1; }
            function grade(uint256 amount) external { data.sum += amount % 100; data.count++; }
            function forget() external { require(data.count > 1); delete data; }
            function average() external { last = Average.mean(data); } }",
        expect![[r#"
            warning[compiler-check] 4: division by zero: grade(0), forget(), average()
              The earlier calls led to it: right after the setup the same call does not fail here, and no other arguments avoid it.
        "#]],
    );
}

#[test]
fn a_function_of_a_mock_that_is_there_to_fail_is_for_information() {
    let mut sandbox = Sandbox::new("");
    let (path, product) = PRODUCT;
    sandbox.write(path, product);
    sandbox.write(
        "src/mocks/CallMock.sol",
        "contract CallMock { uint256 calls;
            function fails() external pure { assert(false); }
            function failsLater() external { if (++calls > 2) { assert(false); } } }",
    );
    expect![[r#"
        information[assertion] 2: assertion can fail: fails()
          An assertion states what always holds, and this sequence breaks it. It is for information, since `src/mocks` says that this is a test, a mock or an example; name it in `include` if it is not.
        error[assertion] 3: assertion can fail: failsLater(), failsLater(), failsLater()
          An assertion states what always holds, and this sequence breaks it.
    "#]].assert_eq(&told::findings(&mut sandbox));
}

#[test]
fn a_mock_with_no_product_beside_it_is_told_like_one() {
    check_mock(
        &[],
        &[],
        expect![[r#"
        error[assertion] 3: assertion can fail: pay(), pay(), pay()
          An assertion states what always holds.
        error[ether-theft] 4: anyone can take ether: take()
          Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 1 wei.
    "#]],
    );
}

#[test]
fn a_mock_that_is_included_is_told_like_a_product() {
    check_mock(
        &[PRODUCT],
        &["src/mocks"],
        expect![[r#"
        error[assertion] 3: assertion can fail: pay(), pay(), pay()
          An assertion states what always holds.
        error[ether-theft] 4: anyone can take ether: take()
          Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 1 ether.
    "#]],
    );
}
