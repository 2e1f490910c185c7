//! The [`Schedule`] says how often an entry of the corpus is mutated once it was picked: its energy. While targets are open,
//! it is the one of Wüstholz and Christakis ("Targeted Greybox Fuzzing with Static Lookahead Analysis", §4.2): inputs with a
//! rare lookahead id or a rare split point get more each time they are picked, all others get one run. It counts what runs
//! show and knows no code; what is ahead of an input is told to it.

mod rarity;

use crate::{
    evm::{Branch, Edge, Observation, spread},
    lookahead::{Ahead, LookaheadId, SplitPoint},
};
use alloy_primitives::map::{HashMap, HashSet};
use rarity::Rarity;
use std::collections::BTreeMap;

/// Most runs that an entry gets at once (paper, §4.2: K).
const MOST: u64 = 1024;

/// The paper's four configurations (§6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Configuration {
    /// Without lookahead: the cut-off exponential schedule of AFLFast, by path id.
    A,
    /// Lookahead and its schedule.
    #[default]
    B,
    /// The same with a lookahead that takes a target to be ahead of everything: lookahead ids are path ids.
    C,
    /// Lookahead with the schedule of A, by lookahead id.
    D,
}

impl Configuration {
    /// The names, as the command line has them.
    pub const NAMES: [&str; 4] = ["A", "B", "C", "D"];

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::A, Self::B, Self::C, Self::D];
        Self::NAMES.iter().position(|known| *known == name).map(|at| all[at])
    }
}

/// An entry of the corpus, by its path.
#[derive(Debug, Default)]
struct Known {
    /// How often it was picked.
    selected: u32,
    /// Runs that took its path.
    runs: u64,
    /// Its lookahead id, and for which targets.
    id: Option<(u64, u32)>,
}

/// A lookahead id that entries have.
#[derive(Debug)]
struct Id {
    id: LookaheadId,
    /// How many entries have it.
    entries: u32,
    points: Vec<u32>,
    /// Length and hash of the branches before its prefix ends, if it ends before the path.
    cut: Option<(usize, u64)>,
}

/// What was counted, for one fuzzer.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    configuration: Configuration,
    /// Whether a rare split point is enough.
    by_points: bool,
    /// By path.
    known: HashMap<u64, Known>,
    /// Runs that took any of these paths.
    runs: u64,
    ids: Vec<Id>,
    id_at: HashMap<LookaheadId, u32>,
    /// Of `ids`; what no entry has any more is not among them, and its place is taken by the next.
    rare_ids: Rarity,
    free: Vec<u32>,
    /// By program and block; [`NONE`] for blocks that are no split points.
    point_at: Vec<Vec<u32>>,
    /// In how many ids a split point is.
    uses: Vec<u32>,
    rare_points: Rarity,
    /// Prefixes of branches that end with an id, by length and hash.
    cuts: BTreeMap<usize, HashMap<u64, u32>>,
}

const NONE: u32 = u32::MAX;

impl Schedule {
    pub(super) fn new(configuration: Configuration, by_points: bool) -> Self {
        Self { configuration, by_points, ..Self::default() }
    }

    /// Whether it has to be told what is ahead of entries.
    pub(super) fn looks_ahead(&self) -> bool {
        self.configuration != Configuration::A
    }

    /// For the targets of which version it knows what is ahead of an entry that took this path.
    pub(super) fn version(&self, path: u64) -> Option<u64> {
        let known = self.known.get(&path).and_then(|known| known.id);
        known.map(|(version, _)| version)
    }

    /// There is an entry that took this path.
    pub(super) fn enter(&mut self, path: u64) {
        self.known.entry(path).or_default();
    }

    /// Tells what is ahead of an entry. `branches` are those of its run.
    pub(super) fn tell(&mut self, path: u64, version: u64, ahead: &Ahead, branches: &[Branch]) {
        let id = self.intern(ahead, branches);
        let entry = self.known.entry(path).or_default();
        if let Some((_, before)) = entry.id.replace((version, id)) {
            self.release(before);
        }
    }

    /// Counts a run (fuzz(λ) and fuzz(p) of the paper). The id of a path is known where an entry took it, or where it begins with
    /// a prefix that ends before the path; of all others each block that is somebody's split point counts.
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

    /// The entry that took this path is picked: how often it is to be mutated before the next is. 0 if not at all.
    pub(super) fn energy(&mut self, path: u64) -> u64 {
        self.enter(path);
        let entries = self.known.len() as u64;
        let known = self.known.entry(path).or_default();
        let id = known.id.map(|(_, id)| id);
        let exponential = exponential(known.selected);
        let energy = match (self.configuration, id) {
            // AFLFast: nothing for what is taken more often than others are on average.
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

    /// Forgets the entries of all other paths.
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

    /// The id of a path that begins with a known prefix; the shortest there is.
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

    /// One more entry has this id.
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
        // The entry itself was the first run.
        self.rare_ids.count(at);
        self.id_at.insert(ahead.id, at);
        if let Some((length, hash)) = cut {
            self.cuts.entry(length).or_default().insert(hash, at);
        }
        at
    }

    /// One entry less has this id.
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

/// The energy of what was picked so often before (paper, §4.2).
fn exponential(selected: u32) -> u64 {
    1_u64.checked_shl(selected).map_or(MOST, |energy| energy.min(MOST))
}

/// Names branches that go on from those of this name.
fn hash_on(hash: u64, branches: &[Branch]) -> u64 {
    branches.iter().fold(hash, |hash, branch| {
        spread(hash.rotate_left(5) ^ Edge::of(branch).number().wrapping_mul(0x9e37_79b9_7f4a_7c15))
    })
}
