//! A [`Campaign`] fuzzes all contracts of a project, on the threads of a [`Pool`], for as long as it lives. What a new build
//! means for it is told in `rebase.rs`.

use super::{
    coverage::Share,
    memory,
    pool::Pool,
    queue::Queue,
    rebase::rank_support,
    session::Session,
    target::{Target, TargetState, Targets},
    techniques::Techniques,
    turns::Focus,
};
use crate::{
    archive::Archive,
    code::Numbering,
    compile::{Build, ContractId},
    finding::{Finding, distinct},
    oracle::OracleMeta,
    project::{Config, Level},
    subject::Subject,
};
use std::{
    collections::BTreeMap,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// What a campaign tells while it runs. Everything belongs to a generation: results of an older one are stale.
#[derive(Debug, Clone)]
pub enum Event {
    /// A finding was confirmed, or still holds on this build. It may not be shrunk yet.
    Found {
        /// Of which build.
        generation: u64,
        /// What.
        finding: Arc<Finding>,
    },
    /// A finding that was told before has a sequence now that was made as short as it gets. Its id is the same.
    Shrunk {
        /// Of which build.
        generation: u64,
        /// What.
        finding: Arc<Finding>,
    },
    /// A finding of the last build no longer fails.
    Fixed {
        /// Of which build.
        generation: u64,
        /// Its id.
        id: String,
    },
    /// A contract cannot be deployed.
    Undeployable {
        /// Of which build.
        generation: u64,
        /// Which.
        subject: Arc<Subject>,
        /// Why.
        why: String,
    },
    /// A contract cannot be fuzzed, since a library that it is linked to cannot be deployed.
    Unlinkable {
        /// Of which build.
        generation: u64,
        /// The build.
        build: Arc<Build>,
        /// Which contract of it.
        contract: ContractId,
        /// Why.
        why: String,
    },
    /// A contract is fuzzed, but a chain would not take it as it is.
    Oversized {
        /// Of which build.
        generation: u64,
        /// Which.
        subject: Arc<Subject>,
        /// What is too large.
        what: String,
    },
    /// A worker panicked and was replaced: a defect of ours.
    Panicked {
        /// Of which build.
        generation: u64,
        /// What it was fuzzing.
        contract: String,
        /// What reproduces it: the panic's words, the seed and the calls.
        report: String,
    },
    /// Nothing new is found any more, or the budget is spent, and what was found is shrunk: the workers rest.
    Quiet {
        /// Of which build.
        generation: u64,
    },
}

/// Where a campaign's events go. Called from its threads: it must not block.
pub type Notice = Arc<dyn Fn(Event) + Send + Sync>;

/// [`Options::quiet_after`] where nobody says otherwise. Chosen by hand.
pub(super) const QUIET_AFTER: u64 = 1_000_000;

/// How to fuzz.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many threads; at least one is started.
    pub workers: usize,
    /// Seed of everything drawn.
    pub seed: u64,
    /// Transactions in all, if limited. Shrinking what was found does not count; when they are spent, it takes 10 billion gas more
    /// at most.
    pub executions: Option<u64>,
    /// Whether to rest when nothing new is found.
    pub until_quiet: bool,
    /// A contract is quiet when this many transactions in a row showed nothing new; after a long search it takes more, three times
    /// as many in all as it took to see the last new thing. A million by default.
    pub quiet_after: u64,
    /// Only contracts that these name: `NAME` or `path.sol:NAME`. Empty means all.
    pub contracts: Vec<String>,
    /// Lines that are to be reached; where there are none, it is as if nothing had been built before.
    pub targets: Vec<Lines>,
    /// Which techniques are used.
    pub techniques: Techniques,
    /// Whether the threads leave the processor to everybody else who wants it. Of a pool that is shared, the pool says so.
    pub background: bool,
    /// Where corpus and findings are kept for the next process; without one they end with this one.
    pub archive: Option<Arc<Archive>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            workers: 0,
            seed: 0,
            executions: None,
            until_quiet: false,
            quiet_after: QUIET_AFTER,
            contracts: Vec::new(),
            targets: Vec::new(),
            techniques: Techniques::default(),
            background: false,
            archive: None,
        }
    }
}

/// Lines of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// Its absolute path.
    pub file: PathBuf,
    /// From 1.
    pub lines: RangeInclusive<usize>,
}

/// How the targets of a contract stand.
#[derive(Debug, Clone)]
pub struct Reaching {
    /// The session's subject.
    pub subject: Arc<Subject>,
    /// Each with how it ended.
    pub targets: Vec<(Target, TargetState)>,
    /// What looking ahead took.
    pub lookahead: Duration,
}

impl Options {
    /// What of the wanted lines a contract compiles in.
    pub fn targets_of(&self, subject: &Subject) -> Targets {
        if self.targets.is_empty() {
            return Targets::of_first_build(subject);
        }
        let places = self
            .targets
            .iter()
            .filter_map(|wanted| Some((subject.build.source_at(&wanted.file)?, wanted.lines.clone())));
        Targets::of_places(subject, &places.collect::<Vec<_>>())
    }

    /// The contracts of a build that are fuzzed: those of the project's own that can be deployed and are wanted.
    pub fn contracts_of(&self, build: &Build) -> Vec<ContractId> {
        build.contract_ids().filter(|id| self.wants(build, *id)).collect()
    }

    fn wants(&self, build: &Build, id: ContractId) -> bool {
        let contract = build.contract(id);
        let source = build.source(contract.source);
        if !contract.is_deployable() || source.foreign {
            return false;
        }
        self.contracts.is_empty()
            || self.contracts.iter().any(|wanted| match wanted.rsplit_once(':') {
                Some((file, name)) => contract.name == name && (source.name == file || source.path.ends_with(file)),
                None => contract.name == *wanted,
            })
    }
}

