//! What a run of `bellwether fuzz` ends with, and its JSON form.

use anyhow::{Context, Result};
use bellwether::{
    compile::{Build, ContractId},
    finding::Finding,
    fuzz::{Campaign, Progress, Share, Target, TargetReport, TargetState},
    project::Level,
};
use serde_json::{Value, json};
use std::{path::Path, process::ExitCode, sync::Arc, time::Duration};

/// What a problem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file, or the search for its compiler.
    Compiling,
    /// A contract that was not fuzzed, which says so itself, too.
    NotFuzzed,
    /// A defect of ours.
    Internal,
    /// Something that kept nothing from being fuzzed.
    Note,
}

/// Why something could not be fuzzed, or what else there is to know.
#[derive(Debug, Clone)]
pub(super) struct Problem {
    pub(super) kind: Kind,
    pub(super) project: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) message: String,
}

/// A contract when the run ended.
#[derive(Debug)]
pub(super) struct Contract {
    pub(super) project: String,
    pub(super) file: String,
    pub(super) name: String,
    solc: String,
    /// Why no transaction was run on it, if none was.
    pub(super) not_fuzzed: Option<String>,
    pub(super) executions: u64,
    paths: usize,
    pub(super) branches: Share,
    instructions: Share,
    pub(super) targets: Vec<(TargetState, Value)>,
    lookahead: Duration,
}

impl Contract {
    /// One of which nothing was run.
    pub(super) fn not_fuzzed(project: &str, build: &Build, id: ContractId, why: String) -> Self {
        let (file, name) = build.qualified_name(id);
        let solc = &build.contract(id).solc;
        Self {
            project: project.to_owned(),
            file: file.to_owned(),
            name: name.to_owned(),
            solc: format!("{}.{}.{}", solc.major, solc.minor, solc.patch),
            not_fuzzed: Some(why),
            executions: 0,
            paths: 0,
            branches: Share::default(),
            instructions: Share::default(),
            targets: Vec::new(),
            lookahead: Duration::ZERO,
        }
    }

    /// One that had its turn, or waited for it when the run ended.
    fn new(project: &str, progress: Progress, reaching: &TargetReport, waited: &str) -> Self {
        let Progress { subject, executions, given_up, paths, branches, instructions, .. } = progress;
        let waiting = Self::not_fuzzed(project, &subject.build, subject.contract, waited.to_owned());
        let not_fuzzed = (executions == 0).then(|| given_up.unwrap_or_else(|| waited.to_owned()));
        let (targets, lookahead) = (targets(reaching), reaching.lookahead);
        Self { not_fuzzed, executions, paths, branches, instructions, targets, lookahead, ..waiting }
    }

    fn to_json(&self) -> Value {
        let mut json = json!({
            "name": self.name,
            "state": if self.not_fuzzed.is_some() { "not-fuzzed" } else { "fuzzed" },
            "project": self.project,
            "file": self.file,
            "solc": self.solc,
            "executions": self.executions,
            "paths": self.paths,
            "branches": { "covered": self.branches.covered, "known": self.branches.known },
            "instructions": self.instructions,
            "targets": self.targets.iter().map(|(_, json)| json).collect::<Vec<_>>(),
            "lookahead_ms": self.lookahead.as_millis() as u64,
        });
        if let Some(reason) = &self.not_fuzzed {
            json["reason"] = json!(reason);
        }
        json
    }
}

/// The whole result.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) seed: u64,
    pub(super) workers: usize,
    pub(super) elapsed: Duration,
    pub(super) contracts: Vec<Contract>,
    pub(super) findings: Vec<(String, Arc<Finding>)>,
    pub(super) errors: Vec<Problem>,
    /// What else people should know.
    pub(super) notes: Vec<String>,
    pub(super) interrupted: bool,
    /// Whether somebody named what is to be reached.
    pub(super) targeted: bool,
}

