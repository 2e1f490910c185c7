//! How many transactions it takes to find the planted defect of each fixture, over 24 seeds with one worker:
//! `cargo bench --bench time_to_bug`. A seed that does not find it within the limit counts as the limit.

mod support;

use bellwether::{
    evm::Executor,
    fuzz::{Lane, Session},
    project::Config,
    subject::Subject,
};
use std::{io::Write, sync::Arc, time::Instant};

const SEEDS: u64 = 24;
const LIMIT: u64 = 1_000_000;
/// Transactions between looks at whether it was found.
const SLICE: u64 = 64;
const CONTRACTS: [(&str, &str); 5] =
    [("vault", "Vault"), ("auction", "Auction"), ("vesting", "Vesting"), ("token", "Token"), ("channel", "Channel")];

fn main() {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "| contract | found | median executions | lowest | highest | median ms |");
    let _ = writeln!(out, "|---|---|---|---|---|---|");
    for (fixture, contract) in CONTRACTS {
        let subject = support::subject(fixture, contract);
        let mut executor = subject.executor();
        let mut runs: Vec<(u64, u128)> = (1..=SEEDS).map(|seed| run(&subject, &mut executor, seed)).collect();
        runs.sort_unstable();
        let found = runs.iter().filter(|(executions, _)| *executions < LIMIT).count();
        let mut times: Vec<u128> = runs.iter().map(|(_, time)| *time).collect();
        times.sort_unstable();
        let (lowest, median, highest) = (runs[0].0, runs[runs.len() / 2].0, runs[runs.len() - 1].0);
        let time = times[times.len() / 2] as f64 / 1000.0;
        let _ = writeln!(out, "| {contract} | {found}/{SEEDS} | {median} | {lowest} | {highest} | {time:.1} |");
    }
}

/// Executions and microseconds until the first finding.
fn run(subject: &Arc<Subject>, executor: &mut Executor, seed: u64) -> (u64, u128) {
    let session = Arc::new(Session::new(subject.clone(), Config::default(), seed, 1, Arc::new(|_| {})));
    let mut lane = Lane::new(session.clone(), 0, Vec::new());
    let started = Instant::now();
    while session.findings().is_empty() && session.executions() < LIMIT {
        lane.run(executor, SLICE, LIMIT, &|| false);
    }
    let executions = session.findings().first().map_or(LIMIT, |finding| finding.discovery.executions);
    (executions, started.elapsed().as_micros())
}
