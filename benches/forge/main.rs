//! The same contracts under the real forge, in one run: `cargo bench --bench forge`.
//!
//! Both get one thread. First how fast each makes calls, on contracts in which there is nothing to find: one call with fuzzed
//! arguments at a time (forge: a fuzz test for each function), then sequences of calls (forge: an invariant test, once straight on
//! the contract, which is as fast as forge can be but sends no ether, and once through a handler that does, as people write them).
//! Rounds alternate, and ratios are taken within a round. Then how long each takes to find the defects of the fixtures; forge's
//! handler then also looks for failed assertions. Forge's time is what it reports of the test, without start and compilation, and
//! without shrinking, which is switched off; ours has no start or compilation either, but confirms what it finds.

#[allow(dead_code, unreachable_pub, reason = "each of those who use it uses a part")]
#[path = "../../tests/support/forge.rs"]
mod forge;
#[allow(dead_code, reason = "the bench `invariants` uses the rest")]
mod harness;
#[path = "../support/mod.rs"]
mod support;

use bellwether::{evm::Executor, harness::Harness};
use harness::{ForgeHarness, Tested};
use std::{
    io::Write,
    sync::Arc,
    time::{Duration, Instant},
};
use support::{Mode, Planted, statistics::median};

const ROUNDS: u64 = 3;
/// Of each function in forge's fuzz tests.
const RUNS: u64 = 20_000;
/// Sequences of forge's invariant tests and calls in each: its own defaults.
const SEQUENCES: (u64, u64) = (256, 500);
/// Transactions of ours in one round.
const TRANSACTIONS: u64 = 128_000;
const SEEDS: u64 = 8;
/// How long each may search.
const PATIENCE: Duration = Duration::from_secs(10);
/// Fixture and contract; the harness for it is `benches/forge/solidity/CONTRACT.t.sol`.
const CONTRACTS: [(&str, &str); 5] =
    [("vault", "Vault"), ("auction", "Auction"), ("vesting", "Vesting"), ("token", "Token"), ("channel", "Channel")];

