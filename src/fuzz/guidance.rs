//! [`Guidance`] is what a fuzzer knows of the way to its targets.

use super::{schedule::Schedule, session::Session};
use crate::corpus::Entry;
use std::sync::Arc;

/// What a fuzzer knows of the way to the targets.
#[derive(Debug)]
pub(super) struct Guidance {
    /// Whether the schedule turns to targets: somebody named them, and one is open.
    pub(super) is_on: bool,
    pub(super) schedule: Schedule,
    /// What the schedule picked, and how often it is to be mutated still.
    pub(super) picked: Option<(Arc<Entry>, u64)>,
    /// How often it looked ahead.
    pub(super) looks: u64,
    /// The version of the targets that objectives are ordered by.
    pub(super) version: Option<u64>,
    /// The departures of entries from the corpus that the schedule has followed.
    pub(super) departures: u64,
}

impl Guidance {
    pub(super) fn new(session: &Session) -> Self {
        let techniques = session.techniques;
        Self {
            is_on: session.targets.guide(),
            schedule: Schedule::new(techniques.lookahead, techniques.rare_split_points),
            picked: None,
            looks: 0,
            version: None,
            departures: 0,
        }
    }
}
