//! What an upgrade does to the words that an older build stored: told variable by variable, proved by running, gone once the layout is
//! repaired, and written as a test that is red with the defect and green without.

#![cfg(unix)]

mod support;

use bellwether::{
    compile::{Compiler, default_cache},
    finding::{Finding, TestChange, regression_path, regression_test},
    fuzz::Event,
    project::Project,
};
use expect_test::{Expect, expect};
use std::{collections::BTreeMap, sync::Arc};
use support::{
    fixture,
    forge::{forge_fmt, forge_test},
    running::Running,
    sandbox::Sandbox,
};

const SOLC: &str = "0.8.37";

/// A contract that is marked as one that is upgraded.
fn vault(members: &str) -> String {
    format!(
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\n/// @custom:oz-upgrades\ncontract Vault {{\n{members}\n}}\n"
    )
}

/// Findings as level, line, message and reason.
fn told(findings: &[Arc<Finding>]) -> String {
    let layouts = findings.iter().filter(|finding| finding.violation.oracle == "layout-change");
    let tell = |finding: &Arc<Finding>| {
        format!("{} {}: {}\n  {}\n", finding.level.name(), finding.lines.line, finding.message, finding.because)
    };
    layouts.map(tell).collect()
}

/// An upgrade from one source to another, in a campaign that fuzzes nothing.
struct Upgraded {
    sandbox: Sandbox,
    running: Running,
    generation: u64,
}

impl Upgraded {
    fn start(before: &str) -> Self {
        let mut sandbox = Sandbox::new("");
        sandbox.write("foundry.toml", "[profile.default]\nsrc = \"src\"\n");
        sandbox.write("src/Vault.sol", before);
        let running = Running::start(1);
        running.campaign.set_paused(true);
        running.turn_to(&mut sandbox, 1);
        Self { sandbox, running, generation: 1 }
    }

    fn to(&mut self, after: &str) -> Vec<Arc<Finding>> {
        self.sandbox.write("src/Vault.sol", after);
        self.generation += 1;
        let build = self.running.turn_to(&mut self.sandbox, self.generation);
        assert!(!build.has_errors(), "{:?}", build.diagnostics);
        self.running.campaign.findings()
    }
}

/// What is found when a contract with these members is upgraded to one with those.
fn check(before: &str, after: &str, expected: Expect) {
    expected.assert_eq(&told(&Upgraded::start(&vault(before)).to(&vault(after))));
}

