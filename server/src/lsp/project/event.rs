//! A [`ProjectEvent`] is what a project's own threads say: its builder, and those that fuzz it.

use super::build::Built;
use bellwether::{finding::Finding, fuzz};
use std::sync::Arc;

/// Which of the projects, by the order in which they were opened. Never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ProjectId(pub(crate) usize);

/// Something that happened to a project.
#[derive(Debug)]
pub(crate) enum ProjectEvent {
    /// A build is done; if it differs from the last, its findings are being replayed now.
    Built(Box<Built>),
    /// The findings of the last build have been replayed: these hold, and what was found since.
    Replayed { generation: u64, findings: Vec<Arc<Finding>> },
    /// The builder waits again.
    BuilderIdle,
    /// Something happened while fuzzing.
    Fuzzed(fuzz::Event),
}

/// Where a project's events go. Called from its threads: it does not block.
#[derive(Clone)]
pub(crate) struct EventSink(Arc<dyn Fn(ProjectEvent) + Send + Sync>);

impl EventSink {
    /// Hands each event to this.
    pub(crate) fn new(listener: impl Fn(ProjectEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    /// Tells of an event.
    pub(crate) fn tell(&self, event: ProjectEvent) {
        (self.0)(event);
    }
}
