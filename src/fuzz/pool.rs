//! A [`Pool`] is the threads that fuzz and the memory that may be kept. Campaigns register with it and share both: the server
//! has one pool for all of its projects, a campaign on the command line one of its own. There are as many threads, and there
//! is as much memory, as the campaign that asks for the most asks for.
//!
//! Whose slice comes next is decided over all campaigns, first by [rank](super::turns), so that the file that somebody looks at
//! goes first whichever project it is in. Among the campaigns that have work of that rank, the one goes that had the fewest
//! transactions. What a campaign tells, when it pauses and when it is done stays its own; a panic ends nothing but a lane.

use super::{
    queue::{Queue, Waiting},
    session::Session,
    task::{SLICE, Spent, Task},
    turns::{Rank, Round},
    worker::{Executors, Worker, give_back},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
};

/// Which campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MemberId(u64);

/// Threads and memory that campaigns share.
#[derive(Clone)]
pub struct Pool {
    pub(super) shared: Arc<Shared>,
    workers: Arc<Mutex<Vec<Worker>>>,
    background: bool,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("background", &self.background).finish_non_exhaustive()
    }
}

/// What the threads and the campaigns know of each other.
#[derive(Default)]
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct State {
    members: BTreeMap<MemberId, Member>,
    next: u64,
    round: Round,
    /// For each rank the transactions that the campaign had which went last: who begins to work begins there, and owes nothing for the
    /// time in which it had nothing to do.
    floor: [u64; Rank::ALL.len()],
    /// How many threads there are.
    threads: usize,
}

/// A campaign, as the pool sees it.
struct Member {
    queue: Arc<Queue>,
    waiting: Waiting,
    /// Transactions that it had, for each rank.
    spent: [u64; Rank::ALL.len()],
    /// Threads that it asks for.
    workers: usize,
    /// Bytes that it asks for.
    memory: u64,
    sessions: Vec<Weak<Session>>,
}

/// A slice of work.
pub(super) struct Slice {
    pub(super) queue: Arc<Queue>,
    pub(super) task: Task,
    /// Transactions of the loop that it may run at most.
    pub(super) most: u64,
    /// The rank in which it was taken.
    pub(super) rank: Rank,
}

impl Pool {
    /// A pool without threads: they come with the campaigns. `background` has them leave the processor to everybody else who
    /// wants it.
    pub fn new(background: bool) -> Self {
        Self { shared: Arc::default(), workers: Arc::default(), background }
    }

    /// How many threads there should be.
    pub fn workers(&self) -> usize {
        self.shared.lock().wanted()
    }

