//! A [`Machine`] is what one process says of itself to the others, and the number that it has among them.

use super::blocks::Blocks;
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
    /// The hash of its deployed code, how many blocks that has, and which of them were reached.
    pub(crate) code: String,
    pub(crate) blocks: u32,
    pub(crate) reached: Blocks,
}

/// The number that a machine has, and where it stands among those that live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its number: no other that lives has it, and it is given back when the machine leaves or is not heard of any more.
    pub(crate) number: u32,
    /// How many with a smaller number live and fuzz the same set of contracts.
    pub(crate) position: usize,
    /// How many live and fuzz the same set of contracts, this one included.
    pub(crate) peers: usize,
    /// How many live.
    pub(crate) machines: usize,
}

/// What a machine notes beside its news: its number, and the name of the set of contracts that it fuzzes. Others see from the names of all
/// notes with whom they divide their work, without reading what each machine says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) number: u32,
    pub(super) set: String,
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
    /// The place of a number among those that live, where its machine fuzzes this set of contracts. Before it fuzzes any, it has no peers.
    pub(super) fn among(number: u32, living: &[u32], notes: &[Note], set: Option<&str>) -> Self {
        let others = || living.iter().filter(|other| **other != number);
        let has_noted = |other: u32| notes.iter().any(|note| note.number == other && set == Some(&note.set));
        let peers = || others().filter(|other| has_noted(**other));
        Self {
            number,
            position: peers().filter(|other| **other < number).count(),
            peers: peers().count() + 1,
            machines: others().count() + 1,
        }
    }
}

impl Note {
    /// Its name.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.number, self.set)
    }

    /// The note of a name; none if it is something else.
    pub(super) fn named(name: &str) -> Option<Self> {
        let (number, set) = name.split_once('.')?;
        let number = number.parse().ok().filter(|number| *number < MAX_MACHINES)?;
        let is_set = set.len() == 16 && set.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_set.then(|| Self { number, set: set.to_owned() })
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
    use super::super::documented::{documented, fields};
    use super::*;

    #[test]
    fn a_place_is_counted_among_those_that_live_and_fuzz_the_same() {
        let (here, elsewhere) = ("00000000000000aa", "00000000000000bb");
        let note = |number, set: &str| Note { number, set: set.to_owned() };
        let notes = [note(2, here), note(4, elsewhere), note(5, here), note(7, here), note(9, here)];
        let place = |number, living: &[u32], set| {
            let Place { position, peers, machines, .. } = Place::among(number, living, &notes, set);
            (position, peers, machines)
        };
        assert_eq!(place(7, &[2, 4, 7, 9], Some(here)), (1, 3, 4), "the one that is dead does not count");
        assert_eq!(place(4, &[2, 4, 7, 9], Some(elsewhere)), (0, 1, 4));
        assert_eq!(place(7, &[2, 4, 7, 9], None), (0, 1, 4), "it fuzzes nothing yet");
        assert_eq!(place(8, &[2, 4], Some(here)), (1, 2, 3), "it may not see itself yet");
        assert_eq!(place(1, &[1, 3], Some(here)), (0, 1, 2), "one that notes nothing fuzzes something else");
    }

    #[test]
    fn a_note_is_known_by_its_name() {
        let note = Note { number: 12, set: "29a30643673cf355".to_owned() };
        assert_eq!(Note::named(&note.name()), Some(note));
        for other in ["12", "12.json", "bill", "now-1-2", "4096.29a30643673cf355", "1.29a30643673cf35x", "1.2.3"] {
            assert_eq!(Note::named(other), None, "{other}");
        }
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
    fn the_page_lists_all_that_a_machine_says() {
        let mut machine = Machine { contracts: vec![MachineContract::default()], ..Machine::default() };
        machine.growth.add(GrowthPoint { seconds: 0, covered: 0, findings: 0 });
        let said = serde_json::to_value(machine).unwrap();
        assert_eq!(documented("Besides, each machine that fuzzes sends"), fields(&said));
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
