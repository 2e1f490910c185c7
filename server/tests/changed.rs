//! `--target changed` in repositories of all kinds: it finds the lines that differ from the last commit, and runs nothing that the
//! repository names.

#![cfg(unix)]

use std::{
    collections::BTreeSet,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const SOURCE: &str = "pragma solidity ^0.8.20;
contract Gate {
    uint256 opened;
    function open(uint256 key) external {
        if (key == 77_000_123) {
            opened = key;
        }
    }
    function close() external {
        opened = 0;
    }
}
";

struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    /// One commit with `src/Gate.sol`, below a folder of the repository.
    fn new() -> Self {
        let repository = Self { folder: tempfile::tempdir().unwrap() };
        repository.write("p/src/Gate.sol", SOURCE);
        repository.write("p/bellwether.toml", "");
        repository.git(&["init", "--quiet"]);
        repository.commit();
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), text).unwrap();
    }

    fn git(&self, arguments: &[&str]) -> String {
        let identity =
            ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"];
        let done = Command::new("git").args(identity).args(arguments).current_dir(self.folder.path()).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        String::from_utf8(done.stdout).unwrap()
    }

    fn commit(&self) {
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "a gate"]);
    }

    fn fuzz(&self) -> Output {
        Command::new(env!("CARGO_BIN_EXE_bellwether"))
            .args(["fuzz", "p", "--target", "changed", "--format", "json"])
            .args(["--executions", "1000", "--workers", "1", "--seed", "1"])
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    /// The targets, as `file:line`.
    fn targets(&self) -> BTreeSet<String> {
        let output = self.fuzz();
        let result: serde_json::Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let contracts = result["contracts"].as_array().unwrap();
        let targets = contracts.iter().flat_map(|contract| contract["targets"].as_array().unwrap());
        targets.map(|target| format!("{}:{}", target["file"].as_str().unwrap(), target["line"])).collect()
    }

    /// Has the configuration name a program that leaves a file behind, for each of these keys.
    fn set_traps(&self, keys: &[&str]) {
        for key in keys {
            let script = self.path(&format!("traps/{key}"));
            self.write(
                &format!("traps/{key}"),
                &format!("#!/bin/sh\ntouch '{}'\nexit 1\n", self.sprung(key).display()),
            );
            std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
            self.git(&["config", key, script.to_str().unwrap()]);
        }
    }

    fn sprung(&self, key: &str) -> PathBuf {
        self.path(&format!("sprung-{key}"))
    }

    fn sprung_traps(&self) -> Vec<PathBuf> {
        let names = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        names.filter(|path| file_name(path).starts_with("sprung-")).collect()
    }
}

fn file_name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

fn set<const N: usize>(lines: [&str; N]) -> BTreeSet<String> {
    lines.map(str::to_owned).into()
}

#[test]
fn nothing_that_a_repository_names_is_run() {
    let repository = Repository::new();
    repository.write("p/src/Gate.sol", &SOURCE.replace("opened = key", "opened = key + 1"));
    repository.write("p/src/New.sol", &SOURCE.replace("Gate", "New"));
    repository.write(".gitattributes", "*.sol filter=evil diff=evil merge=evil\n");
    repository.set_traps(&[
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "interactive.diffFilter",
        "alias.ls-files",
        "alias.cat-file",
    ]);
    let hooks = repository.path("hooks");
    for hook in ["post-index-change", "fsmonitor-watchman", "reference-transaction"] {
        repository
            .write(&format!("hooks/{hook}"), &format!("#!/bin/sh\ntouch '{}'\n", repository.sprung(hook).display()));
        std::fs::set_permissions(hooks.join(hook), PermissionsExt::from_mode(0o755)).unwrap();
    }
    repository.git(&["config", "core.hooksPath", hooks.to_str().unwrap()]);
    repository.git(&["config", "filter.evil.required", "true"]);
    // The traps are real: this springs some of them, as `git diff` would.
    std::fs::write(repository.path("p/src/Gate.sol"), SOURCE.replace("opened = key", "opened = key + 2")).unwrap();
    let _ = Command::new("git").args(["diff", "HEAD"]).current_dir(repository.folder.path()).output();
    let sprung = repository.sprung_traps();
    assert!(sprung.contains(&repository.sprung("filter.evil.process")) && sprung.len() > 1, "{sprung:?}");
    sprung.iter().for_each(|path| std::fs::remove_file(path).unwrap());

    assert_eq!(
        repository.targets(),
        set(["src/Gate.sol:6", "src/New.sol:4", "src/New.sol:5", "src/New.sol:6", "src/New.sol:9", "src/New.sol:10"])
    );
    assert_eq!(repository.sprung_traps(), [] as [PathBuf; 0]);
}

