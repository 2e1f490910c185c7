//! Storage layouts that no longer fit what is stored, as people see it: in an editor, compared with the last commit or with what there was
//! at first, and on the command line.

#![cfg(unix)]

mod client;

use client::{
    Client,
    project::{Project, replacement},
};
use serde_json::Value;
use std::{
    path::Path,
    process::{Command, Output},
};

const BEFORE: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:oz-upgrades
contract Vault {
    address public owner = msg.sender;
    bool public paused;
}
";

/// The same with a variable in front.
fn after() -> String {
    BEFORE.replace("    address public owner", "    uint256 public fee;\n    address public owner")
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").args(identity).args(arguments).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

fn commit(folder: &Path) {
    git(folder, &["init", "--quiet"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message", "a vault"]);
}

/// Severity, line and message of each.
fn told(diagnostics: &[Value]) -> Vec<String> {
    let tell = |it: &Value| {
        format!("{} {} {}", it["severity"], it["range"]["start"]["line"], it["message"].as_str().unwrap_or_default())
    };
    diagnostics.iter().map(tell).collect()
}

const FOUND: &str = "1 5 `fee` now reads what `owner` wrote: fee()";

#[test]
fn a_save_is_compared_with_what_there_was_at_first() {
    let project = Project::files(&[("foundry.toml", ""), ("src/Vault.sol", BEFORE)]);
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&vault);
    client.status_with(|status| status["contracts"] == 1, "the first build");
    let edit = |client: &mut Client, text: &str, from: &str, to: &str| {
        let (change, saved) = replacement(text, from, to);
        client.change(&vault, change);
        client.save(&vault, &saved);
    };
    let (owner, fee) = ("    address public owner", "    uint256 public fee;\n    address public owner");
    edit(&mut client, BEFORE, owner, fee);
    let found = client.diagnostics_with(&vault, "the changed layout", |shown| !shown.is_empty());
    assert_eq!(told(&found), [FOUND]);
    edit(&mut client, &after(), fee, owner);
    client.diagnostics_with(&vault, "nothing once the layout is as it was", <[Value]>::is_empty);
    client.shut_down();
}

#[test]
fn what_was_changed_before_the_session_is_compared_with_the_last_commit() {
    let project = Project::files(&[("foundry.toml", ""), ("src/Vault.sol", BEFORE)]);
    commit(&project.root());
    let vault = project.path("src/Vault.sol");
    std::fs::write(&vault, after()).unwrap();
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&vault);
    let found = client.diagnostics_with(&vault, "the changed layout", |shown| !shown.is_empty());
    assert_eq!(told(&found), [FOUND]);
    // What is committed counts as deployed from then on.
    git(&project.root(), &["commit", "--quiet", "--all", "--message", "another vault"]);
    client.save(&vault, &format!("{}// the same\n", after()));
    client.diagnostics_with(&vault, "nothing once it is committed", <[Value]>::is_empty);
    client.shut_down();
}

fn bellwether(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bellwether")).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn the_command_line_compares_with_the_last_commit() {
    let folder = tempfile::tempdir().unwrap();
    let vault = folder.path().join("Vault.sol");
    std::fs::write(&vault, BEFORE).unwrap();
    commit(folder.path());
    let fuzz = ["fuzz", ".", "--executions", "100", "--workers", "1", "--seed", "1", "--findings", "found"];
    assert_eq!(bellwether(folder.path(), &fuzz).status.code(), Some(0));
    std::fs::write(&vault, after()).unwrap();
    let output = bellwether(folder.path(), &fuzz);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("error[layout-change]: `fee` now reads what `owner` wrote: fee()"), "{text}");
    assert!(text.contains("Run on what the last commit stored, `fee()` returns"), "{text}");
    let found = std::fs::read_dir(folder.path().join("found")).unwrap().next().unwrap().unwrap().path();
    let replay = || bellwether(folder.path(), &["replay", found.to_str().unwrap()]);
    assert_eq!(replay().status.code(), Some(0));
    std::fs::write(&vault, BEFORE).unwrap();
    assert_eq!(replay().status.code(), Some(1));
}
