//! From a save to what the editor shows of it, with the real executable over real pipes: `cargo bench -p bellwether-server
//! --bench latency`.
//!
//! A file is saved again and again, once with a defect that takes two calls to show and once without; what is measured is the
//! time from `didSave` to the diagnostics that show the finding, or show it no more. Every save is a text that no compiler has
//! seen before. In one row the server stays and knows from earlier saves where to look; in the other each save meets a server
//! that was just started and had the sound contract for half a second. Then come the start, memory, and the processor while nothing
//! is to be done, and how long requests take while all cores fuzz. Times differ from machine to machine; nothing is asserted about them.

#[path = "../../tests/client/mod.rs"]
mod client;
mod large;
mod log;
mod process;
mod requests;
mod saves;

use client::{Client, project::Project, vscode};
use process::{Memory, processor_time};
use saves::{Edit, MARK, Saves};
use serde_json::json;
use std::{
    io::Write,
    time::{Duration, Instant},
};

/// Saves each way.
const SAVES: usize = 20;
/// How often a server is started to see how long that takes.
const STARTS: usize = 9;
/// How long a server fuzzes, at most, before its memory is looked at.
const FUZZING: Duration = Duration::from_secs(30);
/// How long a quiet server is watched.
const WATCHING: Duration = Duration::from_secs(10);

/// The fee must be rounded up, or none is taken of small amounts: `deposit{value: 1}()`, `requestWithdrawal(1)`.
const VAULT: Edit = Edit {
    file: "src/Vault.sol",
    sound: "payout = shares - 1 - (shares * EXIT_FEE_BPS) / BPS;",
    defective: "payout = shares - (shares * EXIT_FEE_BPS) / BPS;",
};

fn main() {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(
        out,
        "| project | server | found, p50 | p95 | cleared, p50 | p95 | solc, p50 | whole build, p50 | turning to it, p50 |"
    );
    let _ = writeln!(out, "|---|---|---|---|---|---|---|---|---|");
    let (vault, large) = (vault(), large::project());
    for (name, project, edit) in [("vault", &vault, VAULT), ("large", &large, large::EDIT)] {
        for (server, saves) in [
            ("stays", saves::of_one_server(project, edit, SAVES)),
            ("just started", saves::of_new_servers(project, edit, SAVES)),
        ] {
            let _ = writeln!(out, "| {name} | {server} | {} |", columns(&saves));
        }
    }

    let _ = writeln!(
        out,
        "\n| project | start to `initialize`, p50 | start to the first finding | fuzzed for | server, MB | at most | compiler, MB | processor when quiet |"
    );
    let _ = writeln!(out, "|---|---|---|---|---|---|---|---|");
    for (name, project, edit) in [("vault", &vault, VAULT), ("large", &large, large::EDIT)] {
        let _ = writeln!(out, "| {name} | {} |", live(project, edit));
    }

    let _ = writeln!(out, "\n| project | request while all cores fuzz | p50 | p99 | at most |");
    let _ = writeln!(out, "|---|---|---|---|---|");
    for (name, project, edit) in [("vault", &vault, VAULT), ("large", &large, large::EDIT)] {
        for (method, times) in requests::while_fuzzing(project, edit) {
            let columns =
                [50, 99, 100].map(|percent| format!("{:.1} ms", percentile(&times, percent).as_secs_f64() * 1000.0));
            let _ = writeln!(out, "| {name} | `{method}` | {} |", columns.join(" | "));
        }
    }
}

/// `fixtures/vault` without its defect, and with one more assertion, which [`VAULT`] breaks.
fn vault() -> Project {
    let project = Project::fixture("vault");
    let path = project.path(VAULT.file);
    let text = std::fs::read_to_string(&path).expect("the fixture is readable");
    let text = format!("{text}{MARK}0\n")
        .replace("balance - totalShares;", "balance - totalShares - totalQueued;")
        .replace(VAULT.defective, &format!("{}\n        assert(payout < shares);", VAULT.sound));
    std::fs::write(path, text).expect("the copy is writable");
    project
}

/// What one server costs: it is started, finds the defect, and fuzzes on until it is quiet or the time is over.
fn live(project: &Project, edit: Edit) -> String {
    let starts = (0..STARTS).map(|_| {
        let started = Instant::now();
        let mut client = Client::start();
        client.initialize(vscode(), Some(&project.root()), json!({}));
        let took = started.elapsed();
        client.shut_down();
        took
    });
    let initialized = percentile(&starts.collect::<Vec<_>>(), 50);

    let path = project.path(edit.file);
    let sound = std::fs::read_to_string(&path).expect("the copy is readable");
    std::fs::write(&path, sound.replace(edit.sound, edit.defective)).expect("the copy is writable");
    let budget = json!({ "seconds": FUZZING.as_secs() });
    let started = Instant::now();
    let mut client = Client::open_folder(
        &project.root(),
        json!({ "cache": project.cache(), "workers": 1, "seed": 1, "budget": budget }),
    );
    client.open(&path);
    client.diagnostics(&path);
    let found = started.elapsed();
    client.status("quiet");
    let fuzzed = started.elapsed();
    let memory = Memory::of(client.id());
    let before = processor_time(client.id());
    std::thread::sleep(WATCHING);
    let used = processor_time(client.id()) - before;
    client.discard_unread();
    client.shut_down();
    std::fs::write(&path, sound).expect("the copy is writable");
    format!(
        "{} ms | {} ms | {:.0} s | {:.0} | {:.0} | {:.0} | {} ms in {} s",
        initialized.as_millis(),
        found.as_millis(),
        fuzzed.as_secs_f64(),
        memory.now,
        memory.most,
        memory.compilers,
        used.as_millis(),
        WATCHING.as_secs()
    )
}

fn columns(saves: &Saves) -> String {
    let columns = [
        percentile(&saves.found, 50),
        percentile(&saves.found, 95),
        percentile(&saves.cleared, 50),
        percentile(&saves.cleared, 95),
        percentile(&saves.times.solc, 50),
        percentile(&saves.times.build, 50),
        percentile(&saves.times.rebase, 50),
    ];
    columns.map(|time| format!("{} ms", time.as_millis())).join(" | ")
}

/// So many percent are at most this long.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[(times.len() * percent).div_ceil(100).max(1) - 1]
}
