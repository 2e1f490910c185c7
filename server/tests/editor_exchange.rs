//! What an editor has from the machines that fuzz the same contracts, and what they have from it.

mod client;
#[allow(clippy::duplicate_mod, reason = "the client and the servers wait in the same way")]
mod servers;
#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use client::{Client, project::Project};
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
    let source = LOCKED.strip_suffix("}\n").unwrap().to_owned() + KEY;
    let elsewhere = Project::files(&[(FILE, &source)]);
    let output = Command::new(env!("CARGO_BIN_EXE_bellwether"))
        .args(["fuzz", ".", "--workers", "1", "--seed", "1", "--executions", "50000", "--format", "json", "--quiet"])
        .args(["--join", place])
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

#[test]
fn what_another_machine_found_comes_through_a_server() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats(store.path());
    find_for_an_editor(&format!("nats://127.0.0.1:{}/night", server.port()));
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
