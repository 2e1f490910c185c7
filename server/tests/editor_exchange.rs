//! What an editor has from the machines that fuzz the same contracts, and what they have from it.

mod client;
#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/files.rs"]
mod files;
#[allow(clippy::duplicate_mod, reason = "the client and the servers wait in the same way")]
mod servers;
#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use client::{Client, poll::poll_until, project::Project, uri};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// A contract that opens for a number of which the source has the hash alone: no search finds it.
const LOCKED: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Locked {
    bool open;
    function unlock(uint256 key) external {
        open = keccak256(abi.encode(key)) == 0xe5e9c1720ce0931d25b39ee6d84aaad6ec98faaf08453ed927a714ee24c8d095;
    }
    function check() external view { assert(!open); }
}
";
/// A function that has the number.
const KEY: &str = "function key() external pure returns (uint256) { return 0x6b8b4567327b23c6643c986966334873; }\n}\n";
const FILE: &str = "src/Locked.sol";

/// Fuzzes the contract where its source has the number, and shares what is found. Returns how many findings there are.
fn find_elsewhere(place: &str) -> usize {
    find_in(LOCKED, place)
}

/// The same for a contract like that one.
fn find_in(locked: &str, place: &str) -> usize {
    find_there(locked, place, &[])
}

/// The same, where the environment leads to the place.
fn find_there(locked: &str, place: &str, environment: &[(&str, &str)]) -> usize {
    let source = locked.strip_suffix("}\n").unwrap().to_owned() + KEY;
    let elsewhere = Project::files(&[(FILE, &source)]);
    let output = Command::new(env!("CARGO_BIN_EXE_bellwether"))
        .args(["fuzz", ".", "--workers", "1", "--seed", "1", "--executions", "50000", "--format", "json", "--quiet"])
        .args(["--join", place])
        .envs(environment.iter().copied())
        .current_dir(elsewhere.root())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    report["findings"].as_array().unwrap().len()
}

/// The findings that were shared at a place.
fn shared_findings(place: &Path) -> Value {
    let status = Command::new(env!("CARGO_BIN_EXE_bellwether"))
        .args(["fleet", "status", "--format", "json"])
        .arg(place)
        .output()
        .unwrap();
    let status: Value = serde_json::from_slice(&status.stdout).unwrap_or_else(|error| panic!("{error}: {status:?}"));
    status["shared"]["findings"].clone()
}

fn open(project: &Project, settings: Value) -> (Client, PathBuf) {
    let mut options = project.options();
    options.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    let mut client = Client::open_folder(&project.root(), options);
    let file = project.path(FILE);
    client.open(&file);
    (client, file)
}

/// Opens an editor, waits until it rests, and has another machine find something.
fn find_for_an_editor(place: &str) {
    let project = Project::files(&[(FILE, LOCKED)]);
    let (mut client, file) = open(&project, json!({ "exchange": place }));
    client.status("quiet");
    assert_eq!(find_elsewhere(place), 1);
    let shown = client.diagnostics(&file);
    let told = shown[0]["message"].as_str().unwrap();
    assert!(told.starts_with("assertion can fail: unlock(≈1.429e38) → check()"), "{told}");
    client.shut_down_while_fuzzing();
}

#[test]
fn what_another_machine_found_appears_also_while_the_editor_rests() {
    let place = tempfile::tempdir().unwrap();
    find_for_an_editor(place.path().to_str().unwrap());
}

/// The same on a server where the editor may only read, at a campaign that begins later: until then nothing is made there.
#[test]
fn what_another_machine_found_comes_through_a_server() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats_with_roles(store.path());
    let place = |who: &str| format!("nats://{who}@127.0.0.1:{}/night", server.port());
    let project = Project::files(&[(FILE, LOCKED)]);
    let (mut client, file) = open(&project, json!({ "exchange": place("reader:r") }));
    let said = client.notification("window/showMessage")["message"].take();
    let why = "no fleet left anything here; fuzzing continues alone, and joins again when it can";
    assert_eq!(said, format!("Bellwether: `bellwether.exchange`: nats://127.0.0.1:{}/night: {why}", server.port()));
    client.status("quiet");
    let streams = || files::files(store.path()).into_iter().filter(|file| file.ends_with("meta.inf")).count();
    assert_eq!(streams(), 0);
    assert_eq!(find_elsewhere(&place("fuzzer:f")), 1);
    assert!(streams() > 0);
    let shown = client.diagnostics(&file);
    let told = shown[0]["message"].as_str().unwrap();
    assert!(told.starts_with("assertion can fail: unlock(≈1.429e38) → check()"), "{told}");
    client.shut_down_while_fuzzing();
}

