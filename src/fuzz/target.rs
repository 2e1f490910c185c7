//! A [`Target`] is a place in the source that fuzzing of one contract is to reach, with the blocks that stand for it;
//! [`Targets`] are all of a session's, and how each of them ended: reached when a run enters any of its blocks,
//! unreachable when that is proved of all of them, open until then. Which inputs lead to them is not their business.

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

/// A block of a program.
pub type At = (ProgramId, BlockId);

/// A place to be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The source.
    pub source: SourceId,
    /// The line, from 1. What has no line of its own stands at that of its function or contract.
    pub line: u32,
    /// Whether it is not the line but an assertion, or a check of the compiler, that fails there.
    pub fails: bool,
    /// What stands for it, in order.
    pub blocks: Vec<At>,
}

/// How a target ended, if it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetState {
    /// Neither reached nor proved to be unreachable.
    Open,
    /// A run entered one of its blocks.
    Reached {
        /// As so many transactions had been run, counted as for findings.
        executions: u64,
        /// So long after the session's start.
        elapsed: Duration,
    },
    /// No call of any program that the session may run reaches it.
    Unreachable,
}

/// What fuzzing of one contract is to reach: places in the source, each with the blocks that stand for it.
#[derive(Debug, Default)]
pub struct Targets {
    list: Vec<Target>,
    /// The targets that a block stands for.
    at: HashMap<At, Vec<u32>>,
    /// Whether somebody named them: those of a first build are told, but nothing is turned away from other code for them.
    named: bool,
    states: Mutex<Vec<TargetState>>,
    open: AtomicUsize,
    /// How often the open ones became others.
    version: AtomicU64,
    /// Whether proofs were begun.
    proved: AtomicBool,
}

impl Targets {
    /// Nothing was built before: failing assertions and panics first, then all that is uncovered.
    pub fn of_first_build(harness: &Harness) -> Self {
        let lines = Lines::of(&harness.build, &harness.programs);
        let mut groups = BTreeMap::new();
        for &id in harness.code() {
            let program = harness.programs.get(id);
            let failing = failing(program);
            for block in program.code_blocks() {
                // What has no line is nothing that somebody wrote.
                if let Some(line) = lines.main_line(id, block) {
                    add(&mut groups, (!failing.contains(&block), line), (id, block));
                }
            }
        }
        Self::new(groups.into_iter().map(|((passes, line), blocks)| (line, !passes, blocks)), false)
    }

    /// These blocks, grouped by their lines; an assertion that fails on a line is another target than the line. With blocks of
    /// a constructor go those that read what it sets.
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

    /// The blocks of these lines of a source.
    pub fn of_lines(harness: &Harness, source: SourceId, lines: RangeInclusive<usize>) -> Self {
        Self::of_places(harness, &[(source, lines)])
    }

    /// The blocks of lines of several sources, and the assertions on them.
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

    /// All of them, in the order of sources and lines; of a first build those that fail first.
    pub fn list(&self) -> &[Target] {
        &self.list
    }

    /// How each of them stands.
    pub fn states(&self) -> Vec<TargetState> {
        self.lock().clone()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many are open.
    pub fn open(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }

    /// Whether the schedule is to turn to them: somebody named them, and one is open at least.
    pub(super) fn guide(&self) -> bool {
        self.named && self.open() > 0
    }

    /// Another number each time that the open ones become others.
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// The blocks of those that are open.
    pub(super) fn open_blocks(&self) -> Vec<At> {
        let states = self.lock();
        let open = self.list.iter().zip(states.iter()).filter(|(_, state)| **state == TargetState::Open);
        open.flat_map(|(target, _)| target.blocks.iter().copied()).collect()
    }

    /// Whether a block stands for an open one.
    pub(super) fn is_open_at(&self, at: At) -> bool {
        let states = self.lock();
        let is_open = |number: &u32| states[*number as usize] == TargetState::Open;
        self.at.get(&at).is_some_and(|targets| targets.iter().any(is_open))
    }

    /// Notes what a run entered. To be asked only of runs that covered something new.
    pub(super) fn reach(&self, observation: &Observation, now: impl Fn() -> (u64, Duration)) {
        if self.open() == 0 {
            return;
        }
        let entered = observation.blocks.iter().filter_map(|visit| self.at.get(&(visit.program, visit.block)));
        let (executions, elapsed) = now();
        self.end(entered.flatten().copied(), TargetState::Reached { executions, elapsed });
    }

    /// Notes what was covered before the session began.
    pub(super) fn reach_covered(&self, coverage: &Coverage) {
        let is_covered = |(program, block): &At| coverage.has_block(*program, *block);
        let covered = self.list.iter().zip(0..).filter(|(target, _)| target.blocks.iter().any(is_covered));
        let state = TargetState::Reached { executions: 0, elapsed: Duration::ZERO };
        self.end(covered.map(|(_, number)| number), state);
    }

    /// True for the first who asks: the proofs are theirs to make.
    pub(super) fn begin_proofs(&self) -> bool {
        !self.proved.swap(true, Ordering::Relaxed)
    }

    /// Closes the targets of which no block can be reached.
    pub(super) fn prove(&self, mut is_reachable: impl FnMut(At) -> bool) {
        let open: Vec<u32> = {
            let states = self.lock();
            (0..self.list.len() as u32).filter(|number| states[*number as usize] == TargetState::Open).collect()
        };
        let unreachable =
            open.into_iter().filter(|number| !self.list[*number as usize].blocks.iter().any(|at| is_reachable(*at)));
        // All of them before the lock is taken: a proof takes its time.
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

/// The blocks in which an assertion or a check of the compiler has failed.
fn failing(program: &Program) -> BTreeSet<BlockId> {
    ending(program, Program::is_panic)
}

/// Those in which an assertion has: checks of the compiler are everywhere, and most of them guard what cannot fail.
fn asserting(program: &Program) -> BTreeSet<BlockId> {
    ending(program, Program::is_failing_assertion)
}

/// The blocks that fail in this way, or with INVALID, which compilers before 0.8 have for all of them. Where one block fails for
/// many, the blocks that only jump to it are meant.
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
