//! The [`Schedule`] computes the energy of a picked corpus entry: how often it is mutated. It is used while targets are open
//! and follows Wüstholz and Christakis ("Targeted Greybox Fuzzing with Static Lookahead Analysis", §4.2): inputs with a rare
//! lookahead id or a rare split point get more each time they are picked, all others get one run. It only counts runs and does
//! not know the code; the lookahead of an input is passed to it.

mod rarity;

use crate::{
    evm::{Branch, Edge, Observation, spread},
    lookahead::{Ahead, LookaheadId, SplitPoint},
};
use alloy_primitives::map::{HashMap, HashSet};
use rarity::Rarity;
use std::collections::BTreeMap;

/// The maximum energy of an entry, in runs (paper, §4.2: K).
const MOST: u64 = 1024;

/// The paper's four configurations (§6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Configuration {
    /// No lookahead: the cut-off exponential schedule of AFLFast, by path id.
    A,
    /// Lookahead and its schedule.
    #[default]
    B,
    /// The schedule of B with a lookahead that assumes a target ahead of everything, so that lookahead ids are path ids.
    C,
    /// Lookahead with the schedule of A, by lookahead id.
    D,
}

impl Configuration {
    /// The names on the command line.
    pub const NAMES: [&str; 4] = ["A", "B", "C", "D"];

    /// The configuration of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::A, Self::B, Self::C, Self::D];
        Self::NAMES.iter().position(|known| *known == name).map(|at| all[at])
    }
}

/// An entry of the corpus, by its path.
#[derive(Debug, Default)]
struct Known {
    /// The number of times that it was picked and got energy.
    selected: u32,
    /// The number of runs that took its path.
    runs: u64,
    /// The version of the targets and its lookahead id for them.
    id: Option<(u64, u32)>,
}

/// A lookahead id of at least one entry.
#[derive(Debug)]
struct Id {
    id: LookaheadId,
    /// The number of entries with this id.
    entries: u32,
    points: Vec<u32>,
    /// The length and hash of its prefix of branches, if the prefix ends before the path.
    cut: Option<(usize, u64)>,
}

/// The counts of one fuzzer.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    configuration: Configuration,
    /// Whether a rare split point is enough for more energy.
    by_points: bool,
    /// Entries by path.
    known: HashMap<u64, Known>,
    /// The number of runs that took any of these paths.
    runs: u64,
    ids: Vec<Id>,
    id_at: HashMap<LookaheadId, u32>,
    /// Counts of `ids`. An id without entries is not present, and its number is reused.
    rare_ids: Rarity,
    free: Vec<u32>,
    /// Numbers of split points by program and block; [`NONE`] for other blocks.
    point_at: Vec<Vec<u32>>,
    /// The number of ids that contain a split point.
    uses: Vec<u32>,
    rare_points: Rarity,
    /// Ids by the length and hash of their prefix of branches.
    cuts: BTreeMap<usize, HashMap<u64, u32>>,
}

const NONE: u32 = u32::MAX;

impl Schedule {
    pub(super) fn new(configuration: Configuration, by_points: bool) -> Self {
        Self { configuration, by_points, ..Self::default() }
    }

    /// Whether it needs the lookahead of entries.
    pub(super) fn looks_ahead(&self) -> bool {
        self.configuration != Configuration::A
    }

    /// The version of the targets for which it has the lookahead of the entry with this path.
    pub(super) fn version(&self, path: u64) -> Option<u64> {
        let known = self.known.get(&path).and_then(|known| known.id);
        known.map(|(version, _)| version)
    }

    /// Adds an entry by its path.
    pub(super) fn enter(&mut self, path: u64) {
        self.known.entry(path).or_default();
    }

    /// Sets the lookahead of an entry. `branches` are those of its run.
    pub(super) fn tell(&mut self, path: u64, version: u64, ahead: &Ahead, branches: &[Branch]) {
        let id = self.intern(ahead, branches);
        let entry = self.known.entry(path).or_default();
        if let Some((_, before)) = entry.id.replace((version, id)) {
            self.release(before);
        }
    }

    /// Counts a run (fuzz(λ) and fuzz(p) of the paper). The id of a path is known if an entry has that path, or if it starts
    /// with the prefix of an id. On any other path each block that is a split point is counted.
    pub(super) fn count(&mut self, observation: &Observation) {
        let mut id = None;
        if let Some(known) = self.known.get_mut(&observation.path) {
            known.runs += 1;
            self.runs += 1;
            id = known.id.map(|(_, id)| id);
        }
        if !self.looks_ahead() {
            return;
        }
        match id.or_else(|| self.cut_of(&observation.branches)) {
            Some(id) => {
                self.rare_ids.count(id);
                for point in &self.ids[id as usize].points {
                    self.rare_points.count(*point);
                }
            }
            None => {
                for visit in &observation.blocks {
                    let of_program = self.point_at.get(visit.program.0 as usize);
                    let point = of_program.and_then(|points| points.get(visit.block.0 as usize));
                    if let Some(point) = point.filter(|point| **point != NONE) {
                        self.rare_points.count(*point);
                    }
                }
            }
        }
    }

