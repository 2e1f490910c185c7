//! Places in SARIF: files by URIs, ranges in lines and columns from 1, columns in Unicode scalars.

use super::super::path::{is_absolute_uri, uri};
use crate::{
    compile::{SourceRange, Span},
    finding::Finding,
};
use serde_json::{Value, json};

/// The name of what relative URIs are relative to.
pub(super) const BASE: &str = "%SRCROOT%";

/// A file.
pub(super) fn artifact(project: &str, file: &str) -> Value {
    let uri = uri(project, file);
    if is_absolute_uri(&uri) { json!({ "uri": uri }) } else { json!({ "uri": uri, "uriBaseId": BASE }) }
}

/// A file, or a line of it where that is known: from 1, and 0 if it is not.
pub(super) fn of_line(project: &str, file: &str, line: u32) -> Value {
    let mut physical = json!({ "artifactLocation": artifact(project, file) });
    if line > 0 {
        physical["region"] = json!({ "startLine": line });
    }
    json!({ "physicalLocation": physical })
}

/// The place of a finding, with the function or contract that it is in.
pub(super) fn of_finding(project: &str, finding: &Finding) -> Value {
    let lines = finding.lines;
    let build = &finding.harness.build;
    let text = finding.violation.place.span.text(&build.source(finding.violation.place.source).text);
    let mut region = json!({
        "startLine": lines.line,
        "startColumn": lines.column,
        "endLine": lines.end_line,
        "endColumn": lines.end_column,
    });
    if !text.is_empty() {
        region["snippet"] = json!({ "text": text });
    }
    let mut location = json!({
        "physicalLocation": { "artifactLocation": artifact(project, &finding.file), "region": region },
    });
    let names = finding.violation.place.names(build);
    let logical = match (names.contract, names.function) {
        ("", "") => None,
        (contract, "") => Some(json!({ "name": contract, "fullyQualifiedName": contract, "kind": "type" })),
        ("", function) => Some(json!({ "name": function, "fullyQualifiedName": function, "kind": "function" })),
        (contract, function) => Some(json!({
            "name": function, "fullyQualifiedName": format!("{contract}.{function}"), "kind": "function",
        })),
    };
    if let Some(logical) = logical {
        location["logicalLocations"] = json!([logical]);
    }
    location
}

/// The first line of a range of a finding's sources, such as the head of a function, with a message.
pub(super) fn of_range(project: &str, finding: &Finding, (source, span): SourceRange, message: &str) -> Value {
    let source = finding.harness.build.source(source);
    let first = span.text(&source.text).lines().next().unwrap_or("").trim_end();
    let end = Span::new(span.start, span.start + first.len() as u32).end;
    let (line, column) = source.lines.position(&source.text, span.start);
    let (end_line, end_column) = source.lines.position(&source.text, end);
    json!({
        "physicalLocation": {
            "artifactLocation": artifact(project, &source.name),
            "region": { "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column },
        },
        "message": { "text": message },
    })
}
