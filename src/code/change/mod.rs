//! A [`CodeChange`] is the difference between two builds: the basic blocks of the new one that are new or different, and the
//! old block of each other one. It compares code and not text, and does not see positions, so that code that only moved counts
//! as the same.
//!
//! Blocks are compared by their instructions without positions (`fingerprint.rs`), and told apart by function and neighbours
//! (`align.rs`). Where the compiler or its settings differ, code cannot be compared: then functions are compared by their
//! source text without comments (`functions.rs`).

mod align;
mod fingerprint;
mod functions;
mod pushed_word;
mod sense;

use super::{
    block::BlockId,
    program::ProgramId,
    program::{Program, Stage},
    programs::Programs,
};
use crate::compile::{Build, Contract, ContractId};
use align::Alignment;
use fingerprint::{ProgramFingerprint, immutables};
use functions::Functions;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A renamed contract shares at least this percentage of its blocks with the old one; chosen by hand.
const SIMILAR: usize = 50;

/// The difference between two builds.
#[derive(Debug)]
pub struct CodeChange {
    /// By program of the new build.
    programs: BTreeMap<ProgramId, Blocks>,
    /// Both programs of each contract of the new build.
    ids: Vec<[ProgramId; 2]>,
    /// By contract of the new build.
    contracts: Vec<ContractLineage>,
    /// Contracts of the old build that are not in the new one.
    gone: Vec<ContractId>,
}

/// The origin of a contract of the new build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContractLineage {
    /// The old build does not have it.
    New,
    /// Compiled by the same compiler with the same settings.
    Old {
        /// The old contract.
        contract: ContractId,
        /// The number of old blocks that are gone or changed, of both stages.
        removed: usize,
    },
    /// Compiled by another compiler or with other settings, so that blocks cannot be compared: only the blocks of functions
    /// with another source text count as changed.
    Recompiled {
        /// The old contract.
        contract: ContractId,
    },
}

#[derive(Debug)]
enum Blocks {
    /// The same as in this old program.
    Same(ProgramId),
    /// Compared block by block.
    Compared { old: ProgramId, partners: Vec<Option<u32>>, changed: Vec<BlockId> },
    /// There is no old program.
    Alone { changed: Vec<BlockId> },
}

impl CodeChange {
    /// Compares two builds with their code.
    pub fn between(old: (&Build, &Programs), new: (&Build, &Programs)) -> Self {
        let comparison = BuildComparison { sides: [BuildSide::of(old), BuildSide::of(new)] };
        let origins = comparison.origins();
        let mut change = Self { programs: BTreeMap::new(), ids: Vec::new(), contracts: Vec::new(), gone: Vec::new() };
        let mut texts = None;
        for (contract, origin) in new.0.contract_ids().zip(&origins) {
            let stages = [Stage::Creation, Stage::Runtime].map(|stage| new.1.id(contract, stage));
            change.ids.push(stages);
            let Some(from) = *origin else {
                change.contracts.push(ContractLineage::New);
                change.programs.extend(stages.map(|id| {
                    let changed = new.1.get(id).code_blocks().collect();
                    (id, Blocks::Alone { changed })
                }));
                continue;
            };
            if compiled_alike(old.0.contract(from), new.0.contract(contract)) {
                let mut removed = 0;
                for id in stages {
                    let before = old.1.id(from, new.1.get(id).stage);
                    let (blocks, gone) = comparison.programs(before, id);
                    change.programs.insert(id, blocks);
                    removed += gone;
                }
                change.contracts.push(ContractLineage::Old { contract: from, removed });
            } else {
                let edited = texts.get_or_insert_with(|| comparison.edited_functions());
                let own = [old.0.contract(from).name.as_str(), new.0.contract(contract).name.as_str()];
                for id in stages {
                    let changed = comparison.blocks_of(new.1.get(id), own, edited);
                    change.programs.insert(id, Blocks::Alone { changed });
                }
                change.contracts.push(ContractLineage::Recompiled { contract: from });
            }
        }
        let kept: BTreeSet<ContractId> = origins.into_iter().flatten().collect();
        change.gone = old.0.contract_ids().filter(|id| !kept.contains(id)).collect();
        change
    }

    /// Blocks of the new build that are new or different, in order.
    pub fn changed(&self) -> impl Iterator<Item = (ProgramId, BlockId)> {
        self.programs.keys().flat_map(|id| self.changed_in(*id).iter().map(|block| (*id, *block)))
    }

    /// The blocks of one program that are new or different.
    pub fn changed_in(&self, program: ProgramId) -> &[BlockId] {
        match &self.programs[&program] {
            Blocks::Same(_) => &[],
            Blocks::Compared { changed, .. } | Blocks::Alone { changed } => changed,
        }
    }

