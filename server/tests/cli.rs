//! The command line as programs and people meet it: exit codes, JSON, saved findings, and errors that say what to do.

use serde_json::Value;
use std::{
    path::Path,
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
    let text = String::from_utf8(still.stdout).unwrap();
    assert!(text.contains("still fails: Counter.sol:6") && text.contains("n: 0 → 5"), "{text}");

    let source = folder.path().join("Counter.sol");
    let fixed = std::fs::read_to_string(&source).unwrap().replace("n != 5", "n < type(uint256).max");
    std::fs::write(&source, fixed).unwrap();
    let gone = bellwether(folder.path(), &["replay", saved]);
    assert_eq!(gone.status.code(), Some(1));
    assert!(String::from_utf8(gone.stdout).unwrap().starts_with("no longer fails"));
}

#[test]
fn a_saved_finding_becomes_a_regression_test() {
    let folder = counter();
    bellwether(folder.path(), &with(&["fuzz", ".", "--quiet", "--findings", "found"]));
    let saved = std::fs::read_dir(folder.path().join("found")).unwrap().next().unwrap().unwrap().path();
    let written = bellwether(folder.path(), &["test", saved.to_str().unwrap()]);
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    let test = std::fs::read_to_string(folder.path().join("test/Counter.bellwether.t.sol")).unwrap();
    assert!(test.contains("function test_regression_assertion_check()"), "{test}");
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
    let text = String::from_utf8(bellwether(folder.path(), &with(&fuzz)).stdout).unwrap();
    assert!(text.contains("targets: 1 reached, 0 unreachable, 1 open") && !text.contains("Other"), "{text}");
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
    for (arguments, says) in [
        (vec!["fuzz", "nowhere"], "nowhere: no such file or folder"),
        (vec!["fuzz", "bad.json"], "not a .sol file"),
        (vec!["fuzz", "empty"], "no contract to fuzz"),
        (vec!["fuzz", ".", "--contract", "Absent"], "no contract to fuzz"),
        (vec!["fuzz", ".", "--oracle", "absent=error"], "no such oracle"),
        (vec!["fuzz", ".", "--oracle", "assertion=loud"], "no such level"),
        (vec!["fuzz", ".", "--without", "snapshots"], "not built yet"),
        (vec!["fuzz", ".", "--lookahead-config", "E"], "no such configuration; there are A, B, C, D"),
        (vec!["fuzz", ".", "--target", "Counter.sol"], "write FILE:LINE"),
        (
            vec!["fuzz", ".", "--target", "Absent.sol:3"],
            "--target Absent.sol:3: no project that is fuzzed has this file",
        ),
        (
            vec!["fuzz", ".", "--target", "Counter.sol:1"],
            "--target Counter.sol:1: no code comes from there; the nearest line of Counter.sol with code is 5",
        ),
        (vec!["fuzz", ".", "--target", "changed"], "run it in a git repository"),
        (vec!["fuzz", ".", "--without", "magic"], "no such technique"),
        (vec!["fuzz", ".", "--lcov", "x"], "not built yet"),
        (vec!["fuzz", ".", "--evm-version", "atlantis"], "no such version"),
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