impl Outcome {
    pub(super) fn new(seed: u64, workers: usize) -> Self {
        Self {
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

    /// Adds what a campaign on `project` came to; how many transactions that took. `waited` is why contracts that wait for their
    /// turn did not get one.
    pub(super) fn add(&mut self, project: &str, campaign: &Campaign, elapsed: Duration, waited: &str) -> u64 {
        let before = self.executions();
        self.elapsed += elapsed;
        let contracts = campaign.progress().into_iter().zip(campaign.reaching());
        let contracts = contracts.map(|(progress, reaching)| Contract::new(project, progress, &reaching, waited));
        self.contracts.extend(contracts);
        self.findings.extend(campaign.findings().into_iter().map(|finding| (project.to_owned(), finding)));
        self.executions() - before
    }

    /// The findings of a contract.
    pub(super) fn findings_of(&self, contract: &Contract) -> usize {
        let is_its = |(project, finding): &&(String, Arc<Finding>)| {
            let subject = &finding.subject;
            *project == contract.project
                && subject.build.qualified_name(subject.contract) == (&contract.file, &contract.name)
        };
        self.findings.iter().filter(is_its).count()
    }

    pub(super) fn executions(&self) -> u64 {
        self.contracts.iter().map(|contract| contract.executions).sum()
    }

    pub(super) fn rate(&self) -> u64 {
        (self.executions() as f64 / self.elapsed.as_secs_f64().max(0.001)) as u64
    }

    /// Whether anything was found at level warning or above.
    pub(super) fn found_something(&self) -> bool {
        self.findings.iter().any(|(_, finding)| finding.level <= Level::Warning)
    }

    /// Whether nothing was fuzzed of all that should have been.
    fn nothing_ran(&self) -> bool {
        let was_asked = !self.contracts.is_empty() || !self.errors.is_empty();
        was_asked && self.contracts.iter().all(|contract| contract.not_fuzzed.is_some())
    }

    /// 0 nothing found, 1 something found, 2 nothing that was asked for could be fuzzed, 130 interrupted.
    pub(super) fn exit_code(&self) -> ExitCode {
        if self.interrupted {
            ExitCode::from(130)
        } else if self.found_something() {
            ExitCode::from(1)
        } else if self.nothing_ran() {
            ExitCode::from(2)
        } else {
            ExitCode::SUCCESS
        }
    }

    /// One FINDING.json each, named by id.
    pub(super) fn save_findings(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        for (project, finding) in &self.findings {
            let file = folder.join(format!("{}.json", finding.id));
            let text = serde_json::to_string_pretty(&finding.to_json(project))? + "\n";
            crate::user_file::write(&file, &text).with_context(|| format!("{} cannot be written", file.display()))?;
        }
        Ok(())
    }

    /// The form that other programs read.
    pub(super) fn to_json(&self) -> Value {
        let contracts: Vec<Value> = self.contracts.iter().map(Contract::to_json).collect();
        let findings: Vec<Value> = self.findings.iter().map(|(project, finding)| finding.to_json(project)).collect();
        let errors: Vec<Value> = self
            .errors
            .iter()
            .map(|error| {
                json!({ "project": error.project, "file": error.file, "line": error.line, "message": error.message })
            })
            .collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "seed": self.seed,
            "workers": self.workers,
            "elapsed_ms": self.elapsed.as_millis() as u64,
            "executions": self.executions(),
            "executions_per_second": self.rate(),
            "contracts": contracts,
            "findings": findings,
            "errors": errors,
        })
    }
}

/// The targets of a contract: how each stands, and the form that other programs read.
fn targets(reaching: &TargetReport) -> Vec<(TargetState, Value)> {
    let build = &reaching.subject.build;
    let of = |(target, state): &(Target, TargetState)| {
        let (name, executions, elapsed) = match state {
            TargetState::Open => ("open", None, None),
            TargetState::Unreachable => ("unreachable", None, None),
            TargetState::Reached { executions, elapsed } => ("reached", Some(*executions), Some(*elapsed)),
        };
        let json = json!({
            "file": build.source(target.source).name,
            "line": target.line,
            "kind": if target.fails { "failure" } else { "line" },
            "state": name,
            "executions": executions,
            "elapsed_ms": elapsed.map(|elapsed| elapsed.as_millis() as u64),
        });
        (*state, json)
    };
    reaching.targets.iter().map(of).collect()
}
