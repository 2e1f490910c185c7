//! [`Missed`] knows the goals that no run reached yet although one came close: sides of branches that it came to, and
//! writes that do not go anywhere yet. For each it keeps the entries that came closest (sFuzz §3.2, "just-missed
//! branches"). It says which goal is worth the next attempt; how to attempt it is not its business.

use super::{
    corpus::{Entry, State},
    coverage::Coverage,
    goal::Goal,
};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use rand::{Rng, RngExt};
use std::sync::Arc;

/// Entries kept for one goal: the two closest, and the two latest for other ways there.
const CLOSEST: usize = 2;
const LATEST: usize = 2;
/// A branch that nobody wrote (of a dispatcher, of an ABI decoder) waits as if it had been tried so often.
const UNWRITTEN: u32 = 3;

/// A goal that was tried in vain waits for so many transactions, and each time a quarter more, up to a limit:
/// what cannot be reached at all takes ever less of what is run and computed.
const WAIT: u64 = 64;
const MAX_WAIT: u64 = 1 << 30;
/// So many transactions of an attempt in vain count as one more.
const COSTLY: u64 = 128;
/// What has a target so many blocks behind it is near one.
const NEAR: u32 = 8;
/// As if a turn between sides that were both taken had been tried so often: sides that nobody took come first.
const TURN: u32 = 2;

/// Where targets are, seen from behind a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bearing {
    /// Nobody named any.
    Anywhere,
    /// Whoever reaches the goal enters one at once.
    At,
    /// So many blocks farther on, by the control-flow graph; the largest number if that is not known.
    Towards(u32),
    /// There is no way to any.
    Away,
}

impl Bearing {
    /// The goal waits as if it had been tried so often.
    fn rank(self) -> u32 {
        match self {
            Self::Anywhere | Self::At => 0,
            Self::Towards(_) => 1,
            Self::Away => 8,
        }
    }

    /// Of goals that are tried next, the one with the fewest blocks to go comes first.
    fn blocks(self) -> u32 {
        match self {
            Self::Anywhere | Self::At => 0,
            Self::Towards(blocks) => blocks,
            Self::Away => u32::MAX,
        }
    }
}

/// How a goal waits for its next turn.
#[derive(Debug)]
struct Wait {
    /// When it may be tried.
    due: u64,
    /// For how many transactions it waits after that.
    next: u64,
}

impl Default for Wait {
    fn default() -> Self {
        Self { due: 0, next: WAIT }
    }
}

impl Wait {
    /// It is tried now.
    fn tried(&mut self, now: u64) {
        self.due = now + self.next;
        self.next = (self.next + self.next / 4).min(MAX_WAIT);
    }

    /// The next waits are longer.
    fn discourage(&mut self) {
        self.next = (2 * self.next).min(MAX_WAIT);
    }

    /// There is something new to try: it waits no more, and not for long the next times.
    fn end(&mut self) {
        self.due = 0;
        self.next = (self.next / 8).max(WAIT);
    }
}

/// A goal that was not reached, and who came close.
#[derive(Debug)]
struct Open {
    goal: Goal,
    /// How often it was tried.
    attempts: u32,
    /// Goals of a lower rank come first: one more for every attempt, and some where there is little hope.
    rank: u32,
    wait: Wait,
    bearing: Bearing,
    closest: Vec<(U256, Arc<Entry>)>,
    latest: Vec<Arc<Entry>>,
    /// Slots that the last attempt read.
    reads: Vec<(Address, U256)>,
    /// A state in which one of them holds what it never held before.
    stirring: Option<Arc<State>>,
}

/// What is to be tried next.
#[derive(Debug)]
pub(super) struct Pick {
    pub(super) goal: Goal,
    /// An entry that missed it.
    pub(super) entry: Arc<Entry>,
    /// How often it was tried before.
    pub(super) attempt: u32,
    /// Where to start instead of the entry's state.
    pub(super) state: Option<Arc<State>>,
}

/// All open goals.
#[derive(Debug, Default)]
pub(super) struct Missed {
    open: Vec<Open>,
    at: HashMap<Goal, usize>,
    /// Before this no goal is due.
    earliest: u64,
    /// Whether a goal that leads to a target soon was perhaps never tried.
    is_near_target: bool,
}

