//! How many transactions it takes to find the planted defect of each fixture, over 24 seeds with one worker:
//! `cargo bench --bench time_to_bug`. A seed that does not find it within the limit counts as the limit.

mod support;

use std::io::Write;

const SEEDS: u64 = 24;
const LIMIT: u64 = 1_000_000;
const CONTRACTS: [(&str, &str); 5] =
    [("vault", "Vault"), ("auction", "Auction"), ("vesting", "Vesting"), ("token", "Token"), ("channel", "Channel")];

fn main() {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "| contract | found | median executions | lowest | highest | median ms |");
    let _ = writeln!(out, "|---|---|---|---|---|---|");
    for (fixture, contract) in CONTRACTS {
        let subject = support::subject(fixture, contract);
        let mut executor = subject.executor();
        let mut runs: Vec<(u64, u128)> = (1..=SEEDS)
            .map(|seed| {
                let search = support::search(&subject, &mut executor, seed, |executions, _| executions >= LIMIT);
                (search.executions, search.took.as_micros())
            })
            .collect();
        runs.sort_unstable();
        let found = runs.iter().filter(|(executions, _)| *executions < LIMIT).count();
        let mut times: Vec<u128> = runs.iter().map(|(_, time)| *time).collect();
        times.sort_unstable();
        let (lowest, median, highest) = (runs[0].0, runs[runs.len() / 2].0, runs[runs.len() - 1].0);
        let time = times[times.len() / 2] as f64 / 1000.0;
        let _ = writeln!(out, "| {contract} | {found}/{SEEDS} | {median} | {lowest} | {highest} | {time:.1} |");
    }
}
