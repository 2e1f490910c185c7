use super::*;
use alloy_primitives::address;

fn suite() -> Suite {
    Suite {
        contract: "Vault".to_owned(),
        name: "VaultBellwetherTest".to_owned(),
        pragmas: vec!["solidity ^0.8.20".to_owned()],
        import: Some(Import { alias: "Vault".to_owned(), path: "../src/Vault.sol".to_owned() }),
        parent: None,
        forge_std: false,
        accounts: vec![Account {
            name: "owner".to_owned(),
            address: address!("0x000000000000000000000000000000000000f00d"),
            balance: U256::from(1_000_000) * U256::from(10).pow(U256::from(18)),
        }],
        start: Moment::new(1_700_000_000, 18_500_000),
        note: String::new(),
    }
}

fn code<const N: usize>(arguments: [&str; N]) -> Code {
    Code::New { alias: "Vault".to_owned(), arguments: arguments.map(str::to_owned).to_vec() }
}

fn creation(code: Code) -> Creation {
    Creation { sender: "owner".to_owned(), value: U256::ZERO, code }
}

fn call<const N: usize>(arguments: [&str; N]) -> Call {
    let data = Data::Encoded("abi.encodeWithSignature", arguments.map(str::to_owned).to_vec());
    Call {
        target: "target".to_owned(),
        sender: "owner".to_owned(),
        value: U256::ZERO,
        data,
        moment: None,
        creates: None,
        reaction: None,
    }
}

fn test(code: Code, calls: Vec<Call>, evidence: Evidence) -> Test {
    Test {
        name: "test_regression_assertion_skim".to_owned(),
        comment: vec![
            "Finding 00: assertion can fail, src/Vault.sol:7.".to_owned(),
            "  1. owner: skim() → panic".to_owned(),
        ],
        before: Vec::new(),
        creation: Some(creation(code)),
        given: None,
        after: Vec::new(),
        calls,
        evidence,
        subject: "target".to_owned(),
        question: None,
        message: "assertion can fail: src/Vault.sol:7".to_owned(),
        origin: false,
    }
}

/// The lines between the function's braces.
fn body(test: &Test) -> String {
    let function = test.function();
    let (_, body) = function.split_once("public {\n").unwrap();
    body.strip_suffix("    }\n").unwrap().to_owned()
}

#[test]
fn a_file_without_forge_std() {
    let deposit = Call { value: U256::from(1), ..call(["\"deposit()\""]) };
    let moment = Some((Moment::new(1_700_086_400, 18_507_200), "1 days".to_owned()));
    let skim = Call { moment, data: Data::Raw(vec![0xab]), ..call([]) };
    let expected = r#"// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {Vault} from "../src/Vault.sol";

interface Vm {
    function chainId(uint256 id) external;
    function coinbase(address account) external;
    function deal(address account, uint256 balance) external;
    function fee(uint256 amount) external;
    function prank(address sender) external;
    function prank(address sender, address origin) external;
    function prevrandao(uint256 word) external;
    function roll(uint256 number) external;
    function warp(uint256 timestamp) external;
}

// What Bellwether found in Vault. A test fails as long as its defect is there.
contract VaultBellwetherTest {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    address constant owner = 0x000000000000000000000000000000000000F00D;

    function setUp() public {
        vm.chainId(1);
        vm.warp(1_700_000_000);
        vm.roll(18_500_000);
        vm.deal(owner, 1_000_000 ether);
    }

    // Finding 00: assertion can fail, src/Vault.sol:7.
    //   1. owner: skim() → panic
    function test_regression_assertion_skim() public {
        vm.prank(owner);
        address target = address(new Vault());
        bool success;
        bytes memory result;

        vm.prank(owner);
        (success,) = target.call{value: 1 wei}(abi.encodeWithSignature("deposit()"));

        // 1 day later
        vm.warp(1_700_086_400);
        vm.roll(18_507_200);
        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
        vm.prank(owner);
        (success, result) = target.call(hex"ab");
        require(success || keccak256(result) != keccak256(panic), "assertion can fail: src/Vault.sol:7");
    }
}
"#;
    assert_eq!(suite().file(&test(code([]), vec![deposit, skim], Evidence::Reverts(1))), expected);
}

