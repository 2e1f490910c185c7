//! What a large world costs: `cargo bench --bench world`.
//!
//! The calls that the loop makes on a fixture are run one after the other, in the world of one instance and in one with thirty accounts
//! and ten thousand storage slots, most of them in the contract that is called. Rounds alternate; the ratio of the times is taken within a
//! round, and its median over rounds. A state that is kept is charged for what it holds that the state before it does not; beside it stands what is really freed with it.

mod support;

use alloy_primitives::{Address, U256, keccak256};
use bellwether::{
    evm::{Call, Executor, Snapshot, Status},
    harness::Harness,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::{
    alloc::System,
    hint::black_box,
    time::{Duration, Instant},
};
use support::{Mode, report::line, statistics::median};

const SEED: u64 = 1;
const ROUNDS: usize = 9;
const TRANSACTIONS: u64 = 20_000;
/// Transactions from the setup on before the next begins there again.
const DEPTH: usize = 24;
const ACCOUNTS: u64 = 30;
const SLOTS: u64 = 10_000;
/// Slots of each account but the contract that is called.
const SLOTS_ELSEWHERE: u64 = 34;
const CONTRACTS: [(&str, &str); 3] = [("vault", "VaultFixed"), ("token", "TokenFixed"), ("auction", "AuctionFixed")];

fn main() {
    line(&format!(
        "{ACCOUNTS} accounts with {SLOTS} slots beside one, {ROUNDS} rounds of {TRANSACTIONS} calls, seed {SEED}.\n"
    ));
    line("| contract | time, large / small | bytes a kept state, small: charged | real | large: charged | real |");
    line("|---|---|---|---|---|---|");
    for (fixture, contract) in CONTRACTS {
        let harness = support::harness(fixture, contract);
        let mut executor = harness.executor();
        let (root, calls) = calls(&harness, &mut executor);
        let large = enlarged(&harness, &root);
        let mut ratios = Vec::new();
        let mut costs = None;
        for _ in 0..ROUNDS {
            let [small, large] = [&root, &large].map(|root| run(&mut executor, root, &calls));
            ratios.push(large.took.as_secs_f64() / small.took.as_secs_f64());
            costs = Some([small, large]);
        }
        let Some([small, large]) = costs else { continue };
        line(&format!(
            "| {contract} | {:.2} | {:.0} | {:.0} | {:.0} | {:.0} |",
            median(ratios),
            small.charged,
            small.freed,
            large.charged,
            large.freed
        ));
    }
}

/// The state right after a setup, and the calls that the loop makes.
fn calls(harness: &std::sync::Arc<Harness>, executor: &mut Executor) -> (Snapshot, Vec<Call>) {
    let mut fuzzer = support::fuzzer(harness, Mode::Stateful, SEED);
    executor.start_tape();
    fuzzer.run(executor, TRANSACTIONS, TRANSACTIONS, &|| false);
    let tape = executor.take_tape();
    let is_creation = |call: &Call| matches!(call.target, bellwether::evm::CallTarget::Create(..));
    let first = tape.iter().position(|(_, call)| !is_creation(call)).expect("the loop calls something");
    let root = tape[first].0.clone();
    (root, tape.into_iter().map(|(_, call)| call).filter(|call| !is_creation(call)).collect())
}

/// The state with more accounts and slots, at which no contract looks.
fn enlarged(harness: &Harness, root: &Snapshot) -> Snapshot {
    let slot = |number: u64| U256::from_be_bytes(keccak256(number.to_be_bytes()).0);
    let own = SLOTS - (ACCOUNTS - 1) * SLOTS_ELSEWHERE;
    let main = harness.calls.main().address;
    let mut large = (0..own).fold(root.clone(), |state, number| state.with_slot(main, slot(number), U256::ONE));
    for account in 1..ACCOUNTS {
        let address = Address::from_word(keccak256(account.to_be_bytes()));
        for number in 0..SLOTS_ELSEWHERE {
            large = large.with_slot(address, slot(number), U256::ONE);
        }
    }
    large
}

/// What some calls cost.
struct Cost {
    took: Duration,
    /// Mean bytes that a state is charged with beside the one before it.
    charged: f64,
    /// Mean bytes that are free again once it is dropped.
    freed: f64,
}

/// The cost of calls, and of the states that they leave.
fn run(executor: &mut Executor, root: &Snapshot, calls: &[Call]) -> Cost {
    let (mut took, mut charged, mut freed, mut states) = (Duration::ZERO, 0, 0.0, 0_u32);
    for calls in calls.chunks(DEPTH) {
        let mut kept = vec![root.clone()];
        for call in calls {
            let started = Instant::now();
            let state = kept.last().expect("it starts with the root");
            let outcome = black_box(executor.run(state, call));
            let after = (outcome.status == Status::Success).then(|| executor.commit());
            took += started.elapsed();
            if let Some(after) = after {
                charged += after.bytes_beside(Some(state));
                states += 1;
                kept.push(after);
            }
        }
        // The executor keeps the last state alive.
        executor.run(root, &calls[0]);
        while let Some(state) = kept.pop() {
            let before = live();
            drop(state);
            freed += before - live();
        }
    }
    let mean = |bytes: f64| bytes / f64::from(states.max(1));
    Cost { took, charged: mean(charged as f64), freed: mean(freed) }
}

/// The system's allocator, counted.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes that are allocated now.
fn live() -> f64 {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated as f64 - stats.bytes_deallocated as f64
}
