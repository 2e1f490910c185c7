//! Cheatcodes do what Foundry's do. The tests of `tests/cheatcodes/` are run here as forge runs them, and in the slow tier under forge itself:
//! what passes must pass under both, and what fails must fail under both for the same reason.

mod support;

use alloy_primitives::{Address, Bytes, U256, keccak256};
use bellwether::{
    code::Programs,
    compile::{Build, ContractId},
    evm::{
        ASSUME, BuildArtifacts, CHEATCODE_ADDRESS, CONSOLE_ADDRESS, Call, CallTarget, DEFAULT_SENDER, Executor,
        FailureKind, Outcome, Snapshot, Status, Support, TEST_ADDRESS, TEST_GAS, cheatcode_document,
        cheatcode_interface, cheatcodes,
    },
};
use expect_test::expect;
use proptest::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex},
};
use support::{forge, npm, sandbox::Sandbox, slow};

const SOLC: &str = "0.8.30";

/// A build of tests.
struct Tests {
    sandbox: Mutex<Sandbox>,
    build: Arc<Build>,
    programs: Arc<Programs>,
}

/// Where a test stands: the executor, and the state after `setUp`.
struct Ready {
    executor: Executor,
    state: Snapshot,
}

impl Tests {
    /// Of these files. They stand where contracts stand, since tests of a project are not compiled.
    fn of(sources: &[(String, String)]) -> Self {
        let mut tree = format!(
            "//- foundry.toml\n[profile.default]\nsrc = \"src\"\ntest = \"test\"\nlibs = [\"lib\"]\nsolc = \"{SOLC}\"\noffline = true\n"
        );
        for (path, text) in sources {
            tree += &format!("//- {path}\n{text}\n");
        }
        let mut sandbox = Sandbox::new(&tree);
        let build = sandbox.build();
        assert!(!build.has_errors(), "{:#?}", build.diagnostics);
        Self { sandbox: Mutex::new(sandbox), programs: Arc::new(Programs::of(&build)), build }
    }

    /// Of `tests/cheatcodes/`.
    fn ours() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cheatcodes");
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.is_file());
        files.sort();
        let read = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            (format!("src/{}", name.replace(".t.sol", ".sol")), std::fs::read_to_string(path).unwrap())
        };
        Self::of(&files.iter().map(read).collect::<Vec<_>>())
    }

    /// One contract of this source.
    fn single(source: &str) -> Self {
        let header = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n";
        Self::of(&[("src/A.sol".to_owned(), format!("{header}{source}"))])
    }

    /// The contracts with tests.
    fn contracts(&self) -> impl Iterator<Item = ContractId> {
        let has_tests = |id: &ContractId| !self.tests(*id).is_empty() && self.build.contract(*id).is_deployable();
        self.build.contract_ids().filter(has_tests)
    }

    /// The tests of a contract.
    fn tests(&self, id: ContractId) -> Vec<String> {
        let functions = self.build.contract(id).abi.functions();
        let tests = functions.filter(|function| function.name.starts_with("test") && function.inputs.is_empty());
        tests.map(|function| function.name.clone()).collect()
    }

    /// A test contract, deployed and set up as forge does it.
    fn ready(&self, id: ContractId) -> Result<Ready, String> {
        let contract = self.build.contract(id);
        let mut executor = Executor::new(self.programs.clone(), contract.evm_version);
        executor.set_cheatcodes(true);
        executor.set_call_gas(TEST_GAS);
        let artifacts = BuildArtifacts { build: self.build.clone(), libraries: BTreeMap::new() };
        executor.set_artifacts(Some(Arc::new(artifacts)));
        let genesis = Snapshot::for_tests();
        let creation = CallTarget::Create(TEST_ADDRESS, contract.creation.code.clone());
        let outcome = executor.run(&genesis, &call(&genesis, creation));
        if outcome.status != Status::Success {
            return Err(format!("constructor: {}", reason(&outcome)));
        }
        let mut state = executor.commit();
        if contract.abi.function("setUp").is_some() {
            let outcome = executor.run(&state, &call(&state, function("setUp()")));
            if outcome.status != Status::Success {
                return Err(format!("setUp: {}", reason(&outcome)));
            }
            state = executor.commit();
        }
        Ok(Ready { executor, state })
    }

    /// Runs all tests: `Contract::test`, with the reason for which it fails, or nothing.
    fn run(&self) -> BTreeMap<String, Option<String>> {
        let mut ended = BTreeMap::new();
        for id in self.contracts() {
            let ready = self.ready(id);
            for test in self.tests(id) {
                let name = format!("{}::{test}", self.build.contract(id).name);
                ended.insert(
                    name,
                    match &ready {
                        Ok(_) => self.ready(id).unwrap().fails(&test),
                        Err(why) => Some(why.clone()),
                    },
                );
            }
        }
        ended
    }
}

