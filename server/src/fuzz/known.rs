//! Findings that are known: those of an earlier run (`--baseline`), and those in code that did not change since a revision
//! (`--new-since`). They are told apart, and fail no build.

use super::{
    arguments::Arguments,
    changed::{Comparison, changed},
    target::same_file,
};
use anyhow::{Context, Result, anyhow, bail};
use bellwether::{
    code::{Line, Lines, Stage},
    compile::{Build, ContractId, Node, NodeKind, SourceId, Span},
    finding::Finding,
    project::read_text,
    report::Known,
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// The findings of an earlier run, by their ids.
#[derive(Debug)]
pub(super) struct Baseline(BTreeSet<String>);

impl Baseline {
    /// Reads the file or folder that was given, if one was.
    pub(super) fn read(arguments: &Arguments) -> Result<Option<Self>> {
        let Some(path) = &arguments.baseline else { return Ok(None) };
        let shown = || format!("--baseline {}", path.display());
        if !path.exists() {
            bail!("{}: no such file or folder; write one with `bellwether fuzz --format json --out FILE`", shown());
        }
        let files = if path.is_dir() { saved_findings(path).with_context(shown)? } else { vec![path.clone()] };
        let mut ids = BTreeSet::new();
        for file in files {
            let in_file = || format!("--baseline {}", file.display());
            let text = read_text(&file).with_context(|| format!("{}: cannot be read", in_file()))?;
            let json = serde_json::from_str(&text).with_context(|| format!("{}: is not JSON", in_file()))?;
            ids.extend(ids_of(&json).ok_or_else(|| {
                anyhow!(
                    "{}: is neither a report of `bellwether fuzz --format json` nor a finding of `--findings`; write it again",
                    in_file()
                )
            })?);
        }
        Ok(Some(Self(ids)))
    }
}

/// The files of a folder of findings.
fn saved_findings(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let files = folder.read_dir()?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    Ok(files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "json")).collect())
}

/// The ids of a report's findings and of their further places, or of one finding.
fn ids_of(json: &Value) -> Option<Vec<String>> {
    let id = |json: &Value| json.get("id").and_then(Value::as_str).map(str::to_owned);
    let of_one = |finding: &Value| {
        let places = finding.get("places").and_then(Value::as_array).into_iter().flatten().filter_map(id);
        finding.get("oracle").and(id(finding)).map(|id| places.chain([id]).collect::<Vec<_>>())
    };
    let all = |list: &Value| Some(list.as_array()?.iter().map(of_one).collect::<Option<Vec<_>>>()?.concat());
    match (json.get("findings"), json.get("ignored")) {
        (Some(findings), Some(ignored)) => Some([all(findings)?, all(ignored)?].concat()),
        (Some(findings), None) => all(findings),
        (None, _) => of_one(json),
    }
}

/// The lines of a project that differ from a revision.
#[derive(Debug)]
pub(super) struct ChangedLines(Vec<(PathBuf, RangeInclusive<usize>)>);

impl ChangedLines {
    /// Since the revision that was given, if one was.
    pub(super) fn read(arguments: &Arguments, root: &Path) -> Result<Option<Self>> {
        let Some(revision) = &arguments.new_since else { return Ok(None) };
        let comparison = Comparison {
            revision,
            option: &format!("--new-since {revision}"),
            otherwise: "leave the option out",
            trusted: arguments.trust,
            skips_comments: true,
        };
        Ok(Some(Self(changed(root, &comparison)?)))
    }

    /// The changed lines of a build, by source.
    fn in_build(&self, build: &Build) -> BTreeMap<SourceId, Vec<RangeInclusive<usize>>> {
        let mut lines: BTreeMap<SourceId, Vec<RangeInclusive<usize>>> = BTreeMap::new();
        for (file, changed) in &self.0 {
            let source = build.sources.iter().position(|source| same_file(&source.path, file));
            if let Some(source) = source {
                lines.entry(SourceId(source as u32)).or_default().push(changed.clone());
            }
        }
        lines
    }

