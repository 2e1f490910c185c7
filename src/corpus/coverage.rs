//! [`Coverage`] is the set of blocks and edges that the sessions of a contract have reached. Workers share it while they
//! run; setting a bit twice changes nothing, so the order of workers does not matter. Code that an earlier build reached,
//! and that is still the same, is included in the shares shown to users. It counts for nothing else: code that no entry of
//! this corpus reaches is new to it.

use super::memory::MemoryAccount;
use crate::{
    code::{BlockId, CodeChange, Program, ProgramId, Programs, Stage},
    compile::ContractId,
    evm::{BlockVisit, Branch, Edge, Observation, spread},
    oracle::arbitrary_write,
};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

/// A part of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Share {
    /// The number reached.
    pub covered: u32,
    /// The number in all.
    #[serde(rename = "total")]
    pub known: u32,
}

/// Hash buckets for pairs of edges; chosen by hand. Of two pairs in one bucket, one may never become an objective.
const CONTEXTS: usize = 1 << 17;

/// One bit set for each program that was reached: a session runs few of the many programs of a build.
#[derive(Debug)]
pub struct Coverage {
    programs: Arc<Programs>,
    reached: Reaches,
    /// Pairs of edges by hash: the first is the last edge in the source before the second.
    turns: Arc<Bits>,
    /// The parts of the contract's deployed code that earlier builds reached.
    earlier: Option<Arc<Reached>>,
    meter: Arc<MemoryAccount>,
}

/// The reached parts of one program. Edges and writes are indexed by position: sparse, but without a table on the hot path.
#[derive(Debug)]
struct Reached {
    blocks: Bits,
    sides: Bits,
    /// SSTOREs that can write anywhere.
    writes: Bits,
}

/// Reached parts by program, in chunks: a session reaches programs of few chunks of a large build.
#[derive(Debug)]
struct Reaches(Vec<OnceLock<Chunk>>);

type Chunk = Box<[OnceLock<Arc<Reached>>]>;

/// Programs in one chunk.
const CHUNK: usize = 64;

impl Reaches {
    /// Nothing reached, for this many programs.
    fn new(count: usize) -> Self {
        Self((0..count.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect())
    }

    fn get(&self, id: ProgramId) -> Option<&Arc<Reached>> {
        let at = id.0 as usize;
        self.0.get(at / CHUNK)?.get()?[at % CHUNK].get()
    }

    fn get_or_init(&self, id: ProgramId, make: impl FnOnce() -> Arc<Reached>) -> &Arc<Reached> {
        let at = id.0 as usize;
        let chunk = self.0[at / CHUNK].get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        chunk[at % CHUNK].get_or_init(make)
    }

    /// The same for as many programs as another build has.
    fn for_programs(&self, count: usize) -> Self {
        let chunks = (0..count.div_ceil(CHUNK)).map(|at| self.0.get(at).cloned().unwrap_or_default());
        Self(chunks.collect())
    }
}

#[derive(Debug)]
struct Bits(Vec<AtomicU64>);

impl Reached {
    fn nothing(program: &Program) -> Self {
        let length = program.code.len();
        Self { blocks: Bits::new(program.blocks.len()), sides: Bits::new(length * 2), writes: Bits::new(length) }
    }

    fn bytes(&self) -> u64 {
        let words = self.blocks.0.len() + self.sides.0.len() + self.writes.0.len();
        (words * size_of::<AtomicU64>()) as u64
    }

