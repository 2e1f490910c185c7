//! The HTML form of a report: one page by itself, for a browser without a network. Nothing on it is a program, and the page says so to
//! the browser, so that a hostile source cannot be one either; all text of others is escaped (`escape.rs`).

mod bar;
mod contracts;
mod escape;
mod findings;
mod sources;

use super::{
    Report, ReportedFinding,
    count::{counted, rate},
};
use contracts::{contracts, problems};
use escape::escaped;
use findings::findings;
use sources::sources;
use std::fmt::Write;

/// The style of the page, for light and dark, phones and desks.
const STYLE: &str = include_str!("html/style.css");

/// What the page lets the browser load and run: its own style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// How a run ended, by how good that is.
enum Verdict {
    Good,
    Unsure,
    Bad,
}

impl Report {
    /// The HTML form.
    pub fn to_html(&self) -> String {
        let (verdict, said) = verdict(self);
        let class = match verdict {
            Verdict::Good => "good",
            Verdict::Unsure => "unsure",
            Verdict::Bad => "bad",
        };
        let said = escaped(&said);
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <title>Bellwether: {said}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <header>\n<p class=\"name\">Bellwether</p>\n<h1 class=\"{class}\">{said}</h1>\n"
        );
        facts(&mut page, self);
        page.push_str("</header>\n<main>\n");
        findings(&mut page, self);
        contracts(&mut page, self);
        problems(&mut page, self);
        sources(&mut page, self);
        page.push_str("</main>\n</body>\n</html>\n");
        page
    }
}

/// How it ended, in a few words. Only a run in which all was fuzzed that should have been, and nothing was found, is good.
fn verdict(report: &Report) -> (Verdict, String) {
    let new = report.findings.iter().filter(|reported| reported.known.is_none()).count() as u64;
    let not_fuzzed = report.contracts.iter().filter(|contract| contract.not_fuzzed.is_some()).count() as u64;
    let not_compiled = report.errors.iter().any(|problem| problem.kind == super::ProblemKind::Compiling);
    if report.nothing_ran() {
        return (Verdict::Bad, "Nothing was fuzzed".to_owned());
    }
    let mut said = match new {
        0 if report.only_new => "No new finding".to_owned(),
        0 => "No finding".to_owned(),
        new => counted(new, if report.only_new { "new finding" } else { "finding" }),
    };
    if not_fuzzed > 0 {
        let _ = write!(said, ", {} not fuzzed", counted(not_fuzzed, "contract"));
    }
    for (is_so, words) in [
        (not_compiled, ", not everything compiles"),
        (report.has_internal_errors(), ", an internal error"),
        (report.interrupted, ", interrupted"),
    ] {
        said.push_str(if is_so { words } else { "" });
    }
    let is_whole = not_fuzzed == 0 && !not_compiled && !report.has_internal_errors() && !report.interrupted;
    let verdict = match (report.findings.iter().any(ReportedFinding::counts), is_whole && new == 0) {
        (true, _) => Verdict::Bad,
        (false, true) => Verdict::Good,
        (false, false) => Verdict::Unsure,
    };
    (verdict, said)
}

/// The numbers of the run, and where on the page to go.
fn facts(page: &mut String, report: &Report) {
    let facts = [
        counted(report.executions(), "transaction"),
        format!("{:.1} s ({})", report.elapsed.as_secs_f64(), rate(report.rate())),
        counted(report.workers as u64, "worker"),
        format!("seed {}", report.seed),
        format!("version {}", report.version),
    ];
    let _ = writeln!(page, "<p class=\"facts\">{}</p>\n<nav>", facts.join(" · "));
    for (id, title, is_there) in [
        ("findings", "Findings", true),
        ("contracts", "Contracts", true),
        ("problems", "Problems and notes", contracts::has_problems(report)),
        ("sources", "Sources", sources::has_sources(report)),
    ] {
        if is_there {
            let _ = writeln!(page, "<a href=\"#{id}\">{title}</a>");
        }
    }
    page.push_str("</nav>\n");
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    #[test]
    fn only_a_run_in_which_all_was_fuzzed_and_nothing_found_is_good() {
        let mut report = sample::report();
        let said = |report: &Report| {
            let (verdict, said) = verdict(report);
            (matches!(verdict, Verdict::Good), said)
        };
        assert_eq!(
            said(&report),
            (
                false,
                "No finding, 1 contract not fuzzed, not everything compiles, an internal error, interrupted".to_owned()
            )
        );
        report.contracts.pop();
        assert_eq!(said(&report), (false, "Nothing was fuzzed".to_owned()));
        let fuzzed = sample::report().contracts.pop().unwrap();
        let report = Report { contracts: vec![fuzzed], ..Report::new(1, 1) };
        assert_eq!(said(&report), (true, "No finding".to_owned()));
    }

    #[test]
    fn the_page_loads_nothing_and_runs_nothing() {
        let page = sample::report().to_html();
        for part in ["<script", "http://", "https://", "<link", "<img", "@import", "url("] {
            assert!(!page.contains(part), "{part}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}
