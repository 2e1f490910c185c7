//! [`Guidance`] is the state with which a fuzzer is guided to its targets.

use super::{schedule::Schedule, session::Session};
use crate::corpus::Entry;
use std::sync::Arc;

/// The schedule of one fuzzer and the entry that it picked.
#[derive(Debug)]
pub(super) struct Guidance {
    /// Whether the schedule is in use: the targets guide the fuzzer, and one of them is open.
    pub(super) is_on: bool,
    pub(super) schedule: Schedule,
    /// The entry that the schedule picked, and the mutations it still gets.
    pub(super) picked: Option<(Arc<Entry>, u64)>,
    /// The number of lookahead runs so far.
    pub(super) looks: u64,
    /// The version of the targets for which the objectives' distances were computed.
    pub(super) version: Option<u64>,
    /// The number of removals from the corpus that the schedule has already followed.
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
