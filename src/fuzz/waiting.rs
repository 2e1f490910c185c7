//! [`Waiting`] are the tasks of one campaign that wait for their turn, and what the campaign may still spend.

use super::{
    task::{OVERTIME, SLICE, Task},
    turns::{Rank, Ranks, Turns},
};

/// Gas that shrinking may take after the budget is spent, or the campaign was ended: a few hundred thousand transactions. What
/// is not shrunk by then is told as it was found.
const LAST_GAS: u64 = 10_000_000_000;

/// What waits, under the lock of the pool.
#[derive(Default)]
pub(super) struct Waiting {
    pub(super) tasks: Turns<Task>,
    /// Tasks of an older build, while a new one is turned to.
    pub(super) parked: Vec<Task>,
    pub(super) turning: bool,
    /// What somebody is working on, and how often that changed.
    pub(super) focus: Ranks,
    pub(super) focus_number: u64,
    pub(super) running: usize,
    budget: Option<u64>,
    /// Whether nothing is to be fuzzed any more, whatever the budget says.
    pub(super) ended: bool,
    /// Gas that shrinking may still take then.
    last_gas: u64,
    pub(super) paused: bool,
    pub(super) quiet: bool,
}

impl Waiting {
    pub(super) fn with_budget(executions: Option<u64>) -> Self {
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
    pub(super) fn refund(&mut self, unspent: u64, gas: u64) {
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
