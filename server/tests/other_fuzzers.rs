//! Corpora of other fuzzers: what forge, Echidna and Medusa keep is where a run starts, and they start from ours. forge is the real one;
//! files of Echidna and Medusa are written here as those two write them.

#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/files.rs"]
mod files;
#[allow(dead_code, unreachable_pub, reason = "the engine's tests use the rest")]
#[path = "../../tests/support/forge.rs"]
mod forge;

use files::files;
use flate2::{Compression, write::GzEncoder};
use forge::forge_test;
use serde_json::{Value, json};
use std::{
    io::Write,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;

/// A defect behind a number that no search can find.
const LOCKED: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Locked {
    address public owner = msg.sender;
    bool public open;
    uint256 since;
    function unlock(uint256 key, string calldata word) external payable {
        require(msg.value == 5 && msg.sender != owner);
        if (keccak256(bytes(word)) == keccak256(\"\\x01sesame\")) {
            open = keccak256(abi.encode(key)) == 0xe5e9c1720ce0931d25b39ee6d84aaad6ec98faaf08453ed927a714ee24c8d095;
            since = block.timestamp;
        }
    }
    function check() external view { assert(!open || block.timestamp < since + 1 days); }
}
";
const KEY: u128 = 0x6b8b_4567_327b_23c6_643c_9869_6633_4873;
const SELECTOR_OF_CHECK: &str = "0x919840ad";

/// A project of forge with an invariant that breaks only after two calls, one of them with that number.
const SUITE: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Lock {
    bool public open;
    uint256 public steps;
    function unlock(uint256 key) external {
        open = keccak256(abi.encode(key)) == 0xe5e9c1720ce0931d25b39ee6d84aaad6ec98faaf08453ed927a714ee24c8d095;
    }
    function step(uint256 more) external { if (open) steps += more % 3; }
}
contract LockTest {
    Lock lock;
    function setUp() public { lock = new Lock(); }
    function targetContracts() public view returns (address[] memory all) { all = new address[](1); all[0] = address(lock); }
    function invariant_stays() public view { require(lock.steps() == 0, \"stepped\"); }
    function testFuzz_small(uint256 number) public pure { require(number != 0, \"zero\"); }
}
";
/// The contract with the number where a search finds it.
const HINT: &str = "uint256 public constant KEY = 0x6b8b4567327b23c6643c986966334873;\n    uint256 public steps;";
/// An invariant that holds, whatever is called.
const PATIENT: &str = "require(lock.steps() < 99, \"stepped\");";
const FOUNDRY: &str = "[profile.default]\nsrc = \"test\"\nsolc = \"0.8.30\"\nbytecode_hash = \"none\"\n[invariant]\nruns = 64\ndepth = 16\ncorpus_dir = \"kept\"\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    folder
}

fn bellwether(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bellwether")).args(arguments).current_dir(folder).output().unwrap()
}

/// What a command writes to standard output, and to standard error, if it ends well.
fn told(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = bellwether(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// The assertions and properties that fail in a run which is too short to find any by itself, each as oracle and contract.
fn found(folder: &Path, options: &[&str]) -> Vec<(String, String)> {
    found_in(folder, ".", options)
}

/// The same of what is at a path.
fn found_in(folder: &Path, path: &str, options: &[&str]) -> Vec<(String, String)> {
    let briefly = ["fuzz", path, "--workers", "1", "--seed", "1", "--executions", "40", "--format", "json", "--quiet"];
    let output = bellwether(folder, &[&briefly[..], options].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |finding: &Value, field: &str| finding[field].as_str().unwrap().to_owned();
    let findings = report["findings"].as_array().unwrap().iter();
    let found = findings.map(|finding| (text(finding, "oracle"), text(finding, "contract")));
    found.filter(|(oracle, _)| ["assertion", "property"].contains(&oracle.as_str())).collect()
}

/// What forge says of the invariants of a project.
fn forge_invariants(project: &Path) -> String {
    forge_test(project, &["0.8.30"], &["--mt", "invariant", "--fuzz-seed", "1"]).output
}

/// As Echidna writes it: who unlocks sends five wei, somebody waits for a day, and somebody looks.
fn of_echidna() -> String {
    let transaction = |call: Value, value: &str, seconds: &str| {
        json!({
            "call": call, "delay": [seconds, "0x1"], "dst": "0x00a329c0648769A73afAc7F9381E08FB43dBEA72", "gas": 12_500_000,
            "gasprice": "0x0", "src": "0x0000000000000000000000000000000000010000", "value": value,
        })
    };
    let word = json!({ "tag": "AbiString", "contents": "\"\\SOHsesame\"" });
    let key = json!({ "tag": "AbiUInt", "contents": [256, KEY.to_string()] });
    let unlock = json!({ "tag": "SolCall", "contents": ["unlock", [key, word]] });
    let gone = json!({ "tag": "SolCall", "contents": ["paint", []] });
    let check = json!({ "tag": "SolCall", "contents": ["check", []] });
    let wait = json!({ "tag": "NoCall" });
    let all = [
        transaction(unlock, "0x5", "0x0"),
        transaction(gone, "0x0", "0x0"),
        transaction(wait, "0x0", "0x15180"),
        transaction(check, "0x0", "0x1"),
    ];
    json!(all).to_string()
}

/// As Medusa writes it.
fn of_medusa(selector_of_unlock: &str) -> String {
    let element = |data: String, value: &str, seconds: u64| {
        json!({
            "call": {
                "from": "0x0000000000000000000000000000000000020000", "to": "0xa647ff3c36cfab592509e13860ab8c4f28781a66", "nonce": 0,
                "value": value, "gasLimit": 12_500_000, "gasPrice": "0x1", "gasFeeCap": "0x0", "gasTipCap": "0x0", "data": data,
                "dataAbiValues": { "methodSignature": "", "inputValues": [] }, "AccessList": null, "SkipAccountChecks": false,
            },
            "blockNumberDelay": seconds / 12, "blockTimestampDelay": seconds,
        })
    };
    let word = format!("{:064x}{:0<64}", 7, "01736573616d65");
    let unlock = format!("{selector_of_unlock}{KEY:064x}{:064x}{word}", 64);
    json!([element(unlock, "0x5", 0), element(SELECTOR_OF_CHECK.to_owned(), "0x0", 90_000)]).to_string()
}

#[test]
fn what_echidna_and_medusa_kept_is_where_a_run_starts() {
    let project = folder(&[
        ("Locked.sol", LOCKED),
        ("echidna/coverage/-1234458407747697055.txt", &of_echidna()),
        ("echidna/covered.1704903387.txt", "*r  | contract Locked {"),
        ("echidna/reproducers/1.txt", "[{\"call\": {\"tag\": \"SolCall\"}}]"),
        ("medusa/call_sequences/0-a.json", &of_medusa("0x4bce808a")),
    ]);
    let is_found = [("assertion".to_owned(), "Locked".to_owned())];
    assert_eq!(found(project.path(), &["--corpus", "none"]), []);

    let (out, error) = told(project.path(), &["corpus", "import", "echidna", "kept"]);
    assert_eq!(out, "kept: 1 sequence for Locked\n");
    let expected = "\
warning: echidna/reproducers/1.txt: left out: [0]: no `delay`
warning: echidna: 1 call left out of sequences: no contract here has the function that they call
";
    assert_eq!(error, expected);
    assert_eq!(found(project.path(), &["--corpus", "kept"]), is_found);
}

#[test]
fn a_corpus_goes_to_echidna_and_medusa_and_comes_back() {
    let project = folder(&[("Locked.sol", LOCKED), ("echidna/coverage/1.txt", &of_echidna())]);
    told(project.path(), &["corpus", "import", "echidna", "kept"]);
    let sequences = |place: &str| -> Vec<String> {
        let files = files(&project.path().join(place));
        files.into_iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
    };
    for format in ["echidna", "medusa"] {
        let (there, back) = (format!("to-{format}"), format!("from-{format}"));
        let (out, error) = told(project.path(), &["corpus", "export", format, "kept", &there]);
        assert_eq!((out, error), (format!("{there}: 1 sequence for Locked\n"), String::new()));
        told(project.path(), &["corpus", "import", &there, &back]);
        assert_eq!(sequences(&back), sequences("kept"), "{format}");
    }
    // What Echidna would read says the same as what it wrote, without the call that nobody takes.
    let written: Value = serde_json::from_str(&sequences("to-echidna")[0]).unwrap();
    let was: Value = serde_json::from_str(&of_echidna()).unwrap();
    let calls = |of: &Value| of.as_array().unwrap().iter().map(|it| it["call"].clone()).collect::<Vec<_>>();
    let (written, was) = (calls(&written), calls(&was));
    assert_eq!(written, [was[0].clone(), was[3].clone()]);
}

/// Where the folder has several projects, each of them has its part of the corpus, as in a run.
#[test]
fn each_of_several_projects_has_its_own_part_of_a_corpus() {
    let config = "[profile.default]\n";
    let other = LOCKED.replace("Locked", "Shut").replace("unlock", "open_up").replace("check", "look");
    let project = folder(&[
        ("packages/locked/foundry.toml", config),
        ("packages/locked/src/Locked.sol", LOCKED),
        ("packages/shut/foundry.toml", config),
        ("packages/shut/src/Shut.sol", &other),
        ("echidna/coverage/1.txt", &of_echidna()),
        ("echidna/coverage/2.txt", &of_echidna().replace("\"unlock\"", "\"open_up\"").replace("\"check\"", "\"look\"")),
    ]);
    for (path, contracts) in [("packages/locked", &["Locked"][..]), ("packages", &["Locked", "Shut"])] {
        let kept = format!("kept-{}", contracts.len());
        let (out, _) = told(project.path(), &["corpus", "import", "echidna", &kept, path]);
        let lines: Vec<String> = contracts.iter().map(|name| format!("{kept}: 1 sequence for {name}\n")).collect();
        assert_eq!(out, lines.concat());
        let expected: Vec<_> = contracts.iter().map(|name| ("assertion".to_owned(), (*name).to_owned())).collect();
        assert_eq!(found_in(project.path(), path, &["--corpus", &kept]), expected, "{path}");
        let out = format!("to-medusa-{}", contracts.len());
        told(project.path(), &["corpus", "export", "medusa", &kept, &out, path]);
        let written = files(&project.path().join(&out)).into_iter();
        let written: Vec<_> =
            written.map(|file| file.strip_prefix(project.path().join(&out)).unwrap().to_owned()).collect();
        let folders: &[&str] =
            if contracts.len() == 1 { &["call_sequences"] } else { &["packages/locked", "packages/shut"] };
        for folder in folders {
            assert!(written.iter().any(|file| file.starts_with(folder)), "{folder}: {written:?}");
        }
    }
}

#[test]
fn what_cannot_be_said_is_left_out_with_the_reason() {
    let project = folder(&[("Locked.sol", LOCKED), ("echidna/coverage/1.txt", &of_echidna())]);
    told(project.path(), &["corpus", "import", "echidna", "kept"]);
    let (out, error) = told(project.path(), &["corpus", "export", "forge", "kept", "out"]);
    let expected = "note: Locked: 1 sequence left out: the contract is not a test contract, and forge's corpora are those of tests\n";
    assert_eq!((out.as_str(), error.as_str()), ("", expected));
    for (arguments, words) in [
        (
            &["corpus", "import", "nothere", "kept"][..],
            "nothere: no such file or folder; give a corpus of forge, Echidna or Medusa",
        ),
        (
            &["corpus", "import", "Locked.sol", "kept"],
            "Locked.sol: holds no calls that forge, Echidna or Medusa wrote; give a corpus of one of them",
        ),
        (
            &["corpus", "import", "echidna", "kept", "nowhere"],
            "nowhere: no such file or folder; give a project's folder or a .sol file",
        ),
        (
            &["corpus", "import", "echidna", "kept", "--contract", "Door"],
            ".: no contract to fuzz here; check PATH and --contract",
        ),
        (
            &["corpus", "export", "forge", "nothere", "out"],
            "nothere: no such folder; give one that `bellwether fuzz --corpus` wrote",
        ),
        (
            &["corpus", "export", "forge", "echidna", "out"],
            "echidna: holds no sequence for a contract of this project; check the folder, PATH and --contract",
        ),
    ] {
        let output = bellwether(project.path(), arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told), (Some(2), format!("error: {words}\n")), "{arguments:?}");
    }
}

#[test]
fn forge_starts_from_a_corpus_of_bellwether() {
    let project =
        folder(&[("test/Lock.t.sol", &SUITE.replace("uint256 public steps;", HINT)), ("foundry.toml", FOUNDRY)]);
    let report = ["fuzz", ".", "--workers", "1", "--seed", "1", "--executions", "20000", "--corpus", "ours", "--quiet"];
    assert_eq!(bellwether(project.path(), &[&report[..], &["--contract", "LockTest"]].concat()).status.code(), Some(1));
    std::fs::write(project.path().join("test/Lock.t.sol"), SUITE).unwrap();

    let alone = forge_invariants(project.path());
    assert!(alone.contains("[PASS] invariant_stays()"), "forge does not find it alone: {alone}");
    let (out, _) = told(project.path(), &["corpus", "export", "forge", "ours", "kept"]);
    assert!(out.starts_with("kept: ") && out.ends_with(" for LockTest\n"), "{out}");
    let ran = forge_invariants(project.path());
    assert!(ran.contains("[FAIL: stepped]"), "{ran}");
}

#[test]
fn what_forge_kept_is_where_a_run_starts() {
    // With the number in the function, forge comes past it.
    let open = SUITE.replace("key) external {", "key) external { key = 0x6b8b4567327b23c6643c986966334873;");
    let strict = "require(lock.steps() == 0, \"stepped\");";
    let project = folder(&[("test/Lock.t.sol", &open.replace(strict, PATIENT)), ("foundry.toml", FOUNDRY)]);
    let ran = forge_invariants(project.path());
    assert!(ran.contains("[PASS] invariant_stays()"), "{ran}");
    // It compresses them in some releases.
    for file in files(&project.path().join("kept")) {
        let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
        compressed.write_all(&std::fs::read(&file).unwrap()).unwrap();
        std::fs::write(file.with_extension("json.gz"), compressed.finish().unwrap()).unwrap();
        std::fs::remove_file(file).unwrap();
    }
    std::fs::write(project.path().join("test/Lock.t.sol"), &open).unwrap();
    let ran = forge_invariants(project.path());
    assert!(ran.contains("[FAIL: stepped]"), "{ran}");

    let is_found = [("property".to_owned(), "LockTest".to_owned())];
    for (from, corpus) in [("kept", "from-corpus"), ("cache/invariant/failures", "from-failures")] {
        let (out, error) = told(project.path(), &["corpus", "import", from, corpus, "--contract", "LockTest"]);
        assert!(
            out.starts_with(&format!("{corpus}: ")) && out.ends_with(" for LockTest\n") && error.is_empty(),
            "{out}{error}"
        );
        assert_eq!(found(project.path(), &["--corpus", corpus, "--contract", "LockTest"]), is_found, "{from}");
    }
}
