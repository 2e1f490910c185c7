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
    Shown,
}

/// The progress of all compilations together.
#[derive(Debug)]
pub(super) struct Progress {
    supported: bool,
    stage: Stage,
    /// The number of the one that was asked for last: a token serves once.
    number: u32,
}

impl Progress {
    /// Shows nothing where the client cannot.
    pub(super) fn new(supported: bool) -> Self {
        Self { supported, stage: Stage::Idle, number: 0 }
    }

    /// Whether work is under way, at this time.
    pub(super) fn update(&mut self, working: bool, now: Instant, outbox: &Outbox) {
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
            (Stage::Waiting { .. } | Stage::Asked, false) => Stage::Idle,
            (stage, _) => stage,
        };
    }

    /// The client's answer.
    pub(super) fn answered(&mut self, number: u32, allowed: bool, outbox: &Outbox) {
        if self.stage == Stage::Asked && number == self.number && allowed {
            let begin =
                WorkDoneProgressBegin { title: "Compiling Solidity".to_owned(), ..WorkDoneProgressBegin::default() };
            outbox.send(Outgoing::Progress(number, WorkDoneProgress::Begin(begin)));
            self.stage = Stage::Shown;
        }
    }

    /// When to look again.
    pub(super) fn due(&self) -> Option<Instant> {
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
        let (outbox, mut outgoing) = Outbox::new();
        let mut progress = Progress::new(supported);
        let start = Instant::now();
        progress.update(true, start, &outbox);
        progress.update(true, start + Duration::from_millis(milliseconds), &outbox);
        progress.answered(1, allowed, &outbox);
        progress.update(false, start + Duration::from_millis(milliseconds + 1), &outbox);
        let mut words = Vec::new();
        while let Ok(outgoing) = outgoing.try_recv() {
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
        let (outbox, mut outgoing) = Outbox::new();
        let mut progress = Progress::new(true);
        let start = Instant::now();
        progress.update(true, start, &outbox);
        progress.update(true, start + PATIENCE, &outbox);
        progress.update(false, start + PATIENCE, &outbox);
        progress.answered(1, true, &outbox);
        assert_eq!(outgoing.try_recv(), Ok(Outgoing::CreateProgress(1)));
        assert!(outgoing.try_recv().is_err());
    }
}
