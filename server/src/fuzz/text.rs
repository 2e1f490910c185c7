//! The result of a run as text.

use super::outcome::{Contract, Kind, Outcome};
use crate::output::{counted, rate};
use bellwether::{
    finding::{Discovery, Finding},
    fuzz::TargetState,
    project::Level,
};
use std::fmt::Write;

/// Writes text with colours, or without.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    const RED: &'static str = "31";
    const GREEN: &'static str = "32";
    const YELLOW: &'static str = "33";
    const BOLD: &'static str = "1";
    const DIM: &'static str = "2";

    fn on(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Everything that was found, then a line for each contract, then what did not compile, then the sum.
pub(super) fn render(outcome: &Outcome, color: bool) -> String {
    let paint = Paint(color);
    let mut text = String::new();
    for (project, found) in &outcome.findings {
        finding(&mut text, paint, project, found);
    }
    let (fuzzed, not): (Vec<&Contract>, Vec<&Contract>) =
        outcome.contracts.iter().partition(|contract| contract.not_fuzzed.is_none());
    for of in fuzzed.iter().chain(&not) {
        contract(&mut text, paint, outcome, of);
    }
    for problem in outcome.errors.iter().filter(|problem| problem.kind != Kind::NotFuzzed) {
        let (code, label) = match problem.kind {
            Kind::Compiling | Kind::NotFuzzed => ("1;31", "error"),
            Kind::Internal => ("1;31", "internal error"),
            Kind::Note => ("1;36", "note"),
        };
        let place = match (problem.file.is_empty(), problem.line) {
            (true, _) => String::new(),
            (false, 0) => format!("{}/{}: ", problem.project, problem.file),
            (false, line) => format!("{}/{}:{line}: ", problem.project, problem.file),
        };
        let _ = writeln!(text, "{}: {place}{}", paint.on(code, label), problem.message);
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "{}: {note}", paint.on("1;36", "note"));
    }
    text.push('\n');
    if !not.is_empty() {
        let (count, all) = (not.len(), counted(outcome.contracts.len() as u64, "contract"));
        let said = match (count, outcome.contracts.len()) {
            (1, 1) => "the only contract was not fuzzed".to_owned(),
            (_, all) if count == all => format!("none of {} was fuzzed", counted(all as u64, "contract")),
            (1, _) => format!("1 of {all} was not fuzzed"),
            _ => format!("{count} of {all} were not fuzzed"),
        };
        let _ = writeln!(text, "{}", paint.on(Paint::YELLOW, &said));
    }
    let _ = writeln!(text, "{}", sum(outcome));
    text
}

/// A finding with the calls that prove it.
fn finding(text: &mut String, paint: Paint, project: &str, finding: &Finding) {
    let code = match finding.level {
        Level::Error => "1;31",
        Level::Warning => "1;33",
        _ => "1;36",
    };
    let head = format!("{}[{}]", finding.level.name(), finding.violation.oracle);
    let _ = writeln!(text, "{}: {}", paint.on(code, &head), paint.on(Paint::BOLD, &finding.message));
    let _ = writeln!(text, "  --> {project}/{}:{}:{}", finding.file, finding.lines.line, finding.lines.column);
    let source = finding.subject.build.source(finding.violation.place.source);
    let line = source.text.lines().nth(finding.lines.line as usize - 1).unwrap_or("").trim_end();
    let _ = writeln!(text, "   | {line}");
    text.push_str(&finding.story.to_text());
    let Discovery { executions, elapsed, .. } = finding.discovery;
    let when = elapsed.map_or(" of an earlier run".to_owned(), |time| format!(", {:.3} s", time.as_secs_f64()));
    let found = format!("found after {}{when}; id {}", counted(executions, "transaction"), finding.id);
    let _ = writeln!(text, "  {}\n", paint.on(Paint::DIM, &found));
}

/// The line of a contract: a check mark is only for what was fuzzed.
fn contract(text: &mut String, paint: Paint, outcome: &Outcome, contract: &Contract) {
    let found = outcome.findings_of(contract);
    let mark = match (&contract.not_fuzzed, found) {
        (_, 1..) => paint.on(Paint::RED, "✗"),
        (Some(_), 0) => paint.on(Paint::YELLOW, "–"),
        (None, 0) => paint.on(Paint::GREEN, "✓"),
    };
    let mut parts = vec![format!("{mark} {}/{}:{}", contract.project, contract.file, contract.name)];
    match &contract.not_fuzzed {
        Some(reason) => parts.push(format!("not fuzzed: {reason}")),
        None => {
            let share = (contract.branches.covered * 100).checked_div(contract.branches.known);
            parts.push(share.map_or_else(|| "no branches".to_owned(), |percent| format!("{percent} % of branches")));
            parts.push(counted(contract.executions, "transaction"));
        }
    }
    if found > 0 {
        parts.push(counted(found as u64, "finding"));
    }
    let _ = writeln!(text, "{}", parts.join(" · "));
    if outcome.targeted && contract.not_fuzzed.is_none() {
        let _ = writeln!(text, "  {}", targets(contract));
    }
}

/// What all of it came to, in a line.
fn sum(outcome: &Outcome) -> String {
    let mut parts = vec![
        counted(outcome.findings.len() as u64, "finding"),
        format!(
            "{} in {:.1} s ({})",
            counted(outcome.executions(), "transaction"),
            outcome.elapsed.as_secs_f64(),
            rate(outcome.rate())
        ),
        counted(outcome.workers as u64, "worker"),
        format!("seed {}", outcome.seed),
    ];
    if outcome.interrupted {
        parts.push("interrupted".to_owned());
    }
    parts.join(" · ")
}

/// How the targets of a contract stand, in a line.
fn targets(contract: &Contract) -> String {
    let count = |is: fn(&TargetState) -> bool| contract.targets.iter().filter(|(state, _)| is(state)).count();
    format!(
        "targets: {} reached, {} unreachable, {} open",
        count(|state| matches!(state, TargetState::Reached { .. })),
        count(|state| *state == TargetState::Unreachable),
        count(|state| *state == TargetState::Open)
    )
}