impl Missed {
    /// Notes what an entry missed. `written` tells whether what decides a goal stands in the source. Returns whether it was the first
    /// to come to where a target is decided.
    pub(super) fn add(
        &mut self,
        entry: &Arc<Entry>,
        coverage: &Coverage,
        written: impl Fn(Goal) -> bool,
        bearing: impl Fn(Goal) -> Bearing,
    ) -> bool {
        let mut came_to_target = false;
        for (goal, cost) in entry.missed.iter().filter(|(goal, _)| goal.is_open(coverage)) {
            let at = *self.at.entry(*goal).or_insert_with(|| {
                let rank = if written(*goal) { 0 } else { UNWRITTEN };
                let rank = if matches!(goal, Goal::Turn { .. }) { rank + TURN } else { rank };
                let bearing = bearing(*goal);
                came_to_target |= rank == 0 && bearing == Bearing::At;
                self.open.push(Open {
                    goal: *goal,
                    attempts: 0,
                    rank,
                    wait: Wait::default(),
                    bearing,
                    closest: Vec::new(),
                    latest: Vec::new(),
                    reads: Vec::new(),
                    stirring: None,
                });
                self.open.len() - 1
            });
            self.open[at].add(entry, *cost);
            self.earliest = self.earliest.min(self.open[at].wait.due);
            self.is_near_target |= self.open[at].is_near_target();
        }
        came_to_target
    }

    /// Targets are elsewhere now: says anew of each goal where they are.
    pub(super) fn turn(&mut self, bearing: impl Fn(Goal) -> Bearing) {
        self.open.iter_mut().for_each(|open| open.bearing = bearing(open.goal));
        self.is_near_target = self.open.iter().any(Open::is_near_target);
    }

    /// Whether a goal that leads to a target soon may never have been tried: that is what cannot wait.
    pub(super) fn is_near_target(&self) -> bool {
        self.is_near_target
    }

    /// Whether a goal may be due.
    pub(super) fn has_due(&self, now: u64) -> bool {
        !self.open.is_empty() && self.earliest <= now
    }

    /// The goal to try next, with an entry that missed it: of those that are due, one of those tried least. None when every
    /// goal is reached, or has to wait. `now` is the number of transactions so far.
    pub(super) fn pick<R: Rng + ?Sized>(&mut self, coverage: &Coverage, now: u64, rng: &mut R) -> Option<Pick> {
        let mut at = 0;
        while at < self.open.len() {
            if self.open[at].goal.is_open(coverage) {
                at += 1;
            } else {
                self.close(at);
            }
        }
        self.earliest = self.open.iter().map(|open| open.wait.due).min().unwrap_or(u64::MAX);
        let is_due = |open: &&Open| open.wait.due <= now;
        let least = self.open.iter().filter(is_due).map(Open::turn).min()?;
        let candidates = self.open.iter().filter(is_due).filter(|open| open.turn() == least).count();
        let chosen = rng.random_range(0..candidates);
        let open = self.open.iter_mut().filter(|open| open.wait.due <= now && open.turn() == least).nth(chosen)?;
        let attempt = open.attempts;
        open.attempts += 1;
        open.rank += 1;
        open.wait.tried(now);
        let entries: Vec<_> = open.closest.iter().map(|(_, entry)| entry).chain(&open.latest).collect();
        // The closest first, the others in turn.
        let entry = entries[attempt as usize % entries.len()].clone();
        let pick = Pick { goal: open.goal, entry, attempt, state: open.stirring.take() };
        self.is_near_target = self.open.iter().any(Open::is_near_target);
        Some(pick)
    }

    /// Lets go of all entries but these, by their addresses. A goal without any waits until it is missed again.
    pub(super) fn retain(&mut self, kept: &HashSet<usize>) {
        let is_kept = |entry: &Arc<Entry>| kept.contains(&(Arc::as_ptr(entry) as usize));
        for at in (0..self.open.len()).rev() {
            let open = &mut self.open[at];
            open.closest.retain(|(_, entry)| is_kept(entry));
            open.latest.retain(is_kept);
            open.stirring = open.stirring.take().filter(|state| kept.contains(&(Arc::as_ptr(state) as usize)));
            if open.closest.is_empty() && open.latest.is_empty() {
                self.close(at);
            }
        }
    }

    /// Trying a goal showed that nothing we can choose moves it: it waits longer for its next turn.
    pub(super) fn discourage(&mut self, goal: Goal) {
        if let Some(at) = self.at.get(&goal) {
            self.open[*at].rank += 2;
            self.open[*at].wait.discourage();
        }
    }

