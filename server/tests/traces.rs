//! What an editor asks of the server about one finding: the trace of its calls, and its JSON form.

mod client;

use client::{Client, project::Project, uri};
use expect_test::expect;
use serde_json::{Value, json};

const SOURCE: &str = "pragma solidity ^0.8.20;
contract Counter {
    uint256 n;
    function add(uint256 by) external {
        n = by;
        if (by == 5) check();
    }
    function check() public view { assert(n != 5); }
}
";

#[test]
fn a_finding_is_replayed_for_its_trace_and_copied_as_json() {
    let project = Project::files(&[("src/Counter.sol", SOURCE), ("foundry.toml", "")]);
    let file = project.path("src/Counter.sol");
    let mut options = project.options();
    options["findingCommands"] = json!(true);
    let mut client = Client::open_folder(&project.root(), options);
    client.open(&file);
    let found = client.diagnostics(&file);
    let id = &found[0]["data"];

    let params =
        json!({ "textDocument": { "uri": uri(&file) }, "range": found[0]["range"], "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params);
    let own = actions.as_array().unwrap().iter().filter(|action| action.get("edit").is_none());
    let own: Vec<&Value> = own.map(|action| &action["command"]).collect();
    let command = |title: &str, command: &str| json!({ "title": title, "command": command, "arguments": [id] });
    assert_eq!(
        own,
        [&command("Replay and show trace", "bellwether.openTrace"), &command("Copy as JSON", "bellwether.copyFinding")]
    );

    let trace = client.request("bellwether/trace", json!({ "id": id }));
    assert_eq!(trace["title"], "assertion in Counter.sol:8");
    expect![[r#"
        assertion can fail
        src/Counter.sol:8, assertion, finding ID

        1. owner: new Counter() → ok
        2. owner: add(5) → panic 0x01: assertion failed
           n: 0 → 5
           reads n is 5
           decided at src/Counter.sol:8: `n != 5` was false (`5 != 5`)

        `5 != 5`: `n` is 5
        An assertion states what always holds.
    "#]]
    .assert_eq(&trace["text"].as_str().unwrap().replace(id.as_str().unwrap(), "ID"));
    let finding = client.request("bellwether/finding", json!({ "id": id }));
    assert_eq!((&finding["id"], &finding["oracle"], &finding["line"]), (id, &json!("assertion"), &json!(8)));
    for method in ["bellwether/trace", "bellwether/finding"] {
        let error = client.try_request(method, json!({ "id": "0123" })).unwrap_err();
        assert_eq!(error["message"], "there is no finding 0123 any more");
    }
    client.shut_down();
}
