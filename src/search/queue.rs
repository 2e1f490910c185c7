//! [`ObjectiveQueue`] holds the objectives that no run has reached although one came close: edges whose branch was
//! executed, and SSTOREs that cannot write anywhere yet. For each it keeps the entries that came closest (sFuzz §3.2,
//! "just-missed branches"). It chooses the objective for the next attempt; the attempt itself is made elsewhere.

use crate::{
    corpus::{Coverage, Entry, Objective, State},
    tuning::Tuning,
};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use rand::{Rng, RngExt};
use std::sync::Arc;

/// The distance from an objective to the nearest target after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetDistance {
    /// There are no targets.
    Unguided,
    /// Reaching the objective enters a target at once.
    Zero,
    /// This many blocks of the control-flow graph lie between; the largest number if the distance is unknown.
    Blocks(u32),
    /// No path leads from here to any target.
    Unreachable,
}

impl TargetDistance {
    /// The rank that the distance adds, as if the objective had been tried this often.
    fn rank(self) -> u32 {
        match self {
            Self::Unguided | Self::Zero => 0,
            Self::Blocks(_) => 1,
            Self::Unreachable => 8,
        }
    }

    /// Among objectives that are due, the one with the fewest blocks left comes first.
    fn blocks(self) -> u32 {
        match self {
            Self::Unguided | Self::Zero => 0,
            Self::Blocks(blocks) => blocks,
            Self::Unreachable => u32::MAX,
        }
    }
}

/// The waiting time of an objective, in transactions.
#[derive(Debug)]
struct Wait {
    /// The transaction count from which it may be tried.
    due: u64,
    /// The length of the next wait, in transactions.
    next: u64,
}

impl Wait {
    fn new(tuning: &Tuning) -> Self {
        Self { due: 0, next: tuning.objective_wait }
    }

    /// Records an attempt that is made now.
    fn tried(&mut self, now: u64, tuning: &Tuning) {
        self.due = now + self.next;
        self.next = (self.next + self.next / 4).min(tuning.max_objective_wait);
    }

    /// Doubles the next wait.
    fn penalise(&mut self, tuning: &Tuning) {
        self.next = (2 * self.next).min(tuning.max_objective_wait);
    }

    /// Ends the wait because there is something new to try, and shortens the next waits.
    fn end(&mut self, tuning: &Tuning) {
        self.due = 0;
        self.next = (self.next / 8).max(tuning.objective_wait);
    }
}

/// An objective that was not reached, and the entries that came close.
#[derive(Debug)]
struct Queued {
    objective: Objective,
    /// The number of attempts.
    attempts: u32,
    /// Objectives of a lower rank come first. Every attempt adds one, and little hope of success adds more.
    rank: u32,
    wait: Wait,
    distance: TargetDistance,
    closest: Vec<(U256, Arc<Entry>)>,
    latest: Vec<Arc<Entry>>,
    /// Slots that the last attempt read.
    reads: Vec<(Address, U256)>,
    /// A state in which one of these slots holds a word that it never held before.
    reactivated_in: Option<Arc<State>>,
}

/// The next attempt to make.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) objective: Objective,
    /// An entry that missed the objective.
    pub(crate) entry: Arc<Entry>,
    /// The number of earlier attempts.
    pub(crate) attempt: u32,
    /// The state to start from, if not the entry's.
    pub(crate) state: Option<Arc<State>>,
}

/// All open objectives.
#[derive(Debug)]
pub(crate) struct ObjectiveQueue {
    tuning: Arc<Tuning>,
    open: Vec<Queued>,
    at: HashMap<Objective, usize>,
    /// No objective is due before this transaction count.
    earliest: u64,
    /// Whether an objective near a target may be untried.
    is_near_target: bool,
}

impl ObjectiveQueue {
    pub(super) fn new(tuning: Arc<Tuning>) -> Self {
        Self { tuning, open: Vec::new(), at: HashMap::default(), earliest: 0, is_near_target: false }
    }

