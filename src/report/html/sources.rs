//! The sources on the page, with what was reached of each line, and the findings in their places.

use super::{
    super::{FileCoverage, Report, ReportedFinding, path::path},
    bar::bar,
    escape::escaped,
};
use crate::{finding::Finding, fuzz::BlockState};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    sync::Arc,
};

/// The most sources that are unfolded from the start, those with findings; chosen by hand.
const MAX_OPEN: usize = 3;

/// What is shown beside a line: a class, a sign, and the words for it.
type Mark = (&'static str, &'static str, &'static str);

const REACHED: Mark = ("hit", "+", "reached");
const PARTLY: Mark = ("half", "±", "reached, and a branch on it always went one way");
const OPEN: Mark = ("miss", "−", "not reached");
const UNREACHABLE: Mark = ("never", "∅", "cannot be reached: that is proved");
const NO_CODE: Mark = ("none", "", "");

/// Whether there are any.
pub(super) fn has_sources(report: &Report) -> bool {
    !report.coverage.is_empty()
}

/// The section.
pub(super) fn sources(page: &mut String, report: &Report) {
    if !has_sources(report) {
        return;
    }
    page.push_str("<section id=\"sources\">\n<h2>Sources</h2>\n<p class=\"legend\">");
    for (class, sign, words) in [REACHED, PARTLY, OPEN, UNREACHABLE] {
        let _ = write!(page, "<span><span class=\"sign {class}\">{sign}</span> {words}</span> ");
    }
    page.push_str("</p>\n");
    let sum = |counts: fn(&FileCoverage) -> (usize, usize)| {
        let all = report.coverage.iter().map(counts);
        let (reached, all) = all.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        bar(reached, all)
    };
    let _ = writeln!(
        page,
        "<p class=\"totals\"><span>Lines {}</span> <span>Branches {}</span> <span>Functions {}</span></p>",
        sum(FileCoverage::line_counts),
        sum(FileCoverage::branch_counts),
        sum(FileCoverage::function_counts)
    );
    let mut open = 0;
    for file in &report.coverage {
        let found = findings_in(report, file);
        let is_open = !found.is_empty() && open < MAX_OPEN;
        open += usize::from(is_open);
        source(page, file, &found, is_open);
    }
    page.push_str("</section>\n");
}

/// The findings in a file, by line.
fn findings_in<'a>(report: &'a Report, file: &FileCoverage) -> BTreeMap<u32, Vec<&'a Arc<Finding>>> {
    let mut found: BTreeMap<u32, Vec<&Arc<Finding>>> = BTreeMap::new();
    let told = report.findings.iter().chain(&report.ignored).filter(|reported| reported.project == file.project);
    for ReportedFinding { finding, copies, .. } in told {
        for it in std::iter::once(finding).chain(copies).filter(|it| it.file == file.file) {
            found.entry(it.lines.line).or_default().push(it);
        }
    }
    found
}

fn source(page: &mut String, file: &FileCoverage, found: &BTreeMap<u32, Vec<&Arc<Finding>>>, is_open: bool) {
    let (reached, all) = file.line_counts();
    let open = if is_open { " open" } else { "" };
    let _ = writeln!(
        page,
        "<details class=\"source\"{open}>\n<summary><b>{}</b> {}</summary>\n<div class=\"code\">",
        escaped(&path(&file.project, &file.file)),
        bar(reached, all)
    );
    let partly: BTreeSet<u32> = file
        .branches
        .iter()
        .filter(|branch| branch.went.was_true != branch.went.was_false)
        .map(|branch| branch.line)
        .collect();
    for (number, line) in (1..).zip(file.text.lines()) {
        let (class, sign, words) = match file.lines.get(&number) {
            Some(BlockState::Reached) if partly.contains(&number) => PARTLY,
            Some(BlockState::Reached) => REACHED,
            Some(BlockState::Open) => OPEN,
            Some(BlockState::Unreachable) => UNREACHABLE,
            None => NO_CODE,
        };
        let sign = if sign.is_empty() {
            "<span class=\"sign\"></span>".to_owned()
        } else {
            format!("<span class=\"sign\" title=\"{words}\">{sign}</span>")
        };
        let _ = writeln!(
            page,
            "<div class=\"l {class}\"><span class=\"n\">{number}</span>{sign}<code>{}</code></div>",
            escaped(line)
        );
        for finding in found.get(&number).into_iter().flatten() {
            let (id, level) = (&finding.id, finding.level.name());
            let _ = writeln!(page, "<a class=\"found {level}\" href=\"#f-{id}\">{}</a>", escaped(&finding.message));
        }
    }
    page.push_str("</div>\n</details>\n");
}
