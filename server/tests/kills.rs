//! The server is killed in the middle of whatever it does, again and again, and started again on the same cache folder: each time it
//! works as if nothing had been, and nothing that it started stays behind.
//!
//! Twenty rounds: `BELLWETHER_SLOW=1 BELLWETHER_ROUNDS=20 cargo test -p bellwether-server --test kills -- --nocapture`

#![cfg(target_os = "linux")]

mod client;
mod raw;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use client::{
    Client,
    project::{Project, noted_line, replacement},
    uri, vscode,
};
use raw::{Raw, children, initialize, server, wait_until_gone};
use serde_json::{Value, json};
use std::io::Write;

/// Numbers that are always the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[test]
fn killed_at_any_moment_it_starts_again_as_if_nothing_had_been() {
    if !slow::is_asked() {
        return;
    }
    let rounds = std::env::var("BELLWETHER_ROUNDS").map_or(5, |rounds| rounds.parse().unwrap());
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let original = std::fs::read_to_string(&vault).unwrap();
    let mut chance = Chance(42);
    for round in 0..rounds {
        // What is killed: a server that has heard so many messages and told so many.
        let (heard, told) = (1 + chance.below(13), chance.below(8) as usize);
        let mut raw = Raw::start(server());
        let mut text = original.clone();
        for message in 0..heard {
            match message {
                0 => {
                    let own = raw.id();
                    let id = raw.ask("initialize", initialize(&project.root(), project.options(), vscode(), own));
                    // Before the answer nothing else may be said.
                    if heard > 1 {
                        raw.answer(&id);
                    }
                }
                1 => raw.notify("initialized", json!({})),
                _ => {
                    // Other code each time, so that something is compiled and written to the cache.
                    let limit = round * 100 + message;
                    text = replacement(
                        &original,
                        "contract Vault {",
                        &format!("contract Vault {{ uint256 constant LIMIT_{limit} = {limit};"),
                    )
                    .1;
                    std::fs::write(&vault, &text).unwrap();
                    raw.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&vault) } }));
                }
            }
        }
        // The answer, the registration and the first status come for certain.
        let told = told.min(match heard {
            0 => 0,
            1 => 1,
            _ => 3 + usize::from(text == original),
        });
        while raw.read < told {
            raw.next().expect("it runs");
        }
        let workers = children(raw.id());
        raw.kill();
        wait_until_gone(&workers);

        let mut client = Client::open_folder(&project.root(), project.options());
        let found = client.diagnostics(&vault);
        assert_eq!(found[0]["range"]["start"]["line"], noted_line(&text), "round {round}: {found:#?}");
        // And it still hears of what is saved.
        client.save(&vault, &original.replace("contract Vault {", &format!("contract Vault {{ // {round}\n")));
        let moved = client.diagnostics(&vault);
        assert_eq!(
            (moved.len(), &moved[0]["range"]["start"]["line"]),
            (1, &Value::from(noted_line(&original) + 1)),
            "round {round}"
        );
        let workers = children(client.process_id());
        // Nothing was complained of: what is in the cache is whole.
        client.shut_down();
        wait_until_gone(&workers);
        std::fs::write(&vault, &original).unwrap();
        writeln!(std::io::stdout(), "round {round}: killed after {heard} messages heard and {told} told; found again")
            .unwrap();
    }
    // What the killed ones were writing is at most a file each, which goes when it is an hour old.
    let builds =
        std::fs::read_dir(project.cache().join("projects")).unwrap().next().unwrap().unwrap().path().join("build");
    let names = std::fs::read_dir(builds).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let half_written = names.filter(|name| !name.ends_with(".json")).count() as u64;
    assert!(half_written <= rounds, "{half_written} files of {rounds} killed servers");
}
