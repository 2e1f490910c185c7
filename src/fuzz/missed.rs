//! [`Missed`] knows the goals that no run reached yet although one came close: sides of branches that it came to, and
//! writes that do not go anywhere yet. For each it keeps the entries that came closest (sFuzz §3.2, "just-missed
//! branches"). It says which goal is worth the next attempt; how to attempt it is not its business.

use super::{corpus::Entry, coverage::Coverage, goal::Goal};
use alloy_primitives::{
    U256,
    map::{HashMap, HashSet},
};
use rand::{Rng, RngExt};
use std::sync::Arc;

/// Entries kept for one goal: the two closest, and the two latest for other ways there.
const CLOSEST: usize = 2;
const LATEST: usize = 2;
/// A branch that nobody wrote (of a dispatcher, of an ABI decoder) waits as if it had been tried so often.
const UNWRITTEN: u32 = 3;

/// As if a turn between sides that were both taken had been tried so often: sides that nobody took come first.
const TURN: u32 = 2;

/// A goal that was not reached, and who came close.
#[derive(Debug)]
struct Open {
    goal: Goal,
    /// How often it was tried.
    attempts: u32,
    /// Goals of a lower rank come first: one more for every attempt, and some where there is little hope.
    rank: u32,
    /// As if it had been tried so often more, since no target is there.
    away: u32,
    closest: Vec<(U256, Arc<Entry>)>,
    latest: Vec<Arc<Entry>>,
}

/// All open goals.
#[derive(Debug, Default)]
pub(super) struct Missed {
    open: Vec<Open>,
    at: HashMap<Goal, usize>,
}

impl Missed {
    /// Notes what an entry missed. `written` tells whether what decides a goal stands in the source.
    pub(super) fn add(
        &mut self,
        entry: &Arc<Entry>,
        coverage: &Coverage,
        written: impl Fn(Goal) -> bool,
        away: impl Fn(Goal) -> u32,
    ) {
        for (goal, cost) in entry.missed.iter().filter(|(goal, _)| goal.is_open(coverage)) {
            let at = *self.at.entry(*goal).or_insert_with(|| {
                let rank = if written(*goal) { 0 } else { UNWRITTEN };
                let rank = if matches!(goal, Goal::Turn { .. }) { rank + TURN } else { rank };
                let (away, closest, latest) = (away(*goal), Vec::new(), Vec::new());
                self.open.push(Open { goal: *goal, attempts: 0, rank, away, closest, latest });
                self.open.len() - 1
            });
            self.open[at].add(entry, *cost);
        }
    }

    /// Targets are elsewhere now: says anew of each goal how far away from them it is.
    pub(super) fn turn(&mut self, away: impl Fn(Goal) -> u32) {
        self.open.iter_mut().for_each(|open| open.away = away(open.goal));
    }

    /// Whether nothing is open.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The goal to try next, with an entry that missed it: one of those tried least. None when every goal is reached.
    /// Also how often the goal was tried before.
    pub(super) fn pick<R: Rng + ?Sized>(
        &mut self,
        coverage: &Coverage,
        rng: &mut R,
    ) -> Option<(Goal, Arc<Entry>, u32)> {
        let mut at = 0;
        while at < self.open.len() {
            if self.open[at].goal.is_open(coverage) {
                at += 1;
            } else {
                self.close(at);
            }
        }
        let least = self.open.iter().map(Open::turn).min()?;
        let candidates = self.open.iter().filter(|open| open.turn() == least).count();
        let chosen = rng.random_range(0..candidates);
        let open = self.open.iter_mut().filter(|open| open.turn() == least).nth(chosen)?;
        let attempt = open.attempts;
        open.attempts += 1;
        open.rank += 1;
        let entries: Vec<_> = open.closest.iter().map(|(_, entry)| entry).chain(&open.latest).collect();
        // The closest first, the others in turn.
        let entry = entries[attempt as usize % entries.len()].clone();
        Some((open.goal, entry, attempt))
    }

    /// Lets go of all entries but these, by their addresses. A goal without any waits until it is missed again.
    pub(super) fn retain(&mut self, kept: &HashSet<usize>) {
        let is_kept = |entry: &Arc<Entry>| kept.contains(&(Arc::as_ptr(entry) as usize));
        for at in (0..self.open.len()).rev() {
            let open = &mut self.open[at];
            open.closest.retain(|(_, entry)| is_kept(entry));
            open.latest.retain(is_kept);
            if open.closest.is_empty() && open.latest.is_empty() {
                self.close(at);
            }
        }
    }

    /// Trying a goal showed that nothing we can choose moves it: it waits longer for its next turn.
    pub(super) fn discourage(&mut self, goal: Goal) {
        if let Some(at) = self.at.get(&goal) {
            self.open[*at].rank += 2;
        }
    }

    fn close(&mut self, at: usize) {
        let closed = self.open.swap_remove(at);
        self.at.remove(&closed.goal);
        if let Some(moved) = self.open.get(at) {
            self.at.insert(moved.goal, at);
        }
    }
}

impl Open {
    /// The lowest comes first.
    fn turn(&self) -> u32 {
        self.rank + self.away
    }

    fn add(&mut self, entry: &Arc<Entry>, cost: U256) {
        if let Some((known, _)) = self.closest.iter_mut().find(|(_, known)| Arc::ptr_eq(known, entry)) {
            *known = cost.min(*known);
            return;
        }
        let closer = self.closest.first().is_none_or(|(best, _)| cost < *best);
        if self.closest.len() < CLOSEST || self.closest.last().is_some_and(|(worst, _)| cost < *worst) {
            let at = self.closest.partition_point(|(known, _)| *known <= cost);
            self.closest.insert(at, (cost, entry.clone()));
            self.closest.truncate(CLOSEST);
            if closer {
                // There is something new to try.
                self.rank /= 2;
            }
        } else {
            if self.latest.len() >= LATEST {
                self.latest.remove(0);
            }
            self.latest.push(entry.clone());
        }
    }
}