    /// Records the objectives that an entry missed. `written` tells whether the decision of an objective stands in the
    /// source. Returns whether the entry is the first to get to the decision of a target.
    pub(crate) fn add(
        &mut self,
        entry: &Arc<Entry>,
        coverage: &Coverage,
        written: impl Fn(Objective) -> bool,
        distance: impl Fn(Objective) -> TargetDistance,
    ) -> bool {
        let mut came_to_target = false;
        for (objective, cost) in entry.missed.iter().filter(|(objective, _)| objective.is_open(coverage)) {
            let at = *self.at.entry(*objective).or_insert_with(|| {
                let rank = if written(*objective) { 0 } else { self.tuning.generated_code_rank };
                let rank = if matches!(objective, Objective::EdgeInContext { .. }) {
                    rank + self.tuning.context_rank
                } else {
                    rank
                };
                let distance = distance(*objective);
                came_to_target |= rank == 0 && distance == TargetDistance::Zero;
                self.open.push(Queued {
                    objective: *objective,
                    attempts: 0,
                    rank,
                    wait: Wait::new(&self.tuning),
                    distance,
                    closest: Vec::new(),
                    latest: Vec::new(),
                    reads: Vec::new(),
                    reactivated_in: None,
                });
                self.open.len() - 1
            });
            self.open[at].add(entry, *cost, &self.tuning);
            self.earliest = self.earliest.min(self.open[at].wait.due);
            self.is_near_target |= self.open[at].is_near_target(&self.tuning);
        }
        came_to_target
    }

    /// Updates the distance of each objective after the targets have changed.
    pub(crate) fn set_distances(&mut self, distance: impl Fn(Objective) -> TargetDistance) {
        self.open.iter_mut().for_each(|open| open.distance = distance(open.objective));
        self.is_near_target = self.open.iter().any(|open| open.is_near_target(&self.tuning));
    }

    /// Whether an objective near a target may be untried; such an objective cannot wait.
    pub(crate) fn is_near_target(&self) -> bool {
        self.is_near_target
    }

    /// Whether an objective may be due.
    pub(crate) fn has_due(&self, now: u64) -> bool {
        !self.open.is_empty() && self.earliest <= now
    }

    /// The objective to try next, with an entry that missed it: one of the least tried among those that are due. None if
    /// every objective is reached, or has to wait. `now` is the number of transactions so far. What does not fall to this machine
    /// (`falls_here`) comes later, as if it had been tried before.
    pub(crate) fn pick<R: Rng + ?Sized>(
        &mut self,
        coverage: &Coverage,
        now: u64,
        falls_here: impl Fn(Objective) -> bool,
        rng: &mut R,
    ) -> Option<Candidate> {
        let mut at = 0;
        while at < self.open.len() {
            if self.open[at].objective.is_open(coverage) {
                at += 1;
            } else {
                self.close(at);
            }
        }
        self.earliest = self.open.iter().map(|open| open.wait.due).min().unwrap_or(u64::MAX);
        let turn = |open: &Queued| {
            let (rank, blocks) = open.turn();
            (rank + if falls_here(open.objective) { 0 } else { self.tuning.elsewhere_rank }, blocks)
        };
        let due = self.open.iter().enumerate().filter(|(_, open)| open.wait.due <= now);
        let turns: Vec<_> = due.map(|(at, open)| (at, turn(open))).collect();
        let least = turns.iter().map(|(_, turn)| *turn).min()?;
        let candidates: Vec<usize> = turns.iter().filter(|(_, turn)| *turn == least).map(|(at, _)| *at).collect();
        let open = &mut self.open[candidates[rng.random_range(0..candidates.len())]];
        let attempt = open.attempts;
        open.attempts += 1;
        open.rank += 1;
        open.wait.tried(now, &self.tuning);
        let entries: Vec<_> = open.closest.iter().map(|(_, entry)| entry).chain(&open.latest).collect();
        // The closest first, the others in turn.
        let entry = entries[attempt as usize % entries.len()].clone();
        let pick = Candidate { objective: open.objective, entry, attempt, state: open.reactivated_in.take() };
        self.is_near_target = self.open.iter().any(|open| open.is_near_target(&self.tuning));
        Some(pick)
    }

