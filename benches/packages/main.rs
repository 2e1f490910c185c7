//! How far the fuzzer comes on real contracts: `cargo bench --bench packages`.
//!
//! Each package of the [list](list) is installed from npm and fuzzed as a project of its own, for 40 s with one worker; then each
//! central contract on its own, for as long. Reported are the contracts that were deployed, the covered directions of branches,
//! why the others were not deployed, and what was found in the packages, with its level. Compile time does not count.
//!
//! ```text
//! cargo bench --bench packages
//! cargo bench --bench packages -- solady @openzeppelin/contracts@4.9.6 --seconds 10
//! cargo bench --bench packages -- GnosisSafe HashRegistrar
//! cargo bench --bench packages -- --central
//! ```
//!
//! Names of packages and of central contracts narrow it; `--central` leaves out the packages as a whole; `--seconds N` takes other
//! than 40 s. Standard output is Markdown, line by line as it is measured; standard error says what is being done. Mocks and tests
//! of a package count like its other contracts, unless forge would take their files for tests or scripts. All of it takes half an
//! hour and the time to compile; the first run also fetches packages and compilers from npm.

mod install;
mod list;
mod subject;
#[path = "../support/mod.rs"]
mod support;

use bellwether::{finding::Finding, fuzz::Share};
use list::{PACKAGES, Package};
use std::{collections::BTreeSet, process::ExitCode, time::Duration};
use subject::{Measured, Measures, SEED, Subject, WORKERS};
use support::report::{line, say};

const SECONDS: u64 = 40;

fn main() -> ExitCode {
    let wanted = match Wanted::of(std::env::args().skip(1)) {
        Ok(wanted) => wanted,
        Err(why) => {
            say(&why);
            return ExitCode::FAILURE;
        }
    };
    let mut rest = Rest::default();
    line(&format!("{WORKERS} worker, seed {SEED}, {} s each.", wanted.time.as_secs()));
    packages(&wanted, &mut rest);
    central(&wanted, &mut rest);
    list_of("Findings", &rest.findings);
    list_of("Not deployed", &rest.not_deployed);
    list_of("Not compiled", &rest.not_compiled);
    ExitCode::SUCCESS
}

/// What was asked for.
struct Wanted {
    /// Names of packages and of central contracts; all, if there are none.
    names: Vec<String>,
    /// Whether packages are left out as a whole.
    only_central: bool,
    time: Duration,
}

impl Wanted {
    fn of(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut wanted = Self { names: Vec::new(), only_central: false, time: Duration::from_secs(SECONDS) };
        while let Some(word) = arguments.next() {
            let is_known = |package: &Package| package.is_called(&word) || package.central.contains(&word.as_str());
            match word.as_str() {
                "--bench" => {}
                "--central" => wanted.only_central = true,
                "--seconds" => {
                    let number = arguments.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
                    wanted.time = Duration::from_secs(number.ok_or("--seconds takes a number above 0")?);
                }
                _ if PACKAGES.iter().any(is_known) => wanted.names.push(word),
                _ => {
                    let known = PACKAGES
                        .iter()
                        .flat_map(|package| [package.pin].into_iter().chain(package.central.iter().copied()));
                    return Err(format!("{word} is none of {}", known.collect::<Vec<_>>().join(", ")));
                }
            }
        }
        Ok(wanted)
    }

    fn has_package(&self, package: &Package) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| package.is_called(name))
    }

    fn has_contract(&self, package: &Package, contract: &str) -> bool {
        self.has_package(package) || self.names.iter().any(|name| name == contract)
    }
}

/// What the tables do not show, one line for each.
#[derive(Default)]
struct Rest {
    findings: Vec<String>,
    not_deployed: Vec<String>,
    not_compiled: Vec<String>,
    /// The contracts that have their line already, with their packages.
    told: BTreeSet<(&'static str, String)>,
}

impl Rest {
    /// Adds a contract that was not deployed, the first time only.
    fn add(&mut self, package: &Package, contract: &str, why: &str) {
        if self.told.insert((package.pin, contract.to_owned())) {
            self.not_deployed.push(format!("{}: `{contract}`: {why}", package.pin));
        }
    }

