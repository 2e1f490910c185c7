//! What each technique of the fuzzer is worth: `cargo bench --bench ablation`.
//!
//! Every contract of the [suite](suite) is searched with 24 seeds and one worker until all that is planted in it is found, with
//! everything on, and again with one technique switched off; a search that is given up counts as the contract's cap. What is
//! compared are transactions, which depend on nothing but the seed, so that two searches may run side by side. Then the papers'
//! examples with their times, and generated mazes: one at a time, since time is measured.
//!
//! Words narrow it: names of contracts and of techniques, `comparisons`, `branches`, `examples`, `mazes`; `--seeds N` takes other than 24
//! seeds, `--first-seed N` begins with another one than 1, `--cap N` gives contracts up after so many transactions. `sweep NAME VALUES` tries other values of a number of
//! [`Tuning`] instead. Standard output is Markdown, line by line as it is measured; standard error says what is being done.
//!
//! If no search found anything, it would be 27 contracts with 300,000 transactions and four with a million, 24 seeds, and 7
//! variants: 2 billion transactions, an hour at 290,000 a second on each of two cores. The mazes take less than 10 minutes more.

mod branches;
mod mazes;
mod suite;
#[path = "../support/mod.rs"]
mod support;

use bellwether::{fuzz::Techniques, harness::Harness, tuning::Tuning};
use std::{process::ExitCode, sync::Arc};
use suite::{CASES, Case, EXAMPLES};
use support::{
    Mode, Planted, Search,
    report::{line, parallel, probability, say},
    runs::Runs,
    statistics::{a12, mann_whitney, median},
};

const SEEDS: u64 = 24;
/// Techniques that do nothing where there are no targets: the bench `lookahead` measures them.
const OF_TARGETS: [&str; 2] = ["lookahead", "rare-split-points"];
/// From here on chance is not what made a difference.
const SIGNIFICANT: f64 = 0.05;

fn main() -> ExitCode {
    let wanted = match Wanted::of(std::env::args().skip(1)) {
        Ok(wanted) => wanted,
        Err(why) => {
            say(&why);
            return ExitCode::FAILURE;
        }
    };
    if let Some((name, values)) = &wanted.sweep {
        sweep(name, values, &wanted);
        return ExitCode::SUCCESS;
    }
    if wanted.has("comparisons") {
        comparisons(&wanted);
    }
    if wanted.has("branches") {
        for name in &wanted.techniques {
            line(&format!("\n### Branches without {name}\n"));
            branches::comparison(name, &wanted, line);
        }
    }
    if wanted.has("examples") {
        examples(&wanted);
    }
    if wanted.has("mazes") {
        line("\n### Mazes\n");
        mazes::shares(line);
        line(&format!("\nWithout a technique, after {} executions:\n", mazes::EXECUTIONS));
        mazes::comparison(&wanted.techniques, line);
    }
    ExitCode::SUCCESS
}

