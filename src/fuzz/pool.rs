//! A [`Pool`] is the threads and the memory that campaigns share. The server has one pool for all of its projects; a campaign
//! on the command line has its own. The number of threads is the highest that any campaign asks for, and so is the memory. Each
//! campaign keeps its own events, pauses and end; a panic ends only the fuzzer in which it happens.

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
    /// A pool without threads; they are started when campaigns join. With `background`, they run at the lowest priority.
    pub fn new(background: bool) -> Self {
        Self { dispatcher: Arc::default(), workers: Arc::default(), background }
    }

    /// The number of threads that campaigns ask for.
    pub fn workers(&self) -> usize {
        self.dispatcher.lock().wanted()
    }

    /// Sets the number of threads that a campaign asks for, and starts those that are missing.
    ///
    /// # Errors
    ///
    /// If the system cannot start a thread. Threads that run already continue.
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

    /// Waits until all threads have ended, after the last campaign has left.
    pub(super) fn join(&self) {
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.drain(..).for_each(Worker::join);
    }
}
