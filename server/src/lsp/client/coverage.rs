//! The coverage of a file as the client gets it: the answer to `bellwether/coverage`, and the notification of that name.

use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::{Uri, notification};

/// The name of the request, and of the notification.
pub(crate) const METHOD: &str = "bellwether/coverage";

/// The lines of a file that have code, from 0, each in one list. Lines that were edited since the code was compiled are in none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileCoverage {
    /// The file.
    pub(crate) uri: Uri,
    /// The client's number of the text that the lines are of; none if the file is not open.
    pub(crate) version: Option<i32>,
    /// Lines that a run entered.
    pub(crate) reached: Vec<u32>,
    /// Lines that are neither reached nor proved to be unreachable.
    pub(crate) open: Vec<u32>,
    /// Lines that no call reaches, which is proved.
    pub(crate) unreachable: Vec<u32>,
    /// Lines that the failing call of a finding runs.
    pub(crate) failing: Vec<u32>,
}

/// The notification.
#[derive(Debug)]
pub(crate) enum Notification {}

impl notification::Notification for Notification {
    type Params = FileCoverage;
    const METHOD: &'static str = METHOD;
}
