//! A [`Campaign`] fuzzes all contracts of a project, on threads of its own, for as long as it lives. What a new build
//! means for it is told in `rebase.rs`.

use super::{
    coverage::Share,
    memory,
    session::Session,
    target::{Target, TargetState, Targets},
    techniques::Techniques,
    turns::Focus,
    worker::{Queue, Worker},
};
use crate::{
    archive::Archive,
    code::Numbering,
    compile::{Build, ContractId},
    finding::Finding,
    project::{Config, Level, ORACLES},
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
    /// A finding was confirmed, or still holds on this build.
    Found {
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
    /// Nothing new is found any more, or the budget is spent: the workers rest.
    Quiet {
        /// Of which build.
        generation: u64,
    },
}

/// Where a campaign's events go. Called from its threads: it must not block.
pub type Notice = Arc<dyn Fn(Event) + Send + Sync>;

/// How to fuzz.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How many threads; at least one is started.
    pub workers: usize,
    /// Seed of everything drawn.
    pub seed: u64,
    /// Transactions in all, if limited.
    pub executions: Option<u64>,
    /// Whether to rest when nothing new is found.
    pub until_quiet: bool,
    /// Only contracts that these name: `NAME` or `path.sol:NAME`. Empty means all.
    pub contracts: Vec<String>,
    /// Lines that are to be reached; where there are none, it is as if nothing had been built before.
    pub targets: Vec<Lines>,
    /// Which techniques are used.
    pub techniques: Techniques,
    /// Whether the threads leave the processor to everybody else who wants it.
    pub background: bool,
    /// Where corpus and findings are kept for the next process; without one they end with this one.
    pub archive: Option<Arc<Archive>>,
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
    /// Paths kept.
    pub paths: usize,
    /// Sides of branches in its source.
    pub branches: Share,
    /// Instructions of its runtime code.
    pub instructions: Share,
    /// Whether nothing new is found any more.
    pub quiet: bool,
    /// What is kept of it, in bytes.
    pub memory: u64,
    /// Of the transactions, those of a corpus that was run again after a change.
    pub rerun: u64,
    /// Sequences of that corpus that wait for their turn.
    pub awaiting_rerun: usize,
}

/// All sessions of a project and the threads that run them.
pub struct Campaign {
    options: Mutex<Options>,
    pub(super) listener: Notice,
    sessions: Mutex<Sessions>,
    /// Those that the last change put an end to, for the day when it is taken back.
    pub(super) shelf: Mutex<Sessions>,
    pub(super) numbering: Mutex<Numbering>,
    pub(super) queue: Arc<Queue>,
    workers: Mutex<Vec<Worker>>,
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
    /// Starts the threads; they rest until the first build.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn start(options: Options, listener: Notice) -> std::io::Result<Self> {
        let queue = Arc::new(Queue::new(options.executions, options.until_quiet, listener.clone()));
        let workers = options.workers;
        let campaign = Self {
            options: Mutex::new(options),
            listener,
            sessions: Mutex::default(),
            shelf: Mutex::default(),
            numbering: Mutex::default(),
            queue,
            workers: Mutex::default(),
        };
        campaign.start_workers(workers)?;
        Ok(campaign)
    }

    /// How it fuzzes now.
    pub fn options(&self) -> Options {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Fuzzes with so many threads from now on, at least with one. Nothing that was learned is lost.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn set_workers(&self, workers: usize) -> std::io::Result<()> {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).workers = workers;
        self.start_workers(workers)?;
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

    /// Takes other levels and another bound of memory at once, while everything goes on. Other settings count from the next
    /// build on; so does an oracle that was off, for which what was run already has to be run again:
    /// [`Campaign::needs_rebase`].
    pub fn configure(&self, config: &Config) {
        let sessions = self.sessions();
        for session in sessions.values() {
            session.configure(config);
        }
        self.share_memory(&sessions, config);
    }

    /// Whether [`Campaign::configure`] cannot do it alone: an oracle judges that did not.
    pub fn needs_rebase(before: &Config, after: &Config) -> bool {
        ORACLES.iter().any(|oracle| before.level(oracle) == Level::Off && after.level(oracle) != Level::Off)
    }

    fn start_workers(&self, count: usize) -> std::io::Result<()> {
        let background = self.options.lock().unwrap_or_else(PoisonError::into_inner).background;
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.retain(|worker| !worker.has_ended());
        let missing = self.queue.want(count.max(1));
        for started in 0..missing {
            match Worker::start(workers.len(), self.queue.clone(), background) {
                Ok(worker) => workers.push(worker),
                Err(error) => {
                    (started..missing).for_each(|_| self.queue.lose_thread());
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    pub(super) fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Stops and waits until no lane runs any more: what was being confirmed has been told by then.
    pub fn settle(&self) {
        self.queue.set_paused(true);
        self.queue.wait_until_idle();
    }

    /// How far each contract is, in the order of their names.
    pub fn progress(&self) -> Vec<Progress> {
        self.sessions()
            .values()
            .map(|session| Progress {
                subject: session.subject.clone(),
                executions: session.executions(),
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

    /// How the targets of each contract stand, in the order of their names.
    pub fn reaching(&self) -> Vec<Reaching> {
        let of = |session: &Arc<Session>| Reaching {
            subject: session.subject.clone(),
            targets: session.targets.list().iter().cloned().zip(session.targets.states()).collect(),
            lookahead: session.lookahead_time(),
        };
        self.sessions().values().map(of).collect()
    }

    /// Confirmed findings of the current build, one for each place and oracle, in the order of files and lines.
    pub fn findings(&self) -> Vec<Arc<Finding>> {
        let mut places = BTreeMap::new();
        let shown = |finding: &Arc<Finding>| finding.level != Level::Off;
        for finding in self.sessions().values().flat_map(|session| session.findings()).filter(shown) {
            // The same place reached through two contracts is one finding: that of the first.
            places.entry((finding.file.clone(), finding.span, finding.violation.oracle)).or_insert(finding);
        }
        places.into_values().collect()
    }

    /// Every session, those on the shelf too, may keep the same part of what the settings allow.
    pub(super) fn share_memory(&self, sessions: &Sessions, config: &Config) {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let count = (sessions.len() + shelf.len()).max(1) as u64;
        let bytes = config.memory_mib().saturating_mul(memory::MIB) / count;
        sessions.values().chain(shelf.values()).for_each(|session| session.meter.set_bound(bytes));
        shelf.values().for_each(|session| session.make_room());
    }

    /// Another number each time that a target ends, for as long as the build is the same.
    pub fn targets_version(&self) -> u64 {
        self.sessions().values().map(|session| session.targets.version()).sum()
    }

    /// Stops the threads and waits for them.
    pub fn stop(self) {
        self.queue.stop();
        for worker in self.workers.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            worker.join();
        }
    }
}

/// Most bytes of code that a chain takes (EIP-170), and of code that makes a contract (EIP-3860).
const MAX_CODE: usize = 24_576;
const MAX_INIT_CODE: usize = 2 * MAX_CODE;

/// What is too large of a contract for a chain. It is fuzzed all the same, as `forge test` runs it too: somebody who is writing wants
/// to know what is wrong with it before it is cut into parts.
pub(super) fn oversize(subject: &Subject) -> Option<String> {
    let compiled = subject.compiled();
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
        self.queue.stop();
        if let Some(archive) = &self.options.get_mut().unwrap_or_else(PoisonError::into_inner).archive {
            archive.flush();
        }
    }
}
