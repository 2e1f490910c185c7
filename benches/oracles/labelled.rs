//! What is found in the labelled contracts of `benches/labelled`, each a project of its own.

use crate::{
    campaign::{build, fuzz_build},
    fixtures::{Notes, notes},
    support::report::line,
};
use bellwether::{
    oracle::OracleMeta,
    project::{Level, Project},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Transactions for each contract at most; as many as a contract of a hundred lines gets in a few seconds on one core.
const EXECUTIONS: u64 = 150_000;

/// Of the labels of one oracle, over all seeds.
#[derive(Default)]
struct Row {
    found: usize,
    missed: usize,
    /// Findings in safe contracts, as errors and as warnings.
    wrong: [usize; 2],
}

/// Fuzzes each contract with seeds 1 to `seeds`.
pub fn measure(seeds: u64) {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut told = Vec::new();
    for (folder, is_safe) in [("vulnerable", false), ("safe", true)] {
        for file in sources(folder) {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let folder = tempfile::tempdir().expect("a folder");
            fs::copy(&file, folder.path().join(&name)).expect("a copy");
            let project = Project::load(folder.path()).expect("a project");
            let build = build(&project);
            let labels = notes(&project, "ERROR");
            for seed in 1..=seeds {
                let findings = fuzz_build(&build, &project.config, seed, EXECUTIONS).findings;
                let place = |finding: &bellwether::finding::Finding| {
                    (finding.file.clone(), finding.lines.line, finding.violation.oracle.to_owned())
                };
                let found: Notes = findings.iter().map(|finding| place(finding)).collect();
                for label in &labels {
                    let row = rows.entry(label.2.clone()).or_default();
                    if found.contains(label) {
                        row.found += 1;
                    } else {
                        row.missed += 1;
                        told.push(format!("- missed with seed {seed}: `{}` at `{name}:{}`", label.2, label.1));
                    }
                }
                let serious = findings.iter().filter(|finding| finding.level <= Level::Warning);
                for finding in serious.filter(|finding| !labels.contains(&place(finding))) {
                    let (level, oracle, at) = (finding.level.name(), finding.violation.oracle, finding.lines.line);
                    let what = if is_safe { "false" } else { "beside the labels" };
                    told.push(format!(
                        "- {what} with seed {seed}: {level}[{oracle}] `{name}:{at}`: {}",
                        finding.message
                    ));
                    if is_safe {
                        rows.entry(oracle.to_owned()).or_default().wrong[usize::from(finding.level > Level::Error)] +=
                            1;
                    }
                }
            }
        }
    }
    report(seeds, rows, &told);
}

fn report(seeds: u64, mut rows: BTreeMap<String, Row>, told: &[String]) {
    line(&format!(
        "\n### Labelled contracts\n\nSeeds 1 to {seeds}, {EXECUTIONS} transactions for each contract at most. The last two columns count \
         findings in contracts that are safe.\n"
    ));
    line("| oracle | found | missed | false errors | false warnings |");
    line("|---|---:|---:|---:|---:|");
    let mut all = Row::default();
    for oracle in OracleMeta::ids() {
        let Some(Row { found, missed, wrong: [errors, warnings] }) = rows.remove(oracle) else { continue };
        line(&format!("| `{oracle}` | {found} | {missed} | {errors} | {warnings} |"));
        all.found += found;
        all.missed += missed;
        all.wrong[0] += errors;
        all.wrong[1] += warnings;
    }
    let recall = all.found as f64 / (all.found + all.missed).max(1) as f64;
    line(&format!("\nRecall {recall:.2}; {} false errors and {} false warnings.\n", all.wrong[0], all.wrong[1]));
    told.iter().for_each(|told| line(told));
}

/// The contracts of a folder.
fn sources(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/labelled").join(folder);
    let entries = fs::read_dir(folder).expect("the labelled contracts").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}
