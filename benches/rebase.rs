//! What a save costs: how many transactions of the corpus are run again, beside how many were run to learn it, and how long it takes
//! until fuzzing goes on: `cargo bench --bench rebase`.

mod support;

use bellwether::{
    compile::{Build, Compiler, default_cache},
    fuzz::{Campaign, Options, Progress},
    project::Project,
};
use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    sync::Arc,
    time::{Duration, Instant},
};

/// Transactions before the save.
const EXECUTIONS: u64 = 300_000;

/// A contract with so many functions that need each other's state.
fn large(functions: usize) -> String {
    let mut source =
        String::from("pragma solidity ^0.8.20;\ncontract Large {\n    mapping(uint256 => uint256) public kept;\n");
    for index in 0..functions {
        let _ = write!(
            source,
            "    function f{index}(address to, uint256[] calldata amounts) external returns (uint256 sum) {{
        for (uint256 i = 0; i < amounts.length && i < 9; i++) {{
            require(amounts[i] != {number}, \"no {index}\");
            sum += amounts[i] % {number};
            if (to == msg.sender && kept[{before}] > i) sum++;
        }}
        kept[{index}] += sum % 7;
    }}\n",
            number = 1000 + index,
            before = index.saturating_sub(1),
        );
    }
    source + "}\n"
}

fn main() {
    let mut out = std::io::stdout();
    let read = |fixture: &str, file: &str| {
        fs::read_to_string(support::fixture(fixture).join(file)).expect("a fixture's file").replace('\r', "")
    };
    let sources = [
        ("Vault", read("vault", "src/Vault.sol"), "if (shares > held)", "if (shares >= held)"),
        ("Auction", read("auction", "src/Auction.sol"), "msg.value <= highestBid", "msg.value < highestBid"),
        ("Large", large(20), "1010", "1011"),
    ];
    for (name, source, was, is) in sources {
        assert!(source.contains(was), "{name}");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join(format!("{name}.sol"));
        let project = || Project::load(folder.path()).expect("a project loads");
        let mut compiler = Compiler::new(&default_cache(), folder.path(), true);
        let mut save = |text: &str| -> Arc<Build> {
            fs::write(&file, text).expect("a file");
            Arc::new(compiler.build(&project()))
        };
        let options = Options { workers: 1, seed: 1, ..Options::default() };
        let campaign = Campaign::start(options, Arc::new(|_| {})).expect("a thread");
        campaign.rebase(&save(&source), &project().config, 1);
        poll(&campaign, |progress| progress.executions >= EXECUTIONS);
        campaign.pause_and_wait();
        let edits = [
            ("a comment", source.replace(was, &format!("/* why */ {was}"))),
            ("one line", source.replace(was, is)),
            ("taken back", source.clone()),
        ];
        for (generation, (edit, text)) in (2..).zip(edits) {
            let before = progress(&campaign);
            let build = save(&text);
            let (turned, started) = measure(|| campaign.rebase(&build, &project().config, generation));
            campaign.set_paused(false);
            poll(&campaign, |progress| progress.awaiting_rerun == 0);
            let took = started.elapsed();
            campaign.pause_and_wait();
            let after = progress(&campaign);
            let _ = writeln!(
                out,
                "{name:>8}, {edit:<10}: {:>6} transactions learned {:>4} paths; turned in {turned:>8.2?}, {:>5} transactions run again in {took:>8.2?}, {:>4} paths then",
                before.executions, before.paths, after.rerun, after.paths
            );
        }
        campaign.stop();
    }
}

fn progress(campaign: &Campaign) -> Progress {
    campaign.progress().remove(0)
}

/// Looks again and again, as campaigns tell no progress. The pause is short beside what is measured, and leaves the processor to it.
fn poll(campaign: &Campaign, until: impl Fn(&Progress) -> bool) {
    while !until(&progress(campaign)) {
        std::thread::sleep(Duration::from_micros(100));
    }
}

fn measure(work: impl FnOnce()) -> (Duration, Instant) {
    let started = Instant::now();
    work();
    (started.elapsed(), Instant::now())
}
