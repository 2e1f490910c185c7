//! A [`Machine`] is what one process says of itself to the others, and the number that it has among them.

use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Bytes of what a machine says, at most; beyond that it leaves out contracts.
pub(super) const MAX_BYTES: usize = 128 << 10;
/// Numbers that there are; chosen by hand.
pub(super) const MAX_MACHINES: u32 = 4096;

/// Points of a machine's growth, at most; chosen by hand.
const MAX_POINTS: usize = 60;

/// What a machine says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Machine {
    /// Another one for each process.
    pub(crate) id: String,
    /// The version of Bellwether.
    pub(crate) version: String,
    /// The seed of its random numbers.
    pub(crate) seed: u64,
    /// Its threads.
    pub(crate) workers: usize,
    /// Seconds since it began to fuzz.
    pub(crate) seconds: u64,
    /// Transactions that it ran.
    pub(crate) executions: u64,
    /// Of those, transactions that ran again what was found before or elsewhere.
    pub(crate) replayed: u64,
    /// What it fuzzes.
    pub(crate) contracts: Vec<MachineContract>,
    /// The ids of its findings.
    pub(crate) findings: Vec<String>,
    /// How far it was, from when it began until now.
    pub(crate) growth: Growth,
}

/// How far a machine was at some times.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Growth(Vec<GrowthPoint>);

/// How far a machine was once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GrowthPoint {
    /// Seconds since it began to fuzz.
    pub(crate) seconds: u64,
    /// Edges of branches that it had reached, of all contracts together.
    pub(crate) covered: u32,
    /// Its findings.
    pub(crate) findings: u32,
}

/// How far a machine is with a contract.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct MachineContract {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) executions: u64,
    /// Edges of the branches in its source that were reached, and all of them.
    pub(crate) covered: u32,
    pub(crate) known: u32,
}

/// The number that a machine has, and where it stands among those that live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its number: no other that lives has it, and it is given back when the machine leaves or is not heard of any more.
    pub(crate) number: u32,
    /// How many with a smaller number live.
    pub(crate) position: usize,
    /// How many live.
    pub(crate) machines: usize,
}

impl Growth {
    /// Adds a point, if it says more than the last one. Where there are too many, every second one goes.
    pub(crate) fn add(&mut self, point: GrowthPoint) {
        let is_same = |last: &GrowthPoint| (last.covered, last.findings) == (point.covered, point.findings);
        if self.0.last().is_some_and(is_same) {
            return;
        }
        self.0.push(point);
        if self.0.len() > MAX_POINTS {
            let newest = self.0.len() - 1;
            let mut at = 0..;
            self.0.retain(|_| at.next().is_some_and(|at| at % 2 == 0 || at == newest));
        }
    }

    /// The points, the earliest first.
    pub(crate) fn points(&self) -> &[GrowthPoint] {
        &self.0
    }
}

/// The numbers that a machine tries to take, until there is one that no other takes first: the lowest that is free, and then others further
/// and further on, so that a thousand machines which start at the same time do not all try the same ones.
pub(super) fn numbers_to_try(taken: &[u32], id: &str) -> impl Iterator<Item = u32> {
    let free: Vec<u32> = (0..MAX_MACHINES).filter(|number| !taken.contains(number)).collect();
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let mut apart = Vec::new();
    let (mut at, mut furthest) = (0, 2);
    while let Some(number) = free.get(at) {
        apart.push(*number);
        at += 1 + (hasher.hash_one((id, at)) % furthest) as usize;
        furthest = (furthest * 2).min(MAX_MACHINES.into());
    }
    apart.into_iter().chain(free)
}

/// Why none could be taken.
pub(super) const ALL_TAKEN: &str = "all machine numbers are taken";

impl Place {
    /// The place of a number among those that live.
    pub(super) fn among(number: u32, living: &[u32]) -> Self {
        let position = living.iter().filter(|other| **other < number).count();
        let others = living.iter().filter(|other| **other != number).count();
        Self { number, position, machines: others + 1 }
    }
}

impl Machine {
    /// What is said, as text.
    pub(super) fn to_text(&self) -> String {
        let mut said = self.clone();
        loop {
            let text = serde_json::to_string(&said).unwrap_or_default();
            if text.len() <= MAX_BYTES || (said.contracts.is_empty() && said.findings.is_empty()) {
                return text;
            }
            said.contracts.truncate(said.contracts.len() / 2);
            said.findings.truncate(said.findings.len() / 2);
        }
    }

    /// What another machine said; none if that is not understood.
    pub(super) fn read(content: &[u8]) -> Option<Self> {
        (content.len() <= MAX_BYTES).then(|| serde_json::from_slice(content).ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_counted_among_those_that_live() {
        assert_eq!(Place::among(7, &[2, 7, 9]), Place { number: 7, position: 1, machines: 3 });
        // It may not see itself yet.
        assert_eq!(Place::among(3, &[2]), Place { number: 3, position: 1, machines: 2 });
    }

    #[test]
    fn machines_that_start_together_try_other_numbers_after_the_first() {
        let [one, other] = ["3f2a9c01d4e5", "94760c5fd09d"].map(|id| numbers_to_try(&[0, 2], id).collect::<Vec<u32>>());
        assert_eq!((one[0], other[0]), (1, 1));
        let first = |numbers: &[u32]| numbers[1..6].to_vec();
        assert_ne!(first(&one), first(&other));
        assert!(first(&one).is_sorted() && first(&one)[0] > 1);
        // In the end each tries all that are free.
        assert!((0..MAX_MACHINES).all(|number| one.contains(&number) != [0, 2].contains(&number)));
        assert_eq!(numbers_to_try(&(0..MAX_MACHINES).collect::<Vec<u32>>(), "a").count(), 0);
    }

    #[test]
    fn growth_keeps_its_beginning_and_its_end_and_thins_out_between() {
        let mut growth = Growth::default();
        for seconds in 0..1000 {
            growth.add(GrowthPoint { seconds, covered: seconds as u32 / 2, findings: 0 });
        }
        let points = growth.points();
        assert!((MAX_POINTS / 2..=MAX_POINTS).contains(&points.len()), "{}", points.len());
        assert_eq!((points[0].covered, points[points.len() - 1].covered), (0, 499));
        assert!(points.is_sorted_by_key(|point| point.seconds));
    }

    #[test]
    fn what_a_machine_says_has_a_bound_and_what_it_does_not_know_is_left_out() {
        let contract = MachineContract { name: "a".repeat(100), ..MachineContract::default() };
        let machine = Machine { id: "a".to_owned(), contracts: vec![contract; 10_000], ..Machine::default() };
        let text = machine.to_text();
        assert!(text.len() <= MAX_BYTES);
        assert!(Machine::read(text.as_bytes()).unwrap().contracts.len() > 100);
        assert_eq!(Machine::read(b"{\"id\": \"b\", \"unknown\": 1}").unwrap().id, "b");
        assert_eq!(Machine::read(b"[1"), None);
    }
}
