//! An [`Alignment`] pairs the blocks of two programs: first by fingerprint, function and neighbours, then along edges from
//! pairs, and last by fingerprint alone. A block with a partner still counts as changed if it leads elsewhere than its partner.

use super::{
    fingerprint::{BlockFingerprint, BlockReference, ProgramFingerprint, ReferenceKind},
    functions::digest,
};

/// Edges around a block that count as its neighbourhood; chosen by hand.
const MAX_RADIUS: usize = 3;
/// Edges that two blocks are followed along to see whether they do the same; chosen by hand.
const MAX_FOLLOWED: usize = 8;

/// The pairs of blocks of two programs.
pub(super) struct Alignment {
    /// The old block of each new one.
    pub(super) old: Vec<Option<u32>>,
    /// The new block of each old one.
    pub(super) new: Vec<Option<u32>>,
}

struct Aligner<'a> {
    shapes: [&'a ProgramFingerprint; 2],
    /// The blocks that name a block.
    namers: [Vec<Vec<u32>>; 2],
    /// For each radius, the fingerprint of a block with its neighbourhood: exact, and without stack positions.
    views: [[Vec<Vec<u64>>; 2]; 2],
    found: Alignment,
}

impl Alignment {
    pub(super) fn of(old: &ProgramFingerprint, new: &ProgramFingerprint) -> Self {
        let shapes = [old, new];
        let namers = shapes.map(namers);
        let views = [0, 1].map(|side| {
            [
                views(shapes[side], &namers[side], |form| form.content),
                views(shapes[side], &namers[side], |form| form.sense),
            ]
        });
        let found = Self { old: vec![None; new.blocks.len()], new: vec![None; old.blocks.len()] };
        let mut aligner = Aligner { shapes, namers, views, found };
        // The surer, the earlier: what is as frequent on both sides, then the rest; near the edit only nearer
        // surroundings agree.
        for radius in (1..=MAX_RADIUS).rev() {
            aligner.pair(MatchCriteria { radius, owned: true, even: true, loose: false });
        }
        for radius in (0..=MAX_RADIUS).rev() {
            aligner.pair(MatchCriteria { radius, owned: true, even: false, loose: false });
        }
        for radius in (0..=MAX_RADIUS).rev() {
            aligner.pair(MatchCriteria { radius, owned: true, even: false, loose: true });
        }
        // Code that moved to another function.
        for radius in (0..=MAX_RADIUS).rev() {
            aligner.pair(MatchCriteria { radius, owned: false, even: false, loose: false });
        }
        aligner.found
    }

    /// For each new block, whether it is new, does something else, or leads elsewhere than before. Where two blocks differ only
    /// in stack positions, `says_same` decides whether their sources agree.
    pub(super) fn changed(
        &self,
        old: &ProgramFingerprint,
        new: &ProgramFingerprint,
        says_same: impl Fn(u32, u32) -> bool,
    ) -> Vec<bool> {
        let [meant, means] = [old, new].map(meanings);
        let leads_elsewhere = |block: usize, partner: u32| {
            let (form, partner) = (&new.blocks[block], &old.blocks[partner as usize]);
            let exact = form.content == partner.content;
            let pairs = form.names.iter().enumerate().filter_map(|(index, to)| match to.role {
                ReferenceKind::Later => partner.names.get(index).filter(|_| exact).map(|was| (to, was)),
                role => partner.names.iter().find(|was| was.role == role).map(|was| (to, was)),
            });
            pairs.into_iter().any(|(to, was)| {
                let (target, before) = (&new.blocks[to.block as usize], &old.blocks[was.block as usize]);
                let same = means[to.block as usize] == meant[was.block as usize];
                match self.old[to.block as usize] {
                    // Generated functions are not edited: one that does something else is another function.
                    _ if to.role == ReferenceKind::Call && target.owner.is_none() => !same,
                    // Of blocks that do the same, one is as good as another.
                    Some(partner) => partner != was.block && !same,
                    // What is new at the end of an edge is changed itself. Another function is called, though, unless
                    // this one begins differently now.
                    None => {
                        let edited = target.owner == before.owner && self.new[was.block as usize].is_none();
                        to.role == ReferenceKind::Call && !edited
                    }
                }
            })
        };
        let changed = |block: usize| {
            let Some(partner) = self.old[block] else { return true };
            let exact = new.blocks[block].content == old.blocks[partner as usize].content;
            !exact && !says_same(partner, block as u32) || leads_elsewhere(block, partner)
        };
        (0..new.blocks.len()).map(changed).collect()
    }
}