fn main() {
    let mut out = std::io::stdout().lock();
    let harness = ForgeHarness::new(CONTRACTS.map(|(fixture, _)| fixture));
    let _ = writeln!(
        out,
        "| contract | forge, a call, k/s | ours | ratio | forge, sequences, k/s | reverted | forge, with handler | ours | ratio | ratio, with handler |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    let mut all = [const { Vec::new() }; 3];
    for (fixture, contract) in CONTRACTS {
        let row = speed(&harness, &support::harness(fixture, &format!("{contract}Fixed")), contract);
        let _ = writeln!(
            out,
            "| {contract}Fixed | {:.0} | {:.0} | {:.1} | {:.0} | {:.0} % | {:.0} | {:.0} | {:.1} | {:.1} |",
            row.call.forge,
            row.call.ours,
            row.call.ratio,
            row.sequences.forge,
            row.reverted * 100.0,
            row.handled.forge,
            row.sequences.ours,
            row.sequences.ratio,
            row.handled.ratio
        );
        for (all, pair) in all.iter_mut().zip([row.call, row.sequences, row.handled]) {
            all.push(pair.ratio);
        }
    }
    let [call, sequences, handled] = all.map(median);
    let _ = writeln!(
        out,
        "\nMedian ratios: {call:.1} for single calls, {sequences:.1} for sequences, {handled:.1} for sequences with a handler ({ROUNDS} rounds; \
         {RUNS} runs a function, {} × {} calls, {TRANSACTIONS} transactions of ours; seeds 1 to {ROUNDS}).\n",
        SEQUENCES.0, SEQUENCES.1
    );

    let _ = writeln!(
        out,
        "| contract | forge found | calls, median | ms, median | ours found | calls, median | ms, median | forge / ours, ms |\n|---|---|---|---|---|---|---|---|"
    );
    for (fixture, contract) in CONTRACTS {
        let subject = support::harness(fixture, contract);
        let mut executor = subject.executor();
        let (theirs, ours): (Vec<_>, Vec<_>) = (1..=SEEDS)
            .map(|seed| (forge_search(&harness, contract, seed), our_search(&subject, &mut executor, seed)))
            .unzip();
        let (theirs, ours) = (Found::of(&theirs), Found::of(&ours));
        let _ = writeln!(out, "| {contract} | {theirs} | {ours} | {:.1} |", theirs.milliseconds / ours.milliseconds);
    }
    let _ = writeln!(
        out,
        "\nSeeds 1 to {SEEDS}, at most {} s each; a search that is given up counts with its time and its calls.",
        PATIENCE.as_secs()
    );
}

/// Thousands of calls a second, and ours to forge's.
struct Pair {
    forge: f64,
    ours: f64,
    ratio: f64,
}

impl Pair {
    /// Medians of rounds, and of the ratios within each.
    fn of(forge: &[f64], ours: &[f64]) -> Self {
        let ratios = ours.iter().zip(forge).map(|(ours, forge)| ours / forge).collect();
        Self { forge: median(forge.to_vec()), ours: median(ours.to_vec()), ratio: median(ratios) }
    }
}

struct Row {
    call: Pair,
    sequences: Pair,
    handled: Pair,
    /// Share of forge's calls in sequences, without handler.
    reverted: f64,
}

fn speed(harness: &ForgeHarness, subject: &Arc<Harness>, contract: &str) -> Row {
    let mut executor = subject.executor();
    let [mut calls, mut our_calls, mut sequences, mut handled, mut our_sequences, mut reverted] =
        [const { Vec::new() }; 6];
    for seed in 1..=ROUNDS {
        calls.push(thousands(&harness.fuzz(&format!("{contract}Stateless"), RUNS, seed)));
        our_calls.push(our_speed(subject, &mut executor, Mode::Stateless, seed));
        let direct = harness.invariant(&format!("{contract}Stateful"), SEQUENCES, None, seed);
        reverted.push(direct.reverts as f64 / direct.calls as f64);
        sequences.push(thousands(&direct));
        our_sequences.push(our_speed(subject, &mut executor, Mode::Stateful, seed));
        handled.push(thousands(&harness.invariant(&format!("{contract}Handled"), SEQUENCES, None, seed)));
    }
    Row {
        call: Pair::of(&calls, &our_calls),
        sequences: Pair::of(&sequences, &our_sequences),
        handled: Pair::of(&handled, &our_sequences),
        reverted: median(reverted),
    }
}

fn our_speed(subject: &Arc<Harness>, executor: &mut Executor, mode: Mode, seed: u64) -> f64 {
    let mut fuzzer = support::fuzzer(subject, mode, seed);
    let started = Instant::now();
    fuzzer.run(executor, TRANSACTIONS, TRANSACTIONS, &|| false);
    TRANSACTIONS as f64 / started.elapsed().as_secs_f64() / 1000.0
}

fn thousands(tested: &Tested) -> f64 {
    assert!(!tested.failed, "forge found something where nothing is to be found");
    tested.calls as f64 / tested.took.as_secs_f64() / 1000.0
}

/// One search: whether it found, after how many calls and how long.
type Attempt = (bool, u64, Duration);

fn forge_search(harness: &ForgeHarness, contract: &str, seed: u64) -> Attempt {
    let tested =
        harness.invariant(&format!("{contract}Planted"), (u64::from(u32::MAX), SEQUENCES.1), Some(PATIENCE), seed);
    (tested.failed, tested.calls, tested.took)
}

fn our_search(subject: &Arc<Harness>, executor: &mut Executor, seed: u64) -> Attempt {
    let fuzzer = support::fuzzer(subject, Mode::Stateful, seed);
    let search = support::search(fuzzer, executor, &Planted::of(subject), |_, elapsed| elapsed >= PATIENCE);
    (search.found, search.executions, search.took)
}

/// How searches with several seeds went.
struct Found {
    found: usize,
    of: usize,
    calls: f64,
    milliseconds: f64,
}

impl Found {
    fn of(attempts: &[Attempt]) -> Self {
        Self {
            found: attempts.iter().filter(|(found, ..)| *found).count(),
            of: attempts.len(),
            calls: median(attempts.iter().map(|(_, calls, _)| *calls as f64).collect()),
            milliseconds: median(attempts.iter().map(|(.., took)| took.as_secs_f64() * 1000.0).collect()),
        }
    }
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{} | {:.0} | {:.1}", self.found, self.of, self.calls, self.milliseconds)
    }
}
