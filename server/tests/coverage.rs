//! Coverage: which lines of a file are told to be reached, and when.

mod client;

use client::{Client, project::Project, uri};
use expect_test::expect;
use serde_json::{Value, json};
use std::path::Path;

const GATE: &str = r#"pragma solidity ^0.8.20;

contract Gate {
    bool open;
    uint256 constant MODE = 1;

    function unlock(uint256 key) external {
        if (key == 77) {
            open = true;
        }
    }

    function enter() external view {
        require(tx.origin == address(this), "early");
        assert(!open);
    }

    function leave(uint256 steps) external pure {
        uint256 mode = MODE;
        if (mode == 2) {
            steps = 0;
        }
        assert(steps != 12);
    }
}
"#;

/// The lines of a text, each with a mark: `+` reached, `-` not reached yet, `x` cannot be reached, `!` run by a failing call.
fn marked(text: &str, coverage: &Value) -> String {
    let mark = |line: usize| {
        let marks = [("reached", '+'), ("open", '-'), ("unreachable", 'x'), ("failing", '!')];
        let has = |list: &str| coverage[list].as_array().unwrap().contains(&json!(line));
        let here: String = marks.iter().filter(|(list, _)| has(list)).map(|(_, mark)| *mark).collect();
        assert!(here.len() < 2, "line {line} is in several lists");
        if here.is_empty() { " ".to_owned() } else { here }
    };
    let lines = text.lines().enumerate().map(|(line, text)| format!("{} {text}", mark(line)).trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

fn gate() -> Project {
    Project::files(&[("foundry.toml", ""), ("src/Gate.sol", GATE)])
}

fn with_coverage(project: &Project) -> Value {
    let mut options = project.options();
    options["coverage"] = json!(true);
    options
}

fn asked(client: &mut Client, params: Value) -> Vec<Value> {
    client.request("bellwether/coverage", params).as_array().unwrap().clone()
}

/// What was last told of the file, once the fuzzer rests.
fn told(client: &mut Client, path: &Path) -> Value {
    client.status("quiet");
    // What is told comes before the answer to a request that follows.
    let [answer] = &asked(client, json!({ "uri": uri(path) }))[..] else { panic!("one file is asked for") };
    let told = client.coverages.iter().rfind(|coverage| coverage["uri"] == uri(path)).cloned();
    let told = told.expect("coverage is told");
    assert_eq!(told["uri"], answer["uri"]);
    told
}

#[test]
fn each_line_with_code_is_reached_or_not_or_unreachable_or_on_a_failing_path() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    let mut client = Client::open_folder(&project.root(), with_coverage(&project));
    client.open(&gate);
    client.diagnostics_with(&gate, "the finding", client::is_shrunk);
    client.status("quiet");
    let answers = asked(&mut client, json!({}));
    assert_eq!(answers.len(), 1);
    expect![[r#"
          pragma solidity ^0.8.20;

          contract Gate {
              bool open;
        !     uint256 constant MODE = 1;

        +     function unlock(uint256 key) external {
        +         if (key == 77) {
        +             open = true;
                  }
              }

        +     function enter() external view {
        +         require(tx.origin == address(this), "early");
        -         assert(!open);
              }

        !     function leave(uint256 steps) external pure {
        !         uint256 mode = MODE;
        !         if (mode == 2) {
        x             steps = 0;
                  }
        !         assert(steps != 12);
              }
          }"#]]
    .assert_eq(&marked(GATE, &answers[0]));
    client.shut_down_while_fuzzing();
}

#[test]
fn open_files_are_told_of_where_the_setting_is_on() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    for is_on in [true, false] {
        let options = if is_on { with_coverage(&project) } else { project.options() };
        let mut client = Client::open_folder(&project.root(), options);
        client.open(&gate);
        client.status("quiet");
        assert!(!asked(&mut client, json!({ "uri": uri(&gate) })).is_empty());
        assert_eq!(client.coverages.is_empty(), !is_on);
        client.shut_down_while_fuzzing();
    }
}

#[test]
fn lines_move_with_edits_and_edited_lines_are_in_no_list() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    let mut client = Client::open_folder(&project.root(), with_coverage(&project));
    client.open(&gate);
    client.diagnostics_with(&gate, "the finding", client::is_shrunk);
    let before = told(&mut client, &gate);
    let top = json!({ "line": 1, "character": 0 });
    client.change(&gate, json!([{ "range": { "start": top, "end": top }, "text": "// one more\n" }]));
    let assigned = json!({ "line": 9, "character": 12 });
    client.change(&gate, json!([{ "range": { "start": assigned, "end": assigned }, "text": "open = false; " }]));
    let answers = asked(&mut client, json!({ "uri": uri(&gate) }));
    for list in ["reached", "open", "unreachable", "failing"] {
        let lines = before[list].as_array().unwrap().iter().map(|line| line.as_u64().unwrap() + 1);
        let moved: Vec<u64> = lines.filter(|line| *line != 9).collect();
        assert_eq!(answers[0][list], json!(moved), "{list}");
    }
    client.shut_down_while_fuzzing();
}

#[test]
fn a_file_that_nothing_is_known_of_has_no_coverage() {
    let project = gate();
    let mut client = Client::open_folder(&project.root(), project.options());
    assert_eq!(asked(&mut client, json!({ "uri": "file:///nowhere/A.sol" })), Vec::<Value>::new());
    assert_eq!(asked(&mut client, json!({ "uri": "untitled:1" })), Vec::<Value>::new());
    let error = client.try_request("bellwether/coverage", json!({ "uri": 7 })).unwrap_err();
    assert_eq!(error["code"], -32602);
    client.shut_down_while_fuzzing();
}
