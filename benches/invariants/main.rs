//! Ten invariants, broken by us and by the real forge, in one run: `cargo bench --bench invariants`.
//!
//! ```text
//! cargo bench --bench invariants
//! cargo bench --bench invariants -- Auction Governor --seeds 6 --seconds 20
//! cargo bench --bench invariants -- --ours
//! ```
//!
//! Each contract in `benches/invariants/solidity` has one invariant that can be broken. Both get one thread, the same seeds and the same
//! time. Forge's time is what it reports of the test: without start, compilation, `setUp()`, and shrinking, which is switched off. Ours
//! begins where the world is planned: it has `setUp()`, which the fuzzer runs once more, and the proof of what is found, but no
//! shrinking. Forge runs twice, without and with its corpus, which is empty at the start, as are its caches. Its calls are those that it
//! counts for each function. A search that is given up counts as the cap, in time, and with the calls that were made until then.

#[allow(dead_code, unreachable_pub, reason = "each of those who use it uses a part")]
#[path = "../../tests/support/forge.rs"]
mod forge;
#[allow(dead_code, reason = "the bench `forge` uses the rest")]
#[path = "../forge/harness.rs"]
mod harness;
#[path = "../support/mod.rs"]
mod support;

use bellwether::harness::Harness;
use harness::ForgeHarness;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};
use support::{
    Mode, Planted,
    report::{line, probability, say},
    statistics::{a12, mann_whitney, median},
};

const CONTRACTS: [&str; 10] =
    ["Launch", "Ring", "Auction", "Allowance", "Seals", "Lending", "Inflation", "Governor", "Subscription", "Channels"];
/// The first seed; with smaller ones the contracts were chosen, and numbers of the search were tuned.
const FIRST_SEED: u64 = 101;
/// Calls of a sequence of forge's; the contracts were written for it.
const DEPTH: u64 = 50;
/// For forge and for us. Delays between calls are left out, as handlers have time pass.
const CONFIGURATION: &str = "[profile.default]\nsrc = \"src\"\ntest = \"test\"\nlibs = []\nbytecode_hash = \"none\"\n";

fn main() -> ExitCode {
    let wanted = match Wanted::of(std::env::args().skip(1)) {
        Ok(wanted) => wanted,
        Err(why) => {
            say(&why);
            return ExitCode::FAILURE;
        }
    };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/invariants/solidity");
    let theirs = ForgeHarness::of_tests(&tests, CONFIGURATION);
    line(
        "| invariant | ours: broken | calls | ms | forge: broken | calls | ms | forge / ours, ms | p | A12 | with corpus: broken | calls | ms | forge / ours, ms | p | A12 |",
    );
    line("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut ratios = [const { Vec::new() }; 2];
    for contract in wanted.contracts() {
        let subject = support::harness_at(theirs.root(), &format!("{contract}Test"));
        let ours = wanted.runs(|seed| our_search(&subject, seed, wanted.patience));
        if wanted.is_ours_alone {
            line(&format!("| {contract} | {ours} |"));
            continue;
        }
        let forge = [false, true].map(|corpus| {
            let runs = wanted.runs(|seed| forge_search(&theirs, contract, corpus, seed, wanted.patience));
            let (told, ratio) = runs.beside(&ours);
            (format!("{runs} | {told}"), ratio)
        });
        for (ratios, (_, ratio)) in ratios.iter_mut().zip(&forge) {
            ratios.push(*ratio);
        }
        let [(without, _), (with, _)] = forge;
        line(&format!("| {contract} | {ours} | {without} | {with} |"));
    }
    if !wanted.is_ours_alone {
        let [without, with] = ratios.map(median);
        line(&format!("\nMedian ratio of the medians: {without:.1} without forge's corpus, {with:.1} with it."));
    }
    let last = FIRST_SEED + wanted.seeds - 1;
    line(&format!(
        "\nSeeds {FIRST_SEED} to {last}, at most {} s each; forge's sequences have {DEPTH} calls. Calls and milliseconds are medians; p is Mann and Whitney's, \
         of the times; A12: how likely forge takes longer than we do.",
        wanted.patience.as_secs()
    ));
    ExitCode::SUCCESS
}

/// What was asked for.
struct Wanted {
    /// The contracts; all, if there are none.
    contracts: Vec<String>,
    seeds: u64,
    patience: Duration,
    is_ours_alone: bool,
}

impl Wanted {
    fn of(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut wanted =
            Self { contracts: Vec::new(), seeds: 24, patience: Duration::from_secs(60), is_ours_alone: false };
        let mut arguments = arguments.filter(|argument| argument != "--bench");
        while let Some(argument) = arguments.next() {
            let mut number = || arguments.next()?.parse().ok().filter(|number| *number > 0);
            match argument.as_str() {
                "--seeds" => wanted.seeds = number().ok_or("--seeds needs a number")?,
                "--seconds" => {
                    wanted.patience = Duration::from_secs(number().ok_or("--seconds needs a number")?);
                }
                "--ours" => wanted.is_ours_alone = true,
                contract if CONTRACTS.contains(&contract) => wanted.contracts.push(argument),
                other => return Err(format!("{other} is no option and none of {}", CONTRACTS.join(", "))),
            }
        }
        Ok(wanted)
    }

    fn contracts(&self) -> impl Iterator<Item = &'static str> {
        CONTRACTS
            .into_iter()
            .filter(|contract| self.contracts.is_empty() || self.contracts.iter().any(|wanted| wanted == contract))
    }

    fn runs(&self, run: impl FnMut(u64) -> Attempt) -> Attempts {
        Attempts((FIRST_SEED..FIRST_SEED + self.seeds).map(run).collect())
    }
}

