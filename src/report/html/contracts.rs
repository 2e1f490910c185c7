//! The contracts on the page, those that were not fuzzed first with the reason, and everything else that is wrong.

use super::{
    super::{ContractResult, Problem, ProblemKind, Report, ReportedFinding, count::counted, path::path},
    bar::bar,
    escape::{escaped, with_code},
};
use crate::fuzz::TargetState;
use std::fmt::Write;

/// The section of the contracts.
pub(super) fn contracts(page: &mut String, report: &Report) {
    page.push_str("<section id=\"contracts\">\n<h2>Contracts</h2>\n");
    if report.contracts.is_empty() {
        page.push_str("<p>None.</p>\n");
    }
    let (fuzzed, not): (Vec<_>, Vec<_>) = report.contracts.iter().partition(|contract| contract.not_fuzzed.is_none());
    page.push_str("<ul class=\"contracts\">\n");
    for of in not.iter().chain(&fuzzed) {
        contract(page, report, of);
    }
    page.push_str("</ul>\n</section>\n");
}

fn contract(page: &mut String, report: &Report, contract: &ContractResult) {
    let found = report.findings_of(contract).count() as u64;
    let (class, mark) = match (&contract.not_fuzzed, report.findings_of(contract).any(ReportedFinding::counts)) {
        (_, true) => ("bad", "✗"),
        (Some(_), false) => ("unsure", "–"),
        (None, false) => ("good", "✓"),
    };
    let place = path(&contract.project, &contract.file);
    let _ = write!(
        page,
        "<li><span class=\"mark {class}\">{mark}</span><div><b>{}</b> <span class=\"place\">{}:{}</span>",
        escaped(&contract.name),
        escaped(&place),
        contract.line
    );
    match contract.told_not_fuzzed() {
        Some(reason) => {
            let _ = write!(page, "<p class=\"unsure\">Not fuzzed: {}</p>", with_code(&reason));
        }
        None => {
            let mut parts = vec![
                format!("{} of branches", bar(contract.branches.covered as usize, contract.branches.known as usize)),
                counted(contract.executions, "transaction"),
            ];
            parts.extend(
                contract
                    .suite
                    .as_ref()
                    .map(|suite| format!("also in the world that setUp() of {} makes", escaped(suite))),
            );
            if found > 0 {
                parts.push(counted(found, "finding"));
            }
            let _ = write!(page, "<p>{}</p>", parts.join(" · "));
        }
    }
    if report.targeted && contract.not_fuzzed.is_none() {
        targets(page, contract);
    }
    page.push_str("</div></li>\n");
}

/// The lines that were to be reached.
fn targets(page: &mut String, contract: &ContractResult) {
    page.push_str("<ul>");
    for target in &contract.targets {
        let state = match target.state {
            TargetState::Reached { executions, .. } => format!("reached after {}", counted(executions, "transaction")),
            TargetState::Unreachable => "cannot be reached".to_owned(),
            TargetState::Open => "not reached".to_owned(),
        };
        let what = if target.fails { "a failure on " } else { "" };
        let place = path(&contract.project, &target.file);
        let _ = write!(page, "<li>{what}{}:{}: {state}</li>", escaped(&place), target.line);
    }
    page.push_str("</ul>");
}

/// Whether there is anything else that is wrong, or to be said.
pub(super) fn has_problems(report: &Report) -> bool {
    !report.notes.is_empty() || report.errors.iter().any(|problem| problem.kind != ProblemKind::NotFuzzed)
}

/// The section of it.
pub(super) fn problems(page: &mut String, report: &Report) {
    if !has_problems(report) {
        return;
    }
    page.push_str("<section id=\"problems\">\n<h2>Problems and notes</h2>\n<ul class=\"problems\">\n");
    for said in report.errors.iter().filter(|problem| problem.kind != ProblemKind::NotFuzzed) {
        problem(page, said);
    }
    for note in &report.notes {
        let _ = writeln!(page, "<li><span class=\"level note\">note</span> {}</li>", with_code(note));
    }
    page.push_str("</ul>\n</section>\n");
}

fn problem(page: &mut String, problem: &Problem) {
    let (class, label) = match problem.kind {
        ProblemKind::Compiling | ProblemKind::NotFuzzed | ProblemKind::Ignore => ("error", "error"),
        ProblemKind::Internal => ("error", "internal error"),
        ProblemKind::Note => ("note", "note"),
    };
    let place = match (problem.file.is_empty(), problem.line) {
        (true, _) => String::new(),
        (false, 0) => path(&problem.project, &problem.file),
        (false, line) => format!("{}:{line}", path(&problem.project, &problem.file)),
    };
    let _ = writeln!(
        page,
        "<li><span class=\"level {class}\">{label}</span> <span class=\"place\">{}</span> {}</li>",
        escaped(&place),
        with_code(&problem.message)
    );
}
