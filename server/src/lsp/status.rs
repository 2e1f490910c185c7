//! The [`Status`] is what the server is doing, for an editor's status bar: the notification `bellwether/status`, which the
//! VS Code client knows. It is told when it changes, and at most once a second.

use super::targets::Counts;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tower_lsp_server::ls_types::notification;

/// The least time between two notifications.
const PAUSE: Duration = Duration::from_secs(1);

/// What is being done; of several projects, the first in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Doing {
    Compiling,
    Fuzzing,
    Error,
    Paused,
    Quiet,
}

/// The parameters of `bellwether/status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Status {
    /// What is being done.
    pub(super) state: Doing,
    /// How many contracts are fuzzed.
    pub(super) contracts: usize,
    /// How many are not, although they should be.
    pub(super) not_fuzzed: usize,
    /// Transactions a second.
    pub(super) executions_per_second: u64,
    /// How many findings are shown.
    pub(super) findings: usize,
    /// How what the last save made worth reaching stands, line by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) targets: Option<Counts>,
    /// What else there is to know, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
}

/// `bellwether/status`, a notification to the client.
#[derive(Debug)]
pub(super) enum Notification {}

impl notification::Notification for Notification {
    type Params = Status;
    const METHOD: &'static str = "bellwether/status";
}

/// Decides when the status is told.
#[derive(Debug, Default)]
pub(super) struct Teller {
    told: Option<(Instant, Status)>,
}

impl Teller {
    /// Gives the status back if it is to be told now.
    pub(super) fn tell(&mut self, now: Instant, status: Status) -> Option<Status> {
        if self.told.as_ref().is_some_and(|(at, last)| *last == status || now < *at + PAUSE) {
            return None;
        }
        self.told = Some((now, status.clone()));
        Some(status)
    }

    /// When this status can be told, if it has to be.
    pub(super) fn due(&self, status: &Status) -> Option<Instant> {
        let (at, last) = self.told.as_ref()?;
        (last != status).then(|| *at + PAUSE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(state: Doing) -> Status {
        Status {
            state,
            contracts: 1,
            not_fuzzed: 4,
            executions_per_second: 2,
            findings: 3,
            targets: None,
            message: None,
        }
    }

    #[test]
    fn changes_are_told_once_a_second_at_most() {
        let start = Instant::now();
        let mut teller = Teller::default();
        let mut tell =
            |milliseconds, state| teller.tell(start + Duration::from_millis(milliseconds), status(state)).is_some();
        assert!(tell(0, Doing::Compiling));
        assert!(!tell(10, Doing::Fuzzing), "too soon");
        assert!(!tell(999, Doing::Fuzzing));
        assert!(tell(1_000, Doing::Fuzzing));
        assert!(!tell(9_000, Doing::Fuzzing), "nothing new");
        assert!(tell(9_001, Doing::Quiet));
        assert_eq!(teller.due(&status(Doing::Quiet)), None);
        assert_eq!(teller.due(&status(Doing::Error)), Some(start + Duration::from_millis(10_001)));
    }

    use super::super::capabilities::Capabilities;

    /// The first cells of the table that follows a heading cell, without their quotes.
    fn cells(heading: &str) -> Vec<&'static str> {
        let page = include_str!("../../../docs/protocol.md");
        let (_, table) =
            page.split_once(&format!("\n| {heading} |")).unwrap_or_else(|| panic!("no table of {heading}"));
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        rows.map(|row| row.split('|').nth(1).unwrap().trim().trim_matches('`')).collect()
    }

    #[test]
    fn the_page_of_the_protocol_says_what_is_sent() {
        let page = include_str!("../../../docs/protocol.md");
        assert!(page.contains(&format!("\n## `{}`\n", <Notification as notification::Notification>::METHOD)));
        // One more or one less does not compile here.
        let all = |doing| match doing {
            Doing::Compiling | Doing::Fuzzing | Doing::Error | Doing::Paused | Doing::Quiet => {
                [Doing::Compiling, Doing::Fuzzing, Doing::Error, Doing::Paused, Doing::Quiet]
            }
        };
        let words: Vec<String> = all(Doing::Quiet)
            .iter()
            .map(|doing| serde_json::to_value(doing).unwrap().as_str().unwrap().to_owned())
            .collect();
        assert_eq!(cells("state"), words);
        let targets = Some(Counts::default());
        let message = Some(String::new());
        let whole = serde_json::to_value(Status { targets, message, ..status(Doing::Quiet) }).unwrap();
        let fields: Vec<&String> = whole.as_object().unwrap().keys().collect();
        assert_eq!(cells("field"), fields);
        let counts: Vec<&String> = whole["targets"].as_object().unwrap().keys().collect();
        assert_eq!(cells("count"), counts);
        let editor = format!("\n## `{}`\n", super::super::attention::ACTIVE_EDITOR);
        assert!(page.contains(&editor));
        let commands = Capabilities { apply_edit: true, show_document: true, ..Capabilities::default() };
        assert_eq!(cells("command"), super::super::execute_command::offered(commands).collect::<Vec<_>>());
    }

    #[test]
    fn the_words_are_those_that_the_client_knows() {
        let json = serde_json::to_value(status(Doing::Quiet)).unwrap();
        assert_eq!(
            json,
            serde_json::json!({ "state": "quiet", "contracts": 1, "notFuzzed": 4, "executionsPerSecond": 2, "findings": 3 })
        );
    }
}
