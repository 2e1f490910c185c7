//! A [`Subject`] is a package, compiled. It is fuzzed as a whole or one contract of it, and tells how far each contract came.

use crate::{install::project_of, list::Package, support::report::say};
use bellwether::{
    compile::{Build, Compiler, ContractId, default_cache},
    finding::Finding,
    fuzz::{Campaign, Event, Options, Progress, Share},
    project::Project,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

pub const WORKERS: usize = 1;
pub const SEED: u64 = 1;
/// The time between two looks at whether the first transaction was run.
const POLL: Duration = Duration::from_millis(5);

/// A package with its build.
pub struct Subject {
    project: Project,
    build: Arc<Build>,
}

/// How far one contract came.
pub struct Measured {
    /// Its file, from the package's root, and its name: `contracts/A.sol:A`.
    pub name: String,
    /// Why no transaction was run on it, if none was.
    pub not_deployed: Option<String>,
    /// Covered and known directions of the branches in its source. None are known of a contract without a session: one whose
    /// library cannot be deployed, or one with nothing to run.
    pub branches: Share,
    /// Transactions that were run on it, and those that came through.
    pub transactions: [u64; 2],
}

/// What became of some contracts of a package.
pub struct Measures {
    /// How far each came, in order.
    pub contracts: Vec<Measured>,
    /// The time until the first transaction.
    pub first: Duration,
    /// The time in which all worlds were planned.
    pub planned: Duration,
    /// The time in which they were planned for the next build, in which nothing changed.
    pub planned_again: Duration,
    /// Transactions that were run beside, to weigh violations.
    pub trial_runs: u64,
    /// What was found, each place once.
    pub findings: Vec<Arc<Finding>>,
}

impl Subject {
    /// Installs and compiles a package.
    pub fn new(package: &Package) -> Self {
        let project = Project::load(&project_of(package)).expect("a project");
        let started = Instant::now();
        let build = Arc::new(Compiler::new(&default_cache(), &project.root, true).build(&project));
        say(&format!("{}: compiled in {:.0} s", package.pin, started.elapsed().as_secs_f64()));
        Self { project, build }
    }

    /// Why files of it are not part of the build, one line for each reason.
    pub fn left_out(&self) -> Vec<String> {
        let line = |file: &str, message: &str| format!("`{file}`: {}", one_line(message));
        self.build.left_out.iter().map(|left| line(&self.project.relative(&left.file), &left.message)).collect()
    }

    /// Fuzzes its own contracts that can be deployed, or only those of these names, and returns how far each came.
    pub fn fuzz(&self, contracts: &[&str], time: Duration) -> Measures {
        let contracts = contracts.iter().map(|name| (*name).to_owned()).collect();
        let options = Options { workers: WORKERS, seed: SEED, contracts, ..Options::default() };
        let ids = options.contracts_of(&self.build);
        if ids.is_empty() {
            let [first, planned, planned_again] = [Duration::ZERO; 3];
            let (contracts, findings) = Default::default();
            return Measures { contracts, first, planned, planned_again, trial_runs: 0, findings };
        }
        let (send, events) = mpsc::channel();
        let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).expect("a thread");
        let started = Instant::now();
        let has_begun = || campaign.progress().iter().any(|progress| progress.executions > 0);
        let [first, planned] = std::thread::scope(|scope| {
            let planning = scope.spawn(|| {
                campaign.rebase(&self.build, &self.project.config, 1);
                started.elapsed()
            });
            while !has_begun() && started.elapsed() < time {
                std::thread::sleep(POLL);
            }
            [started.elapsed(), planning.join().expect("worlds are planned")]
        });
        let mut unlinkable = BTreeMap::new();
        // If all are given up, there is nothing to wait for.
        while let Some(left) = time.checked_sub(started.elapsed())
            && let Ok(event) = events.recv_timeout(left)
            && !matches!(event, Event::Quiet { .. })
        {
            note(event, &mut unlinkable);
        }
        campaign.pause_and_wait();
        events.try_iter().for_each(|event| note(event, &mut unlinkable));
        let (progress, findings) = (campaign.progress(), campaign.findings());
        let started = Instant::now();
        campaign.rebase(&self.build, &self.project.config, 2);
        let planned_again = started.elapsed();
        campaign.stop();
        let trial_runs = progress.iter().map(|progress| progress.trial_runs).sum();
        let measured = |id: ContractId| {
            let found = progress.iter().find(|progress| progress.harness.contract == id);
            let (file, name) = self.build.qualified_name(id);
            let name = format!("{file}:{name}");
            match found {
                Some(progress) => Measured {
                    name,
                    not_deployed: not_deployed(progress, time),
                    branches: progress.branches,
                    transactions: [progress.executions, progress.succeeded],
                },
                None => {
                    let why = unlinkable.get(&id).cloned().unwrap_or_else(|| "it has nothing to run".to_owned());
                    Measured { name, not_deployed: Some(why), branches: Share::default(), transactions: [0; 2] }
                }
            }
        };
        let contracts = ids.into_iter().map(measured).collect();
        Measures { contracts, first, planned, planned_again, trial_runs, findings }
    }
}

/// Takes up why contracts have no session, and tells of defects of ours.
fn note(event: Event, unlinkable: &mut BTreeMap<ContractId, String>) {
    match event {
        Event::Worldless { contract, why, .. } => drop(unlinkable.insert(contract, one_line(&why))),
        Event::Panicked { contract, report, .. } => say(&format!("panicked at {contract}: {report}")),
        _ => {}
    }
}

/// Transactions are run on deployed contracts only.
fn not_deployed(progress: &Progress, time: Duration) -> Option<String> {
    let waited = || format!("no transaction was run on it in {} s", time.as_secs());
    (progress.executions == 0).then(|| progress.given_up.as_deref().map_or_else(waited, one_line))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
