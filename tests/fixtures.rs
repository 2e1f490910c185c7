//! Every `//~ ERROR oracle` note in `fixtures/` is found on its line, and nothing else is: with the compiler's defaults,
//! with the optimizer, and through the IR. What a `//~ GOAL oracle` note says may be found.

mod support;

use bellwether::project::Project;
use std::{collections::BTreeSet, path::Path};
use support::{campaign::fuzz, fixture, projects};

/// Enough for the deepest defect (four calls in `channel`) with room to spare.
const EXECUTIONS: u64 = 400_000;
/// Enough for what must be found in the projects that measurements are made on, which are many contracts.
const FEWER_EXECUTIONS: u64 = 40_000;
const MEASURED: [&str; 3] = ["arithmetic", "stateful", "mill"];

type Notes = BTreeSet<(String, u32, String)>;

/// The notes of this kind in the project's sources: `(file, line, oracle)`.
fn notes(project: &Project, kind: &str) -> Notes {
    let mut notes = Notes::new();
    for file in project.files() {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            if let Some((_, note)) = line.split_once(&format!("//~ {kind} ")) {
                notes.insert((project.relative(&file), number, note.trim().to_owned()));
            }
        }
    }
    notes
}

/// What the fuzzer finds: `(file, line, oracle)`. Contracts that cannot be fuzzed fail the test.
fn findings(project: &Project) -> Notes {
    let executions =
        if MEASURED.iter().any(|name| project.root.ends_with(name)) { FEWER_EXECUTIONS } else { EXECUTIONS };
    let result = fuzz(project, 1, executions);
    assert_eq!(result.errors, Vec::<String>::new());
    result
        .findings
        .iter()
        .map(|finding| (finding.file.clone(), finding.lines.line, finding.violation.oracle.to_owned()))
        .collect()
}

fn load(root: &Path, configure: impl Fn(&mut Project)) -> Project {
    let mut project = Project::load(root).unwrap();
    configure(&mut project);
    project
}

fn check(root: &Path, configure: impl Fn(&mut Project)) {
    let project = load(root, configure);
    let goals = notes(&project, "GOAL");
    let demanded: Notes = findings(&project).difference(&goals).cloned().collect();
    assert_eq!(demanded, notes(&project, "ERROR"), "{}", root.display());
}

#[test]
fn every_note_is_found_and_nothing_else() {
    for root in projects() {
        check(&root, |_| {});
    }
}

#[test]
fn places_are_exact_with_the_optimizer() {
    for name in ["places", "checks", "wallet"] {
        check(&fixture(name), |project| project.compiler.optimizer = Some(true));
    }
}

#[test]
fn places_are_exact_through_the_ir() {
    for name in ["places", "checks", "wallet"] {
        check(&fixture(name), |project| project.compiler.via_ir = true);
    }
}

fn optimized_ir(project: &mut Project) {
    project.compiler.via_ir = true;
    project.compiler.optimizer = Some(true);
}

#[test]
fn places_are_as_exact_as_the_optimized_ir_tells() {
    for name in ["checks", "wallet"] {
        check(&fixture(name), optimized_ir);
    }

    let project = load(&fixture("places"), optimized_ir);
    let mut expected = notes(&project, "ERROR");
    // The optimizer inlines the library's function and leaves nothing that leads back to it: the place is the function
    // that was called.
    assert!(expected.remove(&("src/Inherited.sol".to_owned(), 7, "assertion".to_owned())));
    expected.insert(("src/Inherited.sol".to_owned(), 18, "assertion".to_owned()));
    assert_eq!(findings(&project), expected);
}
