//! Generated tests under the real forge: red while the defect is there, green once it is gone, whether the call then
//! succeeds or is refused.

#![cfg(unix)]

mod support;

use alloy_primitives::{Address, B256, U256, keccak256};
use bellwether::{
    code::Programs,
    compile::{Build, Compiler, Severity, default_cache},
    finding::{
        Discovery, Finding, RegressionError, TestChange, describe, last_violations, regression_path, regression_test,
        regression_test_at, tell,
    },
    harness::Harness,
    input::{InstanceId, Sequence},
    oracle::{self, OracleSet, SENTINEL_SLOT, Violation},
    project::{Level, Project},
    world::World,
};
use expect_test::{expect, expect_file};
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path, sync::Arc};
use support::{
    campaign::fuzz_contracts,
    fixture,
    forge::{forge_fmt, forge_test},
};
use tempfile::TempDir;

/// What fixtures are compiled with.
const SOLC: &str = "0.8.37";

/// A call, or the deployment.
struct Step {
    sender: &'static str,
    function: &'static str,
    arguments: Vec<String>,
    value: &'static str,
    seconds: u64,
    /// Who is a contract that accepts what it is called with.
    accepted_by: Option<&'static str>,
}

fn step<const N: usize>(sender: &'static str, function: &'static str, arguments: [&str; N]) -> Step {
    Step {
        sender,
        function,
        arguments: arguments.map(str::to_owned).to_vec(),
        value: "0",
        seconds: 0,
        accepted_by: None,
    }
}

fn deployed<const N: usize>(arguments: [&str; N]) -> Step {
    step("owner", "", arguments)
}

impl Step {
    fn value(self, value: &'static str) -> Self {
        Self { value, ..self }
    }

    fn after(self, seconds: u64) -> Self {
        Self { seconds, ..self }
    }

    fn accepted_by(self, account: &'static str) -> Self {
        Self { accepted_by: Some(account), ..self }
    }

    fn json(&self) -> Value {
        let mut json = json!({
            "function": self.function, "args": self.arguments, "sender": address(self.sender), "value": self.value,
            "delay_seconds": self.seconds, "delay_blocks": self.seconds / 12,
        });
        if let Some(account) = self.accepted_by {
            json["reaction"] = json!({ "account": address(account), "deed": "answer" });
        }
        json
    }
}

/// The address of a named account.
fn address(name: &str) -> String {
    let index = ["owner", "alice", "bob", "carol"].iter().position(|account| *account == name).unwrap();
    World::senders()[index].to_string()
}

/// A project in a folder of its own, compiled.
struct Workplace {
    _folder: TempDir,
    project: Project,
    build: Arc<Build>,
    programs: Arc<Programs>,
}

impl Workplace {
    fn of_fixture(name: &str) -> Self {
        Self::with(|root| copy(&fixture(name), root))
    }

    fn of_files<const N: usize>(files: [(&str, &str); N]) -> Self {
        Self::with(|root| {
            for (name, text) in files {
                write(&root.join(name), text);
            }
        })
    }

    fn with(fill: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fill(&root);
        let project = Project::load(&root).unwrap();
        let build = Arc::new(Compiler::new(&default_cache(), &root, true).build(&project));
        let errors: Vec<_> = build.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let programs = Arc::new(Programs::of(&build));
        Self { _folder: folder, project, build, programs }
    }

    /// A contract, ready.
    fn harness(&self, file: &str, contract: &str) -> Arc<Harness> {
        let id = self.build.find_contract(file, contract).unwrap();
        Arc::new(Harness::new(self.build.clone(), self.programs.clone(), id).unwrap())
    }

    /// The finding that the last of these calls shows.
    fn finding<const N: usize>(&self, contract: &str, deployment: Step, calls: [Step; N]) -> Finding {
        self.finding_of(&self.harness("", contract), deployment, calls)
    }

    fn finding_of<const N: usize>(&self, harness: &Arc<Harness>, deployment: Step, calls: [Step; N]) -> Finding {
        let mut sequence: Value = std::iter::once(&deployment).chain(&calls).map(Step::json).collect();
        sequence[0]["function"] = json!(harness.interface().constructor.signature);
        self.finding_by(harness, &sequence)
    }

    /// The finding that the last call of a sequence as JSON shows.
    fn finding_by(&self, harness: &Arc<Harness>, sequence: &Value) -> Finding {
        let sequence = Sequence::from_json(sequence, &harness.calls).unwrap();
        let mut oracles = OracleSet::of(harness, oracle::enabled(&self.project.config));
        let violations = last_violations(harness, &mut harness.executor(), &mut oracles, &sequence);
        let mut describe = |violation: &Violation| {
            describe(harness, &mut oracles, sequence.clone(), *violation, Level::Error, Discovery::default()).ok()
        };
        // What is only suspicious is not claimed.
        let mut findings: Vec<Finding> = violations.iter().filter_map(&mut describe).collect();
        let told: Vec<&str> = findings.iter().map(|finding| &*finding.what).collect();
        assert_eq!(told.len(), 1, "{told:?}\n{}", tell(harness, &sequence).to_text());
        findings.remove(0)
    }

