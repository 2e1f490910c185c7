//! What a random edit of one line changes: the blocks of what it touches, and little else.

mod support;

use bellwether::code::{ContractLineage, Programs};
use proptest::{prelude::any, test_runner::TestRunner};
use std::{collections::BTreeMap, path::Path, sync::Arc};
use support::{
    edit::{Built, Edit, PIPELINES, Pipeline},
    fixture,
    sandbox::Sandbox,
    slow,
};

/// A small edit of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Constant,
    Operator,
    Insert,
    Delete,
}

/// Of which kind, on which line (from 0), and the line afterwards.
type LineEdit = (Kind, usize, String);

/// Every small edit of a text.
fn edits(text: &str) -> Vec<LineEdit> {
    let mut edits = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap();
        let trimmed = code.trim();
        let indent = code.len() - code.trim_start().len();
        if indent == 4 && trimmed.contains(['{', '}']) {
            inside = trimmed.ends_with('{') && (trimmed.starts_with("function") || trimmed.starts_with("constructor"));
            continue;
        }
        if !inside || indent < 8 || code.contains(['"', '\'']) {
            continue;
        }
        for (at, digit) in code.char_indices() {
            let starts = digit.is_ascii_digit() && code[..at].ends_with([' ', '(']);
            let digits: String = code[at..].chars().take_while(char::is_ascii_digit).collect();
            if starts && code[at + digits.len()..].starts_with([' ', ')', ';']) {
                let next = digits.parse::<u64>().unwrap() + 1;
                let rest = &code[at + digits.len()..];
                edits.push((Kind::Constant, number, format!("{}{next}{rest}", &code[..at])));
            }
        }
        for (from, to) in
            [(" + ", " - "), (" - ", " + "), (" < ", " >= "), (" > ", " <= "), (" == ", " != "), (" * ", " / ")]
        {
            if code.matches(from).count() == 1 {
                edits.push((Kind::Operator, number, code.replace(from, to)));
            }
        }
        if trimmed.ends_with(';') && !trimmed.starts_with("return") {
            let pad = &code[..indent];
            let more = "assembly (\"memory-safe\") { if eq(calldatasize(), 54321) { revert(0, 0) } }";
            edits.push((Kind::Insert, number, format!("{pad}{more} {trimmed}")));
            let assignment = [" = ", " += ", " -= "].iter().any(|operator| trimmed.contains(operator));
            if trimmed.starts_with("emit ")
                || assignment && trimmed.split_once('=').unwrap().0.trim().split(' ').count() < 3 && indent == 8
            {
                edits.push((Kind::Delete, number, String::new()));
            }
        }
    }
    edits
}

/// Copies the Solidity files of a fixture; their names in the build, with their texts.
fn copy(folder: &Path, to: &str, sandbox: &Sandbox, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{to}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            copy(&path, &name, sandbox, files);
        } else if name.ends_with(".sol") {
            let text = std::fs::read_to_string(&path).unwrap();
            sandbox.write(&name, &text);
            files.insert(name, text);
        }
    }
}

/// Whether some changed block is for this line of this file: for a place that begins and ends near it, or if that is
/// `enough`, for one in its function, or for none.
fn covers(edit: &Edit, file: &str, line: u32, enough: bool) -> bool {
    let new = &edit.new;
    let function = new.function_of(file, line);
    edit.change.changed().any(|(id, block)| {
        let program = new.programs.get(id);
        program.instructions_of(program.block(block)).iter().any(|instruction| {
            let Some(element) = program.element(instruction.pc) else { return false };
            let Some(source) = element.source.map(|id| new.build.source(id)) else { return false };
            let [first, last] = [element.span.start, element.span.end].map(|at| source.lines.line(at));
            let near = first <= line && line <= last && last - first < 8;
            let within = enough && new.function_of(file, first) == function;
            source.name == file && (near || within)
        }) || enough && new.lines(program, block).is_empty()
    })
}

