//! Which share of the assertions that can fail is found in generated mazes: `cargo bench --bench mazes`. Nested linear
//! comparisons over eight 64-bit numbers, up to sixteen inside each other, behind a walk through a grid.

mod support;

use bellwether::{
    fuzz::{Lane, Session, Techniques},
    project::Config,
};
use std::{io::Write, sync::Arc, time::Instant};
use support::maze::Maze;

const MAZES: u64 = 5;
const SEEDS: u64 = 1;
const EXECUTIONS: u64 = 150_000;

fn main() {
    let mut out = std::io::stdout().lock();
    let mut techniques = Techniques::default();
    for word in std::env::args().skip(1) {
        techniques.switch_off(&word);
    }
    let _ = writeln!(out, "| maze | can fail | cannot | found | share | paths | s |");
    let _ = writeln!(out, "|---|---|---|---|---|---|---|");
    let mut shares = Vec::new();
    for maze in 1..=MAZES {
        let known = Maze::new(maze);
        let subject = support::compile("Maze", &known.source);
        let mut executor = subject.executor();
        for seed in 1..=SEEDS {
            let session = Session::new(subject.clone(), Config::default(), seed, 1, Arc::new(|_| {}));
            let session = Arc::new(session.with_techniques(techniques));
            let started = Instant::now();
            Lane::new(session.clone(), 0, Vec::new()).run(&mut executor, EXECUTIONS, EXECUTIONS, &|| false);
            let found: Vec<u32> = session.findings().iter().map(|finding| finding.lines.line).collect();
            assert!(found.iter().all(|line| !known.infeasible.contains(line)), "what cannot fail was found to fail");
            let share = found.len() as f64 / known.feasible.len() as f64;
            shares.push(share);
            let _ = writeln!(
                out,
                "| {maze}.{seed} | {} | {} | {} | {share:.2} | {} | {:.1} |",
                known.feasible.len(),
                known.infeasible.len(),
                found.len(),
                session.path_count(),
                started.elapsed().as_secs_f64()
            );
        }
    }
    shares.sort_by(f64::total_cmp);
    let _ = writeln!(out, "\nMedian share at {EXECUTIONS} executions: {:.2}.", shares[shares.len() / 2]);
}
