//! The [`ShrinkQueue`] holds the findings of a session that were told and are still to be made short.

use crate::{finding::Shrinker, oracle::Violation};
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Findings that wait to be shrunk, the first that was found first.
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
    pub(super) gas: u64,
}

impl ShrinkQueue {
    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a finding wait.
    pub(super) fn push(&self, violation: Violation, shrinker: Shrinker) {
        self.lock().waiting.push_back(Job { violation, shrinker, gas: 0 });
    }

    /// Whether somebody has to begin to work on them, who does from now on.
    pub(super) fn take_up(&self) -> bool {
        let mut jobs = self.lock();
        let begins = !jobs.taken && !jobs.waiting.is_empty();
        jobs.taken |= begins;
        begins
    }

    /// The next one; if there is none, nobody works on them any more.
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