/// What of it all was asked for.
struct Wanted {
    parts: Vec<&'static str>,
    cases: Vec<Case>,
    techniques: Vec<&'static str>,
    seeds: u64,
    first_seed: u64,
    /// A number of the tuning, and the values to try.
    sweep: Option<(&'static str, Vec<u64>)>,
}

impl Wanted {
    const PARTS: [&'static str; 4] = ["comparisons", "branches", "examples", "mazes"];

    fn of(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut wanted = Self {
            parts: Vec::new(),
            cases: Vec::new(),
            techniques: Vec::new(),
            seeds: SEEDS,
            first_seed: 1,
            sweep: None,
        };
        let mut cap = None;
        while let Some(word) = arguments.next() {
            if ["--seeds", "--cap", "--first-seed"].contains(&word.as_str()) {
                let number = arguments.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
                let number = number.ok_or_else(|| format!("{word} wants a number"))?;
                match word.as_str() {
                    "--cap" => cap = Some(number),
                    "--seeds" => wanted.seeds = number,
                    _ => wanted.first_seed = number,
                }
            } else if word == "sweep" {
                let name = arguments.next().unwrap_or_default();
                let known = Tuning::NAMES.iter().find(|known| **known == name);
                let known = known.ok_or_else(|| format!("{name} is none of {}", Tuning::NAMES.join(", ")))?;
                wanted.sweep = Some((known, Vec::new()));
            } else if let (Some((_, values)), Ok(value)) = (&mut wanted.sweep, word.parse()) {
                values.push(value);
            } else if let Some(part) = Self::PARTS.into_iter().find(|part| *part == word) {
                wanted.parts.push(part);
            } else if let Some(name) = Techniques::NAMES.into_iter().find(|name| *name == word) {
                wanted.techniques.push(name);
            } else if let Some(case) = CASES.iter().find(|case| case.contract == word) {
                wanted.cases.push(*case);
            } else if word != "--bench" {
                let contracts: Vec<&str> = CASES.iter().map(|case| case.contract).collect();
                let known = [&Self::PARTS[..], &Techniques::NAMES, &contracts].concat().join(", ");
                return Err(format!("{word} is none of {known}"));
            }
        }
        if wanted.parts.is_empty() {
            let narrowed = !wanted.cases.is_empty() || !wanted.techniques.is_empty();
            wanted.parts = if narrowed { vec!["comparisons"] } else { Self::PARTS.to_vec() };
        }
        if wanted.cases.is_empty() {
            wanted.cases = CASES.to_vec();
        }
        if let Some(cap) = cap {
            wanted.cases.iter_mut().for_each(|case| case.cap = cap);
        }
        if wanted.techniques.is_empty() {
            let all = Techniques::NAMES.into_iter();
            wanted.techniques = all.filter(|name| !OF_TARGETS.contains(name)).collect();
        }
        Ok(wanted)
    }

    fn has(&self, part: &str) -> bool {
        self.parts.contains(&part)
    }
}

/// Everything but the technique of this name.
fn without(name: &str) -> Techniques {
    let mut techniques = Techniques::default();
    assert!(techniques.switch_off(name), "there is no technique {name}");
    techniques
}

fn search(harness: &Arc<Harness>, case: Case, techniques: Techniques, seed: u64) -> Search {
    let fuzzer = support::fuzzer_with(harness, Mode::Stateful, seed, techniques);
    let planted = Planted::of(harness);
    support::search(fuzzer, &mut harness.executor(), &planted, |executions, _| executions >= case.cap)
}

/// A contract with its searches so far.
struct Measured {
    case: Case,
    harness: Arc<Harness>,
    with: Runs,
}

/// Several seeds, two at a time.
fn runs(harness: &Arc<Harness>, case: Case, techniques: Techniques, seeds: u64) -> Runs {
    let searches = parallel(seeds as usize, |number| search(harness, case, techniques, number as u64 + 1));
    Runs::new(case.cap, &searches)
}

fn comparisons(wanted: &Wanted) {
    line("### Everything on\n");
    line("| contract | fixture | cap | found | executions, median | quartiles |");
    line("|---|---|---|---|---|---|");
    let measured = wanted.cases.iter().map(|case| {
        say(&format!("{}: everything on", case.contract));
        let harness = support::harness(case.fixture, case.contract);
        let with = runs(&harness, *case, Techniques::default(), wanted.seeds);
        let (median, quartiles) = (with.shown_median(), with.shown_quartiles());
        let Case { fixture, contract, cap } = case;
        line(&format!("| {contract} | `{fixture}` | {cap} | {} | {median} | {quartiles} |", with.found()));
        Measured { case: *case, harness, with }
    });
    let measured: Vec<Measured> = measured.collect();
    for name in &wanted.techniques {
        comparison(name, &measured, wanted.seeds);
    }
}

/// One technique on and off.
fn comparison(name: &str, measured: &[Measured], seeds: u64) {
    line(&format!("\n### Without {name}\n"));
    line("| contract | found, on | off | executions, median, on | off | off / on | p | A12 |");
    line("|---|---|---|---|---|---|---|---|");
    let mut ratios: Vec<(&str, f64)> = Vec::new();
    let (mut faster, mut slower, mut never) = (0, 0, Vec::new());
    for Measured { case, harness, with } in measured {
        say(&format!("{}: without {name}", case.contract));
        let off = runs(harness, *case, without(name), seeds);
        let (left, right) = (off.executions(), with.executions());
        // How likely the search without it takes longer.
        let (p, effect) = (mann_whitney(&left, &right), a12(&left, &right));
        let ratio = off.median() / with.median();
        line(&format!(
            "| {} | {} | {} | {} | {} | {ratio:.2} | {} | {effect:.2} |",
            case.contract,
            with.found(),
            off.found(),
            with.shown_median(),
            off.shown_median(),
            probability(p)
        ));
        ratios.push((case.fixture, ratio));
        faster += usize::from(p < SIGNIFICANT && effect > 0.5);
        slower += usize::from(p < SIGNIFICANT && effect < 0.5);
        if off.are_in_vain() && with.are_in_vain() {
            never.push(case.contract);
        }
    }
    let of = |fixture: &str| median(ratios.iter().filter(|(of, _)| *of == fixture).map(|(_, ratio)| *ratio).collect());
    let fixtures = ["arithmetic", "stateful"].into_iter().filter(|name| ratios.iter().any(|(of, _)| of == name));
    let fixtures: String = fixtures.map(|fixture| format!(", of `{fixture}` {:.2}", of(fixture))).collect();
    line(&format!(
        "\nMedian ratio of {} contracts: {:.2}{fixtures}. Significantly faster with {name}: {faster}, slower: {slower}.{}",
        ratios.len(),
        median(ratios.iter().map(|(_, ratio)| *ratio).collect()),
        if never.is_empty() { String::new() } else { format!(" Never found: {}.", never.join(", ")) }
    ));
}

/// Other values of one number that steers the search, each beside the default.
fn sweep(name: &str, values: &[u64], wanted: &Wanted) {
    line(&format!("### {name}, seeds {} to {}\n", wanted.first_seed, wanted.first_seed + wanted.seeds - 1));
    line("| contract | value | found | executions, median | value / default |");
    line("|---|---|---|---|---|");
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); values.len()];
    for case in &wanted.cases {
        let harness = support::harness(case.fixture, case.contract);
        let planted = Planted::of(&harness);
        let runs = |tuning: &Tuning| {
            let searches = parallel(wanted.seeds as usize, |number| {
                let fuzzer = support::fuzzer_tuned(&harness, wanted.first_seed + number as u64, tuning.clone());
                support::search(fuzzer, &mut harness.executor(), &planted, |executions, _| executions >= case.cap)
            });
            Runs::new(case.cap, &searches)
        };
        say(&format!("{}: {name}", case.contract));
        let default = runs(&Tuning::default());
        line(&format!("| {} | default | {} | {} | 1 |", case.contract, default.found(), default.shown_median()));
        for (value, ratios) in values.iter().zip(&mut ratios) {
            let mut tuning = Tuning::default();
            assert!(tuning.set(name, *value), "{name} cannot be {value}");
            let tried = runs(&tuning);
            let ratio = tried.median() / default.median();
            let (found, shown) = (tried.found(), tried.shown_median());
            line(&format!("| {} | {value} | {found} | {shown} | {ratio:.2} |", case.contract));
            ratios.push(ratio);
        }
    }
    for (value, ratios) in values.iter().zip(ratios) {
        line(&format!("\nMedian ratio with {value}: {:.2}.", median(ratios)));
    }
}

/// The papers' examples, one search at a time.
fn examples(wanted: &Wanted) {
    line("\n### The papers' examples\n");
    line("| contract | example | reported | aim | found | executions, median | quartiles | ms, median | quartiles |");
    line("|---|---|---|---|---|---|---|---|---|");
    for example in EXAMPLES {
        let Some(case) = wanted.cases.iter().find(|case| case.contract == example.contract) else { continue };
        say(&format!("{}: timed", case.contract));
        let harness = support::harness(case.fixture, case.contract);
        let searches: Vec<Search> =
            (1..=wanted.seeds).map(|seed| search(&harness, *case, Techniques::default(), seed)).collect();
        let runs = Runs::new(case.cap, &searches);
        line(&format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            case.contract,
            example.of,
            example.reported,
            example.wanted,
            runs.found(),
            runs.shown_median(),
            runs.shown_quartiles(),
            runs.shown_milliseconds()
        ));
    }
}
