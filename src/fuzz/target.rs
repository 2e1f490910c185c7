//! A [`Target`] is a place in the source that fuzzing of one contract is to reach, with its blocks; [`Targets`] are all targets
//! of a session with their states. A target is reached when a run enters any of its blocks, unreachable when that is proved of
//! all of them, and open until then. This module does not know which inputs lead to a target.

mod migrate;
mod readers;

use crate::corpus::Coverage;
use crate::{
    code::{Block, BlockId, Exit, Line, Lines, Program, ProgramId},
    compile::SourceId,
    evm::Observation,
    harness::Harness,
};
use revm::bytecode::opcode;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::RangeInclusive,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Targets of a first build after which those of further companions are left out; chosen by hand.
const MAX_FIRST_TARGETS: usize = 1_024;

/// A block of a program.
pub type At = (ProgramId, BlockId);

/// A place to be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The source.
    pub source: SourceId,
    /// The line, from 1. Blocks without a line have that of their function or contract.
    pub line: u32,
    /// Whether the target is not the line itself but the failure of an assertion or of a check of the compiler on it.
    pub fails: bool,
    /// The blocks of the target, in order.
    pub blocks: Vec<At>,
}

/// The state of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetState {
    /// Neither reached nor proved to be unreachable.
    Open,
    /// A run entered one of its blocks.
    Reached {
        /// The number of transactions run by then, counted as for findings.
        executions: u64,
        /// The time since the session's start.
        elapsed: Duration,
    },
    /// No call of any program that the session may run reaches it.
    Unreachable,
}

impl Target {
    /// Where it is, and whether it is about a failure there.
    pub(super) fn place(&self) -> (SourceId, u32, bool) {
        (self.source, self.line, self.fails)
    }
}

impl TargetState {
    /// The state of a target that is looked for in two worlds.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (reached @ Self::Reached { .. }, _) | (_, reached @ Self::Reached { .. }) => reached,
            (Self::Unreachable, Self::Unreachable) => Self::Unreachable,
            _ => Self::Open,
        }
    }
}

/// The targets of one contract and their states.
#[derive(Debug, Default)]
pub struct Targets {
    list: Vec<Target>,
    /// The targets of each block.
    at: HashMap<At, Vec<u32>>,
    /// Whether they guide the fuzzers, as targets of the user or of a change do. Those of a first build are only reported.
    named: bool,
    states: Mutex<Vec<TargetState>>,
    open: AtomicUsize,
    /// Incremented whenever the set of open targets changes.
    version: AtomicU64,
    /// Whether the proofs of unreachability were started.
    proved: AtomicBool,
}

impl Targets {
    /// The targets of a first build: failing assertions and panics first, then all lines. In a large world, not those of all
    /// companions, whose own sessions aim at them.
    pub fn of_first_build(harness: &Harness) -> Self {
        let lines = Lines::of(&harness.build, &harness.programs);
        let mut groups = BTreeMap::new();
        let is_own = |id: &&ProgramId| harness.programs.get(**id).contract == harness.contract;
        let (own, others): (Vec<_>, Vec<_>) = harness.code().iter().partition(is_own);
        for &id in own.into_iter().chain(others) {
            if groups.len() >= MAX_FIRST_TARGETS {
                break;
            }
            let program = harness.programs.get(id);
            let failing = failing(program);
            for block in program.code_blocks() {
                // A block without a line is not in the source.
                if let Some(line) = lines.main_line(id, block) {
                    add(&mut groups, (!failing.contains(&block), line), (id, block));
                }
            }
        }
        Self::new(groups.into_iter().map(|((passes, line), blocks)| (line, !passes, blocks)), false)
    }

