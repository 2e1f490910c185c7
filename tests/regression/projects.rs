//! Where a test is written, and what it looks like there: projects of all kinds.

use crate::{
    contracts::POT,
    support::fixture,
    workplace::{FORGE_STD, FOUNDRY, SOLC, Workplace, address, copy, deployed, step, take_twin, write},
};
use bellwether::finding::{TestChange, regression_path, regression_test, regression_test_at};
use expect_test::expect;

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
