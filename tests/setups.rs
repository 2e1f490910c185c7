//! Contracts in the world that the `setUp()` of a test contract makes: what is called there and by whom, what is found, and how it is told
//! and tested.

mod support;

use bellwether::{
    finding::{Finding, TestChange, regression_path, regression_test},
    fuzz::Event,
    harness::Harness,
    input::CallId,
};
use expect_test::{Expect, expect};
use std::{collections::BTreeSet, fmt::Write, fs, sync::Arc};
use support::{
    campaign::{Ended, fuzz_build, fuzz_contracts},
    forge::{forge_fmt, forge_test},
    running::Running,
    sandbox::Sandbox,
};

/// Transactions for each contract.
const EXECUTIONS: u64 = 10_000;
/// The compiler, also for the real forge.
const SOLC: &str = "0.8.37";

const FOUNDRY: &str = "[profile.default]\nsrc = \"src\"\ntest = \"test\"\nlibs = []\n";

/// A vault whose owner has to open it, for a token that only its minter can make.
const VAULT: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Token {
    mapping(address => uint256) public balanceOf;
    address public minter = msg.sender;

    function mint(address to, uint256 amount) external {
        require(msg.sender == minter, "minter");
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        require(msg.sender == from || msg.sender == minter, "sender");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

contract Vault {
    /// The hash of 777.
    bytes32 constant FEE = 0x9c8f5614bb174c2ae47564e24b9d7eabd43fca7dc7703456c9f9316a14953b77;
    Token public token;
    address public owner = msg.sender;
    uint256 public fee;
    uint256 public total;
    mapping(address => uint256) public shares;

    constructor(Token token_) {
        token = token_;
    }

    function configure(uint256 fee_) external {
        require(msg.sender == owner && fee == 0, "owner");
        fee = fee_;
    }

    function deposit(uint256 amount) external {
        require(fee > 0 && token.balanceOf(msg.sender) >= amount, "closed");
        shares[msg.sender] += amount - fee;
        total += amount;
        assert(keccak256(abi.encode(fee)) != FEE || total < 1_500);
    }

    function collect() external payable {}

    function empty(address payable to) external {
        require(shares[msg.sender] == 0 && total > 1_000);
        to.transfer(address(this).balance);
    }
}
"#;

const TEST: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Token, Vault} from "../src/Vault.sol";

interface Vm {
    function prank(address sender) external;
    function store(address account, bytes32 slot, bytes32 word) external;
}

contract Cheater {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Vault vault;

    constructor(Vault vault_) {
        vault = vault_;
    }

    function cheat(uint256 total) external {
        vm.store(address(vault), bytes32(uint256(3)), bytes32(total));
    }
}

contract VaultTest {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    address alice = address(uint160(0xA11CE0000));
    Token token;
    Vault vault;
    Cheater cheater;

    function setUp() public {
        token = new Token();
        vault = new Vault(token);
        cheater = new Cheater(vault);
        vault.configure(777);
        token.mint(alice, 10_000);
        vm.prank(alice);
        vault.deposit(1_200);
    }

    function test_shares() public view {
        require(vault.shares(alice) == 423);
    }
}
"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new("");
    for (path, text) in [("foundry.toml", FOUNDRY), ("src/Vault.sol", VAULT), ("test/Vault.t.sol", TEST)] {
        sandbox.write(path, text);
    }
    sandbox
}

fn fuzz(sandbox: &mut Sandbox) -> Ended {
    fuzz_build(&sandbox.build(), &sandbox.project().config, 1, EXECUTIONS)
}

/// A contract in the world that `VaultTest` sets up.
fn made(sandbox: &mut Sandbox, file: &str, contract: &str) -> Harness {
    let build = sandbox.build();
    let programs = Arc::new(bellwether::code::Programs::of(&build));
    let of = |file: &str, contract: &str| build.find_contract(file, contract).unwrap();
    let suite = Harness::new(build.clone(), programs, of("test/Vault.t.sol", "VaultTest")).unwrap();
    Harness::made_in(&suite, of(file, contract)).unwrap()
}

