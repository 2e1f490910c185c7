//! The [`Dispatcher`] decides which campaign of a pool gets the next slice: first by [rank](super::turns), so that the open
//! file goes first whichever project it is in. Among the campaigns that have work of that rank, the one with the fewest
//! transactions gets it. It also divides the memory among sessions.

use super::{
    membership::{MemberId, Membership},
    session::Session,
    task::{SLICE, Spent, Task},
    turns::{Rank, Round},
    waiting::Waiting,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
};

/// The state that threads and campaigns of a pool share, with a condition variable for its changes.
#[derive(Default)]
pub(super) struct Dispatcher {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct State {
    members: BTreeMap<MemberId, Member>,
    next: u64,
    round: Round,
    /// For each rank, the transactions of the campaign that ran last. A campaign that gets work again starts from this count,
    /// so that it is not preferred for the time in which it was idle.
    floor: [u64; Rank::ALL.len()],
    /// The number of threads.
    pub(super) threads: usize,
}

/// A campaign, as the pool sees it.
struct Member {
    membership: Arc<Membership>,
    waiting: Waiting,
    /// Transactions that it was given, for each rank.
    spent: [u64; Rank::ALL.len()],
    /// Threads that it asks for.
    workers: usize,
    /// Bytes that it asks for.
    memory: u64,
    sessions: Vec<Weak<Session>>,
}

/// A slice of work.
pub(super) struct Slice {
    pub(super) membership: Arc<Membership>,
    pub(super) task: Task,
    /// The maximum number of transactions of the loop.
    pub(super) most: u64,
    /// The rank for which it was taken.
    pub(super) rank: Rank,
}

impl Dispatcher {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a campaign. `make` creates its membership.
    pub(super) fn register(&self, waiting: Waiting, make: impl FnOnce(MemberId) -> Arc<Membership>) -> Arc<Membership> {
        let mut state = self.lock();
        let id = MemberId(state.next);
        state.next += 1;
        let membership = make(id);
        let (spent, sessions) = (state.floor, Vec::new());
        let member = Member { membership: membership.clone(), waiting, spent, workers: 0, memory: 0, sessions };
        state.members.insert(id, member);
        membership
    }

