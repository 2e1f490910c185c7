//! A [`Campaign`] fuzzes all contracts of a project, on the threads of a [`Pool`], for as long as it lives. What a new build
//! means for it is told in `rebase.rs`.

use super::{
    event::EventSink,
    options::Options,
    pool::Pool,
    progress::{Progress, TargetReport},
    queue::Queue,
    session::Session,
    sessions::{Sessions, rank_support},
    task,
    turns::Focus,
};
use crate::{
    code::Numbering,
    corpus::memory,
    finding::{Finding, distinct},
    oracle::OracleMeta,
    project::{Config, Level},
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All sessions of a project, and its place among those that share a pool.
pub struct Campaign {
    options: Mutex<Options>,
    pub(super) listener: EventSink,
    /// Locked for a moment at a time, and never while anything is replayed: who asks how far it is does not wait.
    sessions: Mutex<Sessions>,
    /// Held by whoever turns to a build, or forgets: one at a time.
    turning: Mutex<()>,
    /// Those that the last change put an end to, for the day when it is taken back.
    pub(super) retired: Mutex<Sessions>,
    pub(super) numbering: Mutex<Numbering>,
    pub(super) queue: Queue,
    pool: Pool,
    /// Whether nobody else is in the pool.
    owns_pool: bool,
}

impl std::fmt::Debug for Campaign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Campaign").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Campaign {
    /// Starts threads of its own; they rest until the first build.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn start(options: Options, listener: EventSink) -> std::io::Result<Self> {
        let pool = Pool::new(options.background);
        let mut campaign = Self::start_in(&pool, options, listener)?;
        campaign.owns_pool = true;
        Ok(campaign)
    }

    /// Joins a pool, which has at least as many threads from now on as this asks for.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn start_in(pool: &Pool, options: Options, listener: EventSink) -> std::io::Result<Self> {
        let queue = Queue::join(&pool.dispatcher, options.executions, options.until_quiet, listener.clone());
        let workers = options.workers;
        let campaign = Self {
            options: Mutex::new(options),
            listener,
            sessions: Mutex::default(),
            turning: Mutex::default(),
            retired: Mutex::default(),
            numbering: Mutex::default(),
            queue,
            pool: pool.clone(),
            owns_pool: false,
        };
        campaign.pool.ask_for_workers(campaign.queue.id(), workers)?;
        Ok(campaign)
    }

    /// How it fuzzes now.
    pub fn options(&self) -> Options {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks for so many threads from now on, at least for one; the pool has as many as the campaign asks for that asks for the most. Nothing that was learned is lost.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn set_workers(&self, workers: usize) -> std::io::Result<()> {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).workers = workers;
        self.pool.ask_for_workers(self.queue.id(), workers)?;
        // More threads than fuzzers would have nothing to do.
        let sessions = self.sessions();
        let fuzzers = workers.max(1).div_ceil(sessions.len().max(1));
        let mut tasks = Vec::new();
        let busy = |session: &&Arc<Session>| !session.is_quiet() && session.generation == self.queue.generation();
        for session in sessions.values().filter(busy) {
            tasks.extend(task::missing_fuzzers(session, fuzzers));
        }
        if !tasks.is_empty() {
            self.queue.fill(self.queue.generation(), tasks);
        }
        Ok(())
    }

    /// Draws other numbers from the next build on, which may be the same one again.
    pub fn set_seed(&self, seed: u64) {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).seed = seed;
    }

    /// Takes other levels, other products and another bound of memory at once, while everything goes on. Other settings count from the next
    /// build on; so does an oracle that was off, for which what was run already has to be run again:
    /// [`Campaign::needs_rebase`].
    pub fn configure(&self, config: &Config) {
        let sessions = self.sessions();
        for session in sessions.values() {
            session.configure(config);
        }
        rank_support(&sessions, config);
        self.share_memory(&sessions, config);
        drop(sessions);
        self.queue.rank_again();
    }

    /// Whether [`Campaign::configure`] cannot do it alone: an oracle judges that did not.
    pub fn needs_rebase(before: &Config, after: &Config) -> bool {
        OracleMeta::ids().any(|oracle| before.level(oracle) == Level::Off && after.level(oracle) != Level::Off)
    }

    pub(super) fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until nobody else turns to a build.
    pub(super) fn begin_turning(&self) -> MutexGuard<'_, ()> {
        self.turning.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives most turns to the contracts that somebody is working on, from the next slice on, over all builds. It does not wait
    /// for a build that is being turned to.
    pub fn focus(&self, focus: Focus) {
        self.queue.focus(focus);
    }

    /// Stops or goes on, at the next transaction. Who stops may be about to go: what the archive is to keep is written.
    pub fn set_paused(&self, paused: bool) {
        self.queue.set_paused(paused);
        if paused && let Some(archive) = &self.options.lock().unwrap_or_else(PoisonError::into_inner).archive {
            archive.hurry();
        }
    }

    /// Runs no more transactions of the loop, whatever was left of the budget. What was found is still shrunk, within the bound
    /// that holds at the end of a budget; then [`Event::Quiet`] is told.
    pub fn end(&self) {
        self.queue.end();
    }

    /// Stops and waits until nothing runs any more: what was being confirmed has been told by then.
    pub fn pause_and_wait(&self) {
        self.queue.set_paused(true);
        self.queue.wait_until_idle();
    }

    /// How far each contract is, in the order of their names. Those of which nothing can be run are left out.
    pub fn progress(&self) -> Vec<Progress> {
        self.sessions()
            .values()
            .filter(|session| session.has_anything_to_run())
            .map(|session| Progress {
                harness: session.harness.clone(),
                executions: session.executions(),
                given_up: session.given_up(),
                support: session.is_support(),
                paths: session.path_count(),
                branches: session.coverage.branches(session.harness.contract),
                instructions: session.coverage.instructions(session.harness.contract),
                quiet: session.is_quiet(),
                memory: session.meter.bytes(),
                rerun: session.shared.replays.transactions(),
                awaiting_rerun: session.shared.replays.len(),
            })
            .collect()
    }

    /// Forgets all that was learned and found, here and in the archive: the next build begins with nothing. Nothing is fuzzed
    /// until then.
    pub fn forget(&self, generation: u64) {
        let _turning = self.begin_turning();
        self.queue.begin(generation);
        self.queue.wait_until_idle();
        self.sessions().clear();
        self.retired.lock().unwrap_or_else(PoisonError::into_inner).clear();
        if let Some(archive) = self.options().archive {
            archive.clear();
            archive.flush();
        }
    }

    /// How the targets of each contract stand; the contracts are those of [`Campaign::progress`].
    pub fn reaching(&self) -> Vec<TargetReport> {
        let of = |session: &Arc<Session>| TargetReport {
            harness: session.harness.clone(),
            targets: session.targets.list().iter().cloned().zip(session.targets.states()).collect(),
            lookahead: session.lookahead_time(),
        };
        self.sessions().values().filter(|session| session.has_anything_to_run()).map(of).collect()
    }

    /// Confirmed findings of the current build, one for each place and oracle, in the order of files and lines.
    pub fn findings(&self) -> Vec<Arc<Finding>> {
        let all: Vec<Arc<Finding>> = self.sessions().values().flat_map(|session| session.findings()).collect();
        distinct(&all).into_iter().cloned().collect()
    }

    /// Every session, those on the retired too, may keep the same part of what the campaign may keep.
    pub(super) fn share_memory(&self, sessions: &Sessions, config: &Config) {
        let retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let all = sessions.values().chain(retired.values()).map(Arc::downgrade).collect();
        self.queue.ask_for_memory(config.memory_mib().saturating_mul(memory::MIB), all);
        retired.values().for_each(|session| session.make_room());
    }

    /// Another number each time that a target ends, for as long as the build is the same.
    pub fn targets_version(&self) -> u64 {
        self.sessions().values().map(|session| session.targets.version()).sum()
    }

    /// Stops, and waits until nothing of it runs any more; threads of its own end.
    pub fn stop(self) {
        self.queue.stop();
        self.queue.wait_until_idle();
        self.queue.leave();
        if self.owns_pool {
            self.pool.join();
        }
    }
}

impl Drop for Campaign {
    fn drop(&mut self) {
        self.queue.leave();
        if let Some(archive) = &self.options.get_mut().unwrap_or_else(PoisonError::into_inner).archive {
            archive.flush();
        }
    }
}
