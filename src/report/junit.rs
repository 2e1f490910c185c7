//! The JUnit form of a report, as CI servers read it: a suite for each contract, in it a case that says whether it was fuzzed, and one
//! for each finding. A contract that was not fuzzed is skipped with the reason, a file that does not compile is an error, and a run in
//! which nothing was fuzzed has an error of its own: some readers take what is skipped for passed.

use super::{ContractResult, Problem, ProblemKind, Report, ReportedFinding, count::counted, markup, path::path};
use crate::finding::Finding;
use std::fmt::Write;

/// A suite of cases.
struct Suite {
    name: String,
    cases: Vec<Case>,
    /// Remarks.
    output: Vec<String>,
}

/// A case of a suite.
struct Case {
    name: String,
    /// The file and the line that it is about; none if there is no such file.
    place: Option<(String, u32)>,
    outcome: CaseOutcome,
}

/// How a case ended.
enum CaseOutcome {
    /// Well, with something to say or nothing.
    Passed(String),
    /// By a finding: the oracle, a line, and all of it.
    Failed(&'static str, String, String),
    /// By something that kept it from being run: the kind, and why.
    Error(&'static str, String),
    /// It does not count, for this reason.
    Skipped(String),
}

impl Report {
    /// The JUnit form.
    pub fn to_junit(&self) -> String {
        let suites = suites(self);
        let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        let cases = || suites.iter().flat_map(|suite| &suite.cases);
        let time = self.elapsed.as_secs_f64();
        let _ = writeln!(text, "<testsuites name=\"bellwether\" {} time=\"{time:.3}\">", counts(cases()));
        for suite in &suites {
            suite.write(&mut text);
        }
        text.push_str("</testsuites>\n");
        text
    }
}

fn suites(report: &Report) -> Vec<Suite> {
    let mut suites: Vec<Suite> = report.contracts.iter().map(|contract| of_contract(report, contract)).collect();
    for problem in report.errors.iter().filter(|problem| problem.kind == ProblemKind::Compiling) {
        suites.push(of_left_out(problem));
    }
    suites.extend(of_run(report));
    suites
}

/// The suite of a contract.
fn of_contract(report: &Report, contract: &ContractResult) -> Suite {
    let fuzzed = Case {
        name: "fuzzed".to_owned(),
        place: Some((path(&contract.project, &contract.file), contract.line)),
        outcome: match contract.told_not_fuzzed() {
            Some(reason) => CaseOutcome::Skipped(format!("not fuzzed: {reason}")),
            None => {
                let transactions = counted(contract.executions, "transaction");
                CaseOutcome::Passed(format!("{}, {transactions}", contract.told_branches()))
            }
        },
    };
    let of_project = report.findings.iter().chain(&report.ignored).filter(|it| it.project == contract.project);
    let found = of_project.flat_map(|reported| {
        // Each copy is a case of the contract that it was found in.
        let all = std::iter::once(&reported.finding).chain(&reported.copies);
        all.filter(|finding| contract.has(finding)).map(|finding| of_finding(reported, finding))
    });
    let cases = std::iter::once(fuzzed).chain(found).collect();
    Suite { name: contract.place(), cases, output: Vec::new() }
}

fn of_finding(reported: &ReportedFinding, finding: &Finding) -> Case {
    let place = path(&reported.project, &finding.file);
    let told = told(&place, finding);
    let outcome = match (&finding.ignored, reported.known) {
        (Some(ignored), _) => CaseOutcome::Skipped(format!("ignored: {}", ignored.reason)),
        (None, Some(known)) => CaseOutcome::Skipped(format!("known, {}: {}", known.words(), finding.message)),
        (None, None) if finding.is_serious() => {
            CaseOutcome::Failed(finding.violation.oracle, finding.message.clone(), told)
        }
        (None, None) => CaseOutcome::Passed(told),
    };
    let name = format!("{}: {} ({})", finding.violation.oracle, finding.what, finding.id);
    Case { name, place: Some((place, finding.lines.line)), outcome }
}

/// A finding with the calls that prove it.
fn told(place: &str, finding: &Finding) -> String {
    let compared = finding.comparison.told().map(|told| format!("{}\n", told.replace('`', ""))).unwrap_or_default();
    let lines = finding.lines;
    format!(
        "{}[{}]: {}\n{place}:{}:{}\n{compared}{}{}\n",
        finding.level.name(),
        finding.violation.oracle,
        finding.message,
        lines.line,
        lines.column,
        finding.story.to_text(),
        finding.because
    )
}

/// The suite of a file that is not part of the build.
fn of_left_out(problem: &Problem) -> Suite {
    let is_of_file = !problem.file.is_empty();
    let place = if is_of_file { path(&problem.project, &problem.file) } else { path(&problem.project, "") };
    let case = Case {
        name: "compiles".to_owned(),
        place: is_of_file.then(|| (place.clone(), problem.line)),
        outcome: CaseOutcome::Error("compiling", problem.message.clone()),
    };
    let name = if place.is_empty() { ".".to_owned() } else { place.trim_end_matches('/').to_owned() };
    Suite { name, cases: vec![case], output: Vec::new() }
}

/// The suite of what is about the whole run, if there is anything.
fn of_run(report: &Report) -> Option<Suite> {
    let mut cases = Vec::new();
    let mut error = |name: &str, kind, why: String| {
        cases.push(Case { name: name.to_owned(), place: None, outcome: CaseOutcome::Error(kind, why) });
    };
    for problem in report.errors.iter().filter(|problem| problem.kind == ProblemKind::Internal) {
        error("no internal error", "internal", problem.message.clone());
    }
    if report.nothing_ran() {
        error(
            "anything fuzzed",
            "nothing-fuzzed",
            "nothing was fuzzed: each contract's reason is beside it".to_owned(),
        );
    }
    if report.interrupted {
        error("not interrupted", "interrupted", "the run was interrupted before its end".to_owned());
    }
    let remarks = report.errors.iter().filter(|it| matches!(it.kind, ProblemKind::Ignore | ProblemKind::Note));
    let remarks = remarks.map(|it| format!("{}:{}: {}", path(&it.project, &it.file), it.line, it.message));
    let output: Vec<String> = remarks.chain(report.notes.iter().cloned()).collect();
    (!cases.is_empty() || !output.is_empty()).then(|| Suite { name: "bellwether".to_owned(), cases, output })
}

impl Suite {
    fn write(&self, text: &mut String) {
        let name = escaped(&self.name);
        let _ = writeln!(text, "  <testsuite name=\"{name}\" {}>", counts(self.cases.iter()));
        for case in &self.cases {
            case.write(text, &name);
        }
        if !self.output.is_empty() {
            let _ = writeln!(text, "    <system-out>{}</system-out>", escaped(&self.output.join("\n")));
        }
        text.push_str("  </testsuite>\n");
    }
}

impl Case {
    fn write(&self, text: &mut String, class: &str) {
        let place = self.place.as_ref().map(|(file, line)| {
            let line = if *line > 0 { format!(" line=\"{line}\"") } else { String::new() };
            format!(" file=\"{}\"{line}", attribute(file))
        });
        let place = place.unwrap_or_default();
        let _ = writeln!(text, "    <testcase name=\"{}\" classname=\"{class}\"{place}>", attribute(&self.name));
        let _ = match &self.outcome {
            CaseOutcome::Passed(said) => writeln!(text, "      <system-out>{}</system-out>", escaped(said)),
            CaseOutcome::Failed(oracle, message, said) => writeln!(
                text,
                "      <failure message=\"{}\" type=\"{oracle}\">{}</failure>",
                attribute(message),
                escaped(said)
            ),
            CaseOutcome::Error(kind, why) => {
                writeln!(text, "      <error message=\"{}\" type=\"{kind}\"/>", attribute(why))
            }
            CaseOutcome::Skipped(why) => writeln!(text, "      <skipped message=\"{}\"/>", attribute(why)),
        };
        text.push_str("    </testcase>\n");
    }
}

/// How many cases there are, and how they ended, as attributes.
fn counts<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    let (mut tests, mut failures, mut errors, mut skipped) = (0, 0, 0, 0);
    for case in cases {
        tests += 1;
        match case.outcome {
            CaseOutcome::Passed(_) => {}
            CaseOutcome::Failed(..) => failures += 1,
            CaseOutcome::Error(..) => errors += 1,
            CaseOutcome::Skipped(_) => skipped += 1,
        }
    }
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

/// The text of an attribute: lines are kept, which a reader of XML would otherwise join.
fn attribute(text: &str) -> String {
    escaped(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text as XML holds it. Characters that XML cannot hold at all are replaced.
fn escaped(text: &str) -> String {
    markup::escaped(text, |letter, escaped| match letter {
        '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
        _ => escaped.push(letter),
    })
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};
    use expect_test::expect;

    #[test]
    fn what_was_not_fuzzed_is_skipped_and_what_does_not_compile_is_an_error() {
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="bellwether" tests="5" failures="0" errors="3" skipped="1" time="0.500">
              <testsuite name="vault/src/Token.sol:Token" tests="1" failures="0" errors="0" skipped="1">
                <testcase name="fuzzed" classname="vault/src/Token.sol:Token" file="vault/src/Token.sol" line="1">
                  <skipped message="not fuzzed: its constructor refuses. To have it fuzzed, add a test contract whose `setUp()` deploys it, or say in `[world]` of bellwether.toml what it is given; `--exclude` leaves its file out."/>
                </testcase>
              </testsuite>
              <testsuite name="vault/src/Vault.sol:Vault" tests="1" failures="0" errors="0" skipped="0">
                <testcase name="fuzzed" classname="vault/src/Vault.sol:Vault" file="vault/src/Vault.sol" line="3">
                  <system-out>75 % of branches, 1,200 transactions</system-out>
                </testcase>
              </testsuite>
              <testsuite name="vault/src/Broken.sol" tests="1" failures="0" errors="1" skipped="0">
                <testcase name="compiles" classname="vault/src/Broken.sol" file="vault/src/Broken.sol" line="3">
                  <error message="expected `;`" type="compiling"/>
                </testcase>
              </testsuite>
              <testsuite name="bellwether" tests="2" failures="0" errors="2" skipped="0">
                <testcase name="no internal error" classname="bellwether">
                  <error message="internal error while fuzzing Vault" type="internal"/>
                </testcase>
                <testcase name="not interrupted" classname="bellwether">
                  <error message="the run was interrupted before its end" type="interrupted"/>
                </testcase>
                <system-out>vault: 2 contracts</system-out>
              </testsuite>
            </testsuites>
        "#]]
        .assert_eq(&sample::report().to_junit());
    }

    #[test]
    fn any_text_is_xml() {
        assert_eq!(attribute("a<b> & \"c\"\n\u{1b}[0m\u{0}"), "a&lt;b&gt; &amp; &quot;c&quot;&#10;\u{fffd}[0m\u{fffd}");
    }
}
