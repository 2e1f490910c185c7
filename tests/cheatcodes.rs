//! Cheatcodes do what Foundry's do. The tests of `tests/cheatcodes/` are run here as forge runs them, and in the slow tier under forge itself:
//! what passes must pass under both, and what fails must fail under both for the same reason.

mod support;

use alloy_primitives::{Address, Bytes, U256, keccak256};
use bellwether::evm::{
    ASSUME, CHEATCODE_ADDRESS, CONSOLE_ADDRESS, CallTarget, Executor, FailureKind, Snapshot, Status, Support,
    TEST_ADDRESS, cheatcode_document, cheatcode_interface, cheatcodes,
};
use expect_test::expect;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop, prop_assert, prop_oneof, proptest};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::LazyLock,
};
use support::{
    forge, npm, slow,
    solidity_tests::{Ready, SOLC, Tests, call, failed, function, reason},
};

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

/// Random tests: a few of the statements in `random/statements.txt` one behind the other, and half of them end with a revert that tells a hash
/// of everything that they saw. In a statement, `$x` is a number, `$a` an account, and `$(1|2)` one of these.
fn random_tests(seed: u64, count: usize) -> Tests {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let statements: Vec<&str> = include_str!("cheatcodes/random/statements.txt").lines().collect();
    let mut tests = String::new();
    for number in 0..count {
        let length = rng.random_range(2..=8);
        let mut body: Vec<String> =
            (0..length).map(|_| filled_in(statements.choose(&mut rng).unwrap(), &mut rng)).collect();
        if rng.random() {
            body.push(format!("done(bytes32(uint256({number})));"));
        }
        tests += &format!("    function test_{number}() external {{ {} }}\n", body.join(" "));
    }
    let source = include_str!("cheatcodes/random/Random.t.sol").trim_end().strip_suffix('}').unwrap();
    Tests::of(&[("src/Random.sol".to_owned(), format!("{source}\n{tests}}}\n"))])
}

/// A statement with its places filled in.
fn filled_in(statement: &str, rng: &mut ChaCha8Rng) -> String {
    let mut text = statement.replace("$x", ["1", "2", "3", "7", "9"].choose(rng).unwrap());
    text = text.replace("$a", ["address(0x11)", "address(0x12)", "address(this)"].choose(rng).unwrap());
    while let Some((before, rest)) = text.split_once("$(") {
        let (choices, after) = rest.split_once(')').unwrap();
        let choices: Vec<&str> = choices.split('|').collect();
        text = format!("{before}{}{after}", choices.choose(rng).unwrap());
    }
    text
}

/// A reason without what forge tells otherwise: it decodes custom errors, has no order among calls that are missing, and shortens nothing.
fn comparable(why: &str) -> String {
    let is_raw = |why: &str| ["custom error", "EvmError", "Bad(", "mock"].iter().any(|start| why.starts_with(start));
    match why {
        why if why.starts_with("expected call to") => "expected call".to_owned(),
        why if is_raw(why) => "revert".to_owned(),
        why if ["custom error 0x", "Bad(", "0xa2f43130"].iter().any(|part| why.contains(part)) => "error".to_owned(),
        why => why.chars().take(100).collect(),
    }
}

/// `BELLWETHER_ROUNDS` says how many hundreds of random tests are run.
#[test]
fn random_tests_end_as_they_end_under_forge() {
    if !slow::is_asked() {
        return;
    }
    let rounds = std::env::var("BELLWETHER_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(3);
    for seed in 0..rounds {
        let tests = random_tests(seed, 100);
        let ended = tests.run();
        let outcome = forge::forge_test(&tests.sandbox.lock().unwrap().root(), &[SOLC], &[]);
        let mut theirs: BTreeMap<String, Option<String>> =
            outcome.failed.into_iter().map(|(test, why)| (test, Some(why))).collect();
        theirs.extend(outcome.passed.into_iter().map(|test| (test, None)));
        let text = &tests.build.sources[0].text;
        let body = |test: &str| {
            let name = test.split_once("::").unwrap().1;
            text.lines().find(|line| line.contains(&format!("{name}()"))).unwrap().trim()
        };
        let told = |why: &Option<String>| why.as_deref().map(comparable);
        let differ = ended.iter().filter(|(test, ours)| told(ours) != told(&theirs[*test]));
        let differ: Vec<_> = differ.map(|(test, ours)| (body(test), ours, &theirs[test])).collect();
        assert!(differ.is_empty(), "seed {seed}: {differ:#?}");
    }
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
        test_env: envUint 0xc1978d1f at `vm.envUint('HOME')`: vm.envUint is not supported: environment variables are not read, and `HOME` was not set; use envOr
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
        let looked_at = executor.after().clone();
        executor.run(state, &call(state, function(&format!("{name}()"))));
        let after = executor.commit();
        assert!(looked_at == after, "it can be looked at before it is committed");
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
