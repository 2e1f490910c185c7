use super::{
    layout::Data,
    write::{Account, Call, Code, Creation, Import},
    *,
};
use crate::{evm::Moment, oracle::Evidence};
use alloy_primitives::{Address, U256};

fn suite() -> Suite {
    let account = |name: &str, byte| Account {
        name: name.to_owned(),
        address: Address::repeat_byte(byte),
        balance: U256::from(1),
    };
    Suite {
        contract: "Vault".to_owned(),
        name: "VaultBellwetherTest".to_owned(),
        pragmas: vec!["solidity ^0.8.20".to_owned()],
        import: Some(Import { alias: "Vault".to_owned(), path: "../src/Vault.sol".to_owned() }),
        parent: None,
        forge_std: false,
        accounts: vec![account("owner", 1), account("alice", 2)],
        start: Moment::new(1_700_000_000, 18_500_000),
        note: String::new(),
    }
}

/// A test with one call, to this function.
fn test(function: &str, line: u32) -> Test {
    let data = Data::Encoded("abi.encodeWithSignature", vec![format!("\"{function}()\"")]);
    Test {
        name: "test_regression_assertion_skim".to_owned(),
        comment: vec![format!("Found at {line}.")],
        before: Vec::new(),
        creation: Some(Creation {
            sender: "owner".to_owned(),
            value: U256::ZERO,
            code: Code::New { alias: "Vault".to_owned(), arguments: Vec::new() },
        }),
        given: None,
        after: Vec::new(),
        calls: vec![Call {
            target: "target".to_owned(),
            sender: "alice".to_owned(),
            value: U256::ZERO,
            data,
            moment: None,
            creates: None,
            reaction: None,
        }],
        evidence: Evidence::Reverts(1),
        subject: "target".to_owned(),
        question: None,
        message: format!("assertion can fail: src/Vault.sol:{line}"),
        origin: false,
    }
}

/// The text with the test, and the test's name.
fn appended(text: &str, mut test: Test) -> Result<(String, String), String> {
    let change = append(text, &suite(), &mut test)?;
    Ok((change.apply(text), test.name))
}

fn functions(text: &str) -> Vec<&str> {
    let starts = text.match_indices("    function test").map(|(at, _)| &text[at + 13..]);
    starts.map(|rest| rest.split('(').next().unwrap()).collect()
}

#[test]
fn each_test_gets_a_name_of_its_own() {
    let (mut text, mut names) = (suite().file(&test("skim", 7)), vec!["test_regression_assertion_skim".to_owned()]);
    for function in ["sweep", "drain"] {
        let (longer, name) = appended(&text, test(function, 7)).unwrap();
        assert_eq!(longer.matches("address constant").count(), 2, "what is there is not declared again");
        assert_eq!(longer.matches("function setUp()").count(), 1);
        names.push(name);
        text = longer;
    }
    assert_eq!(names[1..], ["test_regression_assertion_skim_2", "test_regression_assertion_skim_3"]);
    assert_eq!(functions(&text), names);
}

#[test]
fn the_same_test_is_not_added_twice() {
    let text = suite().file(&test("skim", 7));
    let text = appended(&text, test("sweep", 7)).unwrap().0;
    // Its line has moved, it was renamed, and it has a comment.
    let text = text
        .replace("assertion_skim_2()", "sweep_by_hand()")
        .replace("    bool success;", "    // Sweeps.\n    bool success;");
    let mut again = test("sweep", 99);
    assert_eq!(append(&text, &suite(), &mut again), Ok(TestChange::Present));
    assert_eq!(again.name, "test_regression_sweep_by_hand");
}

#[test]
fn an_edited_file_keeps_what_was_edited() {
    let text = r#"pragma solidity ^0.8.20;
import "forge-std/Test.sol"; import {Vault} from "../src/Vault.sol";
contract Mine is Test {
    address constant alice = address(2); // not test_regression_assertion_skim
    function test_mine() public { string memory s = "}"; }
}
"#;
    let (longer, name) = appended(text, test("skim", 7)).unwrap();
    assert_eq!(name, "test_regression_assertion_skim");
    assert_eq!(functions(&longer), ["test_mine", "test_regression_assertion_skim"]);
    assert!(longer.starts_with(text.trim_end().trim_end_matches('}')) && longer.ends_with("    }\n}\n"));
    let added = &longer[text.len() - 2..];
    assert!(
        added.contains("constant owner") && !added.contains("constant alice") && added.contains("function setUp()")
    );
}

#[test]
fn a_file_that_cannot_take_a_test_says_why() {
    let whole = suite().file(&test("skim", 7));
    let why = |text: &str, test: Test| appended(text, test).unwrap_err();
    let sweep = || test("sweep", 7);
    assert_eq!(why("library L {}", sweep()), "has no contract");
    assert_eq!(why(whole.trim_end().trim_end_matches('}'), sweep()), "has a brace that is never closed");
    assert_eq!(why("contract A {}", sweep()), "has a contract without `vm`");
    let other = whole.replace("../src/Vault.sol", "../src/old/Safe.sol").replace("{Vault}", "{Safe}");
    assert_eq!(
        why(&other.replace("new Vault()", "new Safe()"), sweep()),
        "does not import Vault from \"../src/Vault.sol\""
    );
    let old = Creation {
        sender: "owner".to_owned(),
        value: U256::ZERO,
        code: Code::Bytes { creation: "vm.getCode(\"Vault.sol:Vault\")".to_owned(), arguments: Data::Raw(Vec::new()) },
    };
    assert_eq!(why(&whole, Test { creation: Some(old), ..sweep() }), "has an interface Vm without `getCode`");
}

#[test]
fn what_supports_a_test_comes_with_it() {
    let text = suite().file(&test("skim", 7));
    let hidden = || Test { evidence: Evidence::RevertsInside(1), ..test("sweep", 7) };
    let (text, _) = appended(&text, hidden()).unwrap();
    let (text, _) = appended(&text, Test { calls: vec![], ..hidden() }).unwrap();
    assert_eq!(text.matches("function _revertsInside(").count(), 1);
    assert_eq!(text.matches("function _recordAccesses(").count(), 1);
}

#[test]
fn a_change_is_made_at_its_place() {
    assert_eq!(TestChange::Create("a".to_owned()).apply(""), "a");
    assert_eq!(TestChange::Insert { offset: 2, text: "b".to_owned() }.apply("éc"), "ébc");
    assert_eq!(TestChange::Present.apply("a"), "a");
}