    fn has_edge(&self, pc: u32, taken: bool) -> bool {
        self.sides.has(side(pc, taken))
    }
}

impl Bits {
    fn new(count: usize) -> Self {
        Self((0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Sets a bit; true if it was not set.
    fn set(&self, index: usize) -> bool {
        let bit = 1 << (index % 64);
        let word = &self.0[index / 64];
        // Most bits are set already: a plain read is cheaper than a write that other cores have to see.
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64].load(Ordering::Relaxed) & (1 << (index % 64)) != 0
    }
}

impl Coverage {
    /// Coverage of nothing.
    pub fn new(programs: Arc<Programs>, meter: Arc<MemoryAccount>) -> Self {
        let reached = Reaches::new(programs.len());
        meter.charge_fixed(CONTEXTS as u64 / 8);
        Self { programs, reached, turns: Arc::new(Bits::new(CONTEXTS)), earlier: None, meter }
    }

    /// The coverage for the next build, which runs the same code: anything reached on one of them is reached on both.
    pub(crate) fn migrate_to(&self, programs: Arc<Programs>) -> Self {
        let reached = self.reached.for_programs(programs.len());
        let (turns, earlier, meter) = (self.turns.clone(), self.earlier.clone(), self.meter.clone());
        Self { programs, reached, turns, earlier, meter }
    }

    /// Adds the coverage of an earlier build, where the deployed code of the contract is still the same.
    #[must_use]
    pub(crate) fn with_earlier(self, contract: ContractId, before: &Self, change: &CodeChange) -> Self {
        let (id, program) = self.runtime(contract);
        let earlier = Reached::nothing(program);
        for (index, block) in program.blocks.iter().enumerate() {
            let Some((old, was)) = change.old(id, BlockId(index as u32)) else { continue };
            // All of the old contract's deployed code is in one program.
            let known = [before.reached.get(old), before.earlier.as_ref()];
            let last = before.programs.get(old).block(was).last;
            for known in known.into_iter().flatten().filter(|known| known.blocks.has(was.0 as usize)) {
                earlier.blocks.set(index);
                for taken in [false, true].into_iter().filter(|taken| known.has_edge(last, *taken)) {
                    earlier.sides.set(side(block.last, taken));
                }
            }
        }
        self.meter.charge_fixed(earlier.bytes());
        Self { earlier: Some(Arc::new(earlier)), ..self }
    }

    fn of(&self, id: ProgramId) -> &Reached {
        self.reached.get_or_init(id, || {
            let reached = Reached::nothing(self.programs.get(id));
            self.meter.charge_fixed(reached.bytes());
            Arc::new(reached)
        })
    }

    /// Adds the coverage of a transaction; true if any of it is new.
    pub(crate) fn add(&self, observation: &Observation) -> bool {
        let mut is_new = false;
        let mut before = None;
        for branch in &observation.branches {
            let Branch { program, pc, taken, .. } = *branch;
            is_new |= self.of(program).sides.set(side(pc, taken));
            let side = Edge::of(branch);
            if let Some(before) = before {
                self.turns.set(turn(before, side));
            }
            if branch.in_source {
                before = Some(side);
            }
        }
        for &BlockVisit { program, block } in &observation.blocks {
            is_new |= self.of(program).blocks.set(block.0 as usize);
        }
        for (program, pc) in arbitrary_write::proven(observation) {
            is_new |= self.of(program).writes.set(pc as usize);
        }
        is_new
    }

    /// Whether a transaction reached code that none did before.
    pub(crate) fn would_grow(&self, observation: &Observation) -> bool {
        let is_new = |branch: &Branch| !self.has_edge(branch.program, branch.pc, branch.taken);
        observation.branches.iter().any(is_new)
            || observation.blocks.iter().any(|visit| !self.has_block(visit.program, visit.block))
    }

    /// Whether `side` was taken when `before` was the last edge in the source before it.
    pub(crate) fn has_edge_in_context(&self, before: Edge, side: Edge) -> bool {
        self.turns.has(turn(before, side))
    }

    /// Whether the SSTORE at `pc` wrote to the sentinel slot, and so can write to any slot.
    pub fn has_write_anywhere(&self, program: ProgramId, pc: u32) -> bool {
        self.reached.get(program).is_some_and(|reached| reached.writes.has(pc as usize))
    }

    /// Whether a block was entered.
    pub fn has_block(&self, program: ProgramId, block: BlockId) -> bool {
        self.reached.get(program).is_some_and(|reached| reached.blocks.has(block.0 as usize))
    }

    /// Whether an edge of the JUMPI at `pc` was reached.
    pub fn has_edge(&self, program: ProgramId, pc: u32, taken: bool) -> bool {
        self.reached.get(program).is_some_and(|reached| reached.has_edge(pc, taken))
    }

    /// What it has reached, for users.
    pub fn alone(&self) -> ReachedBy<'_> {
        ReachedBy(vec![self])
    }

    /// The reached parts of a program in a session of a contract: on this build, and where it is the contract's deployed code on
    /// earlier ones.
    fn ever(&self, contract: ContractId, program: ProgramId) -> [Option<&Reached>; 2] {
        let earlier = self.earlier.as_ref().filter(|_| program == self.programs.id(contract, Stage::Runtime));
        [self.reached.get(program), earlier].map(|known| known.map(|reached| &**reached))
    }

    fn runtime(&self, contract: ContractId) -> (ProgramId, &Arc<Program>) {
        let id = self.programs.id(contract, Stage::Runtime);
        (id, self.programs.get(id))
    }
}

/// What sessions of one contract have reached together, each in its own world: on this build, and on earlier ones as far as the code is
/// still the same.
#[derive(Debug)]
pub struct ReachedBy<'a>(Vec<&'a Coverage>);

impl<'a> ReachedBy<'a> {
    /// By one session, and by others. Those of another build are left out.
    #[must_use]
    pub fn with(mut self, others: impl Iterator<Item = &'a Coverage>) -> Self {
        let programs = self.0[0].programs.clone();
        self.0.extend(others.filter(|coverage| Arc::ptr_eq(&coverage.programs, &programs)));
        self
    }

