//! Contracts of all kinds: where they fail, what they take, and what they are compiled with.

use crate::workplace::{FOUNDRY, SOLC, Workplace, address, deployed, require_instead, step, write};
use alloy_primitives::{Address, U256};

#[test]
fn places_of_all_kinds() {
    let places = Workplace::of_fixture("places");
    let of = |contract, last| places.finding(contract, deployed([]), [last]);
    let findings = [
        of("Bell", step("alice", "ring(uint256)", ["13"])),
        of("Thermometer", step("alice", "toKelvin(int256)", ["-274"])),
        of("Socks", step("alice", "put(uint256)", ["1"])),
        of("Scale", step("alice", "loadLeft(uint256)", ["1"])),
        of("Inbox", step("alice", "receive()", []).value("1000")),
        places.finding(
            "Inbox",
            deployed([]),
            [step("bob", "fallback()", ["0x01"]), step("alice", "fallback()", ["0x0102030405"])],
        ),
        places.finding("Launch", deployed([]), [step("bob", "launch()", []), step("alice", "launch()", [])]),
        // The contract hides this one.
        of("Gateway", step("alice", "report(uint256)", ["101"])),
        places.finding("Meter", deployed([]), [step("owner", "add(uint256)", ["101"])]),
    ];
    places.check(&findings, &[SOLC], &[], |root| {
        for file in ["Asserts", "Calls", "Inbox", "Inherited"] {
            require_instead(&root.join(format!("src/{file}.sol")));
        }
    });
}

#[test]
fn contracts_for_older_compilers() {
    let legacy = Workplace::of_fixture("legacy");
    let findings = [
        legacy.finding(
            "PiggyBank",
            deployed([]),
            [step("owner", "setGoal(uint256)", ["1"]), step("owner", "save(uint256)", ["2"])],
        ),
        legacy.finding(
            "Seats",
            deployed([]),
            [step("bob", "reserve(uint256)", ["1"]), step("bob", "cancel(uint256)", ["1"])],
        ),
        legacy.finding("Presence", deployed([]), [step("bob", "enter()", []), step("bob", "leave()", [])]),
    ];
    legacy.check(&findings, &["0.4.26", "0.5.17", "0.6.12", SOLC], &["--contracts", "."], |root| {
        for file in ["PiggyBank", "Seats", "Presence"] {
            require_instead(&root.join(format!("{file}.sol")));
        }
    });
}

const OLD: &str = include_str!("Shares.sol");

#[test]
fn an_older_contract_with_constructor_arguments() {
    let old = Workplace::of_files([FOUNDRY, ("src/deep/Shares.sol", OLD)]);
    let bob = address("bob");
    let findings = [
        old.finding("Shares", deployed(["[1, 2]", &bob]).value("5"), [step("alice", "weightOf(uint256)", ["2"])]),
        old.finding("Shares", deployed(["[]", &Address::ZERO.to_string()]), []),
        old.finding("Linked", deployed([]), [step("alice", "set(uint256)", ["1"])]),
        old.finding("Teller", deployed([]), [step("alice", "ask(uint256)", ["7"])]),
    ];
    old.check(&findings, &["0.6.12", SOLC], &[], |root| {
        let text = OLD
            .replace("assert(", "require(")
            .replace("return weights[", "require(index < weights.length);\n        return weights[");
        write(&root.join("src/deep/Shares.sol"), &text);
    });
}

pub const POT: &str = include_str!("Pot.sol");

const ODD: &str = include_str!("Odd.sol");

#[test]
fn odd_contracts() {
    let odd = Workplace::of_files([FOUNDRY, ("src/Odd.sol", ODD), ("src/dörfer 🌾/Pot.sol", POT)]);
    let own = |contract| odd.harness("", contract).calls.main().address;
    let place = U256::from_be_slice(own("Place").as_slice());
    let world = format!("[{place}, {}, {}, 1, {}]", 1_700_000_100, 18_500_008, "999999999999999999999990");
    let of = |contract, last| odd.finding(contract, deployed([]), [last]);
    let findings = [
        of("Sorted", step("alice", "sum(uint256[])", ["[0, 2, 1]"])),
        of(
            "Sorted",
            step("alice", "within((uint256,uint256),bytes,string,int8)", ["(2, 1)", "0x00ff", "é\u{202e}\"", "-128"]),
        ),
        of(
            "Sorted",
            step(
                "alice",
                "plain(bytes,string,int8,bytes4,bool)",
                ["0x00ff", "é\u{202e}\"\n", "-128", "0xdeadbeef", "true"],
            ),
        ),
        odd.finding("Genesis", deployed(["1", "0"]).value("3"), []),
        odd.finding("Options", deployed(["0", "[1, 2, 3]"]), []),
        odd.finding("Options", deployed(["1", "[1]"]), [step("alice", "off()", [])]),
        of("Test", step("alice", "fail(address)", [&own("Test").to_string()])),
        of("alice", step("alice", "run()", [])),
        odd.finding("Beacon", deployed(["true"]), []),
        odd.finding("Beacon", deployed(["false"]), [step("alice", "see(uint256)", ["7"])]),
        of("Place", step("alice", "check(uint256[5])", [&world]).value("10").after(100)),
        of("Linked", step("alice", "set(uint256)", ["1"])),
        of("Wrapper", step("alice", "run()", [])),
        of("Pot", step("alice", "open()", [])),
    ];
    odd.check(&findings, &[SOLC], &[], |root| {
        let fixed = ODD
            .replace("assert(", "require(")
            .replace("part = total", "if (parts > 0) part = total")
            .replace("emit AssertionFailed", "if (tx.origin == address(1)) emit AssertionFailed");
        write(&root.join("src/Odd.sol"), &fixed);
        require_instead(&root.join("src/dörfer 🌾/Pot.sol"));
    });
}
