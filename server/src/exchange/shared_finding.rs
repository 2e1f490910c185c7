//! A [`SharedFinding`] is what a record says of a finding: enough to name it to people.

use bellwether::corpus::exchange::Record;
use serde::Deserialize;

/// A finding that a machine shared. Nobody has checked what it says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SharedFinding {
    /// Where it fails.
    pub(crate) file: String,
    pub(crate) line: u64,
    pub(crate) oracle: String,
    /// The contract that was fuzzed.
    pub(crate) contract: String,
    /// The hash that names it, on all machines the same.
    pub(crate) id: String,
}

impl SharedFinding {
    /// The finding of a record; none if that says nothing of one.
    pub(super) fn read(record: &Record) -> Option<Self> {
        serde_json::from_str(&record.text).ok().filter(|finding: &Self| !finding.id.is_empty())
    }
}
