//! The result of a run as text.

use super::outcome::{Fuzzed, Outcome};
use bellwether::{fuzz::TargetState, project::Level};
use std::fmt::Write;

/// Everything that was found, then one line for each contract, then what could not be fuzzed.
pub(super) fn render(outcome: &Outcome, color: bool) -> String {
    let paint = |code: &str, text: &str| if color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() };
    let mut text = String::new();
    for (project, finding) in &outcome.findings {
        let code = match finding.level {
            Level::Error => "1;31",
            Level::Warning => "1;33",
            _ => "1;36",
        };
        let head = format!("{}[{}]", finding.level.name(), finding.violation.oracle);
        let _ = writeln!(text, "{}: {}", paint(code, &head), paint("1", &finding.message));
        let _ = writeln!(text, "  --> {project}/{}:{}:{}", finding.file, finding.lines.line, finding.lines.column);
        let source = finding.subject.build.source(finding.violation.source);
        let line = source.text.lines().nth(finding.lines.line as usize - 1).unwrap_or("").trim_end();
        let _ = writeln!(text, "   | {line}");
        text.push_str(&finding.story.to_text());
        let seconds = finding.discovery.elapsed.as_secs_f64();
        let found =
            format!("found after {} transactions, {seconds:.3} s; id {}", finding.discovery.executions, finding.id);
        let _ = writeln!(text, "  {}\n", paint("2", &found));
    }
    for contract in &outcome.contracts {
        let progress = &contract.progress;
        let compiled = progress.subject.compiled();
        let mine = |finding: &bellwether::finding::Finding| {
            finding.contract == compiled.name && finding.subject.build.root == progress.subject.build.root
        };
        let found = outcome.findings.iter().filter(|(_, finding)| mine(finding)).count();
        let mark = if found == 0 { paint("32", "✓") } else { paint("31", "✗") };
        let share = (progress.branches.covered * 100)
            .checked_div(progress.branches.known)
            .map_or_else(|| "no branches".to_owned(), |percent| format!("{percent} % of branches"));
        let findings = match found {
            0 => String::new(),
            1 => ", 1 finding".to_owned(),
            many => format!(", {many} findings"),
        };
        let file = &progress.subject.build.source(compiled.source).name;
        let _ = writeln!(
            text,
            "{mark} {}/{file}:{} · {share} · {} transactions{findings}",
            contract.project, compiled.name, progress.executions
        );
        if outcome.targeted {
            let _ = writeln!(text, "  {}", targets(contract));
        }
    }
    for error in &outcome.errors {
        let place = if error.file.is_empty() {
            String::new()
        } else {
            format!("{}/{}:{}: ", error.project, error.file, error.line)
        };
        let _ = writeln!(text, "{}: {place}{}", paint("1;31", "could not be fuzzed"), error.message);
    }
    let _ = writeln!(
        text,
        "{} transactions in {:.1} s ({} k/s), {}, seed {}{}",
        outcome.executions(),
        outcome.elapsed.as_secs_f64(),
        outcome.rate() / 1000,
        if outcome.workers == 1 { "1 worker".to_owned() } else { format!("{} workers", outcome.workers) },
        outcome.seed,
        if outcome.interrupted { ", interrupted" } else { "" },
    );
    text
}

/// How the targets of a contract stand, in a line.
fn targets(contract: &Fuzzed) -> String {
    let count = |is: fn(&TargetState) -> bool| contract.reaching.targets.iter().filter(|(_, state)| is(state)).count();
    format!(
        "targets: {} reached, {} unreachable, {} open",
        count(|state| matches!(state, TargetState::Reached { .. })),
        count(|state| *state == TargetState::Unreachable),
        count(|state| *state == TargetState::Open)
    )
}
