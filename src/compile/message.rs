//! A [`Message`] is one error or warning of the compiler, with its place in the files of the graph. Which file causes it is
//! decided elsewhere.

use super::{
    build::{Diagnostic, Severity},
    closures::FileId,
    graph::Graph,
    span::Span,
    standard_json,
};
use crate::project::Project;
use foundry_compilers::artifacts;
use serde_json::Value;

/// An error or warning of the compiler.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) diagnostic: Diagnostic,
    /// The file that contains its place, if it has one.
    pub(super) at: Option<FileId>,
    /// Further places that it refers to, such as the contract whose function is overridden.
    pub(super) also_at: Vec<(FileId, Span)>,
}

impl Message {
    /// All messages of an output.
    pub(super) fn all(project: &Project, graph: &Graph, output: &Value) -> Vec<Self> {
        standard_json::read_errors(output).into_iter().map(|error| Self::new(project, graph, error)).collect()
    }

    /// An error that names no place.
    pub(super) fn without_place(project: &Project, message: String) -> Self {
        let diagnostic =
            Diagnostic { file: project.root.clone(), span: None, severity: Severity::Error, code: None, message };
        Self { diagnostic, at: None, also_at: Vec::new() }
    }

    pub(super) fn is_error(&self) -> bool {
        self.diagnostic.severity == Severity::Error
    }

    /// Whether a function has more variables than the stack can reach.
    pub(super) fn is_stack_too_deep(&self) -> bool {
        let message = self.diagnostic.message.to_lowercase();
        message.contains("stack too deep")
            || message.contains("too deep inside the stack")
            || message.contains("too deep in the stack")
    }

    fn new(project: &Project, graph: &Graph, error: artifacts::Error) -> Self {
        use artifacts::Severity as Solc;
        let place = |file: &str, start: i32, end: i32| {
            let id = graph.closures.id(file)?;
            Some((id, (start >= 0 && end >= start).then(|| Span::new(start as u32, end as u32))))
        };
        let location = error.source_location.as_ref();
        let placed = location.and_then(|location| place(&location.file, location.start, location.end));
        let also_at = error.secondary_source_locations.iter().filter_map(|location| {
            let (id, span) = place(location.file.as_deref()?, location.start?, location.end?)?;
            Some((id, span?))
        });
        let severity = match error.severity {
            Solc::Error => Severity::Error,
            Solc::Warning => Severity::Warning,
            Solc::Info => Severity::Info,
        };
        let file = placed.map_or(&project.root, |(id, _)| &graph.file(id).path).clone();
        let code = error.error_code.map(|code| code.to_string());
        let diagnostic =
            Diagnostic { file, span: placed.and_then(|(_, span)| span), severity, code, message: error.message };
        Self { diagnostic, at: placed.map(|(id, _)| id), also_at: also_at.collect() }
    }
}
