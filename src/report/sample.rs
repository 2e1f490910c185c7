//! A report without findings, for tests: a contract that was fuzzed, one that was not, and each kind of problem.

use super::{ContractResult, Problem, ProblemKind, Report, TargetResult};
use crate::{
    fuzz::{Share, TargetState},
    harness::HarnessKind,
};
use std::time::Duration;

/// The report.
pub(super) fn report() -> Report {
    let reached = TargetState::Reached { executions: 12, elapsed: Duration::from_millis(9) };
    let target = |line, fails, state| TargetResult { file: "src/Vault.sol".to_owned(), line, fails, state };
    let targets = vec![
        target(40, false, reached),
        target(40, true, TargetState::Unreachable),
        target(41, false, TargetState::Open),
    ];
    let fuzzed = ContractResult {
        world: Vec::new(),
        suite: None,
        project: "vault".to_owned(),
        file: "src/Vault.sol".to_owned(),
        line: 3,
        name: "Vault".to_owned(),
        kind: HarnessKind::Contract,
        solc: "0.8.37".to_owned(),
        not_fuzzed: None,
        cannot_be_fuzzed: false,
        executions: 1200,
        trial_runs: 60,
        paths: 8,
        branches: Share { covered: 3, known: 4 },
        instructions: Share { covered: 90, known: 100 },
        targets,
        lookahead: Duration::from_millis(14),
    };
    let not_fuzzed = ContractResult {
        file: "src/Token.sol".to_owned(),
        line: 1,
        name: "Token".to_owned(),
        not_fuzzed: Some("its constructor refuses".to_owned()),
        cannot_be_fuzzed: true,
        executions: 0,
        trial_runs: 0,
        paths: 0,
        branches: Share::default(),
        instructions: Share::default(),
        targets: Vec::new(),
        lookahead: Duration::ZERO,
        ..fuzzed.clone()
    };
    let problem = |kind, file: &str, line, message: &str| Problem {
        kind,
        project: "vault".to_owned(),
        file: file.to_owned(),
        line,
        message: message.to_owned(),
    };
    Report {
        elapsed: Duration::from_millis(500),
        contracts: vec![not_fuzzed, fuzzed],
        errors: vec![
            problem(ProblemKind::Compiling, "src/Broken.sol", 3, "expected `;`"),
            problem(ProblemKind::NotFuzzed, "src/Token.sol", 1, "Token cannot be fuzzed: its constructor refuses"),
            problem(ProblemKind::Internal, "", 0, "internal error while fuzzing Vault"),
        ],
        notes: vec!["vault: 2 contracts".to_owned()],
        interrupted: true,
        targeted: true,
        ..Report::new(7, 1)
    }
}
