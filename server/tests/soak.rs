//! A long day in the editor: hundreds of edits, one in five of which breaks the file in some way, each saved, some of them many times in
//! quick succession. At the end what is shown is what a fresh server shows for the same text, and memory has not grown.
//!
//! The whole day, which prints its memory: `BELLWETHER_SLOW=1 BELLWETHER_EDITS=500 cargo test -p bellwether-server --test soak -- --nocapture`

#![cfg(target_os = "linux")]

mod client;
mod raw;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use client::{Client, project::Project, uri};
use serde_json::{Value, json};
use std::{io::Write, path::Path};

/// Numbers that are always the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

/// What the file is after an edit.
#[derive(Debug, Clone, PartialEq)]
enum Text {
    Good(String),
    /// With errors that the compiler, or the search for one, tells.
    Broken(Vec<u8>),
}

/// The contract: defective or not, with one function more or less, below so many empty lines. A warning stands beside the defect, so that
/// each edit can be told from the one before.
fn contract(lines: usize, fix: &str, more: &str) -> String {
    format!(
        "// SPDX-License-Identifier: MIT\n{lines}pragma solidity ^0.8.20;\ncontract Day {{\n    uint256 shares;\n    uint256 queued;\n\
         \x20   function deposit() external payable {{ shares += msg.value; }}\n\
         \x20   function queue(uint256 n) external {{ require(n <= shares); shares -= n; queued += n; }}\n\
         \x20   function check() external view {{ uint256 unused; assert(address(this).balance - shares{fix} == 0); }}\n{more}}}\n",
        lines = "\n".repeat(lines),
    )
}

fn any_contract(number: usize, chance: &mut Chance) -> String {
    let fix = ["", " - queued"][chance.below(2)];
    let more = match chance.below(4) {
        0 => "    function more(uint256 n) external { queued += n % 7; }\n".to_owned(),
        1 => format!("    function less() external {{ shares -= {}; }}\n", chance.below(5)),
        _ => String::new(),
    };
    contract(number % 50, fix, &more)
}

fn edit(number: usize, chance: &mut Chance) -> Text {
    let good = any_contract(number, chance);
    if chance.below(5) != 0 {
        return Text::Good(good);
    }
    Text::Broken(match chance.below(5) {
        0 => good.replace("uint256 shares;", "uint256 shares").into_bytes(),
        1 => good.replace("contract Day", "import \"./Missing.sol\";\ncontract Day").into_bytes(),
        2 => good.as_bytes()[..good.len() / 2].to_vec(),
        3 => [good.as_bytes(), b"// \xff\xfe\n"].concat(),
        _ => good.replace("^0.8.20", &format!("^0.99.{number}")).into_bytes(),
    })
}

/// Waits until what is shown is of this text: its warning, or an error.
fn wait_for(client: &mut Client, path: &Path, text: &Text) -> Vec<Value> {
    loop {
        let shown = client.diagnostics(path);
        let is_of = |diagnostic: &Value| match text {
            Text::Good(text) => {
                let line = text.lines().position(|line| line.contains("unused")).unwrap();
                diagnostic["severity"] == 2 && diagnostic["range"]["start"]["line"] == line
            }
            Text::Broken(_) => diagnostic["severity"] == 1 && diagnostic["code"] != "assertion",
        };
        if shown.iter().any(is_of) {
            return shown;
        }
    }
}

/// What the findings say, without the calls that prove them: these may differ.
fn findings(shown: &[Value]) -> Vec<(String, String)> {
    let own = shown.iter().filter(|diagnostic| diagnostic["source"] == "bellwether");
    own.map(|diagnostic| (diagnostic["range"].to_string(), diagnostic["code"].to_string())).collect()
}

/// Makes it the text of the file, in the editor and on disk.
fn save(client: &mut Client, path: &Path, text: &Text) {
    match text {
        Text::Good(good) => {
            client.change(path, json!([{ "text": good }]));
            client.save(path, good);
        }
        Text::Broken(bytes) => {
            client.change(path, json!([{ "text": String::from_utf8_lossy(bytes) }]));
            std::fs::write(path, bytes).unwrap();
            client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(path) } }));
        }
    }
}

fn median(values: &[u64]) -> u64 {
    let mut values = values.to_vec();
    values.sort_unstable();
    values[values.len() / 2]
}

#[test]
fn after_a_long_day_what_is_shown_is_what_a_fresh_server_shows() {
    if !slow::is_asked() {
        return;
    }
    let edits: usize = std::env::var("BELLWETHER_EDITS").map_or(40, |edits| edits.parse().unwrap());
    let mut chance = Chance(1);
    let first = Text::Good(contract(0, "", ""));
    let Text::Good(text) = &first else { unreachable!() };
    let project = Project::files(&[("foundry.toml", "[profile.default]\n"), ("src/Day.sol", text)]);
    let day = project.path("src/Day.sol");
    let mut options = project.options();
    options["compilerDiagnostics"] = json!("all");
    // The contract takes ether for the assertion's sake alone.
    options["oracles"] = json!({ "frozen-ether": "off" });
    let mut client = Client::open_folder(&project.root(), options.clone());
    client.open(&day);
    wait_for(&mut client, &day, &first);

    let mut memory = Vec::new();
    for number in 1..=edits {
        // Several in quick succession: only the last one counts.
        let burst = if chance.below(8) == 0 { 10 } else { 1 };
        let texts: Vec<Text> = (0..burst).map(|_| edit(number, &mut chance)).collect();
        texts.iter().for_each(|text| save(&mut client, &day, text));
        wait_for(&mut client, &day, &texts[burst - 1]);
        memory.push(raw::resident(client.process_id()));
    }

    let last = Text::Good(contract(60, "", ""));
    save(&mut client, &day, &last);
    let mut fresh = Client::open_folder(&project.root(), options);
    fresh.open(&day);
    let mut shown = wait_for(&mut fresh, &day, &last);
    while findings(&shown).is_empty() {
        shown = fresh.diagnostics(&day);
    }
    fresh.shut_down();
    let expected = findings(&shown);
    assert_eq!(expected.len(), 1, "{expected:?}");
    let mut shown = wait_for(&mut client, &day, &last);
    while findings(&shown) != expected {
        shown = client.diagnostics(&day);
    }
    // Broken files were complained of.
    client.complaints.clear();
    client.shut_down();

    if let (Some(early), Some(late)) = (memory.get(100..200), memory.get(400..500)) {
        let (early, late) = (median(early), median(late));
        writeln!(std::io::stdout(), "median of memory: {early} kB in edits 100 to 200, {late} kB in edits 400 to 500")
            .unwrap();
        assert!(late < early + early / 4, "{early} kB, then {late} kB");
    }
}
