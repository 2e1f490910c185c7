//! How fast the whole loop is, beside bare revm on the very same calls, in one run: `cargo bench --bench throughput`.
//!
//! The loop fuzzes a fixture for a number of transactions with a fixed seed, and its calls are kept: in the first mode every
//! sequence is one call from a deployed state, in the second it is what the loop makes by itself. The same calls, on the same
//! states, are then run by revm without instruments (bare) and with them (observed), and the loop is run again. Rounds
//! alternate; ratios are taken within a round, and medians over rounds.

mod support;

use bellwether::{
    evm::{Call, Executor, Snapshot},
    harness::Harness,
};
use std::{
    hint::black_box,
    io::Write,
    sync::Arc,
    time::{Duration, Instant},
};
use support::{Mode, statistics::median};

const SEED: u64 = 1;
const ROUNDS: usize = 7;
const TRANSACTIONS: u64 = 100_000;
/// Fixture and contract: small calls, loops over storage, calls between contracts, and several transactions deep.
const CONTRACTS: [(&str, &str); 5] = [
    ("vault", "VaultFixed"),
    ("token", "TokenFixed"),
    ("channel", "ChannelFixed"),
    ("vesting", "VestingFixed"),
    ("places", "Gateway"),
];

fn main() {
    let mut out = std::io::stdout().lock();
    let harnesses = CONTRACTS.map(|(fixture, contract)| support::harness(fixture, contract));
    for (mode, title) in [
        (Mode::Stateless, "Stateless: every sequence is one call from a deployed state"),
        (Mode::Stateful, "Stateful: the sequences that the loop makes"),
    ] {
        let _ = writeln!(out, "{title}.\n");
        let _ = writeln!(
            out,
            "| contract | gas a call | bare revm, k/s | observed | whole loop, k/s | observed / bare | loop / bare |"
        );
        let _ = writeln!(out, "|---|---|---|---|---|---|---|");
        let mut ratios = Vec::new();
        for harness in &harnesses {
            let row = measure(harness, mode);
            ratios.push(row.loop_ratio);
            let _ = writeln!(
                out,
                "| {} | {} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} |",
                harness.compiled().name,
                row.gas,
                row.bare,
                row.observed,
                row.looped,
                row.observed_ratio,
                row.loop_ratio
            );
        }
        let _ = writeln!(
            out,
            "\nMedian loop / bare: {:.2} ({TRANSACTIONS} transactions, {ROUNDS} rounds, seed {SEED}).\n",
            median(ratios)
        );
    }
}

struct Row {
    gas: u64,
    bare: f64,
    observed: f64,
    looped: f64,
    observed_ratio: f64,
    loop_ratio: f64,
}

fn measure(harness: &Arc<Harness>, mode: Mode) -> Row {
    let version = harness.compiled().evm_version;
    let mut executor = harness.executor();
    executor.start_tape();
    run_loop(harness, mode, &mut executor);
    let tape = executor.take_tape();

    let mut bare = Executor::bare(harness.programs.clone(), version);
    let gas = tape.iter().map(|(state, call)| bare.run(state, call).gas).sum::<u64>() / tape.len() as u64;
    let (mut bares, mut observeds, mut loops, mut observed_ratios, mut loop_ratios) =
        (vec![], vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let bare_time = run_tape(&mut bare, &tape);
        let observed_time = run_tape(&mut executor, &tape);
        let started = Instant::now();
        run_loop(harness, mode, &mut executor);
        let loop_time = started.elapsed();
        bares.push(rate(bare_time));
        observeds.push(rate(observed_time));
        loops.push(rate(loop_time));
        observed_ratios.push(bare_time.as_secs_f64() / observed_time.as_secs_f64());
        loop_ratios.push(bare_time.as_secs_f64() / loop_time.as_secs_f64());
    }
    Row {
        gas,
        bare: median(bares),
        observed: median(observeds),
        looped: median(loops),
        observed_ratio: median(observed_ratios),
        loop_ratio: median(loop_ratios),
    }
}

fn run_loop(harness: &Arc<Harness>, mode: Mode, executor: &mut Executor) {
    support::fuzzer(harness, mode, SEED).run(executor, TRANSACTIONS, TRANSACTIONS, &|| false);
}

fn run_tape(executor: &mut Executor, tape: &[(Snapshot, Call)]) -> Duration {
    let started = Instant::now();
    for (state, call) in tape {
        black_box(executor.run(state, call));
    }
    started.elapsed()
}

fn rate(time: Duration) -> f64 {
    TRANSACTIONS as f64 / time.as_secs_f64() / 1000.0
}
