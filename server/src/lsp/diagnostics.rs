//! Makes the protocol's diagnostics of findings, of the compiler's messages, and of problems of a project's configuration.
//! `publish` sends them.

use super::{
    client::capabilities::Capabilities,
    documents::{Documents, TrackedRange},
    pages,
    project::{
        FuzzedProject,
        build::{BuildFailure, Compiled},
        results::{NotFuzzed, Results},
        targets::{TargetLines, UnreachedLine},
    },
};
use bellwether::{
    compile::{self, Severity, SourceId, Span},
    finding::{Finding, Pattern, Step, TurningPoint},
    fuzz::{IdleIgnore, Remark},
    project::{CompilerDiagnostics, FileRole, Level, ProjectError},
};
use serde_json::Value;
use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
};
use tower_lsp_server::ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position,
    Range,
};

/// The source of our own diagnostics.
const OURS: &str = "bellwether";
/// The source of the compiler's diagnostics.
const SOLC: &str = "solc";

/// The code of what is told of targets.
const TARGET: &str = "target";
/// The code of diagnostics about contracts that are not fuzzed.
const NOT_FUZZED: &str = "not-fuzzed";

/// Follows the calls of a finding that may still become fewer.
const NOT_SHRUNK: &str = " (not shortened yet)";

/// The data that diagnostics are made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiagnosticsContext<'a> {
    pub(super) documents: &'a Documents,
    pub(super) capabilities: &'a Capabilities,
    /// Whether it stands beside the hover, which does not tell then what was compared and what each call changed.
    pub(super) is_beside_hover: bool,
}

/// Whether it is a finding, perhaps a stale one. Problems of the configuration have our source too, but no oracle.
pub(super) fn is_finding(diagnostic: &Diagnostic) -> bool {
    let is_oracle =
        |code: &NumberOrString| matches!(code, NumberOrString::String(code) if code != TARGET && code != NOT_FUZZED);
    diagnostic.source.as_deref() == Some(OURS) && diagnostic.code.as_ref().is_some_and(is_oracle)
}

/// The files with diagnostics of a project.
pub(super) fn files(project: &FuzzedProject) -> BTreeSet<PathBuf> {
    let results = project.results();
    let mut files: BTreeSet<PathBuf> = results.findings().map(|finding| finding.path.clone()).collect();
    if let Some(compiled) = &results.compiled {
        // Messages about no particular file go to the log.
        let placed = compiled.build.diagnostics.iter().filter(|said| said.file != compiled.project.root);
        files.extend(placed.map(|said| said.file.clone()));
        files.extend(compiled.project.warnings.iter().filter_map(|warning| warning.file.clone()));
    }
    files.extend(results.idle_ignores().map(|idle| idle.path.clone()));
    files.extend(results.remarks().map(|remark| remark.path.clone()));
    files.extend(results.not_fuzzed().map(|contract| contract.source().path.clone()));
    files.extend(project.shown_targets().into_iter().flat_map(|targets| targets.files().cloned()));
    files.extend(results.failure.as_deref().and_then(place_of_failure).map(|(file, _)| file.to_owned()));
    files
}

/// The facts of a project by file, indexed once for all files.
pub(super) struct ByFile<'a> {
    results: &'a Results,
    targets: Option<&'a TargetLines>,
    findings: HashMap<&'a Path, Vec<Pattern<'a>>>,
    said: HashMap<&'a Path, Vec<&'a compile::Diagnostic>>,
}

