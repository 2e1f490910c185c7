//! A [`Campaign`] fuzzes all contracts of a project, on the threads of a [`Pool`], until it is dropped. `rebase.rs` moves it to
//! a new build.

use super::{
    baseline::Baseline,
    event::EventSink,
    options::Options,
    outlines::Outlines,
    pool::Pool,
    progress::{Progress, TargetReport},
    queue::Queue,
    remarks::Remark,
    session::Session,
    sessions::{Sessions, rank_support},
    survey::Survey,
    task,
    turns::Focus,
    worlds::Worlds,
};
use crate::{
    code::Numbering,
    corpus::memory,
    finding::{Finding, distinct},
    harness::Harness,
    oracle::OracleMeta,
    project::{Config, Level},
    world::Plans,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All sessions of a project, and its place in a pool.
pub struct Campaign {
    options: Mutex<Options>,
    pub(super) listener: EventSink,
    /// Locked only briefly, and never during a replay, so that asking for progress does not block.
    sessions: Mutex<Sessions>,
    /// Held during a rebase and while the campaign is cleared, so that only one of them runs at a time.
    turning: Mutex<()>,
    /// Retired sessions: those that the last change ended, kept in case that change is undone.
    pub(super) retired: Mutex<Sessions>,
    pub(super) numbering: Mutex<Numbering>,
    /// How the worlds of the last build were planned.
    pub(super) plans: Plans,
    /// The builds that storage layouts are compared with.
    pub(super) baseline: Mutex<Baseline>,
    pub(super) queue: Queue,
    outlines: Outlines,
    pool: Pool,
    /// Whether the pool is its own.
    owns_pool: bool,
}

impl std::fmt::Debug for Campaign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Campaign").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Campaign {
    /// Starts a campaign with a pool of its own, whose threads are idle until the first build.
    ///
    /// # Errors
    ///
    /// If the system cannot start a thread.
    pub fn start(options: Options, listener: EventSink) -> std::io::Result<Self> {
        let pool = Pool::new(options.background);
        let mut campaign = Self::start_in(&pool, options, listener)?;
        campaign.owns_pool = true;
        Ok(campaign)
    }

    /// Starts a campaign in a pool, which gets at least as many threads as this one asks for.
    ///
    /// # Errors
    ///
    /// If the system cannot start a thread.
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
            plans: Plans::default(),
            baseline: Mutex::default(),
            queue,
            outlines: Outlines::default(),
            pool: pool.clone(),
            owns_pool: false,
        };
        campaign.pool.ask_for_workers(campaign.queue.id(), workers)?;
        Ok(campaign)
    }

    /// The current options.
    pub fn options(&self) -> Options {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the number of threads that it asks for, at least one; the pool has as many as the campaign that asks for the most.
    /// Fuzzers keep their state.
    ///
    /// # Errors
    ///
    /// If the system cannot start a thread.
    pub fn set_workers(&self, workers: usize) -> std::io::Result<()> {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).workers = workers;
        self.pool.ask_for_workers(self.queue.id(), workers)?;
        // Threads beyond the number of fuzzers would be idle.
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

    /// Has what other machines shared run now, also on contracts that rest. Those that are fuzzed come to them by themselves.
    pub fn receive(&self) {
        let generation = self.queue.generation();
        let wakes =
            |session: &&Arc<Session>| session.generation == generation && session.is_quiet() && session.has_received();
        let tasks = self.sessions().values().filter(wakes).flat_map(|session| task::fuzzers(session, 1)).collect();
        self.queue.add(generation, tasks);
    }

    /// Sets the seed of random numbers from the next build on, which may be the same one again.
    pub fn set_seed(&self, seed: u64) {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).seed = seed;
    }

    /// Applies the levels, products and memory bound of a configuration at once, while fuzzing continues. Other settings take
    /// effect with the next build. So does an oracle that was off, since it has to judge a replay of the corpus:
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

    /// Whether [`Campaign::configure`] is not enough, since an oracle is switched on, or a world is another one.
    pub fn needs_rebase(before: &Config, after: &Config) -> bool {
        Self::switches_on(before, after) || before.world != after.world
    }

    /// Whether an oracle is switched on, or may be at some place.
    pub(super) fn switches_on(before: &Config, after: &Config) -> bool {
        before.levels != after.levels
            || OracleMeta::ids().any(|oracle| before.level(oracle) == Level::Off && after.level(oracle) != Level::Off)
    }

    pub(super) fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other rebase is running, and holds the lock for this one.
    pub(super) fn begin_turning(&self) -> MutexGuard<'_, ()> {
        self.turning.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives most slices to the contracts that the user works on, from the next slice on, for all builds. It does not wait for
    /// a rebase.
    pub fn focus(&self, focus: Focus) {
        self.queue.focus(focus);
    }

    /// Pauses or resumes fuzzing, at the next transaction. A pause also writes the corpus store, since the process may end
    /// soon.
    pub fn set_paused(&self, paused: bool) {
        self.queue.set_paused(paused);
        if paused && let Some(archive) = &self.options.lock().unwrap_or_else(PoisonError::into_inner).archive {
            archive.hurry();
        }
    }

    /// Ends fuzzing, whatever is left of the budget. Findings are still shrunk, within the bound that holds at the end of a
    /// budget; then [`Event::Quiet`](super::Event::Quiet) is sent.
    pub fn end(&self) {
        self.queue.end();
    }

    /// Pauses and waits until nothing runs; findings that were being confirmed have been reported by then.
    pub fn pause_and_wait(&self) {
        self.queue.set_paused(true);
        self.queue.wait_until_idle();
    }

    /// The progress of each contract, ordered by key. Contracts with nothing to run are left out.
    pub fn progress(&self) -> Vec<Progress> {
        Worlds::of(&self.sessions()).iter().map(Worlds::progress).collect()
    }

    /// What was and was not reached, for the contracts of [`Campaign::progress`].
    pub fn survey(&self) -> Survey {
        let sessions = self.sessions().clone();
        Survey::of(&Worlds::of(&sessions), &self.outlines)
    }

    /// What there is to say of each contract beside its findings.
    pub fn remarks(&self) -> Vec<Remark> {
        let sessions: Vec<Arc<Session>> = self.sessions().values().cloned().collect();
        sessions.iter().flat_map(|session| session.remarks()).collect()
    }

    /// The contracts that are fuzzed, each with its world.
    pub fn harnesses(&self) -> Vec<Arc<Harness>> {
        self.sessions().values().map(|session| session.harness.clone()).collect()
    }

    /// Deletes all sessions and findings, in memory and in the corpus store, so that the next build starts from nothing.
    /// Nothing is fuzzed until then.
    pub fn forget(&self, generation: u64) {
        let _turning = self.begin_turning();
        self.queue.begin(generation);
        self.queue.wait_until_idle();
        self.sessions().clear();
        self.retired.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.forget_first_layouts();
        if let Some(archive) = self.options().archive {
            archive.clear();
            archive.flush();
        }
    }

    /// The targets of each contract with their states, for the contracts of [`Campaign::progress`].
    pub fn reaching(&self) -> Vec<TargetReport> {
        Worlds::of(&self.sessions()).iter().map(Worlds::targets).collect()
    }

    /// Confirmed findings of the current build, one for each place and oracle, in the order of files and lines.
    pub fn findings(&self) -> Vec<Arc<Finding>> {
        let all: Vec<Arc<Finding>> = self.sessions().values().flat_map(|session| session.findings()).collect();
        distinct(&all).into_iter().cloned().collect()
    }

    /// Divides the campaign's memory equally among all sessions, including the retired ones.
    pub(super) fn share_memory(&self, sessions: &Sessions, config: &Config) {
        let retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let all = sessions.values().chain(retired.values()).map(Arc::downgrade).collect();
        self.queue.ask_for_memory(config.memory_mib().saturating_mul(memory::MIB), all);
        retired.values().for_each(|session| session.make_room());
    }

    /// A number that grows whenever a target is reached or proved unreachable, within one build.
    pub fn targets_version(&self) -> u64 {
        self.sessions().values().map(|session| session.targets.version()).sum()
    }

    /// Stops, and waits until none of its tasks runs; a pool of its own ends.
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
