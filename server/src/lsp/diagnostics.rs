//! What is known becomes the protocol's diagnostics here: findings, what the compiler said, and what is wrong with a project's
//! configuration. When they are sent is `publish`'s business.

use super::{
    builder::{Compiled, Failure},
    capabilities::Capabilities,
    documents::Documents,
    project::FuzzedProject,
};
use bellwether::{
    compile::{self, Severity, SourceId, Span},
    finding::{Finding, Step},
    project::{CompilerDiagnostics, Level, ProjectError, Role},
};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};
use tower_lsp_server::ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, Range, Uri,
};

/// The source of our own diagnostics.
const OURS: &str = "bellwether";
/// The source of the compiler's.
const SOLC: &str = "solc";

/// What it takes to make diagnostics.
#[derive(Debug, Clone, Copy)]
pub(super) struct Maker<'a> {
    pub(super) documents: &'a Documents,
    pub(super) capabilities: &'a Capabilities,
}

/// Whether it is a finding. What is wrong with a configuration is ours too, but has no oracle.
pub(super) fn is_finding(diagnostic: &Diagnostic) -> bool {
    diagnostic.source.as_deref() == Some(OURS) && diagnostic.code.is_some()
}

/// The files that a project has anything to say about.
pub(super) fn files(project: &FuzzedProject) -> BTreeSet<PathBuf> {
    let mut files: BTreeSet<PathBuf> = project.findings().map(|finding| finding.path.clone()).collect();
    if let Some(compiled) = &project.compiled {
        // What concerns no file in particular is told in the log.
        let placed = compiled.build.diagnostics.iter().filter(|said| said.file != compiled.project.root);
        files.extend(placed.map(|said| said.file.clone()));
        files.extend(compiled.project.warnings.iter().filter_map(|warning| warning.file.clone()));
    }
    files.extend(project.failure.as_ref().and_then(place_of_failure).map(|(file, _)| file.to_owned()));
    files
}