impl<'a> ByFile<'a> {
    pub(super) fn of(project: &'a FuzzedProject) -> Self {
        let results = project.results();
        let (mut findings, mut said) = (HashMap::<&Path, Vec<Pattern<'_>>>::new(), HashMap::<&Path, Vec<_>>::new());
        for pattern in results.patterns() {
            findings.entry(&pattern.finding.path).or_default().push(pattern);
        }
        for diagnostic in results.compiled.iter().flat_map(|compiled| &compiled.build.diagnostics) {
            said.entry(&diagnostic.file).or_default().push(diagnostic);
        }
        Self { results, targets: project.shown_targets(), findings, said }
    }
}

impl DiagnosticsContext<'_> {
    /// All diagnostics of a file.
    pub(super) fn of_file(self, by_file: &ByFile<'_>, path: &Path) -> Vec<Diagnostic> {
        let results = by_file.results;
        let findings = by_file.findings.get(path).into_iter().flatten();
        let mut diagnostics: Vec<Diagnostic> =
            findings.filter_map(|pattern| self.of_finding(results, pattern)).collect();
        let targets = by_file.targets.into_iter().flat_map(|targets| targets.unreached_in(path));
        diagnostics.extend(targets.filter_map(|unreached| self.of_target(results, path, &unreached)));
        let left_out = results.not_fuzzed().filter(|contract| contract.source().path == path);
        diagnostics.extend(left_out.filter_map(|contract| self.of_left_out(results, contract)));
        if let Some(compiled) = &results.compiled {
            let said = by_file.said.get(path).into_iter().flatten().filter(|said| is_wanted(compiled, said));
            diagnostics.extend(said.filter_map(|said| self.of_compiler(compiled, said)));
            let warnings = compiled.project.warnings.iter().filter(|warning| warning.file.as_deref() == Some(path));
            let severity = DiagnosticSeverity::WARNING;
            diagnostics.extend(
                warnings.filter_map(|warning| {
                    self.on_line(compiled, path, warning.line, severity, warning.message.clone())
                }),
            );
            let idle = results.idle_ignores().filter(|idle| idle.path == path);
            let hint = |idle: &IdleIgnore| {
                self.on_line(compiled, path, Some(idle.line as usize), DiagnosticSeverity::HINT, idle.to_string())
            };
            diagnostics.extend(idle.filter_map(hint));
            let remarks = results.remarks().filter(|remark| remark.path == path);
            let information = |remark: &Remark| {
                let severity = DiagnosticSeverity::INFORMATION;
                self.on_line(compiled, path, Some(remark.line as usize), severity, remark.message.clone())
            };
            diagnostics.extend(remarks.filter_map(information));
        }
        if let Some(failure) = results.failure.as_deref()
            && let Some((file, line)) = place_of_failure(failure)
            && file == path
            && let BuildFailure::Project(error) = failure
        {
            diagnostics.push(ours(line, DiagnosticSeverity::ERROR, error.to_string()));
        }
        diagnostics
    }

    /// The diagnostic of a finding; `None` if its lines are gone. If they were edited, nobody knows whether it still fails, and
    /// the message says so.
    pub(super) fn of_finding(self, results: &Results, pattern: &Pattern<'_>) -> Option<Diagnostic> {
        let Pattern { finding, copies } = pattern;
        let place = results.locate(finding, self.documents)?;
        let pending = if finding.shrunk { "" } else { NOT_SHRUNK };
        let more = match copies.len() {
            0 => String::new(),
            1 => " (and in 1 copy)".to_owned(),
            several => format!(" (and in {several} copies)"),
        };
        let message = format!("{}{more}{pending}", finding.told(" → "));
        let page = self.capabilities.code_description.then(|| pages::of_oracle(finding.violation.oracle)).flatten();
        let shared = Diagnostic {
            range: place.range,
            code: Some(NumberOrString::String(finding.violation.oracle.to_owned())),
            code_description: page.map(|href| CodeDescription { href }),
            source: Some(OURS.to_owned()),
            data: self.capabilities.diagnostic_data.then(|| Value::String(finding.id.clone())),
            ..Diagnostic::default()
        };
        if place.edited {
            let message = format!("before this was edited: {message}");
            return Some(Diagnostic { severity: Some(DiagnosticSeverity::HINT), message, ..shared });
        }
        let related = || {
            let steps = finding.story.steps.iter().enumerate();
            let steps = steps.filter_map(|(index, step)| self.related(finding, index, step));
            let steps =
                steps.chain(finding.turning_point.as_ref().and_then(|point| self.related_write(finding, point)));
            steps.chain(copies.iter().filter_map(|copy| self.related_copy(results, copy))).collect()
        };
        let compared = self.is_beside_hover.then(|| finding.comparison.told()).flatten();
        let compared = compared.map(|compared| format!("\n{}", compared.replace('`', ""))).unwrap_or_default();
        Some(Diagnostic {
            severity: Some(match finding.level {
                Level::Error => DiagnosticSeverity::ERROR,
                Level::Warning => DiagnosticSeverity::WARNING,
                Level::Information => DiagnosticSeverity::INFORMATION,
                Level::Hint | Level::Off => DiagnosticSeverity::HINT,
            }),
            message: message + &compared,
            related_information: self.capabilities.related_information.then(related),
            ..shared
        })
    }

