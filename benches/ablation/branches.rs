//! Directions of branches that are taken, with a technique and without it, after a few transactions and after more.

use crate::{
    Wanted,
    suite::Case,
    support::{
        self, Mode,
        report::{parallel, probability, say},
        statistics::{a12, mann_whitney, median},
    },
    without,
};
use bellwether::{fuzz::Techniques, harness::Harness};
use std::sync::Arc;

/// Transactions after which the directions are counted.
const AFTER: [u64; 2] = [200, 2_000];

/// What the searches of one contract took, for each number of transactions by seed, and how many directions there are.
struct Taken {
    by_seed: [Vec<f64>; AFTER.len()],
    known: u32,
}

/// Each contract with a technique and without it.
pub fn comparison(name: &str, wanted: &Wanted, mut line: impl FnMut(&str)) {
    let columns = AFTER.map(|after| format!("after {after} transactions, on | off | p | A12"));
    line(&format!("| contract | directions | {} |", columns.join(" | ")));
    line(&format!("|---|---|{}", "---|---|---|---|".repeat(AFTER.len())));
    let (mut more, mut fewer) = ([0; AFTER.len()], [0; AFTER.len()]);
    for case in &wanted.cases {
        say(&format!("{}: branches without {name}", case.contract));
        let harness = support::harness(case.fixture, case.contract);
        let on = taken(&harness, Techniques::default(), wanted.seeds);
        let off = taken(&harness, without(name), wanted.seeds);
        let mut cells = String::new();
        for (at, (on, off)) in on.by_seed.iter().zip(&off.by_seed).enumerate() {
            let (p, effect) = (mann_whitney(on, off), a12(on, off));
            more[at] += usize::from(p < crate::SIGNIFICANT && effect > 0.5);
            fewer[at] += usize::from(p < crate::SIGNIFICANT && effect < 0.5);
            let [on, off] = [on, off].map(|taken| median(taken.clone()));
            cells += &format!(" {on} | {off} | {} | {effect:.2} |", probability(p));
        }
        let Case { contract, .. } = case;
        line(&format!("| {contract} | {} |{cells}", on.known));
    }
    for (at, after) in AFTER.iter().enumerate() {
        line(&format!(
            "\nAfter {after} transactions: significantly more with {name} in {} contracts, fewer in {}, of {}.",
            more[at],
            fewer[at],
            wanted.cases.len()
        ));
    }
}

/// What several seeds take, two at a time.
fn taken(harness: &Arc<Harness>, techniques: Techniques, seeds: u64) -> Taken {
    let runs = parallel(seeds as usize, |number| {
        let mut fuzzer = support::fuzzer_with(harness, Mode::Stateful, number as u64 + 1, techniques);
        let mut executor = harness.executor();
        AFTER.map(|after| {
            let left = after.saturating_sub(fuzzer.session().executions());
            fuzzer.run(&mut executor, left, left, &|| false);
            fuzzer.session().branches()
        })
    });
    let known = runs.first().map_or(0, |shares| shares[0].known);
    let of = |at: usize| runs.iter().map(|shares| f64::from(shares[at].covered)).collect();
    Taken { by_seed: std::array::from_fn(of), known }
}
