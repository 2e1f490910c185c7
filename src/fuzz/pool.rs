//! A [`Pool`] is the threads that fuzz and the memory that may be kept. Campaigns register with it and share both: the server
//! has one pool for all of its projects, a campaign on the command line one of its own. There are as many threads, and there
//! is as much memory, as the campaign that asks for the most asks for. What a campaign tells, when it pauses and when it is done stays its
//! own; a panic ends nothing but a fuzzer.

use super::{dispatcher::Dispatcher, membership::MemberId, worker::Worker};
use std::sync::{Arc, Mutex, PoisonError};

/// Threads and memory that campaigns share.
#[derive(Clone)]
pub struct Pool {
    pub(super) dispatcher: Arc<Dispatcher>,
    workers: Arc<Mutex<Vec<Worker>>>,
    background: bool,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("background", &self.background).finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool without threads: they come with the campaigns. `background` has them leave the processor to everybody else who
    /// wants it.
    pub fn new(background: bool) -> Self {
        Self { dispatcher: Arc::default(), workers: Arc::default(), background }
    }

    /// How many threads there should be.
    pub fn workers(&self) -> usize {
        self.dispatcher.lock().wanted()
    }

    /// Has this many threads for a campaign from now on, at least.
    ///
    /// # Errors
    ///
    /// If the system gives no thread. Those that there are go on.
    pub(super) fn ask_for_workers(&self, member: MemberId, workers: usize) -> std::io::Result<()> {
        let mut handles = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        handles.retain(|worker| !worker.has_ended());
        let missing = self.dispatcher.lock().ask_for_workers(member, workers);
        self.dispatcher.notify();
        for started in 0..missing {
            match Worker::start(handles.len(), self.dispatcher.clone(), self.background) {
                Ok(worker) => handles.push(worker),
                Err(error) => {
                    self.dispatcher.lock().threads -= missing - started;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Waits until all threads have ended. No campaign may be registered any more.
    pub(super) fn join(&self) {
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.drain(..).for_each(Worker::join);
    }
}
