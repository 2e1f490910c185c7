//! Lenses: what they say of contracts and functions, where they stand while the text is edited, and what a click does.

mod client;

use client::{Client, profile, project::Project, uri, vscode};
use expect_test::expect;
use serde_json::{Value, json};
use std::path::Path;

const GATE: &str = r#"pragma solidity ^0.8.20;

contract Gate {
    bool open;
    address constant KEEPER = address(uint160(uint256(keccak256("keeper"))));

    function unlock(uint256 key) external {
        if (key == 77) open = true;
    }

    function enter() external view {
        require(msg.sender == KEEPER, "early");
    }

    function leave(uint256 steps) external pure {
        if (steps > 10) assert(steps != 12);
    }
}

contract Never {
    constructor() {
        revert("closed");
    }

    function f() external {}
}

contract Steady {
    uint256 total;

    function add(uint256 amount) external {
        uint256 mode = 1;
        if (amount > 5) total = amount;
        assert(mode == 1);
    }
}
"#;

/// The lenses of a file, as `line: title`, with lines from 1 and whatever number of transactions.
fn lenses(client: &mut Client, path: &Path) -> Vec<String> {
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(path) } }));
    let told = |lens: &Value| {
        let title = lens["command"]["title"].as_str().unwrap();
        let title = match title.strip_suffix(" transactions").and_then(|title| title.rsplit_once("· ")) {
            Some((before, _)) => format!("{before}· … transactions"),
            None => title.to_owned(),
        };
        format!("{}: {title}", lens["range"]["start"]["line"].as_u64().unwrap() + 1)
    };
    let mut lenses: Vec<String> = lenses.as_array().unwrap().iter().map(told).collect();
    lenses.sort_by_key(|lens| lens.split(':').next().unwrap().parse::<usize>().unwrap());
    lenses
}

fn gate() -> Project {
    Project::files(&[("foundry.toml", ""), ("src/Gate.sol", GATE)])
}

#[test]
fn lenses_say_what_was_found_reached_and_not_fuzzed() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&gate);
    client.diagnostics_with(&gate, "the finding", |shown| shown.len() == 2);
    client.status("quiet");
    expect![[r#"
        3: ✗ 1 finding · 87 % of branches · … transactions
        7: ✓ 100 % of branches
        11: every call reverted · 50 % of branches
        15: ✗ 1 finding · 100 % of branches
        20: not fuzzed: its constructor always fails
        28: ✓ 75 % of branches · … transactions
        28: proved: no assertion here can fail within this world
        31: ✓ 75 % of branches"#]]
    .assert_eq(&lenses(&mut client, &gate).join("\n"));
    client.shut_down_while_fuzzing();
}

#[test]
fn lenses_stay_above_what_they_are_about_while_it_is_edited_and_does_not_compile() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let text = client.open(&gate);
    client.diagnostics_with(&gate, "the finding", |shown| shown.len() == 2);
    client.status("quiet");
    let before = lenses(&mut client, &gate);
    let top = json!({ "line": 1, "character": 0 });
    client.change(&gate, json!([{ "range": { "start": top, "end": top }, "text": "one more\n" }]));
    let moved = |lens: &String| {
        let (line, title) = lens.split_once(':').unwrap();
        format!("{}:{title}", line.parse::<usize>().unwrap() + 1)
    };
    let after: Vec<String> = before.iter().map(moved).collect();
    assert_eq!(lenses(&mut client, &gate), after);
    client.save(&gate, &text.replacen('\n', "\none more\n", 1));
    client.diagnostics_with(&gate, "the error", |shown| shown.iter().any(|said| said["source"] == "solc"));
    assert_eq!(lenses(&mut client, &gate), after);
    client.shut_down_while_fuzzing();
}

#[test]
fn a_click_on_the_lens_of_a_finding_shows_it_and_on_others_nothing_happens() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&gate);
    let found = client.diagnostics_with(&gate, "the finding", |shown| shown.len() == 2);
    client.status("quiet");
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&gate) } }));
    let is_found = |lens: &&Value| lens["command"]["title"].as_str().unwrap().starts_with('✗');
    let (found_here, others): (Vec<&Value>, Vec<&Value>) = lenses.as_array().unwrap().iter().partition(is_found);
    assert_eq!(found_here.len(), 2);
    assert!(others.iter().all(|lens| lens["command"]["command"] == ""), "{others:#?}");
    let finding = found.iter().find(|said| said["code"] == "assertion").unwrap();
    for lens in found_here {
        client.request("workspace/executeCommand", lens["command"].clone());
        let shown = client.document();
        assert_eq!((&shown["uri"], &shown["selection"]), (&json!(uri(&gate)), &finding["range"]));
    }
    let gone = json!({ "command": "bellwether.showFinding", "arguments": ["0"] });
    let error = client.try_request("workspace/executeCommand", gone).unwrap_err();
    assert_eq!(error["message"], "there is no finding 0 any more");
    client.shut_down_while_fuzzing();
}

#[test]
fn a_client_is_told_to_ask_again_where_it_knows_how_and_lenses_can_be_switched_off() {
    let project = gate();
    let gate = project.path("src/Gate.sol");
    let mut able = vscode();
    for (refreshes, switched_on) in [(true, true), (false, true), (true, false)] {
        able["workspace"]["codeLens"]["refreshSupport"] = json!(refreshes);
        let mut options = project.options();
        options["codeLens"] = json!(switched_on);
        let mut client = Client::start();
        client.initialize(able.clone(), Some(&project.root()), options);
        client.notify("initialized", json!({}));
        client.open(&gate);
        client.status("quiet");
        assert_eq!(lenses(&mut client, &gate).is_empty(), !switched_on);
        let asked = client.asked.contains_key("workspace/codeLens/refresh");
        assert_eq!(asked, refreshes && switched_on);
        client.shut_down_while_fuzzing();
    }
}

#[test]
fn lenses_are_offered_to_clients_that_show_them() {
    for (name, offered) in [("vscode", true), ("neovim", true), ("minimal", false)] {
        let mut client = Client::start();
        let answer = client.initialize_as(profile(name), None, json!({}));
        assert_eq!(answer["capabilities"]["codeLensProvider"].is_object(), offered, "{name}");
        client.shut_down();
    }
}