    /// The energy of the entry with this path, which was picked: the number of its mutations before the next pick, possibly 0.
    pub(super) fn energy(&mut self, path: u64) -> u64 {
        self.enter(path);
        let entries = self.known.len() as u64;
        let known = self.known.entry(path).or_default();
        let id = known.id.map(|(_, id)| id);
        let exponential = exponential(known.selected);
        let energy = match (self.configuration, id) {
            // AFLFast: no energy for a path that is taken more often than the average.
            (Configuration::A, _) | (_, None) => exponential * u64::from(known.runs * entries <= self.runs),
            (Configuration::D, Some(id)) => exponential * u64::from(!self.rare_ids.is_above_mean(id)),
            (Configuration::B | Configuration::C, Some(id)) => {
                let points = &self.ids[id as usize].points;
                let is_rare = self.rare_ids.is_rare(id)
                    || (self.by_points && points.iter().any(|point| self.rare_points.is_rare(*point)));
                if is_rare { exponential } else { 1 }
            }
        };
        known.selected += u32::from(energy > 0);
        energy
    }

    /// Removes the entries of all other paths.
    pub(super) fn retain(&mut self, paths: &HashSet<u64>) {
        let mut gone: Vec<u64> = self.known.keys().filter(|path| !paths.contains(*path)).copied().collect();
        gone.sort_unstable();
        for path in gone {
            if let Some(known) = self.known.remove(&path) {
                self.runs -= known.runs;
                if let Some((_, id)) = known.id {
                    self.release(id);
                }
            }
        }
    }

    /// The id with the shortest prefix that a path starts with.
    fn cut_of(&self, branches: &[Branch]) -> Option<u32> {
        let (mut at, mut hash) = (0, 0);
        for (length, prefixes) in &self.cuts {
            let next = branches.get(at..*length)?;
            hash = hash_on(hash, next);
            at = *length;
            if let Some(id) = prefixes.get(&hash) {
                return Some(*id);
            }
        }
        None
    }

    /// The number of an id, with one more entry.
    fn intern(&mut self, ahead: &Ahead, branches: &[Branch]) -> u32 {
        if let Some(at) = self.id_at.get(&ahead.id) {
            self.ids[*at as usize].entries += 1;
            return *at;
        }
        let points: Vec<u32> = ahead.split_points.iter().map(|point| self.point(*point)).collect();
        for point in &points {
            self.uses[*point as usize] += 1;
            if self.uses[*point as usize] == 1 {
                self.rare_points.set_present(*point, true);
            }
        }
        let prefix = branches.get(..ahead.branches).filter(|_| ahead.is_cut);
        let cut = prefix.map(|prefix| (prefix.len(), hash_on(0, prefix)));
        let id = Id { id: ahead.id, entries: 1, points, cut };
        let at = match self.free.pop() {
            Some(at) => {
                self.ids[at as usize] = id;
                self.rare_ids.renew(at);
                at
            }
            None => {
                self.ids.push(id);
                self.rare_ids.add()
            }
        };
        self.rare_ids.set_present(at, true);
        // The run of the entry itself is the first.
        self.rare_ids.count(at);
        self.id_at.insert(ahead.id, at);
        if let Some((length, hash)) = cut {
            self.cuts.entry(length).or_default().insert(hash, at);
        }
        at
    }

    /// Removes an entry from an id, and the id with its last entry.
    fn release(&mut self, at: u32) {
        let id = &mut self.ids[at as usize];
        id.entries -= 1;
        if id.entries > 0 {
            return;
        }
        let (points, cut) = (std::mem::take(&mut id.points), id.cut.take());
        self.id_at.remove(&id.id);
        self.rare_ids.set_present(at, false);
        self.free.push(at);
        for point in points {
            self.uses[point as usize] -= 1;
            if self.uses[point as usize] == 0 {
                self.rare_points.set_present(point, false);
            }
        }
        if let Some((length, hash)) = cut
            && let Some(prefixes) = self.cuts.get_mut(&length)
        {
            prefixes.remove(&hash);
            if prefixes.is_empty() {
                self.cuts.remove(&length);
            }
        }
    }

    fn point(&mut self, point: SplitPoint) -> u32 {
        let (program, block) = (point.program.0 as usize, point.block.0 as usize);
        if self.point_at.len() <= program {
            self.point_at.resize(program + 1, Vec::new());
        }
        let points = &mut self.point_at[program];
        if points.len() <= block {
            points.resize(block + 1, NONE);
        }
        if points[block] == NONE {
            points[block] = self.rare_points.add();
            self.uses.push(0);
        }
        points[block]
    }
}

/// The energy of an entry after this many picks (paper, §4.2).
fn exponential(selected: u32) -> u64 {
    1_u64.checked_shl(selected).map_or(MOST, |energy| energy.min(MOST))
}

/// Extends the hash of a prefix by further branches.
fn hash_on(hash: u64, branches: &[Branch]) -> u64 {
    branches.iter().fold(hash, |hash, branch| {
        spread(hash.rotate_left(5) ^ Edge::of(branch).number().wrapping_mul(0x9e37_79b9_7f4a_7c15))
    })
}