    /// Targets for these blocks, grouped by line; an assertion that fails on a line is a separate target. For blocks of a
    /// constructor, the blocks that read what it sets are added.
    pub fn of_blocks(harness: &Harness, blocks: impl IntoIterator<Item = (ProgramId, BlockId)>) -> Self {
        let lines = Lines::of(&harness.build, &harness.programs);
        let code = harness.code();
        let mut blocks: BTreeSet<At> = blocks.into_iter().filter(|(program, _)| code.contains(program)).collect();
        blocks.extend(readers::of(harness, &blocks));
        let mut asserts: BTreeMap<ProgramId, BTreeSet<BlockId>> = BTreeMap::new();
        let mut groups = BTreeMap::new();
        for (id, block) in blocks {
            let line = lines.main_line(id, block).unwrap_or_else(|| lines.outer_line(id, block));
            let asserting = asserts.entry(id).or_insert_with(|| asserting(harness.programs.get(id)));
            add(&mut groups, (line, asserting.contains(&block)), (id, block));
        }
        Self::new(groups.into_iter().map(|((line, fails), blocks)| (line, fails, blocks)), true)
    }

    /// Targets for these lines of a source.
    pub fn of_lines(harness: &Harness, source: SourceId, lines: RangeInclusive<usize>) -> Self {
        Self::of_places(harness, &[(source, lines)])
    }

    /// Targets for lines of several sources, and for the assertions on them.
    pub fn of_places(harness: &Harness, wanted: &[(SourceId, RangeInclusive<usize>)]) -> Self {
        let lines = Lines::of(&harness.build, &harness.programs);
        let is_wanted =
            |(source, line): Line| wanted.iter().any(|(of, lines)| *of == source && lines.contains(&(line as usize)));
        let mut groups = BTreeMap::new();
        for &id in harness.code() {
            let asserting = asserting(harness.programs.get(id));
            for (line, blocks) in lines.blocks(id).into_iter().filter(|(line, _)| is_wanted(*line)) {
                for block in blocks {
                    add(&mut groups, (line, asserting.contains(&block)), (id, block));
                }
            }
        }
        Self::new(groups.into_iter().map(|((line, fails), blocks)| (line, fails, blocks)), true)
    }

    fn new(groups: impl Iterator<Item = (Line, bool, Vec<At>)>, named: bool) -> Self {
        let list: Vec<Target> = groups
            .map(|((source, line), fails, mut blocks)| {
                blocks.sort_unstable();
                blocks.dedup();
                Target { source, line, fails, blocks }
            })
            .collect();
        let mut at: HashMap<At, Vec<u32>> = HashMap::new();
        for (target, number) in list.iter().zip(0..) {
            target.blocks.iter().for_each(|block| at.entry(*block).or_default().push(number));
        }
        Self {
            states: Mutex::new(vec![TargetState::Open; list.len()]),
            open: AtomicUsize::new(list.len()),
            list,
            at,
            named,
            ..Self::default()
        }
    }

    /// All targets, ordered by source and line; those of a first build with failures first.
    pub fn list(&self) -> &[Target] {
        &self.list
    }

    /// The state of each target, in the same order.
    pub fn states(&self) -> Vec<TargetState> {
        self.lock().clone()
    }

    /// Whether there are no targets.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The number of open targets.
    pub fn open(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }

    /// Whether the schedule is used: the targets guide the fuzzers, and at least one of them is open.
    pub(super) fn guide(&self) -> bool {
        self.named && self.open() > 0
    }

    /// A number that is incremented whenever the set of open targets changes.
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// The blocks of the open targets.
    pub(super) fn open_blocks(&self) -> Vec<At> {
        let states = self.lock();
        let open = self.list.iter().zip(states.iter()).filter(|(_, state)| **state == TargetState::Open);
        open.flat_map(|(target, _)| target.blocks.iter().copied()).collect()
    }

    /// Whether a block belongs to an open target.
    pub(super) fn is_open_at(&self, at: At) -> bool {
        let states = self.lock();
        let is_open = |number: &u32| states[*number as usize] == TargetState::Open;
        self.at.get(&at).is_some_and(|targets| targets.iter().any(is_open))
    }