    /// Has this many threads for a campaign from now on, at least.
    ///
    /// # Errors
    ///
    /// If the system gives no thread. Those that there are go on.
    pub(super) fn ask_for_workers(&self, member: MemberId, workers: usize) -> std::io::Result<()> {
        let mut handles = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        handles.retain(|worker| !worker.has_ended());
        let mut state = self.shared.lock();
        if let Some(member) = state.members.get_mut(&member) {
            member.workers = workers;
        }
        let missing = state.wanted().saturating_sub(state.threads);
        state.threads += missing;
        drop(state);
        self.shared.changed.notify_all();
        for started in 0..missing {
            match Worker::start(handles.len(), self.shared.clone(), self.background) {
                Ok(worker) => handles.push(worker),
                Err(error) => {
                    self.shared.lock().threads -= missing - started;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Waits until all threads have ended. No campaign may be registered any more.
    pub(super) fn join(&self) {
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.drain(..).for_each(Worker::join);
    }
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a campaign in. `make` gives it its queue.
    pub(super) fn register(&self, waiting: Waiting, make: impl FnOnce(MemberId) -> Arc<Queue>) -> Arc<Queue> {
        let mut state = self.lock();
        let id = MemberId(state.next);
        state.next += 1;
        let queue = make(id);
        let (spent, sessions) = (state.floor, Vec::new());
        let member = Member { queue: queue.clone(), waiting, spent, workers: 0, memory: 0, sessions };
        state.members.insert(id, member);
        queue
    }

    /// Lets a campaign go. What of it still runs comes back to nobody.
    pub(super) fn leave(&self, id: MemberId) {
        let mut state = self.lock();
        let gone = state.members.remove(&id);
        state.share_memory();
        drop(state);
        // Lanes and sessions end here, if this was their last place.
        drop(gone);
        self.changed.notify_all();
    }

    /// Waits until something changes.
    pub(super) fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn notify(&self) {
        self.changed.notify_all();
    }

    /// The next slice; none when the thread is to end. Before a thread rests, it forgets what only builds and campaigns that are gone
    /// have run.
    pub(super) fn take(&self, executors: &mut Executors) -> Option<Slice> {
        let mut state = self.lock();
        loop {
            if state.threads > state.wanted() {
                state.threads -= 1;
                return None;
            }
            if let Some(slice) = state.pop() {
                return Some(slice);
            }
            executors.retain(|id, generation| {
                state.members.get(&id).is_some_and(|member| member.queue.generation() == generation)
            });
            state = self.wait(state);
        }
    }

    /// A slice comes to its end, and tasks come back, or none does; what it came to is told once, with the rank in which it was
    /// taken and the transactions that it might have run. Those that a new build has left behind are returned: they have to go
    /// on there first, and the slice lasts until they did.
    pub(super) fn give_back(&self, queue: &Queue, tasks: Vec<Task>, spent: Option<(Rank, u64, Spent)>) -> Vec<Task> {
        let mut state = self.lock();
        let Some(member) = state.members.get_mut(&queue.id) else { return Vec::new() };
        if let Some((rank, most, spent)) = spent {
            // A slice was charged when it was taken.
            let had = &mut member.spent[rank as usize];
            *had = (*had + spent.all).saturating_sub(SLICE);
            member.waiting.settle(most - spent.transactions, spent.gas);
        }
        let mut behind = Vec::new();
        for task in tasks {
            if task.generation == queue.generation() {
                state.push(queue.id, task);
            } else if let Some(waiting) = state.waiting(queue.id).filter(|waiting| waiting.turning) {
                waiting.parked.push(task);
            } else {
                behind.push(task);
            }
        }
        let mut rests = false;
        if behind.is_empty()
            && let Some(waiting) = state.waiting(queue.id)
        {
            waiting.running -= 1;
            rests = waiting.rests();
        }
        drop(state);
        if rests {
            queue.tell_quiet();
        }
        self.notify();
        behind
    }

    /// What a campaign asks for, and what it keeps: its sessions, and those on its shelf. Every campaign that keeps anything gets the
    /// same part of the most that any asks for, and every session the same part of that.
    pub(super) fn ask_for_memory(&self, id: MemberId, bytes: u64, sessions: Vec<Weak<Session>>) {
        let mut state = self.lock();
        if let Some(member) = state.members.get_mut(&id) {
            (member.memory, member.sessions) = (bytes, sessions);
        }
        let others = state.share_memory().into_iter().filter(|(of, _)| *of != id).collect::<Vec<_>>();
        drop(state);
        let members: BTreeSet<MemberId> = others.iter().map(|(of, _)| *of).collect();
        others.into_iter().for_each(|(_, session)| session.make_room());
        members.into_iter().for_each(|member| self.follow_evictions(member));
    }

    /// Has the lanes of a campaign that wait let go of what their sessions did: one that is paused would hold it until it goes on.
    fn follow_evictions(&self, id: MemberId) {
        let Some((queue, tasks)) = self.lock().members.get_mut(&id).map(Member::lend) else { return };
        for mut task in tasks {
            task.follow_evictions();
            give_back(self, &queue, vec![task], None);
        }
    }
}

impl Member {
    /// All tasks that wait; each has to be given back.
    fn lend(&mut self) -> (Arc<Queue>, Vec<Task>) {
        (self.queue.clone(), self.waiting.lend())
    }
}

impl State {
    /// How many threads there should be: as many as the campaign asks for that asks for the most.
    fn wanted(&self) -> usize {
        self.members.values().map(|member| member.workers.max(1)).max().unwrap_or(0)
    }

    pub(super) fn waiting(&mut self, id: MemberId) -> Option<&mut Waiting> {
        self.members.get_mut(&id).map(|member| &mut member.waiting)
    }

    /// Has a task wait for its turn.
    pub(super) fn push(&mut self, id: MemberId, task: Task) {
        let Some(member) = self.members.get_mut(&id) else { return };
        let rank = member.waiting.rank(&task);
        if !member.waiting.has(rank) {
            let spent = &mut member.spent[rank as usize];
            *spent = (*spent).max(self.floor[rank as usize]);
        }
        member.waiting.push(rank, task);
    }

    fn pop(&mut self) -> Option<Slice> {
        let members = &mut self.members;
        let rank = self.round.next(|rank| members.values().any(|member| member.waiting.has(rank)))?;
        let waiting = members.iter_mut().filter(|(_, member)| member.waiting.has(rank));
        let (_, member) = waiting.min_by_key(|(id, member)| (member.spent[rank as usize], **id))?;
        let (task, most) = member.waiting.take(rank)?;
        self.floor[rank as usize] = member.spent[rank as usize];
        member.spent[rank as usize] += SLICE;
        Some(Slice { queue: member.queue.clone(), task, most, rank })
    }

    /// Gives everybody their part, and the sessions that have more than that now.
    fn share_memory(&mut self) -> Vec<(MemberId, Arc<Session>)> {
        self.members.values_mut().for_each(|member| member.sessions.retain(|session| session.strong_count() > 0));
        let most = self.members.values().map(|member| member.memory).max().unwrap_or(0);
        let count = self.members.values().filter(|member| !member.sessions.is_empty()).count().max(1) as u64;
        let mut over = Vec::new();
        for (id, member) in &self.members {
            let bytes = most / count / member.sessions.len().max(1) as u64;
            for session in member.sessions.iter().filter_map(Weak::upgrade) {
                session.meter.set_bound(bytes);
                if session.meter.is_over() {
                    over.push((*id, session));
                }
            }
        }
        over
    }
}
