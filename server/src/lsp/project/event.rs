//! A [`ProjectEvent`] is an event of a project's own threads: its builder, and those that fuzz it.

use super::build::Built;
use bellwether::{finding::Finding, fuzz, harness::Harness};
use std::sync::Arc;

/// The number of a project, by the order of opening. It is never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ProjectId(pub(crate) usize);

/// Something that happened to a project.
#[derive(Debug)]
pub(crate) enum ProjectEvent {
    /// A build is done; if it differs from the last, its findings are being replayed now.
    Built(Box<Built>),
    /// The findings of the last build were replayed. These still fail, and include those found since. The contracts are fuzzed
    /// in these worlds.
    Replayed { generation: u64, findings: Vec<Arc<Finding>>, harnesses: Vec<Arc<Harness>> },
    /// The builder is idle again.
    BuilderIdle,
    /// Something happened while fuzzing.
    Fuzzed(fuzz::Event),
}

/// Receives a project's events. It is called on the project's threads and does not block.
#[derive(Clone)]
pub(crate) struct EventSink(Arc<dyn Fn(ProjectEvent) + Send + Sync>);

impl EventSink {
    /// A sink that hands each event to `listener`.
    pub(crate) fn new(listener: impl Fn(ProjectEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    /// Sends an event.
    pub(crate) fn tell(&self, event: ProjectEvent) {
        (self.0)(event);
    }
}