    /// Marks the targets that a run entered as reached. Only needed for runs that covered something new.
    pub(super) fn reach(&self, observation: &Observation, now: impl Fn() -> (u64, Duration)) {
        if self.open() == 0 {
            return;
        }
        let entered = observation.blocks.iter().filter_map(|visit| self.at.get(&(visit.program, visit.block)));
        let (executions, elapsed) = now();
        self.end(entered.flatten().copied(), TargetState::Reached { executions, elapsed });
    }

    /// Marks the targets that are covered before the session starts as reached.
    pub(super) fn reach_covered(&self, coverage: &Coverage) {
        let is_covered = |(program, block): &At| coverage.has_block(*program, *block);
        let covered = self.list.iter().zip(0..).filter(|(target, _)| target.blocks.iter().any(is_covered));
        let state = TargetState::Reached { executions: 0, elapsed: Duration::ZERO };
        self.end(covered.map(|(_, number)| number), state);
    }

    /// True for the first caller, which then makes the proofs.
    pub(super) fn begin_proofs(&self) -> bool {
        !self.proved.swap(true, Ordering::Relaxed)
    }

    /// Marks the targets without a reachable block as unreachable.
    pub(super) fn prove(&self, mut is_reachable: impl FnMut(At) -> bool) {
        let open: Vec<u32> = {
            let states = self.lock();
            (0..self.list.len() as u32).filter(|number| states[*number as usize] == TargetState::Open).collect()
        };
        let unreachable =
            open.into_iter().filter(|number| !self.list[*number as usize].blocks.iter().any(|at| is_reachable(*at)));
        // All proofs are made before the lock is taken, since they are slow.
        let unreachable: Vec<u32> = unreachable.collect();
        self.end(unreachable.into_iter(), TargetState::Unreachable);
    }

    fn end(&self, targets: impl Iterator<Item = u32>, state: TargetState) {
        let mut states = self.lock();
        let mut ended = 0;
        for number in targets {
            let known = &mut states[number as usize];
            if *known == TargetState::Open {
                *known = state;
                ended += 1;
            }
        }
        if ended > 0 {
            self.open.fetch_sub(ended, Ordering::Relaxed);
            self.version.fetch_add(1, Ordering::Release);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<TargetState>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add<K: Ord>(groups: &mut BTreeMap<K, Vec<At>>, key: K, at: At) {
    groups.entry(key).or_default().push(at);
}

/// The blocks that run when an assertion or a check of the compiler fails.
fn failing(program: &Program) -> BTreeSet<BlockId> {
    ending(program, Program::is_panic)
}

/// The blocks that run when an assertion fails. Checks of the compiler are left out: they are everywhere, and most cannot fail.
pub(super) fn asserting(program: &Program) -> BTreeSet<BlockId> {
    ending(program, Program::is_failing_assertion)
}

/// The blocks that fail in this way, or with INVALID, which compilers before 0.8 use for all failures. If several blocks share
/// one failing block, the blocks that only jump to it are returned instead.
fn ending(program: &Program, fails: impl Fn(&Program, &Block) -> bool) -> BTreeSet<BlockId> {
    let ends = |id: BlockId| {
        let block = program.block(id);
        let last = program.instructions_of(block).last();
        fails(program, block) || last.is_some_and(|last| last.opcode == opcode::INVALID)
    };
    let mut all: BTreeSet<BlockId> = program.block_ids().filter(|id| ends(*id)).collect();
    let jumps = |id: BlockId| {
        let block = program.block(id);
        (block.exit == Exit::Jump).then(|| program.jumps_to(block)).flatten()
    };
    let callers: Vec<(BlockId, BlockId)> =
        program.block_ids().filter_map(|id| jumps(id).filter(|to| all.contains(to)).map(|to| (id, to))).collect();
    callers.iter().for_each(|(_, shared)| {
        all.remove(shared);
    });
    all.extend(callers.iter().map(|(caller, _)| *caller));
    all
}
