//! Hovers on lines that were not reached: what they say, and where there is none.

mod client;

use client::{Client, project::Project, uri, vscode};
use expect_test::expect;
use serde_json::{Value, json};
use std::path::Path;

const GATE: &str = r#"pragma solidity ^0.8.20;

contract Gate {
    uint256 opened;
    uint256 total;

    function add(uint256 amount) external {
        if (amount > 7) {
            total = amount;
        }
    }

    function enter() external {
        require(opened == 12, "early");
        total = 1;
    }

    function leave() external {
        uint256 mode = 1;
        if (mode == 2) {
            total = 0;
        }
    }
}
"#;

/// A hover at the end of a line, from 0.
fn hover(client: &mut Client, path: &Path, line: usize) -> Value {
    let position = json!({ "line": line, "character": 12 });
    client.request("textDocument/hover", json!({ "textDocument": { "uri": uri(path) }, "position": position }))
}

/// The hovers on all lines of a text but those that tell a contract's world, with whatever number of transactions.
fn hovers(client: &mut Client, path: &Path, text: &str) -> String {
    let mut told = String::new();
    for (number, line) in text.lines().enumerate() {
        let hover = hover(client, path, number);
        let why = hover["contents"]["value"].as_str().filter(|why| !why.starts_with("Fuzzed as"));
        let Some(why) = why else { continue };
        let why = match (why.split_once(", in "), why.split_once(" transactions.")) {
            (Some((before, _)), Some((_, after))) => format!("{before}, in … transactions.{after}"),
            _ => why.to_owned(),
        };
        let range = &hover["range"];
        let [start, end] = ["start", "end"].map(|side| range[side]["character"].as_u64().unwrap() as usize);
        assert_eq!((&range["start"]["line"], &line[start..end]), (&json!(number), line.trim()), "{why}");
        told += &format!("{}: {}\n    {why}\n", number + 1, line.trim());
    }
    told
}

fn gate() -> Project {
    Project::files(&[("foundry.toml", ""), ("src/Gate.sol", GATE)])
}

#[test]
fn a_line_that_was_not_reached_says_what_stands_in_the_way_and_others_say_nothing() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&gate);
    client.status("quiet");
    expect![[r#"
        15: total = 1;
            Not reached yet, in … transactions. `opened == 12` in line 14 was never true. The closest call known is `enter()`, where `opened` was 0. Every call of `enter` reverted, the first one at line 14 with revert "early".
        21: total = 0;
            Cannot be reached: proved within this world. `mode == 2` in line 20 is never true.
    "#]].assert_eq(&hovers(&mut client, &gate, GATE));
    client.shut_down_while_fuzzing();
}

#[test]
fn it_moves_with_edits_and_is_gone_where_the_line_was_edited() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&gate);
    client.status("quiet");
    let before = hover(&mut client, &gate, 14);
    let top = json!({ "line": 1, "character": 0 });
    client.change(&gate, json!([{ "range": { "start": top, "end": top }, "text": "// one more\n" }]));
    assert_eq!(hover(&mut client, &gate, 15)["contents"], before["contents"]);
    let line = json!({ "line": 15, "character": 8 });
    client.change(&gate, json!([{ "range": { "start": line, "end": line }, "text": "opened = 2; " }]));
    assert_eq!(hover(&mut client, &gate, 15), Value::Null);
    client.shut_down_while_fuzzing();
}

#[test]
fn a_client_without_markdown_gets_plain_text() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    let mut plain = vscode();
    plain["textDocument"]["hover"]["contentFormat"] = json!(["plaintext"]);
    let mut client = Client::start();
    client.initialize(plain, Some(&project.root()), project.options());
    client.notify("initialized", json!({}));
    client.open(&gate);
    client.status("quiet");
    let contents = hover(&mut client, &gate, 20)["contents"].clone();
    let text = "Cannot be reached: proved within this world. mode == 2 in line 20 is never true.";
    assert_eq!(contents, json!({ "kind": "plaintext", "value": text }));
    client.shut_down_while_fuzzing();
}