/// How far one contract is.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The session's subject.
    pub subject: Arc<Subject>,
    /// Transactions executed.
    pub executions: u64,
    /// Why nothing of it is run any more, if so: its constructor refuses, or fuzzing it panicked again and again.
    pub given_up: Option<String>,
    /// Paths kept.
    pub paths: usize,
    /// Sides of branches in its source.
    pub branches: Share,
    /// Instructions of its runtime code.
    pub instructions: Share,
    /// Whether it gets a small share of the turns, since it only supports what the project is about.
    pub support: bool,
    /// Whether nothing new is found any more.
    pub quiet: bool,
    /// What is kept of it, in bytes.
    pub memory: u64,
    /// Of the transactions, those of a corpus that was run again after a change.
    pub rerun: u64,
    /// Sequences of that corpus that wait for their turn.
    pub awaiting_rerun: usize,
}

/// All sessions of a project, and its place among those that share a pool.
pub struct Campaign {
    options: Mutex<Options>,
    pub(super) listener: Notice,
    /// Locked for a moment at a time, and never while anything is replayed: who asks how far it is does not wait.
    sessions: Mutex<Sessions>,
    /// Held by whoever turns to a build, or forgets: one at a time.
    turning: Mutex<()>,
    /// Those that the last change put an end to, for the day when it is taken back.
    pub(super) shelf: Mutex<Sessions>,
    pub(super) numbering: Mutex<Numbering>,
    pub(super) queue: Arc<Queue>,
    pool: Pool,
    /// Whether nobody else is in the pool.
    owns_pool: bool,
}

/// File and name of a contract.
pub(super) type Key = (String, String);
pub(super) type Sessions = BTreeMap<Key, Arc<Session>>;

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
    pub fn start(options: Options, listener: Notice) -> std::io::Result<Self> {
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
    pub fn start_in(pool: &Pool, options: Options, listener: Notice) -> std::io::Result<Self> {
        let queue = Queue::join(&pool.shared, options.executions, options.until_quiet, listener.clone());
        let workers = options.workers;
        let campaign = Self {
            options: Mutex::new(options),
            listener,
            sessions: Mutex::default(),
            turning: Mutex::default(),
            shelf: Mutex::default(),
            numbering: Mutex::default(),
            queue,
            pool: pool.clone(),
            owns_pool: false,
        };
        campaign.pool.ask_for_workers(campaign.queue.id, workers)?;
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
        self.pool.ask_for_workers(self.queue.id, workers)?;
        // More threads than lanes would have nothing to do.
        let sessions = self.sessions();
        let lanes = workers.max(1).div_ceil(sessions.len().max(1));
        let mut tasks = Vec::new();
        let busy = |session: &&Arc<Session>| !session.is_quiet() && session.generation == self.queue.generation();
        for session in sessions.values().filter(busy) {
            tasks.extend(session.missing_lanes(lanes));
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
    pub fn settle(&self) {
        self.queue.set_paused(true);
        self.queue.wait_until_idle();
    }

    /// How far each contract is, in the order of their names. Those of which nothing can be run are left out.
    pub fn progress(&self) -> Vec<Progress> {
        self.sessions()
            .values()
            .filter(|session| session.has_anything_to_run())
            .map(|session| Progress {
                subject: session.subject.clone(),
                executions: session.executions(),
                given_up: session.given_up(),
                support: session.is_support(),
                paths: session.path_count(),
                branches: session.coverage.branches(session.subject.contract),
                instructions: session.coverage.instructions(session.subject.contract),
                quiet: session.is_quiet(),
                memory: session.meter.bytes(),
                rerun: session.learned.rerun.transactions(),
                awaiting_rerun: session.learned.rerun.len(),
            })
            .collect()
    }

    /// How the targets of each contract stand; the contracts are those of [`Campaign::progress`].
    pub fn reaching(&self) -> Vec<Reaching> {
        let of = |session: &Arc<Session>| Reaching {
            subject: session.subject.clone(),
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

    /// Every session, those on the shelf too, may keep the same part of what the campaign may keep.
    pub(super) fn share_memory(&self, sessions: &Sessions, config: &Config) {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let all = sessions.values().chain(shelf.values()).map(Arc::downgrade).collect();
        self.queue.ask_for_memory(config.memory_mib().saturating_mul(memory::MIB), all);
        shelf.values().for_each(|session| session.make_room());
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

/// Most bytes of code that a chain takes (EIP-170), and of code that makes a contract (EIP-3860).
const MAX_CODE: usize = 24_576;
const MAX_INIT_CODE: usize = 2 * MAX_CODE;

/// What is too large of a contract for a chain. It is fuzzed all the same, as `forge test` runs it too: somebody who is writing wants
/// to know what is wrong with it before it is cut into parts.
///
/// Nothing is said of code that was made without the optimizer: nobody deploys that.
pub(super) fn oversize(subject: &Subject) -> Option<String> {
    let compiled = subject.compiled();
    let settings: serde_json::Value = serde_json::from_str(&compiled.settings).unwrap_or_default();
    if settings.pointer("/optimizer/enabled") != Some(&serde_json::Value::Bool(true)) {
        return None;
    }
    let (code, init) = (compiled.runtime.code.len(), compiled.creation.code.len());
    if code > MAX_CODE {
        Some(format!("its code has {code} bytes, more than the {MAX_CODE} that a chain takes (EIP-170)"))
    } else if init > MAX_INIT_CODE {
        Some(format!("its init code has {init} bytes, more than the {MAX_INIT_CODE} that a chain takes (EIP-3860)"))
    } else {
        None
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
