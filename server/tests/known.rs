//! What fails a build is what is new: `--baseline` and `--new-since`.

use serde_json::Value;
use std::{
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;

const BASE: &str = "pragma solidity ^0.8.20;
contract Base {
    uint256 internal sum;
    // What is added.
    function add(uint256 by) external {
        sum = by;
    }
}
";
const COUNTER: &str = "pragma solidity ^0.8.20;
import {Base} from \"./Base.sol\";
contract Counter is Base {
    function check(uint256 by) external {
        assert(by != 5);
    }
}
";
const OTHER: &str = "pragma solidity ^0.8.20;
contract Other {
    function check(uint256 by) external {
        assert(by != 7);
    }
}
";

fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("Base.sol", BASE), ("Counter.sol", COUNTER), ("Other.sol", OTHER), ("bellwether.toml", "")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn edit(folder: &TempDir, name: &str, old: &str, new: &str) {
    let file = folder.path().join(name);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(old));
    std::fs::write(file, text.replace(old, new)).unwrap();
}

fn fuzz(folder: &Path, more: &[&str]) -> Output {
    let arguments = ["fuzz", ".", "--executions", "4000", "--workers", "1", "--seed", "1"];
    Command::new(env!("CARGO_BIN_EXE_bellwether")).args(arguments).args(more).current_dir(folder).output().unwrap()
}

/// The exit code, and the file of each finding, with why it is known.
fn found(folder: &TempDir, more: &[&str]) -> (Option<i32>, Vec<String>) {
    let output = fuzz(folder.path(), &[more, &["--format", "json"]].concat());
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let told = |finding: &Value| {
        let known = finding.get("known").map_or("new", |known| known.as_str().unwrap());
        format!("{} {known}", finding["file"].as_str().unwrap())
    };
    (output.status.code(), json["findings"].as_array().unwrap().iter().map(told).collect())
}

fn git(folder: &TempDir, arguments: &[&str]) {
    let identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").args(identity).args(arguments).current_dir(folder.path()).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

#[test]
fn what_the_baseline_has_fails_nothing() {
    let folder = project();
    let both = ["Counter.sol", "Other.sol"];
    let with = |known: [&str; 2]| vec![format!("{} {}", both[0], known[0]), format!("{} {}", both[1], known[1])];
    assert_eq!(found(&folder, &["--findings", "saved"]), (Some(1), with(["new", "new"])));
    let report = fuzz(folder.path(), &["--format", "json", "--out", "report.json"]);
    assert_eq!(report.status.code(), Some(1));
    for baseline in ["saved", "report.json"] {
        assert_eq!(found(&folder, &["--baseline", baseline]), (Some(0), with(["baseline", "baseline"])), "{baseline}");
    }
    let text = String::from_utf8(fuzz(folder.path(), &["--baseline", "saved"]).stdout).unwrap();
    assert!(
        text.starts_with("known[assertion]: ./Counter.sol:5: assertion can fail: check(5) (in the baseline)\n"),
        "{text}"
    );
    assert!(text.contains("\n0 findings · 2 known · "), "{text}");

    // Lines move, and something else becomes wrong.
    edit(&folder, "Counter.sol", "import", "\nimport");
    edit(&folder, "Other.sol", "by != 7", "by != 8");
    assert_eq!(found(&folder, &["--baseline", "saved"]), (Some(1), with(["baseline", "new"])));
}

#[test]
fn what_did_not_change_since_a_revision_fails_nothing() {
    let folder = project();
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message", "all"]);
    git(&folder, &["tag", "before"]);
    let told = |counter: &str, other: &str| vec![format!("Counter.sol {counter}"), format!("Other.sol {other}")];
    assert_eq!(found(&folder, &["--new-since", "before"]), (Some(0), told("unchanged", "unchanged")));
    // A comment is no code.
    edit(&folder, "Base.sol", "// What is added.", "// What is added, or so.");
    assert_eq!(found(&folder, &["--new-since", "before"]), (Some(0), told("unchanged", "unchanged")));
    // The base of a contract is its code.
    edit(&folder, "Base.sol", "sum = by", "sum = by / 2");
    assert_eq!(found(&folder, &["--new-since", "before"]), (Some(1), told("new", "unchanged")));
    git(&folder, &["commit", "--quiet", "--all", "--message", "half"]);
    assert_eq!(found(&folder, &["--new-since", "HEAD"]), (Some(0), told("unchanged", "unchanged")));
    assert_eq!(found(&folder, &["--new-since", "HEAD~1"]), (Some(1), told("new", "unchanged")));
}

#[test]
fn what_cannot_be_compared_is_an_error_that_says_what_to_do() {
    let folder = project();
    std::fs::write(folder.path().join("bad.json"), "{").unwrap();
    std::fs::write(folder.path().join("other.json"), "{}").unwrap();
    git(&folder, &["init", "--quiet"]);
    for (arguments, says) in [
        (
            ["--baseline", "absent.json"],
            "--baseline absent.json: no such file or folder; write one with `bellwether fuzz --format json --out FILE`",
        ),
        (["--baseline", "bad.json"], "--baseline bad.json: is not JSON"),
        (
            ["--baseline", "other.json"],
            "--baseline other.json: is neither a report of `bellwether fuzz --format json` nor a finding",
        ),
        (
            ["--new-since", "HEAD"],
            "--new-since HEAD compares with the last commit; run it in a git repository with one, or leave the option out",
        ),
        (
            ["--new-since", "absent"],
            "--new-since absent: there is no such commit here; name another one, fetch this one with git, or leave the option out",
        ),
    ] {
        let output = fuzz(folder.path(), &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(
            error.starts_with("error: ") && error.contains(says) && output.stdout.is_empty(),
            "{arguments:?}: {error}"
        );
    }
}