impl Ready {
    /// The reason for which a test fails.
    fn fails(&mut self, test: &str) -> Option<String> {
        let outcome = self.call(&format!("{test}()"));
        if outcome.status != Status::Success {
            return Some(reason(&outcome));
        }
        self.executor.after().has_failed().then(String::new)
    }

    /// Calls a function of the test contract.
    fn call(&mut self, signature: &str) -> Outcome {
        self.executor.run(&self.state, &call(&self.state, function(signature)))
    }
}

fn call(state: &Snapshot, target: CallTarget) -> Call {
    Call { sender: DEFAULT_SENDER, target, value: U256::ZERO, moment: state.moment(), scripted: None }
}

fn function(signature: &str) -> CallTarget {
    CallTarget::Account(TEST_ADDRESS, keccak256(signature)[..4].to_vec().into())
}

/// What forge says of a revert.
fn reason(outcome: &Outcome) -> String {
    let told = outcome.told(|_| None);
    let text = told.strip_prefix("revert \"").and_then(|rest| rest.strip_suffix('"'));
    // Quotes within are escaped.
    text.map_or(told.clone(), |text| text.replace("\\\"", "\""))
}

/// Those that fail.
fn failed(ended: &BTreeMap<String, Option<String>>) -> Vec<(String, String)> {
    ended.iter().filter_map(|(test, why)| Some((test.clone(), why.clone()?))).collect()
}

static OURS: LazyLock<Tests> = LazyLock::new(Tests::ours);

