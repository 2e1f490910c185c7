//! What a run of `bellwether fuzz` ends with, and its JSON form.

use anyhow::{Context, Result};
use bellwether::{
    finding::Finding,
    fuzz::{Campaign, Progress, Reaching, TargetState},
    project::Level,
};
use serde_json::{Value, json};
use std::{path::Path, process::ExitCode, sync::Arc, time::Duration};

/// Why something could not be fuzzed.
#[derive(Debug, Clone)]
pub(super) struct Problem {
    pub(super) project: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) message: String,
}

/// A contract when the run ended.
#[derive(Debug)]
pub(super) struct Fuzzed {
    pub(super) project: String,
    pub(super) progress: Progress,
    pub(super) reaching: Reaching,
}

/// The whole result.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) seed: u64,
    pub(super) workers: usize,
    pub(super) elapsed: Duration,
    pub(super) contracts: Vec<Fuzzed>,
    pub(super) findings: Vec<(String, Arc<Finding>)>,
    pub(super) errors: Vec<Problem>,
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
            interrupted: false,
            targeted: false,
        }
    }

    /// Adds what a campaign on `project` came to; how many transactions that took.
    pub(super) fn add(&mut self, project: &str, campaign: &Campaign, elapsed: Duration) -> u64 {
        let before = self.executions();
        self.elapsed += elapsed;
        let contracts = campaign.progress().into_iter().zip(campaign.reaching());
        let contracts =
            contracts.map(|(progress, reaching)| Fuzzed { project: project.to_owned(), progress, reaching });
        self.contracts.extend(contracts);
        self.findings.extend(campaign.findings().into_iter().map(|finding| (project.to_owned(), finding)));
        self.executions() - before
    }

    pub(super) fn executions(&self) -> u64 {
        self.contracts.iter().map(|contract| contract.progress.executions).sum()
    }

    pub(super) fn rate(&self) -> u64 {
        (self.executions() as f64 / self.elapsed.as_secs_f64().max(0.001)) as u64
    }

    /// Whether anything was found at level warning or above.
    pub(super) fn found_something(&self) -> bool {
        self.findings.iter().any(|(_, finding)| finding.level <= Level::Warning)
    }

    /// 0 nothing, 1 something found, 2 nothing could run, 130 interrupted.
    pub(super) fn exit_code(&self) -> ExitCode {
        if self.interrupted {
            ExitCode::from(130)
        } else if self.found_something() {
            ExitCode::from(1)
        } else if self.contracts.is_empty() && !self.errors.is_empty() {
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
            std::fs::write(&file, text).with_context(|| format!("{} cannot be written", file.display()))?;
        }
        Ok(())
    }

    /// The form that other programs read.
    pub(super) fn to_json(&self) -> Value {
        let contracts: Vec<Value> = self
            .contracts
            .iter()
            .map(|Fuzzed { project, progress, reaching }| {
                let contract = progress.subject.compiled();
                json!({
                    "name": contract.name,
                    "project": project,
                    "file": progress.subject.build.source(contract.source).name,
                    "solc": format!("{}.{}.{}", contract.solc.major, contract.solc.minor, contract.solc.patch),
                    "executions": progress.executions,
                    "paths": progress.paths,
                    "branches": { "covered": progress.branches.covered, "known": progress.branches.known },
                    "instructions": progress.instructions,
                    "targets": targets(reaching),
                    "lookahead_ms": reaching.lookahead.as_millis() as u64,
                })
            })
            .collect();
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

/// The targets of a contract, in the form that other programs read.
fn targets(reaching: &Reaching) -> Vec<Value> {
    let build = &reaching.subject.build;
    let of = |(target, state): &(bellwether::fuzz::Target, TargetState)| {
        let (state, executions, elapsed) = match state {
            TargetState::Open => ("open", None, None),
            TargetState::Unreachable => ("unreachable", None, None),
            TargetState::Reached { executions, elapsed } => ("reached", Some(*executions), Some(*elapsed)),
        };
        json!({
            "file": build.source(target.source).name,
            "line": target.line,
            "kind": if target.fails { "failure" } else { "line" },
            "state": state,
            "executions": executions,
            "elapsed_ms": elapsed.map(|elapsed| elapsed.as_millis() as u64),
        })
    };
    reaching.targets.iter().map(of).collect()
}
