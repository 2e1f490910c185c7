//! The same story in every editor: found, told, written as a test, moved by an unsaved edit, fixed, gone. Each client offers what
//! the real one does, from `clients/NAME.json` (`_source` tells where each is from), and panics at anything else; the source has an
//! emoji before what is found, and CRLF line ends, so that each counts columns in its own way.

#[allow(unreachable_pub, reason = "each test uses a part")]
mod client;

use client::{
    Client,
    position::Encoding,
    profile,
    project::{Project, place},
    uri,
};
use serde_json::{Value, json};
use std::path::Path;

/// How a client comes by the regression test.
#[derive(PartialEq)]
enum Way {
    /// A code action carries the edit.
    Action,
    /// A code action is a command, upon which the server has the edit applied.
    Command,
    /// There is none.
    None,
}

/// Waits for the one finding, and gives its line. It is what fails, to the column.
fn the_finding(client: &mut Client, vault: &Path, text: &str) -> Value {
    let mut found = client.diagnostics(vault);
    assert_eq!(found.len(), 1, "{found:#?}");
    let finding = found.remove(0);
    assert_eq!(finding["range"]["start"], client.encoding.position(text, "assert(address(this)"));
    let failing = "assert(address(this).balance >= totalShares + totalQueued)";
    assert_eq!(client.encoding.text_of(text, &finding["range"]), failing);
    finding
}

/// Asks for actions on a finding, and for the edit that writes a test, if there is one.
fn edit_of_action(client: &mut Client, vault: &Path, finding: &Value, way: &Way) -> Option<Value> {
    let params = json!({
        "textDocument": { "uri": uri(vault) },
        "range": finding["range"],
        "context": { "diagnostics": [finding], "only": ["quickfix"] },
    });
    let actions = client.request("textDocument/codeAction", params);
    if *way == Way::None {
        assert_eq!(actions, Value::Null);
        return None;
    }
    let actions = actions.as_array().unwrap();
    let (ignore, others) = actions.split_last().unwrap();
    assert_eq!(ignore["title"], "Ignore this finding…");
    let action = others.first()?;
    assert_eq!((others.len(), &action["title"]), (1, &json!("Generate regression test")));
    if action.get("disabled").is_some() {
        return None;
    }
    let (command, edit) = match way {
        Way::Action => {
            assert_eq!(action["diagnostics"], json!([finding]));
            (&action["command"], Some(action["edit"].clone()))
        }
        Way::Command | Way::None => (action, None),
    };
    // A client carries the command out when it has made the edit, or instead of one.
    if !command.is_null() {
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        client.request("workspace/executeCommand", params);
    }
    Some(edit.unwrap_or_else(|| client.edit()))
}

/// The client is asked to open the test, at its name, if it can.
fn check_opened(client: &mut Client, test: &Path, text: &str) {
    if client.offers("/window/showDocument/support") {
        let document = client.document();
        assert_eq!((&document["uri"], &document["takeFocus"]), (&json!(uri(test)), &json!(true)));
        let name = client.encoding.text_of(text, &document["selection"]);
        assert_eq!(name, "test_regression_assertion_skim");
    }
}

fn story(name: &str, encoding: Encoding, way: &Way) {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let plain = std::fs::read_to_string(&vault).unwrap();
    let marked = plain.replacen("assert(address(this)", "/* \u{1F514} \u{e9} */ assert(address(this)", 1);
    project.write("src/Vault.sol", &marked.replace('\n', "\r\n"));

    // What a client leaves out of `initialize` it gives when it is asked.
    let profile = profile(name);
    let mut client = Client::start();
    let options = match profile.get("initializationOptions") {
        Some(empty) => {
            client.settings = project.options();
            empty.clone()
        }
        None => project.options(),
    };
    let answer = client.initialize_as(profile, Some(&project.root()), options);
    assert_eq!(client.encoding, encoding, "{answer}");
    client.notify("initialized", json!({}));
    let text = client.open(&vault);

    // Found, and told.
    let finding = the_finding(&mut client, &vault, &text);
    let hover = client.request("textDocument/hover", place(&vault, &finding["range"]["start"]));
    assert_eq!(hover["range"], finding["range"]);
    let told = hover["contents"]["value"].as_str().unwrap();
    assert!(told.contains("skim()") && told.contains("panic 0x01"), "{told}");

    // Written as a test, once.
    if let Some(edit) = edit_of_action(&mut client, &vault, &finding, way) {
        let creates = edit.pointer("/documentChanges/0/kind") == Some(&json!("create"));
        assert_eq!(creates, client.creates_files(), "{edit}");
        project.apply_in(encoding, &edit);
        let test = project.path("test/Vault.bellwether.t.sol");
        let written = std::fs::read_to_string(&test).unwrap();
        check_opened(&mut client, &test, &written);
        assert_eq!(edit_of_action(&mut client, &vault, &finding, way), None, "it is there already");

        // And beside another one, behind characters that count differently, in a file that is open.
        let other = written.replacen("function test_regression_assertion_skim", "function other", 1);
        let (body, end) = other.trim_end().rsplit_once('}').unwrap();
        let other = format!("{body}/* \u{1F514} \u{e9} */ }}{end}\n");
        project.write("test/Vault.bellwether.t.sol", &other);
        client.open(&test);
        let edit = edit_of_action(&mut client, &vault, &finding, way).expect("not there any more");
        project.apply_in(encoding, &edit);
        let both = std::fs::read_to_string(&test).unwrap();
        check_opened(&mut client, &test, &both);
        assert!(both.contains("function test_regression_assertion_skim") && both.contains("function other"), "{both}");
        assert!(both.trim_end().ends_with('}') && both.contains("/* \u{1F514} \u{e9} */"), "{both}");
        let document = edit.pointer("/documentChanges/0/textDocument/version");
        let versions = client.offers("/workspace/workspaceEdit/documentChanges");
        assert_eq!(document, versions.then_some(&json!(1)), "{edit}");
    }

    // Moved by what is not saved.
    let (change, moved) = encoding.replacement(&text, "0.8.20;\r\n", "0.8.20; // \u{1F514}\r\n// more\r\n");
    client.change(&vault, change);
    let found = the_finding(&mut client, &vault, &moved);
    assert_eq!(found["message"], finding["message"]);

    // Fixed, and gone.
    let (change, fixed) =
        encoding.replacement(&moved, "balance - totalShares;", "balance - totalShares - totalQueued;");
    client.change(&vault, change);
    client.save(&vault, &fixed);
    assert_eq!(client.diagnostics(&vault), [] as [Value; 0]);
    let log = client.shut_down();
    assert_eq!(log.matches("compiled").count(), 2, "once when opened, with all settings, and once when saved: {log}");
}

#[test]
fn vscode() {
    story("vscode", Encoding::Utf16, &Way::Action);
}

#[test]
fn neovim() {
    story("neovim", Encoding::Utf8, &Way::Action);
}

#[test]
fn helix() {
    story("helix", Encoding::Utf8, &Way::Action);
}

#[test]
fn zed() {
    story("zed", Encoding::Utf16, &Way::Action);
}

#[test]
fn emacs_eglot() {
    story("emacs-eglot", Encoding::Utf32, &Way::Action);
}

#[test]
fn emacs_lsp_mode() {
    story("emacs-lsp-mode", Encoding::Utf32, &Way::Action);
}

#[test]
fn a_client_that_knows_only_commands() {
    story("commands", Encoding::Utf16, &Way::Command);
}

#[test]
fn a_client_that_says_nothing() {
    story("minimal", Encoding::Utf16, &Way::None);
}
