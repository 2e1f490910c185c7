//! What kept something from being fuzzed, and other remarks, as notifications of SARIF.

use super::{
    super::{Problem, ProblemKind, Report},
    location::of_line,
};
use serde_json::{Value, json};

/// A kind of notification.
struct Kind {
    id: &'static str,
    description: &'static str,
    remedy: &'static str,
}

/// The kinds. Their order is that of the descriptors.
const KINDS: [Kind; 5] = [
    Kind {
        id: "not-compiled",
        description: "A file, or the whole project, was not compiled, so that its contracts were not fuzzed.",
        remedy: "Repair what the compiler reports at the place that the message names.",
    },
    Kind {
        id: "not-fuzzed",
        description: "No transaction was run on a contract.",
        remedy: "The message says what to change so that it can be fuzzed.",
    },
    Kind {
        id: "internal-error",
        description: "Bellwether itself failed while it was fuzzing.",
        remedy: "This is a defect in Bellwether. Report it with the text of the message.",
    },
    Kind {
        id: "ignore-mistake",
        description: "A comment that is meant to ignore findings ignores none.",
        remedy: "Correct the comment as the message says, or remove it.",
    },
    Kind {
        id: "note",
        description: "Something to know that kept no contract from being fuzzed.",
        remedy: "Nothing has to be done.",
    },
];
const NOT_COMPILED: usize = 0;
const NOT_FUZZED: usize = 1;
const INTERNAL: usize = 2;
const IGNORE: usize = 3;
const NOTE: usize = 4;

/// The descriptors of all kinds.
pub(super) fn descriptors() -> Vec<Value> {
    let descriptor = |Kind { id, description, remedy }: &Kind| {
        json!({
            "id": id,
            "shortDescription": { "text": description },
            "fullDescription": { "text": description },
            "help": { "text": remedy },
        })
    };
    KINDS.iter().map(descriptor).collect()
}

/// The notifications of a report.
pub(super) fn notifications(report: &Report) -> Vec<Value> {
    let mut notifications = Vec::new();
    for contract in &report.contracts {
        if let Some(reason) = contract.told_not_fuzzed() {
            let place = of_line(&contract.project, &contract.file, contract.line);
            let level = if contract.cannot_be_fuzzed { "error" } else { "warning" };
            let text = format!("{} was not fuzzed: {reason}", contract.name);
            notifications.push(notification(NOT_FUZZED, level, &text, Some(place)));
        }
    }
    // The reason stands beside the contract already.
    let problems = report.errors.iter().filter(|problem| problem.kind != ProblemKind::NotFuzzed);
    notifications.extend(problems.map(of_problem));
    notifications.extend(report.notes.iter().map(|note| notification(NOTE, "note", note, None)));
    if report.nothing_ran() {
        notifications.push(notification(NOT_FUZZED, "error", "Nothing was fuzzed.", None));
    }
    if report.interrupted {
        notifications.push(notification(NOTE, "warning", "The run was interrupted before its end.", None));
    }
    notifications
}

fn of_problem(problem: &Problem) -> Value {
    let (kind, level) = match problem.kind {
        ProblemKind::Compiling => (NOT_COMPILED, "error"),
        ProblemKind::NotFuzzed => (NOT_FUZZED, "error"),
        ProblemKind::Internal => (INTERNAL, "error"),
        ProblemKind::Ignore => (IGNORE, "warning"),
        ProblemKind::Note => (NOTE, "note"),
    };
    let place = (!problem.file.is_empty()).then(|| of_line(&problem.project, &problem.file, problem.line));
    notification(kind, level, &problem.message, place)
}

fn notification(kind: usize, level: &str, text: &str, place: Option<Value>) -> Value {
    let mut notification = json!({
        "descriptor": { "id": KINDS[kind].id, "index": kind },
        "level": level,
        "message": { "text": text },
    });
    if let Some(place) = place {
        notification["locations"] = json!([place]);
    }
    notification
}
