//! A finding as a result of SARIF.

use super::{
    super::{Report, ReportedFinding},
    location::{of_finding, of_line, of_range},
    rule::level_of,
};
use crate::{
    compile::SourceRange,
    finding::{Finding, IgnoredBy, Step},
    oracle::OracleMeta,
    project::CONFIG_FILE,
};
use serde_json::{Value, json};

/// The key of a finding's id among the fingerprints. The number is to be changed if ids are ever made otherwise.
const FINGERPRINT: &str = "bellwetherFinding/v1";

/// The results of a report: its findings, and as suppressed ones those that are ignored.
pub(super) fn results(report: &Report) -> Vec<Value> {
    report.findings.iter().chain(&report.ignored).map(|reported| result(report, reported)).collect()
}

fn result(report: &Report, reported: &ReportedFinding) -> Value {
    let ReportedFinding { project, finding, known, .. } = reported;
    let oracle = finding.violation.oracle;
    let mut result = json!({
        "ruleId": oracle,
        "ruleIndex": OracleMeta::ids().position(|id| id == oracle),
        "level": level_of(finding.level),
        "message": { "text": message(finding), "markdown": markdown(finding) },
        "locations": [of_finding(project, finding)],
        "partialFingerprints": { FINGERPRINT: finding.id },
        "codeFlows": [code_flow(project, finding)],
        "properties": {
            "contract": finding.contract,
            "executions": finding.discovery.executions,
        },
    });
    let related = related(reported);
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    if report.only_new {
        result["baselineState"] = json!(if known.is_some() { "unchanged" } else { "new" });
    }
    if let Some(suppression) = suppression(project, finding) {
        result["suppressions"] = json!([suppression]);
    }
    result
}

/// What is wrong, with the calls, the values that were compared, and why it is a defect.
fn message(finding: &Finding) -> String {
    let compared = finding.comparison.told().map(|told| format!("{}. ", told.replace('`', ""))).unwrap_or_default();
    format!("{}. {compared}{}", finding.message, finding.because)
}

/// The same with each call and what it changed.
fn markdown(finding: &Finding) -> String {
    let compared = finding.comparison.told().map(|told| format!("{told}.\n\n")).unwrap_or_default();
    format!("{}\n\n{compared}{}\n{}", finding.what, finding.story.to_markdown(), finding.because)
}

/// The calls in their order, each at the function that it calls, and the place that fails.
fn code_flow(project: &str, finding: &Finding) -> Value {
    let contract = finding.harness.compiled();
    let outer = (contract.source, contract.span);
    let steps = finding.story.steps.iter().enumerate();
    let mut locations: Vec<Value> =
        steps.map(|(index, step)| flow_location(project, finding, index, step, outer)).collect();
    let mut place = of_finding(project, finding);
    place["message"] = json!({ "text": finding.what });
    locations.push(json!({ "location": place, "executionOrder": locations.len() + 1, "importance": "essential" }));
    json!({
        "message": { "text": "The calls that show it, from a clean world." },
        "threadFlows": [{ "locations": locations }],
    })
}

fn flow_location(project: &str, finding: &Finding, index: usize, step: &Step, outer: SourceRange) -> Value {
    let wait = if step.wait.is_empty() { String::new() } else { format!("after {}, ", step.wait) };
    let told = format!("{}. {wait}{}: {} \u{2192} {}", index + 1, step.sender, step.call, step.ending);
    let mut location = json!({
        "location": of_range(project, finding, step.definition.unwrap_or(outer), &told),
        "executionOrder": index + 1,
        "importance": if step.is_setup { "unimportant" } else { "important" },
    });
    if !step.changes.is_empty() && !step.failed {
        let state = step.changes.iter().map(|change| (change.name.clone(), json!({ "text": change.after })));
        location["state"] = Value::Object(state.collect());
    }
    location
}

/// Where a property began to be false, and the same code in other contracts.
fn related(reported: &ReportedFinding) -> Vec<Value> {
    let ReportedFinding { project, finding, copies, .. } = reported;
    let turning_point = finding.turning_point.as_ref().and_then(|point| {
        let call = &finding.story.steps.get(point.step)?.call;
        Some(of_range(
            project,
            finding,
            point.write?,
            &format!("after {call} wrote this, the property no longer holds"),
        ))
    });
    let copies = copies.iter().map(|copy| {
        let mut place = of_finding(project, copy);
        place["message"] = json!({ "text": format!("the same in {}", copy.contract) });
        place
    });
    let mut related: Vec<Value> = turning_point.into_iter().chain(copies).collect();
    for (id, location) in (1..).zip(&mut related) {
        location["id"] = json!(id);
    }
    related
}

/// Who says that a finding is meant, and why.
fn suppression(project: &str, finding: &Finding) -> Option<Value> {
    let ignored = finding.ignored.as_ref()?;
    let (kind, place) = match &ignored.by {
        IgnoredBy::Comment { file, line } => ("inSource", Some(of_line(project, file, *line))),
        IgnoredBy::Rule { line, .. } => {
            ("external", line.map(|line| of_line(project, CONFIG_FILE, u32::try_from(line).unwrap_or(0))))
        }
    };
    let mut suppression = json!({ "kind": kind, "status": "accepted", "justification": ignored.reason });
    if let Some(place) = place {
        suppression["location"] = place;
    }
    Some(suppression)
}
