//! A [`Queue`] is the place of one campaign in a [`Pool`](super::Pool), with the tasks that the threads run. While the campaign
//! is rebased to a new build, none of them runs: tasks that come back are parked until it is known in which session they
//! continue, if in any.

use super::{
    dispatcher::Dispatcher,
    event::EventSink,
    membership::{MemberId, Membership},
    session::Session,
    task::Task,
    turns::{Focus, Ranks},
    waiting::Waiting,
};
use std::{
    path::PathBuf,
    sync::{Arc, Weak, atomic::Ordering},
};

/// The place of a campaign in a pool.
pub(super) struct Queue {
    membership: Arc<Membership>,
    dispatcher: Arc<Dispatcher>,
}

impl Queue {
    /// Registers a campaign with the dispatcher of a pool.
    pub(super) fn join(
        dispatcher: &Arc<Dispatcher>,
        executions: Option<u64>,
        until_quiet: bool,
        listener: EventSink,
    ) -> Self {
        let make = |id| Arc::new(Membership::new(id, until_quiet, listener));
        let membership = dispatcher.register(Waiting::with_budget(executions), make);
        Self { membership, dispatcher: dispatcher.clone() }
    }

    pub(super) fn id(&self) -> MemberId {
        self.membership.id
    }

    /// Changes the waiting tasks; does nothing if the campaign has left.
    fn change<T: Default>(&self, change: impl FnOnce(&mut Waiting) -> T) -> T {
        let changed = self.dispatcher.lock().waiting(self.membership.id).map(change).unwrap_or_default();
        self.dispatcher.notify();
        changed
    }

    /// Starts a new generation: tasks of older ones stop at their next transaction. None runs until the queue is
    /// [filled](Self::fill).
    pub(super) fn begin(&self, generation: u64) {
        self.change(|waiting| {
            self.membership.generation.store(generation, Ordering::SeqCst);
            waiting.turning = true;
            waiting.parked.extend(waiting.tasks.drain());
        });
    }

    /// Migrates the parked tasks of older generations to the new one and returns them.
    pub(super) fn unpark(&self) -> Vec<Task> {
        let parked = self.change(|waiting| std::mem::take(&mut waiting.parked));
        parked.into_iter().flat_map(|task| task.migrate_to(self.membership.until_quiet)).collect()
    }

    pub(super) fn generation(&self) -> u64 {
        self.membership.generation()
    }

    /// Lets tasks run. Tasks that were parked since [`unpark`](Self::unpark) are migrated first, without the lock, since that
    /// replays their findings.
    pub(super) fn fill(&self, generation: u64, mut tasks: Vec<Task>) {
        let rests = loop {
            let mut state = self.dispatcher.lock();
            let Some(waiting) = state.waiting(self.membership.id).filter(|_| generation == self.generation()) else {
                return;
            };
            let late = std::mem::take(&mut waiting.parked);
            if late.is_empty() {
                (waiting.quiet, waiting.turning) = (false, false);
                tasks.into_iter().for_each(|task| state.push(self.membership.id, task));
                break state.waiting(self.membership.id).is_some_and(Waiting::rests);
            }
            drop(state);
            tasks.extend(late.into_iter().flat_map(|task| task.migrate_to(self.membership.until_quiet)));
        };
        self.dispatcher.notify();
        if rests {
            self.membership.tell_quiet();
        }
    }

    /// Adds tasks of the current generation. Does nothing while the campaign turns to another build.
    pub(super) fn add(&self, generation: u64, tasks: Vec<Task>) {
        let mut state = self.dispatcher.lock();
        let Some(waiting) = state.waiting(self.membership.id).filter(|waiting| !waiting.turning) else { return };
        if generation != self.generation() || tasks.is_empty() {
            return;
        }
        waiting.quiet = false;
        tasks.into_iter().for_each(|task| state.push(self.membership.id, task));
        drop(state);
        self.dispatcher.notify();
    }

    /// Whether more tasks come for this generation, so that the campaign does not rest yet.
    pub(super) fn expect_more(&self, expects: bool) {
        self.change(|waiting| waiting.expects_more = expects);
    }

    /// The path of the open file.
    pub(super) fn looked(&self) -> Option<PathBuf> {
        self.change(|waiting| waiting.focus.looked().cloned())
    }

    pub(super) fn focus(&self, focus: Focus) {
        let mut ranks = Ranks::by(focus);
        self.change(|waiting| {
            waiting.tasks.rank_again(|task| ranks.of(task.session()));
            waiting.focus = ranks;
            waiting.focus_number += 1;
        });
    }

    /// Recomputes the ranks of waiting tasks after other contracts became products.
    pub(super) fn rank_again(&self) {
        self.change(|waiting| {
            let mut ranks = std::mem::take(&mut waiting.focus);
            waiting.tasks.rank_again(|task| ranks.of(task.session()));
            waiting.focus = ranks;
            waiting.focus_number += 1;
        });
    }

    pub(super) fn set_paused(&self, paused: bool) {
        self.membership.paused.store(paused, Ordering::SeqCst);
        self.change(|waiting| waiting.paused = paused);
    }

    /// Ends fuzzing; findings are still shrunk.
    pub(super) fn end(&self) {
        self.membership.ended.store(true, Ordering::SeqCst);
        let rests = self.change(|waiting| {
            waiting.ended = true;
            waiting.rests()
        });
        if rests {
            self.membership.tell_quiet();
        }
    }

    pub(super) fn wait_until_idle(&self) {
        let mut state = self.dispatcher.lock();
        while state.waiting(self.membership.id).is_some_and(|waiting| waiting.running > 0) {
            state = self.dispatcher.wait(state);
        }
    }

    /// Stops all tasks at their next transaction, for good.
    pub(super) fn stop(&self) {
        self.membership.stopped.store(true, Ordering::SeqCst);
        self.set_paused(true);
    }

    /// Leaves the pool.
    pub(super) fn leave(&self) {
        self.stop();
        self.dispatcher.leave(self.membership.id);
    }

    /// Sets the memory that the campaign asks for, in bytes, and the sessions that share it.
    pub(super) fn ask_for_memory(&self, bytes: u64, sessions: Vec<Weak<Session>>) {
        self.dispatcher.ask_for_memory(self.membership.id, bytes, sessions);
    }
}