    /// Trying a goal was in vain and cost so many transactions: what costs much must not leave nothing for the others.
    pub(super) fn charge(&mut self, goal: Goal, cost: u64) {
        if let Some(at) = self.at.get(&goal) {
            self.open[*at].rank += (cost / COSTLY) as u32;
        }
    }

    /// An attempt at a goal read these slots.
    pub(super) fn note_reads(&mut self, goal: Goal, reads: &[(Address, U256)]) {
        if let Some(at) = self.at.get(&goal) {
            self.open[*at].reads = reads.to_vec();
        }
    }

    /// There is a state in which these slots hold what they never held before: whatever was tried in vain and read one of them is
    /// tried again from there.
    pub(super) fn stir(&mut self, state: &Arc<State>, slots: &[(Address, U256)]) {
        let stirs = |open: &&mut Open| slots.iter().any(|slot| open.reads.contains(slot));
        for open in self.open.iter_mut().filter(stirs) {
            open.stirring = Some(state.clone());
            open.wait.end();
            self.earliest = 0;
        }
    }

    /// Trying a goal was broken off: it may be tried again at once.
    pub(super) fn resume(&mut self, goal: Goal) {
        if let Some(at) = self.at.get(&goal) {
            self.open[*at].wait.end();
            self.earliest = 0;
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
    fn turn(&self) -> (u32, u32) {
        (self.rank + self.bearing.rank(), self.bearing.blocks())
    }

    /// Whether it leads to a target soon and was never tried, and nothing says that there is little hope.
    fn is_near_target(&self) -> bool {
        let is_near = match self.bearing {
            Bearing::At => true,
            Bearing::Towards(blocks) => blocks <= NEAR,
            Bearing::Anywhere | Bearing::Away => false,
        };
        is_near && self.attempts == 0 && self.rank == 0
    }

    fn add(&mut self, entry: &Arc<Entry>, cost: U256) {
        if entry.covers_more {
            self.wait.end();
        }
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
                self.wait.end();
            }
        } else {
            if self.latest.len() >= LATEST {
                self.latest.remove(0);
            }
            self.latest.push(entry.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        code::Programs,
        compile::Build,
        fuzz::{memory::Meter, sample},
    };
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn goal(number: u64) -> Goal {
        Goal::Word { address: Address::ZERO, slot: U256::from(number), word: U256::ONE }
    }

    /// Of no code: the goals here are never reached.
    fn coverage() -> Coverage {
        Coverage::new(Arc::new(Programs::of(&Build::default())), Meter::new())
    }

    /// The order in which goals are tried first that one entry missed.
    fn order(bearings: &[Bearing]) -> Vec<usize> {
        let (mut missed, coverage, meter) = (Missed::default(), coverage(), Meter::new());
        let goals: Vec<Goal> = (0..bearings.len() as u64).map(goal).collect();
        let number = |wanted: Goal| goals.iter().position(|goal| *goal == wanted).unwrap();
        let entry = goals.iter().map(|goal| (*goal, U256::ONE)).collect();
        let entry = sample::entry(&sample::root(&meter), false, entry, &meter);
        missed.add(&entry, &coverage, |_| true, |goal| bearings[number(goal)]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        bearings.iter().map(|_| number(missed.pick(&coverage, 0, &mut rng).unwrap().goal)).collect()
    }

    #[test]
    fn what_is_nearest_to_a_target_is_tried_first() {
        let bearings =
            [Bearing::Away, Bearing::Towards(u32::MAX), Bearing::Towards(9), Bearing::At, Bearing::Towards(2)];
        assert_eq!(order(&bearings), [3, 4, 2, 1, 0]);
    }

    #[test]
    fn only_what_was_never_tried_near_a_target_cannot_wait() {
        let (coverage, meter) = (coverage(), Meter::new());
        let root = sample::root(&meter);
        for (bearing, came, is_near) in [
            (Bearing::Anywhere, false, false),
            (Bearing::At, true, true),
            (Bearing::Towards(NEAR), false, true),
            (Bearing::Towards(NEAR + 1), false, false),
            (Bearing::Away, false, false),
        ] {
            let mut missed = Missed::default();
            let entry = sample::entry(&root, false, vec![(goal(1), U256::ONE)], &meter);
            assert_eq!(missed.add(&entry, &coverage, |_| true, |_| bearing), came, "{bearing:?}");
            assert_eq!(missed.is_near_target(), is_near, "{bearing:?}");
            assert!(!missed.add(&entry, &coverage, |_| true, |_| bearing), "it is not the first any more");
            assert!(missed.pick(&coverage, 0, &mut ChaCha8Rng::seed_from_u64(1)).is_some());
            assert!(!missed.is_near_target(), "{bearing:?}");
        }
    }

    #[test]
    fn what_costs_much_in_vain_comes_after_what_costs_little() {
        let (mut missed, coverage, meter) = (Missed::default(), coverage(), Meter::new());
        let entry = vec![(goal(1), U256::ONE), (goal(2), U256::ONE)];
        let entry = sample::entry(&sample::root(&meter), false, entry, &meter);
        missed.add(&entry, &coverage, |_| true, |_| Bearing::Anywhere);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut tries = [0, 0];
        for now in (0..24).map(|turn| turn * 1_000_000) {
            let tried = missed.pick(&coverage, now, &mut rng).unwrap().goal;
            missed.charge(tried, if tried == goal(1) { 3 * COSTLY } else { COSTLY / 2 });
            tries[usize::from(tried == goal(2))] += 1;
        }
        assert!(tries[1] > 3 * tries[0] && tries[0] > 3, "{tries:?}");
    }

    #[test]
    fn a_state_like_none_before_stirs_what_read_its_slots() {
        let (mut missed, coverage, meter) = (Missed::default(), coverage(), Meter::new());
        let root = sample::root(&meter);
        let entry = vec![(goal(1), U256::ONE), (goal(2), U256::ONE)];
        missed.add(&sample::entry(&root, false, entry, &meter), &coverage, |_| true, |_| Bearing::Anywhere);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut pick = |missed: &mut Missed| missed.pick(&coverage, 0, &mut rng);
        for _ in 0..2 {
            assert!(pick(&mut missed).unwrap().state.is_none());
        }
        let slot = |number: u64| (Address::ZERO, U256::from(number));
        missed.note_reads(goal(1), &[slot(7), slot(8)]);
        missed.note_reads(goal(2), &[slot(9)]);
        let state = sample::after(&root, 1, &meter);
        missed.stir(&state, &[slot(8), slot(10)]);
        let stirred = pick(&mut missed).unwrap();
        assert!(stirred.goal == goal(1) && Arc::ptr_eq(&stirred.state.unwrap(), &state));
        assert!(pick(&mut missed).is_none(), "once, and the other not at all");
        missed.stir(&state, &[slot(9)]);
        drop(state);
        missed.retain(&HashSet::default());
        assert!(pick(&mut missed).is_none(), "what is not kept any more is let go of");
    }

    #[test]
    fn what_was_broken_off_need_not_wait() {
        let (mut missed, coverage, meter) = (Missed::default(), coverage(), Meter::new());
        let entry = sample::entry(&sample::root(&meter), false, vec![(goal(1), U256::ONE)], &meter);
        missed.add(&entry, &coverage, |_| true, |_| Bearing::Anywhere);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert!(missed.pick(&coverage, 0, &mut rng).is_some() && missed.pick(&coverage, 0, &mut rng).is_none());
        missed.resume(goal(1));
        assert!(missed.has_due(0) && missed.pick(&coverage, 0, &mut rng).is_some());
    }

    /// How often a goal is tried in vain in so many transactions.
    fn tries(transactions: u64) -> u32 {
        let mut wait = Wait::default();
        let mut tries = 0;
        while wait.due < transactions {
            let now = wait.due;
            wait.tried(now);
            tries += 1;
        }
        tries
    }

    #[test]
    fn what_is_never_reached_is_tried_ever_less() {
        assert!((10..40).contains(&tries(10_000)), "{}", tries(10_000));
        assert!(tries(100_000) < 2 * tries(10_000));
        assert!(tries(1_000_000) - tries(100_000) < 15);
    }

    #[test]
    fn something_new_ends_a_wait() {
        let mut wait = Wait::default();
        let mut now = 0;
        for _ in 0..20 {
            wait.tried(now);
            now = wait.due;
        }
        let long = wait.next;
        wait.end();
        assert!(wait.due == 0 && wait.next < long / 7 && wait.next >= WAIT);
        wait.discourage();
        wait.tried(now);
        assert!(wait.due >= now + 2 * WAIT);
        for _ in 0..500 {
            wait.tried(now);
            wait.discourage();
        }
        assert!(wait.due <= now + MAX_WAIT, "it is tried again some day");
    }
}