#[test]
fn nothing_is_fetched_for_what_a_partial_clone_left_out() {
    let repository = Repository::new();
    let blob = repository.git(&["rev-parse", "HEAD:p/src/Gate.sol"]);
    let (folder, name) = blob.trim().split_at(2);
    std::fs::remove_file(repository.path(&format!(".git/objects/{folder}/{name}"))).unwrap();
    repository.git(&["config", "extensions.partialClone", "origin"]);
    repository.git(&["config", "remote.origin.promisor", "true"]);
    repository.git(&["config", "remote.origin.url", repository.path("absent").to_str().unwrap()]);
    repository.git(&["config", "core.repositoryFormatVersion", "1"]);
    repository.set_traps(&["remote.origin.uploadpack"]);
    let _ = Command::new("git").args(["cat-file", "blob", blob.trim()]).current_dir(repository.folder.path()).output();
    std::fs::remove_file(repository.sprung("remote.origin.uploadpack")).expect("the trap is real");

    let output = repository.fuzz();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("this repository lacks a committed file (blob "), "{error}");
    assert_eq!(repository.sprung_traps(), [] as [PathBuf; 0]);
}

#[test]
fn lines_that_differ_are_targets_whatever_became_of_the_files() {
    let repository = Repository::new();
    assert_eq!(repository.targets(), set([]));
    // Converted when it was checked out, as git does on Windows.
    repository.write("p/src/Gate.sol", &SOURCE.replace('\n', "\r\n"));
    assert_eq!(repository.targets(), set([]));
    repository.write("p/src/Gate.sol", &SOURCE.replace("opened = 0", "opened = 1").replace('\n', "\r\n"));
    assert_eq!(repository.targets(), set(["src/Gate.sol:10"]));
    // Staged counts like what is not.
    repository.git(&["add", "."]);
    assert_eq!(repository.targets(), set(["src/Gate.sol:10"]));
    // A file that is ignored is no change, one that is only staged is, one that is gone has no lines.
    repository.write(".gitignore", "Ignored.sol\n");
    repository.write("p/src/Ignored.sol", &SOURCE.replace("Gate", "Ignored"));
    let whole = |file: &str| [4, 5, 6, 9, 10].map(|line| format!("src/{file}.sol:{line}")).into();
    repository.write("p/src/Staged.sol", &SOURCE.replace("Gate", "Staged"));
    repository.git(&["add", "p/src/Staged.sol"]);
    std::fs::remove_file(repository.path("p/src/Gate.sol")).unwrap();
    assert_eq!(repository.targets(), whole("Staged"));
    // Once it is committed, nothing is left.
    repository.commit();
    assert_eq!(repository.targets(), set([]));
}

#[test]
fn a_linked_work_tree_is_a_repository_too() {
    let repository = Repository::new();
    repository.git(&["worktree", "add", "--quiet", "linked"]);
    let linked = repository.path("linked/p/src/Gate.sol");
    std::fs::write(&linked, SOURCE.replace("opened = 0", "opened = 1")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_bellwether"))
        .args(["fuzz", "linked/p", "--target", "changed", "--format", "json", "--executions", "100", "--workers", "1"])
        .current_dir(repository.folder.path())
        .output()
        .unwrap();
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["contracts"][0]["targets"][0]["line"], 10, "{result}");
}
