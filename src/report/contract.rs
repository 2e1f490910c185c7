//! A [`ContractResult`] is the fuzzing progress of one contract, or the reason why it was not fuzzed, and the outcome of
//! each target.

use super::path::path;
use crate::{
    compile::{Build, ContractId},
    finding::Finding,
    fuzz::{Progress, Share, Target, TargetReport, TargetState},
    harness::{HarnessKind, Member},
};
use std::time::Duration;

/// A contract at the end of the run.
#[derive(Debug, Clone)]
pub struct ContractResult {
    /// The project's root, as the user gave it.
    pub project: String,
    /// The source's name, relative to the root.
    pub file: String,
    /// The line of its definition, from 1.
    pub line: u32,
    /// The contract's name.
    pub name: String,
    /// What its session is about.
    pub kind: HarnessKind,
    /// The compiler's version: `0.8.37`.
    pub solc: String,
    /// The reason why no transaction was run on it, if none was.
    pub not_fuzzed: Option<String>,
    /// Whether no longer a run would change that: it cannot be deployed, or nothing of it can be called.
    pub cannot_be_fuzzed: bool,
    /// The instances of its world, itself first; none if it has no session.
    pub world: Vec<Member>,
    /// The test contract in whose world it is fuzzed as well, or only.
    pub suite: Option<String>,
    /// Transactions executed.
    pub executions: u64,
    /// Transactions that were run beside those, to weigh what was found against its alternatives.
    pub trial_runs: u64,
    /// Paths kept.
    pub paths: usize,
    /// Edges of branches in its source, reached and in all.
    pub branches: Share,
    /// Instructions of its runtime code, reached and in all.
    pub instructions: Share,
    /// Its targets, in their order.
    pub targets: Vec<TargetResult>,
    /// The time spent on lookahead.
    pub lookahead: Duration,
}

/// A target at the end of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetResult {
    /// The source's name, relative to the root.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// Whether the target is a failure on the line, and not the line itself.
    pub fails: bool,
    /// The outcome.
    pub state: TargetState,
}

/// What helps where a contract cannot be fuzzed.
const REMEDY: &str = "To have it fuzzed, add a test contract whose `setUp()` deploys it, or say in `[world]` of bellwether.toml what it is \
                      given; `--exclude` leaves its file out.";

impl ContractResult {
    /// Why it was not fuzzed, and what to do about it; none if it was.
    pub fn told_not_fuzzed(&self) -> Option<String> {
        let reason = self.not_fuzzed.as_ref()?;
        Some(if self.cannot_be_fuzzed { format!("{reason}. {REMEDY}") } else { reason.clone() })
    }

    /// Which share of its branches was taken, in words.
    pub(super) fn told_branches(&self) -> String {
        let share = (self.branches.covered * 100).checked_div(self.branches.known);
        share.map_or_else(|| "no branches".to_owned(), |percent| format!("{percent} % of branches"))
    }

    /// Whether a finding of its project was made through it.
    pub(super) fn has(&self, finding: &Finding) -> bool {
        let harness = &finding.harness;
        harness.build.qualified_name(harness.contract) == (&self.file, &self.name)
    }

    /// Its file and name, as `--contract` takes them: `src/Vault.sol:Vault`.
    pub(super) fn place(&self) -> String {
        format!("{}:{}", path(&self.project, &self.file), self.name)
    }

    /// A contract of which no transaction was run.
    pub(super) fn not_fuzzed(project: &str, build: &Build, id: ContractId, why: String) -> Self {
        let (file, name) = build.qualified_name(id);
        let solc = &build.contract(id).solc;
        Self {
            project: project.to_owned(),
            file: file.to_owned(),
            line: build.source(build.contract(id).source).lines.line(build.contract(id).span.start),
            name: name.to_owned(),
            kind: HarnessKind::of(build, id),
            solc: format!("{}.{}.{}", solc.major, solc.minor, solc.patch),
            not_fuzzed: Some(why),
            cannot_be_fuzzed: false,
            world: Vec::new(),
            suite: None,
            executions: 0,
            trial_runs: 0,
            paths: 0,
            branches: Share::default(),
            instructions: Share::default(),
            targets: Vec::new(),
            lookahead: Duration::ZERO,
        }
    }

    /// A contract with a session, which was being fuzzed or waited for its turn when the run ended.
    pub(super) fn of_session(project: &str, progress: Progress, reaching: &TargetReport, waited: &str) -> Self {
        let Progress { harness, suite, executions, trial_runs, given_up, paths, branches, instructions, .. } = progress;
        let waiting = Self::not_fuzzed(project, &harness.build, harness.contract, waited.to_owned());
        let cannot_be_fuzzed = executions == 0 && given_up.is_some();
        let not_fuzzed = (executions == 0).then(|| given_up.unwrap_or_else(|| waited.to_owned()));
        let (targets, lookahead) = (targets(reaching), reaching.lookahead);
        Self {
            world: harness.members(),
            suite,
            not_fuzzed,
            cannot_be_fuzzed,
            executions,
            trial_runs,
            paths,
            branches,
            instructions,
            targets,
            lookahead,
            ..waiting
        }
    }
}

fn targets(reaching: &TargetReport) -> Vec<TargetResult> {
    let result = |(target, state): &(Target, TargetState)| TargetResult {
        file: reaching.harness.build.source(target.source).name.clone(),
        line: target.line,
        fails: target.fails,
        state: *state,
    };
    reaching.targets.iter().map(result).collect()
}