#[test]
fn tests_pass_and_fail_as_they_should() {
    let ended = OURS.run();
    let (meant, others): (Vec<_>, Vec<_>) =
        failed(&ended).into_iter().partition(|(test, _)| test.starts_with("FailsTest"));
    assert_eq!(others, []);
    let all = ended.keys().filter(|test| test.starts_with("FailsTest")).count();
    assert_eq!(meant.len(), all, "each of these fails");
    let told: Vec<String> =
        meant.iter().map(|(test, why)| format!("{}: {why}\n", &test["FailsTest::".len()..])).collect();
    expect![[r#"
        test_a_log_too_few: log != expected log
        test_a_log_too_many: log emitted but expected 0 times
        test_a_revert_of_the_test_itself: call didn't revert at a lower depth than cheatcode call depth
        test_another_emitter: log emitter mismatch: expected=0x0000000000000000000000000000000000000007, got=0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f
        test_another_log: log mismatch at param 0: expected=0x0000000000000000000000000000000000000000000000000000000000000001, got=0x0000000000000000000000000000000000000000000000000000000000000002
        test_another_number_of_calls: expected call to 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f with data 0xcf21c293, value 0 to be called 1 time, but was called 2 times
        test_another_revert: Error != expected error: a text != another text
        test_another_reverter: Reverter != expected reverter: 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f != 0x0000000000000000000000000000000000000007
        test_another_topic: log mismatch at param 1: expected=0x0000000000000000000000000000000000000000000000000000000000000002, got=0x0000000000000000000000000000000000000000000000000000000000000004, param 2: expected=0x000000…
        test_assertion: assertion failed: 1 != 2
        test_assertion_with_a_message: own words
        test_flag: 
        test_no_call: expected call to 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f with data 0x1f1bd692 to be called 1 time, but was called 0 times
        test_no_call_behind_expect_emit: expected an emit, but no logs were emitted afterwards. you might have mismatched events or not enough events were emitted
        test_no_call_behind_expect_revert: call didn't revert at a lower depth than cheatcode call depth
        test_no_creation: expected CREATE call by address 0x7fa9385be102ac3eac297483dd6233d62b3e1496 for bytecode 0x00 but not found
        test_no_log: expected an emit, but no logs were emitted afterwards. you might have mismatched events or not enough events were emitted
        test_no_revert: next call did not revert as expected
        test_overwritten_prank: vm.prank: cannot overwrite a prank until it is applied at least once
        test_private_key: vm.addr: private key cannot be 0
        test_revert_that_was_not_expected: call reverted when it was expected not to revert
        test_revert_without_data: call reverted as expected, but without data
    "#]].assert_eq(&told.concat());
}

#[test]
fn tests_end_as_they_end_under_forge() {
    if !slow::is_asked() {
        return;
    }
    let ended = OURS.run();
    let outcome = forge::forge_test(&OURS.sandbox.lock().unwrap().root(), &[SOLC], &[]);
    let passed: Vec<String> = ended.iter().filter(|(_, why)| why.is_none()).map(|(test, _)| test.clone()).collect();
    assert_eq!(outcome.passed, passed, "{}", outcome.output);
    let reasons: Vec<(String, String)> =
        failed(&ended).into_iter().map(|(test, why)| (test, why.chars().take(60).collect())).collect();
    let theirs: Vec<(String, String)> =
        outcome.failed.into_iter().map(|(test, why)| (test, why.chars().take(60).collect())).collect();
    assert_eq!(theirs, reasons);
}

/// The library that real tests are built on, as an npm package carries it.
const FORGE_STD: &str = "@layerzerolabs/toolbox-foundry@0.1.13";

/// A test contract on top of it.
fn on_forge_std() -> Tests {
    let folder = npm::package(FORGE_STD).join("lib/forge-std");
    let mut sources = vec![
        ("src/Std.sol".to_owned(), include_str!("cheatcodes/forge-std/Std.t.sol").to_owned()),
        ("remappings.txt".to_owned(), "forge-std/=lib/forge-std/\n".to_owned()),
    ];
    for at in ["", "interfaces"] {
        for entry in std::fs::read_dir(folder.join(at)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "sol") {
                let name = path.strip_prefix(&folder).unwrap().display().to_string();
                sources.push((format!("lib/forge-std/{name}"), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    Tests::of(&sources)
}

#[test]
fn tests_on_forge_std_pass() {
    let tests = on_forge_std();
    let ended = tests.run();
    assert!(ended.len() >= 9, "{ended:?}");
    assert_eq!(failed(&ended), []);
    // Each function that the library declares is in the table.
    let known: BTreeSet<[u8; 4]> = cheatcodes().map(|cheatcode| cheatcode.selector()).collect();
    let vm = tests.build.contracts.iter().find(|contract| contract.name == "Vm").unwrap();
    let unknown = vm.abi.functions().filter(|function| !known.contains(&function.selector().0));
    assert_eq!(unknown.map(|function| function.signature()).collect::<Vec<_>>(), [""; 0]);
    if slow::is_asked_for(" under forge") {
        let outcome = forge::forge_test(&tests.sandbox.lock().unwrap().root(), &[SOLC], &[]);
        assert_eq!(outcome.failed, [], "{}", outcome.output);
        assert_eq!(outcome.passed, ended.into_keys().collect::<Vec<_>>());
    }
}

/// The text of all tests.
fn sources() -> String {
    OURS.build.sources.iter().map(|source| source.text.to_string()).collect()
}

#[test]
fn each_cheatcode_that_is_there_has_a_test() {
    let sources = sources();
    let declared: BTreeSet<[u8; 4]> = OURS
        .build
        .contracts
        .iter()
        .filter(|contract| contract.name == "Vm")
        .flat_map(|contract| contract.abi.functions().map(|function| function.selector().0))
        .collect();
    for cheatcode in cheatcodes().filter(|cheatcode| cheatcode.support == Support::Supported) {
        // Assertions are called by their signatures.
        let named = format!("\"{}\"", cheatcode.signature);
        assert!(
            declared.contains(&cheatcode.selector()) || sources.contains(&named),
            "no test calls {}",
            cheatcode.signature
        );
    }
}

#[test]
fn the_page_lists_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cheatcodes.md");
    let should = cheatcode_document();
    if std::env::var_os("BELLWETHER_UPDATE").is_some() {
        std::fs::write(path, should).unwrap();
        return;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        text == should,
        "docs/cheatcodes.md differs: write it with BELLWETHER_UPDATE=1 cargo test --test cheatcodes"
    );
}

#[test]
fn the_interface_of_all_cheatcodes_compiles() {
    let names: Vec<&str> = cheatcodes().map(|cheatcode| cheatcode.name()).collect();
    let tests = Tests::single(&cheatcode_interface(&names));
    let vm = tests.build.contracts.iter().find(|contract| contract.name == "Vm").unwrap();
    let declared: BTreeSet<[u8; 4]> = vm.abi.functions().map(|function| function.selector().0).collect();
    let is_there = |support| !matches!(support, Support::Unsupported(_));
    let expected: BTreeSet<[u8; 4]> =
        cheatcodes().filter(|cheatcode| is_there(cheatcode.support)).map(|cheatcode| cheatcode.selector()).collect();
    assert_eq!(declared, expected);
}

const MISSING: &str = "
    interface Vm { function ffi(string[] calldata) external returns (bytes memory); function envUint(string calldata) external returns (uint256); }
    contract A {
        Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
        function test_ffi() external { vm.ffi(new string[](1)); }
        function test_env() external { vm.envUint('HOME'); }
        function test_unknown() external { (bool ok,) = address(vm).call(hex'01020304'); require(!ok); }
    }";

#[test]
fn a_cheatcode_that_is_not_there_is_noted_where_it_is_called() {
    let tests = Tests::single(MISSING);
    let id = tests.build.find_contract("", "A").unwrap();
    let mut ready = tests.ready(id).unwrap();
    let source = tests.build.source(tests.build.contract(id).source).text.clone();
    let mut told = String::new();
    for test in ["test_ffi", "test_env", "test_unknown"] {
        let outcome = ready.call(&format!("{test}()"));
        let failures = &ready.executor.observation().failures;
        let missing = failures.iter().find(|failure| matches!(failure.kind, FailureKind::Cheatcode { .. })).unwrap();
        let FailureKind::Cheatcode { name, selector } = missing.kind else { unreachable!() };
        let element = tests.programs.get(missing.program).element(missing.pc).unwrap();
        let (selector, place) = (Bytes::from(selector), element.span.text(&source));
        told += &format!("{test}: {name} {selector} at `{place}`: {}\n", reason(&outcome));
    }
    expect![[r#"
        test_ffi: ffi 0x89160467 at `vm.ffi(new string[](1))`: vm.ffi is not supported: programs are not run
        test_env: envUint 0xc1978d1f at `vm.envUint('HOME')`: vm.envUint is not supported: variables of the environment are not read, and `HOME` was not set; use envOr
        test_unknown:  0x01020304 at `address(vm).call(hex'01020304')`: ok
    "#]].assert_eq(&told);
}

const SAYS: &str = "
    contract A {
        address constant console = 0x000000000000000000636F6e736F6c652e6c6f67;
        function say(string memory format, uint256 number) internal view {
            (bool ok,) = console.staticcall(abi.encodeWithSignature('log(string,uint256)', format, number));
            require(ok);
        }
        function test_says() external view { say('it is %s', 7); say('and', 8); }
        function test_shouts() external view { for (uint256 i; i < 1000; i++) say(new string(5000), i); }
    }";

#[test]
fn what_is_said_to_the_console_is_kept_with_the_run() {
    let tests = Tests::single(SAYS);
    let mut ready = tests.ready(tests.build.find_contract("", "A").unwrap()).unwrap();
    assert_eq!(ready.call("test_says()").status, Status::Success);
    assert_eq!(ready.executor.observation().console, ["it is 7", "and 8"]);
    assert_eq!(ready.call("test_shouts()").status, Status::Success);
    let console = &ready.executor.observation().console;
    assert!(console.len() == 256 && console.iter().all(|line| line.len() < 1100), "{}", console.len());
}

const KEEPS: &str = "
    interface Vm { function label(address,string calldata) external; function warp(uint256) external; function startPrank(address) external; function snapshotState() external returns (uint256); function recordLogs() external; function mockCall(address,bytes calldata,bytes calldata) external; }
    contract A {
        Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
        function nothing() external {}
        function label() external { vm.label(address(7), 'seven'); }
        function warp() external { vm.warp(1000); }
        function fails() external { vm.warp(2000); vm.label(address(7), 'no'); vm.startPrank(address(8)); revert(); }
        function keeps() external { for (uint256 i; i < 40; i++) vm.snapshotState(); }
        function mocks() external { for (uint256 i; i < 5000; i++) vm.mockCall(address(9), abi.encode(i), ''); }
        function spams() external { vm.recordLogs(); for (uint256 i; i < 50000; i++) assembly { log0(0, 1000) } }
        function test() external {}
    }";

#[test]
fn a_state_keeps_what_cheatcodes_did_and_nothing_where_they_did_nothing() {
    let tests = Tests::single(KEEPS);
    let Ready { mut executor, state } = tests.ready(tests.build.find_contract("", "A").unwrap()).unwrap();
    let run = |executor: &mut Executor, state: &Snapshot, name: &str| {
        let outcome = executor.run(state, &call(state, function(&format!("{name}()"))));
        let before = executor.after();
        let after = executor.commit();
        assert!(before == after, "it can be looked at before it is committed");
        (outcome.status, after)
    };
    let without = |snapshot: &Snapshot| snapshot.bytes_beside(Some(&state));
    let (_, plain) = run(&mut executor, &state, "nothing");
    let (_, labelled) = run(&mut executor, &plain, "label");
    assert_eq!(
        (labelled.label(Address::with_last_byte(7)), plain.label(Address::with_last_byte(7))),
        (Some("seven"), None)
    );
    assert!(without(&labelled) > without(&plain) && labelled != plain, "it counts, and it differs");
    let (_, warped) = run(&mut executor, &labelled, "warp");
    assert_eq!((warped.moment().timestamp, labelled.moment().timestamp), (1000, 1));
    assert_eq!(warped.label(Address::with_last_byte(7)), Some("seven"));
    let (status, failed) = run(&mut executor, &warped, "fails");
    assert_eq!((status, failed.moment().timestamp), (Status::Revert, 1000), "what failed did nothing");
    assert_eq!(failed.label(Address::with_last_byte(7)), Some("seven"));
    // What a handler does in each call is bounded.
    let (status, kept) = run(&mut executor, &plain, "keeps");
    assert_eq!(status, Status::Success);
    assert_eq!(run(&mut executor, &kept, "keeps").0, Status::Revert, "64 states are the most");
    assert_eq!(run(&mut executor, &plain, "mocks").0, Status::Revert, "4,096 mocks are the most");
    let (status, spam) = run(&mut executor, &plain, "spams");
    assert_eq!(status, Status::Success);
    assert!(without(&spam) < 8 << 20, "{}", without(&spam));
    // Without cheatcodes nothing of it is seen.
    executor.set_cheatcodes(false);
    assert_eq!(run(&mut executor, &labelled, "nothing").1.label(Address::with_last_byte(7)), Some("seven"));
    assert_eq!(run(&mut executor, &warped, "warp").1.moment().timestamp, 1000);
}

/// A contract that calls whatever it is told to, three times.
const FORWARDS: &str = "
    contract B {}
    contract A {
        function go(address to, bytes calldata first, bytes calldata second, uint256 how) external payable {
            bytes memory data = how & 1 == 0 ? bytes(first) : bytes(second);
            bool ok;
            if (how & 6 == 0) (ok,) = to.call(data);
            else if (how & 6 == 2) (ok,) = to.staticcall(data);
            else if (how & 6 == 4) (ok,) = to.delegatecall(data);
            else (ok,) = to.call{value: 1}(data);
            (ok,) = to.call(second);
            (ok,) = address(9).call{value: 0}(first);
            try new B() {} catch {}
        }
        function test() external {}
    }";

static FORWARDER: LazyLock<Tests> = LazyLock::new(|| Tests::single(FORWARDS));

/// Calldata of a cheatcode: its selector, and words near each edge, or any bytes.
fn calldata() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        3 => (0..=0x140_u64).prop_map(U256::from),
        1 => any::<u64>().prop_map(U256::from),
        1 => Just(U256::MAX),
        1 => Just(U256::from_be_slice(CHEATCODE_ADDRESS.as_slice())),
        1 => Just(U256::from_be_slice(TEST_ADDRESS.as_slice())),
        1 => any::<[u8; 32]>().prop_map(U256::from_be_bytes),
    ];
    let all: Vec<[u8; 4]> = cheatcodes().map(|cheatcode| cheatcode.selector()).collect();
    let words = prop::collection::vec(word, 0..12);
    (prop::sample::select(all), words, prop::collection::vec(any::<u8>(), 0..40)).prop_map(|(selector, words, rest)| {
        let words = words.into_iter().flat_map(|word| word.to_be_bytes::<32>());
        selector.into_iter().chain(words).chain(rest).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_cheatcodes_are_called_with_nothing_panics(
        calls in prop::collection::vec((calldata(), calldata(), 0..8_u64, any::<bool>()), 1..8),
    ) {
        let tests = &FORWARDER;
        let Ready { mut executor, mut state } = tests.ready(tests.build.find_contract("", "A").unwrap()).unwrap();
        let selector = keccak256("go(address,bytes,bytes,uint256)");
        for (first, second, how, says) in calls {
            let to = if says { CONSOLE_ADDRESS } else { CHEATCODE_ADDRESS };
            let arguments = alloy_dyn_abi::DynSolValue::Tuple(vec![
                alloy_dyn_abi::DynSolValue::Address(to),
                alloy_dyn_abi::DynSolValue::Bytes(first),
                alloy_dyn_abi::DynSolValue::Bytes(second),
                alloy_dyn_abi::DynSolValue::Uint(U256::from(how), 256),
            ]);
            let data = [&selector[..4], &arguments.abi_encode_params()].concat();
            let outcome = executor.run(&state, &call(&state, CallTarget::Account(TEST_ADDRESS, data.into())));
            prop_assert!(outcome.output.as_ref() != ASSUME);
            prop_assert!(executor.observation().console.len() < 10);
            state = executor.commit();
            state.bytes_beside(None);
        }
    }
}
