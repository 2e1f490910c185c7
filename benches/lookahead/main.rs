//! What lookahead and its power schedule are worth: `cargo bench --bench lookahead`.
//!
//! The paper's running example in both variants (`fixtures/mill`): how many transactions it takes until its one reachable
//! assertion fails, in the paper's four configurations, with 24 seeds and one worker. With everything on, and without the
//! aiming at what was just missed, since that reaches the assertion by another way than the schedule. Then contracts of npm
//! packages, drawn and compared as the paper does: see [`packages`]; and how long their control-flow graphs take to make.
//!
//! Words narrow it: `example`, `packages`, `graphs`, and for packages names of contracts; `--seeds N` takes other than 24
//! seeds. Standard output is Markdown, line by line as it is measured; standard error says what is being done.

mod packages;
mod search;
#[path = "../support/mod.rs"]
mod support;

use bellwether::{
    code::{BlockId, ProgramId},
    fuzz::{Configuration, Targets, Techniques},
    harness::Harness,
};
use search::{Goal, runs};
use std::process::ExitCode;
use support::{
    report::{line, probability, say},
    runs::Runs,
    statistics::{a12, mann_whitney},
};

const SEEDS: u64 = 24;
/// Transactions after which a search is given up.
const CAP: u64 = 1_000_000;
const CONTRACTS: [&str; 2] = ["Mill", "Windmill"];

fn main() -> ExitCode {
    let (mut parts, mut contracts, mut seeds) = (Vec::new(), Vec::new(), SEEDS);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "example" | "packages" | "graphs" => parts.push(word),
            "--seeds" => match words.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0) {
                Some(number) => seeds = number,
                None => {
                    say("--seeds wants a number");
                    return ExitCode::FAILURE;
                }
            },
            "--bench" => {}
            contract if packages::has(contract) => contracts.push(word),
            _ => {
                say(&format!("{word} is none of example, packages, graphs, and no contract of packages"));
                return ExitCode::FAILURE;
            }
        }
    }
    let all = parts.is_empty() && contracts.is_empty();
    let has = |part: &str| all || parts.iter().any(|word| word == part);
    if has("example") {
        example(seeds);
    }
    if has("packages") || !contracts.is_empty() {
        packages::compare(seeds, &contracts);
    }
    if has("graphs") {
        packages::graphs();
    }
    ExitCode::SUCCESS
}

/// One of the paper's configurations, with aiming or without.
fn techniques(lookahead: Configuration, aims: bool) -> Techniques {
    Techniques { lookahead, just_missed: aims, ..Techniques::default() }
}

fn example(seeds: u64) {
    line("### The paper's running example\n");
    line(
        "| contract | aiming | configuration | reached | executions, median | quartiles | ms, median | quartiles | / B | p | A12 |",
    );
    line("|---|---|---|---|---|---|---|---|---|---|---|");
    for contract in CONTRACTS {
        let harness = support::harness("mill", contract);
        let blocks = assertions(&harness);
        let wanted = line_of(&harness, "flour != 4_309");
        for aims in [false, true] {
            let measure = |configuration: Configuration| {
                say(&format!("{contract}: {configuration:?}, aiming {aims}"));
                let goal = Goal { blocks: blocks.clone(), line: wanted };
                runs(&harness, &goal, techniques(configuration, aims), CAP, seeds)
            };
            let best = measure(Configuration::B);
            for configuration in [Configuration::A, Configuration::B, Configuration::C, Configuration::D] {
                let other = if configuration == Configuration::B { best.clone() } else { measure(configuration) };
                line(&row(
                    &format!("{contract} | {} | {configuration:?}", if aims { "on" } else { "off" }),
                    &other,
                    &best,
                ));
            }
        }
    }
}

/// A line that compares runs with those of B. A12 is how likely they take longer.
fn row(what: &str, other: &Runs, best: &Runs) -> String {
    let (left, right) = (other.executions(), best.executions());
    format!(
        "| {what} | {} | {} | {} | {} | {:.2} | {} | {:.2} |",
        other.found(),
        other.shown_median(),
        other.shown_quartiles(),
        other.shown_milliseconds(),
        other.median() / best.median(),
        probability(mann_whitney(&left, &right)),
        a12(&left, &right)
    )
}

/// The blocks in which the assertions of a contract fail.
fn assertions(harness: &Harness) -> Vec<(ProgramId, BlockId)> {
    let targets = Targets::of_first_build(harness);
    let asserts = |line: u32, source| {
        let text = &harness.build.source(source).text;
        text.lines().nth(line as usize - 1).is_some_and(|line| line.contains("assert("))
    };
    let failing = targets.list().iter().filter(|target| target.fails && asserts(target.line, target.source));
    failing.flat_map(|target| target.blocks.clone()).collect()
}

/// The line of a contract's source that holds these words.
fn line_of(harness: &Harness, words: &str) -> u32 {
    let source = harness.build.source(harness.compiled().source);
    let at = source.text.lines().position(|line| line.contains(words));
    at.expect("the fixture says what is planted") as u32 + 1
}
