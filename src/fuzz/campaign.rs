//! A [`Campaign`] fuzzes all contracts of a project, on threads of its own, for as long as it lives. A new build
//! rebases it: findings are replayed first, the corpus is carried over, and results of the old build are dropped.

use super::{
    coverage::Share,
    lane::Lane,
    memory,
    session::{Carried, Session},
    target::{Target, TargetState, Targets},
    techniques::Techniques,
    worker::{Queue, Task, Worker},
};
use crate::{
    code::Programs,
    compile::{Build, ContractId},
    finding::Finding,
    project::{Config, Level, ORACLES},
    subject::Subject,
};
use std::{
    collections::BTreeMap,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
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
}

/// All sessions of a project and the threads that run them.
pub struct Campaign {
    options: Mutex<Options>,
    listener: Notice,
    sessions: Mutex<Sessions>,
    queue: Arc<Queue>,
    workers: Mutex<Vec<Worker>>,
}

/// By file and name of the contract.
type Sessions = BTreeMap<(String, String), Arc<Session>>;

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
            let there = session.lanes.load(Ordering::Relaxed);
            tasks.extend(Self::lanes(session, lanes.saturating_sub(there), &Carried::default()));
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
        share_memory(&sessions, config);
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

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Turns every session to a new build. Findings are replayed before this returns; what still holds and what is
    /// fixed has been told by then. Contracts whose sources failed to compile keep their last session; sessions whose
    /// code did not change go on as they are.
    pub fn rebase(&self, build: &Arc<Build>, config: &Config, generation: u64) {
        self.queue.begin(generation);
        let options = self.options();
        let programs = Arc::new(Programs::of(build));
        let mut sessions = self.sessions();
        let mut old = std::mem::take(&mut *sessions);
        let mut tasks: Vec<Vec<Task>> = Vec::new();

        let ids = options.contracts_of(build);
        let lanes = options.workers.max(1).div_ceil(ids.len().max(1));
        for id in ids {
            let contract = build.contract(id);
            let key = (build.source(contract.source).name.clone(), contract.name.clone());
            let subject = match Subject::new(build.clone(), programs.clone(), id) {
                Ok(subject) => Arc::new(subject),
                Err(error) => {
                    tracing::warn!(contract = %contract.name, %error, "cannot be fuzzed");
                    continue;
                }
            };
            if let Some(what) = oversize(&subject) {
                (self.listener)(Event::Oversized { generation, subject: subject.clone(), what });
            }
            let before = old.remove(&key);
            let carried = before.as_ref().map(|session| session.carry_to(&subject)).unwrap_or_default();
            let session = self.session(subject, config, &options, generation);
            self.tell_fixed(generation, session.replay(&carried.findings));
            tasks.push(Self::lanes(&session, lanes, &carried));
            sessions.insert(key, session);
        }
        for (key, session) in old {
            if build.failed.contains(&key.0) {
                // Its file does not compile now: the last good code goes on being fuzzed.
                let carried = session.carry_to(&session.subject);
                let session = self.session(session.subject.clone(), config, &options, generation);
                self.tell_fixed(generation, session.replay(&carried.findings));
                tasks.push(Self::lanes(&session, lanes, &carried));
                sessions.insert(key, session);
            } else {
                self.tell_fixed(generation, session.findings().iter().map(|finding| finding.id.clone()).collect());
            }
        }
        share_memory(&sessions, config);
        // One lane of each session first: with few workers every contract gets its turn.
        let most = tasks.iter().map(Vec::len).max().unwrap_or(0);
        let mut tasks: Vec<_> = tasks.into_iter().map(Vec::into_iter).collect();
        let ordered = (0..most).flat_map(|_| tasks.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>()).collect();
        self.queue.fill(generation, ordered);
    }

    fn session(&self, subject: Arc<Subject>, config: &Config, options: &Options, generation: u64) -> Arc<Session> {
        let targets = options.targets_of(&subject);
        let session = Session::new(subject, config.clone(), options.seed, generation, self.listener.clone());
        Arc::new(session.with_techniques(options.techniques).with_targets(targets))
    }

    fn tell_fixed(&self, generation: u64, ids: Vec<String>) {
        for id in ids {
            (self.listener)(Event::Fixed { generation, id });
        }
    }

    /// So many lanes more.
    fn lanes(session: &Arc<Session>, count: usize, carried: &Carried) -> Vec<Task> {
        let first = session.lanes.fetch_add(count, Ordering::Relaxed);
        (first..first + count)
            .map(|index| {
                // The first lane runs the old corpus again; the others hear of what is worth keeping.
                let replays = if index == 0 { carried.sequences.clone() } else { Vec::new() };
                let lane = Box::new(Lane::new(session.clone(), index, replays));
                Task { lane, index, generation: session.generation }
            })
            .collect()
    }

    /// Stops or goes on, at the next transaction.
    pub fn set_paused(&self, paused: bool) {
        self.queue.set_paused(paused);
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
fn oversize(subject: &Subject) -> Option<String> {
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

/// Every session may keep the same part of what the settings allow.
fn share_memory(sessions: &Sessions, config: &Config) {
    let bytes = config.memory_mib().saturating_mul(memory::MIB) / sessions.len().max(1) as u64;
    sessions.values().for_each(|session| session.meter.set_bound(bytes));
}

impl Drop for Campaign {
    fn drop(&mut self) {
        self.queue.stop();
    }
}