    fn add_left_out(&mut self, package: &Package, subject: &Subject) {
        for left_out in subject.left_out() {
            let left_out = format!("{}: {left_out}", package.pin);
            if !self.not_compiled.contains(&left_out) {
                self.not_compiled.push(left_out);
            }
        }
    }
}

/// Each package as a whole.
fn packages(wanted: &Wanted, rest: &mut Rest) {
    let packages: Vec<&Package> = PACKAGES.iter().filter(|package| wanted.has_package(package)).collect();
    if wanted.only_central || packages.is_empty() {
        return;
    }
    line("\n### Packages\n");
    line(
        "| package | contracts | deployed | first transaction, ms | planned, ms | again, ms | branches | known | share | transactions | came through | run to weigh violations |",
    );
    line("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let mut all = [0; 2];
    let mut branches = Share::default();
    for package in packages {
        let subject = Subject::new(package);
        rest.add_left_out(package, &subject);
        let Measures { contracts, first, planned, planned_again, findings, trial_runs } =
            subject.fuzz(&[], wanted.time);
        rest.findings.extend(findings.iter().map(|finding| told(package, finding)));
        let deployed = contracts.iter().filter(|contract| contract.not_deployed.is_none()).count();
        let share = sum(contracts.iter().map(|contract| contract.branches));
        let run = came_through(&contracts);
        let times = [first, planned, planned_again].map(|time| time.as_millis().to_string()).join(" | ");
        line(&format!(
            "| {} | {} | {deployed} | {times} | {} | {run} | {trial_runs} |",
            package.pin,
            contracts.len(),
            cells(share)
        ));
        all = [all[0] + contracts.len(), all[1] + deployed];
        branches = sum([branches, share]);
        for Measured { name, not_deployed, .. } in &contracts {
            not_deployed.iter().for_each(|why| rest.add(package, name, why));
        }
    }
    line(&format!("| all | {} | {} | | | | {} | | | |", all[0], all[1], cells(branches)));
}

/// Each central contract on its own.
fn central(wanted: &Wanted, rest: &mut Rest) {
    line("\n### Central contracts\n");
    line("| package | contract | state | branches | known | share | transactions | came through |");
    line("|---|---|---|---:|---:|---:|---:|---:|");
    for package in &PACKAGES {
        let of_package = package.central.iter().copied();
        let contracts: Vec<&str> = of_package.filter(|contract| wanted.has_contract(package, contract)).collect();
        if contracts.is_empty() {
            continue;
        }
        let subject = Subject::new(package);
        rest.add_left_out(package, &subject);
        for contract in contracts {
            let measured = subject.fuzz(&[contract], wanted.time).contracts;
            if measured.is_empty() {
                line(&format!("| {} | {contract} | not compiled | {} | | |", package.pin, cells(Share::default())));
                rest.add(package, contract, "the build has no such contract that can be deployed");
            }
            let run = came_through(&measured);
            for Measured { name, not_deployed, branches, .. } in measured {
                let state = if not_deployed.is_none() { "deployed" } else { "not deployed" };
                line(&format!("| {} | {contract} | {state} | {} | {run} |", package.pin, cells(branches)));
                not_deployed.iter().for_each(|why| rest.add(package, &name, why));
            }
        }
    }
}

/// A finding in a line.
fn told(package: &Package, finding: &Finding) -> String {
    let (level, oracle) = (finding.level.name(), finding.violation.oracle);
    let Finding { file, lines, message, because, .. } = finding;
    format!("{}: {level}[{oracle}] `{file}:{}`: {message}. {because}", package.pin, lines.line)
}

/// The cells of the transactions that were run, and the share of those that came through.
fn came_through(contracts: &[Measured]) -> String {
    let [run, succeeded] = contracts
        .iter()
        .fold([0; 2], |sum, contract| [sum[0] + contract.transactions[0], sum[1] + contract.transactions[1]]);
    let share = if run == 0 { "–".to_owned() } else { format!("{:.0} %", succeeded as f64 * 100.0 / run as f64) };
    format!("{run} | {share}")
}

fn list_of(title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    line(&format!("\n### {title}\n"));
    lines.iter().for_each(|text| line(&format!("- {text}")));
}

fn sum(shares: impl IntoIterator<Item = Share>) -> Share {
    shares.into_iter().fold(Share::default(), |sum, share| Share {
        covered: sum.covered + share.covered,
        known: sum.known + share.known,
    })
}

/// The cells of covered and known branches and their share.
fn cells(Share { covered, known }: Share) -> String {
    let share =
        if known == 0 { "–".to_owned() } else { format!("{:.1} %", f64::from(covered) * 100.0 / f64::from(known)) };
    format!("{covered} | {known} | {share}")
}
