//! The command line as programs and people meet it: exit codes, JSON, saved findings, and errors that say what to do.

#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/files.rs"]
mod folder;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/redact.rs"]
mod redact;

use expect_test::{Expect, expect};
use folder::texts;
use redact::redact;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn bellwether(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bellwether")).args(arguments).current_dir(folder).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// A folder with one contract that fails after two calls.
fn counter() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract Counter {\n    uint256 n;\n    \
                  function add(uint256 by) external { require(by < 9); n += by; }\n    \
                  function check() external view { assert(n != 5); }\n}\n";
    std::fs::write(folder.path().join("Counter.sol"), source).unwrap();
    folder
}

const BRIEFLY: [&str; 6] = ["--executions", "20000", "--workers", "1", "--seed", "1"];

fn with<'a>(first: &[&'a str]) -> Vec<&'a str> {
    first.iter().copied().chain(BRIEFLY).collect()
}

/// Compares what a command printed on standard output, folders and times aside.
#[track_caller]
fn check_text(folder: &tempfile::TempDir, output: &Output, expected: &Expect) {
    expected.assert_eq(&redact(&String::from_utf8_lossy(&output.stdout), folder.path()));
}

#[test]
fn people_read_what_fails_the_calls_that_prove_it_and_what_was_fuzzed() {
    let folder = counter();
    let output = bellwether(folder.path(), &with(&["fuzz", "."]));
    assert_eq!(output.status.code(), Some(1));
    check_text(
        &folder,
        &output,
        &expect![[r#"
            error[assertion]: assertion can fail: add(5), check()
              --> ./Counter.sol:6:38
               |     function check() external view { assert(n != 5); }
               = 5 != 5: n is 5
              1. owner: new Counter() → ok
              2. owner: add(5) → ok
                   n: 0 → 5
              3. owner: check() → panic 0x01: assertion failed
              An assertion states what always holds.
              found after …; id 29a30643673cf355

            ✗ ./Counter.sol:Counter · 100 % of branches · 20,000 transactions · 1 finding

            1 finding · 20,000 transactions in … · 1 worker · seed 1
        "#]],
    );
}

#[test]
fn json_has_the_fields_that_programs_read() {
    let folder = counter();
    let output = bellwether(folder.path(), &with(&["fuzz", ".", "--format", "json"]));
    assert_eq!(output.status.code(), Some(1));
    let result = json(&output);
    assert_eq!((&result["seed"], &result["workers"], &result["executions"]), (&1.into(), &1.into(), &20_000.into()));
    let contract = &result["contracts"][0];
    assert_eq!(
        (&contract["name"], &contract["project"], &contract["file"]),
        (&"Counter".into(), &".".into(), &"Counter.sol".into())
    );
    assert_eq!(contract["executions"], 20_000);
    assert!(contract["branches"]["covered"].as_u64() <= contract["branches"]["known"].as_u64());
    let finding = &result["findings"][0];
    assert_eq!(
        [&finding["oracle"], &finding["swc"], &finding["severity"], &finding["message"]],
        ["assertion", "110", "error", "assertion can fail: add(5), check()"]
    );
    assert_eq!((&finding["line"], &finding["column"], &finding["end_column"]), (&6.into(), &38.into(), &52.into()));
    let calls: Vec<_> = finding["sequence"].as_array().unwrap().iter().map(|call| &call["result"]).collect();
    assert_eq!(calls, ["ok", "ok", "panic 0x01"]);
    assert_eq!(finding["sequence"][0]["function"], "constructor()");
    assert_eq!(result["errors"], Value::Array(Vec::new()));
}

#[test]
fn a_saved_finding_is_replayed_until_it_is_fixed() {
    let folder = counter();
    bellwether(folder.path(), &with(&["fuzz", ".", "--quiet", "--findings", "found"]));
    let saved = std::fs::read_dir(folder.path().join("found")).unwrap().next().unwrap().unwrap().path();
    let saved = saved.to_str().unwrap();

    let still = bellwether(folder.path(), &["replay", saved, "--trace"]);
    assert_eq!(still.status.code(), Some(0));
    check_text(
        &folder,
        &still,
        &expect![[r#"
            still fails: Counter.sol:6: assertion can fail: add(5), check()
            assertion can fail
            Counter.sol:6, assertion, finding 29a30643673cf355

            1. owner: new Counter() → ok
            2. owner: add(5) → ok
               reads n is 0
               n: 0 → 5
            3. owner: check() → panic 0x01: assertion failed
               reads n is 5
               decided at Counter.sol:6: `n != 5` was false (`5 != 5`)

            `5 != 5`: `n` is 5
            An assertion states what always holds.
        "#]],
    );

    let source = folder.path().join("Counter.sol");
    let fixed = std::fs::read_to_string(&source).unwrap().replace("n != 5", "n < type(uint256).max");
    std::fs::write(&source, fixed).unwrap();
    let gone = bellwether(folder.path(), &["replay", saved]);
    assert_eq!(gone.status.code(), Some(1));
    check_text(
        &folder,
        &gone,
        &expect![[r#"
        no longer fails: assertion at Counter.sol:6
    "#]],
    );
}

#[test]
fn a_saved_finding_becomes_a_regression_test() {
    let folder = counter();
    bellwether(folder.path(), &with(&["fuzz", ".", "--quiet", "--findings", "found"]));
    let saved = std::fs::read_dir(folder.path().join("found")).unwrap().next().unwrap().unwrap().path();
    let written = bellwether(folder.path(), &["test", saved.to_str().unwrap()]);
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    let test = std::fs::read_to_string(folder.path().join("test/Counter.bellwether.t.sol")).unwrap();
    expect![[r#"
        // SPDX-License-Identifier: UNLICENSED
        pragma solidity ^0.8.20;

        import {Counter} from "../Counter.sol";

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

        // What Bellwether found in Counter. A test fails as long as its defect is there.
        contract CounterBellwetherTest {
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

            // Finding 29a30643673cf355: assertion can fail, Counter.sol:6.
            //   1. owner: new Counter() → ok
            //   2. owner: add(5) → ok
            //        n: 0 → 5
            //   3. owner: check() → panic 0x01: assertion failed
            function test_regression_assertion_check() public {
                vm.prank(owner);
                address target = address(new Counter());
                bool success;
                bytes memory result;

                vm.prank(owner);
                (success,) = target.call(abi.encodeWithSignature("add(uint256)", uint256(5)));

                bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
                vm.prank(owner);
                (success, result) = target.call(abi.encodeWithSignature("check()"));
                require(success || keccak256(result) != keccak256(panic), "assertion can fail: Counter.sol:6");
            }
        }
    "#]]
    .assert_eq(&test);
    let again = bellwether(folder.path(), &["test", saved.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(folder.path().join("test/Counter.bellwether.t.sol")).unwrap(), test);
}

#[test]
fn nothing_found_is_exit_code_0_and_a_finding_that_is_switched_off_is_nothing() {
    let folder = counter();
    let output = bellwether(folder.path(), &with(&["fuzz", ".", "--oracle", "assertion=off"]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_contract_that_cannot_be_deployed_and_a_file_that_does_not_compile_are_errors_of_the_result() {
    let folder = counter();
    let refuses = "pragma solidity ^0.8.20;\n\ncontract Refuses { constructor() { revert(\"never\"); } function f() external {} }";
    std::fs::write(folder.path().join("Refuses.sol"), refuses).unwrap();
    std::fs::write(folder.path().join("Broken.sol"), "pragma solidity ^0.8.20;\n\ncontract Broken { uint x = \"\"; }")
        .unwrap();
    let result = json(&bellwether(folder.path(), &with(&["fuzz", ".", "--format", "json"])));
    let errors: Vec<_> = result["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["file"].as_str().unwrap(), e["line"].as_u64().unwrap()))
        .collect();
    assert_eq!(errors, [("Broken.sol", 3), ("Refuses.sol", 3)]);
    assert_eq!(result["findings"].as_array().unwrap().len(), 1, "the rest is fuzzed");
    let states: Vec<_> =
        result["contracts"].as_array().unwrap().iter().map(|it| (&it["name"], &it["state"], &it["reason"])).collect();
    let reason = Value::from("its constructor always fails: revert \"never\"");
    assert_eq!(
        states,
        [(&"Counter".into(), &"fuzzed".into(), &Value::Null), (&"Refuses".into(), &"not-fuzzed".into(), &reason)]
    );
}

/// A folder with these files.
fn files(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n{text}\n")).unwrap();
    }
    folder
}

/// Standard output, without what depends on the machine's speed.
fn text(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let timeless = |line: &str| match (line.find(" in "), line.find("/s) · ")) {
        (Some(from), Some(to)) => format!("{}{}", &line[..from], &line[to + 3..]),
        _ => line.to_owned(),
    };
    text.lines().map(timeless).collect::<Vec<_>>().join("\n")
}

const POOL: &str = "contract Pool { constructor(address token_) { require(token_.code.length > 0, \"no token\");
    require(keccak256(msg.data) == 0, \"never\"); } function f() external {} }";

#[test]
fn what_was_not_run_has_no_check_mark_and_if_nothing_was_run_the_exit_code_is_2() {
    let empty = "contract Empty { uint256 x; }";
    let folder = files(&[("Pool.sol", POOL), ("Empty.sol", empty)]);
    let output = bellwether(folder.path(), &with(&["fuzz", "."]));
    assert_eq!(
        text(&output),
        "– ./Pool.sol:Pool · not fuzzed: token_ must be a contract: revert \"no token\"\n\n\
         the only contract was not fuzzed\n0 findings · 0 transactions · 1 worker · seed 1"
    );
    assert_eq!(output.status.code(), Some(2));

    std::fs::write(folder.path().join("Set.sol"), "pragma solidity ^0.8.20; contract Set { uint256 public x; }")
        .unwrap();
    let output = bellwether(folder.path(), &with(&["fuzz", "."]));
    assert_eq!(
        text(&output),
        "✓ ./Set.sol:Set · no branches · 20,000 transactions\n\
         – ./Pool.sol:Pool · not fuzzed: token_ must be a contract: revert \"no token\"\n\n\
         1 of 2 contracts was not fuzzed\n0 findings · 20,000 transactions · 1 worker · seed 1"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn contracts_that_wait_when_the_run_ends_say_so() {
    let one = "contract One { uint256 x; function f(uint256 y) external { x = y; } }";
    let folder = files(&[("One.sol", one), ("Two.sol", &one.replace("One", "Two"))]);
    let output = bellwether(folder.path(), &["fuzz", ".", "--workers", "1", "--seed", "1", "--executions", "1"]);
    assert_eq!(
        text(&output),
        "✓ ./One.sol:One · no branches · 1 transaction\n\
         – ./Two.sol:Two · not fuzzed: the run ended before its turn; allow more `--executions` or `--seconds`\n\n\
         1 of 2 contracts was not fuzzed\n0 findings · 1 transaction · 1 worker · seed 1"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn where_there_is_nothing_to_call_there_is_nothing_to_fuzz() {
    let folder = files(&[("Empty.sol", "contract Empty { uint256 x; }")]);
    let output = bellwether(folder.path(), &with(&["fuzz", "."]));
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "error: nothing to fuzz: there is no contract with a function that can be called\n");
}

/// All files below a folder, by their paths in it.
fn tree(folder: &Path) -> BTreeMap<PathBuf, String> {
    texts(folder).into_iter().map(|(path, text)| (path.strip_prefix(folder).unwrap().to_owned(), text)).collect()
}

#[test]
fn a_corpus_is_where_the_next_run_starts() {
    let folder = counter();
    let run = |corpus: &str, executions: &str| {
        let arguments = ["fuzz", ".", "--corpus", corpus, "--workers", "1", "--seed", "1", "--format", "json"];
        let output = bellwether(folder.path(), &[&arguments[..], &["--executions", executions]].concat());
        assert!(output.stderr.is_empty(), "{output:?}");
        json(&output)
    };
    let first = run("corpus", "20000");
    let kept = tree(&folder.path().join("corpus"));
    run("other", "20000");
    assert_eq!(tree(&folder.path().join("other")), kept, "one seed, one corpus");
    let files = |kind: &str| kept.keys().filter(|path| path.parent().unwrap().ends_with(kind)).count();
    assert!(files("findings") == 1 && files("corpus") > 2, "{kept:#?}");

    // The finding is there before anything is run, and nothing of it has to be found again.
    let second = run("corpus", "1");
    let id = &first["findings"][0]["id"];
    assert_eq!((&second["findings"][0]["id"], &second["findings"][0]["elapsed_ms"]), (id, &Value::Null));
    assert_eq!(second["findings"][0]["executions"], first["findings"][0]["executions"], "when it was found first");
    for path in kept.keys().filter(|path| path.parent().unwrap().ends_with("findings")) {
        // As people meet it, it is a finding like any other.
        let file = folder.path().join("other").join(path);
        assert_eq!(bellwether(folder.path(), &["replay", file.to_str().unwrap()]).status.code(), Some(0));
        std::fs::remove_file(file).unwrap();
    }
    let third = run("other", "20000");
    let executions = |result: &Value| result["findings"][0]["executions"].as_u64().unwrap();
    assert_eq!(third["findings"][0]["id"], *id);
    assert!(executions(&third) < executions(&first), "{} after {}", executions(&third), executions(&first));
}

#[test]
fn each_project_has_its_own_corpus_and_without_the_option_there_is_none() {
    let folder = counter();
    let source = std::fs::read_to_string(folder.path().join("Counter.sol")).unwrap();
    for project in ["packages/a", "packages/b"] {
        let root = folder.path().join(project);
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::write(root.join("foundry.toml"), "[profile.default]\n").unwrap();
        std::fs::write(root.join("src/Counter.sol"), &source).unwrap();
    }
    let run = |arguments: &[&str]| assert_eq!(bellwether(folder.path(), &with(arguments)).status.code(), Some(1));
    run(&["fuzz", "packages"]);
    for project in ["packages/a", "packages/b"] {
        let root = folder.path().join(project).canonicalize().unwrap();
        let cache = bellwether::compile::project_folder(&bellwether::compile::default_cache(), &root);
        assert!(cache.join("build").exists() && !cache.join("archive").exists());
    }
    run(&["fuzz", "packages", "--corpus", "kept"]);
    let kept = tree(&folder.path().join("kept"));
    for project in ["packages/a", "packages/b"] {
        let own = kept.keys().filter(|path| path.starts_with(project)).count();
        assert!(own > 3 && own * 2 == kept.len(), "{kept:#?}");
    }
}

/// A contract with a check that nothing passes, and one beside it.
const GATE: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Gate {
    uint256 opened;
    function open(uint256 key) external {
        if (key == 77_000_123) {
            opened = key;
        }
        if (opened == 1 && key < opened && key > 3) {
            opened = 2;
        }
    }
    function nobody() private { opened = 3; }
}
contract Other { uint256 x; function set(uint256 y) external { x = y; } }
";

#[test]
fn lines_that_are_named_are_targets_and_other_contracts_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Gate.sol"), GATE).unwrap();
    let fuzz = ["fuzz", ".", "--target", "Gate.sol:7", "--target", "Gate.sol:10"];
    let result = json(&bellwether(folder.path(), &with(&[&fuzz[..], &["--format", "json"]].concat())));
    let contracts = result["contracts"].as_array().unwrap();
    assert_eq!(contracts.len(), 1, "{result}");
    let targets: Vec<_> = contracts[0]["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| {
            (target["file"].as_str().unwrap(), target["line"].as_u64().unwrap(), target["state"].as_str().unwrap())
        })
        .collect();
    assert_eq!(targets, [("Gate.sol", 7, "reached"), ("Gate.sol", 10, "open")]);
    assert!(contracts[0]["targets"][0]["executions"].as_u64().unwrap() > 0);
    assert!(contracts[0]["lookahead_ms"].is_u64());
    check_text(
        &folder,
        &bellwether(folder.path(), &with(&fuzz)),
        &expect![[r#"
        ✓ ./Gate.sol:Gate · 62 % of branches · 20,000 transactions
          targets: 1 reached, 0 unreachable, 1 open

        0 findings · 20,000 transactions in … · 1 worker · seed 1
    "#]],
    );
}

#[test]
fn what_differs_from_the_last_commit_is_a_target() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let identity =
            ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"];
        let done = Command::new("git").args(identity).args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    std::fs::write(folder.path().join("Gate.sol"), GATE).unwrap();
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "a gate"]);
    let fuzz = with(&["fuzz", ".", "--target", "changed", "--format", "json"]);
    let lines = || {
        let result = json(&bellwether(folder.path(), &fuzz));
        let contracts = result["contracts"].as_array().unwrap().clone();
        let targets = contracts.iter().flat_map(|contract| contract["targets"].as_array().unwrap());
        targets.map(|target| format!("{}:{}", target["file"].as_str().unwrap(), target["line"])).collect::<Vec<_>>()
    };
    assert_eq!(lines(), [] as [&str; 0]);
    std::fs::write(folder.path().join("Gate.sol"), GATE.replace("opened = key", "opened = key + 1")).unwrap();
    assert_eq!(lines(), ["Gate.sol:7"]);
    std::fs::write(
        folder.path().join("New.sol"),
        GATE.replace("Gate", "New").replace("contract Other", "contract More"),
    )
    .unwrap();
    assert!(lines().iter().any(|line| line == "New.sol:10"));
}

#[test]
fn bad_input_is_an_error_that_says_what_to_do() {
    let folder = counter();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    std::fs::write(folder.path().join("bad.json"), "{").unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    std::fs::write(folder.path().join("parts/Math.sol"), "pragma solidity ^0.8.0; library Math {}").unwrap();
    for (arguments, says) in [
        (vec!["fuzz", "nowhere"], "nowhere: no such file or folder"),
        (vec!["fuzz", "bad.json"], "not a .sol file"),
        (vec!["fuzz", "empty"], "no contract to fuzz: give a folder with .sol files"),
        (vec!["fuzz", "parts"], "there are only interfaces, libraries and abstract contracts"),
        (vec!["fuzz", ".", "--contract", "Absent"], "no contract to fuzz"),
        (vec!["fuzz", ".", "--oracle", "absent=error"], "no such oracle"),
        (vec!["fuzz", ".", "--oracle", "assertion=loud"], "no such level"),
        (
            vec!["fuzz", ".", "--without", "snapshots"],
            "--without snapshots: no such technique; give one of prediction, aggressive",
        ),
        (vec!["fuzz", ".", "--lookahead-config", "E"], "no such configuration; give one of A, B, C, D"),
        (vec!["fuzz", ".", "--target", "Counter.sol"], "write FILE:LINE"),
        (vec!["fuzz", ".", "--max-cost", "5"], "give what may be spent and what an hour of this machine costs"),
        (
            vec!["fuzz", ".", "--target", "Absent.sol:3"],
            "--target Absent.sol:3: no project that is fuzzed has this file",
        ),
        (
            vec!["fuzz", ".", "--target", "Counter.sol:1"],
            "--target Counter.sol:1: no code is compiled from there; the nearest line of Counter.sol with code is 5",
        ),
        (vec!["fuzz", ".", "--target", "changed"], "run it in a git repository"),
        (vec!["fuzz", ".", "--without", "magic"], "no such technique"),
        (
            vec!["fuzz", ".", "--oracle", "tx-origin=off"],
            "--oracle tx-origin: no such oracle; give one of assertion, compiler-check, ",
        ),
        (vec!["fuzz", ".", "--pace", "x"], "unexpected argument '--pace' found"),
        (vec!["fuzz", ".", "--corpus", "bad.json"], "--corpus bad.json: cannot be written; give a folder"),
        (vec!["fuzz", ".", "--corpus", "bad.json/below"], "--corpus bad.json/below: cannot be written; give a folder"),
        (vec!["fuzz", ".", "--evm-version", "atlantis"], "no such EVM version"),
        (vec!["replay", "bad.json"], "bad.json is not JSON"),
        (vec!["replay", "absent.json"], "absent.json cannot be read"),
    ] {
        let output = bellwether(folder.path(), &arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.starts_with("error: ") && error.contains(says), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn tests_and_mocks_come_last_unless_somebody_includes_them() {
    let set = |name: &str| format!("contract {name} {{ uint256 x; function set(uint256 y) external {{ x = y; }} }}");
    let folder = files(&[
        ("contracts/Set.sol", &set("Set")),
        ("contracts/mocks/Token.sol", &set("Token")),
        ("contracts/TokenMock.sol", &set("TokenMock")),
    ]);
    let run = |more: &[&str]| bellwether(folder.path(), &[&with(&["fuzz", "."])[..], more].concat());
    let shares = |more: &[&str]| -> BTreeMap<String, u64> {
        let result = json(&run(&[more, &["--format", "json"]].concat()));
        let contracts = result["contracts"].as_array().unwrap().iter();
        contracts.map(|it| (it["name"].as_str().unwrap().to_owned(), it["executions"].as_u64().unwrap())).collect()
    };
    let told = text(&run(&[]));
    assert_eq!(
        told.lines().filter(|line| line.starts_with("note")).collect::<Vec<_>>(),
        ["note: .: 2 contracts (TokenMock, contracts/mocks) got less of the time, as tests and mocks do; `--include` \
             and `--exclude` change that"]
    );
    let uneven = shares(&[]);
    // None of them shows anything new for long, so that mocks get some of what the product does not need.
    assert!(uneven["Set"] > 12_000 && uneven["Token"] > 0 && uneven["TokenMock"] > 0, "{uneven:?}");
    let included = ["--include", "contracts/mocks", "--include", "TokenMock.sol"];
    assert!(shares(&included).values().all(|executions| *executions > 6_000), "{:?}", shares(&included));
    assert!(!text(&run(&included)).contains("less of the time"));
    assert_eq!(
        text(&run(&["--exclude", "mocks", "--exclude", "contracts/*Mock.sol"])),
        "✓ ./contracts/Set.sol:Set · no branches · 20,000 transactions\n\n0 findings · 20,000 transactions · 1 worker · seed 1"
    );
    // Where there is nothing else, that is what the project is about.
    let mocks = text(&bellwether(&folder.path().join("contracts/mocks"), &with(&["fuzz", "."])));
    assert!(mocks.starts_with("✓ ./Token.sol:Token") && !mocks.contains("less of the time"), "{mocks}");
    let error = String::from_utf8(bellwether(folder.path(), &["fuzz", ".", "--include", "a["]).stderr).unwrap();
    assert!(error.starts_with("error: --include a[: not a glob pattern: "), "{error}");
}

#[test]
fn help_lists_what_there_is_in_groups() {
    let help = String::from_utf8(bellwether(Path::new("."), &["fuzz", "--help"]).stdout).unwrap();
    for heading in
        ["What to fuzz:", "How long:", "How to fuzz:", "Compiling:", "Results:", "What is shown:", "Examples:"]
    {
        assert!(help.contains(&format!("\n{heading}\n")), "no {heading:?} in\n{help}");
    }
    let listed = |names: Vec<&str>| names.join(", ");
    let oracles = listed(bellwether::oracle::OracleMeta::ids().collect());
    for names in [oracles, listed(bellwether::fuzz::Techniques::NAMES.to_vec())] {
        let words: Vec<&str> = names.split(' ').collect();
        let help: Vec<&str> = help.split_whitespace().collect();
        assert!(
            help.windows(words.len())
                .any(|window| window.iter().zip(&words).all(|(a, b)| a.trim_end_matches('.') == *b)),
            "{names}"
        );
    }
}

#[test]
fn a_run_ends_after_as_many_transactions_without_news_as_it_was_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("A.sol"), "contract A { uint256 n; function f(uint256 x) external { n = x; } }")
        .unwrap();
    let transactions = |until: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_bellwether"))
            .args(["fuzz", ".", "--workers", "1", "--seed", "1", "--format", "json", "--quiet", until])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let report: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        report["executions"].as_u64().unwrap()
    };
    let few = transactions("--until-quiet=20000");
    assert!(few < 40_000, "{few}");
    let more = transactions("--until-quiet=200000");
    assert!(more > 20_000 && more < 400_000, "{more}");
}