/// What one pipeline showed: of each edit that changed code, the changed blocks of each contract in thousandths.
fn random_edits(pipeline: Pipeline, rounds: u32) -> Vec<u64> {
    let mut sandbox = Sandbox::new(&format!("//- foundry.toml\n{}", pipeline.settings()));
    let mut files = BTreeMap::new();
    for name in ["arithmetic", "stateful", "narrow", "auction", "vault", "checks"] {
        copy(&fixture(name), &format!("src/{name}"), &sandbox, &mut files);
    }
    let old = Built::new(sandbox.build());
    let files: Vec<(String, String, Vec<LineEdit>)> = files
        .into_iter()
        .map(|(name, text)| (name, text.clone(), edits(&text)))
        .filter(|(.., edits)| !edits.is_empty())
        .collect();
    let mut runner = TestRunner::deterministic();
    let (mut shares, mut missed) = (Vec::new(), Vec::new());
    let choices = proptest::collection::vec(any::<u32>(), files.len());
    for _ in 0..rounds {
        let tree = proptest::strategy::Strategy::new_tree(&choices, &mut runner).unwrap();
        let choices = proptest::strategy::ValueTree::current(&tree);
        let chosen: Vec<_> = files
            .iter()
            .zip(choices)
            .map(|((name, text, edits), choice)| {
                let (kind, line, new) = &edits[choice as usize % edits.len()];
                let mut lines: Vec<&str> = text.lines().collect();
                lines[*line] = new;
                sandbox.write(name, &lines.join("\n"));
                (name, *kind, *line as u32 + 1, new.trim().to_owned())
            })
            .collect();
        // An edit that does not compile takes its file along, and nothing else.
        let build = sandbox.build();
        let new = Built { programs: Arc::new(Programs::of(&build)), build };
        let edit = Edit::between(old.clone(), new);
        for (file, kind, line, text) in chosen {
            let Some(source) = edit.new.build.sources.iter().position(|source| source.name == *file) else { continue };
            let of_file =
                || edit.new.build.contract_ids().filter(|id| edit.new.build.contract(*id).source.0 == source as u32);
            if of_file().next().is_none() {
                continue;
            }
            let says = format!("{pipeline:?} {file}:{line} {kind:?}: {text}");
            let changed: Vec<_> = of_file().map(|id| edit.share(id)).filter(|(changed, _)| *changed > 0).collect();
            let enough = kind == Kind::Delete || pipeline.via_ir && pipeline.optimizer;
            let same_code = of_file().all(|id| {
                let contract = edit.new.build.contract(id);
                let ContractLineage::Old { contract: before, .. } = edit.change.origin(id) else { return false };
                let before = edit.old.build.contract(before);
                (&contract.creation.code, &contract.runtime.code) == (&before.creation.code, &before.runtime.code)
            });
            if !same_code && (kind != Kind::Delete || changed.is_empty()) && !covers(&edit, file, line, enough) {
                missed.push(format!("{says} {changed:?}"));
            }
            for (changed, all) in changed {
                shares.push((changed * 1000 / all) as u64);
            }
        }
        for (name, text, _) in &files {
            sandbox.write(name, text);
        }
    }
    assert_eq!(missed, Vec::<String>::new());
    shares.sort_unstable();
    shares
}

/// In thousandths: what the median edit and the worst one may change. Measured: see BENCHMARKS.md.
#[track_caller]
fn check(pipeline: Pipeline, usual: u64, most: u64) {
    let shares = random_edits(pipeline, 3);
    let (median, worst) = (shares[shares.len() / 2], shares[shares.len() - 1]);
    let said = format!(
        "{pipeline:?}: of {} edits the median changes {median} of 1000 blocks, the worst {worst}",
        shares.len()
    );
    assert!(shares.len() >= 60 && median <= usual && worst <= most, "{said}");
}

#[test]
fn an_edit_changes_what_it_touches_and_little_else() {
    check(PIPELINES[0], 30, 120);
}

#[test]
fn through_the_optimizer() {
    check(PIPELINES[1], 60, 250);
}

#[test]
fn through_the_ir() {
    if !slow::is_asked() {
        return;
    }
    check(PIPELINES[2], 30, 120);
}

#[test]
fn through_the_optimized_ir() {
    if !slow::is_asked() {
        return;
    }
    check(PIPELINES[3], 120, 500);
}