    /// The old block that a new one still is, so that facts about it stay true. `None` for a changed block.
    pub fn old(&self, program: ProgramId, block: BlockId) -> Option<(ProgramId, BlockId)> {
        match &self.programs[&program] {
            Blocks::Same(old) => Some((*old, block)),
            Blocks::Compared { old, partners, changed } => {
                let partner = partners.get(block.0 as usize).copied().flatten()?;
                changed.binary_search(&block).is_err().then_some((*old, BlockId(partner)))
            }
            Blocks::Alone { .. } => None,
        }
    }

    /// Where a contract of the new build comes from.
    pub fn origin(&self, contract: ContractId) -> ContractLineage {
        self.contracts[contract.0 as usize]
    }

    /// Whether nothing of a contract changed: no block is new or different, and none is gone.
    pub fn is_unchanged(&self, contract: ContractId) -> bool {
        let [creation, runtime] = self.ids[contract.0 as usize].map(|id| self.changed_in(id).len());
        let removed = match self.origin(contract) {
            ContractLineage::New => return false,
            ContractLineage::Old { removed, .. } => removed,
            ContractLineage::Recompiled { .. } => 0,
        };
        creation + runtime + removed == 0
    }

    /// Contracts of the old build that are not in the new one.
    pub fn gone(&self) -> &[ContractId] {
        &self.gone
    }
}

/// Whether the same compiler made both with the same settings.
fn compiled_alike(a: &Contract, b: &Contract) -> bool {
    a.solc == b.solc && a.evm_version == b.evm_version && a.settings == b.settings
}

struct BuildSide<'a> {
    build: &'a Build,
    programs: &'a Programs,
    functions: Functions<'a>,
}

impl<'a> BuildSide<'a> {
    fn of((build, programs): (&'a Build, &'a Programs)) -> Self {
        Self { build, programs, functions: Functions::of(build) }
    }

    fn shape(&self, id: ProgramId) -> ProgramFingerprint {
        ProgramFingerprint::of(self.build, &self.functions, self.programs, self.programs.get(id))
    }
}

struct BuildComparison<'a> {
    /// Old and new.
    sides: [BuildSide<'a>; 2],
}

/// Digests of the source text of functions, by contract and name.
type Texts<'a> = HashMap<(&'a str, u64), u64>;

impl<'a> BuildComparison<'a> {
    /// The old contract of each new one: the one of the same name in the same source, or else, of those that are gone, the one
    /// that has the most in common with it.
    fn origins(&self) -> Vec<Option<ContractId>> {
        let [old, new] = [&self.sides[0], &self.sides[1]].map(|side| {
            side.build.contract_ids().map(|id| (side.build.qualified_name(id), id)).collect::<BTreeMap<_, _>>()
        });
        let mut origins = vec![None; new.len()];
        for (key, id) in &new {
            origins[id.0 as usize] = old.get(key).copied();
        }
        let gone: Vec<ContractId> = old.iter().filter(|(key, _)| !new.contains_key(*key)).map(|(_, id)| *id).collect();
        let added: Vec<ContractId> = new.iter().filter(|(key, _)| !old.contains_key(*key)).map(|(_, id)| *id).collect();
        if !gone.is_empty() && !added.is_empty() {
            let [gone, added] = [(0, gone), (1, added)].map(|(side, ids): (usize, Vec<ContractId>)| {
                ids.into_iter().map(|id| (id, self.contents(side, id))).collect::<Vec<_>>()
            });
            for (id, old) in renamed(&added, &gone) {
                origins[id.0 as usize] = Some(old);
            }
        }
        origins
    }

    /// The fingerprints of a contract's deployed code, sorted. Only blocks of functions in the source count: compilers add the
    /// same code to every contract.
    fn contents(&self, side: usize, contract: ContractId) -> Vec<u64> {
        let side = &self.sides[side];
        let shape = side.shape(side.programs.id(contract, Stage::Runtime));
        let owned = shape.blocks.iter().filter(|form| form.owner.is_some());
        let mut contents: Vec<u64> = owned.map(|form| form.content).collect();
        contents.sort_unstable();
        contents
    }

