//! How far a run is, while it runs: a live line on a terminal, or plain lines, on standard error. What it counts is what the result
//! counts.

use super::arguments::{Arguments, ProgressStyle};
use crate::output;
use bellwether::{
    compile::{CompileStage, Listener, Span},
    finding::Finding,
    fuzz::{Campaign, TargetState},
    report::{Report, counted, rate},
};
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

/// Shows progress on standard error.
pub(super) struct Progress {
    style: ProgressStyle,
    /// What a line that goes with time begins with: `vault: `, or nothing where there is one project only.
    label: String,
    shown: Option<Instant>,
    /// The places of findings that were told, each with its oracle: another contract may lead to the same one.
    told: BTreeSet<(PathBuf, Span, &'static str)>,
}

impl Progress {
    /// Of one project; `alone` if there is no other to be told from.
    pub(super) fn new(arguments: &Arguments, project: &str, alone: bool) -> Self {
        let label = if alone { String::new() } else { format!("{project}: ") };
        Self { style: arguments.progress(), label, shown: None, told: BTreeSet::new() }
    }

    /// Who hears what compiling the project is busy with.
    pub(super) fn compiling(&self) -> Listener {
        let (style, label) = (self.style, self.label.clone());
        Arc::new(move |stage: CompileStage| show(style, &format!("{label}{stage}")))
    }

    /// Tells a finding in one line, the first time that it comes. It may come again with fewer calls: the result has those.
    pub(super) fn found(&mut self, project: &str, finding: &Finding) {
        if self.style == ProgressStyle::None
            || finding.ignored.is_some()
            || !self.told.insert((finding.path.clone(), finding.span, finding.violation.oracle))
        {
            return;
        }
        let (level, oracle) = (finding.level.name(), finding.violation.oracle);
        let place = format!("{project}/{}:{}", finding.file, finding.lines.line);
        output::note(&format!("{level}[{oracle}] {place}: {}", finding.message));
    }

    /// Shows how far a campaign is, if it is time to. `before` is what earlier ones came to.
    pub(super) fn tick(&mut self, campaign: &Campaign, before: &Report, started: Instant) {
        let due = match self.style {
            ProgressStyle::None => return,
            ProgressStyle::Auto => Duration::from_millis(200),
            ProgressStyle::Plain => Duration::from_secs(1),
        };
        if self.shown.is_none_or(|shown| shown.elapsed() >= due) {
            self.shown = Some(Instant::now());
            let standing = standing(campaign, before, started.elapsed());
            show(self.style, &format!("{}{standing}", self.label));
        }
    }

    /// Leaves no live line behind.
    pub(super) fn end(&self) {
        output::rewrite("");
    }
}

fn show(style: ProgressStyle, line: &str) {
    match style {
        ProgressStyle::Auto => output::rewrite(line),
        ProgressStyle::Plain => output::note(line),
        ProgressStyle::None => {}
    }
}

/// How far a campaign is, what matters most first: a narrow terminal shows the beginning.
fn standing(campaign: &Campaign, before: &Report, elapsed: Duration) -> String {
    let contracts = campaign.progress();
    let all = contracts.len() as u64;
    let fuzzed = contracts.iter().filter(|contract| contract.given_up.is_none()).count() as u64;
    let executions: u64 = contracts.iter().map(|contract| contract.executions).sum();
    let (covered, known) = contracts.iter().fold((0, 0), |(covered, known), contract| {
        (covered + contract.branches.covered, known + contract.branches.known)
    });
    let found = campaign.findings().iter().filter(|finding| finding.ignored.is_none()).count() + before.findings.len();
    let which =
        if fuzzed == all { counted(all, "contract") } else { format!("{fuzzed} of {}", counted(all, "contract")) };
    let mut parts = vec![
        format!("fuzzing {which}"),
        format!("{} s", elapsed.as_secs()),
        counted(found as u64, "finding"),
        format!("{covered}/{known} branches"),
    ];
    if before.targeted {
        let targets = campaign.reaching().into_iter().flat_map(|reaching| reaching.targets);
        let left = targets.filter(|(_, state)| *state == TargetState::Open).count();
        parts.push(format!("{} left", counted(left as u64, "target")));
    }
    let per_second = (executions as f64 / elapsed.as_secs_f64().max(0.001)) as u64;
    parts.push(format!("{} ({})", counted(executions, "transaction"), rate(per_second)));
    parts.join(" · ")
}
