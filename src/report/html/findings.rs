//! The findings on the page, each with its calls unfolded.

use super::{
    super::{Report, ReportedFinding, count::counted, path::path},
    escape::{escaped, with_code},
};
use crate::{
    finding::{Discovery, Finding, Step},
    oracle::OracleMeta,
};
use std::fmt::Write;

/// The most findings that are unfolded from the start; chosen by hand: with more, a list says more.
const MAX_OPEN: usize = 8;
/// Lines of the source before and after a finding's; chosen by hand.
const AROUND: u32 = 2;

/// The section.
pub(super) fn findings(page: &mut String, report: &Report) {
    page.push_str("<section id=\"findings\">\n<h2>Findings</h2>\n");
    if report.findings.is_empty() {
        page.push_str(match report.nothing_ran() {
            true => "<p>Nothing was fuzzed, so nothing could be found.</p>\n",
            false => "<p>None.</p>\n",
        });
    }
    let (new, known): (Vec<_>, Vec<_>) = report.findings.iter().partition(|reported| reported.known.is_none());
    for (index, reported) in new.iter().enumerate() {
        finding(page, reported, index < MAX_OPEN);
    }
    for (title, list) in [("Known", known), ("Ignored", report.ignored.iter().collect())] {
        if !list.is_empty() {
            let _ = writeln!(page, "<h3>{title}</h3>");
            list.into_iter().for_each(|reported| finding(page, reported, false));
        }
    }
    page.push_str("</section>\n");
}

fn finding(page: &mut String, reported: &ReportedFinding, is_open: bool) {
    let ReportedFinding { project, finding, copies, known } = reported;
    let place = format!("{}:{}", path(project, &finding.file), finding.lines.line);
    let open = if is_open { " open" } else { "" };
    let level = finding.level.name();
    let _ = writeln!(
        page,
        "<details class=\"finding {level}\" id=\"f-{}\"{open}>\n<summary><span class=\"level\">{level}</span> <b>{}</b> \
         <span class=\"place\">{}</span></summary>",
        finding.id,
        escaped(&finding.what),
        escaped(&place)
    );
    if let Some(known) = known {
        let _ = writeln!(page, "<p class=\"aside\">Not new: {}.</p>", known.words());
    }
    if let Some(ignored) = &finding.ignored {
        let _ = writeln!(page, "<p class=\"aside\">Ignored: {}</p>", escaped(&ignored.reason));
    }
    excerpt(page, finding);
    if let Some(compared) = finding.comparison.told() {
        let _ = writeln!(page, "<p class=\"compared\">{}</p>", with_code(&compared));
    }
    page.push_str("<ol class=\"story\">\n");
    finding.story.steps.iter().for_each(|of| step(page, of));
    let _ = writeln!(page, "</ol>\n<p>{}</p>", with_code(&finding.because));
    if !copies.is_empty() {
        page.push_str("<p>The same in</p>\n<ul>\n");
        for copy in copies {
            let place = format!("{}:{}", path(project, &copy.file), copy.lines.line);
            let _ = writeln!(page, "<li>{} ({})</li>", escaped(&place), escaped(&copy.contract));
        }
        page.push_str("</ul>\n");
    }
    if !finding.sequence.transactions.is_empty() {
        let trace = escaped(&finding.trace());
        let _ = writeln!(
            page,
            "<details class=\"inside\"><summary>What happens inside of each call</summary><pre>{trace}</pre></details>"
        );
    }
    let _ = writeln!(page, "<p class=\"facts\">{}</p>\n</details>", facts(finding));
}

/// Which oracle, when it was found, and its id.
fn facts(finding: &Finding) -> String {
    let Discovery { executions, elapsed, .. } = finding.discovery;
    let when = elapsed.map_or(" of an earlier run".to_owned(), |time| format!(", {:.3} s", time.as_secs_f64()));
    let oracle = finding.violation.oracle;
    let about = OracleMeta::of(oracle).map_or("", |oracle| oracle.description);
    format!(
        "<code>{oracle}</code>: {} Fuzzed contract: {}, found after {}{when}; id <code>{}</code>",
        with_code(about),
        escaped(&finding.contract),
        counted(executions, "transaction"),
        finding.id
    )
}

/// One call, with what it changed.
fn step(page: &mut String, step: &Step) {
    let class = match (step.failed, step.is_setup) {
        (true, _) => " class=\"failed\"",
        (false, true) => " class=\"setup\"",
        (false, false) => "",
    };
    let wait = if step.wait.is_empty() { String::new() } else { format!("<i>after {}</i>, ", escaped(&step.wait)) };
    let _ = write!(
        page,
        "<li{class}>{wait}<b>{}</b>: <code>{}</code> → {}",
        escaped(&step.sender),
        escaped(&step.call),
        escaped(&step.ending)
    );
    let changes: Vec<String> = step.told_changes().map(|change| format!("<li>{}</li>", escaped(&change))).collect();
    if !changes.is_empty() {
        let _ = write!(page, "<ul>{}</ul>", changes.concat());
    }
    page.push_str("</li>\n");
}

/// The lines of the source around the finding.
fn excerpt(page: &mut String, finding: &Finding) {
    let source = finding.harness.build.source(finding.violation.place.source);
    let (first, last) = (finding.lines.line, finding.lines.end_line.min(finding.lines.line + AROUND));
    page.push_str("<div class=\"code\">\n");
    for (number, line) in (1..).zip(source.text.lines()) {
        if (first.saturating_sub(AROUND)..=last + AROUND).contains(&number) {
            let class = if (first..=last).contains(&number) { "l here" } else { "l" };
            let _ = writeln!(
                page,
                "<div class=\"{class}\"><span class=\"n\">{number}</span><code>{}</code></div>",
                escaped(line)
            );
        }
    }
    page.push_str("</div>\n");
}
