//! A [`Report`] is the result of a fuzzing run: its contracts with their targets, its findings, and everything that could
//! not be fuzzed, with the reason. It is a value, made from builds and campaigns during the run. Each output form has its
//! own file: `text.rs` for people, `json.rs` for programs. A report knows no terminal and writes no file.

mod contract;
mod count;
mod json;
mod problem;
#[cfg(test)]
mod sample;
mod support;
mod text;

pub use contract::{ContractResult, TargetResult};
pub use count::{counted, rate};
pub use problem::{Problem, ProblemKind};

use crate::{
    compile::{Build, ContractId},
    finding::Finding,
    fuzz::{Campaign, Event},
    project::{Products, Project},
};
use std::{sync::Arc, time::Duration};

/// The result of a fuzzing run over one project or several.
#[derive(Debug)]
pub struct Report {
    /// The version of Bellwether that made it.
    pub version: &'static str,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of threads that fuzzed.
    pub workers: usize,
    /// The time spent on fuzzing, compile time excluded.
    pub elapsed: Duration,
    /// All contracts that were to be fuzzed, by project.
    pub contracts: Vec<ContractResult>,
    /// One finding for each place and oracle of a project.
    pub findings: Vec<ReportedFinding>,
    /// Problems that kept something from being fuzzed, and other remarks about files.
    pub errors: Vec<Problem>,
    /// Other remarks for users, one sentence each.
    pub notes: Vec<String>,
    /// Whether the run was interrupted before its end.
    pub interrupted: bool,
    /// Whether the user named lines to reach.
    pub targeted: bool,
}

/// A finding, with the project that it belongs to.
#[derive(Debug, Clone)]
pub struct ReportedFinding {
    /// The project's root, as the user gave it.
    pub project: String,
    /// The finding.
    pub finding: Arc<Finding>,
}

impl Report {
    /// An empty report.
    pub fn new(seed: u64, workers: usize) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            seed,
            workers,
            elapsed: Duration::ZERO,
            contracts: Vec::new(),
            findings: Vec::new(),
            errors: Vec::new(),
            notes: Vec::new(),
            interrupted: false,
            targeted: false,
        }
    }

    /// Adds the files that are not part of a build, one problem for each reason.
    pub fn add_left_out(&mut self, name: &str, project: &Project, build: &Build) {
        self.errors.extend(build.left_out.iter().map(|reason| Problem::of_left_out(name, project, reason)));
    }

    /// Adds a contract on which no transaction was run.
    pub fn add_not_fuzzed(&mut self, project: &str, build: &Build, contract: ContractId, why: &str) {
        self.contracts.push(ContractResult::not_fuzzed(project, build, contract, why.to_owned()));
    }

    /// Adds the parts of a campaign's event that its final state does not show: problems, and contracts without a session.
    pub fn add_event(&mut self, project: &str, event: &Event) {
        if let Event::Worldless { build, contract, why, .. } = event {
            self.add_not_fuzzed(project, build, *contract, why);
        }
        self.errors.extend(Problem::of_event(project, event));
    }

    /// Adds the final state of a campaign, after `elapsed`, and returns the number of its transactions. `waited` is the
    /// reason given for contracts that had no turn and give no other reason.
    pub fn add_campaign(
        &mut self,
        project: &str,
        campaign: &Campaign,
        products: &Products,
        elapsed: Duration,
        waited: &str,
    ) -> u64 {
        let before = self.executions();
        self.elapsed += elapsed;
        let progress = campaign.progress();
        self.notes.extend(support::note(project, products, &progress));
        let contracts = progress.into_iter().zip(campaign.reaching());
        self.contracts.extend(
            contracts.map(|(progress, reaching)| ContractResult::of_session(project, progress, &reaching, waited)),
        );
        let findings = campaign.findings().into_iter();
        self.findings.extend(findings.map(|finding| ReportedFinding { project: project.to_owned(), finding }));
        self.executions() - before
    }

    /// The findings made through a contract.
    pub fn findings_of(&self, contract: &ContractResult) -> impl Iterator<Item = &Finding> {
        let is_its = move |ReportedFinding { project, finding }: &&ReportedFinding| {
            let harness = &finding.harness;
            *project == contract.project
                && harness.build.qualified_name(harness.contract) == (&contract.file, &contract.name)
        };
        self.findings.iter().filter(is_its).map(|reported| &*reported.finding)
    }

    /// The number of transactions of all contracts.
    pub fn executions(&self) -> u64 {
        self.contracts.iter().map(|contract| contract.executions).sum()
    }

    /// Transactions per second.
    pub fn rate(&self) -> u64 {
        (self.executions() as f64 / self.elapsed.as_secs_f64().max(0.001)) as u64
    }

    /// Whether there is a finding at level warning or above.
    pub fn found_something(&self) -> bool {
        self.findings.iter().any(|reported| reported.finding.is_serious())
    }

    /// Whether nothing was fuzzed although something should have been.
    pub fn nothing_ran(&self) -> bool {
        let was_asked = !self.contracts.is_empty() || !self.errors.is_empty();
        was_asked && self.contracts.iter().all(|contract| contract.not_fuzzed.is_some())
    }
}