impl Maker<'_> {
    /// All that a project has to say about a file.
    pub(super) fn of_file(self, project: &FuzzedProject, path: &Path) -> Vec<Diagnostic> {
        let findings = project.findings().filter(|finding| finding.path == path);
        let mut diagnostics: Vec<Diagnostic> = findings.filter_map(|finding| self.of_finding(finding)).collect();
        if let Some(compiled) = &project.compiled {
            let said = compiled.build.diagnostics.iter().filter(|said| said.file == path && is_wanted(compiled, said));
            diagnostics.extend(said.filter_map(|said| self.of_compiler(compiled, said)));
            let warnings = compiled.project.warnings.iter().filter(|warning| warning.file.as_deref() == Some(path));
            diagnostics.extend(
                warnings.map(|warning| ours(warning.line, DiagnosticSeverity::WARNING, warning.message.clone())),
            );
        }
        if let Some(failure) = &project.failure
            && let Some((file, line)) = place_of_failure(failure)
            && file == path
            && let Failure::Project(error) = failure
        {
            diagnostics.push(ours(line, DiagnosticSeverity::ERROR, error.to_string()));
        }
        diagnostics
    }

    /// Where a finding is now; none while its lines are being edited.
    pub(super) fn place(self, finding: &Finding) -> Option<Range> {
        let source = finding.subject.build.source(finding.violation.source);
        self.documents.locate(&finding.path, &source.text, finding.span)
    }

    /// A finding; none while its lines are being edited.
    pub(super) fn of_finding(self, finding: &Finding) -> Option<Diagnostic> {
        let related = || {
            finding
                .story
                .steps
                .iter()
                .enumerate()
                .filter_map(|(index, step)| self.related(finding, index, step))
                .collect()
        };
        Some(Diagnostic {
            range: self.place(finding)?,
            severity: Some(match finding.level {
                Level::Error => DiagnosticSeverity::ERROR,
                Level::Warning => DiagnosticSeverity::WARNING,
                Level::Information => DiagnosticSeverity::INFORMATION,
                Level::Hint | Level::Off => DiagnosticSeverity::HINT,
            }),
            code: Some(NumberOrString::String(finding.violation.oracle.to_owned())),
            source: Some(OURS.to_owned()),
            message: format!("{}: {}", finding.violation.cause.describe(), finding.story.calls(" → ")),
            related_information: self.capabilities.related_information.then(related),
            data: self.capabilities.diagnostic_data.then(|| Value::String(finding.id.clone())),
            ..Diagnostic::default()
        })
    }

    /// One call, at the function that it calls; the deployment, at the contract.
    fn related(self, finding: &Finding, index: usize, step: &Step) -> Option<DiagnosticRelatedInformation> {
        let contract = finding.subject.compiled();
        let deployment = (index == 0).then_some((contract.source, contract.span));
        let location = self.location(finding, step.definition.or(deployment)?)?;
        let wait = if step.wait.is_empty() { String::new() } else { format!("after {}, ", step.wait) };
        let message = format!("{}. {wait}{}: {} → {}", index + 1, step.sender, step.call, step.result);
        Some(DiagnosticRelatedInformation { location, message })
    }

    /// The first line of a definition. Where it is being edited, where it was.
    fn location(self, finding: &Finding, (source, span): (SourceId, Span)) -> Option<Location> {
        let source = finding.subject.build.source(source);
        let line = span.text(&source.text).lines().next().unwrap_or("").trim_end();
        let span = Span::new(span.start, span.start + line.len() as u32);
        let range = self.documents.locate(&source.path, &source.text, span);
        let range = range.unwrap_or_else(|| self.documents.range(&source.text, span));
        Some(Location::new(self.uri(&source.path)?, range))
    }

    fn of_compiler(self, compiled: &Compiled, said: &compile::Diagnostic) -> Option<Diagnostic> {
        let text = match compiled.build.source_at(&said.file) {
            Some(source) => &compiled.build.source(source).text,
            None => compiled.texts.get(&said.file).map_or("", String::as_str),
        };
        let range = match said.span {
            Some(span) => self.documents.locate(&said.file, text, span)?,
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

    /// The address of a file: as the client writes it, where it has it open.
    pub(super) fn uri(self, path: &Path) -> Option<Uri> {
        self.documents.get(path).map(|document| document.uri.clone()).or_else(|| Uri::from_file_path(path))
    }
}

/// Whether the settings want this shown. Errors count wherever they are; what else the compiler says of dependencies is not for
/// the people who use them.
fn is_wanted(compiled: &Compiled, said: &compile::Diagnostic) -> bool {
    match compiled.project.config.compiler_diagnostics.unwrap_or(CompilerDiagnostics::Errors) {
        CompilerDiagnostics::Off => false,
        CompilerDiagnostics::Errors => said.severity == Severity::Error,
        CompilerDiagnostics::All => {
            said.severity == Severity::Error || compiled.project.role(&said.file) != Role::Dependency
        }
    }
}

/// The file that keeps a project from being read, and the line in it.
fn place_of_failure(failure: &Failure) -> Option<(&Path, Option<usize>)> {
    match failure {
        Failure::Project(ProjectError::Syntax { file, line, .. } | ProjectError::Value { file, line, .. }) => {
            Some((file, Some(*line)))
        }
        Failure::Project(ProjectError::Unreadable { file, .. }) => Some((file, None)),
        Failure::Project(ProjectError::Missing { .. } | ProjectError::NotAFolder { .. })
        | Failure::Panic(_)
        | Failure::Superseded => None,
    }
}

/// About a line of a configuration file, counted from 1.
fn ours(line: Option<usize>, severity: DiagnosticSeverity, message: String) -> Diagnostic {
    let line = line.map_or(0, |line| line.saturating_sub(1)) as u32;
    let range = Range::new(Position::new(line, 0), Position::new(line + 1, 0));
    Diagnostic { range, severity: Some(severity), source: Some(OURS.to_owned()), message, ..Diagnostic::default() }
}
