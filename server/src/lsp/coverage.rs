//! Coverage: which lines of a file were reached, and which call of a finding runs them. It is answered as a request
//! (`requests/coverage.rs`), and told of open files by `coverage_news.rs`.

use super::{client::coverage::FileCoverage, documents::Documents, project::results::Results};
use bellwether::{
    compile::{Source, Span},
    fuzz::BlockState,
    project::FileRole,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};
use tower_lsp_server::ls_types::Range;

/// The coverage of a file of which nothing is shown.
pub(super) fn none(documents: &Documents, path: &Path) -> Option<FileCoverage> {
    Some(FileCoverage {
        uri: documents.uri(path)?,
        version: documents.get(path).map(|document| document.version),
        reached: Vec::new(),
        open: Vec::new(),
        unreachable: Vec::new(),
        failing: Vec::new(),
    })
}

/// The state of a line, the one first that hides the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LineState {
    Failing,
    Reached,
    Open,
    Unreachable,
}

impl From<BlockState> for LineState {
    fn from(state: BlockState) -> Self {
        match state {
            BlockState::Reached => Self::Reached,
            BlockState::Open => Self::Open,
            BlockState::Unreachable => Self::Unreachable,
        }
    }
}

/// The coverage of the files that `is_wanted` holds for, dependencies left out, in the order of their paths.
pub(super) fn of_files(
    projects: &[Arc<Results>],
    documents: &Documents,
    is_wanted: impl Fn(&Path) -> bool,
) -> BTreeMap<PathBuf, FileCoverage> {
    let mut states: BTreeMap<PathBuf, BTreeMap<u32, LineState>> = BTreeMap::new();
    for results in projects {
        let failing = failing_lines(results);
        for file in results.survey().files(|path| is_wanted(path) && is_own(results, path)) {
            let path = &file.source.path;
            let failing = failing.get(&**path).into_iter().flatten().map(|line| (*line, LineState::Failing));
            let lines = file.lines.into_iter().map(|(line, state)| (line, state.into())).chain(failing);
            let placed = states.entry(path.clone()).or_default();
            place(documents, file.source, results.text_on_disk(path), lines, placed);
        }
    }
    let coverage = |(path, lines): (PathBuf, BTreeMap<u32, LineState>)| {
        let mut coverage = none(documents, &path)?;
        for (line, state) in lines {
            let list = match state {
                LineState::Failing => &mut coverage.failing,
                LineState::Reached => &mut coverage.reached,
                LineState::Open => &mut coverage.open,
                LineState::Unreachable => &mut coverage.unreachable,
            };
            list.push(line);
        }
        Some((path, coverage))
    };
    states.into_iter().filter_map(coverage).collect()
}

/// Whether a file belongs to the project itself.
fn is_own(results: &Results, path: &Path) -> bool {
    let project = results.compiled.as_ref().map(|compiled| &compiled.project);
    project.is_some_and(|project| project.role(path) != FileRole::Dependency)
}

/// A line that no run reached.
#[derive(Debug)]
pub(super) struct UnreachedLine<'a> {
    /// The results that know of it.
    pub(super) results: &'a Results,
    /// The line in the text that was compiled, from 1.
    pub(super) line: u32,
    /// What is on it, where that is now.
    pub(super) range: Range,
}

/// The line of a file that is at this place now, from 0, if no run of any project reached it, and it was not edited since.
pub(super) fn unreached_at<'a>(
    projects: &'a [Arc<Results>],
    documents: &Documents,
    path: &Path,
    place: u32,
) -> Option<UnreachedLine<'a>> {
    let of_project = |results: &'a Results| {
        let file = results.survey().files(|it| it == path && is_own(results, it)).pop()?;
        let tracker = documents.tracker(path, &file.source.text, results.text_on_disk(path));
        let range_of = |line| tracker.locate(file.source.code_on(line)?)?.unedited();
        let mut lines = file.lines.iter().map(|(line, state)| (*line, *state, range_of(*line)));
        lines.find_map(|(line, state, range)| {
            let range = range.filter(|range| range.start.line == place)?;
            let fails = || failing_lines(results).get(path).is_some_and(|failing| failing.contains(&line));
            let is_reached = state == BlockState::Reached || fails();
            Some((!is_reached).then_some(UnreachedLine { results, line, range }))
        })
    };
    let here: Option<Vec<UnreachedLine<'_>>> = projects.iter().filter_map(|results| of_project(results)).collect();
    here?.into_iter().next()
}

/// The lines that the failing calls of findings run, by file, from 1.
fn failing_lines(results: &Results) -> BTreeMap<&Path, BTreeSet<u32>> {
    let mut lines: BTreeMap<&Path, BTreeSet<u32>> = BTreeMap::new();
    for finding in results.findings() {
        for (source, line) in &finding.passed {
            lines.entry(&finding.harness.build.source(*source).path).or_default().insert(*line);
        }
    }
    lines
}

/// Adds lines where they are now, from 0.
fn place(
    documents: &Documents,
    source: &Source,
    on_disk: Option<&str>,
    lines: impl Iterator<Item = (u32, LineState)>,
    placed: &mut BTreeMap<u32, LineState>,
) {
    let tracker = documents.tracker(&source.path, &source.text, on_disk);
    for (line, state) in lines {
        let start = source.lines.start(line);
        let range = start.and_then(|start| tracker.locate(Span::new(start, start))?.unedited());
        if let Some(range) = range {
            let known = placed.entry(range.start.line).or_insert(state);
            *known = (*known).min(state);
        }
    }
}
