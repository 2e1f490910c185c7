//! A [`Worker`] is a thread that takes lanes from a [`Queue`], runs each for a slice, and puts it back. A lane that
//! panics is reported and replaced, and the thread lives on; a session whose lanes panic again and again is left alone
//! until the next build, and all others are fuzzed on.

use super::{
    campaign::{Event, Notice},
    lane::Lane,
};
use crate::{code::Programs, evm::Executor, project::EvmVersion, subject::Subject};
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::JoinHandle,
};

/// Transactions in one slice: counted, not timed, so that one worker always does the same; few, so that a contract whose
/// calls take milliseconds does not keep the others waiting.
const SLICE: u64 = 64;
/// What has been begun in a slice may go on for so many more.
const OVERTIME: u64 = 512;
/// A session whose lanes panic more often than this is left alone.
const MAX_PANICS: usize = 3;

/// A lane that waits for its turn.
pub(super) struct Task {
    pub(super) lane: Box<Lane>,
    pub(super) index: usize,
    pub(super) generation: u64,
}

#[derive(Default)]
struct Waiting {
    tasks: VecDeque<Task>,
    running: usize,
    budget: Option<u64>,
    paused: bool,
    quiet: bool,
    /// How many threads there are, and how many there should be.
    threads: usize,
    wanted: usize,
}

/// Lanes that wait, and what all workers must know.
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    generation: AtomicU64,
    paused: AtomicBool,
    stopped: AtomicBool,
    until_quiet: bool,
    listener: Notice,
}