    /// Compares two programs. The number is that of old blocks without an equal.
    fn programs(&self, old: ProgramId, new: ProgramId) -> (Blocks, usize) {
        let [before, after] = &self.sides;
        if before.is_like(old, after, new) {
            return (Blocks::Same(old), 0);
        }
        let (was, is) = (before.shape(old), after.shape(new));
        let alignment = Alignment::of(&was, &is);
        let programs = (before.programs.get(old), after.programs.get(new));
        let says_same = |old: u32, new: u32| {
            let (old, new) = ((programs.0, old as usize), (programs.1, new as usize));
            match (before.functions.key(old.0, old.1), after.functions.key(new.0, new.1)) {
                (None, None) => true,
                (Some(was), Some(is)) => {
                    before.functions.phrase(was) == after.functions.phrase(is)
                        || before.functions.says(old.0, old.1) == after.functions.says(new.0, new.1)
                }
                _ => false,
            }
        };
        let changed: Vec<BlockId> = (0..)
            .zip(alignment.changed(&was, &is, says_same))
            .filter_map(|(block, changed)| changed.then_some(BlockId(block)))
            .collect();
        let gone = alignment.new.iter().filter(|partner| partner.is_none()).count();
        (Blocks::Compared { old, partners: alignment.old, changed }, gone)
    }

    /// The source texts of all functions, old and new.
    fn edited_functions(&self) -> [Texts<'a>; 2] {
        [self.sides[0].functions.texts(), self.sides[1].functions.texts()]
    }

    /// The blocks of functions whose source text changed; `own` is the name of the contract, before and after.
    fn blocks_of(&self, program: &Program, own: [&'a str; 2], [old, new]: &[Texts<'a>; 2]) -> Vec<BlockId> {
        let is_edited = |block: usize| {
            let functions = &self.sides[1].functions;
            functions.key(program, block).is_some_and(|key| {
                let (contract, name) = functions.names(key);
                let was = if contract == own[1] { own[0] } else { contract };
                old.get(&(was, name)) != new.get(&(contract, name))
            })
        };
        program.code_blocks().filter(|block| is_edited(block.0 as usize)).collect()
    }
}

impl BuildSide<'_> {
    /// Whether two programs are the same, byte for byte, and so are their links and immutables.
    fn is_like(&self, id: ProgramId, other: &BuildSide<'_>, with: ProgramId) -> bool {
        let (a, b) = (self.programs.get(id), other.programs.get(with));
        let links = |side: &BuildSide<'_>, program: &Program| {
            let contract = side.build.contract(program.contract);
            let bytecode = if program.stage == Stage::Creation { &contract.creation } else { &contract.runtime };
            bytecode.links.iter().map(|link| (link.offset, link.library.clone())).collect::<Vec<_>>()
        };
        a.code == b.code
            && a.code_blocks().len() == b.code_blocks().len()
            && links(self, a) == links(other, b)
            && immutables(self.build, a) == immutables(other.build, b)
    }
}

/// Pairs of an added and a gone contract that have enough in common, and with no other contract as much.
fn renamed(added: &[(ContractId, Vec<u64>)], gone: &[(ContractId, Vec<u64>)]) -> Vec<(ContractId, ContractId)> {
    let exact = |side: &[(ContractId, Vec<u64>)]| {
        let mut exact: HashMap<Vec<u64>, Vec<ContractId>> = HashMap::new();
        for (id, contents) in side.iter().filter(|(_, contents)| !contents.is_empty()) {
            exact.entry(contents.clone()).or_default().push(*id);
        }
        exact
    };
    let (exactly_gone, exactly_added) = (exact(gone), exact(added));
    let best = |contents: &[u64], (among, exact): Candidates<'_>| -> Option<ContractId> {
        // Equal contents have the most in common. If several are equal, none is chosen.
        if let Some(same) = exact.get(contents) {
            return <[ContractId; 1]>::try_from(&same[..]).ok().map(|[one]| one);
        }
        let mut scores: Vec<(usize, ContractId)> =
            among.iter().map(|(id, other)| (similarity(contents, other), *id)).collect();
        scores.sort_unstable();
        let (score, id) = scores.pop()?;
        (score >= SIMILAR && scores.last().is_none_or(|(next, _)| *next < score)).then_some(id)
    };
    let contents_of: HashMap<ContractId, &[u64]> = gone.iter().map(|(id, contents)| (*id, &contents[..])).collect();
    added
        .iter()
        .filter_map(|(id, contents)| {
            let old = best(contents, (gone, &exactly_gone))?;
            (best(contents_of[&old], (added, &exactly_added))? == *id).then_some((*id, old))
        })
        .collect()
}

/// Contracts with their contents, and an index of the same by contents.
type Candidates<'a> = (&'a [(ContractId, Vec<u64>)], &'a HashMap<Vec<u64>, Vec<ContractId>>);

/// The percentage of the longer of two sorted lists that both have in common.
fn similarity(a: &[u64], b: &[u64]) -> usize {
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    common * 100 / longer
}
