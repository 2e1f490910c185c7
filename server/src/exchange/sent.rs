//! What became of records that were to be carried away, and what is kept at a place.

use super::record_name::RecordName;
use bellwether::corpus::exchange::Record;

/// What became of records.
#[derive(Debug, Default)]
pub(super) struct Sent {
    /// How many arrived.
    pub(super) count: u64,
    /// How many of those had been there before.
    pub(super) known_there: u64,
    /// Those that did not arrive.
    pub(super) failed: Vec<Record>,
    /// Why the first of them did not.
    pub(super) why: Option<String>,
}

impl Sent {
    pub(super) fn count(&mut self, was_there: bool) {
        self.count += 1;
        self.known_there += u64::from(was_there);
    }

    pub(super) fn fail(&mut self, record: Record, why: String) {
        self.failed.push(record);
        self.why.get_or_insert(why);
    }
}

/// What was shared at a place.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// How many sequences.
    pub(super) entries: u64,
    /// The records of findings, each finding as often as it was told anew.
    pub(super) findings: Vec<RecordName>,
}