/// The same from a bucket that the editor's keys may only read.
#[test]
fn what_another_machine_found_comes_from_a_bucket_that_is_only_read() {
    if !slow::is_asked() {
        return;
    }
    let (server, keys) = servers::s3_with_roles("corpora", [servers::READS, servers::FUZZES]);
    let endpoint = format!("http://127.0.0.1:{}", server.port());
    let [reader, fuzzer] = keys.each_ref().map(|[id, secret]| {
        let keys = [("AWS_ACCESS_KEY_ID", id.as_str()), ("AWS_SECRET_ACCESS_KEY", secret.as_str())];
        [&keys[..], &[("AWS_ENDPOINT_URL", endpoint.as_str()), ("AWS_REGION", "us-east-1")]].concat()
    });
    let place = "s3://corpora/night";
    assert_eq!(find_there(LOCKED, place, &fuzzer), 1);
    let project = Project::files(&[(FILE, LOCKED)]);
    let mut options = project.options();
    options["exchange"] = json!(place);
    let mut client = Client::start_with(|command| {
        command.envs(reader);
    });
    client.initialize(client::vscode(), Some(&project.root()), options);
    client.notify("initialized", json!({}));
    let file = project.path(FILE);
    client.open(&file);
    let shown = client.diagnostics(&file);
    let told = shown[0]["message"].as_str().unwrap();
    assert!(told.starts_with("assertion can fail: unlock(≈1.429e38) → check()"), "{told}");
    client.shut_down_while_fuzzing();
}

/// Sequences come as well: a line that no search here reaches is reached.
#[test]
fn what_another_machine_reached_is_reached_in_the_editor() {
    let reached = |source: &str| {
        source.replace("open = keccak256", "if (keccak256").replace("095;", "095)\n            open = true;")
    };
    let harmless = reached(LOCKED).replace("assert(!open)", "assert(open || !open)");
    let (project, place) = (Project::files(&[(FILE, &harmless)]), tempfile::tempdir().unwrap());
    assert_eq!(find_in(&harmless, place.path().to_str().unwrap()), 0);
    let line = harmless.lines().position(|line| line.contains("open = true")).unwrap();
    let (mut client, file) = open(&project, json!({ "exchange": place.path() }));
    poll_until("the line", || {
        let answer = client.request("bellwether/coverage", json!({ "uri": uri(&file) }));
        answer[0]["reached"].as_array().is_some_and(|lines| lines.contains(&json!(line)))
    });
    client.shut_down_while_fuzzing();
}

/// An editor that only reads does not make the folder either; who shares does.
#[test]
fn who_shares_nothing_makes_no_folder() {
    let around = tempfile::tempdir().unwrap();
    let place = around.path().canonicalize().unwrap().join("shared");
    let failing = LOCKED.replace("assert(!open)", "assert(open)");
    let project = Project::files(&[(FILE, &failing)]);
    let (mut client, file) = open(&project, json!({ "exchange": place }));
    let said = client.notification("window/showMessage")["message"].take();
    let why = "no such folder; fuzzing continues alone, and joins again when it can";
    assert_eq!(said, format!("Bellwether: `bellwether.exchange`: {}: {why}", place.display()));
    client.diagnostics(&file);
    assert!(!place.exists());
    let mut settings = project.options();
    settings
        .as_object_mut()
        .unwrap()
        .extend([("exchange".to_owned(), json!(place)), ("shareFindings".to_owned(), json!(true))]);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "bellwether": settings } }));
    poll_until("the folder", || place.exists());
    client.shut_down_while_fuzzing();
}

#[test]
fn nothing_is_sent_unasked() {
    let failing = LOCKED.replace("assert(!open)", "assert(open)");
    let (project, place) = (Project::files(&[(FILE, &failing)]), tempfile::tempdir().unwrap());
    let (mut client, file) = open(&project, json!({ "exchange": place.path() }));
    client.diagnostics(&file);
    client.shut_down_while_fuzzing();
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn an_editor_shares_what_it_finds_if_its_user_says_so() {
    let failing = LOCKED.replace("assert(!open)", "assert(open)");
    let (project, place) = (Project::files(&[(FILE, &failing)]), tempfile::tempdir().unwrap());
    let (mut client, file) = open(&project, json!({ "exchange": place.path(), "shareFindings": true }));
    client.diagnostics(&file);
    client.shut_down_while_fuzzing();
    assert!(shared_findings(place.path()).as_u64().unwrap() >= 1);
}

#[test]
fn a_place_that_cannot_be_reached_is_told_and_fuzzing_goes_on() {
    let failing = LOCKED.replace("assert(!open)", "assert(open)");
    let project = Project::files(&[(FILE, &failing)]);
    for (exchange, told) in [
        ("nats://127.0.0.1:1/night", "fuzzing continues alone, and joins again when it can"),
        ("shared", "`exchange`: shared: give the whole path of the folder"),
        ("ftp://example.org", "`exchange`: ftp://example.org: cannot share by `ftp`"),
    ] {
        let (mut client, file) = open(&project, json!({ "exchange": exchange }));
        let said = client.notification("window/showMessage")["message"].take();
        assert!(said.as_str().unwrap().contains(told), "{said}");
        client.diagnostics(&file);
        client.shut_down_while_fuzzing();
    }
}
