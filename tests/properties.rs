//! What people wrote for Foundry, Echidna and Medusa: which of it holds, as these tools say, and what is told of it.

mod support;

use bellwether::{
    compile::Build,
    finding::{Finding, TestChange, regression_test},
    harness::HarnessKind,
    project::Project,
};
use expect_test::{Expect, expect};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::Arc,
};
use support::{
    campaign::{build, fuzz, fuzz_build},
    fixture, forge,
    sandbox::Sandbox,
    slow,
};

/// The compiler of the fixtures.
const SOLC: &str = "0.8.37";
/// Transactions for each contract: enough for the property that takes seven calls in order.
const EXECUTIONS: u64 = 40_000;

/// A copy of a fixture.
fn copy(name: &str) -> Sandbox {
    fn copy_into(sandbox: &Sandbox, folder: &Path, below: &Path) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let at = below.join(entry.file_name());
            if entry.path().is_dir() {
                copy_into(sandbox, &entry.path(), &at);
            } else {
                sandbox.write(at.to_str().unwrap(), &fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    let sandbox = Sandbox::new("");
    copy_into(&sandbox, &fixture(name), Path::new(""));
    sandbox
}

/// The properties of test contracts that are broken, as `Contract::property`. What breaks in a call of a handler breaks all invariants.
fn broken(build: &Build, findings: &[Arc<Finding>]) -> BTreeSet<String> {
    let mut broken = BTreeSet::new();
    for finding in findings.iter().filter(|finding| finding.harness.kind() == HarnessKind::Test) {
        let contract = build.contract(finding.harness.contract);
        let last = finding.sequence.transactions.last().unwrap().call;
        let name = &finding.harness.calls.function(last).name;
        let is_own = finding.harness.calls.property(last).is_some() && name != "afterInvariant";
        let all = contract.abi.functions.keys().filter(|name| name.starts_with("invariant"));
        let names: Vec<&String> = if is_own { vec![name] } else { all.collect() };
        broken.extend(names.into_iter().map(|name| format!("{}::{name}", contract.name)));
    }
    broken
}

#[test]
fn properties_are_broken_where_forge_breaks_them() {
    if !slow::is_asked() {
        return;
    }
    let sandbox = copy("harness");
    let project = sandbox.project();
    let build = build(&project);
    let ours = broken(&build, &fuzz(&project, 1, EXECUTIONS).findings);
    let outcome = forge::forge_test(&sandbox.root(), &[SOLC], &["--fuzz-seed", "1"]);
    let theirs: BTreeSet<String> = outcome.failed.into_iter().map(|(test, _)| test).collect();
    assert!(theirs.len() > 40, "{}", outcome.output);
    assert_eq!(ours, theirs);
}

/// Compares what is told of test contracts, as errors, and as level, oracle, line and message of findings.
fn check(sandbox: &mut Sandbox, expected: Expect) {
    let ended = fuzz_build(&sandbox.build(), &sandbox.project().config, 1, 20_000);
    let told = ended.findings.iter().map(|finding| {
        let (level, oracle, line) = (finding.level.name(), finding.violation.oracle, finding.lines.line);
        format!("{level}[{oracle}] {}:{line}: {}\n", finding.file, finding.message)
    });
    let errors = ended.errors.iter().map(|error| format!("{error}\n"));
    let mut lines: Vec<String> = errors.chain(told).collect();
    lines.sort();
    expected.assert_eq(&lines.concat());
}

#[test]
fn test_contracts_that_cannot_run_say_why_and_the_others_go_on() {
    let mut sandbox = copy("harness");
    for entry in fs::read_dir(sandbox.root().join("test")).unwrap().map(Result::unwrap) {
        if entry.file_name() != "Base.sol" {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    sandbox.write("test/Broken.t.sol", include_str!("properties/Broken.t.sol"));
    sandbox.write("test/BrokenTwin.t.sol", include_str!("properties/BrokenTwin.t.sol"));
    check(&mut sandbox, expect![[""]]);
}

#[test]
fn a_property_becomes_a_test_that_fails_until_the_contract_is_mended() {
    if !slow::is_asked() {
        return;
    }
    let sandbox = copy("harness");
    let project = sandbox.project();
    let found = fuzz(&project, 1, EXECUTIONS).findings;
    let mut files: BTreeMap<_, Option<String>> = BTreeMap::new();
    let mut written = BTreeSet::new();
    for finding in found.iter().filter(|finding| finding.harness.kind() == HarnessKind::Test) {
        let path = bellwether::finding::regression_path(finding, &project);
        let existing = files.get(&path).cloned().flatten();
        let test = regression_test(finding, &project, existing.as_deref()).unwrap();
        assert_ne!(test.change, TestChange::Present, "{}", finding.message);
        let text = test.change.apply(existing.as_deref().unwrap_or_default());
        files.insert(path, Some(text));
        let contract = &finding.harness.compiled().name;
        written.insert(format!("{contract}BellwetherTest::{}", test.name));
    }
    for (path, text) in &files {
        fs::write(path, text.as_ref().unwrap()).unwrap();
        assert_eq!(forge::forge_fmt(path), "", "{}", path.display());
    }
    let run = || forge::forge_test(&sandbox.root(), &[SOLC], &["--match-test", "test_regression_"]);
    let failed = |outcome: &forge::ForgeOutcome| -> BTreeSet<String> {
        outcome.failed.iter().map(|(test, _)| test.clone()).collect()
    };
    let outcome = run();
    assert_eq!(failed(&outcome), written, "{}", outcome.output);

    mend(&sandbox, "src/StakingVault.sol", "uint256 received = sharesOf[to];\n", "");
    mend(&sandbox, "src/StakingVault.sol", "sharesOf[to] = received + shares;", "sharesOf[to] += shares;");
    mend(
        &sandbox,
        "src/LendingMarket.sol",
        "if (totalScaled == 0) return;\n        index = currentIndex();",
        "index = currentIndex();",
    );
    let outcome = run();
    let still = failed(&outcome);
    let mended: String = written.difference(&still).map(|test| format!("{test}\n")).collect();
    expect![[""]].assert_eq(&mended);
}

fn mend(sandbox: &Sandbox, file: &str, defect: &str, repair: &str) {
    let text = fs::read_to_string(sandbox.root().join(file)).unwrap();
    assert!(text.contains(defect), "{file} has {defect}");
    sandbox.write(file, &text.replace(defect, repair));
}

#[test]
fn the_test_of_a_property_is_in_a_contract_that_inherits_the_tests() {
    let sandbox = copy("harness");
    let project: Project = sandbox.project();
    let ended =
        support::campaign::fuzz_contracts(&build(&project), &project.config, 1, EXECUTIONS, &["VaultInvariants"]);
    let finding = ended.findings.first().unwrap();
    let TestChange::Create(text) = regression_test(finding, &project, None).unwrap().change else { unreachable!() };
    let text: String = text.split_inclusive('\n').filter(|line| !line.contains("Finding ")).collect();
    expect![[""]].assert_eq(&text);
}
