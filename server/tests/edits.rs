//! What editing and saving does to what is shown: a finding moves with its line, is stale once somebody edits it, and outlives what does
//! not compile; however often somebody saves, few builds are made.

mod client;

use client::{
    Client,
    project::{FIX, Project, noted_line, place, position, replacement},
    uri,
};
use expect_test::expect;
use serde_json::{Value, json};
use std::path::Path;

/// What is shown of a file once it is this: severities and messages.
fn wait_until_shown(client: &mut Client, path: &Path, shown: &[(u64, &str)]) {
    client.diagnostics_with(path, &format!("{shown:?}"), |diagnostics| {
        let is = |(said, (severity, beginning)): (&Value, &(u64, &str))| {
            said["severity"] == *severity && said["message"].as_str().unwrap().starts_with(beginning)
        };
        diagnostics.len() == shown.len() && diagnostics.iter().zip(shown).all(is)
    });
}

#[test]
fn unsaved_edits_move_a_finding_and_an_edit_of_its_line_makes_it_stale() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let text = client.open(&vault);
    let line = noted_line(&text);
    assert_eq!(client.diagnostics(&vault)[0]["range"]["start"]["line"], line);

    let at = |line: u64| json!({ "line": line, "character": 0 });
    client.change(&vault, json!([{ "range": { "start": at(1), "end": at(1) }, "text": "// one\n// two\n" }]));
    assert_eq!(client.diagnostics(&vault)[0]["range"]["start"]["line"], line + 2);
    let here = |length: u64| json!({ "start": at(line + 2), "end": { "line": line + 2, "character": length } });
    client.change(&vault, json!([{ "range": here(0), "text": "  " }]));
    let stale = client.diagnostics(&vault);
    assert_eq!((stale.len(), &stale[0]["severity"]), (1, &json!(4)), "{stale:#?}");
    assert!(
        stale[0]["message"].as_str().unwrap().starts_with("before this was edited: assertion can fail: "),
        "{stale:#?}"
    );
    assert!(stale[0].get("relatedInformation").is_none(), "{stale:#?}");
    let hover = client.request("textDocument/hover", place(&vault, &stale[0]["range"]["start"]));
    expect![[r#"
        *Edited since this was found: the next build shows whether it still fails.*

        **assertion can fail** · `Vault` · assertion

        `0 >= 1`: `address(this).balance` is 0, `totalShares + totalQueued` is 1. An assertion states what always holds.

        1. **owner** deploys `new Vault(owner)` → ok
        2. **owner** calls `deposit{value: 1 wei}()` → ok
           - `totalShares`: 0 → 1
           - `sharesOf[owner]`: 0 → 1
           - `balance`: 0 → 1 wei
        3. **owner** calls `requestWithdrawal(1)` → ok
           - `totalShares`: 1 → 0
           - `totalQueued`: 0 → 1
           - `sharesOf[owner]`: 1 → 0
           - `queuedOf[owner]`: 0 → 1
        4. **owner** calls `skim()` → panic 0x01: assertion failed

        *Found after … with seed 1.*
    "#]]
    .assert_eq(&project.text_of(&hover["contents"]["value"]));

    // Taken back, it is true again.
    client.change(&vault, json!([{ "range": here(2), "text": "" }]));
    assert_eq!(client.diagnostics(&vault)[0]["severity"], 1);
    client.shut_down();
}

#[test]
fn a_comment_moves_a_finding_and_never_hides_it() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let text = client.open(&vault);
    let line = noted_line(&text);
    let found = client.diagnostics(&vault);
    let at = json!({ "line": 0, "character": 0 });
    client.change(&vault, json!([{ "range": { "start": at, "end": at }, "text": "// new\n" }]));
    let moved = client.diagnostics(&vault);
    assert_eq!((&moved[0]["message"], &moved[0]["range"]["start"]["line"]), (&found[0]["message"], &json!(line + 1)));
    let commented = format!("// new\n{text}");
    client.save(&vault, &commented);

    // What is sent next is what the next save changed: nothing was in between.
    let (change, fixed) = replacement(&commented, FIX.0, FIX.1);
    client.change(&vault, change);
    client.save(&vault, &fixed);
    assert_eq!(client.diagnostics(&vault), [] as [Value; 0]);

    // And back: found anew.
    let (change, broken) = replacement(&fixed, FIX.1, FIX.0);
    client.change(&vault, change);
    client.save(&vault, &broken);
    assert_eq!(client.diagnostics(&vault), moved);
    client.shut_down();
}

#[test]
fn with_a_compile_error_the_finding_stays() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let text = client.open(&vault);
    let found = client.diagnostics(&vault);

    let (change, broken) = replacement(&text, "(bool ok, ) = to", "(bool ok, ) == to");
    client.change(&vault, change);
    client.save(&vault, &broken);
    let with_error = client.diagnostics(&vault);
    let (finding, error) = (&with_error[0], &with_error[1]);
    assert_eq!(*finding, found[0]);
    assert_eq!((&error["source"], &error["severity"]), (&json!("solc"), &json!(1)));
    assert_eq!(error["range"]["start"]["line"], position(&broken, "(bool ok, ) ==")["line"]);

    let (change, mended) = replacement(&broken, "(bool ok, ) == to", "(bool ok, ) = to");
    client.change(&vault, change);
    client.save(&vault, &mended);
    assert_eq!(client.diagnostics(&vault), found);
    client.shut_down();
}

