//! Requests that only read are answered beside the thread that owns the state. Still each sees what was sent before it, with nothing
//! awaited in between.

mod client;

use client::{
    Client,
    project::{Project, noted_line},
    uri,
};
use serde_json::json;

#[test]
fn who_asks_sees_what_was_typed_just_before() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let line = noted_line(&client.open(&vault));
    let range = client.diagnostics(&vault)[0]["range"].take();

    let top = json!({ "line": 1, "character": 0 });
    for typed in 1..=60 {
        client.change(&vault, json!([{ "range": { "start": top, "end": top }, "text": "// typed\n" }]));
        let at = json!({ "line": line + typed, "character": range["start"]["character"] });
        let file = json!({ "uri": uri(&vault) });
        if typed % 2 == 0 {
            let hover = client.request("textDocument/hover", json!({ "textDocument": file, "position": at }));
            assert_eq!(hover["range"]["start"], at);
        } else {
            let range = json!({ "start": at, "end": at });
            let params = json!({ "textDocument": file, "range": range, "context": { "diagnostics": [] } });
            let actions = client.request("textDocument/codeAction", params);
            assert_eq!(actions[0]["diagnostics"][0]["range"]["start"], at, "{actions:#}");
        }
    }
    // The diagnostics of the last change are the last.
    while client.next_diagnostics(&vault)[0]["range"]["start"]["line"] != line + 60 {}
    client.shut_down();
}
