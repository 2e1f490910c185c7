//! The [`ShrinkQueue`] holds the findings of a session that were reported and are still to be shrunk.

use crate::{finding::Shrinker, oracle::Violation};
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Findings to be shrunk, oldest first.
#[derive(Debug, Default)]
pub(super) struct ShrinkQueue(Mutex<Jobs>);

#[derive(Debug, Default)]
struct Jobs {
    waiting: VecDeque<Job>,
    /// Whether a task works on them.
    taken: bool,
}

#[derive(Debug)]
pub(super) struct Job {
    pub(super) violation: Violation,
    pub(super) shrinker: Shrinker,
    pub(super) condition: Condition,
    pub(super) gas: u64,
}

/// What holds of a candidate that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    /// It shows the violation.
    Shown,
    /// The violation is claimed of it as well, at the same level. That takes many runs, and is asked where the shortest sequence that
    /// shows a violation proves nothing.
    Claimed,
}

impl ShrinkQueue {
    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a finding at the end.
    pub(super) fn push(&self, violation: Violation, shrinker: Shrinker) {
        self.lock().waiting.push_back(Job { violation, shrinker, condition: Condition::Shown, gas: 0 });
    }

    /// Claims the queue for a new task: true if it is not empty and no task works on it.
    pub(super) fn take_up(&self) -> bool {
        let mut jobs = self.lock();
        let begins = !jobs.taken && !jobs.waiting.is_empty();
        jobs.taken |= begins;
        begins
    }

    /// The next finding. If there is none, the queue is free to be claimed again.
    pub(super) fn next(&self) -> Option<Job> {
        let mut jobs = self.lock();
        let next = jobs.waiting.pop_front();
        jobs.taken = next.is_some();
        next
    }

    pub(super) fn put_back(&self, job: Job) {
        self.lock().waiting.push_front(job);
    }
}
