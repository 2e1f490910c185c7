//! [`Missed`] knows the sides of branches that no run took yet although it came to the branch, and for each the entries
//! that came closest (sFuzz §3.2, "just-missed branches"). It says which side is worth the next attempt; how to attempt
//! it is not its business.

use super::{corpus::Entry, coverage::Coverage};
use crate::code::ProgramId;
use alloy_primitives::{
    U256,
    map::{HashMap, HashSet},
};
use rand::{Rng, RngExt};
use std::sync::Arc;

/// Entries kept for one side: the two closest, and the two latest for other ways there.
const CLOSEST: usize = 2;
const LATEST: usize = 2;
/// A branch that nobody wrote (of a dispatcher, of an ABI decoder) counts as if it had been tried so often.
const UNWRITTEN: u32 = 3;

/// One side of a JUMPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Side {
    pub(super) program: ProgramId,
    pub(super) pc: u32,
    pub(super) taken: bool,
}

/// A side that was not taken, and who came close.
#[derive(Debug)]
struct Open {
    side: Side,
    /// How often it was tried; more than it was where trying showed little hope.
    attempts: u32,
    closest: Vec<(U256, Arc<Entry>)>,
    latest: Vec<Arc<Entry>>,
}

/// All open sides.
#[derive(Debug, Default)]
pub(super) struct Missed {
    open: Vec<Open>,
    at: HashMap<Side, usize>,
}

impl Missed {
    /// Notes what an entry missed. `written` tells whether a branch stands in the source.
    pub(super) fn add(&mut self, entry: &Arc<Entry>, coverage: &Coverage, written: impl Fn(Side) -> bool) {
        for (side, cost) in &entry.missed {
            if coverage.has_side(side.program, side.pc, side.taken) {
                continue;
            }
            let at = *self.at.entry(*side).or_insert_with(|| {
                let attempts = if written(*side) { 0 } else { UNWRITTEN };
                self.open.push(Open { side: *side, attempts, closest: Vec::new(), latest: Vec::new() });
                self.open.len() - 1
            });
            self.open[at].add(entry, *cost);
        }
    }

    /// Whether nothing is open.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The side to try next, with an entry that missed it: one of those tried least. None when every side is taken.
    /// Also how often the side was tried before.
    pub(super) fn pick<R: Rng + ?Sized>(
        &mut self,
        coverage: &Coverage,
        rng: &mut R,
    ) -> Option<(Side, Arc<Entry>, u32)> {
        let mut at = 0;
        while at < self.open.len() {
            let Side { program, pc, taken } = self.open[at].side;
            if coverage.has_side(program, pc, taken) {
                self.close(at);
            } else {
                at += 1;
            }
        }
        let least = self.open.iter().map(|open| open.attempts).min()?;
        let candidates = self.open.iter().filter(|open| open.attempts == least).count();
        let chosen = rng.random_range(0..candidates);
        let open = self.open.iter_mut().filter(|open| open.attempts == least).nth(chosen)?;
        open.attempts += 1;
        let entries: Vec<_> = open.closest.iter().map(|(_, entry)| entry).chain(&open.latest).collect();
        // The closest first, the others in turn.
        let entry = entries[least as usize % entries.len()].clone();
        Some((open.side, entry, least))
    }

    /// Lets go of all entries but these, by their addresses. A side without any waits until it is missed again.
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

    /// Trying a side showed that nothing we can choose moves it: it waits longer for its next turn.
    pub(super) fn discourage(&mut self, side: Side) {
        if let Some(at) = self.at.get(&side) {
            self.open[*at].attempts += 2;
        }
    }

    fn close(&mut self, at: usize) {
        let closed = self.open.swap_remove(at);
        self.at.remove(&closed.side);
        if let Some(moved) = self.open.get(at) {
            self.at.insert(moved.side, at);
        }
    }
}

impl Open {
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
                self.attempts /= 2;
            }
        } else {
            if self.latest.len() >= LATEST {
                self.latest.remove(0);
            }
            self.latest.push(entry.clone());
        }
    }
}
