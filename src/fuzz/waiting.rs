//! [`Waiting`] holds the waiting tasks of one campaign and the rest of its budget.

use super::{
    task::{OVERTIME, SLICE, Task},
    turns::{Rank, Ranks, Turn, Turns},
};

/// Gas that shrinking may take after the budget is spent or the campaign is ended: a few hundred thousand transactions.
/// Findings that are not shrunk by then keep their sequence. Chosen by hand.
const LAST_GAS: u64 = 10_000_000_000;

/// The waiting tasks of a campaign, under the lock of the dispatcher.
#[derive(Default)]
pub(super) struct Waiting {
    pub(super) tasks: Turns<Task>,
    /// Tasks of an older build, while the campaign is rebased to a new one.
    pub(super) parked: Vec<Task>,
    pub(super) turning: bool,
    /// Whether more tasks of this build come.
    pub(super) expects_more: bool,
    /// The ranks by the current focus, and the number of changes of it.
    pub(super) focus: Ranks,
    pub(super) focus_number: u64,
    pub(super) running: usize,
    budget: Option<u64>,
    /// Whether fuzzing was ended, whatever is left of the budget.
    pub(super) ended: bool,
    /// Gas that shrinking may still take once fuzzing is over.
    last_gas: u64,
    pub(super) paused: bool,
    pub(super) quiet: bool,
}

impl Waiting {
    pub(super) fn with_budget(executions: Option<u64>) -> Self {
        Self { budget: executions, last_gas: LAST_GAS, quiet: true, ..Self::default() }
    }

    /// The rank of a task. It is computed once for each focus, since that looks up imports, and not after each slice.
    pub(super) fn rank(&mut self, task: &Task) -> Rank {
        let known = task.rank.get().filter(|(number, _)| *number == self.focus_number);
        let rank = known.map_or_else(|| self.focus.of(task.session()), |(_, rank)| rank);
        task.rank.set(Some((self.focus_number, rank)));
        rank
    }

    pub(super) fn push(&mut self, rank: Rank, task: Task) {
        self.tasks.push(rank, task.rounds(), task);
    }

    /// Whether fuzzing is over, so that only shrinking continues.
    fn is_spent(&self) -> bool {
        self.ended || self.budget == Some(0)
    }

    /// The turn of the task of this rank that may run next.
    pub(super) fn next(&self, rank: Rank) -> Option<Turn> {
        self.left(rank).filter(|_| !self.paused)
    }

    fn left(&self, rank: Rank) -> Option<Turn> {
        match self.is_spent() {
            false => self.tasks.first(rank, |_| true),
            true => self.tasks.first(rank, |task| !task.fuzzes()).filter(|_| self.last_gas > 0),
        }
    }

    /// The next task of a rank, and the maximum number of transactions of the loop that it may run.
    pub(super) fn take(&mut self, rank: Rank) -> Option<(Task, u64)> {
        let task = self.left(rank).and_then(|turn| self.tasks.take(rank, turn))?;
        let most = self.budget.map_or(SLICE + OVERTIME, |left| left.min(SLICE + OVERTIME));
        let most = if task.fuzzes() { most } else { 0 };
        if let Some(left) = &mut self.budget {
            *left -= most;
        }
        self.running += 1;
        Some((task, most))
    }

    /// Takes out all tasks and counts them as running.
    pub(super) fn lend(&mut self) -> Vec<Task> {
        let tasks: Vec<Task> = self.tasks.drain().collect();
        self.running += tasks.len();
        tasks
    }

    /// Returns `unspent` transactions to the budget, and counts `gas` that shrinking used.
    pub(super) fn refund(&mut self, unspent: u64, gas: u64) {
        if self.is_spent() {
            self.last_gas = self.last_gas.saturating_sub(gas);
        }
        if let Some(left) = &mut self.budget {
            *left += unspent;
        }
    }

    /// Whether no work is left and the campaign becomes quiet now: true once for each time.
    pub(super) fn rests(&mut self) -> bool {
        let done = self.running == 0 && !Rank::ALL.into_iter().any(|rank| self.left(rank).is_some());
        let rests = done && !self.quiet && !self.turning && !self.expects_more;
        self.quiet |= rests;
        rests
    }
}
