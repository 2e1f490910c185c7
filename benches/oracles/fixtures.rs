//! What is found in the fixtures, beside the notes in their sources, and whether each seed tells the same story of it.

use crate::{
    campaign::{build, fuzz_build},
    support::{fixture, report::line},
};
use bellwether::{oracle::OracleMeta, project::Project};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// Transactions for each contract at most: those that measurements of the search are made on are large.
const EXECUTIONS: u64 = 100_000;

/// The fixture whose test contracts have no notes: what they show is compared with the real forge.
const WITHOUT_NOTES: &str = "harness";

/// File, line and oracle.
pub type Notes = BTreeSet<(String, u32, String)>;

/// How often each story is told of a defect, by fixture and note.
type Stories = BTreeMap<(String, (String, u32, String)), BTreeMap<String, u64>>;

/// Of the notes of one oracle, over all seeds.
#[derive(Default)]
struct Row {
    found: usize,
    missed: usize,
    wrong: usize,
}

/// Fuzzes each fixture with seeds 1 to `seeds`.
pub fn measure(seeds: u64) {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let (mut missed, mut wrong) = (BTreeMap::<_, u64>::new(), BTreeMap::<_, u64>::new());
    let mut stories = Stories::new();
    for root in projects().into_iter().filter(|root| !root.ends_with(WITHOUT_NOTES)) {
        let project = Project::load(&root).expect("a fixture loads");
        let build = build(&project);
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let [planted, possible] = ["ERROR", "GOAL"].map(|kind| notes(&project, kind));
        for seed in 1..=seeds {
            let findings = fuzz_build(&build, &project.config, seed, EXECUTIONS).findings;
            let mut found = Notes::new();
            for finding in &findings {
                let note = (finding.file.clone(), finding.lines.line, finding.violation.oracle.to_owned());
                let told = stories.entry((name.clone(), note.clone())).or_default();
                *told.entry(finding.story.calls(", ")).or_default() += 1;
                found.insert(note);
            }
            for note in planted.union(&found) {
                let row = rows.entry(note.2.clone()).or_default();
                let told = || (name.clone(), note.clone());
                match (planted.contains(note), found.contains(note)) {
                    (true, true) => row.found += 1,
                    (true, false) => {
                        row.missed += 1;
                        *missed.entry(told()).or_default() += 1;
                    }
                    _ if possible.contains(note) => {}
                    _ => {
                        row.wrong += 1;
                        *wrong.entry(told()).or_default() += 1;
                    }
                }
            }
        }
    }
    line(&format!("\n### Fixtures\n\nSeeds 1 to {seeds}, {EXECUTIONS} transactions for each contract at most.\n"));
    line("| oracle | found | missed | false |");
    line("|---|---:|---:|---:|");
    for oracle in OracleMeta::ids() {
        let Row { found, missed, wrong } = rows.remove(oracle).unwrap_or_default();
        line(&format!("| `{oracle}` | {found} | {missed} | {wrong} |"));
    }
    same_stories(&stories);
    for (what, notes) in [("Missed", missed), ("False", wrong)] {
        for ((fixture, (file, number, oracle)), times) in notes {
            line(&format!("\n{what} with {times} of {seeds} seeds: `{oracle}` at `{fixture}/{file}:{number}`"));
        }
    }
}

/// Of how many findings the most frequent story is told, and of which it is told by less than nine of ten seeds.
fn same_stories(stories: &Stories) {
    let counts = |told: &BTreeMap<String, u64>| (told.values().max().copied().unwrap_or(0), told.values().sum::<u64>());
    let (same, all) = stories.values().map(counts).fold((0, 0), |sum, (same, all)| (sum.0 + same, sum.1 + all));
    line(&format!("\n{same} of {all} findings have the story that most seeds tell of the defect."));
    for ((fixture, (file, number, oracle)), told) in stories {
        let (same, all) = counts(told);
        if same * 10 < all * 9 {
            line(&format!("\nSame story with {same} of {all} seeds: `{oracle}` at `{fixture}/{file}:{number}`"));
            told.iter().for_each(|(story, times)| line(&format!("- {times}: `{story}`")));
        }
    }
}

fn projects() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(fixture("")).expect("the fixtures").flatten();
    let mut roots: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    roots.sort();
    roots
}

/// The notes of this kind in the project's sources.
pub fn notes(project: &Project, kind: &str) -> Notes {
    let mut notes = Notes::new();
    for file in project.files() {
        let text = std::fs::read_to_string(&file).expect("a source");
        for (number, text) in (1..).zip(text.lines()) {
            let of_kind = text.split("//~ ").filter_map(|note| note.strip_prefix(kind));
            notes.extend(of_kind.map(|oracle| (project.relative(&file), number, oracle.trim().to_owned())));
        }
    }
    notes
}
