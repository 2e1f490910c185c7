//! What the oracles find, what they miss, and what they tell wrongly: `cargo bench --bench oracles`.
//!
//! ```text
//! cargo bench --bench oracles
//! cargo bench --bench oracles -- fixtures --seeds 3
//! cargo bench --bench oracles -- labelled --seeds 1
//! cargo bench --bench oracles -- speed
//! cargo bench --bench oracles -- audited solmate @uniswap/v2-core --seconds 60
//! ```
//!
//! `fixtures`: each project in `fixtures/` is fuzzed with several seeds, and what is found is compared with the notes in its sources.
//! `labelled`: the same for the contracts of `benches/labelled`. `speed`: the whole loop with all oracles beside the same loop with `assertion` alone, in one run. `audited`: what is told of packages
//! that were audited and are not changed here; every line of it is worth a look. Without a word all four are done. Standard output is
//! Markdown, line by line as it is measured. All of it takes half an hour and the time to compile.

#[allow(dead_code, reason = "the tests use it too")]
#[path = "../../tests/support/campaign.rs"]
mod campaign;
mod fixtures;
#[allow(dead_code, reason = "the bench on packages uses the rest")]
#[path = "../packages/install.rs"]
mod install;
mod labelled;
#[allow(dead_code, reason = "the bench on packages uses the rest")]
#[path = "../packages/list.rs"]
mod list;
mod speed;
#[allow(dead_code, reason = "the bench on packages uses the rest")]
#[path = "../packages/subject.rs"]
mod subject;
#[path = "../support/mod.rs"]
mod support;

use bellwether::project::Level;
use list::{PACKAGES, Package};
use std::{process::ExitCode, time::Duration};
use subject::Subject;
use support::report::{line, say};

const PARTS: [&str; 4] = ["fixtures", "labelled", "speed", "audited"];
/// Packages that were audited, and are on npm as they were.
const AUDITED: [&str; 8] = [
    "@openzeppelin/contracts@5.7.0",
    "@openzeppelin/contracts@4.9.6",
    "openzeppelin-solidity@2.5.1",
    "solmate@6.8.0",
    "solady@0.1.26",
    "@uniswap/v2-core@1.0.1",
    "@bnb-party/v3-core@1.0.4",
    "@gnosis.pm/safe-contracts@1.3.0",
];

fn main() -> ExitCode {
    let wanted = match Wanted::of(std::env::args().skip(1)) {
        Ok(wanted) => wanted,
        Err(why) => {
            say(&why);
            return ExitCode::FAILURE;
        }
    };
    if wanted.has("fixtures") {
        fixtures::measure(wanted.seeds);
    }
    if wanted.has("labelled") {
        labelled::measure(wanted.seeds);
    }
    if wanted.has("speed") {
        speed::measure();
    }
    if wanted.has("audited") {
        audited(&wanted);
    }
    ExitCode::SUCCESS
}

/// What was asked for.
struct Wanted {
    /// The parts; all, if there are none.
    parts: Vec<String>,
    /// Names of packages; all audited ones, if there are none.
    packages: Vec<String>,
    seeds: u64,
    time: Duration,
}

impl Wanted {
    fn of(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut wanted = Self { parts: Vec::new(), packages: Vec::new(), seeds: 3, time: Duration::from_secs(60) };
        while let Some(word) = arguments.next() {
            let mut number = |option: &str| {
                let number = arguments.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
                number.ok_or_else(|| format!("{option} takes a number above 0"))
            };
            match word.as_str() {
                "--bench" => {}
                "--seeds" => wanted.seeds = number("--seeds")?,
                "--seconds" => wanted.time = Duration::from_secs(number("--seconds")?),
                part if PARTS.contains(&part) => wanted.parts.push(word),
                name if PACKAGES.iter().any(|package| package.is_called(name)) => wanted.packages.push(word),
                _ => return Err(format!("{word} is neither one of {} nor a package of the list", PARTS.join(", "))),
            }
        }
        Ok(wanted)
    }

    fn has(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }

    fn has_package(&self, package: &Package) -> bool {
        match self.packages.as_slice() {
            [] => AUDITED.contains(&package.pin),
            names => names.iter().any(|name| package.is_called(name)),
        }
    }
}

/// What is told of audited packages, each fuzzed as a project of its own.
fn audited(wanted: &Wanted) {
    let seconds = wanted.time.as_secs();
    line(&format!(
        "\n### Audited packages\n\n{} worker, seed {}, {seconds} s each.\n",
        subject::WORKERS,
        subject::SEED
    ));
    line("| package | contracts | transactions | run to weigh violations | errors | warnings | information |");
    line("|---|---:|---:|---:|---:|---:|---:|");
    let mut told = Vec::new();
    for package in PACKAGES.iter().filter(|package| wanted.has_package(package)) {
        let measures = Subject::new(package).fuzz(&[], wanted.time);
        let transactions: u64 = measures.contracts.iter().map(|contract| contract.transactions[0]).sum();
        let count = |level| measures.findings.iter().filter(|finding| finding.level == level).count();
        line(&format!(
            "| {} | {} | {transactions} | {} | {} | {} | {} |",
            package.pin,
            measures.contracts.len(),
            measures.trial_runs,
            count(Level::Error),
            count(Level::Warning),
            count(Level::Information)
        ));
        told.extend(measures.findings.iter().map(|finding| {
            let (level, oracle, at) = (finding.level.name(), finding.violation.oracle, finding.lines.line);
            format!(
                "- {}: {level}[{oracle}] `{}:{at}`: {}. {}",
                package.pin, finding.file, finding.message, finding.because
            )
        }));
    }
    line("");
    told.iter().for_each(|told| line(told));
}
