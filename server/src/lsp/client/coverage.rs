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

/// The notification of that name.
#[derive(Debug)]
pub(crate) enum Notification {}

impl notification::Notification for Notification {
    type Params = FileCoverage;
    const METHOD: &'static str = METHOD;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_the_protocol_says_what_is_sent() {
        let page = include_str!("../../../../docs/protocol.md");
        assert!(page.contains(&format!("\n## `{METHOD}`\n")));
        let (_, table) = page.split_once("\n| of a file |").unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let cells: Vec<&str> = rows.map(|row| row.split('|').nth(1).unwrap().trim().trim_matches('`')).collect();
        let uri = "file:///a.sol".parse().unwrap();
        let (reached, open, unreachable, failing) = Default::default();
        let sent = FileCoverage { uri, version: None, reached, open, unreachable, failing };
        let sent = serde_json::to_value(sent).unwrap();
        assert_eq!(cells, sent.as_object().unwrap().keys().collect::<Vec<_>>());
    }
}
