//! What became of records that were to be carried away, and why a meeting place cannot be used.

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

/// What to do where nothing is wrong on this side.
pub(super) const TRY_AGAIN: &str = "try again, or leave the option out";

/// Why a meeting place cannot be used, and what to do.
#[derive(Debug)]
pub(super) struct Unusable {
    pub(super) what: String,
    pub(super) remedy: &'static str,
}

impl Unusable {
    /// Nothing is there of machines that shared.
    pub(super) fn unused() -> Self {
        Self {
            what: "no fleet left anything here".to_owned(),
            remedy: "check the address, or begin one with `bellwether fuzz --join`",
        }
    }
}
