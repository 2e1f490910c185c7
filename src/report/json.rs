//! The JSON form of a report, for other programs. A finding in it is a FINDING.json: the saved form of a finding
//! (`finding/saved.rs`, which also reads it back), with the data of one run added. Fields may be added; existing ones keep
//! their meaning.

use super::{ContractResult, Problem, Report, ReportedFinding, TargetResult};
use crate::{corpus::exchange::Counts, finding::Finding, fuzz::TargetState, harness::Member};
use serde_json::{Value, json};
use std::time::Duration;

impl Report {
    /// The JSON form.
    pub fn to_json(&self) -> Value {
        let mut json = json!({
            "version": self.version,
            "seed": self.seed,
            "workers": self.workers,
            "elapsed_ms": milliseconds(self.elapsed),
            "executions": self.executions(),
            "executions_per_second": self.rate(),
            "contracts": self.contracts.iter().map(contract).collect::<Vec<_>>(),
            "findings": self.findings.iter().map(ReportedFinding::to_json).collect::<Vec<_>>(),
            "ignored": self.ignored.iter().map(ReportedFinding::to_json).collect::<Vec<_>>(),
            "errors": self.errors.iter().map(problem).collect::<Vec<_>>(),
        });
        if let Some(Counts { sent, sent_twice, received, refused, dropped }) = self.exchange {
            json["exchange"] = json!({
                "sent": sent,
                "sent_twice": sent_twice,
                "received": received,
                "refused": refused,
                "dropped": dropped,
                "replayed": self.replayed,
            });
        }
        json
    }
}

impl ReportedFinding {
    /// FINDING.json.
    pub fn to_json(&self) -> Value {
        let finding = &self.finding;
        let mut json = finding.to_json(&self.project);
        if let Some(fields) = json.as_object_mut() {
            let before = fields.keys().position(|field| field == "seed").unwrap_or(fields.len());
            fields.shift_insert(before, "build".to_owned(), json!(finding.harness.build.id));
            let elapsed = finding.discovery.elapsed.map(milliseconds);
            fields.shift_insert(before, "elapsed_ms".to_owned(), json!(elapsed));
            if !self.copies.is_empty() {
                let places = std::iter::once(&self.finding).chain(&self.copies).map(|finding| place(finding));
                fields.insert("places".to_owned(), places.collect());
            }
            if let Some(known) = self.known {
                fields.insert("known".to_owned(), json!(known.name()));
            }
        }
        json
    }
}

/// One of the places of a finding.
fn place(finding: &Finding) -> Value {
    let lines = finding.lines;
    json!({
        "id": finding.id,
        "contract": finding.contract,
        "file": finding.file,
        "line": lines.line,
        "column": lines.column,
        "end_line": lines.end_line,
        "end_column": lines.end_column,
    })
}

fn contract(contract: &ContractResult) -> Value {
    let mut json = json!({
        "name": contract.name,
        "state": if contract.not_fuzzed.is_some() { "not-fuzzed" } else { "fuzzed" },
        "kind": contract.kind.name(),
        "world": contract.world.iter().map(member).collect::<Vec<_>>(),
        "project": contract.project,
        "file": contract.file,
        "solc": contract.solc,
        "executions": contract.executions,
        "trial_runs": contract.trial_runs,
        "paths": contract.paths,
        "branches": { "covered": contract.branches.covered, "known": contract.branches.known },
        "instructions": contract.instructions,
        "targets": contract.targets.iter().map(target).collect::<Vec<_>>(),
        "lookahead_ms": milliseconds(contract.lookahead),
    });
    if let Some(reason) = &contract.not_fuzzed {
        json["reason"] = json!(reason);
    }
    if let Some(suite) = &contract.suite {
        json["suite"] = json!(suite);
    }
    json
}

fn member(member: &Member) -> Value {
    let arguments: Vec<&String> = member.arguments.iter().map(|(_, value)| value).collect();
    json!({ "instance": member.instance, "contract": member.contract, "arguments": arguments, "by": member.by })
}

fn target(target: &TargetResult) -> Value {
    let (state, executions, elapsed) = match target.state {
        TargetState::Open => ("open", None, None),
        TargetState::Unreachable => ("unreachable", None, None),
        TargetState::Reached { executions, elapsed } => ("reached", Some(executions), Some(milliseconds(elapsed))),
    };
    json!({
        "file": target.file,
        "line": target.line,
        "kind": if target.fails { "failure" } else { "line" },
        "state": state,
        "executions": executions,
        "elapsed_ms": elapsed,
    })
}

fn problem(problem: &Problem) -> Value {
    json!({ "project": problem.project, "file": problem.file, "line": problem.line, "message": problem.message })
}

fn milliseconds(duration: Duration) -> u64 {
    duration.as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use serde_json::json;

    #[test]
    fn programs_read_all_of_it_in_one_object() {
        let report = sample::report();
        assert_eq!(
            report.to_json(),
            json!({
                "version": report.version, "seed": 7, "workers": 1, "elapsed_ms": 500,
                "executions": 1200, "executions_per_second": 2400,
                "contracts": [
                    {
                        "name": "Token", "state": "not-fuzzed", "kind": "contract", "world": [], "project": "vault", "file": "src/Token.sol", "solc": "0.8.37",
                        "executions": 0, "trial_runs": 0, "paths": 0, "branches": { "covered": 0, "known": 0 },
                        "instructions": { "covered": 0, "total": 0 }, "targets": [], "lookahead_ms": 0,
                        "reason": "its constructor refuses",
                    },
                    {
                        "name": "Vault", "state": "fuzzed", "kind": "contract", "world": [], "project": "vault", "file": "src/Vault.sol", "solc": "0.8.37",
                        "executions": 1200, "trial_runs": 60, "paths": 8, "branches": { "covered": 3, "known": 4 },
                        "instructions": { "covered": 90, "total": 100 },
                        "targets": [
                            { "file": "src/Vault.sol", "line": 40, "kind": "line", "state": "reached", "executions": 12, "elapsed_ms": 9 },
                            { "file": "src/Vault.sol", "line": 40, "kind": "failure", "state": "unreachable", "executions": null,
                              "elapsed_ms": null },
                            { "file": "src/Vault.sol", "line": 41, "kind": "line", "state": "open", "executions": null, "elapsed_ms": null },
                        ],
                        "lookahead_ms": 14,
                    },
                ],
                "findings": [],
                "ignored": [],
                "errors": [
                    { "project": "vault", "file": "src/Broken.sol", "line": 3, "message": "expected `;`" },
                    { "project": "vault", "file": "src/Token.sol", "line": 1, "message": "Token cannot be fuzzed: its constructor refuses" },
                    { "project": "vault", "file": "", "line": 0, "message": "internal error while fuzzing Vault" },
                ],
            })
        );
    }
}