#[test]
fn with_a_broken_save_between_two_good_ones_only_what_was_edited_is_stale() {
    let source = "pragma solidity ^0.8.20;
contract Pair {
    function first(uint8 n) external pure {
        assert(n != 7);
    }
    function second(uint8 n) external pure {
        assert(n != 9);
    }
}
";
    let project = Project::files(&[("foundry.toml", ""), ("src/Pair.sol", source)]);
    let pair = project.path("src/Pair.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&pair);
    let first = (1, "assertion can fail: first(7)");
    let second = (1, "assertion can fail: second(9)");
    wait_until_shown(&mut client, &pair, &[first, second]);

    let stale = (4, "before this was edited: assertion can fail: first(7)");
    let (change, broken) = replacement(source, "assert(n != 7);", "assert(n < );");
    client.change(&pair, change);
    wait_until_shown(&mut client, &pair, &[stale, second]);
    client.save(&pair, &broken);
    let error = (1, "Expected primary expression");
    wait_until_shown(&mut client, &pair, &[stale, error, second]);

    let (change, repaired) = replacement(&broken, "assert(n < );", "assert(n < 256);");
    client.change(&pair, change);
    client.save(&pair, &repaired);
    wait_until_shown(&mut client, &pair, &[second]);
    client.shut_down();
}

#[test]
fn a_file_that_is_not_open_is_stale_where_another_program_edited_it() {
    let source = "pragma solidity ^0.8.20;
contract One {
    function f(uint8 n) external pure { assert(n != 7); }
}
";
    let project = Project::files(&[("foundry.toml", ""), ("src/One.sol", source)]);
    let one = project.path("src/One.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    wait_until_shown(&mut client, &one, &[(1, "assertion can fail: f(7)")]);
    client.send_changed(&one, &source.replace("assert(n != 7);", "assert(n < );"));
    let stale = (4, "before this was edited: assertion can fail: f(7)");
    wait_until_shown(&mut client, &one, &[stale, (1, "Expected primary expression")]);
    client.shut_down();
}

#[test]
fn a_storm_of_saves_makes_few_builds() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let text = client.open(&vault);
    let found = client.diagnostics(&vault);
    for number in 0..100 {
        client.save(&vault, &format!("{text}// {number}\n"));
    }
    let (_, fixed) = replacement(&text, FIX.0, FIX.1);
    client.change(&vault, json!([{ "text": fixed }]));
    client.save(&vault, &fixed);
    assert_eq!(client.diagnostics(&vault), [] as [Value; 0], "from {found:#?}");
    let log = client.shut_down();
    let builds = log.matches("compiled").count();
    assert!((2..50).contains(&builds), "{builds} builds of 102 that were asked for\n{log}");
}

#[test]
fn twenty_saves_at_once_make_two_builds() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let text = client.open(&vault);
    client.diagnostics(&vault);
    let (_, fixed) = replacement(&text, FIX.0, FIX.1);
    client.change(&vault, json!([{ "text": fixed }]));
    std::fs::write(&vault, fixed).unwrap();
    let saved = json!({ "jsonrpc": "2.0", "method": "textDocument/didSave", "params": { "textDocument": { "uri": uri(&vault) } } });
    let frame = format!("Content-Length: {}\r\n\r\n{saved}", saved.to_string().len());
    client.send_raw(frame.repeat(20).as_bytes());
    assert_eq!(client.diagnostics(&vault), [] as [Value; 0]);
    let log = client.shut_down();
    // The second one may not have begun yet.
    let builds = log.matches("a file was saved").count();
    assert!((1..=2).contains(&builds), "{builds} builds\n{log}");
}

/// A contract of one function that fails, and is found at once.
fn failing(name: &str) -> String {
    format!("pragma solidity ^0.8.0;\ncontract {name} {{ function f() external pure {{ assert(false); }} }}\n")
}

#[test]
fn what_was_found_in_a_folder_goes_with_it() {
    let project = Project::files(&[("src/one/A.sol", &failing("A")), ("src/two/B.sol", &failing("B"))]);
    let (one, other) = (project.path("src/one/A.sol"), project.path("src/two/B.sol"));
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&one);
    let text = client.open(&other);
    wait_until_shown(&mut client, &one, &[(1, "assertion can fail: ")]);

    // Watchers tell of the folder alone.
    std::fs::remove_dir_all(project.path("src/one")).unwrap();
    let changes = json!([{ "uri": uri(&project.path("src/one")), "type": 3 }]);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    wait_until_shown(&mut client, &one, &[]);

    // Without watchers the next save shows it.
    project.write("src/one/A.sol", &failing("A"));
    client.save(&other, &format!("{text}// saved\n"));
    wait_until_shown(&mut client, &one, &[(1, "assertion can fail: ")]);
    std::fs::remove_dir_all(project.path("src/one")).unwrap();
    client.save(&other, &text);
    wait_until_shown(&mut client, &one, &[]);
    client.shut_down_while_fuzzing();
}

#[test]
fn a_file_of_five_megabytes_is_one_like_any_other() {
    let comment = "// A line of a comment that says nothing at all.\n".repeat(110_000);
    let project = Project::files(&[("src/A.sol", &format!("{comment}{}", failing("A")))]);
    let file = project.path("src/A.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    assert!(client.open(&file).len() > 5 << 20);
    let line = client.diagnostics(&file)[0]["range"]["start"]["line"].as_u64().unwrap();
    assert_eq!(line, 110_001);
    let start = json!({ "line": 0, "character": 0 });
    client.change(&file, json!([{ "range": { "start": start, "end": start }, "text": "// one\n" }]));
    let moved = client.diagnostics(&file)[0]["range"]["start"].clone();
    assert_eq!(moved["line"], line + 1);
    let hover = client.request("textDocument/hover", place(&file, &moved));
    assert!(
        hover["contents"]["value"].as_str().unwrap().starts_with("**assertion can fail** · `A` · assertion"),
        "{hover}"
    );
    client.shut_down();
}
