//! How far a run is, while it runs.

use super::arguments::{Arguments, ProgressStyle};
use crate::output;
use bellwether::{finding::Finding, fuzz::Campaign};
use std::time::{Duration, Instant};

/// Shows progress on standard error.
pub(super) struct Progress {
    style: ProgressStyle,
    shown: Option<Instant>,
    found: usize,
}

impl Progress {
    pub(super) fn new(arguments: &Arguments) -> Self {
        Self { style: arguments.progress(), shown: None, found: 0 }
    }

    /// Something other than fuzzing goes on.
    pub(super) fn phase(&self, what: &str) {
        match self.style {
            ProgressStyle::Auto => output::rewrite(what),
            ProgressStyle::Plain => output::note(what),
            ProgressStyle::None => {}
        }
    }

    pub(super) fn found(&mut self, finding: &Finding) {
        self.found += 1;
        if self.style == ProgressStyle::Plain {
            output::note(&format!("found: {}:{}: {}", finding.file, finding.lines.line, finding.message));
        }
    }

    pub(super) fn tick(&mut self, project: &str, campaign: &Campaign, started: Instant) {
        let due = match self.style {
            ProgressStyle::None => return,
            ProgressStyle::Auto => Duration::from_millis(200),
            ProgressStyle::Plain => Duration::from_secs(1),
        };
        if self.shown.is_some_and(|shown| shown.elapsed() < due) {
            return;
        }
        self.shown = Some(Instant::now());
        let contracts = campaign.progress();
        let executions: u64 = contracts.iter().map(|contract| contract.executions).sum();
        let (covered, known) = contracts.iter().fold((0, 0), |(covered, known), contract| {
            (covered + contract.branches.covered, known + contract.branches.known)
        });
        let elapsed = started.elapsed().as_secs_f64();
        let rate = executions as f64 / elapsed.max(0.001);
        let text = format!(
            "{project}: {} contracts, {executions} transactions ({:.0} k/s), branches {covered}/{known}, findings {}, {elapsed:.1} s",
            contracts.len(),
            rate / 1000.0,
            self.found,
        );
        match self.style {
            ProgressStyle::Auto => output::rewrite(&text),
            _ => output::note(&text),
        }
    }

    pub(super) fn end(&self) {
        if self.style == ProgressStyle::Auto {
            output::rewrite("");
        }
    }
}