#[test]
fn a_variable_in_front_reads_what_others_wrote() {
    check(
        "    address public owner = msg.sender;\n    bool public paused;",
        "    uint256 public fee;\n    address public owner = msg.sender;\n    bool public paused;",
        expect![[r#"
            error 6: `fee` now reads what `owner` wrote: fee()
              Run on what the first build of this session stored, `fee()` returns 61453 while `owner` holds owner, and returns 0 while it holds 0: the two runs differ in nothing else. Also: `fee` now reads what `paused` wrote. Put new variables behind all others, or where the end of a gap gives them room.
        "#]],
    );
}

#[test]
fn a_flag_reads_an_address() {
    check(
        "    address public owner;\n    uint256 public total;",
        "    bool public paused;\n    uint256 public total;\n    address public owner;",
        expect![[r#"
            error 6: `paused` now reads what `owner` wrote: paused()
              Run on what the first build of this session stored, `paused()` returns 1 while `owner` holds alice, and returns 0 while it holds 0: the two runs differ in nothing else. Put new variables behind all others, or where the end of a gap gives them room.
        "#]],
    );
}

#[test]
fn without_getters_functions_show_it() {
    check(
        "    address owner;\n    uint256 total;\n    function sum() external view returns (uint256) { return total; }",
        "    uint256 total;\n    address owner;\n    function sum() external view returns (uint256) { return total; }",
        expect![[r#"
            error 6: `total` now reads what `owner` wrote: sum()
              Run on what the first build of this session stored, `sum()` returns 659918 while `owner` holds alice, and returns 0 while it holds 0: the two runs differ in nothing else. Keep the declarations of what is stored, in their places and with their types.
            warning 7: `owner` now reads what `total` wrote
              The layout of the first build of this session differs; no function was found that returns the stored word, so nothing was run to prove it. Put new variables behind all others, or where the end of a gap gives them room.
        "#]],
    );
}

#[test]
fn what_nobody_returns_is_a_warning() {
    check(
        "    address owner;\n    uint256 total;",
        "    uint256 total;\n    address owner;",
        expect![[r#"
        warning 6: `total` now reads what `owner` wrote
          The layout of the first build of this session differs; no function was found that returns the stored word, so nothing was run to prove it. Keep the declarations of what is stored, in their places and with their types.
        warning 7: `owner` now reads what `total` wrote
          The layout of the first build of this session differs; no function was found that returns the stored word, so nothing was run to prove it. Put new variables behind all others, or where the end of a gap gives them room.
    "#]],
    );
}

#[test]
fn a_new_name_is_a_warning_with_its_annotation() {
    check(
        "    address public owner;",
        "    address public admin;",
        expect![[r#"
        warning 6: `admin` now reads what `owner` wrote: admin()
          Run on what the first build of this session stored, `admin()` returns 659918 while `owner` holds alice, and returns 0 while it holds 0: the two runs differ in nothing else. If the new name is intended, say so above it: `/// @custom:oz-renamed-from owner`.
    "#]],
    );
}

#[test]
fn a_shorter_number_loses_what_was_written() {
    check(
        "    uint256 public total;",
        "    uint128 public total;",
        expect![[r#"
            error 6: `total` does not return what it stored before the upgrade: total()
              Run on what the first build of this session stored, `total()` returns 0xffffffffffffffffffffffffffffffff where it returned 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff before the upgrade. Keep the type of what is stored. Members can be appended to enums, and to structs in mappings.
        "#]],
    );
}

#[test]
fn a_variable_that_is_gone() {
    check(
        "    uint256 public total;\n    uint256 public fee;",
        "    uint256 public total;",
        expect![[r#"
        warning 5: `fee` is gone, and what it stored stays
          The layout of the first build of this session differs; no function was found that returns the stored word, so nothing was run to prove it. Keep the declarations of what is stored, in their places and with their types.
    "#]],
    );
}

#[test]
fn members_of_a_struct_in_a_mapping() {
    check(
        "    struct Position { address owner; uint256 amount; }\n    mapping(address => Position) public positions;",
        "    struct Position { uint256 amount; address owner; }\n    mapping(address => Position) public positions;",
        expect![[r#"
            error 7: `positions[…].amount` now reads what `positions[…].owner` wrote: positions(alice)
              Run on what the first build of this session stored, `positions(alice)` returns 659918 while `positions[…].owner` holds alice, and returns 0 while it holds 0: the two runs differ in nothing else. Also: `positions[…].owner` now reads what `positions[…].amount` wrote. Keep the type of what is stored. Members can be appended to enums, and to structs in mappings.
        "#]],
    );
}

#[test]
fn items_of_a_list() {
    check(
        "    struct Item { uint256 price; address seller; }\n    Item[] public items;",
        "    struct Item { address seller; uint256 price; }\n    Item[] public items;",
        expect![[r#"
            error 7: `items[0].seller` now reads what `items[0].price` wrote: items(0)
              Run on what the first build of this session stored, `items(0)` returns 1 while `items[0].price` holds 1, and returns 0 while it holds 0: the two runs differ in nothing else. Also: `items[0].price` now reads what `items[0].seller` wrote. Keep the type of what is stored. Members can be appended to enums, and to structs in mappings.
        "#]],
    );
}

#[test]
fn a_namespace() {
    let main = |members: &str| {
        format!(
            "    /// @custom:storage-location erc7201:vault.main\n    struct Main {{ {members} }}\n    function main() private pure returns (Main storage $) {{\n        bytes32 slot = keccak256(abi.encode(uint256(keccak256(\"vault.main\")) - 1)) & ~bytes32(uint256(0xff));\n        assembly {{ $.slot := slot }}\n    }}\n    function total() external view returns (uint256) {{ return main().total; }}"
        )
    };
    check(
        &main("uint256 total;"),
        &main("address owner; uint256 total;"),
        expect![[r#"
        error 7: `total` does not return what it stored before the upgrade: total()
          Run on what the first build of this session stored, `total()` returns 0 where it returned 1 before the upgrade. Also: `owner` now reads what `total` wrote. Put new variables behind all others, or where the end of a gap gives them room.
    "#]],
    );
}

#[test]
fn what_is_allowed_is_not_told() {
    for (before, after) in [
        ("address public owner;", "address public owner; uint256 public fee;"),
        ("address public owner; uint256[50] __gap;", "address public owner; uint256 public fee; uint256[49] __gap;"),
        ("address public owner;", "/// @custom:oz-renamed-from owner\naddress public admin;"),
        ("uint8 public paused;", "/// @custom:oz-retyped-from uint8\nbool public paused;"),
        ("address public owner;", "uint256 public constant FEE = 1; address public owner;"),
    ] {
        check(before, after, expect![""]);
    }
}

#[test]
fn contracts_that_nobody_upgrades_may_change() {
    let plain = |members: &str| format!("pragma solidity ^0.8.20;\ncontract Vault {{ {members} }}\n");
    let found =
        Upgraded::start(&plain("address public owner;")).to(&plain("uint256 public fee; address public owner;"));
    assert_eq!(told(&found), "");
}

#[test]
fn a_repaired_layout_clears_the_finding() {
    let (before, after) =
        (vault("    address public owner;"), vault("    uint256 public fee;\n    address public owner;"));
    let mut upgraded = Upgraded::start(&before);
    let found = upgraded.to(&after);
    let id = found[0].id.clone();
    let moved = upgraded.to(&format!("// A line more.\n{after}"));
    assert_eq!(
        moved.iter().map(|finding| finding.id.clone()).collect::<Vec<_>>(),
        std::slice::from_ref(&id),
        "the same finding"
    );
    let repaired = upgraded.to(&vault("    address public owner;\n    uint256 public fee;"));
    assert_eq!(told(&repaired), "");
    let fixed = upgraded.running.events.try_iter().filter_map(|event| match event {
        Event::Fixed { id, generation } => Some((generation, id)),
        _ => None,
    });
    assert_eq!(fixed.collect::<Vec<_>>(), [(4, id)]);
}

#[test]
fn the_last_commit_is_what_may_be_deployed() {
    let mut upgraded = Upgraded::start(&vault("    address public owner;"));
    let committed = upgraded.sandbox.build();
    upgraded.running.campaign.set_committed(Some(committed));
    // A contract that is not committed was deployed by nobody.
    let other = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n/// @custom:oz-upgrades\ncontract Other { uint256 public a; }\n";
    upgraded.sandbox.write("src/Other.sol", other);
    assert_eq!(told(&upgraded.to(&vault("    address public owner;"))), "");
    upgraded.sandbox.write("src/Other.sol", &other.replace("uint256 public a", "address public b; uint256 public a"));
    let found = upgraded.to(&vault("    uint256 public fee;\n    address public owner;"));
    expect![[r#"
        error 6: `fee` now reads what `owner` wrote: fee()
          Run on what the last commit stored, `fee()` returns 659918 while `owner` holds alice, and returns 0 while it holds 0: the two runs differ in nothing else. Put new variables behind all others, or where the end of a gap gives them room.
    "#]].assert_eq(&told(&found));
}

/// Writes the test of the only finding, and runs it with the defect and with the layout repaired.
fn check_test(before: &str, after: &str, repaired: &str) {
    let mut upgraded = Upgraded::start(&vault(before));
    let found = upgraded.to(&vault(after));
    let [finding] = &found[..] else { panic!("{}", told(&found)) };
    let project = upgraded.sandbox.project();
    let test = regression_test(finding, &project, None).unwrap();
    let TestChange::Create(text) = &test.change else { panic!("{:?}", test.change) };
    std::fs::create_dir_all(test.path.parent().unwrap()).unwrap();
    std::fs::write(&test.path, text).unwrap();
    assert_eq!(regression_path(finding, &project), test.path);
    assert_eq!(forge_fmt(&test.path), "");
    let name = format!("VaultBellwetherTest::{}", test.name);
    let red = forge_test(&upgraded.sandbox.root(), &[SOLC], &[]);
    assert_eq!(red.failed.iter().map(|(test, _)| test).collect::<Vec<_>>(), [&name], "{}\n{text}", red.output);
    assert!(red.failed[0].1.contains(&finding.what), "{:?}", red.failed);
    upgraded.sandbox.write("src/Vault.sol", &vault(repaired));
    let green = forge_test(&upgraded.sandbox.root(), &[SOLC], &[]);
    assert_eq!((green.passed, green.failed), (vec![name], vec![]), "{}\n{text}", green.output);
}

#[test]
fn a_test_has_what_the_older_build_stored() {
    check_test(
        "    address public owner;\n    bool public paused;",
        "    uint256 public fee;\n    address public owner;\n    bool public paused;",
        "    address public owner;\n    bool public paused;\n    uint256 public fee;",
    );
}

#[test]
fn a_test_expects_what_the_older_build_returned() {
    check_test("    uint256 public total;", "    uint128 public total;", "    uint256 public total;");
}

#[test]
fn a_test_of_an_item_of_a_list() {
    check_test(
        "    uint256[] public fees;",
        "    uint128[] public fees;",
        "    uint256[] public fees;\n    uint256 public more;",
    );
}

/// The `//~ UPGRADE` notes of the fixture, whose folder `deployed` has the older sources.
#[test]
fn notes_of_upgrades() {
    let project = Project::load(&fixture("upgrades")).unwrap();
    let mut compiler = Compiler::new(&default_cache(), &project.root, true);
    let (mut texts, mut expected) = (BTreeMap::new(), Vec::new());
    for file in project.files() {
        let deployed = project.root.join("deployed").join(file.file_name().unwrap());
        texts.insert(file.clone(), std::fs::read_to_string(deployed).unwrap().into());
        let text = std::fs::read_to_string(&file).unwrap();
        let noted = (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("//~ UPGRADE layout-change"));
        expected.extend(noted.map(|(line, _)| format!("error {}:{line}", project.relative(&file))));
    }
    let deployed = Arc::new(compiler.build_texts(&project, &texts));
    let running = Running::start(1);
    running.campaign.set_paused(true);
    running.campaign.set_committed(Some(deployed));
    running.campaign.rebase(&Arc::new(compiler.build(&project)), &project.config, 1);
    let found = running.campaign.findings();
    let found = found.iter().map(|finding| format!("{} {}:{}", finding.level.name(), finding.file, finding.lines.line));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}
