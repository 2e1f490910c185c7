//! How much sooner several machines find together what one finds alone. Everything but the network is real: each machine is a session with
//! a seed of its own, what it shares goes through its mailbox, and what it receives is run again. The network is simulated: the machines
//! take turns, a slice of transactions each, and a record arrives as many transactions later as one machine runs meanwhile.
//!
//! ```text
//! cargo bench --bench fleet
//! cargo bench --bench fleet -- 1 64
//! cargo bench --bench fleet -- 16 undivided
//! ```
//!
//! With `undivided`, all machines search for all missed branches in the same order, instead of each for its own part first.

mod support;

use bellwether::{
    corpus::exchange::{Exchange, Mailbox, Record, Topic},
    evm::Executor,
    fuzz::{Fuzzer, Session},
    harness::Harness,
    project::Config,
};
use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};
use support::{
    maze::Maze,
    report::{line, say},
    statistics::median,
};

/// Numbers of the mazes.
const MAZES: std::ops::RangeInclusive<u64> = 1..=5;
/// Numbers of machines.
const MACHINES: [u64; 6] = [1, 2, 4, 8, 16, 64];
/// Transactions of the machine that fuzzes alone.
const ALONE: u64 = 600_000;
/// The part of what it finds that several are to find: when the last of it is found is a matter of luck.
const PART: f64 = 0.95;
/// Transactions of a machine until it is the next one's turn.
const SLICE: u64 = 64;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named: Vec<u64> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let divided = !arguments.iter().any(|argument| argument == "undivided");
    let sizes = if named.is_empty() { &MACHINES[..] } else { &named };
    let mazes: Vec<Goal> = MAZES.map(Goal::new).collect();
    line(&format!(
        "{:.0} % of what one machine finds in {ALONE} transactions, found by several; median of {} mazes.\n",
        PART * 100.0,
        mazes.len()
    ));
    line(
        "| machines | s until a record arrives | transactions of each | times sooner | of linear | run again | bytes sent by each in a second | bytes in all |",
    );
    line("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for &machines in sizes {
        let runs: Vec<Outcome> = mazes.iter().map(|goal| goal.reach(machines, divided)).collect();
        let of = |value: &dyn Fn(&Outcome) -> f64| median(runs.iter().map(value).collect());
        let sooner = of(&|run| run.alone as f64 / run.each as f64);
        line(&format!(
            "| {machines} | {} | {:.0} | {sooner:.1} | {:.2} | {:.1} % | {:.0} | {:.0} |",
            latency(machines),
            of(&|run| run.each as f64),
            sooner / machines as f64,
            of(&|run| 100.0 * run.rerun as f64 / (run.each * machines) as f64),
            of(&|run| run.bytes as f64 / machines as f64 / run.seconds),
            of(&|run| run.bytes as f64),
        ));
    }
}

/// Seconds until a record is at another one of so many machines: the medians that the server's bench `exchange` measured for 10 and 100,
/// and for 1,000.
fn latency(machines: u64) -> f64 {
    if machines <= 100 { 0.1 } else { 0.59 }
}

/// Assertions of a maze that one machine finds, and what it takes it.
struct Goal {
    maze: u64,
    harness: Arc<Harness>,
    lines: usize,
    /// Transactions until it had found as many.
    alone: u64,
    /// Transactions in a second.
    rate: f64,
}

/// What it took several machines.
struct Outcome {
    alone: u64,
    each: u64,
    rerun: u64,
    bytes: u64,
    /// Seconds that each of them would have fuzzed.
    seconds: f64,
}

impl Goal {
    fn new(maze: u64) -> Self {
        let harness = support::compile("Maze", &Maze::new(maze).source);
        let mut machine = Machine::new(&harness, 0);
        let started = Instant::now();
        // After how many transactions it had found one assertion, two, and so on.
        let mut growth: Vec<u64> = Vec::new();
        let mut run = 0;
        while run < ALONE {
            run += machine.run();
            growth.resize(machine.found().len().max(growth.len()), run);
        }
        let rate = run as f64 / started.elapsed().as_secs_f64();
        let lines = (growth.len() as f64 * PART).ceil() as usize;
        let alone = growth[lines - 1];
        say(&format!("maze {maze}: {lines} assertions after {alone} transactions, {rate:.0} in a second"));
        Self { maze, harness, lines, alone, rate }
    }

    /// Fuzzes on several machines, which divide the missed branches among them or not, until they have found as many assertions together.
    fn reach(&self, count: u64, divided: bool) -> Outcome {
        let mut machines: Vec<Machine> = (0..count).map(|seed| Machine::new(&self.harness, seed)).collect();
        for (at, machine) in machines.iter().enumerate().filter(|_| divided) {
            machine.mailbox.set_place(at, count as usize);
        }
        let mut found: BTreeSet<u32> = BTreeSet::new();
        // Each with the number of transactions after which it arrives, and who sent it.
        let mut travelling: VecDeque<(u64, usize, Arc<Record>)> = VecDeque::new();
        let (mut each, mut bytes) = (0, 0);
        let latency = (latency(count) * self.rate) as u64;
        while found.len() < self.lines {
            while travelling.front().is_some_and(|(arrives, ..)| *arrives <= each) {
                let Some((_, from, record)) = travelling.pop_front() else { break };
                let others = machines.iter().enumerate().filter(|(at, _)| *at != from);
                others.for_each(|(_, machine)| machine.mailbox.accept(record.clone()));
            }
            for (at, machine) in machines.iter_mut().enumerate() {
                machine.run();
                if machine.session().findings().len() > machine.told {
                    machine.told = machine.session().findings().len();
                    found.extend(machine.found());
                }
                for record in machine.mailbox.take_outgoing(usize::MAX) {
                    bytes += record.text.len() as u64;
                    travelling.push_back((each + SLICE + latency, at, Arc::new(record)));
                }
            }
            each += SLICE;
        }
        let rerun = machines.iter().map(|machine| machine.session().rerun()).sum();
        say(&format!("maze {}: {count} machines after {each} transactions each", self.maze));
        Outcome { alone: self.alone, each, rerun, bytes, seconds: each as f64 / self.rate }
    }
}

/// A machine that fuzzes the maze.
struct Machine {
    fuzzer: Fuzzer,
    executor: Executor,
    mailbox: Arc<Mailbox>,
    /// How many findings it had when it was last looked at.
    told: usize,
}

impl Machine {
    fn new(harness: &Arc<Harness>, seed: u64) -> Self {
        let mailbox = Arc::new(Mailbox::new(Duration::ZERO));
        mailbox.subscribe(&[Topic::of(&harness.key())]);
        let exchange: Arc<dyn Exchange> = mailbox.clone();
        let session = Session::new(harness.clone(), Config::default(), seed, 1, Arc::new(|_| {}));
        let fuzzer = Fuzzer::new(Arc::new(session.with_exchange(Some(&exchange))), 0);
        Self { fuzzer, executor: harness.executor(), mailbox, told: 0 }
    }

    /// Fuzzes for a slice. Returns the number of transactions.
    fn run(&mut self) -> u64 {
        self.fuzzer.run(&mut self.executor, SLICE, SLICE, &|| false)
    }

    fn session(&self) -> &Arc<Session> {
        self.fuzzer.session()
    }

    /// The lines of the assertions that it found to fail.
    fn found(&self) -> BTreeSet<u32> {
        self.session().findings().iter().map(|finding| finding.lines.line).collect()
    }
}