/// One search.
struct Attempt {
    found: bool,
    calls: u64,
    took: Duration,
}

fn our_search(subject: &Arc<Harness>, seed: u64, patience: Duration) -> Attempt {
    let mut executor = subject.executor();
    let fuzzer = support::fuzzer(subject, Mode::Stateful, seed);
    let search = support::search(fuzzer, &mut executor, &Planted::of(subject), |_, elapsed| elapsed >= patience);
    Attempt { found: search.found, calls: search.executions, took: search.took.min(patience) }
}

fn forge_search(forge: &ForgeHarness, contract: &str, corpus: bool, seed: u64, patience: Duration) -> Attempt {
    let folder: PathBuf = forge.root().join("corpus");
    for remains in [folder.clone(), forge.root().join("cache/test-failures")] {
        let _ = std::fs::remove_dir_all(remains);
    }
    let mut settings = vec![
        ("FOUNDRY_INVARIANT_RUNS", u32::MAX.to_string()),
        ("FOUNDRY_INVARIANT_DEPTH", DEPTH.to_string()),
        ("FOUNDRY_INVARIANT_TIMEOUT", patience.as_secs().to_string()),
        ("FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT", "0".to_owned()),
    ];
    if corpus {
        settings.push(("FOUNDRY_INVARIANT_CORPUS_DIR", folder.display().to_string()));
    }
    let tested = forge.test(&format!("{contract}Test"), seed, &settings);
    Attempt { found: tested.failed, calls: tested.calls, took: tested.took.min(patience) }
}

/// A search for each seed.
struct Attempts(Vec<Attempt>);

impl Attempts {
    fn milliseconds(&self) -> Vec<f64> {
        self.0.iter().map(|attempt| attempt.took.as_secs_f64() * 1000.0).collect()
    }

    /// The times of these beside ours: the ratio of the medians, p and A12 in words, and the ratio.
    fn beside(&self, ours: &Self) -> (String, f64) {
        let (left, right) = (self.milliseconds(), ours.milliseconds());
        let ratio = median(left.clone()) / median(right.clone());
        let told = format!("{ratio:.1} | {} | {:.2}", probability(mann_whitney(&left, &right)), a12(&left, &right));
        (told, ratio)
    }
}

impl std::fmt::Display for Attempts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let found = self.0.iter().filter(|attempt| attempt.found).count();
        let calls = median(self.0.iter().map(|attempt| attempt.calls as f64).collect());
        write!(f, "{found}/{} | {calls:.0} | {:.1}", self.0.len(), median(self.milliseconds()))
    }
}
