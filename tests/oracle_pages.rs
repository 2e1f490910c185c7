//! The pages on oracles: each oracle has one and each page its oracle, the index lists them, and their examples are true: what is
//! marked is found, and what is mended is silent. `BELLWETHER_UPDATE=1` writes the index anew.

mod support;

use bellwether::{
    compile::Severity,
    finding::Finding,
    oracle::OracleMeta,
    project::{Config, Level},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
};
use support::{campaign::fuzz_build, sandbox::Sandbox};

/// Marks the line of an example that is found.
const FOUND: &str = "// found";
/// The sections of a page, in order.
const SECTIONS: [&str; 5] = ["What it means", "With the defect", "Mended", "Why it is told", "When to ignore it"];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/oracles")
}

fn page(oracle: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{oracle}.md")))
        .unwrap_or_else(|error| panic!("docs/oracles/{oracle}.md: {error}; an oracle has a page, as the others do"))
}

/// The first piece of Solidity in a section.
fn example<'a>(page: &'a str, section: &str) -> &'a str {
    let (_, section) = page.split_once(&format!("## {section}\n")).unwrap();
    let (_, code) = section.split_once("```solidity\n").unwrap();
    code.split_once("```").unwrap().0
}

#[test]
fn each_oracle_has_its_page_and_each_page_its_oracle() {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages: BTreeSet<String> = files.filter(|name| name != "README.md").collect();
    assert_eq!(pages, OracleMeta::ids().map(|id| format!("{id}.md")).collect());
    for meta in OracleMeta::all() {
        let page = page(meta.id);
        let head = format!("# {}\n\n`{}` · SWC-{} · `{}` by default\n", meta.title, meta.id, meta.swc, meta.level);
        assert!(page.starts_with(&head), "docs/oracles/{}.md begins with\n{head}", meta.id);
        let sections: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(sections, SECTIONS, "docs/oracles/{}.md", meta.id);
        assert!(page.contains(&format!("// bellwether-ignore {}: ", meta.id)), "{} says how to ignore it", meta.id);
    }
}

#[test]
fn the_index_lists_them() {
    let mut index = "# Oracles\n\nAn oracle decides what counts as a finding. Each has a page: what it means, an example with the defect and mended, which runs are \
                     compared before it is told, and when to ignore it.\n\n| oracle | | registry | default |\n|---|---|---|---|\n"
        .to_owned();
    for OracleMeta { id, title, swc, level, .. } in OracleMeta::all() {
        index += &format!("| [`{id}`]({id}.md) | {title} | SWC-{swc} | `{level}` |\n");
    }
    let file = folder().join("README.md");
    if std::env::var_os("BELLWETHER_UPDATE").is_some() {
        std::fs::write(&file, &index).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), index, "BELLWETHER_UPDATE=1 writes it anew");
}

/// What is found in an example, as `line: oracle`; what other oracles only tell is left aside, since an example is short.
fn found(oracle: &OracleMeta, example: &str) -> Vec<String> {
    let mut sandbox = Sandbox::new(&format!("//- A.sol\n{example}"));
    let build = sandbox.build();
    let errors = build.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(errors.map(|error| &error.message).collect::<Vec<_>>(), [""; 0], "{}", oracle.id);
    let switched_on = (oracle.level == Level::Off).then(|| (oracle.id.to_owned(), Level::Warning));
    let config = Config { oracles: BTreeMap::from_iter(switched_on), ..Config::default() };
    let ended = fuzz_build(&build, &config, 1, 20_000);
    assert_eq!(ended.errors, [""; 0], "{}", oracle.id);
    let is_about = |finding: &&Arc<Finding>| finding.violation.oracle == oracle.id || finding.level <= Level::Warning;
    let told = ended
        .findings
        .iter()
        .filter(is_about)
        .map(|finding| format!("{}: {}", finding.lines.line, finding.violation.oracle));
    told.collect()
}

#[test]
fn what_the_examples_mark_is_found_and_what_is_mended_is_silent() {
    for oracle in OracleMeta::all() {
        let page = page(oracle.id);
        let [defect, mended] = ["With the defect", "Mended"].map(|section| example(&page, section));
        let lines = (1..).zip(defect.lines()).filter(|(_, line)| line.ends_with(FOUND));
        let marked: Vec<String> = lines.map(|(number, _)| format!("{number}: {}", oracle.id)).collect();
        // What compares builds finds nothing in one; `tests/upgrades.rs` has several.
        let needs_older_build = oracle.id == "layout-change";
        assert_eq!(marked.len(), usize::from(!needs_older_build), "{}: one line ends with `{FOUND}`", oracle.id);
        assert_eq!(found(oracle, defect), marked, "{}", oracle.id);
        assert_eq!(found(oracle, mended), [""; 0], "{}: what is mended", oracle.id);
    }
}
