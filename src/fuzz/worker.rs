//! A [`Worker`] is a thread that takes lanes from a [`Queue`], runs each for a slice, and puts it back. A lane that
//! panics is reported and replaced, and the thread lives on; a session whose lanes panic again and again is left alone
//! until the next build, and all others are fuzzed on. While a new build is turned to, no lane runs: those that come back wait
//! until it is known which session they go on in, if any does.

use super::{
    campaign::{Event, Notice},
    lane::Lane,
    turns::{Focus, Rank, Turns},
};
use crate::{code::Programs, evm::Executor, project::EvmVersion, subject::Subject};
use std::{
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
/// So many executors a thread keeps: contracts whose files do not compile now run on other programs than the rest.
const MAX_EXECUTORS: usize = 4;

/// A lane that waits for its turn.
pub(super) struct Task {
    pub(super) lane: Box<Lane>,
    pub(super) index: usize,
    pub(super) generation: u64,
    /// Its rank in the focus of this number.
    rank: Option<(u64, Rank)>,
}

impl Task {
    pub(super) fn new(lane: Box<Lane>, index: usize, generation: u64) -> Self {
        Self { lane, index, generation, rank: None }
    }

    /// The same on the newest build, if a session goes on there with what this one did, and still has something to do.
    pub(super) fn go_on(mut self, until_quiet: bool) -> Option<Self> {
        let session = self.lane.session().successor()?.clone();
        self.generation = session.generation;
        self.rank = None;
        self.lane.go_on(session);
        (!self.is_done(until_quiet)).then_some(self)
    }

    /// Whether its session has nothing to do any more.
    fn is_done(&self, until_quiet: bool) -> bool {
        let session = self.lane.session();
        session.undeployable().is_some() || session.is_left_alone() || (until_quiet && session.is_quiet())
    }
}

#[derive(Default)]
struct Waiting {
    tasks: Turns<Task>,
    /// Lanes of an older build, while a new one is turned to.
    parked: Vec<Task>,
    turning: bool,
    /// What somebody is working on, and how often that changed.
    focus: Focus,
    focus_number: u64,
    running: usize,
    budget: Option<u64>,
    paused: bool,
    quiet: bool,
    /// How many threads there are, and how many there should be.
    threads: usize,
    wanted: usize,
}

impl Waiting {
    /// Lets a lane wait for its turn. What imports what is looked up once for each focus, not after each slice.
    fn push(&mut self, mut task: Task) {
        let known = task.rank.filter(|(number, _)| *number == self.focus_number);
        let rank = known.map_or_else(|| self.focus.rank(&task.lane.session().subject), |(_, rank)| rank);
        task.rank = Some((self.focus_number, rank));
        self.tasks.push(rank, task);
    }
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

    /// A new generation: lanes of older ones stop at their next transaction. None runs until it is [filled](Self::fill).
    pub(super) fn begin(&self, generation: u64) {
        let mut waiting = self.waiting();
        self.generation.store(generation, Ordering::SeqCst);
        waiting.turning = true;
        while let Some(task) = waiting.tasks.pop() {
            waiting.parked.push(task);
        }
    }

    /// The lanes of older generations that came back by now and go on, by contract.
    pub(super) fn unpark(&self) -> Vec<Task> {
        let parked = std::mem::take(&mut self.waiting().parked);
        parked.into_iter().filter_map(|task| task.go_on(self.until_quiet)).collect()
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    pub(super) fn fill(&self, generation: u64, tasks: Vec<Task>) {
        let mut waiting = self.waiting();
        if generation == self.generation.load(Ordering::SeqCst) {
            // Those that came back since the parked ones were asked for.
            let late = std::mem::take(&mut waiting.parked);
            let late = late.into_iter().filter_map(|task| task.go_on(self.until_quiet));
            let tasks: Vec<Task> = tasks.into_iter().chain(late).collect();
            (waiting.quiet, waiting.turning) = (false, false);
            tasks.into_iter().for_each(|task| waiting.push(task));
            self.rest_if_done(&mut waiting);
        }
        drop(waiting);
        self.changed.notify_all();
    }

    pub(super) fn focus(&self, focus: Focus) {
        let mut waiting = self.waiting();
        waiting.tasks.rank_again(|task| focus.rank(&task.lane.session().subject));
        waiting.focus = focus;
        waiting.focus_number += 1;
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
                && let Some(task) = waiting.tasks.pop()
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

    /// A lane comes back, or nothing does; `unspent` goes back to the budget. A lane that a new build has left behind is
    /// returned: it has to go on there first.
    fn give_back(&self, task: Option<Task>, unspent: u64) -> Option<Task> {
        let mut waiting = self.waiting();
        if let Some(left) = &mut waiting.budget {
            *left += unspent;
        }
        match task {
            Some(task) if task.generation == self.generation.load(Ordering::SeqCst) => waiting.push(task),
            Some(task) if waiting.turning => waiting.parked.push(task),
            Some(task) => return Some(task),
            None => {}
        }
        waiting.running -= 1;
        self.rest_if_done(&mut waiting);
        drop(waiting);
        self.changed.notify_all();
        None
    }

    fn rest_if_done(&self, waiting: &mut Waiting) {
        let spent = waiting.budget == Some(0);
        if waiting.running == 0 && !waiting.quiet && !waiting.turning && (waiting.tasks.is_empty() || spent) {
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
        let is_it = |(programs, of, _): &(Arc<Programs>, EvmVersion, Executor)| {
            *of == version && Arc::ptr_eq(programs, &subject.programs)
        };
        match self.0.iter().position(is_it) {
            Some(at) => self.0[..=at].rotate_right(1),
            None => self.0.insert(0, (subject.programs.clone(), version, subject.executor())),
        }
        self.0.truncate(MAX_EXECUTORS);
        let executor = &mut self.0[0].2;
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
    let mut last = 0;
    while let Some((mut task, most)) = queue.take() {
        let generation = task.generation;
        if generation != last {
            // Of the build before, nothing is run any more but what is kept of files that do not compile.
            (executors, last) = (Executors::default(), generation);
        }
        let subject = task.lane.session().subject.clone();
        let ran = catch_unwind(AssertUnwindSafe(|| {
            task.lane.run(executors.of(&subject), SLICE.min(most), most, &|| queue.halts(generation))
        }));
        let (mut back, mut unspent) = match ran {
            Ok(spent) => (Some(task), most - spent),
            Err(panic) => {
                executors = Executors::default();
                (replace(queue, task, panic.as_ref()), 0)
            }
        };
        // Builds may follow each other faster than lanes come back.
        loop {
            // What was found too late for the next build is taken there even if there is nothing else to do.
            let goes_on = |task: &Task| task.generation != queue.generation() || !task.is_done(queue.until_quiet);
            match queue.give_back(back.filter(goes_on), unspent) {
                Some(behind) => {
                    let on = catch_unwind(AssertUnwindSafe(|| behind.go_on(queue.until_quiet)));
                    if on.is_err() {
                        tracing::error!(
                            "a defect of bellwether: a lane could not go on with the new build, and is lost"
                        );
                    }
                    (back, unspent) = (on.ok().flatten(), 0);
                }
                None => break,
            }
        }
    }
}

/// Reports a panic with what reproduces it, and makes a lane that goes on elsewhere: its numbers differ from those of
/// the one that fell. None if its session panics too often.
fn replace(queue: &Queue, task: Task, panic: &(dyn std::any::Any + Send)) -> Option<Task> {
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
    let follows = if !session.is_left_alone() { "it is fuzzed on" } else { "it is left alone until the next build" };
    let report = format!(
        "{words}; build {}, contract {name}, seed {}, lane {}, sequence {calls}; {follows}",
        session.subject.build.id, session.seed, task.index
    );
    (queue.listener)(Event::Panicked { generation: task.generation, contract: name.clone(), report });
    let index = task.index + panics * 1000;
    (!session.is_left_alone()).then(|| Task::new(Box::new(Lane::new(session, index)), index, task.generation))
}
