//! Ignores in an editor: the code action that writes one, what is shown until it has a reason, and when it matches nothing any more.

mod client;

use client::{Client, project::Project, uri};
use serde_json::{Value, json};

const SOURCE: &str = "pragma solidity ^0.8.20;\ncontract Counter {\n    uint256 n;\n    function check(uint256 by) external {\n        \
                      n = by;\n        assert(by != 5);\n    }\n}\n";

/// Diagnostics as `line: severity: message`, with lines from 1.
fn told(diagnostics: &[Value]) -> Vec<String> {
    let told = |it: &Value| {
        let line = it["range"]["start"]["line"].as_u64().unwrap() + 1;
        format!("{line}: {}: {}", it["severity"], it["message"].as_str().unwrap())
    };
    diagnostics.iter().map(told).collect()
}

#[test]
fn a_finding_is_ignored_by_an_action_and_a_reason_until_nothing_is_left_to_ignore() {
    let project = Project::files(&[("Counter.sol", SOURCE), ("bellwether.toml", "")]);
    let file = project.path("Counter.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&file);
    let found = client.diagnostics(&file);
    assert_eq!(told(&found), ["6: 1: assertion can fail: check(5)"]);

    // The action writes a comment without a reason, which ignores nothing.
    let params =
        json!({ "textDocument": { "uri": uri(&file) }, "range": found[0]["range"], "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params);
    let titles: Vec<&str> = actions.as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Generate regression test", "Ignore this finding…"]);
    assert_eq!(actions[1]["diagnostics"], json!(found));
    project.apply(&actions[1]["edit"]);
    let commented = std::fs::read_to_string(&file).unwrap();
    let comment = "        // bellwether-ignore assertion: <why this is intended>\n";
    assert_eq!(commented, SOURCE.replace("        assert", &format!("{comment}        assert")));
    let whole = |text: &str| json!([{ "text": text }]);
    client.change(&file, whole(&commented));
    client.save(&file, &commented);
    let is_told = |shown: &[Value]| shown.len() == 2 && shown[1]["severity"] == 1;
    assert_eq!(
        told(&client.diagnostics_with(&file, "a mistake", is_told)),
        [
            "6: 2: this `bellwether-ignore` has no reason yet, so it ignores nothing: write it in place of `<why this is intended>`",
            "7: 1: assertion can fail: check(5)"
        ]
    );

    // With its reason it does.
    let reasoned = commented.replace("<why this is intended>", "five is meant");
    client.change(&file, whole(&reasoned));
    client.save(&file, &reasoned);
    client.diagnostics_with(&file, "nothing", <[Value]>::is_empty);

    // Once there is nothing to ignore, and nothing new is found, that is told.
    let fixed = reasoned.replace("by != 5", "by == by");
    client.change(&file, whole(&fixed));
    client.save(&file, &fixed);
    let idle = client.diagnostics_with(&file, "a hint", |shown| shown.len() == 1);
    let told = told(&idle).remove(0);
    assert!(told.starts_with("6: 4: `assertion` found nothing to ignore here in "), "{told}");
    client.shut_down();
}
