//! A [`Problem`] is a reason why something could not be fuzzed, or another remark, with its file.

use crate::{
    compile::{Build, ContractId, LeftOut, LineIndex},
    finding::IgnoreMistake,
    fuzz::{Event, IdleIgnore, Remark},
    project::{Project, read_text},
};

/// The subject of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// A file, or the search for its compiler.
    Compiling,
    /// A contract that was not fuzzed. Its [result](super::ContractResult) has the reason as well.
    NotFuzzed,
    /// A defect of Bellwether.
    Internal,
    /// An ignore that does not do what it says. It kept nothing from being fuzzed.
    Ignore,
    /// A remark that kept nothing from being fuzzed.
    Note,
}

/// A reason why something could not be fuzzed, or another remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The subject.
    pub kind: ProblemKind,
    /// The project's root, as the user gave it.
    pub project: String,
    /// The source's name, relative to the root; empty if it concerns no file.
    pub file: String,
    /// The line, from 1; 0 if it concerns no line.
    pub line: u32,
    /// The event, and the action to take.
    pub message: String,
}

impl Problem {
    /// The problem for a reason why files are not part of a build.
    pub(super) fn of_left_out(name: &str, project: &Project, reason: &LeftOut) -> Self {
        // A file that does not compile is not part of the build, so its lines are counted in the file itself.
        let text = reason.span.and_then(|_| read_text(&reason.file).ok()).unwrap_or_default();
        let line = reason.span.map_or(1, |span| LineIndex::new(&text).line(span.start));
        let is_root = reason.file == project.root;
        Self {
            kind: ProblemKind::Compiling,
            project: name.to_owned(),
            file: if is_root { String::new() } else { project.relative(&reason.file) },
            line: if is_root { 0 } else { line },
            message: reason.message.clone(),
        }
    }

    /// The problem of a comment that ignores nothing because of a mistake.
    pub(super) fn of_ignore(project: &str, file: &str, mistake: IgnoreMistake) -> Self {
        let IgnoreMistake { line, message } = mistake;
        Self { kind: ProblemKind::Ignore, project: project.to_owned(), file: file.to_owned(), line, message }
    }

    /// What there is to say of a contract beside its findings.
    pub(super) fn of_remark(project: &str, remark: Remark) -> Self {
        Self {
            kind: ProblemKind::Note,
            project: project.to_owned(),
            file: remark.file,
            line: remark.line,
            message: remark.message,
        }
    }

    /// The problem of an ignore that matches no finding.
    pub(super) fn of_idle_ignore(name: &str, project: &Project, idle: &IdleIgnore) -> Self {
        Self {
            kind: ProblemKind::Note,
            project: name.to_owned(),
            file: project.relative(&idle.path),
            line: idle.line,
            message: idle.to_string(),
        }
    }

    /// The problem that an event of a campaign reports, if any.
    pub(super) fn of_event(project: &str, event: &Event) -> Option<Self> {
        match event {
            Event::Undeployable { harness, why, .. } => {
                let said = format!("cannot be fuzzed: {why}");
                Some(Self::of_contract(project, &harness.build, harness.contract, ProblemKind::NotFuzzed, &said))
            }
            Event::Worldless { build, contract, why, .. } => {
                let said = format!("cannot be fuzzed: {why}");
                Some(Self::of_contract(project, build, *contract, ProblemKind::NotFuzzed, &said))
            }
            Event::Oversized { harness, what, .. } => {
                let said = format!("is fuzzed, but cannot be deployed on a chain: {what}");
                Some(Self::of_contract(project, &harness.build, harness.contract, ProblemKind::Note, &said))
            }
            Event::Panicked { contract, report, .. } => Some(Self {
                kind: ProblemKind::Internal,
                project: project.to_owned(),
                file: String::new(),
                line: 0,
                message: format!("internal error while fuzzing {contract}: {report}"),
            }),
            Event::Found { .. } | Event::Shrunk { .. } | Event::Fixed { .. } | Event::Quiet { .. } => None,
        }
    }

    /// A problem of a contract, placed at the contract's first line.
    fn of_contract(project: &str, build: &Build, contract: ContractId, kind: ProblemKind, said: &str) -> Self {
        let contract = build.contract(contract);
        let source = build.source(contract.source);
        Self {
            kind,
            project: project.to_owned(),
            file: source.name.clone(),
            line: source.lines.line(contract.span.start),
            message: format!("{} {said}", contract.name),
        }
    }
}
