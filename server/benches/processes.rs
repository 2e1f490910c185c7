//! How much sooner several processes find together what one finds alone, by counted transactions, since one machine has fewer cores than
//! processes: `cargo bench -p bellwether-server --bench processes`. All is real: the executable, a NATS server, and the network of this
//! machine. For more machines than a machine can run, the engine's bench `fleet` simulates the network.
//!
//! ```text
//! cargo bench -p bellwether-server --bench processes
//! cargo bench -p bellwether-server --bench processes -- 1 8
//! ```

#[path = "../../benches/support/maze.rs"]
#[allow(dead_code, unreachable_pub, reason = "what can fail is not asked for, and other benches use it too")]
mod maze;
#[path = "latency/process.rs"]
#[allow(dead_code, reason = "only memory is asked for")]
mod process;
#[path = "../../benches/support/report.rs"]
#[allow(dead_code, unreachable_pub, reason = "only lines are reported, and other benches use it too")]
mod report;
#[path = "../tests/servers/mod.rs"]
mod servers;
#[path = "../../benches/support/statistics.rs"]
#[allow(dead_code, unreachable_pub, reason = "only the median is asked for, and other benches use it too")]
mod statistics;

use maze::Maze;
use process::Memory;
use report::line;
use serde_json::Value;
use statistics::median;
use std::{
    collections::BTreeMap,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

/// Numbers of the mazes.
const MAZES: std::ops::RangeInclusive<u64> = 1..=3;
/// Numbers of processes.
const PROCESSES: [u64; 4] = [1, 2, 4, 8];
/// What one process finds in so many transactions is what several are to find.
const ALONE: u64 = 300_000;
/// Transactions of a process beside its part of those, at most; chosen by hand: it is told when that is not enough.
const MORE: u64 = 50_000;

fn main() {
    let named: Vec<u64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if named.is_empty() { &PROCESSES[..] } else { &named };
    let goals: Vec<Goal> = MAZES.map(Goal::new).collect();
    line(&format!(
        "What one process finds in {ALONE} transactions, found by several through a NATS server; medians of {} mazes.\n",
        goals.len()
    ));
    line(
        "| processes | transactions of each | times sooner | of linear | not found | run again | records sent by each in a second | memory of the NATS server | its files |",
    );
    line("|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for &count in sizes {
        let runs: Vec<Outcome> = goals.iter().map(|goal| goal.reach(count)).collect();
        let of = |value: &dyn Fn(&Outcome) -> f64| median(runs.iter().map(value).collect());
        let sooner = of(&|run| run.alone as f64 / run.each.max(1) as f64);
        line(&format!(
            "| {count} | {:.0} | {sooner:.1} | {:.2} | {:.0} | {:.1} % | {:.1} | {:.1} MB | {:.1} MB |",
            of(&|run| run.each as f64),
            sooner / count as f64,
            of(&|run| run.missing as f64),
            of(&|run| 100.0 * run.replayed as f64 / run.executions.max(1) as f64),
            of(&|run| run.sent as f64 / count as f64 / run.seconds),
            of(&|run| run.memory),
            of(&|run| run.stored as f64 / 1e6),
        ));
    }
}

/// Assertions of a maze that one process finds.
struct Goal {
    folder: tempfile::TempDir,
    /// Lines of the assertions, with the transactions after which they were found.
    found: BTreeMap<u64, u64>,
}

/// What it took several processes.
struct Outcome {
    /// Transactions that one process needs.
    alone: u64,
    /// Transactions of each process until they had found all together.
    each: u64,
    /// Assertions that they did not find.
    missing: u64,
    /// Transactions of all processes, and those among them that ran again what was found before.
    executions: u64,
    replayed: u64,
    /// Records of all processes.
    sent: u64,
    seconds: f64,
    /// Megabytes that the server took at most.
    memory: f64,
    /// Bytes of its files.
    stored: u64,
}

impl Goal {
    fn new(maze: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Maze.sol"), Maze::new(maze).source).unwrap();
        let reports = run(folder.path(), &[vec!["--seed".to_owned(), "1".to_owned()]], ALONE);
        Self { found: found(&reports), folder }
    }

    /// Fuzzes with several processes that meet at a server of their own.
    fn reach(&self, count: u64) -> Outcome {
        let store = tempfile::tempdir().unwrap();
        let server = servers::nats(store.path());
        let place = format!("nats://127.0.0.1:{}/maze", server.port());
        // Who joins later draws from a later seed.
        let arguments = ["--join", &place, "--seed", "1"].map(str::to_owned).to_vec();
        let started = Instant::now();
        let reports = run(self.folder.path(), &vec![arguments; count as usize], ALONE / count + MORE);
        let seconds = started.elapsed().as_secs_f64();
        let (together, sum) =
            (found(&reports), |of: &dyn Fn(&Value) -> &Value| reports.iter().map(|it| number(of(it))).sum());
        Outcome {
            alone: self.found.values().copied().max().unwrap_or_default(),
            each: self.found.keys().filter_map(|line| together.get(line)).copied().max().unwrap_or_default(),
            missing: self.found.keys().filter(|line| !together.contains_key(line)).count() as u64,
            executions: sum(&|report| &report["executions"]),
            replayed: sum(&|report| &report["exchange"]["replayed"]),
            sent: sum(&|report| &report["exchange"]["sent"]),
            seconds,
            memory: Memory::of(server.process()).most,
            stored: size(store.path()),
        }
    }
}

/// Runs processes at the same time, and returns what they report.
fn run(folder: &Path, arguments: &[Vec<String>], executions: u64) -> Vec<Value> {
    let start = |arguments: &Vec<String>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
        command.args(["fuzz", ".", "--workers", "1", "--quiet", "--format", "json"]).args(arguments);
        command.args(["--executions", &executions.to_string()]).current_dir(folder);
        command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap()
    };
    // One that does not read its report would hold it up: each has a thread.
    let running: Vec<_> = arguments.iter().map(start).collect();
    let read = running.into_iter().map(|child| std::thread::spawn(move || child.wait_with_output().unwrap().stdout));
    let read: Vec<_> = read.collect();
    read.into_iter().map(|thread| serde_json::from_slice(&thread.join().unwrap()).unwrap()).collect()
}

/// Lines of assertions that were found, with the number of transactions after which the first process had it.
fn found(reports: &[Value]) -> BTreeMap<u64, u64> {
    let mut found = BTreeMap::new();
    for finding in reports.iter().flat_map(|report| report["findings"].as_array().into_iter().flatten()) {
        if finding["oracle"] == "assertion" {
            let executions = number(&finding["executions"]);
            found
                .entry(number(&finding["line"]))
                .and_modify(|known: &mut u64| *known = executions.min(*known))
                .or_insert(executions);
        }
    }
    found
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

/// Bytes of all files in a folder.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(
            |entry| if entry.path().is_dir() { size(&entry.path()) } else { entry.metadata().map_or(0, |it| it.len()) },
        )
        .sum()
}
