//! Values at the end of lines, as an editor asks for them.

mod client;

use client::{Client, project::Project, uri};
use expect_test::{Expect, expect};
use serde_json::{Value, json};
use std::path::Path;

const SOURCE: &str = "pragma solidity ^0.8.20;
contract Counter {
    uint256 n;
    uint256 cap = 7;
    function add(uint256 by) external {
        require(by <= cap, \"too much\");
        n = n + by;
        if (by == 5) check();
    }
    function check() public view {
        assert(n != 5);
    }
}
";

/// The hints of a file, each behind the text of its line.
fn told(client: &mut Client, file: &Path, source: &str) -> String {
    let end = json!({ "line": source.lines().count(), "character": 0 });
    let params = json!({ "textDocument": { "uri": uri(file) }, "range": { "start": { "line": 0, "character": 0 }, "end": end } });
    let hints = client.request("textDocument/inlayHint", params);
    let lines: Vec<&str> = source.lines().collect();
    let told = |hint: &Value| {
        let (line, column) =
            (hint["position"]["line"].as_u64().unwrap(), hint["position"]["character"].as_u64().unwrap());
        let line = lines[line as usize];
        assert_eq!(column as usize, line.len(), "behind the line: {hint}");
        format!("{} {}\n", line.trim(), hint["label"].as_str().unwrap())
    };
    hints.as_array().unwrap().iter().map(told).collect()
}

fn check(inlay_values: bool, expected: Expect) {
    let project = Project::files(&[("src/Counter.sol", SOURCE), ("foundry.toml", "")]);
    let file = project.path("src/Counter.sol");
    let mut options = project.options();
    options["inlayValues"] = json!(inlay_values);
    let mut client = Client::open_folder(&project.root(), options);
    client.open(&file);
    assert_eq!(client.diagnostics(&file).len(), 1);
    expected.assert_eq(&told(&mut client, &file, SOURCE));

    // What moved has them where it is now, and what was edited has none.
    let moved = SOURCE.replace("pragma", "\n\npragma");
    client.change(&file, json!([{ "text": moved }]));
    client.diagnostics_with(&file, "the finding where it is now", |shown| shown[0]["range"]["start"]["line"] == 12);
    expected.assert_eq(&told(&mut client, &file, &moved));
    let edited = moved.replace("n != 5", "n != 5 ");
    client.change(&file, json!([{ "text": edited }]));
    client.diagnostics_with(&file, "a stale finding", |shown| shown[0]["severity"] == 4);
    assert_eq!(told(&mut client, &file, &edited), "");
    client.shut_down();
}

#[test]
fn the_line_of_a_finding_has_the_values_that_were_compared() {
    check(
        false,
        expect![[r#"
        assert(n != 5); 5 != 5: n is 5
    "#]],
    );
}

#[test]
fn the_lines_on_the_way_have_theirs_where_that_is_asked_for() {
    check(
        true,
        expect![[r#"
        require(by <= cap, "too much"); 5 <= 7
        n = n + by; n: 0 → 5
        if (by == 5) check(); 5 == 5
        assert(n != 5); 5 != 5: n is 5
    "#]],
    );
}