    /// Drops all entries but these, by their addresses. An objective without entries waits until it is missed again.
    pub(crate) fn retain(&mut self, kept: &HashSet<usize>) {
        let is_kept = |entry: &Arc<Entry>| kept.contains(&(Arc::as_ptr(entry) as usize));
        for at in (0..self.open.len()).rev() {
            let open = &mut self.open[at];
            open.closest.retain(|(_, entry)| is_kept(entry));
            open.latest.retain(is_kept);
            open.reactivated_in =
                open.reactivated_in.take().filter(|state| kept.contains(&(Arc::as_ptr(state) as usize)));
            if open.closest.is_empty() && open.latest.is_empty() {
                self.close(at);
            }
        }
    }

    /// Makes an objective wait longer, because an attempt showed that no variable moves it.
    pub(crate) fn penalise(&mut self, objective: Objective) {
        if let Some(at) = self.at.get(&objective) {
            self.open[*at].rank += 2;
            self.open[*at].wait.penalise(&self.tuning);
        }
    }

    /// Records a failed attempt that cost this many transactions: expensive objectives must leave transactions for the
    /// others.
    pub(crate) fn record_cost(&mut self, objective: Objective, cost: u64) {
        if let Some(at) = self.at.get(&objective) {
            self.open[*at].rank += (cost / self.tuning.costly_attempt) as u32;
        }
    }

    /// Records the slots that an attempt at an objective read.
    pub(crate) fn note_reads(&mut self, objective: Objective, reads: &[(Address, U256)]) {
        if let Some(at) = self.at.get(&objective) {
            self.open[*at].reads = reads.to_vec();
        }
    }

    /// Records a state in which these slots hold words that they never held before: every objective that was tried without
    /// success and read one of them is tried again from there.
    pub(crate) fn reactivate(&mut self, state: &Arc<State>, slots: &[(Address, U256)]) {
        let is_reactivated = |open: &&mut Queued| slots.iter().any(|slot| open.reads.contains(slot));
        for open in self.open.iter_mut().filter(is_reactivated) {
            open.reactivated_in = Some(state.clone());
            open.wait.end(&self.tuning);
            self.earliest = 0;
        }
    }

    /// Makes an objective due at once, because its attempt was broken off.
    pub(crate) fn requeue(&mut self, objective: Objective) {
        if let Some(at) = self.at.get(&objective) {
            self.open[*at].wait.end(&self.tuning);
            self.earliest = 0;
        }
    }

    fn close(&mut self, at: usize) {
        let closed = self.open.swap_remove(at);
        self.at.remove(&closed.objective);
        if let Some(moved) = self.open.get(at) {
            self.at.insert(moved.objective, at);
        }
    }
}

impl Queued {
    /// The lowest comes first.
    fn turn(&self) -> (u32, u32) {
        (self.rank + self.distance.rank(), self.distance.blocks())
    }

    /// Whether it is near a target, was never tried, and was not marked as having little hope.
    fn is_near_target(&self, tuning: &Tuning) -> bool {
        let is_near = match self.distance {
            TargetDistance::Zero => true,
            TargetDistance::Blocks(blocks) => blocks <= tuning.near_target,
            TargetDistance::Unguided | TargetDistance::Unreachable => false,
        };
        is_near && self.attempts == 0 && self.rank == 0
    }