    /// Removes a campaign. Its tasks that still run are dropped when they come back.
    pub(super) fn leave(&self, id: MemberId) {
        let mut state = self.lock();
        let gone = state.members.remove(&id);
        state.share_memory();
        drop(state);
        // Fuzzers and sessions may be dropped here, which happens without the lock.
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

    /// Waits for the next slice; `None` when the thread is to end. Before a thread waits, `rest` gets a test of which campaigns
    /// and generations still exist.
    pub(super) fn take(&self, mut rest: impl FnMut(&dyn Fn(MemberId, u64) -> bool)) -> Option<Slice> {
        let mut state = self.lock();
        loop {
            if state.threads > state.wanted() {
                state.threads -= 1;
                return None;
            }
            if let Some(slice) = state.pop() {
                return Some(slice);
            }
            rest(&|id, generation| {
                state.members.get(&id).is_some_and(|member| member.membership.generation() == generation)
            });
            state = self.wait(state);
        }
    }

    /// Ends a slice and takes its tasks back. `spent` is passed once for a slice: its rank, its maximum number of transactions,
    /// and its cost. Tasks of an older build are returned: they have to be migrated first, and the slice lasts until then.
    fn take_back(&self, membership: &Membership, tasks: Vec<Task>, spent: Option<(Rank, u64, Spent)>) -> Vec<Task> {
        let mut state = self.lock();
        let Some(member) = state.members.get_mut(&membership.id) else { return Vec::new() };
        if let Some((rank, most, spent)) = spent {
            // A full slice was charged when it was taken.
            let had = &mut member.spent[rank as usize];
            *had = (*had + spent.all).saturating_sub(SLICE);
            member.waiting.refund(most - spent.transactions, spent.gas);
        }
        let mut behind = Vec::new();
        for task in tasks {
            if task.generation == membership.generation() {
                state.push(membership.id, task);
            } else if let Some(waiting) = state.waiting(membership.id).filter(|waiting| waiting.turning) {
                waiting.parked.push(task);
            } else {
                behind.push(task);
            }
        }
        let mut rests = false;
        if behind.is_empty()
            && let Some(waiting) = state.waiting(membership.id)
        {
            waiting.running -= 1;
            rests = waiting.rests();
        }
        drop(state);
        if rests {
            membership.tell_quiet();
        }
        self.notify();
        behind
    }

    /// Gives tasks back. Those of an older build are migrated first, more than once if builds arrive faster than tasks come
    /// back.
    pub(super) fn give_back(
        &self,
        membership: &Membership,
        mut tasks: Vec<Task>,
        mut spent: Option<(Rank, u64, Spent)>,
    ) {
        loop {
            // A task of an older build is migrated even if it is done: it may hold findings that came too late for the next
            // build.
            tasks.retain(|task| task.generation != membership.generation() || !task.is_done(membership.until_quiet));
            let behind = self.take_back(membership, std::mem::take(&mut tasks), spent.take());
            if behind.is_empty() {
                return;
            }
            for task in behind {
                match catch_unwind(AssertUnwindSafe(|| task.migrate_to(membership.until_quiet))) {
                    Ok(on) => tasks.extend(on),
                    Err(_) => {
                        tracing::error!("internal error: a fuzzer could not continue with the new build, and is lost");
                    }
                }
            }
        }
    }

    /// Sets the memory that a campaign asks for and the sessions that share it, including its retired sessions. The largest
    /// amount that any campaign asks for is divided equally among campaigns with sessions, and within each equally among its
    /// sessions.
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

    /// Makes the waiting fuzzers of a campaign drop entries and states that their sessions evicted: a paused campaign would
    /// hold that memory until it resumes.
    fn follow_evictions(&self, id: MemberId) {
        let Some((membership, tasks)) = self.lock().members.get_mut(&id).map(Member::lend) else { return };
        for mut task in tasks {
            task.follow_evictions();
            self.give_back(&membership, vec![task], None);
        }
    }
}

impl Member {
    /// All waiting tasks; each has to be given back.
    fn lend(&mut self) -> (Arc<Membership>, Vec<Task>) {
        (self.membership.clone(), self.waiting.lend())
    }
}

impl State {
    /// Sets the number of threads that a campaign asks for, and returns the number of threads that are missing, which the
    /// caller starts.
    pub(super) fn ask_for_workers(&mut self, id: MemberId, workers: usize) -> usize {
        if let Some(member) = self.members.get_mut(&id) {
            member.workers = workers;
        }
        let missing = self.wanted().saturating_sub(self.threads);
        self.threads += missing;
        missing
    }

    /// The number of threads of the campaign that asks for the most.
    pub(super) fn wanted(&self) -> usize {
        self.members.values().map(|member| member.workers.max(1)).max().unwrap_or(0)
    }

    pub(super) fn waiting(&mut self, id: MemberId) -> Option<&mut Waiting> {
        self.members.get_mut(&id).map(|member| &mut member.waiting)
    }

    /// Adds a waiting task.
    pub(super) fn push(&mut self, id: MemberId, task: Task) {
        let Some(member) = self.members.get_mut(&id) else { return };
        let rank = member.waiting.rank(&task);
        if member.waiting.next(rank).is_none() {
            let spent = &mut member.spent[rank as usize];
            *spent = (*spent).max(self.floor[rank as usize]);
        }
        member.waiting.push(rank, task);
    }

    fn pop(&mut self) -> Option<Slice> {
        let members = &mut self.members;
        let turns = |rank| members.values().filter_map(move |member| member.waiting.next(rank));
        let rank = self.round.next(|rank| turns(rank).map(|turn| turn.rounds).min())?;
        let waiting = members.iter_mut().filter(|(_, member)| member.waiting.next(rank).is_some());
        let (_, member) = waiting.min_by_key(|(id, member)| (member.spent[rank as usize], **id))?;
        let (task, most) = member.waiting.take(rank)?;
        self.floor[rank as usize] = member.spent[rank as usize];
        member.spent[rank as usize] += SLICE;
        Some(Slice { membership: member.membership.clone(), task, most, rank })
    }

    /// Sets the memory bound of every session, and returns the sessions that are over it.
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