    /// A diagnostic on a line of a file, counted from 1; `None` while that line of a source is being edited.
    fn on_line(
        self,
        compiled: &Compiled,
        path: &Path,
        line: Option<usize>,
        severity: DiagnosticSeverity,
        message: String,
    ) -> Option<Diagnostic> {
        let shown = ours(line, severity, message);
        let (Some(source), Some(line)) = (compiled.build.source_at(path), line) else { return Some(shown) };
        let text = &compiled.build.source(source).text;
        let start = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
        let written = text[start..].lines().next().unwrap_or_default();
        let indent = written.len() - written.trim_start().len();
        let span = Span::new((start + indent) as u32, (start + written.trim_end().len()) as u32);
        let range = self.documents.locate(path, text, span, None)?.unedited()?;
        Some(Diagnostic { range, ..shown })
    }

    /// The diagnostic of a changed line that was not reached; `None` while the line is being edited.
    fn of_target(self, results: &Results, path: &Path, unreached: &UnreachedLine<'_>) -> Option<Diagnostic> {
        let place = self.documents.locate(path, unreached.text, unreached.span, results.text_on_disk(path))?;
        Some(Diagnostic {
            range: place.unedited()?,
            severity: Some(DiagnosticSeverity::HINT),
            code: Some(NumberOrString::String(TARGET.to_owned())),
            source: Some(OURS.to_owned()),
            message: unreached.words.to_owned(),
            ..Diagnostic::default()
        })
    }

    /// The diagnostic on the name of a contract that is not fuzzed, with the reason; `None` while the name is being edited.
    fn of_left_out(self, results: &Results, left_out: &NotFuzzed) -> Option<Diagnostic> {
        let source = left_out.source();
        let name = left_out.build.name_span(left_out.contract);
        let place = self.documents.locate(&source.path, &source.text, name, results.text_on_disk(&source.path))?;
        let remedy = "To have it fuzzed, add a test contract whose `setUp()` deploys it; to silence this note, add its file to \
                      `bellwether.exclude`.";
        Some(Diagnostic {
            range: place.unedited()?,
            severity: Some(DiagnosticSeverity::INFORMATION),
            code: Some(NumberOrString::String(NOT_FUZZED.to_owned())),
            source: Some(OURS.to_owned()),
            message: format!("{left_out}. {remedy}"),
            ..Diagnostic::default()
        })
    }

    /// One call, placed at the function that it calls, or for the deployment at the contract.
    fn related(self, finding: &Finding, index: usize, step: &Step) -> Option<DiagnosticRelatedInformation> {
        let contract = finding.harness.compiled();
        let deployment = (index == 0).then_some((contract.source, contract.span));
        let location = self.location(finding, step.definition.or(deployment)?)?;
        let wait = if step.wait.is_empty() { String::new() } else { format!("after {}, ", step.wait) };
        let mut message = format!("{}. {wait}{}: {} → {}", index + 1, step.sender, step.call, step.ending);
        for change in step.told_changes().filter(|_| self.is_beside_hover) {
            message += &format!("\n     {change}");
        }
        Some(DiagnosticRelatedInformation { location, message })
    }

