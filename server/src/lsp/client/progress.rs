//! [`CompilationProgress`] shows that a compilation is under way, if the client supports it and if it takes a while: most are
//! over before anybody could read that they began.

use super::outbox::{Outbox, Outgoing};
use std::time::{Duration, Instant};
use tower_lsp_server::ls_types::{WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd};

/// The time after which a compilation is shown; chosen by hand.
const SHOW_AFTER: Duration = Duration::from_millis(400);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProgressState {
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
pub(crate) struct CompilationProgress {
    supported: bool,
    state: ProgressState,
    /// The number of the last progress that was requested: a token serves once.
    number: u32,
}

impl CompilationProgress {
    /// Shows nothing where the client cannot.
    pub(crate) fn new(supported: bool) -> Self {
        Self { supported, state: ProgressState::Idle, number: 0 }
    }

    /// Notes whether a compilation is under way at this time.
    pub(crate) fn update(&mut self, working: bool, now: Instant, outbox: &Outbox) {
        self.state = match (self.state, working) {
            (ProgressState::Idle, true) if self.supported => ProgressState::Waiting { since: now },
            (ProgressState::Waiting { since }, true) if now >= since + SHOW_AFTER => {
                self.number += 1;
                outbox.send(Outgoing::CreateProgress(self.number));
                ProgressState::Asked
            }
            (ProgressState::Shown, false) => {
                let end = WorkDoneProgress::End(WorkDoneProgressEnd { message: None });
                outbox.send(Outgoing::Progress(self.number, end));
                ProgressState::Idle
            }
            (ProgressState::Waiting { .. } | ProgressState::Refused, false) => ProgressState::Idle,
            (ProgressState::Asked, false) => ProgressState::Unanswered,
            (ProgressState::Unanswered, true) => ProgressState::Asked,
            (state, _) => state,
        };
    }

    /// The client's answer.
    pub(crate) fn answered(&mut self, number: u32, allowed: bool, outbox: &Outbox) {
        if number != self.number {
            return;
        }
        self.state = match self.state {
            ProgressState::Unanswered => ProgressState::Idle,
            ProgressState::Asked if allowed => {
                let title = "Compiling Solidity".to_owned();
                let begin = WorkDoneProgressBegin { title, ..WorkDoneProgressBegin::default() };
                outbox.send(Outgoing::Progress(number, WorkDoneProgress::Begin(begin)));
                ProgressState::Shown
            }
            ProgressState::Asked => ProgressState::Refused,
            state => state,
        };
    }

    /// The time of the next update that is needed.
    pub(crate) fn due(&self) -> Option<Instant> {
        match self.state {
            ProgressState::Waiting { since } => Some(since + SHOW_AFTER),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages for work of this many milliseconds and this answer of the client.
    fn said(supported: bool, milliseconds: u64, allowed: bool) -> Vec<&'static str> {
        let (outbox, outgoing) = Outbox::new();
        let mut progress = CompilationProgress::new(supported);
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
        let mut progress = CompilationProgress::new(true);
        let start = Instant::now();
        progress.update(true, start, &outbox);
        progress.update(true, start + SHOW_AFTER, &outbox);
        progress.update(false, start + SHOW_AFTER, &outbox);
        progress.answered(1, true, &outbox);
        assert_eq!(outgoing.next_waiting(), Some(Outgoing::CreateProgress(1)));
        assert_eq!(outgoing.next_waiting(), None);
    }

    #[test]
    fn a_client_that_never_answers_is_asked_once() {
        let (outbox, outgoing) = Outbox::new();
        let mut progress = CompilationProgress::new(true);
        let start = Instant::now();
        for round in 0..10 {
            let begin = start + 10 * round * SHOW_AFTER;
            progress.update(true, begin, &outbox);
            progress.update(true, begin + SHOW_AFTER, &outbox);
            progress.update(false, begin + 2 * SHOW_AFTER, &outbox);
        }
        assert_eq!(outgoing.next_waiting(), Some(Outgoing::CreateProgress(1)));
        assert_eq!(outgoing.next_waiting(), None);
    }
}