/// Compares the findings, as contract and line, message and reason, with those in the world of a test contract marked.
fn check(findings: &[Arc<Finding>], expected: Expect) {
    let mut told = String::new();
    for finding in findings {
        let suite = finding.harness.suite().map(|suite| format!(" in {}", suite.name)).unwrap_or_default();
        let (contract, oracle, line) = (&finding.contract, finding.violation.oracle, finding.lines.line);
        writeln!(told, "{contract}{suite}, line {line}: {oracle}: {}\n  {}", finding.message, finding.because).unwrap();
    }
    expected.assert_eq(&told);
}

#[test]
fn what_a_setup_makes_is_fuzzed_there_as_well() {
    let ended = fuzz(&mut sandbox());
    check(
        &ended.findings,
        expect![[r#"
            Vault in VaultTest, line 42: assertion: assertion can fail: VaultTest.setUp(), token.mint(VaultTest, 777), deposit(777)
              An assertion states what always holds, and this sequence breaks it.
            Vault in VaultTest, line 49: ether-theft: anyone can take ether: VaultTest.setUp(), collect{value: 1 wei}(), empty(alice)
              Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 1 wei.
        "#]],
    );
    assert_eq!(ended.errors, Vec::<String>::new());
    let told = ended.progress.iter().map(|it| format!("{}: {:?}\n", it.harness.compiled().name, it.suite));
    expect![[r#"
        Token: Some("VaultTest")
        Vault: Some("VaultTest")
        VaultTest: None
    "#]]
    .assert_eq(&told.collect::<String>());
}

#[test]
fn a_helper_that_cheats_is_a_plain_contract_when_others_call_it() {
    let safe = "pragma solidity ^0.8.20;
        contract Safe {
            uint256 public opened;
            uint256 public visits;
            function visit(address target) external {
                (bool success,) = target.call(\"\");
                visits += success ? 1 : 2;
                assert(opened == 0);
            }
        }";
    let test = "pragma solidity ^0.8.20;
        import {Safe} from \"../src/Safe.sol\";
        interface Vm { function store(address account, bytes32 slot, bytes32 word) external; }
        contract Opener {
            Safe safe;
            constructor(Safe safe_) { safe = safe_; }
            fallback() external {
                Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).store(address(safe), bytes32(0), bytes32(uint256(1)));
            }
        }
        contract SafeTest {
            Safe safe;
            Opener opener;
            function setUp() public {
                safe = new Safe();
                opener = new Opener(safe);
            }
            function test_nothing() public view { require(safe.opened() == 0); }
        }";
    let mut sandbox = Sandbox::new("");
    for (path, text) in [("foundry.toml", FOUNDRY), ("src/Safe.sol", safe), ("test/Safe.t.sol", test)] {
        sandbox.write(path, text);
    }
    let ended = fuzz(&mut sandbox);
    check(&ended.findings, expect![""]);
    let worlds = ended.progress.iter().filter(|it| it.harness.compiled().name == "Safe").map(|it| it.suite.as_deref());
    assert_eq!(worlds.collect::<Vec<_>>(), [Some("SafeTest")]);
}

#[test]
fn the_world_is_told_by_the_test_contract_that_makes_it() {
    let harness = made(&mut sandbox(), "src/Vault.sol", "Vault");
    let members = harness.members();
    let others = members.iter().skip(1).map(|member| format!("  {member}\n"));
    let told = format!("{}\n{}", harness.told_world(), others.collect::<String>());
    expect![[r#"
        Vault, in the world that setUp() of VaultTest makes
          VaultTest = VaultTest()
          token = Token, as setUp() creates it
          cheater = Cheater, as setUp() creates it
    "#]]
    .assert_eq(&told);
}

#[test]
fn whatever_cannot_cheat_is_called_by_everyone_whom_the_test_knows() {
    let harness = made(&mut sandbox(), "src/Vault.sol", "Vault");
    let called = |call: &CallId| {
        let instance = harness.calls.instance(call.target);
        format!("{}.{}", instance.name, harness.calls.function(*call).name)
    };
    let calls: BTreeSet<String> = harness.calls.state_changing().iter().map(called).collect();
    let senders: Vec<String> = harness.senders().iter().map(|sender| sender.to_string()).collect();
    let told = format!("{}\n{}\n", calls.into_iter().collect::<Vec<_>>().join("\n"), senders.join("\n"));
    expect![[r#"
        token.mint
        token.transferFrom
        vault.collect
        vault.configure
        vault.deposit
        vault.empty
        0x000000000000000000000000000000000000F00D
        0x00000000000000000000000000000000000A11cE
        0x0000000000000000000000000000000000000B0b
        0x00000000000000000000000000000000000ca401
        0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496
        0x0000000000000000000000000000000A11cE0000
    "#]]
    .assert_eq(&told);
}

#[test]
fn a_contract_that_only_a_setup_can_make_is_fuzzed_there_and_not_told_to_be_left_out() {
    let mut sandbox = sandbox();
    let only_by_tests = "require(msg.sender == 0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496);";
    sandbox.write("src/Vault.sol", &VAULT.replace("token = token_;", &format!("{only_by_tests} token = token_;")));
    let ended = fuzz(&mut sandbox);
    assert_eq!(ended.errors, Vec::<String>::new());
    let vault = ended.progress.iter().find(|it| it.harness.compiled().name == "Vault").unwrap();
    assert_eq!((vault.suite.as_deref(), vault.given_up.as_deref()), (Some("VaultTest"), None));
    assert!(vault.executions > 0);
}

#[test]
fn a_finding_there_is_a_test_that_inherits_the_test_contract() {
    let mut sandbox = sandbox();
    let found = fuzz(&mut sandbox).findings;
    let finding = found.iter().find(|finding| finding.harness.suite().is_some()).unwrap();
    let path = regression_path(finding, &sandbox.project());
    assert_eq!(path.strip_prefix(sandbox.root()).unwrap().to_str(), Some("test/VaultInVaultTest.bellwether.t.sol"));
    let TestChange::Create(text) = regression_test(finding, &sandbox.project(), None).unwrap().change else {
        unreachable!("there is no such file")
    };
    expect![[r#"
        // SPDX-License-Identifier: UNLICENSED
        pragma solidity ^0.8.20;

        import {VaultTest} from "./Vault.t.sol";

        interface BellwetherVm {
            function chainId(uint256 id) external;
            function coinbase(address account) external;
            function deal(address account, uint256 balance) external;
            function etch(address account, bytes calldata code) external;
            function fee(uint256 amount) external;
            function getCode(string calldata artifact) external view returns (bytes memory code);
            function prank(address sender) external;
            function prank(address sender, address origin) external;
            function prevrandao(uint256 word) external;
            function roll(uint256 number) external;
            function setNonceUnsafe(address account, uint64 nonce) external;
            function store(address account, bytes32 slot, bytes32 value) external;
            function warp(uint256 timestamp) external;
        }

        // What Bellwether found in Vault in the world of VaultTest. A test fails as long as its defect is there; the tests of VaultTest run here once more.
        contract VaultInVaultTestBellwetherTest is VaultTest {
            BellwetherVm private constant BELLWETHER_VM = BellwetherVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

            // Finding ba09e3d3a5caef8a: assertion can fail, src/Vault.sol:42.
            //   1. forge: new VaultTest() → ok
            //        VaultTest: alice: address(0) → VaultTest.alice
            //   2. forge: VaultTest.setUp() → ok
            //        token: address(0) → token
            //        owner: address(0) → VaultTest
            //        fee: 0 → 777
            //        total: 0 → 1200
            //        shares[VaultTest.alice]: 0 → 423
            //        token: minter: address(0) → VaultTest
            //        token: balanceOf[VaultTest.alice]: 0 → 10000
            //        VaultTest: token: address(0) → token
            //        VaultTest: vault: address(0) → vault
            //        VaultTest: cheater: address(0) → cheater
            //        cheater: vault: address(0) → vault
            //   3. VaultTest: token.mint(VaultTest, 777) → ok
            //        token: balanceOf[VaultTest]: 0 → 777
            //   4. VaultTest: deposit(777) → panic 0x01: assertion failed
            //        until it failed, total: 1200 → 1977
            function test_regression_assertion_deposit() public {
                address target = 0x2e234DAe75C793f67A35089C9d99245E1C58470b;
                address tokenInstance = 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f;
                bool success;
                bytes memory result;

                BELLWETHER_VM.prank(0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496);
                (success,) = tokenInstance.call(
                    abi.encodeWithSignature("mint(address,uint256)", 0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496, uint256(777))
                );

                bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
                BELLWETHER_VM.prank(0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496);
                (success, result) = target.call(abi.encodeWithSignature("deposit(uint256)", uint256(777)));
                require(success || keccak256(result) != keccak256(panic), "assertion can fail: src/Vault.sol:42");
            }
        }
    "#]].assert_eq(&text);
}

#[test]
fn such_tests_fail_under_forge_until_the_contract_is_mended() {
    let mut sandbox = sandbox();
    let found = fuzz(&mut sandbox).findings;
    let project = sandbox.project();
    let mut names = Vec::new();
    for finding in found.iter().filter(|finding| finding.harness.suite().is_some()) {
        let path = regression_path(finding, &project);
        let existing = fs::read_to_string(&path).ok();
        let test = regression_test(finding, &project, existing.as_deref()).unwrap();
        let text = test.change.apply(existing.as_deref().unwrap_or_default());
        fs::write(&path, &text).unwrap();
        assert_eq!(forge_fmt(&path), "", "{text}");
        let again = regression_test(finding, &project, Some(&text)).unwrap();
        assert_eq!(again.change, TestChange::Present);
        names.push(format!("VaultInVaultTestBellwetherTest::{}", test.name));
    }
    names.sort();
    let run = || forge_test(&sandbox.root(), &[SOLC], &["--match-test", "test_regression_"]);
    let red = run();
    assert_eq!(red.failed.into_iter().map(|(name, _)| name).collect::<Vec<_>>(), names, "{}", red.output);
    let mended = VAULT
        .replace(
            "        assert(keccak256(abi.encode(fee)) != FEE || total < 1_500);\n",
            "        require(keccak256(abi.encode(fee)) != FEE || total < 1_500);\n",
        )
        .replace("require(shares[msg.sender] == 0", "require(msg.sender == owner");
    sandbox.write("src/Vault.sol", &mended);
    let green = run();
    assert_eq!(green.failed, [], "{}", green.output);
    assert_eq!(green.passed, names, "{}", green.output);
}

#[test]
fn a_finding_there_follows_its_contract_and_its_test_contract() {
    let mut sandbox = sandbox();
    let running = Running::at_rest(1, &mut sandbox);
    // The assertion fails in the other world, too, once it is fuzzed for long.
    let is_theft_there =
        |finding: &&Arc<Finding>| finding.harness.suite().is_some() && finding.violation.oracle == "ether-theft";
    let lines = || {
        let findings = running.campaign.findings();
        findings.iter().filter(is_theft_there).map(|finding| finding.lines.line).collect::<Vec<_>>()
    };
    assert_eq!(lines(), [49]);
    let of_theft = running.campaign.findings().iter().find(is_theft_there).unwrap().id.clone();
    running.told();

    // A comment moves it.
    sandbox.write("src/Vault.sol", &VAULT.replace("contract Vault {", "// Opened by its owner.\ncontract Vault {"));
    running.turn_to(&mut sandbox, 2);
    assert_eq!(lines(), [50]);

    // While the file of the test contract does not compile, what is known of the same contract stays.
    sandbox.write("test/Vault.t.sol", &TEST.replace("vault.configure(777);", "vault.configure(777"));
    running.turn_to(&mut sandbox, 3);
    assert_eq!(lines(), [50]);

    // In another world it may be none.
    sandbox.write("test/Vault.t.sol", &TEST.replace("vault.deposit(1_200);", "vault.deposit(900);"));
    running.turn_to(&mut sandbox, 4);
    assert_eq!(lines(), [0; 0]);
    assert!(running.told().iter().any(|event| matches!(event, Event::Fixed { id, .. } if *id == of_theft)));

    // And when that is taken back, it is there again.
    sandbox.write("test/Vault.t.sol", TEST);
    running.turn_to(&mut sandbox, 5);
    assert_eq!(lines(), [50]);

    // Without the test contract there is no such world.
    fs::remove_file(sandbox.root().join("test/Vault.t.sol")).unwrap();
    running.turn_to(&mut sandbox, 6);
    assert_eq!(lines(), [0; 0]);
    assert_eq!(running.progress("Vault").suite, None);
}

#[test]
fn a_world_of_a_test_contract_stays_until_that_is_compiled_later() {
    let mut sandbox = sandbox();
    let running = Running::at_rest(1, &mut sandbox);
    let is_there = |finding: &&Arc<Finding>| finding.harness.suite().is_some();
    let thefts = || {
        let findings = running.campaign.findings();
        let thefts = findings.iter().filter(is_there).filter(|finding| finding.violation.oracle == "ether-theft");
        thefts.map(|finding| finding.lines.line).collect::<Vec<_>>()
    };
    let is_fixed = || running.told().iter().any(|event| matches!(event, Event::Fixed { .. }));
    assert_eq!(thefts(), [49]);
    running.told();

    // The contract is another one, and its test has still the code of before.
    let changed = VAULT.replace("contract Vault {", "// Opened by its owner.\ncontract Vault { uint256 public added;");
    sandbox.write("src/Vault.sol", &changed);
    let before_tests = sandbox.build_before_tests();
    assert!(before_tests.later.contains("test/Vault.t.sol"));
    running.campaign.rebase(&before_tests, &sandbox.project().config, 2);
    assert_eq!(thefts(), [49], "as it was told of the last good code");
    assert!(!is_fixed(), "nobody looked yet");

    running.turn_to(&mut sandbox, 3);
    assert_eq!(thefts(), [50], "replayed in the world of the new test");
}

#[test]
fn of_several_setups_the_one_that_is_named_after_the_contract_makes_its_world() {
    let mut sandbox = sandbox();
    let other = |name: &str, more: &str| {
        format!(
            "pragma solidity ^0.8.20;
            import {{Token, Vault}} from \"../src/Vault.sol\";
            contract {name} {{
                Token token; Token second; Vault vault;
                function setUp() public {{ token = new Token(); {more} }}
                function test_it() public {{}} }}"
        )
    };
    sandbox.write("test/All.t.sol", &other("AllTest", "second = new Token(); vault = new Vault(token);"));
    sandbox.write("test/Token.t.sol", &other("TokenTest", ""));
    let ended = fuzz(&mut sandbox);
    let told = ended.progress.iter().filter(|it| it.suite.is_some());
    let told = told.map(|it| format!("{}: {}\n", it.harness.compiled().name, it.suite.as_ref().unwrap()));
    expect![[r#"
        Token: TokenTest
        Vault: VaultTest
    "#]]
    .assert_eq(&told.collect::<String>());
}

#[test]
fn a_contract_that_is_named_is_fuzzed_in_the_world_of_a_test_contract_that_is_not() {
    let mut sandbox = sandbox();
    let ended = fuzz_contracts(&sandbox.build(), &sandbox.project().config, 1, 100, &["Vault"]);
    let told = ended.progress.iter().map(|it| (it.harness.compiled().name.as_str(), it.suite.as_deref()));
    assert_eq!(told.collect::<Vec<_>>(), [("Vault", Some("VaultTest"))]);
}
