//! How many transactions it takes to find the planted defect of each fixture, over 24 seeds with one worker:
//! `cargo bench --bench time_to_bug`. A seed that does not find it within the limit counts as the limit.

mod support;

use bellwether::fuzz::Techniques;
use std::io::Write;
use support::Mode;

const SEEDS: u64 = 24;
const LIMIT: u64 = 1_000_000;
/// Fixture, contract, and how many findings it holds.
const CONTRACTS: [(&str, &str, usize); 12] = [
    ("vault", "Vault", 1),
    ("auction", "Auction", 1),
    ("vesting", "Vesting", 1),
    ("token", "Token", 1),
    ("channel", "Channel", 1),
    ("narrow", "Tariff", 5),
    ("narrow", "Relay", 1),
    ("narrow", "Riddle", 1),
    ("narrow", "Roots", 2),
    ("wallet", "BonusWallet", 1),
    ("wallet", "Cabinet", 1),
    ("wallet", "Preferences", 1),
];

fn main() {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "| contract | found | median executions | lowest | highest | median ms |");
    let _ = writeln!(out, "|---|---|---|---|---|---|");
    let mut techniques = Techniques::default();
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wanted: Vec<&String> = words.iter().filter(|word| !techniques.switch_off(word)).collect();
    for (fixture, contract, count) in CONTRACTS {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| *wanted == contract) {
            continue;
        }
        let subject = support::subject(fixture, contract);
        let mut executor = subject.executor();
        let mut runs: Vec<(u64, u128)> = (1..=SEEDS)
            .map(|seed| {
                let lane = support::lane_with(&subject, Mode::Stateful, seed, techniques);
                let search = support::search(lane, &mut executor, count, |executions, _| executions >= LIMIT);
                (search.executions.min(LIMIT), search.took.as_micros())
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