    /// Writes the finding's test, and gives its full name and what it is to say.
    fn add(&self, finding: &Finding) -> (String, String) {
        let path = regression_path(finding, &self.project);
        let existing = std::fs::read_to_string(&path).ok();
        let test = regression_test(finding, &self.project, existing.as_deref()).unwrap();
        assert_eq!(test.path, path);
        assert_ne!(test.change, TestChange::Present);
        let text = test.change.apply(existing.as_deref().unwrap_or_default());
        write(&path, &text);
        let again = regression_test(finding, &self.project, Some(&text)).unwrap();
        assert_eq!((again.change, &again.name), (TestChange::Present, &test.name));
        assert_eq!(forge_fmt(&path), "", "{text}");
        let said = format!("{}: {}:{}", finding.what, finding.file, finding.lines.line);
        (format!("{}BellwetherTest::{}", finding.contract, test.name), said)
    }

    /// Writes all tests and sees them fail; then makes the changes to the sources and sees them pass.
    fn check(&self, findings: &[Finding], solc: &[&str], options: &[&str], fix: impl Fn(&Path)) {
        let expected: BTreeMap<_, _> = findings.iter().map(|finding| self.add(finding)).collect();
        let red = forge_test(&self.project.root, solc, options);
        assert_eq!(red.failed.iter().cloned().collect::<BTreeMap<_, _>>(), expected, "{}", red.output);
        assert_eq!(red.passed, Vec::<String>::new());
        let complaint = red.output.lines().find(|line| line.contains("--> ") && line.contains(".bellwether.t.sol"));
        assert_eq!(complaint, None, "{}", red.output);
        fix(&self.project.root);
        let green = forge_test(&self.project.root, solc, options);
        assert_eq!(green.failed, [], "{}", green.output);
        assert_eq!(green.passed, expected.into_keys().collect::<Vec<_>>(), "{}", green.output);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, target) = {
            let entry = entry.unwrap();
            (entry.path(), to.join(entry.file_name()))
        };
        if path.is_dir() { copy(&path, &target) } else { write(&target, &std::fs::read_to_string(path).unwrap()) }
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Puts the repaired twin in the place of `folder/name.sol`.
fn take_twin(folder: &Path, name: &str) {
    let twin = std::fs::read_to_string(folder.join(format!("{name}Fixed.sol"))).unwrap();
    std::fs::remove_file(folder.join(format!("{name}Fixed.sol"))).unwrap();
    // Every contract of the file has `Fixed` at the end of its name.
    write(&folder.join(format!("{name}.sol")), &twin.replace("Fixed", ""));
}

/// Refuses what failed: each `assert` becomes a `require`.
fn require_instead(file: &Path) {
    let text = std::fs::read_to_string(file).unwrap();
    write(file, &text.replace("assert(", "require("));
}

const FOUNDRY: (&str, &str) = ("foundry.toml", "[profile.default]\nsrc = \"src\"\nout = \"out\"\nlibs = [\"lib\"]\n");

/// As little of forge-std as a test needs.
const FORGE_STD: (&str, &str) = ("lib/forge-std/src/Test.sol", include_str!("regression/Test.sol"));

#[test]
fn ether_in_a_foundry_project() {
    let vault = Workplace::of_fixture("vault");
    let steps = [
        step("alice", "deposit()", []).value("1"),
        step("alice", "requestWithdrawal(uint256)", ["1"]),
        step("bob", "skim()", []),
    ];
    let finding = vault.finding("Vault", deployed([&address("carol")]), steps);
    vault.check(&[finding], &[SOLC], &[], |root| take_twin(&root.join("src"), "Vault"));
    let text = std::fs::read_to_string(vault.project.root.join("test/Vault.bellwether.t.sol")).unwrap();
    expect![[r#"
        // SPDX-License-Identifier: UNLICENSED
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
            address constant alice = 0x00000000000000000000000000000000000A11cE;
            address constant bob = 0x0000000000000000000000000000000000000B0b;
            address constant carol = 0x00000000000000000000000000000000000ca401;

            function setUp() public {
                vm.chainId(1);
                vm.warp(1_700_000_000);
                vm.roll(18_500_000);
                vm.deal(owner, 1_000_000 ether);
                vm.deal(alice, 1_000_000 ether);
                vm.deal(bob, 1_000_000 ether);
                vm.deal(carol, 1_000_000 ether);
            }

            // Finding 9277804e2726d70f: assertion can fail, src/Vault.sol:78.
            //   1. owner: new Vault(carol) → ok
            //   2. alice: deposit{value: 1 wei}() → ok
            //        totalShares: 0 → 1
            //        sharesOf[alice]: 0 → 1
            //        balance: 0 → 1 wei
            //   3. alice: requestWithdrawal(1) → ok
            //        totalShares: 1 → 0
            //        totalQueued: 0 → 1
            //        queuedOf[alice]: 0 → 1
            //        sharesOf[alice]: 1 → 0
            //   4. bob: skim() → panic 0x01: assertion failed
            function test_regression_assertion_skim() public {
                address target;
                vm.prank(owner);
                try new Vault(carol) returns (Vault deployed) {
                    target = address(deployed);
                } catch {
                    return; // The constructor refuses this now.
                }
                bool success;
                bytes memory result;

                vm.prank(alice);
                (success,) = target.call{value: 1 wei}(abi.encodeWithSignature("deposit()"));

                vm.prank(alice);
                (success,) = target.call(abi.encodeWithSignature("requestWithdrawal(uint256)", uint256(1)));

                bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
                vm.prank(bob);
                (success, result) = target.call(abi.encodeWithSignature("skim()"));
                require(success || keccak256(result) != keccak256(panic), "assertion can fail: src/Vault.sol:78");
            }
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn time_constructor_arguments_and_forge_std() {
    let auction = Workplace::with(|root| {
        copy(&fixture("auction"), root);
        write(&root.join(FORGE_STD.0), FORGE_STD.1);
    });
    let steps = [
        step("alice", "bid()", []).value("1"),
        step("alice", "reclaim()", []).after(3_600 + 86_400),
        step("bob", "settle()", []),
    ];
    let finding = auction.finding("Auction", deployed([&address("bob"), "3600"]), steps);
    auction.check(&[finding], &[SOLC], &[], |root| take_twin(&root.join("src"), "Auction"));
    let text = std::fs::read_to_string(auction.project.root.join("test/Auction.bellwether.t.sol")).unwrap();
    expect![[r#"
        // SPDX-License-Identifier: UNLICENSED
        pragma solidity ^0.8.20;

        import {Test} from "forge-std/Test.sol";
        import {Auction} from "../src/Auction.sol";

        // What Bellwether found in Auction. A test fails as long as its defect is there.
        contract AuctionBellwetherTest is Test {
            address constant owner = 0x000000000000000000000000000000000000F00D;
            address constant alice = 0x00000000000000000000000000000000000A11cE;
            address constant bob = 0x0000000000000000000000000000000000000B0b;
            address constant carol = 0x00000000000000000000000000000000000ca401;

            function setUp() public {
                vm.chainId(1);
                vm.warp(1_700_000_000);
                vm.roll(18_500_000);
                vm.deal(owner, 1_000_000 ether);
                vm.deal(alice, 1_000_000 ether);
                vm.deal(bob, 1_000_000 ether);
                vm.deal(carol, 1_000_000 ether);
            }

            // Finding 5af45d8303ad0078: assertion can fail, src/Auction.sol:87.
            //   1. owner: new Auction(bob, 3600) → ok
            //   2. alice: bid{value: 1 wei}() → ok
            //        highestBidder: address(0) → alice
            //        highestBid: 0 → 1
            //        balance: 0 → 1 wei
            //   3. after 25 hours, alice: reclaim() → ok
            //        highestBidder: alice → address(0)
            //        totalPending: 0 → 1
            //        pendingReturns[alice]: 0 → 1
            //   4. bob: settle() → panic 0x01: assertion failed
            //        until it failed, settled: false → true
            function test_regression_assertion_settle() public {
                address target;
                vm.prank(owner);
                try new Auction(payable(bob), uint256(3600)) returns (Auction deployed) {
                    target = address(deployed);
                } catch {
                    return; // The constructor refuses this now.
                }
                bool success;
                bytes memory result;

                vm.prank(alice);
                (success,) = target.call{value: 1 wei}(abi.encodeWithSignature("bid()"));

                // 25 hours later
                vm.warp(1_700_090_000);
                vm.roll(18_507_500);
                vm.prank(alice);
                (success,) = target.call(abi.encodeWithSignature("reclaim()"));

                bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
                vm.prank(bob);
                (success, result) = target.call(abi.encodeWithSignature("settle()"));
                require(success || keccak256(result) != keccak256(panic), "assertion can fail: src/Auction.sol:87");
            }
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn two_contracts_that_know_each_other() {
    let system = Workplace::of_fixture("system");
    let harness = system.harness("", "Market");
    let step = |contract: &str, step: Step| {
        let mut json = step.json();
        json["contract"] = json!(contract);
        json
    };
    let [market, coin] = [0, 1].map(|id| World::address(InstanceId(id)).to_string());
    let sequence = json!([
        step("coin", self::step("owner", "constructor(address)", [&market])),
        step("Market", self::step("owner", "constructor(address)", [&coin])),
        step("Market", self::step("alice", "buy()", []).value("1")),
        step("coin", self::step("alice", "burn(uint256)", ["1"])),
        step("Market", self::step("bob", "audit()", [])),
    ]);
    let finding = system.finding_by(&harness, &sequence);
    system.check(&[finding], &[SOLC], &["--contracts", "."], |root| take_twin(root, "Market"));
    let text = std::fs::read_to_string(system.project.root.join("test/Market.bellwether.t.sol")).unwrap();
    expect_file!["regression/Market.bellwether.t.sol"].assert_eq(&text);
}

#[test]
fn a_contract_at_an_address_that_stands_in_the_source() {
    let text = "pragma solidity ^0.8.20;
        interface IRegistry { function register(address who) external; function count() external view returns (uint256); }
        contract Registry { uint256 public count; constructor() { count = 1; }
            function register(address) external { count += 1; } }
        contract C {
            IRegistry constant REGISTRY = IRegistry(0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24);
            constructor() { REGISTRY.register(address(this)); }
            function check() external view { assert(REGISTRY.count() == 1); }
        }\n";
    let place = Workplace::of_files([("foundry.toml", ""), ("src/C.sol", text)]);
    let harness = place.harness("", "C");
    let step = |contract: &str, step: Step| {
        let mut json = step.json();
        json["contract"] = json!(contract);
        json
    };
    let finding = place.finding_by(
        &harness,
        &json!([
            step("registry", self::step("owner", "constructor()", [])),
            step("C", self::step("owner", "constructor()", [])),
            step("C", self::step("alice", "check()", [])),
        ]),
    );
    place.check(&[finding], &[SOLC], &[], |root| write(&root.join("src/C.sol"), &text.replace("== 1", "== 2")));
    let text = std::fs::read_to_string(place.project.root.join("test/C.bellwether.t.sol")).unwrap();
    let function = text.split("function test_").nth(1).unwrap();
    expect![[r#"
        regression_assertion_check() public {
                bool success;

                bytes memory registryCode = vm.getCode("src/C.sol:Registry");
                address registry = 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24;
                vm.etch(registry, registryCode);
                vm.prank(owner);
                (success, registryCode) = registry.call("");
                if (!success) return; // The constructor refuses this now.
                vm.etch(registry, registryCode);

                vm.prank(owner);
                address target = address(new C());
                bytes memory result;

                bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
                vm.prank(alice);
                (success, result) = target.call(abi.encodeWithSignature("check()"));
                require(success || keccak256(result) != keccak256(panic), "assertion can fail: src/C.sol:8");
            }
        }
    "#]]
    .assert_eq(function);
}

/// What fuzzing a contract of a fixture finds becomes a test, red with the defect and green with the repaired twin.
fn check_what_is_found(name: &str, contract: &str) {
    let system = Workplace::of_fixture(name);
    // How soon a defect is found is not the point here.
    let of_seed = |seed| fuzz_contracts(&system.build, &system.project.config, seed, 400_000, &[contract]).findings;
    let is_planted = |finding: &std::sync::Arc<Finding>| finding.violation.oracle == "assertion";
    let found =
        (1..=24).find_map(|seed| of_seed(seed).into_iter().find(is_planted)).expect("it is found with some seed");
    system.check(&[Finding::clone(&found)], &[SOLC], &[], |root| take_twin(&root.join("src"), contract));
}

#[test]
fn a_pool_with_two_tokens() {
    check_what_is_found("pool", "StakingPool");
}

#[test]
fn a_market_with_a_price_feed_that_nothing_implements() {
    check_what_is_found("lending", "LendingMarket");
}

#[test]
fn a_treasury_behind_a_proxy() {
    check_what_is_found("treasury", "Treasury");
}

#[test]
fn a_governor_with_votes() {
    check_what_is_found("governor", "Governor");
}

#[test]
fn a_vault_on_a_vault() {
    check_what_is_found("wrapper", "Wrapper");
}

#[test]
fn a_pair_that_a_factory_creates() {
    let system = Workplace::of_fixture("pairs");
    let harness = system.harness("", "Factory");
    let tokens = ["token", "token2"].map(|name| harness.calls.instance(harness.calls.named(name).unwrap()).address);
    let [first, second] = tokens.map(|token| token.to_string());
    let call = |contract: &str, step: Step| {
        let mut json = step.json();
        json["contract"] = json!(contract);
        json
    };
    let deploy = |contract: &str| call(contract, step("owner", "constructor(string,string)", ["\"T\"", "\"T\""]));
    let mut sequence = vec![
        deploy("token"),
        deploy("token2"),
        call("Factory", step("owner", "constructor()", [])),
        call("Factory", step("alice", "createPair(address,address)", [&first, &second])),
    ];
    // The pair's address follows from the factory's and from the code.
    let mut created = None;
    let prefix = Sequence::from_json(&json!(sequence), &harness.calls).unwrap();
    harness.run(&mut harness.executor(), &prefix, |step| created = step.after.created().next());
    let pair = created.unwrap().to_string();
    let on_pair = |step: Step| {
        let mut json = call("pair", step);
        json["address"] = json!(pair);
        json
    };
    let (out0, out1, paid) = if tokens[0] < tokens[1] { ("0", "1", "token") } else { ("1", "0", "token2") };
    let paid = if tokens[0] < tokens[1] { paid } else { "token" };
    sequence.extend([
        call("token", step("owner", "mint(address,uint256)", [&pair, "2"])),
        call("token2", step("owner", "mint(address,uint256)", [&pair, "2"])),
        on_pair(step("alice", "mint(address)", [&address("alice")])),
        call(paid, step("owner", "mint(address,uint256)", [&pair, "1"])),
        on_pair(step("bob", "swap(uint256,uint256,address,bytes)", [out0, out1, &address("bob"), "0x"])),
    ]);
    let finding = system.finding_by(&harness, &json!(sequence));
    system.check(&[finding], &[SOLC], &[], |root| {
        take_twin(&root.join("src"), "Pair");
        std::fs::remove_file(root.join("src/FactoryFixed.sol")).unwrap();
    });
    let text = std::fs::read_to_string(system.project.root.join("test/Factory.bellwether.t.sol")).unwrap();
    expect_file!["regression/Factory.bellwether.t.sol"].assert_eq(&text);
}

#[test]
fn a_view_function_in_a_hardhat_project() {
    let vesting = Workplace::of_fixture("vesting");
    let steps = [
        step("owner", "fund()", []).value("2"),
        step("owner", "revoke()", []).after(43_200),
        step("alice", "releasable()", []),
    ];
    let finding = vesting.finding("Vesting", deployed([&address("bob"), "86400"]), steps);
    vesting.check(&[finding], &[SOLC], &[], |root| take_twin(&root.join("contracts"), "Vesting"));
}

#[test]
fn a_plain_project() {
    let token = Workplace::of_fixture("token");
    let owner = address("owner");
    let steps = [
        step("owner", "approve(address,uint256)", [&owner, "1"]),
        step("owner", "transferFrom(address,address,uint256)", [&owner, &owner, "1"]),
        step("owner", "burn(uint256)", ["0"]),
    ];
    let finding = token.finding("Token", deployed([]), steps);
    token.check(&[finding], &[SOLC], &[], |root| take_twin(root, "Token"));
}

#[test]
fn a_project_with_remappings() {
    let channel = Workplace::of_fixture("channel");
    let steps = [
        step("alice", "open(address,uint256)", [&address("bob"), "1"]).value("1"),
        step("alice", "pledge(uint256,uint256)", ["0", "1"]),
        step("bob", "claim(uint256)", ["0"]),
        step("bob", "close(uint256)", ["0"]),
    ];
    let finding = channel.finding("Channel", deployed([]), steps);
    channel.check(&[finding], &[SOLC], &[], |root| take_twin(&root.join("src"), "Channel"));
}

#[test]
fn several_findings_of_one_contract_share_a_file() {
    let checks = Workplace::of_fixture("checks");
    let of = |contract, last| checks.finding(contract, deployed([]), [last]);
    let splitter = |last| checks.finding("Splitter", deployed([]), [step("owner", "removeMember()", []), last]);
    let findings = [
        splitter(step("alice", "share(uint256)", ["0"])),
        splitter(step("alice", "left(uint256)", ["0"])),
        splitter(step("alice", "left(uint256)", ["1"])),
        of("Board", step("alice", "scoreAt(uint256)", ["0"])),
        of("Proposal", step("alice", "moveTo(uint8)", ["3"])),
        of("Notebook", step("alice", "undo()", [])),
        of("Calculator", step("alice", "compute(uint256)", ["0"])),
    ];
    checks.check(&findings, &[SOLC], &[], |root| take_twin(&root.join("src"), "Checks"));
    let text = std::fs::read_to_string(checks.project.root.join("test/Splitter.bellwether.t.sol")).unwrap();
    let names: Vec<_> = text
        .split("function test_regression_compiler_check_")
        .skip(1)
        .map(|it| it.split('(').next().unwrap())
        .collect();
    assert_eq!(names, ["share", "left", "left_2"]);
}

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

#[test]
fn writes_that_reach_any_slot() {
    let wallet = Workplace::of_fixture("wallet");
    // In both the array is the second variable.
    let index = |size: u64| {
        let start = U256::from_be_bytes(keccak256(U256::ONE.to_be_bytes::<32>()).0);
        (SENTINEL_SLOT.wrapping_sub(start) / U256::from(size)).to_string()
    };
    let findings = [
        wallet.finding(
            "BonusWallet",
            deployed([]),
            [step("bob", "removeLast()", []), step("bob", "replace(uint256,uint256)", [&index(1), "7"])],
        ),
        wallet.finding("Cabinet", deployed([]), [step("bob", "put(uint256,uint256)", [&index(2), "7"])]),
        wallet.finding(
            "Preferences",
            deployed([]),
            [step("bob", "set(bytes32,uint256)", [&B256::from(SENTINEL_SLOT).to_string(), "7"])],
        ),
    ];
    wallet.check(&findings, &["0.4.26", SOLC], &["--contracts", "."], |root| {
        for contract in ["BonusWallet", "Cabinet", "Preferences"] {
            take_twin(root, contract);
        }
    });
}

#[test]
fn contracts_that_anyone_takes_over() {
    let takeover = Workplace::of_fixture("takeover");
    let alice = address("alice");
    let findings = [
        takeover.finding(
            "Plugins",
            deployed([]),
            // Whoever sends them, the test has one who has no role.
            [step("owner", "use(address)", [&alice]), step("bob", "run(bytes)", ["0x"])],
        ),
        takeover.finding(
            "Till",
            deployed([]),
            [step("bob", "handTo(address)", [&address("bob")]), step("bob", "close(address)", [&alice])],
        ),
        takeover.finding("Kiosk", deployed([]), [step("bob", "serve(address,bytes)", [&alice, "0x"])]),
        takeover.finding(
            "Kiosk",
            deployed([]),
            [step("bob", "serve(address,bytes)", [&address("bob"), "0x"]), step("bob", "giveUp()", [])],
        ),
    ];
    takeover.check(&findings, &["0.4.26", SOLC], &["--contracts", "."], |root| {
        for contract in ["Plugins", "Till", "Kiosk"] {
            take_twin(root, contract);
        }
    });
}

#[test]
fn payments_that_are_called_back_in_refused_moved_or_taken() {
    let payments = Workplace::of_fixture("payments");
    let bob = address("bob");
    let deposit = || step("bob", "deposit()", []).value("1");
    let join = |player| step(player, "join()", []).value("1000000000");
    let answer = keccak256(U256::from(7).to_be_bytes::<32>()).to_string();
    let findings = [
        payments.finding("Bank", deployed([]), [deposit(), step("bob", "withdraw()", [])]),
        payments.finding("Safe", deployed([]), [deposit(), step("bob", "withdraw()", [])]),
        payments.finding("Fund", deployed([]), [deposit(), step("bob", "withdraw(uint256)", ["1"])]),
        payments.finding(
            "Wages",
            deployed([]),
            [step("carol", "add(address)", [&bob]).value("1"), step("bob", "collect()", [])],
        ),
        payments.finding(
            "Wheel",
            deployed([]).value("1000000000"),
            [step("bob", "turn()", []).value("1000000000").after(4)],
        ),
        payments.finding("Raffle", deployed([]), [join("alice"), join("bob"), step("bob", "draw()", [])]),
        payments.finding(
            "Jar",
            deployed([]),
            [step("carol", "receive()", []).value("5"), step("bob", "setUpJar()", []), step("bob", "empty()", [])],
        ),
        payments.finding("Drop", deployed([]), [step("bob", "take()", []).accepted_by("bob")]),
        payments.finding(
            "Puzzle",
            deployed([&answer]).value("1000000000000000000"),
            [step("bob", "solve(uint256)", ["7"])],
        ),
    ];
    payments.check(&findings, &["0.4.26", SOLC], &["--contracts", "."], |root| {
        for contract in ["Bank", "Safe", "Fund", "Wages", "Wheel", "Raffle", "Jar", "Drop", "Puzzle"] {
            take_twin(root, contract);
        }
    });
}

#[test]
fn tokens_that_anyone_takes() {
    let token = "pragma solidity ^0.8.20;
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    function mint(address to, uint256 amount) external { balanceOf[to] += amount; emit Transfer(address(0), to, amount); }
    function approve(address spender, uint256 amount) external { allowance[msg.sender][spender] = amount; }
    function transfer(address to, uint256 amount) external { move(msg.sender, to, amount); }
    function transferFrom(address from, address to, uint256 amount) external { allowance[from][msg.sender] -= amount; move(from, to, amount); }
    function move(address from, address to, uint256 amount) private { balanceOf[from] -= amount; balanceOf[to] += amount; emit Transfer(from, to, amount); }
}
";
    let vault = "pragma solidity ^0.8.20;
import \"./Token.sol\";
contract Vault {
    Token public immutable token;
    mapping(address => uint256) public deposits;
    constructor(Token coin) { token = coin; }
    function deposit(uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); deposits[msg.sender] += amount; }
    function withdraw(uint256 amount) external { token.transfer(msg.sender, amount); }
}
";
    let bank = Workplace::of_files([
        ("foundry.toml", "[profile.default]\n"),
        ("src/Token.sol", token),
        ("src/Vault.sol", vault),
    ]);
    let found = fuzz_contracts(&bank.build, &bank.project.config, 1, 20_000, &["Vault"]).findings;
    let found: Vec<Finding> = found.iter().map(|finding| Finding::clone(finding)).collect();
    assert_eq!(found.iter().map(|finding| &*finding.what).collect::<Vec<_>>(), ["anyone can take tokens"]);
    bank.check(&found, &[SOLC], &[], |root| {
        write(
            &root.join("src/Vault.sol"),
            &vault.replace("{ token.transfer(", "{ deposits[msg.sender] -= amount; token.transfer("),
        );
    });
}

#[test]
fn results_that_go_around() {
    let overflow = Workplace::of_fixture("overflow");
    let (alice, carol) = (address("alice"), address("carol"));
    let half = (U256::ONE << 255_usize).to_string();
    let findings = [
        overflow.finding(
            "Coupons",
            deployed([]),
            [step("bob", "hand(address[],uint256)", [&format!("[{alice}, {carol}]"), &half])],
        ),
        overflow.finding(
            "Locker",
            deployed([]),
            [
                step("bob", "put()", []).value("1"),
                step("bob", "lockLonger(uint256)", [&(U256::MAX - U256::from(1_700_000_000)).to_string()]),
            ],
        ),
        overflow.finding("Ledger", deployed([]), [step("bob", "spend(uint256)", ["1"])]),
        overflow.finding("Ledger", deployed([]), [step("bob", "power(uint256)", ["78"])]),
    ];
    overflow.check(&findings, &["0.4.26", "0.5.17", SOLC], &["--contracts", "."], |root| {
        for contract in ["Coupons", "Locker", "Ledger"] {
            take_twin(root, contract);
        }
    });
}

#[test]
fn variables_that_are_written_as_others() {
    let slots = Workplace::of_fixture("slots");
    let found = [
        slots.finding("Vault", deployed([]), [step("alice", "setFee(uint256)", ["7"])]),
        slots.finding("PointLedger", deployed([]), [step("alice", "begin(uint256)", ["5"])]),
        slots.finding("PointLedger", deployed([]), [step("alice", "mark(address)", [&address("bob")])]),
        slots.finding("Switch", deployed([]), [step("alice", "stop()", [])]),
    ];
    slots.check(&found, &[SOLC, "0.5.17"], &["--contracts", "."], |root| {
        ["Vault", "PointLedger", "Switch"].iter().for_each(|name| take_twin(root, name));
    });
    let text = std::fs::read_to_string(slots.project.root.join("test/PointLedger.bellwether.t.sol")).unwrap();
    let calls: Vec<&str> = text.lines().map(str::trim).filter(|line| line.contains("target.")).collect();
    expect![[r#"
        (, bytes memory before) = target.staticcall(abi.encodeWithSignature("keeper()"));
        (success,) = target.call(abi.encodeWithSignature("begin(uint256)", uint256(5)));
        (, bytes memory afterwards) = target.staticcall(abi.encodeWithSignature("keeper()"));
        (, bytes memory before) = target.staticcall(abi.encodeWithSignature("points(address)", bob));
        (success,) = target.call(abi.encodeWithSignature("mark(address)", bob));
        (, bytes memory afterwards) = target.staticcall(abi.encodeWithSignature("points(address)", bob));"#]]
    .assert_eq(&calls.join("\n"));
}

#[test]
fn a_variable_that_is_moved_out_of_the_way_is_not_overwritten_any_more() {
    let stop = "pragma solidity ^0.8.20;
        contract A { address public owner = msg.sender; uint256 private constant STOPPED = 0;
            function stop() external { assembly { sstore(STOPPED, 1) } } }";
    let contract = Workplace::of_files([FOUNDRY, ("src/A.sol", stop)]);
    let finding = contract.finding("A", deployed([]), [step("alice", "stop()", [])]);
    contract.check(&[finding], &[SOLC], &[], |root| {
        write(
            &root.join("src/A.sol"),
            &stop.replace("address public owner", "uint256 private stopped; address public owner"),
        );
    });
}

#[test]
fn contracts_that_fail_and_calls_that_go_on_anywhere() {
    let calls = Workplace::of_fixture("calls");
    let findings = [
        calls.finding("Relay", deployed([]), [step("bob", "send(uint256)", ["11"])]),
        calls.finding("Agent", deployed([]), [step("bob", "hire(uint256)", ["0"])]),
        calls.finding("Menu", deployed([]), [step("bob", "serve(uint256)", ["1"])]),
        calls.finding("Scale", deployed([]), [step("bob", "readEmpty()", [])]),
    ];
    calls.check(&findings, &["0.4.26", SOLC], &["--contracts", "."], |root| {
        for contract in ["Relay", "Agent", "Menu", "Scale"] {
            take_twin(root, contract);
        }
    });
}

const OLD: &str = include_str!("regression/Shares.sol");

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

const POT: &str = include_str!("regression/Pot.sol");

const ODD: &str = include_str!("regression/Odd.sol");

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

#[test]
fn contracts_of_one_name_have_files_of_their_own() {
    let pots = Workplace::of_files([FOUNDRY, ("src/a/Pot.sol", POT), ("src/b/Pot.sol", POT)]);
    let findings = ["src/a/Pot.sol", "src/b/Pot.sol"]
        .map(|file| pots.finding_of(&pots.harness(file, "Pot"), deployed([]), [step("alice", "open()", [])]));
    let paths = findings.each_ref().map(|finding| pots.project.relative(&regression_path(finding, &pots.project)));
    assert_eq!(paths, ["test/src/a/Pot/Pot.bellwether.t.sol", "test/src/b/Pot/Pot.bellwether.t.sol"]);
    for finding in &findings {
        let test = regression_test(finding, &pots.project, None).unwrap();
        let TestChange::Create(text) = test.change else { panic!("{:?}", test.change) };
        assert!(text.contains(&format!("from \"../../../../{}\"", finding.file)), "{text}");
    }
    let elsewhere = pots.project.root.join("Mine.t.sol");
    let test = regression_test_at(&elsewhere, &findings[0], &pots.project, None).unwrap();
    assert_eq!(test.path, elsewhere);
    assert!(matches!(test.change, TestChange::Create(text) if text.contains("from \"./src/a/Pot.sol\"")));
}

const HIDDEN: &str = include_str!("regression/Hidden.sol");

#[test]
fn what_no_test_can_see_is_told() {
    let hidden = Workplace::of_files([FOUNDRY, ("src/Hidden.sol", HIDDEN)]);
    let finding = hidden.finding("Hidden", deployed([]), [step("alice", "run(uint256)", ["7"])]);
    let error = regression_test(&finding, &hidden.project, None).unwrap_err();
    assert!(matches!(error, RegressionError::NotVisible { .. }), "{error}");
}

#[test]
fn whoever_reacts_and_whoever_is_tricked() {
    let contracts = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Prize {
    uint256 public failed;

    function pay(address payable to) external payable {
        (bool ok,) = to.call{value: msg.value}(\"\");
        if (!ok) failed++;
        assert(failed == 0);
    }
}

contract Race {
    uint256 public left = 1_000_000;

    function run(address to) external {
        uint256 before = gasleft();
        (bool ok,) = to.call{gas: 500_000}(\"\");
        assert(ok || before - gasleft() < 400_000);
    }
}

contract Parcel {
    function get(address to) external {
        (bool ok, bytes memory all) = to.call{gas: 100_000}(\"\");
        assert(!ok || all.length < 10_000);
    }
}

contract Wallet {
    address owner = msg.sender;

    receive() external payable {}

    function pay(address payable to, uint256 amount) external {
        require(tx.origin == owner, \"not the owner\");
        to.transfer(amount);
    }
}
";
    let place = Workplace::of_files([FOUNDRY, ("src/All.sol", contracts)]);
    let call = |contract: &str, function: &str, arguments: Value, reaction: Value| {
        json!([
            { "function": "constructor()", "args": [], "sender": address("owner"), "value": "0" },
            { "contract": contract, "function": function, "args": arguments, "sender": address("owner"), "value": "0",
              "reaction": reaction },
        ])
    };
    let reacts = |contract: &str, function: &str, deed: &str| {
        let reaction = json!({ "account": address("alice"), "deed": deed });
        place.finding_by(&place.harness("", contract), &call(contract, function, json!([address("alice")]), reaction))
    };
    let pay = json!({ "function": "pay(address,uint256)", "args": [address("alice"), "1"], "sender": address("alice"),
        "value": "0" });
    let tricked = json!({ "account": address("alice"), "deed": "call", "call": pay });
    let mut steal = call("Wallet", "pay(address,uint256)", json!([address("alice"), "1"]), tricked);
    steal[1]["address"] = json!(address("alice"));
    let paid = json!({ "function": "receive()", "args": [], "sender": address("owner"), "value": "1" });
    steal.as_array_mut().unwrap().insert(1, paid);
    let findings = [
        reacts("Prize", "pay(address)", "refuse"),
        reacts("Race", "run(address)", "burn-gas"),
        reacts("Parcel", "get(address)", "bomb"),
        place.finding_by(&place.harness("", "Wallet"), &steal),
    ];
    place.check(&findings, &[SOLC], &[], |root| {
        let file = root.join("src/All.sol");
        let text = std::fs::read_to_string(&file).unwrap();
        write(&file, &text.replace("assert(", "require(").replace("tx.origin", "msg.sender"));
    });
}