impl Queue {
    pub(super) fn new(executions: Option<u64>, until_quiet: bool, listener: Notice) -> Self {
        Self {
            waiting: Mutex::new(Waiting { budget: executions, quiet: true, ..Waiting::default() }),
            changed: Condvar::new(),
            generation: AtomicU64::new(0),
            paused: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            until_quiet,
            listener,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new generation: lanes of older ones stop at their next transaction and are dropped.
    pub(super) fn begin(&self, generation: u64) {
        self.generation.store(generation, Ordering::SeqCst);
        self.waiting().tasks.clear();
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    pub(super) fn fill(&self, generation: u64, tasks: Vec<Task>) {
        let mut waiting = self.waiting();
        if generation == self.generation.load(Ordering::SeqCst) {
            waiting.quiet = false;
            waiting.tasks.extend(tasks);
            self.rest_if_done(&mut waiting);
        }
        drop(waiting);
        self.changed.notify_all();
    }

    pub(super) fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Ordering::SeqCst);
        self.waiting().paused = paused;
        self.changed.notify_all();
    }

    pub(super) fn wait_until_idle(&self) {
        let mut waiting = self.waiting();
        while waiting.running > 0 {
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        drop(self.waiting());
        self.changed.notify_all();
    }

    /// Has so many threads: how many have to be started. Those that are too many end when they come for a lane.
    pub(super) fn want(&self, threads: usize) -> usize {
        let mut waiting = self.waiting();
        let missing = threads.saturating_sub(waiting.threads);
        waiting.threads += missing;
        waiting.wanted = threads;
        drop(waiting);
        self.changed.notify_all();
        missing
    }

    /// A thread could not be started.
    pub(super) fn lose_thread(&self) {
        self.waiting().threads -= 1;
    }

    /// The next lane and how many transactions it may run at most; none when the thread is to end.
    fn take(&self) -> Option<(Task, u64)> {
        let mut waiting = self.waiting();
        loop {
            if self.stopped.load(Ordering::SeqCst) || waiting.threads > waiting.wanted {
                waiting.threads -= 1;
                return None;
            }
            let most = waiting.budget.map_or(SLICE + OVERTIME, |left| left.min(SLICE + OVERTIME));
            if !waiting.paused
                && most > 0
                && let Some(task) = waiting.tasks.pop_front()
            {
                if let Some(left) = &mut waiting.budget {
                    *left -= most;
                }
                waiting.running += 1;
                return Some((task, most));
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A lane comes back, or nothing does; `unspent` goes back to the budget.
    fn give_back(&self, task: Option<Task>, unspent: u64) {
        let mut waiting = self.waiting();
        waiting.running -= 1;
        if let Some(left) = &mut waiting.budget {
            *left += unspent;
        }
        if let Some(task) = task
            && task.generation == self.generation.load(Ordering::SeqCst)
        {
            waiting.tasks.push_back(task);
        }
        self.rest_if_done(&mut waiting);
        drop(waiting);
        self.changed.notify_all();
    }

    fn rest_if_done(&self, waiting: &mut Waiting) {
        let spent = waiting.budget == Some(0);
        if waiting.running == 0 && !waiting.quiet && (waiting.tasks.is_empty() || spent) {
            waiting.quiet = true;
            (self.listener)(Event::Quiet { generation: self.generation.load(Ordering::SeqCst) });
        }
    }

    /// Whether a lane of this generation has to stop now.
    fn halts(&self, generation: u64) -> bool {
        self.stopped.load(Ordering::Relaxed)
            || self.paused.load(Ordering::Relaxed)
            || self.generation.load(Ordering::Relaxed) != generation
    }
}

/// A thread that fuzzes.
pub(super) struct Worker {
    thread: JoinHandle<()>,
}

impl Worker {
    pub(super) fn start(index: usize, queue: Arc<Queue>, background: bool) -> std::io::Result<Self> {
        let thread = std::thread::Builder::new().name(format!("fuzz-{index}")).spawn(move || {
            if background {
                yield_to_others();
            }
            work(&queue);
        })?;
        Ok(Self { thread })
    }

    pub(super) fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }

    pub(super) fn join(self) {
        // A panic was already reported where it happened.
        let _ = self.thread.join();
    }
}

/// Executors of one thread: they cannot move to another, so lanes do.
#[derive(Default)]
struct Executors(Vec<(Arc<Programs>, EvmVersion, Executor)>);

impl Executors {
    fn of(&mut self, subject: &Subject) -> &mut Executor {
        let version = subject.compiled().evm_version;
        if self.0.first().is_some_and(|(programs, ..)| !Arc::ptr_eq(programs, &subject.programs)) {
            // Another build, or a session that kept its old one.
            self.0.retain(|(programs, ..)| Arc::ptr_eq(programs, &subject.programs));
        }
        let at = self.0.iter().position(|(_, of, _)| *of == version).unwrap_or_else(|| {
            self.0.push((subject.programs.clone(), version, subject.executor()));
            self.0.len() - 1
        });
        let executor = &mut self.0[at].2;
        executor.prefer(subject.contract);
        executor
    }
}

/// The lowest priority that this thread can have: an editor, a build or a game goes first.
fn yield_to_others() {
    if let Err(error) = thread_priority::set_current_thread_priority(thread_priority::ThreadPriority::Min) {
        tracing::debug!(%error, "fuzzing at normal priority");
    }
}

fn work(queue: &Queue) {
    let mut executors = Executors::default();
    while let Some((mut task, most)) = queue.take() {
        let generation = task.generation;
        let subject = task.lane.session().subject.clone();
        let ran = catch_unwind(AssertUnwindSafe(|| {
            task.lane.run(executors.of(&subject), SLICE.min(most), most, &|| queue.halts(generation))
        }));
        match ran {
            Ok(spent) => {
                let session = task.lane.session();
                let done = session.undeployable().is_some() || (queue.until_quiet && session.is_quiet());
                queue.give_back((!done).then_some(task), most - spent);
            }
            Err(panic) => {
                executors = Executors::default();
                let replacement = replace(queue, task, panic.as_ref());
                queue.give_back(replacement, 0);
            }
        }
    }
}

/// Reports a panic with what reproduces it, and makes a lane that goes on elsewhere: its numbers differ from those of
/// the one that fell. None if its session panics too often.
fn replace(queue: &Queue, mut task: Task, panic: &(dyn std::any::Any + Send)) -> Option<Task> {
    let session = task.lane.session().clone();
    let words = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_owned());
    let name = &session.subject.compiled().name;
    // What made it panic may well not be a sequence that can be written: then at least its parts are told.
    let calls = task.lane.trying().map_or_else(String::new, |sequence| {
        let written = || sequence.to_json(&session.subject.interface, name).to_string();
        catch_unwind(AssertUnwindSafe(written)).unwrap_or_else(|_| format!("{sequence:?}"))
    });
    let panics = session.count_panic();
    let follows = if panics <= MAX_PANICS { "it is fuzzed on" } else { "it is left alone until the next build" };
    let report = format!(
        "{words}; build {}, contract {name}, seed {}, lane {}, sequence {calls}; {follows}",
        session.subject.build.id, session.seed, task.index
    );
    (queue.listener)(Event::Panicked { generation: task.generation, contract: name.clone(), report });
    let index = task.index + panics * 1000;
    (panics <= MAX_PANICS).then(|| Task {
        lane: Box::new(Lane::new(session, index, task.lane.take_replays())),
        index,
        generation: task.generation,
    })
}
