//! Which share of the assertions that can fail is found in generated mazes: nested linear comparisons over eight 64-bit
//! numbers, up to sixteen inside each other, behind a walk through a grid.

use crate::{
    parallel,
    support::{
        self,
        maze::Maze,
        statistics::{a12, mann_whitney, median},
    },
};
use bellwether::{
    fuzz::{Fuzzer, Session, Techniques},
    harness::Harness,
    project::Config,
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Numbers of the mazes.
const MAZES: std::ops::RangeInclusive<u64> = 1..=5;
const SEED: u64 = 1;
/// After so many transactions the shares are compared.
pub const EXECUTIONS: u64 = 150_000;
/// And after so much time.
pub const TIME: Duration = Duration::from_secs(60);

/// A maze, compiled.
struct Generated {
    known: Maze,
    harness: Arc<Harness>,
}

impl Generated {
    fn all() -> Vec<Self> {
        let compiled = MAZES.map(|number| {
            let known = Maze::new(number);
            Self { harness: support::compile("Maze", &known.source), known }
        });
        compiled.collect()
    }

    fn fuzzer(&self, techniques: Techniques) -> Fuzzer {
        let session = Session::new(self.harness.clone(), Config::default(), SEED, 1, Arc::new(|_| {}));
        Fuzzer::new(Arc::new(session.with_techniques(techniques)), 0)
    }

    /// How many assertions were found to fail.
    fn found(&self, session: &Session) -> usize {
        let lines: Vec<u32> = session.findings().iter().map(|finding| finding.lines.line).collect();
        assert!(!lines.iter().any(|line| self.known.infeasible.contains(line)), "what cannot fail was found to fail");
        lines.iter().filter(|line| self.known.feasible.contains(line)).count()
    }

    fn share(&self, found: usize) -> f64 {
        found as f64 / self.known.feasible.len() as f64
    }

    /// The share that is found in [`EXECUTIONS`].
    fn share_with(&self, techniques: Techniques) -> f64 {
        let mut fuzzer = self.fuzzer(techniques);
        fuzzer.run(&mut self.harness.executor(), EXECUTIONS, EXECUTIONS, &|| false);
        self.share(self.found(fuzzer.session()))
    }
}

/// Each maze by itself, one after the other: with a count of transactions, then on until the time is over.
pub fn shares(mut line: impl FnMut(&str)) {
    line("| maze | can fail | cannot | found | share | s | found in time | share | executions |");
    line("|---|---|---|---|---|---|---|---|---|");
    let (mut counted, mut timed) = (Vec::new(), Vec::new());
    for (number, maze) in MAZES.zip(Generated::all()) {
        let mut executor = maze.harness.executor();
        let mut fuzzer = maze.fuzzer(Techniques::default());
        let started = Instant::now();
        fuzzer.run(&mut executor, EXECUTIONS, EXECUTIONS, &|| false);
        let (first, after) = (maze.found(fuzzer.session()), started.elapsed());
        fuzzer.run(&mut executor, u64::MAX, u64::MAX, &|| started.elapsed() >= TIME);
        let second = maze.found(fuzzer.session());
        counted.push(maze.share(first));
        timed.push(maze.share(second));
        line(&format!(
            "| {number} | {} | {} | {first} | {:.2} | {:.1} | {second} | {:.2} | {} |",
            maze.known.feasible.len(),
            maze.known.infeasible.len(),
            maze.share(first),
            after.as_secs_f64(),
            maze.share(second),
            fuzzer.session().executions()
        ));
    }
    line(&format!(
        "\nMedian share: {:.2} after {EXECUTIONS} executions, {:.2} after {} s.",
        median(counted),
        median(timed),
        TIME.as_secs()
    ));
}

/// The shares without each of these techniques.
pub fn comparison(names: &[&'static str], mut line: impl FnMut(&str)) {
    let mazes = Generated::all();
    let measure = |techniques| parallel(mazes.len(), |number| mazes[number].share_with(techniques));
    let with = measure(Techniques::default());
    line("| without | median share with it | without it | p | A12 |");
    line("|---|---|---|---|---|");
    for name in names {
        let without = measure(crate::without(name));
        line(&format!(
            "| {name} | {:.2} | {:.2} | {} | {:.2} |",
            median(with.clone()),
            median(without.clone()),
            crate::probability(mann_whitney(&with, &without)),
            a12(&with, &without)
        ));
    }
}
