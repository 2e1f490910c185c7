//! Findings that a person says are meant: by comments, by entries of `bellwether.toml`, and by levels of a place. They are still
//! found, told apart, and fail no build; and an ignore that ignores nothing is told.

#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/redact.rs"]
mod redact;

use expect_test::{Expect, expect};
use redact::redact;
use serde_json::{Value, json};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A contract whose check fails on line 5, with what stands above and behind it, and a `bellwether.toml`.
fn counter(above: &str, behind: &str, config: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = format!(
        "pragma solidity ^0.8.20;\ncontract Counter {{\n    uint256 n;\n    function check(uint256 by) external {{ n = by;{above}\n        \
         assert(by != 5);{behind}\n    }}\n}}\n"
    );
    std::fs::write(folder.path().join("Counter.sol"), source).unwrap();
    std::fs::write(folder.path().join("bellwether.toml"), config).unwrap();
    folder
}

fn fuzz(folder: &TempDir, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bellwether"))
        .args(["fuzz", ".", "--executions", "2000", "--workers", "1", "--seed", "1"])
        .args(more)
        .current_dir(folder.path())
        .output()
        .unwrap()
}

/// The exit code, and the JSON's `findings`, `ignored` and `errors`, each as lines.
fn told(folder: &TempDir) -> (Option<i32>, Vec<String>) {
    let output = fuzz(folder, &["--format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let list = |key: &str| json[key].as_array().unwrap().clone();
    let findings =
        list("findings").into_iter().map(|it| format!("{} on line {}", it["oracle"].as_str().unwrap(), it["line"]));
    let ignored = list("ignored").into_iter().map(|it| format!("ignored: {}", it["ignored"]));
    let errors = list("errors")
        .into_iter()
        .map(|it| format!("{}:{}: {}", it["file"].as_str().unwrap(), it["line"], it["message"].as_str().unwrap()));
    (output.status.code(), findings.chain(ignored).chain(errors).collect())
}

fn by(file: &str, line: u32, reason: &str) -> String {
    format!("ignored: {}", json!({ "reason": reason, "file": file, "line": line }))
}

const RULE: &str = "[[ignore]]\noracle = \"assertion\"\nfile = \"Counter.sol\"\nreason = \"five is meant\"\n";

#[test]
fn a_comment_or_an_entry_ignores_a_finding_which_is_still_told_apart() {
    let comment = "// bellwether-ignore assertion: five is meant";
    for (folder, by) in [
        (counter(&format!("\n        {comment}"), "", ""), by("Counter.sol", 5, "five is meant")),
        (counter("", &format!(" {comment}"), ""), by("Counter.sol", 5, "five is meant")),
        (counter("", "", RULE), by("bellwether.toml", 1, "five is meant")),
        (
            counter(
                "",
                "",
                &format!("{RULE}function = \"check\"\ncontract = \"Counter\"\nexpression = \"assert(by!=5)\""),
            ),
            by("bellwether.toml", 1, "five is meant"),
        ),
    ] {
        assert_eq!(told(&folder), (Some(0), vec![by]));
    }
}

#[test]
fn a_comment_before_a_declaration_is_about_all_of_it() {
    for line in [2, 4] {
        let folder = counter("", "", "");
        let file = folder.path().join("Counter.sol");
        let mut lines: Vec<String> = std::fs::read_to_string(&file).unwrap().lines().map(str::to_owned).collect();
        lines.insert(line - 1, "/* bellwether-ignore assertion: an exercise */".to_owned());
        std::fs::write(&file, lines.join("\n")).unwrap();
        assert_eq!(told(&folder), (Some(0), vec![by("Counter.sol", line as u32, "an exercise")]));
    }
}

#[test]
fn people_read_what_was_ignored_and_why() {
    let folder = counter("", " // bellwether-ignore assertion: five is meant", "");
    let output = fuzz(&folder, &[]);
    let expected: Expect = expect![[r#"
        ignored[assertion]: ./Counter.sol:5: five is meant

        ✓ ./Counter.sol:Counter · 100 % of branches · 2,000 transactions

        0 findings · 1 ignored · 2,000 transactions in … · 1 worker · seed 1
    "#]];
    expected.assert_eq(&redact(&String::from_utf8_lossy(&output.stdout), folder.path()));
}

#[test]
fn an_ignore_without_a_reason_or_of_an_oracle_that_is_none_ignores_nothing_and_says_so() {
    for (comment, said) in [
        (
            "// bellwether-ignore assertion",
            "Counter.sol:5: this `bellwether-ignore` has no reason, so it ignores nothing: write `// bellwether-ignore assertion: why this is intended`",
        ),
        (
            "// bellwether-ignore asertion: meant",
            "Counter.sol:5: there is no oracle `asertion` to ignore; did you mean `assertion`?",
        ),
    ] {
        let found = vec!["assertion on line 5".to_owned(), said.to_owned()];
        assert_eq!(told(&counter("", &format!(" {comment}"), "")), (Some(1), found), "{comment}");
    }
    let output = fuzz(&counter("", "", &RULE.replace("five is meant", "")), &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("bellwether.toml:1: an `ignore` entry has no reason: write `reason = \"...\"`"), "{said}");
}

#[test]
fn an_ignore_that_matches_nothing_is_told_where_its_code_was_run() {
    let idle = |place: &str| {
        vec![
            "assertion on line 5".to_owned(),
            format!(
                "{place}: `compiler-check` found nothing to ignore here in 2,000 transactions: remove this, or it hides the next defect"
            ),
        ]
    };
    let comment = counter("", " // bellwether-ignore compiler-check: meant", "");
    assert_eq!(told(&comment), (Some(1), idle("Counter.sol:5")));
    let rule = counter("", "", &RULE.replace("assertion", "compiler-check"));
    assert_eq!(told(&rule), (Some(1), idle("bellwether.toml:1")));
    // Nothing ran there, or nobody looked.
    let elsewhere = counter(
        "",
        "",
        &RULE.replace("Counter.sol\"", "Counter.sol\"\nfunction = \"other\"").replace("assertion", "compiler-check"),
    );
    assert_eq!(told(&elsewhere).1, ["assertion on line 5"]);
    let off = counter("", " // bellwether-ignore checked-arithmetic: meant", "");
    assert_eq!(told(&off).1, ["assertion on line 5"]);
    let not_run = counter(
        "",
        "\n        if (by > 1 && by < 1) {\n            n /= by; // bellwether-ignore compiler-check: meant\n        }",
        "",
    );
    assert_eq!(told(&not_run).1, ["assertion on line 5"]);
}

#[test]
fn a_place_has_its_own_level_and_the_last_entry_that_fits_counts() {
    let level = |place: &str, level: &str| format!("[[levels]]\n{place}\noracles.assertion = \"{level}\"\n");
    let severity = |config: &str| {
        let output = fuzz(&counter("", "", config), &["--format", "json"]);
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), json["findings"][0]["severity"].as_str().unwrap_or("none").to_owned())
    };
    for (config, code, expected) in [
        (level("file = \"Counter.sol\"", "hint"), 0, "hint"),
        (level("contract = \"Counter\"", "warning"), 1, "warning"),
        (level("function = \"check\"", "off"), 0, "none"),
        (level("function = \"other\"", "off"), 1, "error"),
        (level("file = \"**\"", "off") + &level("function = \"check\"", "information"), 0, "information"),
        (level("function = \"check\"", "warning") + "[oracles]\nassertion = \"off\"\n", 1, "warning"),
    ] {
        assert_eq!(severity(&config), (Some(code), expected.to_owned()), "{config}");
    }
}
