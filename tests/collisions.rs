//! Variables of proxies that their implementations write as others, and near misses: storage that both declare, and slots of ERC-1967.

mod support;

use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, told};

/// A contract that can be initialized behind a proxy only, with these variables in front of its own.
fn logic(head: &str, variables: &str) -> String {
    format!(
        "pragma solidity ^0.8.0;\nimport \"./Proxy.sol\";\ncontract Logic {head} {{
    {variables}
    address public owner;
    uint256 public total;
    bool public initialized;
    constructor() {{ initialized = true; }}
    modifier initializer() {{ require(!initialized); initialized = true; _; }}
    function initialize(address owner_) external initializer {{ owner = owner_; }}
    function add(uint256 amount) external {{ require(initialized); total += amount % 1000; }}
}}\n"
    )
}

/// A proxy that keeps its implementation by this, and has these variables.
fn proxy(head: &str, variables: &str, load: &str) -> String {
    format!(
        "pragma solidity ^0.8.0;\n{head} {{
    {variables}
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    constructor(address logic) {{ {load} }}
    function _logic() private view returns (address logic) {{ assembly {{ logic := sload(SLOT) }} }}
    fallback() external payable {{
        address to = _logic();
        assembly {{
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 {{ revert(0, returndatasize()) }} default {{ return(0, returndatasize()) }}
        }}
    }}
}}\n"
    )
}

const STORE: &str = "assembly { sstore(SLOT, logic) }";

fn check(proxy: &str, logic: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/Proxy.sol", proxy);
    sandbox.write("src/Logic.sol", logic);
    expected.assert_eq(&told::findings(&mut sandbox));
}