    /// Edges of the branches that the user wrote, in the runtime code of a contract.
    pub fn branches(&self, contract: ContractId) -> Share {
        let (id, program) = self.0[0].runtime(contract);
        let written = program.conditions.branches.keys().copied().filter(|pc| program.is_in_source(*pc));
        self.edges(contract, id, written)
    }

    /// Edges of these branches of a program, the byte offsets of JUMPIs, in sessions of a contract.
    pub fn edges(&self, contract: ContractId, program: ProgramId, branches: impl Iterator<Item = u32>) -> Share {
        let mut share = Share::default();
        let reached: Vec<&Reached> = self.ever(contract, program).collect();
        for pc in branches {
            for taken in [false, true] {
                share.known += 1;
                share.covered += u32::from(reached.iter().any(|reached| reached.has_edge(pc, taken)));
            }
        }
        share
    }

    /// Whether a block was entered in a session of a contract.
    pub fn has_block(&self, contract: ContractId, program: ProgramId, block: BlockId) -> bool {
        self.ever(contract, program).any(|reached| reached.blocks.has(block.0 as usize))
    }

    /// Instructions of the runtime code of a contract.
    pub fn instructions(&self, contract: ContractId) -> Share {
        let (id, program) = self.0[0].runtime(contract);
        let mapped = program.mapped_instructions() as u32;
        let mut share = Share { covered: 0, known: mapped };
        let reached: Vec<&Reached> = self.ever(contract, id).collect();
        for (index, block) in program.blocks.iter().enumerate() {
            if reached.iter().any(|reached| reached.blocks.has(index)) {
                share.covered += block.instructions.end.min(mapped).saturating_sub(block.instructions.start);
            }
        }
        share
    }

    fn ever(&self, contract: ContractId, program: ProgramId) -> impl Iterator<Item = &'a Reached> {
        self.0.iter().flat_map(move |coverage| coverage.ever(contract, program)).flatten()
    }
}

/// The bit index of an edge.
fn side(pc: u32, taken: bool) -> usize {
    pc as usize * 2 + usize::from(taken)
}

/// The bit index of a pair of edges.
fn turn(before: Edge, side: Edge) -> usize {
    (spread(before.number().wrapping_mul(3) ^ side.number()) as usize) % CONTEXTS
}