/// A digest of what each block does, followed along edges up to calls of functions in the source.
fn meanings(shape: &ProgramFingerprint) -> Vec<u64> {
    let mut meanings: Vec<u64> = shape.blocks.iter().map(|form| form.sense).collect();
    for _ in 0..MAX_FOLLOWED {
        let meaning = |name: &BlockReference| match shape.blocks[name.block as usize].owner {
            Some(owner) if name.role == ReferenceKind::Call => owner,
            _ => meanings[name.block as usize],
        };
        let behind = |form: &BlockFingerprint| form.names.iter().map(meaning).collect::<Vec<_>>();
        meanings = shape.blocks.iter().map(|form| digest((form.sense, behind(form)))).collect();
    }
    meanings
}

fn namers(shape: &ProgramFingerprint) -> Vec<Vec<u32>> {
    let mut namers = vec![Vec::new(); shape.blocks.len()];
    for (index, form) in shape.blocks.iter().enumerate() {
        for name in &form.names {
            namers[name.block as usize].push(index as u32);
        }
    }
    namers
}

/// Refines fingerprints by those of the neighbours, as in the Weisfeiler-Leman test of graph isomorphism.
fn views(shape: &ProgramFingerprint, namers: &[Vec<u32>], base: fn(&BlockFingerprint) -> u64) -> Vec<Vec<u64>> {
    let mut views = vec![shape.blocks.iter().map(base).collect::<Vec<u64>>()];
    for _ in 0..MAX_RADIUS {
        let last = &views[views.len() - 1];
        let refine = |(index, form): (usize, &BlockFingerprint)| {
            let behind: Vec<u64> = form.names.iter().map(|name| last[name.block as usize]).collect();
            let mut before: Vec<u64> = namers[index].iter().map(|namer| last[*namer as usize]).collect();
            before.sort_unstable();
            digest((last[index], behind, before))
        };
        let next = shape.blocks.iter().enumerate().map(refine).collect();
        views.push(next);
    }
    views
}

/// The criteria by which blocks are paired.
#[derive(Clone, Copy)]
struct MatchCriteria {
    radius: usize,
    /// Only blocks of the same function.
    owned: bool,
    /// Only where both sides have the same number of such blocks.
    even: bool,
    /// Without stack positions.
    loose: bool,
}

impl Aligner<'_> {
    fn is_free(&self, side: usize, block: u32) -> bool {
        [&self.found.new, &self.found.old][side][block as usize].is_none()
    }

    /// Pairs blocks that are alike by these criteria, in their order.
    fn pair(&mut self, view: MatchCriteria) {
        let [old, new] = [0, 1].map(|side| {
            let forms = &self.shapes[side].blocks;
            let mut keys: Vec<(u64, Option<u64>, u32)> = (0..forms.len() as u32)
                .filter(|block| self.is_free(side, *block))
                .map(|block| {
                    let owner = forms[block as usize].owner.filter(|_| view.owned);
                    (self.views[side][usize::from(view.loose)][view.radius][block as usize], owner, block)
                })
                .collect();
            keys.sort_unstable();
            keys
        });
        let key = |entry: &(u64, Option<u64>, u32)| (entry.0, entry.1);
        let mut rest = &new[..];
        for group in old.chunk_by(|a, b| key(a) == key(b)) {
            let wanted = key(&group[0]);
            rest = &rest[rest.partition_point(|entry| key(entry) < wanted)..];
            let (others, after) = rest.split_at(rest.partition_point(|entry| key(entry) == wanted));
            rest = after;
            if view.even && group.len() != others.len() {
                continue;
            }
            for (old, new) in group.iter().zip(others) {
                // One of them may have been found along an edge meanwhile.
                if self.is_free(0, old.2) && self.is_free(1, new.2) {
                    self.join(old.2, new.2, view.loose);
                }
            }
        }
    }

    /// Pairs two blocks, and then their neighbours as far as they agree.
    fn join(&mut self, old: u32, new: u32, loose: bool) {
        let mut todo = vec![(old, new)];
        while let Some((old, new)) = todo.pop() {
            if !self.is_free(0, old) || !self.is_free(1, new) {
                continue;
            }
            self.found.new[old as usize] = Some(new);
            self.found.old[new as usize] = Some(old);
            let form = |side: usize, block: u32| &self.shapes[side].blocks[block as usize];
            let agree = |old: u32, new: u32| {
                let (old, new) = (form(0, old), form(1, new));
                (old.content == new.content || loose && old.sense == new.sense) && old.owner == new.owner
            };
            for (was, to) in form(0, old).names.iter().zip(&form(1, new).names) {
                if self.is_free(0, was.block) && self.is_free(1, to.block) && agree(was.block, to.block) {
                    todo.push((was.block, to.block));
                }
            }
            // Backwards only where there is no choice.
            let before = [(0, old), (1, new)].map(|(side, block)| {
                let namers = self.namers[side][block as usize].iter().copied();
                let mut free = namers.filter(|namer| self.is_free(side, *namer));
                free.next().filter(|_| free.next().is_none())
            });
            if let [Some(was), Some(is)] = before
                && agree(was, is)
            {
                todo.push((was, is));
            }
        }
    }
}
