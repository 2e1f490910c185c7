//! A campaign with one worker, run until its budget is spent.

use bellwether::{
    compile::{Build, Compiler, Severity, default_cache},
    finding::Finding,
    fuzz::{Campaign, Event, Options, Progress},
    project::{Config, Project},
};
use std::sync::{Arc, mpsc};

/// What a campaign came to.
pub struct Ended {
    pub findings: Vec<Arc<Finding>>,
    pub progress: Vec<Progress>,
    /// Compiler errors and contracts that could not be deployed.
    pub errors: Vec<String>,
}

/// Transactions without news after which a contract is taken to have shown what there is. Chosen by hand, and five times what tests use
/// that wait for nothing else: in fixtures whatever is found has to be found.
const QUIET_AFTER: u64 = 100_000;

/// Seeds that thresholds are measured with: one alone may be lucky, or unlucky.
pub const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// The median over [`SEEDS`].
pub fn median<T: Ord + Copy>(of_seed: impl FnMut(u64) -> T) -> T {
    let mut values: Vec<T> = SEEDS.map(of_seed).collect();
    values.sort_unstable();
    values[values.len() / 2]
}

/// Compiles the project.
pub fn build(project: &Project) -> Arc<Build> {
    Arc::new(Compiler::new(&default_cache(), &project.root, true).build(project))
}

/// Fuzzes the project, with at most `executions` transactions for each of its contracts.
pub fn fuzz(project: &Project, seed: u64, executions: u64) -> Ended {
    fuzz_build(&build(project), &project.config, seed, executions)
}

/// Fuzzes a build, with at most `executions` transactions for each of its contracts.
pub fn fuzz_build(build: &Arc<Build>, config: &Config, seed: u64, executions: u64) -> Ended {
    fuzz_contracts(build, config, seed, executions, &[])
}

/// The same for contracts of these names only; for all, if there are none.
pub fn fuzz_contracts(build: &Arc<Build>, config: &Config, seed: u64, executions: u64, contracts: &[&str]) -> Ended {
    let names = contracts.iter().map(|name| (*name).to_owned()).collect();
    let mut errors: Vec<String> = build
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    let contracts = build.contracts.iter().filter(|contract| contract.is_deployable()).count() as u64;
    let (send, events) = mpsc::channel();
    let options = Options {
        workers: 1,
        seed,
        executions: Some(executions * contracts),
        until_quiet: true,
        quiet_after: QUIET_AFTER,
        contracts: names,
        ..Options::default()
    };
    let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).unwrap();
    campaign.rebase(build, config, 1);
    for event in &events {
        match event {
            Event::Quiet { .. } => break,
            Event::Undeployable { harness, why, .. } => errors.push(format!("{}: {why}", harness.compiled().name)),
            Event::Oversized { harness, what, .. } => errors.push(format!("{}: {what}", harness.compiled().name)),
            Event::Worldless { build, contract, why, .. } => {
                errors.push(format!("{}: {why}", build.contract(contract).name));
            }
            Event::Panicked { report, .. } => errors.push(report),
            Event::Found { .. } | Event::Shrunk { .. } | Event::Fixed { .. } => {}
        }
    }
    let ended = Ended { findings: campaign.findings(), progress: campaign.progress(), errors };
    campaign.stop();
    ended
}
