//! The text form of a report, for people.

use super::{
    ContractResult, Problem, ProblemKind, Report, ReportedFinding,
    count::{counted, rate},
};
use crate::{finding::Discovery, fuzz::TargetState, project::Level};
use std::fmt::Write;

/// Whether the text has colours, as escape sequences of a terminal.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    const RED: &'static str = "31";
    const GREEN: &'static str = "32";
    const YELLOW: &'static str = "33";
    const BOLD: &'static str = "1";
    const DIM: &'static str = "2";
    const ERROR: &'static str = "1;31";
    const WARNING: &'static str = "1;33";
    const NOTE: &'static str = "1;36";

    fn on(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

impl Report {
    /// The text form, with colours or without: the findings, a line for each contract, the problems, and the totals.
    pub fn to_text(&self, color: bool) -> String {
        let paint = Paint(color);
        let mut text = String::new();
        for found in self.findings.iter().filter(|found| found.known.is_none()) {
            finding(&mut text, paint, found);
        }
        aside(&mut text, paint, self);
        let (fuzzed, not): (Vec<_>, Vec<_>) = self.contracts.iter().partition(|contract| contract.not_fuzzed.is_none());
        for of in fuzzed.iter().chain(&not) {
            contract(&mut text, paint, self, of);
        }
        for said in self.errors.iter().filter(|problem| problem.kind != ProblemKind::NotFuzzed) {
            problem(&mut text, paint, said);
        }
        for note in &self.notes {
            let _ = writeln!(text, "{}: {note}", paint.on(Paint::NOTE, "note"));
        }
        text.push('\n');
        if !not.is_empty() {
            let _ = writeln!(text, "{}", paint.on(Paint::YELLOW, &not_fuzzed(not.len(), self.contracts.len())));
        }
        let _ = writeln!(text, "{}", sum(self));
        text
    }
}

/// What is known or ignored, in a line each.
fn aside(text: &mut String, paint: Paint, report: &Report) {
    let known = report.findings.iter().filter_map(|reported| {
        let message = format!("{} ({})", reported.finding.message, reported.known?.words());
        Some(("known", reported, message))
    });
    let ignored = report.ignored.iter().filter_map(|reported| {
        let reason = reported.finding.ignored.as_ref()?.reason.clone();
        Some(("ignored", reported, reason))
    });
    let lines: Vec<_> = known.chain(ignored).collect();
    for (what, ReportedFinding { project, finding, .. }, said) in &lines {
        let head = paint.on(Paint::DIM, &format!("{what}[{}]", finding.violation.oracle));
        let _ = writeln!(text, "{head}: {project}/{}:{}: {said}", finding.file, finding.lines.line);
    }
    if !lines.is_empty() {
        text.push('\n');
    }
}

/// A finding with the calls that prove it.
fn finding(text: &mut String, paint: Paint, ReportedFinding { project, finding, copies, .. }: &ReportedFinding) {
    let code = match finding.level {
        Level::Error => Paint::ERROR,
        Level::Warning => Paint::WARNING,
        _ => Paint::NOTE,
    };
    let head = format!("{}[{}]", finding.level.name(), finding.violation.oracle);
    let _ = writeln!(text, "{}: {}", paint.on(code, &head), paint.on(Paint::BOLD, &finding.message));
    let _ = writeln!(text, "  --> {project}/{}:{}:{}", finding.file, finding.lines.line, finding.lines.column);
    for copy in copies {
        let _ = writeln!(text, "  and {project}/{}:{}:{}", copy.file, copy.lines.line, copy.lines.column);
    }
    let source = finding.harness.build.source(finding.violation.place.source);
    let line = source.text.lines().nth(finding.lines.line as usize - 1).unwrap_or("").trim_end();
    let _ = writeln!(text, "   | {line}");
    if let Some(compared) = finding.comparison.told() {
        let _ = writeln!(text, "   = {}", compared.replace('`', ""));
    }
    text.push_str(&finding.story.to_text());
    let _ = writeln!(text, "  {}", finding.because);
    let Discovery { executions, elapsed, .. } = finding.discovery;
    let when = elapsed.map_or(" of an earlier run".to_owned(), |time| format!(", {:.3} s", time.as_secs_f64()));
    let found = format!("found after {}{when}; id {}", counted(executions, "transaction"), finding.id);
    let _ = writeln!(text, "  {}\n", paint.on(Paint::DIM, &found));
}

/// The line of a contract; only a fuzzed contract has a check mark.
fn contract(text: &mut String, paint: Paint, report: &Report, contract: &ContractResult) {
    let found = report.findings_of(contract).count();
    let mark = match (&contract.not_fuzzed, report.findings_of(contract).any(ReportedFinding::counts)) {
        (_, true) => paint.on(Paint::RED, "✗"),
        (Some(_), false) => paint.on(Paint::YELLOW, "–"),
        (None, false) => paint.on(Paint::GREEN, "✓"),
    };
    let mut parts = vec![format!("{mark} {}/{}:{}", contract.project, contract.file, contract.name)];
    match &contract.not_fuzzed {
        Some(reason) => parts.push(format!("not fuzzed: {reason}")),
        None => {
            parts.push(contract.told_branches());
            parts.push(counted(contract.executions, "transaction"));
            parts.extend(
                contract.suite.as_ref().map(|suite| format!("also in the world that setUp() of {suite} makes")),
            );
        }
    }
    if found > 0 {
        parts.push(counted(found as u64, "finding"));
    }
    let _ = writeln!(text, "{}", parts.join(" · "));
    if report.targeted && contract.not_fuzzed.is_none() {
        let _ = writeln!(text, "  {}", targets(contract));
    }
}

/// A problem with its file.
fn problem(text: &mut String, paint: Paint, problem: &Problem) {
    let (code, label) = match problem.kind {
        ProblemKind::Compiling | ProblemKind::NotFuzzed | ProblemKind::Ignore => (Paint::ERROR, "error"),
        ProblemKind::Internal => (Paint::ERROR, "internal error"),
        ProblemKind::Note => (Paint::NOTE, "note"),
    };
    let place = match (problem.file.is_empty(), problem.line) {
        (true, _) => String::new(),
        (false, 0) => format!("{}/{}: ", problem.project, problem.file),
        (false, line) => format!("{}/{}:{line}: ", problem.project, problem.file),
    };
    let _ = writeln!(text, "{}: {place}{}", paint.on(code, label), problem.message);
}

/// The number of contracts that were not fuzzed, out of all.
fn not_fuzzed(count: usize, all: usize) -> String {
    let contracts = counted(all as u64, "contract");
    match (count, all) {
        (1, 1) => "the only contract was not fuzzed".to_owned(),
        _ if count == all => format!("none of {contracts} was fuzzed"),
        (1, _) => format!("1 of {contracts} was not fuzzed"),
        _ => format!("{count} of {contracts} were not fuzzed"),
    }
}

/// The totals, in one line.
fn sum(report: &Report) -> String {
    let known = report.findings.iter().filter(|reported| reported.known.is_some()).count();
    let mut parts = vec![counted((report.findings.len() - known) as u64, "finding")];
    for (count, what) in [(known, "known"), (report.ignored.len(), "ignored")] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    parts.extend([
        format!(
            "{} in {:.1} s ({})",
            counted(report.executions(), "transaction"),
            report.elapsed.as_secs_f64(),
            rate(report.rate())
        ),
        counted(report.workers as u64, "worker"),
        format!("seed {}", report.seed),
    ]);
    if report.interrupted {
        parts.push("interrupted".to_owned());
    }
    parts.join(" · ")
}

/// The number of a contract's targets with each outcome, in one line.
fn targets(contract: &ContractResult) -> String {
    let count = |is: fn(&TargetState) -> bool| contract.targets.iter().filter(|target| is(&target.state)).count();
    format!(
        "targets: {} reached, {} unreachable, {} open",
        count(|state| matches!(state, TargetState::Reached { .. })),
        count(|state| *state == TargetState::Unreachable),
        count(|state| *state == TargetState::Open)
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample;

    #[test]
    fn people_read_what_was_fuzzed_what_was_not_and_the_sum() {
        assert_eq!(
            sample::report().to_text(false),
            "\
✓ vault/src/Vault.sol:Vault · 75 % of branches · 1,200 transactions
  targets: 1 reached, 1 unreachable, 1 open
– vault/src/Token.sol:Token · not fuzzed: its constructor refuses
error: vault/src/Broken.sol:3: expected `;`
internal error: internal error while fuzzing Vault
note: vault: 2 contracts

1 of 2 contracts was not fuzzed
0 findings · 1,200 transactions in 0.5 s (2 k/s) · 1 worker · seed 7 · interrupted
"
        );
    }

    #[test]
    fn colours_are_escape_sequences_and_change_no_letter() {
        let (plain, mut colored) = (sample::report().to_text(false), sample::report().to_text(true));
        assert!(colored.starts_with("\x1b[32m✓\x1b[0m vault/src/Vault.sol:Vault"), "{colored:?}");
        for code in ["31", "32", "33", "1;31", "1;36", "0"] {
            colored = colored.replace(&format!("\x1b[{code}m"), "");
        }
        assert_eq!(colored, plain);
    }

    #[test]
    fn how_many_were_not_fuzzed_is_said_in_words() {
        for (count, all, said) in [
            (1, 1, "the only contract was not fuzzed"),
            (3, 3, "none of 3 contracts was fuzzed"),
            (1, 3, "1 of 3 contracts was not fuzzed"),
            (2, 3, "2 of 3 contracts were not fuzzed"),
        ] {
            assert_eq!(super::not_fuzzed(count, all), said);
        }
    }
}
