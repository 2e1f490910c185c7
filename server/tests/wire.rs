//! The server against clients that send anything, read nothing, answer nothing or die: it lives on for as long as somebody is there, and
//! ends with everything that it started when nobody is.

mod client;
#[cfg(target_os = "linux")]
mod raw;

use client::{
    Client,
    project::{Project, place},
    uri, vscode,
};
use serde_json::{Value, json};

/// A server without a project.
fn without_project() -> (Project, Client) {
    let project = Project::files(&[]);
    let mut client = Client::start();
    client.initialize(vscode(), None, project.options());
    client.notify("initialized", json!({}));
    (project, client)
}

/// A request that is always answered in the same way.
fn asked_and_answered(client: &mut Client) {
    let nowhere =
        json!({ "textDocument": { "uri": "file:///nowhere.sol" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(client.request("textDocument/hover", nowhere), Value::Null);
}

#[test]
fn what_is_no_message_is_answered_or_skipped_and_the_next_request_is_served() {
    let (_project, mut client) = without_project();
    let framed = |body: &[u8]| [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
    // With the id and the code of the answer, where there is one.
    for (bytes, answer) in [
        (b"\r\n\r\n".to_vec(), None),
        (b"no header at all\r\n\r\n".to_vec(), None),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\r\n\r\n".to_vec(), None),
        (b"Content-Length\r\n\r\n".to_vec(), None),
        (b"Content-Length: \r\n\r\n".to_vec(), None),
        (b"Content-Length: -1\r\n\r\n".to_vec(), None),
        (b"Content-Length: +1\r\n\r\n".to_vec(), None),
        (b"Content-Length: 0x10\r\n\r\n".to_vec(), None),
        (b"Content-Length: 1e3\r\n\r\n".to_vec(), None),
        (b"Content-Length: 67108865\r\n\r\n".to_vec(), None),
        (b"Content-Length: 18446744073709551616\r\n\r\n".to_vec(), None),
        (b"Content-Length: 5\r\nContent-Length: 7\r\n".to_vec(), None),
        (b"Content-Length: 5".to_vec(), None),
        (b"\xff\xfe\x00\x01\r\n\r\n".to_vec(), None),
        (vec![b'x'; 100_000], None),
        (framed(b""), None),
        (framed(b"\"\xff\xfe\""), Some((Value::Null, -32700))),
        (framed(b"{"), Some((Value::Null, -32700))),
        (framed(b"{}}"), Some((Value::Null, -32700))),
        (framed(b"nul"), Some((Value::Null, -32700))),
        (framed(&[b'['; 100_000]), Some((Value::Null, -32700))),
        (framed(b"null"), Some((Value::Null, -32600))),
        (framed(b"\"text\""), Some((Value::Null, -32600))),
        (framed(b"[]"), Some((Value::Null, -32600))),
        (framed(br#"[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]"#), Some((Value::Null, -32600))),
        (framed(br#"{}"#), Some((Value::Null, -32600))),
        (framed(br#"{"jsonrpc":"2.0"}"#), Some((Value::Null, -32600))),
        (framed(br#"{"jsonrpc":"2.0","id":"a"}"#), Some((json!("a"), -32600))),
        (framed(br#"{"jsonrpc":"2.0","id":-5,"method":null}"#), Some((json!(-5), -32600))),
        (framed(br#"{"jsonrpc":"1.0","id":901,"method":"m"}"#), Some((json!(901), -32600))),
        (framed(br#"{"id":902,"method":"m"}"#), Some((json!(902), -32600))),
        (framed(br#"{"jsonrpc":"2.0","id":[1],"method":"m"}"#), Some((Value::Null, -32600))),
        (framed(br#"{"jsonrpc":"2.0","id":{},"method":"m"}"#), Some((Value::Null, -32600))),
        (framed(br#"{"jsonrpc":"2.0","id":true,"method":"m"}"#), Some((Value::Null, -32600))),
        (framed(br#"{"jsonrpc":"2.0","id":0.5,"method":"m"}"#), Some((Value::Null, -32600))),
        // Answers that nobody asked for, or that are none, are not answered.
        (framed(br#"{"jsonrpc":"2.0","id":4711,"result":null}"#), None),
        (framed(br#"{"jsonrpc":"2.0","id":"4711","error":{"code":1,"message":"m"}}"#), None),
        (framed(br#"{"jsonrpc":"2.0","id":4711,"error":"m"}"#), None),
        // Messages, by ids of all kinds.
        (framed(br#"{"jsonrpc":"2.0","id":"","method":"m"}"#), Some((json!(""), -32601))),
        (framed(br#"{"jsonrpc":"2.0","id":9223372036854775807,"method":"m"}"#), Some((json!(i64::MAX), -32601))),
        (framed(br#"{"jsonrpc":"2.0","id":-1,"method":"m","params":[]}"#), Some((json!(-1), -32601))),
        (framed(br#"{"jsonrpc":"2.0","id":null,"method":"m"}"#), Some((Value::Null, -32601))),
        (framed(br#"{"method":"m","jsonrpc":"2.0","id":903,"more":1}"#), Some((json!(903), -32601))),
    ] {
        let what = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]).into_owned();
        client.send_raw(&bytes);
        asked_and_answered(&mut client);
        if let Some((id, code)) = answer {
            assert_eq!(client.answer(&id).unwrap_err()["code"], code, "{what}");
        }
    }
    assert!(client.complaints.len() > 30, "{:#?}", client.complaints);
    client.complaints.clear();
    client.shut_down();
}

#[test]
fn a_server_that_was_not_initialized_or_was_shut_down_serves_nothing() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let at = json!({ "line": 0, "character": 0 });
    let mut client = Client::start();
    for method in ["textDocument/hover", "workspace/executeCommand", "shutdown"] {
        assert_eq!(client.try_request(method, place(&vault, &at)).unwrap_err()["code"], -32002, "{method}");
    }
    // Dropped: nothing is opened, so nothing is found.
    client.open(&vault);
    client.initialize(vscode(), None, project.options());
    let again = json!({ "capabilities": {} });
    assert_eq!(client.try_request("initialize", again).unwrap_err()["code"], -32600);
    client.notify("initialized", json!({}));
    asked_and_answered(&mut client);

    client.request("shutdown", Value::Null);
    for method in ["textDocument/hover", "shutdown", "initialize"] {
        assert_eq!(client.try_request(method, place(&vault, &at)).unwrap_err()["code"], -32600, "{method}");
    }
    client.open(&vault);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(0));
    assert!(client.statuses.is_empty(), "nothing was ever opened: {:?}", client.statuses);
}

#[test]
fn an_exit_without_a_shutdown_is_told_by_its_code() {
    let (_project, mut client) = without_project();
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(1));
}

#[test]
fn unknown_methods_wrong_parameters_and_cancellations_harm_nobody() {
    let (project, mut client) = without_project();
    let file = json!({ "uri": uri(&project.path("A.sol")) });
    for (method, params, code) in [
        ("no/such", json!({}), -32601),
        ("$/no/such", json!({}), -32601),
        ("", json!({}), -32600),
        ("textDocument/hover", Value::Null, -32602),
        ("textDocument/hover", json!([]), -32602),
        ("textDocument/hover", json!({ "textDocument": file }), -32602),
        ("textDocument/hover", json!({ "textDocument": file, "position": { "line": -1, "character": 0 } }), -32602),
        ("textDocument/hover", json!({ "textDocument": file, "position": { "line": 1e10, "character": 0 } }), -32602),
        ("textDocument/hover", json!({ "textDocument": { "uri": 5 }, "position": {} }), -32602),
        ("textDocument/codeAction", json!({ "textDocument": file, "range": 7, "context": {} }), -32602),
        ("workspace/executeCommand", json!({ "command": 5 }), -32602),
    ] {
        assert_eq!(client.try_request(method, params.clone()).unwrap_err()["code"], code, "{method} {params}");
    }
    for (method, params) in [
        ("$/no/such", json!({})),
        ("$/setTrace", json!({ "value": "verbose" })),
        ("no/such", json!({})),
        ("textDocument/didOpen", json!({ "textDocument": 5 })),
        ("textDocument/didChange", json!({})),
        ("textDocument/didSave", Value::Null),
        ("workspace/didChangeConfiguration", json!([1])),
        ("$/cancelRequest", json!({ "id": 4711 })),
        ("$/cancelRequest", json!({ "id": "none" })),
        ("$/cancelRequest", json!({ "id": [] })),
        ("$/cancelRequest", Value::Null),
    ] {
        client.notify(method, params);
    }
    asked_and_answered(&mut client);

    // Asked and taken back at once: answered in one way or the other, each once.
    let hover = json!({ "textDocument": file, "position": { "line": 0, "character": 0 } });
    for id in 5_000..5_200 {
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": hover }).to_string();
        let cancel = json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": id } }).to_string();
        let frames = [request, cancel].map(|body| format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        client.send_raw(frames.concat().as_bytes());
    }
    for id in 5_000..5_200 {
        match client.answer(&json!(id)) {
            Ok(hover) => assert_eq!(hover, Value::Null),
            Err(error) => assert_eq!(error["code"], -32800, "{error}"),
        }
    }
    asked_and_answered(&mut client);
    client.complaints.clear();
    client.shut_down();
}

#[test]
fn twenty_thousand_edits_arrive_in_order() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&vault);
    let line = client.diagnostics(&vault)[0]["range"]["start"]["line"].as_u64().unwrap();
    // So many lines stand above the text. What an edit means depends on all that were made before it.
    let (mut above, mut chance) = (0, 7_u64);
    let at = |line: u64| json!({ "line": line, "character": 0 });
    for _ in 0..20_000 {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let draw = |limit: u64, shift: u32| (chance >> shift) % limit;
        let (start, end, lines) = match draw(4, 60) {
            0 => (0, above, draw(30, 20)),
            1 if above > 0 => {
                let start = draw(above, 33);
                (start, start + 1, 0)
            }
            _ => {
                let start = draw(above + 1, 33);
                (start, start, 1)
            }
        };
        let text = "// \u{1F514} a line\n".repeat(lines as usize);
        client.change(&vault, json!([{ "range": { "start": at(start), "end": at(end) }, "text": text }]));
        above = above - (end - start) + lines;
    }
    // The last one moves the finding to where it never was: only what differs from what is shown is sent.
    let far = json!([{ "range": { "start": at(0), "end": at(0) }, "text": "// far\n".repeat(1_000) }]);
    client.change(&vault, far);
    above += 1_000;
    let last = loop {
        let shown = client.notification("textDocument/publishDiagnostics");
        if shown["version"] == 20_002 {
            break shown;
        }
    };
    assert_eq!(last["diagnostics"][0]["range"]["start"]["line"], line + above);

    // And what stands above is exactly what was written: without it all is as at first.
    client.change(&vault, json!([{ "range": { "start": at(0), "end": at(above) }, "text": "" }]));
    let back = client.diagnostics(&vault);
    assert_eq!(back[0]["range"]["start"]["line"], line);
    let hover = client.request("textDocument/hover", place(&vault, &back[0]["range"]["start"]));
    assert_eq!(hover["range"], back[0]["range"]);
    client.shut_down();
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use raw::{Raw, children, initialize, resident, server, wait_until_gone};
    use std::process::Command;

    /// A server with a finding, told to somebody who answers nothing.
    fn found(project: &Project, command: Command) -> (Raw, Vec<Value>) {
        let mut raw = Raw::start(command);
        let id = raw.ask("initialize", initialize(&project.root(), project.options(), vscode(), raw.id()));
        raw.answer(&id);
        raw.notify("initialized", json!({}));
        let found = raw.diagnostics(&uri(&project.path("src/Vault.sol")));
        (raw, found)
    }

    #[test]
    fn a_client_that_answers_nothing_is_served() {
        let project = Project::fixture("vault");
        let vault = project.path("src/Vault.sol");
        let mut raw = Raw::start(server());
        // Settings are asked for where none came.
        let mut params = initialize(&project.root(), Value::Null, vscode(), raw.id());
        params["initializationOptions"] = Value::Null;
        std::fs::write(project.path("bellwether.toml"), format!("cache = {:?}\nworkers = 1\n", project.cache()))
            .unwrap();
        let id = raw.ask("initialize", params);
        raw.answer(&id);
        raw.notify("initialized", json!({}));
        for method in ["client/registerCapability", "workspace/configuration"] {
            raw.until(|message| message["method"] == method);
        }
        let found = raw.diagnostics(&uri(&vault));
        assert_eq!(found.len(), 1);
        for _ in 0..20 {
            raw.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
        }
        let id = raw.ask("textDocument/hover", place(&vault, &found[0]["range"]["start"]));
        assert!(raw.answer(&id)["result"]["contents"].is_object());
        let id = raw.ask("shutdown", Value::Null);
        assert_eq!(raw.answer(&id)["result"], Value::Null);
        raw.notify("exit", Value::Null);
        assert_eq!(raw.wait_for_end().code(), Some(0));
    }

    #[test]
    fn a_client_that_reads_nothing_makes_nothing_grow_and_can_end() {
        let project = Project::fixture("vault");
        let vault = project.path("src/Vault.sol");
        let (mut raw, _) = found(&project, server());
        let text = std::fs::read_to_string(&vault).unwrap();
        let document = json!({ "uri": uri(&vault), "languageId": "solidity", "version": 0, "text": text });
        raw.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let mut version = 0;
        // Each edit moves the finding down or up again, which is told.
        let mut edit = |raw: &mut Raw, count: usize| {
            for _ in 0..count {
                version += 1;
                let (end, text) = if version % 2 == 1 { (0, "\n") } else { (1, "") };
                let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": end, "character": 0 } });
                let document = json!({ "uri": uri(&vault), "version": version });
                raw.notify(
                    "textDocument/didChange",
                    json!({ "textDocument": document, "contentChanges": [{ "range": range, "text": text }] }),
                );
            }
        };
        edit(&mut raw, 10_000);
        let before = resident(raw.id());
        edit(&mut raw, 60_000);
        let after = resident(raw.id());
        assert!(after < before + 32 * 1024, "{before} kB, then {after} kB");

        let workers = children(raw.id());
        raw.ask("shutdown", Value::Null);
        raw.notify("exit", Value::Null);
        assert_eq!(raw.wait_for_end().code(), Some(0));
        wait_until_gone(&workers);
    }

    #[test]
    fn a_client_that_asks_and_reads_no_answer_can_end_in_any_way() {
        let project = Project::fixture("vault");
        let vault = project.path("src/Vault.sol");
        for (end, code) in [("input", 1), ("exit", 1), ("shutdown", 0)] {
            let (mut raw, found) = found(&project, server());
            for _ in 0..1_500 {
                raw.ask("textDocument/hover", place(&vault, &found[0]["range"]["start"]));
            }
            let workers = children(raw.id());
            match end {
                "input" => raw.close_input(),
                "exit" => raw.notify("exit", Value::Null),
                _ => {
                    raw.ask("shutdown", Value::Null);
                    raw.notify("exit", Value::Null);
                }
            }
            assert_eq!(raw.wait_for_end().code(), Some(code), "{end}");
            wait_until_gone(&workers);
        }
    }

    #[test]
    fn a_killed_parent_ends_a_server_whose_answers_nobody_reads() {
        let project = Project::fixture("vault");
        let vault = project.path("src/Vault.sol");
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec 3<&0; \"$0\" lsp --log warn <&3 & wait", env!("CARGO_BIN_EXE_bellwether")]);
        let (mut raw, found) = found(&project, shell);
        for _ in 0..1_500 {
            raw.ask("textDocument/hover", place(&vault, &found[0]["range"]["start"]));
        }
        let servers = children(raw.id());
        raw.kill();
        wait_until_gone(&servers);
    }

    #[test]
    fn a_client_that_reads_no_log_can_end() {
        use std::process::Stdio;
        let project = Project::fixture("vault");
        let mut raw = Raw::start_with_log(server(), Stdio::piped());
        let id = raw.ask("initialize", initialize(&project.root(), project.options(), vscode(), raw.id()));
        raw.answer(&id);
        // Each is a warning.
        for _ in 0..5_000 {
            raw.send_raw(b"Content-Length: 1\r\n\r\n{");
        }
        let id = raw.ask("shutdown", Value::Null);
        raw.answer(&id);
        raw.notify("exit", Value::Null);
        assert_eq!(raw.wait_for_end().code(), Some(0));
    }

    #[test]
    fn a_killed_parent_ends_the_server_and_its_compilers_even_if_the_input_stays_open() {
        let project = Project::fixture("vault");
        let mut shell = Command::new("sh");
        // The shell has our end of the pipes, and so has the server.
        shell.args(["-c", "exec 3<&0; \"$0\" lsp --log warn <&3 & wait", env!("CARGO_BIN_EXE_bellwether")]);
        let (mut raw, found) = found(&project, shell);
        assert_eq!(found.len(), 1);
        let servers = children(raw.id());
        assert_eq!(servers.len(), 1);
        let workers = children(servers[0]);
        raw.kill();
        // All that it still had to say, up to the end.
        while raw.next().is_some() {}
        wait_until_gone(&servers);
        wait_until_gone(&workers);
    }

    #[test]
    fn no_compiler_outlives_the_server_however_that_ends() {
        // One that was stopped hears nothing of the end of its input.
        for (end, stopped) in
            [("shutdown", false), ("exit", false), ("kill", false), ("shutdown", true), ("exit", true)]
        {
            let project = Project::fixture("vault");
            let (mut raw, _) = found(&project, server());
            let workers = children(raw.id());
            for worker in workers.iter().filter(|_| stopped) {
                assert!(Command::new("kill").args(["-STOP", &worker.to_string()]).status().unwrap().success());
            }
            match end {
                "shutdown" => {
                    let id = raw.ask("shutdown", Value::Null);
                    raw.answer(&id);
                    raw.notify("exit", Value::Null);
                    assert_eq!(raw.wait_for_end().code(), Some(0));
                }
                "exit" => {
                    raw.notify("exit", Value::Null);
                    assert_eq!(raw.wait_for_end().code(), Some(1));
                }
                _ => raw.kill(),
            }
            wait_until_gone(&workers);
        }
    }
}
