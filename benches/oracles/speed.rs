//! What all oracles together cost: the whole loop with them beside the same loop with `assertion` alone.

use crate::support::{Mode, fuzzer_judged, harness, report::line, statistics::median};
use bellwether::{
    harness::Harness,
    oracle::OracleMeta,
    project::{Config, Level},
};
use std::{sync::Arc, time::Instant};

/// Each is a round: how often users are paid, which is what costs most, differs from seed to seed.
const SEEDS: [u64; 7] = [1, 2, 3, 4, 5, 6, 7];
const TRANSACTIONS: u64 = 100_000;
/// Fixture and contract: those of the bench on throughput, and such as pay, compute without checks, and write where the caller says.
const CONTRACTS: [(&str, &str); 8] = [
    ("vault", "VaultFixed"),
    ("token", "TokenFixed"),
    ("channel", "ChannelFixed"),
    ("vesting", "VestingFixed"),
    ("places", "Gateway"),
    ("payments", "BankFixed"),
    ("overflow", "LedgerFixed"),
    ("calls", "RelayFixed"),
];

/// Fuzzes each contract in alternating rounds, for as many transactions.
pub fn measure() {
    line(&format!(
        "\n### All oracles beside `assertion` alone\n\nA round of {TRANSACTIONS} transactions for each of the seeds 1 to {}.\n",
        SEEDS.len()
    ));
    line("| contract | `assertion` alone, k/s | all, k/s | all / alone | trial runs of 1,000 transactions |");
    line("|---|---:|---:|---:|---:|");
    let others = OracleMeta::ids().filter(|id| *id != "assertion").map(|id| (id.to_owned(), Level::Off)).collect();
    let [alone, all] = [Config { oracles: others, ..Config::default() }, Config::default()];
    let mut ratios = Vec::new();
    for (fixture, contract) in CONTRACTS {
        let harness = harness(fixture, contract);
        let [mut of_alone, mut of_all, mut of_both] = [vec![], vec![], vec![]];
        let mut trial_runs = Vec::new();
        for seed in SEEDS {
            let [(one, _), (both, runs)] = [&alone, &all].map(|config| rate(&harness, config, seed));
            trial_runs.push((runs * 1_000 / TRANSACTIONS) as f64);
            of_alone.push(one);
            of_all.push(both);
            of_both.push(both / one);
        }
        let ratio = median(of_both);
        ratios.push(ratio);
        line(&format!(
            "| {contract} | {:.0} | {:.0} | {ratio:.2} | {:.0} |",
            median(of_alone),
            median(of_all),
            median(trial_runs)
        ));
    }
    line(&format!("\nMedian: {:.2}.", median(ratios)));
}

/// Thousands of transactions in a second, and the number of transactions that weighed violations meanwhile.
fn rate(harness: &Arc<Harness>, config: &Config, seed: u64) -> (f64, u64) {
    let mut executor = harness.executor();
    let mut fuzzer = fuzzer_judged(harness, Mode::Stateful, seed, config.clone());
    let started = Instant::now();
    fuzzer.run(&mut executor, TRANSACTIONS, TRANSACTIONS, &|| false);
    let rate = TRANSACTIONS as f64 / started.elapsed().as_secs_f64() / 1000.0;
    (rate, fuzzer.session().trial_runs())
}