#[test]
fn forge_std_brings_its_own_cheatcodes() {
    let suite = Suite { forge_std: true, ..suite() };
    let file = suite.file(&test(code([]), vec![call(["\"skim()\""])], Evidence::Reverts(1)));
    let (head, _) = file.split_once("    function setUp").unwrap();
    let expected = r#"// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";
import {Vault} from "../src/Vault.sol";

// What Bellwether found in Vault. A test fails as long as its defect is there.
contract VaultBellwetherTest is Test {
    address constant owner = 0x000000000000000000000000000000000000F00D;

"#;
    assert_eq!(head, expected);
}

#[test]
fn a_contract_for_an_older_compiler_is_had_by_its_name() {
    let code = Code::Bytes {
        creation: "vm.getCode(\"src/Vault.sol:Vault\")".to_owned(),
        arguments: Data::Encoded("abi.encode", vec![]),
    };
    let test = test(code, vec![call(["\"skim()\""])], Evidence::Burns);
    let suite = Suite { import: None, note: "Run them with `forge test --contracts .`.".to_owned(), ..suite() };
    let file = suite.file(&test);
    assert!(file.contains("function getCode(") && !file.contains("import"));
    assert!(file.contains("is there.\n// Run them with `forge test --contracts .`.\ncontract"));
    let expected = r#"        bytes memory code = vm.getCode("src/Vault.sol:Vault");
        vm.prank(owner);
        (address target,) = _create(code, 0);
        if (target == address(0)) return; // The constructor refuses this now.
        bool success;

        uint256 gas = gasleft();
        vm.prank(owner);
        (success,) = target.call{gas: 10_000_000}(abi.encodeWithSignature("skim()"));
        require(gas - gasleft() < 9_000_000, "assertion can fail: src/Vault.sol:7");
"#;
    assert_eq!(body(&test), expected);
    assert!(file.contains("    function _create("));
}

#[test]
fn a_constructor_with_arguments_may_come_to_refuse_them() {
    let expected = r#"        address target;
        vm.prank(owner);
        try new Vault{value: 2 ether}(payable(owner), uint256(1)) returns (Vault deployed) {
            target = address(deployed);
        } catch {
            return; // The constructor refuses this now.
        }
        bool success;

        _recordLogs();
        vm.prank(owner);
        (success,) = target.call(abi.encodeWithSignature("skim()"));
        require(!_hasLoggedFailure(), "assertion can fail: src/Vault.sol:7");
"#;
    let mut test = test(code(["payable(owner)", "uint256(1)"]), vec![call(["\"skim()\""])], Evidence::Logs);
    test.creation.as_mut().unwrap().value = U256::from(2_000_000_000_000_000_000u64);
    assert_eq!(body(&test), expected);
}

#[test]
fn a_constructor_that_fails() {
    let reverts = r#"        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x12);
        vm.prank(owner, owner);
        try new Vault(uint256(1)) {}
        catch (bytes memory result) {
            require(keccak256(result) != keccak256(panic), "assertion can fail: src/Vault.sol:7");
        }
"#;
    let one = Test { origin: true, ..test(code(["uint256(1)"]), Vec::new(), Evidence::Reverts(0x12)) };
    assert_eq!(body(&one), reverts);
    let bytes = || Code::Bytes { creation: "type(Vault).creationCode".to_owned(), arguments: Data::Raw(vec![1, 2]) };
    let raw = r#"        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
        bytes memory code = abi.encodePacked(type(Vault).creationCode, hex"0102");
        vm.prank(owner);
        (address target, bytes memory result) = _create(code, 0);
        require(target != address(0) || keccak256(result) != keccak256(panic), "assertion can fail: src/Vault.sol:7");
"#;
    assert_eq!(body(&test(bytes(), Vec::new(), Evidence::Reverts(1))), raw);
    let burns = r#"        uint256 gas = gasleft();
        bytes memory code = abi.encodePacked(type(Vault).creationCode, hex"0102");
        vm.prank(owner);
        _create(code, 0);
        require(gasleft() > gas / 32, "assertion can fail: src/Vault.sol:7");
"#;
    assert_eq!(body(&test(bytes(), Vec::new(), Evidence::Burns)), burns);
    let inside = r#"        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
        _recordAccesses();
        vm.prank(owner);
        try new Vault() {} catch {}
        require(!_revertsInside(panic), "assertion can fail: src/Vault.sol:7");
"#;
    assert_eq!(body(&test(code([]), Vec::new(), Evidence::RevertsInside(1))), inside);
}

#[test]
fn long_calls_break_as_forge_fmt_breaks_them() {
    let one = "uint256(1)";
    let line = |count: usize, value: u64| {
        let mut arguments = vec!["\"f(uint256,uint256)\"".to_owned()];
        arguments.extend(vec![one.to_owned(); count]);
        let call =
            Call { value: U256::from(value), data: Data::Encoded("abi.encodeWithSignature", arguments), ..call([]) };
        let body = body(&test(code([]), vec![call, self::call(["\"skim()\""])], Evidence::Logs));
        let (_, rest) = body.split_once("bool success;\n\n        vm.prank(owner);\n").unwrap();
        rest.split_once("\n\n").unwrap().0.to_owned()
    };
    let list = |count: usize| vec![one; count].join(", ");
    assert_eq!(
        line(3, 0),
        format!("        (success,) = target.call(abi.encodeWithSignature(\"f(uint256,uint256)\", {}));", list(3))
    );
    assert_eq!(
        line(4, 0),
        format!(
            "        (success,) =\n            target.call(abi.encodeWithSignature(\"f(uint256,uint256)\", {}));",
            list(4)
        )
    );
    let broken = |count| {
        format!(
            "        (success,) = target.call(\n            abi.encodeWithSignature(\"f(uint256,uint256)\", {})\n        );",
            list(count)
        )
    };
    assert_eq!(line(5, 0), broken(5));
    assert_eq!(line(4, 1), broken(4).replace("call(", "call{value: 1 wei}("));
    assert_eq!(
        line(7, 0),
        format!(
            "        (success,) = target.call(\n            abi.encodeWithSignature(\n                \"f(uint256,uint256)\", {}\n            )\n        );",
            list(7)
        )
    );
    assert_eq!(line(8, 0).lines().count(), 13);
}

#[test]
fn only_what_is_missing_is_added() {
    let test = test(code([]), vec![call(["\"skim()\""])], Evidence::Logs);
    let all = suite().members(&test, |_| false);
    assert!(
        all.starts_with("    address constant owner")
            && all.contains("setUp")
            && all.contains("_hasLoggedFailure() internal")
    );
    assert_eq!(suite().members(&test, |_| true), test.function());
}

#[test]
fn names_from_elsewhere() {
    let suite = Suite {
        contract: "Test".to_owned(),
        import: Some(Import { alias: "TestSubject".to_owned(), path: "../src/ö \"b\".sol".to_owned() }),
        ..suite()
    };
    let file = suite.file(&test(code([]), vec![call(["\"skim()\""])], Evidence::Reverts(1)));
    assert!(file.contains("import {Test as TestSubject} from \"../src/\\u00f6 \\\"b\\\".sol\";\n"));
}

#[test]
fn comments_stay_comments() {
    assert_eq!(comment_line("  1. x\u{2028}y\nz\u{202e}é  "), "   1. x\\u{2028}y\\u{a}z\\u{202e}é");
    assert_eq!(comment_line(""), "");
    assert_eq!(comment_line(&"é".repeat(301)), format!(" {} …", "é".repeat(300)));
}

#[test]
fn digits_in_threes() {
    assert_eq!(
        ["1", "12", "123", "1234", "1000000 ether", "1.5 ether"].map(grouped),
        ["1", "12", "123", "1_234", "1_000_000 ether", "1.5 ether"]
    );
}