    fn add(&mut self, entry: &Arc<Entry>, cost: U256, tuning: &Tuning) {
        if entry.covers_more {
            self.wait.end(tuning);
        }
        if let Some((known, _)) = self.closest.iter_mut().find(|(_, known)| Arc::ptr_eq(known, entry)) {
            *known = cost.min(*known);
            return;
        }
        let closer = self.closest.first().is_none_or(|(best, _)| cost < *best);
        if self.closest.len() < tuning.closest_entries || self.closest.last().is_some_and(|(worst, _)| cost < *worst) {
            let at = self.closest.partition_point(|(known, _)| *known <= cost);
            self.closest.insert(at, (cost, entry.clone()));
            self.closest.truncate(tuning.closest_entries);
            if closer {
                // There is something new to try.
                self.rank /= 2;
                self.wait.end(tuning);
            }
        } else {
            if self.latest.len() >= tuning.latest_entries {
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
        corpus::{MemoryAccount, sample},
    };
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn objective(number: u64) -> Objective {
        Objective::StorageValue { address: Address::ZERO, slot: U256::from(number), word: U256::ONE }
    }

    /// Coverage of no code: the objectives here are never reached.
    fn coverage() -> Coverage {
        Coverage::new(Arc::new(Programs::of(&Build::default())), MemoryAccount::new())
    }

    /// The order in which the objectives that one entry missed are first tried.
    fn order(distances: &[TargetDistance]) -> Vec<usize> {
        let (mut missed, coverage, meter) = (ObjectiveQueue::new(Arc::default()), coverage(), MemoryAccount::new());
        let objectives: Vec<Objective> = (0..distances.len() as u64).map(objective).collect();
        let number = |wanted: Objective| objectives.iter().position(|objective| *objective == wanted).unwrap();
        let entry = objectives.iter().map(|objective| (*objective, U256::ONE)).collect();
        let entry = sample::entry(&sample::root(&meter), false, entry, &meter);
        missed.add(&entry, &coverage, |_| true, |objective| distances[number(objective)]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        distances.iter().map(|_| number(missed.pick(&coverage, 0, |_| true, &mut rng).unwrap().objective)).collect()
    }

    #[test]
    fn what_is_nearest_to_a_target_is_tried_first() {
        let distances = [
            TargetDistance::Unreachable,
            TargetDistance::Blocks(u32::MAX),
            TargetDistance::Blocks(9),
            TargetDistance::Zero,
            TargetDistance::Blocks(2),
        ];
        assert_eq!(order(&distances), [3, 4, 2, 1, 0]);
    }

    #[test]
    fn only_what_was_never_tried_near_a_target_cannot_wait() {
        let (coverage, meter) = (coverage(), MemoryAccount::new());
        let root = sample::root(&meter);
        for (distance, came, is_near) in [
            (TargetDistance::Unguided, false, false),
            (TargetDistance::Zero, true, true),
            (TargetDistance::Blocks(Tuning::default().near_target), false, true),
            (TargetDistance::Blocks(Tuning::default().near_target + 1), false, false),
            (TargetDistance::Unreachable, false, false),
        ] {
            let mut missed = ObjectiveQueue::new(Arc::default());
            let entry = sample::entry(&root, false, vec![(objective(1), U256::ONE)], &meter);
            assert_eq!(missed.add(&entry, &coverage, |_| true, |_| distance), came, "{distance:?}");
            assert_eq!(missed.is_near_target(), is_near, "{distance:?}");
            assert!(!missed.add(&entry, &coverage, |_| true, |_| distance), "it is not the first any more");
            assert!(missed.pick(&coverage, 0, |_| true, &mut ChaCha8Rng::seed_from_u64(1)).is_some());
            assert!(!missed.is_near_target(), "{distance:?}");
        }
    }

    #[test]
    fn what_costs_much_in_vain_comes_after_what_costs_little() {
        let (mut missed, coverage, meter) = (ObjectiveQueue::new(Arc::default()), coverage(), MemoryAccount::new());
        let entry = vec![(objective(1), U256::ONE), (objective(2), U256::ONE)];
        let entry = sample::entry(&sample::root(&meter), false, entry, &meter);
        missed.add(&entry, &coverage, |_| true, |_| TargetDistance::Unguided);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut tries = [0, 0];
        for now in (0..24).map(|turn| turn * 1_000_000) {
            let tried = missed.pick(&coverage, now, |_| true, &mut rng).unwrap().objective;
            missed.record_cost(
                tried,
                if tried == objective(1) {
                    3 * Tuning::default().costly_attempt
                } else {
                    Tuning::default().costly_attempt / 2
                },
            );
            tries[usize::from(tried == objective(2))] += 1;
        }
        assert!(tries[1] > 3 * tries[0] && tries[0] > 3, "{tries:?}");
    }

    #[test]
    fn a_state_like_none_before_stirs_what_read_its_slots() {
        let (mut missed, coverage, meter) = (ObjectiveQueue::new(Arc::default()), coverage(), MemoryAccount::new());
        let root = sample::root(&meter);
        let entry = vec![(objective(1), U256::ONE), (objective(2), U256::ONE)];
        missed.add(&sample::entry(&root, false, entry, &meter), &coverage, |_| true, |_| TargetDistance::Unguided);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut pick = |missed: &mut ObjectiveQueue| missed.pick(&coverage, 0, |_| true, &mut rng);
        for _ in 0..2 {
            assert!(pick(&mut missed).unwrap().state.is_none());
        }
        let slot = |number: u64| (Address::ZERO, U256::from(number));
        missed.note_reads(objective(1), &[slot(7), slot(8)]);
        missed.note_reads(objective(2), &[slot(9)]);
        let state = sample::after(&root, 1, &meter);
        missed.reactivate(&state, &[slot(8), slot(10)]);
        let stirred = pick(&mut missed).unwrap();
        assert!(stirred.objective == objective(1) && Arc::ptr_eq(&stirred.state.unwrap(), &state));
        assert!(pick(&mut missed).is_none(), "once, and the other not at all");
        missed.reactivate(&state, &[slot(9)]);
        drop(state);
        missed.retain(&HashSet::default());
        assert!(pick(&mut missed).is_none(), "what is not kept any more is let go of");
    }

    #[test]
    fn what_falls_to_another_machine_comes_later() {
        let (mut missed, coverage, meter) = (ObjectiveQueue::new(Arc::default()), coverage(), MemoryAccount::new());
        let goals: Vec<_> = (0..4).map(objective).collect();
        let entry = goals.iter().map(|objective| (*objective, U256::ONE)).collect();
        let entry = sample::entry(&sample::root(&meter), false, entry, &meter);
        missed.add(&entry, &coverage, |_| true, |_| TargetDistance::Unguided);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let falls_here = |goal| goal == objective(1) || goal == objective(3);
        let mut pick = || missed.pick(&coverage, 0, falls_here, &mut rng).map(|candidate| candidate.objective);
        let order: Vec<_> = (0..4).map(|_| falls_here(pick().unwrap())).collect();
        assert_eq!(order, [true, true, false, false], "and all are tried in the end");
    }

    #[test]
    fn what_was_broken_off_need_not_wait() {
        let (mut missed, coverage, meter) = (ObjectiveQueue::new(Arc::default()), coverage(), MemoryAccount::new());
        let entry = sample::entry(&sample::root(&meter), false, vec![(objective(1), U256::ONE)], &meter);
        missed.add(&entry, &coverage, |_| true, |_| TargetDistance::Unguided);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert!(
            missed.pick(&coverage, 0, |_| true, &mut rng).is_some()
                && missed.pick(&coverage, 0, |_| true, &mut rng).is_none()
        );
        missed.requeue(objective(1));
        assert!(missed.has_due(0) && missed.pick(&coverage, 0, |_| true, &mut rng).is_some());
    }

    /// The number of failed attempts at an objective within this many transactions.
    fn tries(transactions: u64) -> u32 {
        let mut wait = Wait::new(&Tuning::default());
        let mut tries = 0;
        while wait.due < transactions {
            let now = wait.due;
            wait.tried(now, &Tuning::default());
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
        let mut wait = Wait::new(&Tuning::default());
        let mut now = 0;
        for _ in 0..20 {
            wait.tried(now, &Tuning::default());
            now = wait.due;
        }
        let long = wait.next;
        wait.end(&Tuning::default());
        assert!(wait.due == 0 && wait.next < long / 7 && wait.next >= Tuning::default().objective_wait);
        wait.penalise(&Tuning::default());
        wait.tried(now, &Tuning::default());
        assert!(wait.due >= now + 2 * Tuning::default().objective_wait);
        for _ in 0..500 {
            wait.tried(now, &Tuning::default());
            wait.penalise(&Tuning::default());
        }
        assert!(wait.due <= now + Tuning::default().max_objective_wait, "it is tried again some day");
    }
}