    /// The write after which a property does not hold any more.
    fn related_write(self, finding: &Finding, point: &TurningPoint) -> Option<DiagnosticRelatedInformation> {
        let location = self.location(finding, point.write?)?;
        let call = &finding.story.steps.get(point.step)?.call;
        let message = format!("after {call} wrote this, the property no longer holds");
        Some(DiagnosticRelatedInformation { location, message })
    }

    /// The same code in another contract.
    fn related_copy(self, results: &Results, copy: &Finding) -> Option<DiagnosticRelatedInformation> {
        let range = results.locate(copy, self.documents)?.range;
        let location = Location::new(self.documents.uri(&copy.path)?, range);
        Some(DiagnosticRelatedInformation { location, message: format!("the same in {}", copy.contract) })
    }

    /// The first line of a definition; while it is being edited, its last known place.
    fn location(self, finding: &Finding, (source, span): (SourceId, Span)) -> Option<Location> {
        let source = finding.harness.build.source(source);
        let line = span.text(&source.text).lines().next().unwrap_or("").trim_end();
        let span = Span::new(span.start, span.start + line.len() as u32);
        let place = self.documents.locate(&source.path, &source.text, span, None);
        let range = place.and_then(TrackedRange::unedited).unwrap_or_else(|| self.documents.range(&source.text, span));
        Some(Location::new(self.documents.uri(&source.path)?, range))
    }

    fn of_compiler(self, compiled: &Compiled, said: &compile::Diagnostic) -> Option<Diagnostic> {
        let text = match compiled.build.source_at(&said.file) {
            Some(source) => &compiled.build.source(source).text,
            None => compiled.texts.get(&said.file).map_or("", String::as_str),
        };
        let range = match said.span {
            Some(span) => self.documents.locate(&said.file, text, span, None)?.unedited()?,
            None => Range::default(),
        };
        let severity = match said.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Info => DiagnosticSeverity::INFORMATION,
        };
        Some(Diagnostic {
            range,
            severity: Some(severity),
            code: said.code.clone().map(NumberOrString::String),
            source: Some(SOLC.to_owned()),
            message: said.message.clone(),
            ..Diagnostic::default()
        })
    }
}

/// Whether the settings ask for this diagnostic. Errors are shown wherever they are; warnings in dependencies are not.
fn is_wanted(compiled: &Compiled, said: &compile::Diagnostic) -> bool {
    match compiled.project.config.compiler_diagnostics.unwrap_or(CompilerDiagnostics::Errors) {
        CompilerDiagnostics::Off => false,
        CompilerDiagnostics::Errors => said.severity == Severity::Error,
        CompilerDiagnostics::All => {
            said.severity == Severity::Error || compiled.project.role(&said.file) != FileRole::Dependency
        }
    }
}

/// The configuration file that could not be read, and the line in it.
fn place_of_failure(failure: &BuildFailure) -> Option<(&Path, Option<usize>)> {
    match failure {
        BuildFailure::Project(ProjectError::Syntax { file, line, .. } | ProjectError::Value { file, line, .. }) => {
            Some((file, Some(*line)))
        }
        BuildFailure::Project(ProjectError::Unreadable { file, .. }) => Some((file, None)),
        BuildFailure::Project(ProjectError::Missing { .. } | ProjectError::NotAFolder { .. })
        | BuildFailure::Panic(_)
        | BuildFailure::Superseded => None,
    }
}

/// A diagnostic on a line of a configuration file, counted from 1.
fn ours(line: Option<usize>, severity: DiagnosticSeverity, message: String) -> Diagnostic {
    let line = line.map_or(0, |line| line.saturating_sub(1)) as u32;
    let range = Range::new(Position::new(line, 0), Position::new(line + 1, 0));
    Diagnostic { range, severity: Some(severity), source: Some(OURS.to_owned()), message, ..Diagnostic::default() }
}
