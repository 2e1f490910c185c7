//! [`StatusParams`] is the status of the server for an editor's status bar: the notification `bellwether/status`, which the VS
//! Code client knows. It is sent when it changes, and at most once a second.

use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tower_lsp_server::ls_types::notification;

/// The least time between two notifications.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// The state of the server; with several projects, the first of their states in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ServerState {
    Compiling,
    Fuzzing,
    Error,
    Paused,
    Quiet,
}

/// The number of lines that the last save made worth reaching, by their outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) reached: usize,
    pub(crate) unreachable: usize,
    pub(crate) open: usize,
}

impl Counts {
    /// The sum of two.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            reached: self.reached + other.reached,
            unreachable: self.unreachable + other.unreachable,
            open: self.open + other.open,
        }
    }
}

/// The parameters of `bellwether/status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusParams {
    /// The state of the server.
    pub(crate) state: ServerState,
    /// The number of contracts that are fuzzed.
    pub(crate) contracts: usize,
    /// The number of contracts that are not, although they should be.
    pub(crate) not_fuzzed: usize,
    /// Transactions a second.
    pub(crate) executions_per_second: u64,
    /// The number of findings that are shown.
    pub(crate) findings: usize,
    /// The outcomes of the lines that the last save made worth reaching.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) targets: Option<Counts>,
    /// Further information, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

/// `bellwether/status`, a notification to the client.
#[derive(Debug)]
pub(crate) enum Notification {}

impl notification::Notification for Notification {
    type Params = StatusParams;
    const METHOD: &'static str = "bellwether/status";
}

/// Decides when the status is sent, to limit the rate.
#[derive(Debug, Default)]
pub(crate) struct StatusThrottle {
    told: Option<(Instant, StatusParams)>,
}

impl StatusThrottle {
    /// Returns the status if it is to be sent now.
    pub(crate) fn tell(&mut self, now: Instant, status: StatusParams) -> Option<StatusParams> {
        if self.told.as_ref().is_some_and(|(at, last)| *last == status || now < *at + MIN_INTERVAL) {
            return None;
        }
        self.told = Some((now, status.clone()));
        Some(status)
    }

    /// The time at which this status can be sent, if it has to be.
    pub(crate) fn due(&self, status: &StatusParams) -> Option<Instant> {
        let (at, last) = self.told.as_ref()?;
        (last != status).then(|| *at + MIN_INTERVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(state: ServerState) -> StatusParams {
        StatusParams {
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
        let mut throttle = StatusThrottle::default();
        let mut tell =
            |milliseconds, state| throttle.tell(start + Duration::from_millis(milliseconds), status(state)).is_some();
        assert!(tell(0, ServerState::Compiling));
        assert!(!tell(10, ServerState::Fuzzing), "too soon");
        assert!(!tell(999, ServerState::Fuzzing));
        assert!(tell(1_000, ServerState::Fuzzing));
        assert!(!tell(9_000, ServerState::Fuzzing), "nothing new");
        assert!(tell(9_001, ServerState::Quiet));
        assert_eq!(throttle.due(&status(ServerState::Quiet)), None);
        assert_eq!(throttle.due(&status(ServerState::Error)), Some(start + Duration::from_millis(10_001)));
    }

    use crate::lsp::{attention, client::capabilities::Capabilities};

    /// The first cells of the table that follows a heading cell, without their quotes.
    fn cells(heading: &str) -> Vec<&'static str> {
        let page = include_str!("../../../../docs/protocol.md");
        let (_, table) =
            page.split_once(&format!("\n| {heading} |")).unwrap_or_else(|| panic!("no table of {heading}"));
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        rows.map(|row| row.split('|').nth(1).unwrap().trim().trim_matches('`')).collect()
    }

    #[test]
    fn the_page_of_the_protocol_says_what_is_sent() {
        let page = include_str!("../../../../docs/protocol.md");
        assert!(page.contains(&format!("\n## `{}`\n", <Notification as notification::Notification>::METHOD)));
        // One more or one less does not compile here.
        let all = |doing| match doing {
            ServerState::Compiling
            | ServerState::Fuzzing
            | ServerState::Error
            | ServerState::Paused
            | ServerState::Quiet => [
                ServerState::Compiling,
                ServerState::Fuzzing,
                ServerState::Error,
                ServerState::Paused,
                ServerState::Quiet,
            ],
        };
        let words: Vec<String> = all(ServerState::Quiet)
            .iter()
            .map(|doing| serde_json::to_value(doing).unwrap().as_str().unwrap().to_owned())
            .collect();
        assert_eq!(cells("state"), words);
        let targets = Some(Counts::default());
        let message = Some(String::new());
        let whole = serde_json::to_value(StatusParams { targets, message, ..status(ServerState::Quiet) }).unwrap();
        let fields: Vec<&String> = whole.as_object().unwrap().keys().collect();
        assert_eq!(cells("field"), fields);
        let counts: Vec<&String> = whole["targets"].as_object().unwrap().keys().collect();
        assert_eq!(cells("count"), counts);
        let editor = format!("\n## `{}`\n", attention::ACTIVE_EDITOR);
        assert!(page.contains(&editor));
        let commands = Capabilities { apply_edit: true, show_document: true, ..Capabilities::default() };
        assert_eq!(cells("command"), commands.commands().collect::<Vec<_>>());
    }

    #[test]
    fn the_words_are_those_that_the_client_knows() {
        let json = serde_json::to_value(status(ServerState::Quiet)).unwrap();
        assert_eq!(
            json,
            serde_json::json!({ "state": "quiet", "contracts": 1, "notFuzzed": 4, "executionsPerSecond": 2, "findings": 3 })
        );
    }
}
