//! What the fuzzer finds in a few lines of Solidity, as a text that a test compares whole.

use super::{campaign::fuzz_build, sandbox::Sandbox};
use bellwether::{compile::Severity, project::Config};

/// The findings of all contracts, each as level, oracle, line, message and reason.
pub fn findings(sandbox: &mut Sandbox) -> String {
    findings_under(sandbox, &Config::default())
}

/// The same with another seed.
pub fn findings_of_seed(sandbox: &mut Sandbox, seed: u64) -> String {
    told(sandbox, &Config::default(), seed)
}

/// The same with these settings.
pub fn findings_under(sandbox: &mut Sandbox, config: &Config) -> String {
    told(sandbox, config, 1)
}

fn told(sandbox: &mut Sandbox, config: &Config, seed: u64) -> String {
    let build = sandbox.build();
    let errors = build.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(errors.map(|error| &error.message).collect::<Vec<_>>(), Vec::<&String>::new());
    let found = fuzz_build(&build, config, seed, 20_000).findings;
    let told = found.iter().map(|finding| {
        let (level, oracle, line) = (finding.level.name(), finding.violation.oracle, finding.lines.line);
        format!("{level}[{oracle}] {line}: {}\n  {}\n", finding.message, finding.because)
    });
    told.collect()
}
