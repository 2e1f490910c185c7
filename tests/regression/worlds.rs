//! Contracts that need others beside them.

use crate::{
    support::campaign::fuzz_contracts,
    workplace::{SOLC, Step, Workplace, address, step, take_twin, write},
};
use bellwether::{
    finding::Finding,
    input::{InstanceId, Sequence},
    world::World,
};
use expect_test::{expect, expect_file};
use serde_json::json;

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
    expect_file!["Market.bellwether.t.sol"].assert_eq(&text);
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
    expect_file!["Factory.bellwether.t.sol"].assert_eq(&text);
}