    /// Whether the place of a finding is among them, or code of its contract.
    fn touch(&self, finding: &Finding) -> bool {
        let build = &finding.harness.build;
        let changed = self.in_build(build);
        let touched = |source: SourceId, span: Span| {
            let lines = &build.source(source).lines;
            let (first, last) = (lines.line(span.start) as usize, lines.line(span.end) as usize);
            changed.get(&source).into_iter().flatten().any(|lines| *lines.start() <= last && first <= *lines.end())
        };
        let place = finding.violation.place;
        let is_touched = |(source, line): &Line| {
            changed.get(source).into_iter().flatten().any(|lines| lines.contains(&(*line as usize)))
        };
        !changed.is_empty()
            && (touched(place.source, place.span)
                || definitions(build, finding.harness.contract).into_iter().any(|(source, span)| touched(source, span))
                || lines_of(finding).iter().any(is_touched))
    }
}

/// The definitions of a contract and its bases.
fn definitions(build: &Build, contract: ContractId) -> Vec<(SourceId, Span)> {
    let own = build.contract(contract);
    // The compiler's numbers hold for what was compiled together.
    let (mut sources, mut queue) = (BTreeSet::new(), vec![own.source]);
    while let Some(source) = queue.pop() {
        if sources.insert(source) {
            queue.extend(&build.source(source).imports);
        }
    }
    let ast = &build.source(own.source).ast;
    let is_contract = |node: &&Node| node.kind == NodeKind::Contract;
    let number =
        ast.nodes.iter().filter(is_contract).find(|node| node.name == own.name).and_then(|node| node.declaration);
    let bases = ast.bases.iter().find(|(id, _)| Some(*id) == number).map_or(&[][..], |(_, bases)| bases.as_slice());
    let mut definitions = vec![(own.source, own.span)];
    for source in sources {
        let nodes = build.source(source).ast.nodes.iter().filter(is_contract);
        let of_base = nodes.filter(|node| node.declaration.is_some_and(|number| bases.contains(&number)));
        definitions.extend(of_base.map(|node| (source, node.span)));
    }
    definitions
}

/// The lines that the contract of a finding is compiled from, those of libraries and free functions included.
fn lines_of(finding: &Finding) -> BTreeSet<Line> {
    let harness = &finding.harness;
    let lines = Lines::of(&harness.build, &harness.programs);
    let programs = [Stage::Creation, Stage::Runtime].map(|stage| harness.programs.id(harness.contract, stage));
    programs.into_iter().flat_map(|program| lines.blocks(program).into_keys()).collect()
}

/// Why a finding is known, if it is.
pub(super) fn known(baseline: Option<&Baseline>, changed: Option<&ChangedLines>, finding: &Finding) -> Option<Known> {
    if baseline.is_some_and(|Baseline(ids)| ids.contains(&finding.id)) {
        return Some(Known::Baseline);
    }
    changed.filter(|changed| !changed.touch(finding)).map(|_| Known::Unchanged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_report_and_a_finding_have_ids_and_other_json_has_none() {
        let finding = |id: &str| json!({ "oracle": "assertion", "id": id });
        let report = json!({ "findings": [finding("a"), finding("b")], "ignored": [finding("c")] });
        for (json, ids) in [
            (report, Some(vec!["a", "b", "c"])),
            (json!({ "findings": [] }), Some(vec![])),
            (finding("a"), Some(vec!["a"])),
            (
                json!({ "oracle": "assertion", "id": "a", "places": [{ "id": "a" }, { "id": "b" }] }),
                Some(vec!["a", "b", "a"]),
            ),
            (json!({ "id": "a" }), None),
            (json!({ "findings": [{}] }), None),
            (json!({ "findings": {} }), None),
            (json!([]), None),
        ] {
            assert_eq!(ids_of(&json), ids.map(|ids| ids.into_iter().map(str::to_owned).collect()), "{json}");
        }
    }
}
