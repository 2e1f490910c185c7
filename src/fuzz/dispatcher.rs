//! The [`Dispatcher`] decides whose slice comes next, over all campaigns of a pool: first by [rank](super::turns), so that the file that
//! somebody looks at goes first whichever project it is in. Among the campaigns that have work of that rank, the one goes that had the
//! fewest transactions. It also divides the memory that may be kept.

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

/// What the threads and the campaigns know of each other.
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
    /// For each rank the transactions that the campaign had which went last: who begins to work begins there, and owes nothing for the
    /// time in which it had nothing to do.
    floor: [u64; Rank::ALL.len()],
    /// How many threads there are.
    pub(super) threads: usize,
}

/// A campaign, as the pool sees it.
struct Member {
    membership: Arc<Membership>,
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
    pub(super) membership: Arc<Membership>,
    pub(super) task: Task,
    /// Transactions of the loop that it may run at most.
    pub(super) most: u64,
    /// The rank in which it was taken.
    pub(super) rank: Rank,
}

impl Dispatcher {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a campaign in. `make` gives it its membership.
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

    /// Lets a campaign go. What of it still runs comes back to nobody.
    pub(super) fn leave(&self, id: MemberId) {
        let mut state = self.lock();
        let gone = state.members.remove(&id);
        state.share_memory();
        drop(state);
        // Fuzzers and sessions end here, if this was their last place.
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

    /// The next slice; none when the thread is to end. Before a thread rests, it is told which
    /// campaigns and builds are still there.
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

    /// A slice comes to its end, and tasks come back, or none does; what it came to is told once, with the rank in which it was
    /// taken and the transactions that it might have run. Those that a new build has left behind are returned: they have to go
    /// on there first, and the slice lasts until they did.
    fn take_back(&self, membership: &Membership, tasks: Vec<Task>, spent: Option<(Rank, u64, Spent)>) -> Vec<Task> {
        let mut state = self.lock();
        let Some(member) = state.members.get_mut(&membership.id) else { return Vec::new() };
        if let Some((rank, most, spent)) = spent {
            // A slice was charged when it was taken.
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

    /// Gives tasks back. Those that a build has left behind go on there first: builds may follow each other faster than tasks come
    /// back.
    pub(super) fn give_back(
        &self,
        membership: &Membership,
        mut tasks: Vec<Task>,
        mut spent: Option<(Rank, u64, Spent)>,
    ) {
        loop {
            // What was found too late for the next build is taken there even if there is nothing else to do.
            tasks.retain(|task| task.generation != membership.generation() || !task.is_done(membership.until_quiet));
            let behind = self.take_back(membership, std::mem::take(&mut tasks), spent.take());
            if behind.is_empty() {
                return;
            }
            for task in behind {
                match catch_unwind(AssertUnwindSafe(|| task.migrate_to(membership.until_quiet))) {
                    Ok(on) => tasks.extend(on),
                    Err(_) => {
                        tracing::error!(
                            "a defect of bellwether: a fuzzer could not go on with the new build, and is lost"
                        );
                    }
                }
            }
        }
    }

    /// What a campaign asks for, and what it keeps: its sessions, and those on its retired. Every campaign that keeps anything gets the
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

    /// Has the fuzzers of a campaign that wait let go of what their sessions did: one that is paused would hold it until it goes on.
    fn follow_evictions(&self, id: MemberId) {
        let Some((membership, tasks)) = self.lock().members.get_mut(&id).map(Member::lend) else { return };
        for mut task in tasks {
            task.follow_evictions();
            self.give_back(&membership, vec![task], None);
        }
    }
}

impl Member {
    /// All tasks that wait; each has to be given back.
    fn lend(&mut self) -> (Arc<Membership>, Vec<Task>) {
        (self.membership.clone(), self.waiting.lend())
    }
}

impl State {
    /// Has a campaign ask for this many threads; how many are missing now, which are taken to be started.
    pub(super) fn ask_for_workers(&mut self, id: MemberId, workers: usize) -> usize {
        if let Some(member) = self.members.get_mut(&id) {
            member.workers = workers;
        }
        let missing = self.wanted().saturating_sub(self.threads);
        self.threads += missing;
        missing
    }

    /// How many threads there should be: as many as the campaign asks for that asks for the most.
    pub(super) fn wanted(&self) -> usize {
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
        Some(Slice { membership: member.membership.clone(), task, most, rank })
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
