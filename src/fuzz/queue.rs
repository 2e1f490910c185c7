//! A [`Queue`] is the place of one campaign in a [`Pool`](super::Pool): its tasks that wait for their turn, what it may still spend, and
//! whether it is paused. While a new build is turned to, nothing of it runs: tasks that come back wait until it is known
//! which session they go on in, if any does.

use super::{
    campaign::{Event, Notice},
    pool::{MemberId, Shared},
    session::Session,
    task::{OVERTIME, SLICE, Task},
    turns::{Focus, Rank, Ranks, Turns},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// Gas that shrinking may take after the budget is spent, or the campaign was ended: a few hundred thousand transactions. What
/// is not shrunk by then is told as it was found.
const LAST_GAS: u64 = 10_000_000_000;

/// What waits, under the lock of the pool.
#[derive(Default)]
pub(super) struct Waiting {
    tasks: Turns<Task>,
    /// Tasks of an older build, while a new one is turned to.
    pub(super) parked: Vec<Task>,
    pub(super) turning: bool,
    /// What somebody is working on, and how often that changed.
    focus: Ranks,
    focus_number: u64,
    pub(super) running: usize,
    budget: Option<u64>,
    /// Whether nothing is to be fuzzed any more, whatever the budget says.
    ended: bool,
    /// Gas that shrinking may still take then.
    last_gas: u64,
    paused: bool,
    quiet: bool,
}

impl Waiting {
    fn with_budget(executions: Option<u64>) -> Self {
        Self { budget: executions, last_gas: LAST_GAS, quiet: true, ..Self::default() }
    }

    /// The rank of a task. What imports what is looked up once for each focus, not after each slice.
    pub(super) fn rank(&mut self, task: &Task) -> Rank {
        let known = task.rank.get().filter(|(number, _)| *number == self.focus_number);
        let rank = known.map_or_else(|| self.focus.of(task.session()), |(_, rank)| rank);
        task.rank.set(Some((self.focus_number, rank)));
        rank
    }

    pub(super) fn push(&mut self, rank: Rank, task: Task) {
        self.tasks.push(rank, task);
    }

    /// Whether nothing is fuzzed any more: what was found is still shrunk.
    fn is_spent(&self) -> bool {
        self.ended || self.budget == Some(0)
    }

    /// Whether a task of this rank may be worked on now.
    pub(super) fn has(&self, rank: Rank) -> bool {
        !self.paused && self.has_left(rank)
    }

    fn has_left(&self, rank: Rank) -> bool {
        match self.is_spent() {
            false => self.tasks.first(rank, |_| true).is_some(),
            true => self.last_gas > 0 && self.tasks.first(rank, |task| !task.fuzzes()).is_some(),
        }
    }

    /// The next task of a rank, and how many transactions of the loop it may run at most.
    pub(super) fn take(&mut self, rank: Rank) -> Option<(Task, u64)> {
        let spent = self.is_spent();
        let at = self.tasks.first(rank, |task| !spent || !task.fuzzes())?;
        let task = self.tasks.take(rank, at)?;
        let most = self.budget.map_or(SLICE + OVERTIME, |left| left.min(SLICE + OVERTIME));
        let most = if task.fuzzes() { most } else { 0 };
        if let Some(left) = &mut self.budget {
            *left -= most;
        }
        self.running += 1;
        Some((task, most))
    }

    /// All tasks, as if they ran.
    pub(super) fn lend(&mut self) -> Vec<Task> {
        let tasks: Vec<Task> = self.tasks.drain().collect();
        self.running += tasks.len();
        tasks
    }

    /// `unspent` goes back to the budget, and `gas` was spent on shrinking.
    pub(super) fn settle(&mut self, unspent: u64, gas: u64) {
        if self.is_spent() {
            self.last_gas = self.last_gas.saturating_sub(gas);
        }
        if let Some(left) = &mut self.budget {
            *left += unspent;
        }
    }

    /// Whether nothing is left to be done, which is told once.
    pub(super) fn rests(&mut self) -> bool {
        let done = self.running == 0 && !Rank::ALL.into_iter().any(|rank| self.has_left(rank));
        let rests = done && !self.quiet && !self.turning;
        self.quiet |= rests;
        rests
    }
}

/// The place of a campaign in a pool.
pub(super) struct Queue {
    pub(super) id: MemberId,
    pool: Arc<Shared>,
    generation: AtomicU64,
    paused: AtomicBool,
    ended: AtomicBool,
    stopped: AtomicBool,
    pub(super) until_quiet: bool,
    listener: Notice,
}

impl Queue {
    /// Registers a campaign.
    pub(super) fn join(pool: &Arc<Shared>, executions: Option<u64>, until_quiet: bool, listener: Notice) -> Arc<Self> {
        pool.register(Waiting::with_budget(executions), |id| {
            Arc::new(Self {
                id,
                pool: pool.clone(),
                generation: AtomicU64::new(0),
                paused: AtomicBool::new(false),
                ended: AtomicBool::new(false),
                stopped: AtomicBool::new(false),
                until_quiet,
                listener,
            })
        })
    }

    /// Changes what waits; nothing if the campaign has left.
    fn change<T: Default>(&self, change: impl FnOnce(&mut Waiting) -> T) -> T {
        let changed = self.pool.lock().waiting(self.id).map(change).unwrap_or_default();
        self.pool.notify();
        changed
    }

    /// A new generation: tasks of older ones stop at their next transaction. None runs until it is [filled](Self::fill).
    pub(super) fn begin(&self, generation: u64) {
        self.change(|waiting| {
            self.generation.store(generation, Ordering::SeqCst);
            waiting.turning = true;
            waiting.parked.extend(waiting.tasks.drain());
        });
    }

    /// The tasks of older generations that came back by now and go on.
    pub(super) fn unpark(&self) -> Vec<Task> {
        let parked = self.change(|waiting| std::mem::take(&mut waiting.parked));
        parked.into_iter().flat_map(|task| task.go_on(self.until_quiet)).collect()
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    /// Lets tasks run. Those that came back since the parked ones were asked for go on first; what they found is replayed, and
    /// meanwhile nobody waits for the lock.
    pub(super) fn fill(&self, generation: u64, mut tasks: Vec<Task>) {
        let rests = loop {
            let mut state = self.pool.lock();
            let Some(waiting) = state.waiting(self.id).filter(|_| generation == self.generation()) else { return };
            let late = std::mem::take(&mut waiting.parked);
            if late.is_empty() {
                (waiting.quiet, waiting.turning) = (false, false);
                tasks.into_iter().for_each(|task| state.push(self.id, task));
                break state.waiting(self.id).is_some_and(Waiting::rests);
            }
            drop(state);
            tasks.extend(late.into_iter().flat_map(|task| task.go_on(self.until_quiet)));
        };
        self.pool.notify();
        if rests {
            self.tell_quiet();
        }
    }

    pub(super) fn focus(&self, focus: Focus) {
        let mut ranks = Ranks::by(focus);
        self.change(|waiting| {
            waiting.tasks.rank_again(|task| ranks.of(task.session()));
            waiting.focus = ranks;
            waiting.focus_number += 1;
        });
    }

    /// Ranks again what waits: other contracts are products now.
    pub(super) fn rank_again(&self) {
        self.change(|waiting| {
            let mut ranks = std::mem::take(&mut waiting.focus);
            waiting.tasks.rank_again(|task| ranks.of(task.session()));
            waiting.focus = ranks;
            waiting.focus_number += 1;
        });
    }

    pub(super) fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Ordering::SeqCst);
        self.change(|waiting| waiting.paused = paused);
    }

    /// Fuzzes no more; what was found is still shrunk.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
        let rests = self.change(|waiting| {
            waiting.ended = true;
            waiting.rests()
        });
        if rests {
            self.tell_quiet();
        }
    }

    pub(super) fn wait_until_idle(&self) {
        let mut state = self.pool.lock();
        while state.waiting(self.id).is_some_and(|waiting| waiting.running > 0) {
            state = self.pool.wait(state);
        }
    }

    /// Has everything stop at its next transaction, for good.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.set_paused(true);
    }

    /// Leaves the pool.
    pub(super) fn leave(&self) {
        self.stop();
        self.pool.leave(self.id);
    }

    /// What the campaign may keep, and in which sessions.
    pub(super) fn ask_for_memory(&self, bytes: u64, sessions: Vec<Weak<Session>>) {
        self.pool.ask_for_memory(self.id, bytes, sessions);
    }

    pub(super) fn tell_quiet(&self) {
        self.tell(Event::Quiet { generation: self.generation() });
    }

    /// Tells what happened. Whoever listens must not take a thread along that other campaigns need.
    pub(super) fn tell(&self, event: Event) {
        if catch_unwind(AssertUnwindSafe(|| (self.listener)(event))).is_err() {
            tracing::error!("a defect of bellwether: an event of a campaign could not be told");
        }
    }

    /// Whether a task of this generation has to stop now.
    pub(super) fn halts(&self, generation: u64, fuzzes: bool) -> bool {
        self.stopped.load(Ordering::Relaxed)
            || self.paused.load(Ordering::Relaxed)
            || (fuzzes && self.ended.load(Ordering::Relaxed))
            || self.generation.load(Ordering::Relaxed) != generation
    }
}
