//! What people wrote for Foundry, Echidna and Medusa: which of it holds, as these tools say, and what is told of it.

mod support;

use bellwether::{
    finding::{Finding, TestChange, regression_path, regression_test},
    harness::HarnessKind,
    project::Project,
};
use expect_test::{Expect, expect};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};
use support::{
    campaign::{fuzz, fuzz_build},
    fixture, forge,
    running::Running,
    sandbox::Sandbox,
    slow,
};

/// The compiler of the fixtures.
const SOLC: &str = "0.8.37";
/// Transactions for each contract that can be deployed, handlers included: enough for the property that takes seven calls in order.
const EXECUTIONS: u64 = 10_000;

/// The fixture of test contracts with what is found in it.
static FOUND: LazyLock<(Project, Vec<Arc<Finding>>)> = LazyLock::new(|| {
    let project = Project::load(&fixture("harness")).unwrap();
    let findings = fuzz(&project, 1, EXECUTIONS).findings;
    let in_tests = |finding: &Arc<Finding>| finding.harness.kind() == HarnessKind::Test;
    (project, findings.into_iter().filter(in_tests).collect())
});

/// A copy of a fixture.
fn copy(name: &str) -> Sandbox {
    fn copy_into(sandbox: &Sandbox, folder: &Path, below: &Path) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let at = below.join(entry.file_name());
            if entry.path().is_dir() {
                copy_into(sandbox, &entry.path(), &at);
            } else {
                sandbox.write(at.to_str().unwrap(), &fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    let sandbox = Sandbox::new("");
    copy_into(&sandbox, &fixture(name), Path::new(""));
    sandbox
}

/// The properties of test contracts that are broken, as `Contract::property`. What breaks in a call of a handler breaks all invariants.
fn broken(findings: &[Arc<Finding>]) -> BTreeSet<String> {
    let mut broken = BTreeSet::new();
    for finding in findings {
        let contract = finding.harness.compiled();
        let last = finding.sequence.transactions.last().unwrap().call;
        let name = &finding.harness.calls.function(last).name;
        let is_own = finding.harness.calls.property(last).is_some() && name != "afterInvariant";
        let all = contract.abi.functions.keys().filter(|name| name.starts_with("invariant"));
        let names: Vec<&String> = if is_own { vec![name] } else { all.collect() };
        broken.extend(names.into_iter().map(|name| format!("{}::{name}", contract.name)));
    }
    broken
}

/// The tests that fail under forge, as `Contract::test`.
fn failing_under_forge(sandbox: &Sandbox, options: &[&str]) -> BTreeSet<String> {
    let mut command = forge::forge_command(&sandbox.root(), &[SOLC]);
    let output = command.args(["test", "--json"]).args(options).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let suites = text.lines().find(|line| line.contains("\"test_results\"")).unwrap_or_else(|| panic!("{output:?}"));
    let suites: BTreeMap<String, serde_json::Value> = serde_json::from_str(suites).unwrap();
    let failed = suites.iter().flat_map(|(suite, results)| {
        let contract = suite.rsplit(':').next().unwrap();
        let results = results["test_results"].as_object().unwrap().iter();
        let failed = results.filter(|(_, result)| result["status"] == "Failure");
        failed.map(move |(test, _)| format!("{contract}::{}", test.split('(').next().unwrap()))
    });
    failed.collect()
}

#[test]
fn properties_are_broken_where_forge_breaks_them() {
    if !slow::is_asked() {
        return;
    }
    let sandbox = copy("harness");
    let ours = broken(&FOUND.1);
    let mut theirs = failing_under_forge(&sandbox, &["--fuzz-seed", "1"]);
    // These fail at the assert of `AssertInHandler`, which is told once.
    theirs.retain(|test| {
        !test.starts_with("AssertPassedOn:") && !test.starts_with("AssertInHandlerWithoutFailOnRevert:")
    });
    assert!(theirs.len() > 40, "{theirs:?}");
    assert_eq!(ours, theirs);
}

/// Compares what is told of test contracts, as errors, and as level, oracle, line and message of findings.
fn check(sandbox: &mut Sandbox, expected: Expect) {
    let ended = fuzz_build(&sandbox.build(), &sandbox.project().config, 1, EXECUTIONS);
    let told = ended.findings.iter().map(|finding| {
        let (level, oracle, line) = (finding.level.name(), finding.violation.oracle, finding.lines.line);
        format!("{level}[{oracle}] {}:{line}: {}\n", finding.file, finding.message)
    });
    let errors = ended.errors.iter().map(|error| format!("{error}\n"));
    let mut lines: Vec<String> = errors.chain(told).collect();
    lines.sort();
    expected.assert_eq(&lines.concat());
}

#[test]
fn test_contracts_that_cannot_run_say_why_and_the_others_go_on() {
    let mut sandbox = copy("harness");
    for entry in fs::read_dir(sandbox.root().join("test")).unwrap().map(Result::unwrap) {
        if entry.file_name() != "Base.sol" {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    sandbox.write("test/Broken.t.sol", include_str!("properties/Broken.t.sol"));
    sandbox.write("test/BrokenTwin.t.sol", include_str!("properties/BrokenTwin.t.sol"));
    check(
        &mut sandbox,
        expect![[r#"
        SetUpNeverEnds: setUp() fails: out of gas
        SetUpReverts: setUp() fails: revert "SetUpReverts: the cap is below the supply", at src/Token.sol:13
        error[property] test/Broken.t.sol:71: test fails: test_here()
        error[property] test/Broken.t.sol:91: test fails: test_twice()
        error[property] test/BrokenTwin.t.sol:8: test fails: test_there()
    "#]],
    );
}

#[test]
fn a_property_becomes_a_test_that_fails_until_the_contract_is_mended() {
    if !slow::is_asked() {
        return;
    }
    let sandbox = copy("harness");
    let (project, found) = &*FOUND;
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut written = BTreeSet::new();
    for finding in found {
        let path = regression_path(finding, project);
        let existing = files.get(&path).cloned();
        let test = regression_test(finding, project, existing.as_deref()).unwrap();
        assert_ne!(test.change, TestChange::Present, "{}", finding.message);
        files.insert(path, test.change.apply(&existing.unwrap_or_default()));
        let contract = &finding.harness.compiled().name;
        written.insert(format!("{contract}BellwetherTest::{}", test.name));
    }
    for (path, text) in &files {
        let path = sandbox.root().join(project.relative(path));
        fs::write(&path, text).unwrap();
        assert_eq!(forge::forge_fmt(&path), "", "{}", path.display());
    }
    let failing = || failing_under_forge(&sandbox, &["--match-test", "test_regression_"]);
    assert_eq!(failing(), written);

    mend(&sandbox, "src/StakingVault.sol", "uint256 received = sharesOf[to];\n", "");
    mend(&sandbox, "src/StakingVault.sol", "sharesOf[to] = received + shares;", "sharesOf[to] += shares;");
    mend(
        &sandbox,
        "src/LendingMarket.sol",
        "if (totalScaled == 0) return;\n        index = currentIndex();",
        "index = currentIndex();",
    );
    let still = failing();
    let mended: String = written.difference(&still).map(|test| format!("{test}\n")).collect();
    expect![[r#"
        MarketInvariantsBellwetherTest::test_regression_property_invariant_interestIsForTimeLent
        VaultInvariantsBellwetherTest::test_regression_property_invariant_sharesAddUp
        VaultStatefulFuzzBellwetherTest::test_regression_property_statefulFuzz_sharesStay
    "#]]
    .assert_eq(&mended);
}

fn mend(sandbox: &Sandbox, file: &str, defect: &str, repair: &str) {
    let text = fs::read_to_string(sandbox.root().join(file)).unwrap();
    assert!(text.contains(defect), "{file} has {defect}");
    sandbox.write(file, &text.replace(defect, repair));
}

#[test]
fn the_test_of_a_property_is_in_a_contract_that_inherits_the_tests() {
    let (project, found) = &*FOUND;
    let finding = found.iter().find(|finding| finding.harness.compiled().name == "VaultInvariants").unwrap();
    let TestChange::Create(text) = regression_test(finding, project, None).unwrap().change else { unreachable!() };
    let text: String = text.split_inclusive('\n').filter(|line| !line.contains("Finding ")).collect();
    expect![[r#"
        // SPDX-License-Identifier: UNLICENSED
        pragma solidity ^0.8.20;

        import {VaultInvariants} from "./Handler.t.sol";

        interface BellwetherVm {
            function prank(address sender, address origin) external;
            function roll(uint256 number) external;
            function warp(uint256 timestamp) external;
        }

        // What Bellwether found in VaultInvariants. A test fails as long as its defect is there; the tests of VaultInvariants run here once more.
        contract VaultInvariantsBellwetherTest is VaultInvariants {
            BellwetherVm private constant BELLWETHER_VM = BellwetherVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

            ///    1. forge: new VaultInvariants() → ok
            ///    2. forge: setUp() → ok
            ///         token: totalSupply: 0 → 3e24
            ///         token: balanceOf[carol]: 0 → 1e24
            ///         token: balanceOf[alice]: 0 → 1e24
            ///         token: balanceOf[bob]: 0 → 1e24
            ///         _targetContracts: length 0 → length 1
            ///         token: address(0) → token
            ///         vault: address(0) → vault
            ///         handler: address(0) → handler
            ///         _targetContracts[0]: address(0) → handler
            ///         handler: _actors: length 0 → length 3
            ///         handler: _actors[0]: address(0) → alice
            ///         handler: _actors[1]: address(0) → bob
            ///         handler: _actors[2]: address(0) → carol
            ///    3. bob: handler.deposit(1, 0) → ok
            ///         vault: totalShares: 0 → 1
            ///         vault: sharesOf[bob]: 0 → 1
            ///         token: balanceOf[bob]: 1e24 → 999999999999999999999999
            ///         token: balanceOf[vault]: 0 → 1
            ///         handler: ghostDeposited: 0 → 1
            ///    4. bob: handler.transferShares(1, 1, 1) → ok
            ///         vault: sharesOf[bob]: 1 → 2
            ///    5. forge: invariant_sharesAddUp() → revert "shares do not add up: 2 != 1"
            function test_regression_property_invariant_sharesAddUp() public {
                address target;
                bool success;
                // handler.deposit
                target = 0xF62849F9A0B5Bf2913b396098F7c7019b51A820a;
                (success,) = target.call(abi.encodeWithSignature("deposit(uint256,uint256)", uint256(1), uint256(0)));

                // handler.transferShares
                target = 0xF62849F9A0B5Bf2913b396098F7c7019b51A820a;
                (success,) = target.call(
                    abi.encodeWithSignature("transferShares(uint256,uint256,uint256)", uint256(1), uint256(1), uint256(1))
                );

                this.invariant_sharesAddUp();
            }
        }
    "#]].assert_eq(&text);
}

#[test]
fn tests_that_have_to_fail_hold_if_they_do() {
    let mut sandbox = Sandbox::new(
        "//- foundry.toml\n[profile.default]\n//- test/A.t.sol\n// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract A {\n\
         \x20   function testFailAlways() external pure { revert(); }\n    function testFailNever() external pure {}\n\
         \x20   function testFailUnlessSmall(uint256 n) external pure { require(n < 7); }\n}\n\
         contract B {\n    function proveFailNever() external pure {}\n}\n",
    );
    check(
        &mut sandbox,
        expect![[r#"
            error[property] test/A.t.sol:5: test succeeds, and has to fail: testFailNever()
            error[property] test/A.t.sol:6: fuzz test can succeed, and has to fail: testFailUnlessSmall(0)
            error[property] test/A.t.sol:9: test succeeds, and has to fail: proveFailNever()
        "#]],
    );
}

/// A contract that counts to three at most, as far as its harness lets it.
const LIMITED: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Counter { uint256 public count; function add(uint256 by) external { count += by; } }
contract CounterHarness {
    Counter private counter = new Counter();
    function addOne() external { require(counter.count() < 3); counter.add(1); }
    function echidna_few() external view returns (bool) { return counter.count() < 4; }
    function isFew() external view { assert(counter.count() < 4); }
}
";

#[test]
fn what_a_contract_with_properties_creates_is_called_within_its_limits() {
    let with =
        |files: &str| Sandbox::new(&format!("//- foundry.toml\n[profile.default]\n//- src/A.sol\n{LIMITED}{files}"));
    check(&mut with(""), expect![[""]]);
    check(
        &mut with("//- echidna.yaml\nallContracts: true\n"),
        expect![[r#"
        error[property] src/A.sol:7: property can be broken: counter.add(4), echidna_few()
        information[assertion] src/A.sol:8: assertion can fail: counter.add(4), isFew()
    "#]],
    );
}

#[test]
fn reverts_of_the_test_itself_are_expected_where_the_configuration_allows_it_and_what_is_not_there_breaks_nothing() {
    let test = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ninterface Vm {\n    function expectRevert(bytes calldata data) external;\n\
                \x20   function ffi(string[] calldata command) external returns (bytes memory);\n}\ncontract A {\n\
                \x20   Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);\n\
                \x20   function test_itself() external { vm.expectRevert(\"no\"); revert(\"no\"); }\n\
                \x20   function test_program() external { vm.ffi(new string[](1)); }\n}\n";
    let with =
        |toml: &str| Sandbox::new(&format!("//- foundry.toml\n[profile.default]\n{toml}\n//- test/A.t.sol\n{test}"));
    check(
        &mut with(""),
        expect![[r#"
            error[property] test/A.t.sol:9: test fails: test_itself()
        "#]],
    );
    check(&mut with("allow_internal_expect_revert = true"), expect![[""]]);
}

#[test]
fn what_there_is_to_say_beside_findings() {
    let mut sandbox = Sandbox::new("//- foundry.toml\n[profile.default]\n");
    sandbox.write(
        "src/Vault.sol",
        "pragma solidity ^0.8.20;
contract Vault {
    mapping(address => uint256) public balances;
    bool public open;
    function deposit() external payable { require(open, \"closed\"); balances[msg.sender] += msg.value; }
    function ping() external {}
}
",
    );
    sandbox.write(
        "test/Vault.t.sol",
        "pragma solidity ^0.8.20;
import \"../src/Vault.sol\";
contract VaultTest {
    Vault vault;
    function setUp() public { vault = new Vault(); }
    function invariant_solvent() public view returns (bool) { return address(vault).balance == 0; }
    function invariant_closed() public view { require(!vault.open()); }
    function testFuzz_sum(uint8 a) public pure returns (uint256) { return uint256(a) + 1; }
    function invariant_of(address who) public view { require(vault.balances(who) == 0); }
}
contract AloneTest {
    uint256 total;
    function setUp() public { total = 1; }
    function invariant_total() public view { require(total == 1); }
}
",
    );
    let running = Running::at_rest(1, &mut sandbox);
    let remarks = running.campaign.remarks().into_iter();
    let told: String = remarks.map(|remark| format!("{}:{} {}\n", remark.file, remark.line, remark.message)).collect();
    expect![[r#"
        test/Vault.t.sol:14 `invariant_total` was checked right after `setUp()` only: there is no contract to call
        src/Vault.sol:5 every call of `vault.deposit` reverted, the first one with revert "closed"
        test/Vault.t.sol:6 the value that `invariant_solvent` returns is not checked, only whether it reverts: assert the value
        test/Vault.t.sol:8 the value that `testFuzz_sum` returns is not checked, only whether it reverts: assert the value
        test/Vault.t.sol:9 `invariant_of` is never called: it must not take arguments
    "#]]
    .assert_eq(&told);
}
