//! [`Progress`] shows that a compilation is under way, where the client can and only if it takes a while: most are done before
//! anybody could read that they have begun.

use super::outbox::{Outbox, Outgoing};
use std::time::{Duration, Instant};
use tower_lsp_server::ls_types::{WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd};

/// What takes less is not shown.
const PATIENCE: Duration = Duration::from_millis(400);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Idle,
    /// Work has begun, and may end before it is shown.
    Waiting {
        since: Instant,
    },
    /// The client was asked.
    Asked,
    /// Work ended before the client answered. One that never does is not asked again.
    Unanswered,
    /// The client answered that it will not.
    Refused,
    Shown,
}

/// The progress of all compilations together.
#[derive(Debug)]
pub(crate) struct Progress {
    supported: bool,
    stage: Stage,
    /// The number of the one that was asked for last: a token serves once.
    number: u32,
}

impl Progress {
    /// Shows nothing where the client cannot.
    pub(crate) fn new(supported: bool) -> Self {
        Self { supported, stage: Stage::Idle, number: 0 }
    }

    /// Whether work is under way, at this time.
    pub(crate) fn update(&mut self, working: bool, now: Instant, outbox: &Outbox) {
        self.stage = match (self.stage, working) {
            (Stage::Idle, true) if self.supported => Stage::Waiting { since: now },
            (Stage::Waiting { since }, true) if now >= since + PATIENCE => {
                self.number += 1;
                outbox.send(Outgoing::CreateProgress(self.number));
                Stage::Asked
            }
            (Stage::Shown, false) => {
                let end = WorkDoneProgress::End(WorkDoneProgressEnd { message: None });
                outbox.send(Outgoing::Progress(self.number, end));
                Stage::Idle
            }
            (Stage::Waiting { .. } | Stage::Refused, false) => Stage::Idle,
            (Stage::Asked, false) => Stage::Unanswered,
            (Stage::Unanswered, true) => Stage::Asked,
            (stage, _) => stage,
        };
    }

    /// The client's answer.
    pub(crate) fn answered(&mut self, number: u32, allowed: bool, outbox: &Outbox) {
        if number != self.number {
            return;
        }
        self.stage = match self.stage {
            Stage::Unanswered => Stage::Idle,
            Stage::Asked if allowed => {
                let title = "Compiling Solidity".to_owned();
                let begin = WorkDoneProgressBegin { title, ..WorkDoneProgressBegin::default() };
                outbox.send(Outgoing::Progress(number, WorkDoneProgress::Begin(begin)));
                Stage::Shown
            }
            Stage::Asked => Stage::Refused,
            stage => stage,
        };
    }

    /// When to look again.
    pub(crate) fn due(&self) -> Option<Instant> {
        match self.stage {
            Stage::Waiting { since } => Some(since + PATIENCE),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said when work takes so many milliseconds and the client answers.
    fn said(supported: bool, milliseconds: u64, allowed: bool) -> Vec<&'static str> {
        let (outbox, outgoing) = Outbox::new();
        let mut progress = Progress::new(supported);
        let start = Instant::now();
        progress.update(true, start, &outbox);
        progress.update(true, start + Duration::from_millis(milliseconds), &outbox);
        progress.answered(1, allowed, &outbox);
        progress.update(false, start + Duration::from_millis(milliseconds + 1), &outbox);
        let mut words = Vec::new();
        while let Some(outgoing) = outgoing.next_waiting() {
            words.push(match outgoing {
                Outgoing::CreateProgress(1) => "create",
                Outgoing::Progress(1, WorkDoneProgress::Begin(_)) => "begin",
                Outgoing::Progress(1, WorkDoneProgress::End(_)) => "end",
                _ => "?",
            });
        }
        words
    }

    #[test]
    fn only_long_work_is_shown_and_only_where_it_can_be() {
        assert_eq!(said(true, 1_000, true), ["create", "begin", "end"]);
        assert_eq!(said(true, 100, true), [""; 0]);
        assert_eq!(said(true, 1_000, false), ["create"]);
        assert_eq!(said(false, 1_000, true), [""; 0]);
    }

    #[test]
    fn work_that_ended_before_the_answer_is_not_begun() {
        let (outbox, outgoing) = Outbox::new();
        let mut progress = Progress::new(true);
        let start = Instant::now();
        progress.update(true, start, &outbox);
        progress.update(true, start + PATIENCE, &outbox);
        progress.update(false, start + PATIENCE, &outbox);
        progress.answered(1, true, &outbox);
        assert_eq!(outgoing.next_waiting(), Some(Outgoing::CreateProgress(1)));
        assert_eq!(outgoing.next_waiting(), None);
    }

    #[test]
    fn a_client_that_never_answers_is_asked_once() {
        let (outbox, outgoing) = Outbox::new();
        let mut progress = Progress::new(true);
        let start = Instant::now();
        for round in 0..10 {
            let begin = start + 10 * round * PATIENCE;
            progress.update(true, begin, &outbox);
            progress.update(true, begin + PATIENCE, &outbox);
            progress.update(false, begin + 2 * PATIENCE, &outbox);
        }
        assert_eq!(outgoing.next_waiting(), Some(Outgoing::CreateProgress(1)));
        assert_eq!(outgoing.next_waiting(), None);
    }
}
