//! A [`Report`] is the result of a fuzzing run: its contracts with their targets, its findings, and everything that could
//! not be fuzzed, with the reason. It is a value, made from builds and campaigns during the run. Each output form has its
//! own file: `text.rs` for people, `json.rs` for programs. A report knows no terminal and writes no file.

mod contract;
mod count;
mod coverage;
mod html;
mod json;
mod junit;
mod known;
mod lcov;
mod markup;
mod path;
mod problem;
#[cfg(test)]
mod sample;
mod sarif;
mod support;
mod text;

pub use contract::{ContractResult, TargetResult};
pub use count::{counted, rate};
pub use coverage::{BranchCoverage, FileCoverage, FunctionCoverage};
pub use known::Known;
pub use problem::{Problem, ProblemKind};

use crate::{
    compile::{Build, ContractId},
    corpus::exchange::Counts,
    finding::{Finding, ignore_mistakes, patterns},
    fuzz::{Campaign, Event},
    project::{FileRole, Products, Project},
};
use std::{path::Path, sync::Arc, time::Duration};

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
    /// One finding for each oracle and place of a project, or each code that was copied, without those that are ignored.
    pub findings: Vec<ReportedFinding>,
    /// The findings that a person said are meant.
    pub ignored: Vec<ReportedFinding>,
    /// Problems that kept something from being fuzzed, and other remarks about files.
    pub errors: Vec<Problem>,
    /// Other remarks for users, one sentence each.
    pub notes: Vec<String>,
    /// Whether the run was interrupted before its end.
    pub interrupted: bool,
    /// Whether the user named lines to reach.
    pub targeted: bool,
    /// Whether only what is new counts.
    pub only_new: bool,
    /// What was reached of the projects' own files, where that was asked for.
    pub coverage: Vec<FileCoverage>,
    /// How many records were shared with other machines, if any could be.
    pub exchange: Option<Counts>,
    /// Of the transactions, those that ran again what was found before or elsewhere.
    replayed: u64,
}

/// A finding, with the project that it belongs to.
#[derive(Debug, Clone)]
pub struct ReportedFinding {
    /// The project's root, as the user gave it.
    pub project: String,
    /// The finding.
    pub finding: Arc<Finding>,
    /// Findings of the same code in other contracts.
    pub copies: Vec<Arc<Finding>>,
    /// Why it is not new, if only what is new counts and it is not.
    pub known: Option<Known>,
}

impl ReportedFinding {
    /// Whether a build fails for it.
    pub fn counts(&self) -> bool {
        self.known.is_none() && self.finding.is_serious()
    }
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
            ignored: Vec::new(),
            errors: Vec::new(),
            notes: Vec::new(),
            interrupted: false,
            targeted: false,
            only_new: false,
            coverage: Vec::new(),
            exchange: None,
            replayed: 0,
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
            let result = ContractResult::not_fuzzed(project, build, *contract, why.clone());
            self.contracts.push(ContractResult { cannot_be_fuzzed: true, ..result });
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
        self.errors.extend(campaign.remarks().into_iter().map(|remark| Problem::of_remark(project, remark)));
        self.replayed += progress.iter().map(|progress| progress.rerun).sum::<u64>();
        self.notes.extend(support::note(project, products, &progress));
        let contracts = progress.into_iter().zip(campaign.reaching());
        self.contracts.extend(
            contracts.map(|(progress, reaching)| ContractResult::of_session(project, progress, &reaching, waited)),
        );
        let (ignored, findings): (Vec<_>, Vec<_>) =
            campaign.findings().into_iter().partition(|finding| finding.ignored.is_some());
        let reported = |finding: &Arc<Finding>, copies: &[&Arc<Finding>]| ReportedFinding {
            project: project.to_owned(),
            finding: finding.clone(),
            copies: copies.iter().map(|copy| (*copy).clone()).collect(),
            known: None,
        };
        self.findings.extend(patterns(&findings).iter().map(|pattern| reported(pattern.finding, &pattern.copies)));
        self.ignored.extend(ignored.iter().map(|finding| reported(finding, &[])));
        self.executions() - before
    }

    /// Adds what was reached of the own files of a project. `contracts` are those that were to be fuzzed; those that the campaign did not
    /// come to, or all if there was none, are code that was not reached.
    pub fn add_coverage(
        &mut self,
        name: &str,
        project: &Project,
        build: &Arc<Build>,
        contracts: &[ContractId],
        campaign: Option<&Campaign>,
    ) {
        self.coverage.extend(FileCoverage::of_project(name, project, build, contracts, campaign));
    }

    /// Marks the findings of a project that are known.
    pub fn mark_known(&mut self, project: &str, known: impl Fn(&Finding) -> Option<Known>) {
        for reported in self.findings.iter_mut().filter(|reported| reported.project == project) {
            // A copy that is new counts.
            let is_known = reported.copies.iter().all(|copy| known(copy).is_some());
            reported.known = known(&reported.finding).filter(|_| is_known);
        }
    }

    /// Adds the ignores of a project that ignore nothing: those with a mistake, and those that match no finding any more.
    pub fn add_ignores(&mut self, name: &str, project: &Project, build: &Build, campaign: &Campaign) {
        let is_own = |path: &Path| project.role(path) != FileRole::Dependency;
        let mistakes = ignore_mistakes(build).into_iter().map(|(source, mistake)| (build.source(source), mistake));
        let mistakes = mistakes.filter(|(source, _)| is_own(&source.path));
        self.errors.extend(mistakes.map(|(source, mistake)| Problem::of_ignore(name, &source.name, mistake)));
        let idle = campaign.idle_ignores().into_iter().filter(|idle| is_own(&idle.path));
        self.errors.extend(idle.map(|idle| Problem::of_idle_ignore(name, project, &idle)));
    }

    /// The findings made through a contract, as one of their places or the only one.
    pub fn findings_of(&self, contract: &ContractResult) -> impl Iterator<Item = &ReportedFinding> {
        let is_its = move |reported: &&ReportedFinding| {
            let mut all = std::iter::once(&reported.finding).chain(&reported.copies);
            reported.project == contract.project && all.any(|finding| contract.has(finding))
        };
        self.findings.iter().filter(is_its)
    }

    /// The number of transactions of all contracts.
    pub fn executions(&self) -> u64 {
        self.contracts.iter().map(|contract| contract.executions).sum()
    }

    /// Transactions per second.
    pub fn rate(&self) -> u64 {
        (self.executions() as f64 / self.elapsed.as_secs_f64().max(0.001)) as u64
    }

    /// Whether there is a finding at level warning or above that is not known.
    pub fn found_something(&self) -> bool {
        self.findings.iter().any(ReportedFinding::counts)
    }

    /// Whether Bellwether itself failed somewhere.
    fn has_internal_errors(&self) -> bool {
        self.errors.iter().any(|problem| problem.kind == ProblemKind::Internal)
    }

    /// Whether nothing was fuzzed although something should have been.
    pub fn nothing_ran(&self) -> bool {
        let keeps_from_fuzzing = |problem: &Problem| !matches!(problem.kind, ProblemKind::Ignore | ProblemKind::Note);
        let was_asked = !self.contracts.is_empty() || self.errors.iter().any(keeps_from_fuzzing);
        was_asked && self.contracts.iter().all(|contract| contract.not_fuzzed.is_some())
    }
}