#[test]
fn a_proxy_with_a_variable_of_its_own() {
    check(
        &proxy("contract Proxy", "uint256 public delay = 1 days; uint256 public calls = 7;", STORE),
        &logic("", ""),
        expect![[r#"
            error[layout-collision] 3: `delay` of Proxy is written as `owner` of Logic: initialize(owner)
              A DELEGATECALL ran code that keeps another variable there: one is lost when the other is written. Keep the proxy's variables in slots of ERC-1967, or declare them first in both.
            error[layout-collision] 3: `calls` of Proxy is written as `total` of Logic: add(1)
              A DELEGATECALL ran code that keeps another variable there: one is lost when the other is written. Keep the proxy's variables in slots of ERC-1967, or declare them first in both.
        "#]],
    );
}

#[test]
fn variables_that_both_declare_are_one() {
    check(
        &proxy("contract Storage { uint256 public delay = 1 days; }\ncontract Proxy is Storage", "", STORE),
        &logic("is Storage", ""),
        expect![[""]],
    );
    check(
        &proxy("contract Proxy", "uint256 public delay = 1 days;", STORE),
        &logic("", "uint256 public delay;"),
        expect![[""]],
    );
}

#[test]
fn slots_of_the_standard_are_nobodys() {
    check(&proxy("contract Proxy", "", STORE), &logic("", ""), expect![[""]]);
}

/// A contract that runs code whose address its constructor takes, in the same source as that code.
fn check_one(source: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/A.sol", &format!("pragma solidity ^0.8.0;\n{source}"));
    expected.assert_eq(&told::findings(&mut sandbox));
}

/// Passes on whatever it is called with.
const PASSES_ON: &str = "fallback() external {
        address code = target;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }";

#[test]
fn a_proxy_beside_its_implementation() {
    check_one(
        &format!(
            "contract CounterLogic {{ uint256 public count; function bump() external {{ count++; }} }}
             contract CounterProxy {{
                address public target;
                constructor(address logic) {{ target = logic; }}
                {PASSES_ON} }}"
        ),
        expect![[r#"
            error[layout-collision] 4: `target` of CounterProxy is written as `count` of CounterLogic: bump()
              A DELEGATECALL ran code that keeps another variable there: one is lost when the other is written. Keep the proxy's variables in slots of ERC-1967, or declare them first in both.
        "#]],
    );
}

#[test]
fn a_proxy_whose_implementation_leaves_its_slots_alone() {
    check_one(
        &format!(
            "contract CounterLogic {{ address target; uint256 public count; function bump() external {{ count++; }} }}
             contract CounterProxy {{
                address public target;
                constructor(address logic) {{ target = logic; }}
                {PASSES_ON} }}"
        ),
        expect![[""]],
    );
}

/// A proxy that creates its implementation, which counts in its first slot.
fn making_its_own(variables: &str) -> String {
    format!(
        "contract CounterLogic {{ uint256 public count; function bump() external {{ count++; }} }}
         contract CounterProxy {{
            {variables}
            constructor() {{ target = address(new CounterLogic()); }}
            {PASSES_ON} }}"
    )
}

#[test]
fn a_proxy_that_creates_its_implementation() {
    check_one(
        &making_its_own("address public target;"),
        expect![[r#"
        error[layout-collision] 4: `target` of CounterProxy is written as `count` of CounterLogic: bump()
          A DELEGATECALL ran code that keeps another variable there: one is lost when the other is written. Keep the proxy's variables in slots of ERC-1967, or declare them first in both.
    "#]],
    );
    check_one(&making_its_own("uint256 private count; address public target;"), expect![[""]]);
}

#[test]
fn a_library_that_is_kept_by_address() {
    check_one(
        "contract Zone { uint256 public time; function store(uint256 to) external { time = to; } }
         contract Clock { address public zone; uint256 public time;
            constructor(address library_) { zone = library_; }
            function set(uint256 to) external {
                (bool ok,) = zone.delegatecall(abi.encodeWithSignature(\"store(uint256)\", to));
                require(ok); } }",
        expect![[r#"
            error[layout-collision] 3: `zone` of Clock is written as `time` of Zone: set(0)
              A DELEGATECALL ran code that keeps another variable there: one is lost when the other is written. Keep the proxy's variables in slots of ERC-1967, or declare them first in both.
            error[delegatecall] 6: delegatecall can run anyone's code: set(512), set(0)
              The code that runs is what the caller passes: with another address the same calls run other code, and every user can make them. That code can change each variable and take the ether.
        "#]],
    );
}

#[test]
fn a_library_that_the_contract_creates() {
    for (own, expected) in [
        (
            "address public zone; uint256 public time;",
            expect![[r#"
            error[layout-collision] 3: `zone` of Clock is written as `time` of Zone: set()
              A DELEGATECALL ran code that keeps another variable there: one is lost when the other is written. Keep the proxy's variables in slots of ERC-1967, or declare them first in both.
        "#]],
        ),
        ("uint256 public time; address public zone;", expect![[""]]),
    ] {
        check_one(
            &format!(
                "contract Zone {{ uint256 public time; function store(uint256 to) external {{ time = to; }} }}
         contract Clock {{ {own}
            constructor() {{ zone = address(new Zone()); }}
            function set() external {{
                (bool ok,) = zone.delegatecall(abi.encodeWithSignature(\"store(uint256)\", block.timestamp));
                require(ok); }} }}"
            ),
            expected,
        );
    }
}

#[test]
fn contracts_that_have_nothing_to_do_with_each_other() {
    check_one(
        &format!(
            "contract Token {{ uint256 public count; function bump() external {{ count++; }} }}
             contract Names {{ uint256 public names; function add() external {{ names++; }} }}
             contract AccountProxy {{
                address public target;
                constructor(address logic) {{ target = logic; }}
                {PASSES_ON} }}"
        ),
        expect![[""]],
    );
}

/// A proxy with this variable in front of its target, and an implementation with a mapping there.
fn check_mapping(variable: &str, expected: Expect) {
    check_one(
        &format!(
            "contract MintLogic {{ mapping(address => uint256) public balances;
                function mint(uint256 amount) external {{ balances[msg.sender] += amount % 1000; }} }}
             contract MintProxy {{
                {variable};
                address public target;
                constructor(address logic) {{ target = logic; }}
                {PASSES_ON} }}"
        ),
        expected,
    );
}

#[test]
fn a_mapping_of_a_proxy_is_another_one_of_its_implementation() {
    check_mapping(
        "mapping(address => bool) public admins",
        expect![[r#"
        error[layout-collision] 5: `admins` of MintProxy is written as `balances` of MintLogic: mint(509)
          A DELEGATECALL ran code that keeps another variable there: one is lost when the other is written. Keep the proxy's variables in slots of ERC-1967, or declare them first in both.
    "#]],
    );
}

#[test]
fn a_mapping_that_both_declare_is_one() {
    check_mapping("mapping(address => uint256) public balances", expect![[""]]);
}

#[test]
fn of_a_number_nothing_else_is_written() {
    check_mapping("uint256 public delay", expect![[""]]);
}
