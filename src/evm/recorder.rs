//! The [`Recorder`] collects an [`Observation`] while instruments call it. It is part of the EVM's context and reuses its
//! buffers from run to run. Of programs it knows only small tables, which are made once for each.

use super::{
    block_history::{BlockEntry, BlockHistory},
    call_tree::{CallKind, CallNode, StorageAccess},
    decide::{ConditionTable, ConditionTracer, DecidingComparison, SeenOperands},
    instruments::Instruments,
    observation::{
        BlockVisit, Branch, Comparison, Failure, FailureKind, MAX_BRANCHES, MAX_COMPARISONS, MAX_TRACE, Observation,
        Preimage, SlotAccess, SlotWrite, TraceStep, Unpaid,
    },
    placed_write::PlacedWrite,
    wrap::Wrap,
};
use crate::{
    code::{
        BlockId, Exit, HashedSlot, Program, ProgramArithmetic, ProgramId, Programs, SlotWatch, Stage, WordOrigin,
        derivation_of,
    },
    compile::ContractId,
};
use alloy_primitives::{Address, B256, Bytes, Log, U256, map::HashMap};
use revm::bytecode::opcode;
use std::sync::Arc;

/// Reads, writes and hashes that are kept of one run, each; chosen by hand.
const MAX_SLOT_ACCESSES: usize = 4096;
/// Failures that are kept of one run; chosen by hand. Each has a block history and is judged by the oracles.
const MAX_FAILURES: usize = 256;
/// Sites for which the operand buffer keeps its capacity between runs; chosen by hand. A deep recursion allocates more, which
/// is freed afterwards.
const MAX_SEEN: usize = 1 << 16;
/// Frames whose block histories keep their allocation between runs; chosen by hand.
const MAX_HISTORIES: usize = 16;
/// Code hashes whose programs are remembered; chosen by hand. Init code has another hash for each word of its arguments, so
/// that without a bound a long run would fill the memory.
const MAX_KNOWN: usize = 1024;
/// Two failures of the same kind at the same instruction are one if this many blocks at the end of their histories are equal:
/// all that the place of a failure is looked for in.
const DISTINGUISHING_BLOCKS: usize = 13;
/// Lines that a run says to the console and that are kept; chosen by hand.
const MAX_LINES: usize = 256;
/// Bytes of such a line at most; chosen by hand.
const MAX_LINE: usize = 1_024;
/// Accounts without code that are kept of one run; chosen by hand: one of each person, and some that nobody has.
const MAX_CODELESS: usize = 8;
/// No index.
const NONE: u32 = u32::MAX;

/// The facts about a program that instruments look up, by byte offset.
#[derive(Debug)]
struct Table {
    /// The site of an instruction that compares for a condition, or [`NONE`].
    site: Vec<u32>,
    /// The index into `branches` of a JUMPI, or [`NONE`].
    branch: Vec<u32>,
    branches: Vec<BranchSite>,
    conditions: ConditionTable,
    /// The block that starts at an offset, or [`NONE`].
    block: Vec<u32>,
    /// Whether a REVERT belongs to a panic of the program's own.
    panic: Vec<bool>,
    sites: u32,
}

/// A JUMPI.
#[derive(Debug)]
struct BranchSite {
    /// The origin of the word that it tests.
    tested: WordOrigin,
    /// Whether the block behind it starts without a JUMPDEST: then no instrument sees that the block is entered, and the JUMPI
    /// has to note it.
    falls_through: bool,
    /// Whether the source contains it.
    in_source: bool,
}

impl Table {
    fn new(program: &Program) -> Self {
        let size = program.code.len();
        let mut site = vec![NONE; size];
        for (index, pc) in program.sites.iter().enumerate() {
            site[*pc as usize] = index as u32;
        }
        let mut table = Self {
            conditions: ConditionTable::new(program, |pc| Some(site[pc as usize]).filter(|site| *site != NONE)),
            site,
            branch: vec![NONE; size],
            branches: Vec::new(),
            block: vec![NONE; size],
            panic: vec![false; size],
            sites: program.sites.len() as u32,
        };
        for (pc, tested) in &program.conditions.branches {
            table.branch[*pc as usize] = table.branches.len() as u32;
            let falls_through = program.code.get(*pc as usize + 1) != Some(&opcode::JUMPDEST);
            table.branches.push(BranchSite { tested: *tested, falls_through, in_source: program.is_in_source(*pc) });
        }
        for (index, block) in program.blocks.iter().enumerate() {
            table.block[block.start as usize] = index as u32;
            if block.exit == Exit::Revert && program.is_panic(block) {
                table.panic[block.last as usize] = true;
            }
        }
        table
    }
}

/// A program, with the number of the run in which each of its parts was last seen.
#[derive(Debug)]
struct Stamped {
    table: Arc<Table>,
    /// For each block.
    visited: Vec<u32>,
    /// For both sides of each branch.
    crossed: Vec<u32>,
}

/// One frame of the running transaction.
#[derive(Debug, Clone)]
struct FrameRecord {
    program: u32,
    depth: u32,
    /// Where this frame's sites start in `seen`.
    base: usize,
    /// How many failures there were when it started: events and writes of a reverted frame do not count.
    failures: usize,
    kind: CallKind,
    /// Its index in the call tree, if it is kept there.
    call: Option<usize>,
    /// The CALL or STATICCALL that it made last, as far as those that fail are asked for.
    called: Option<MadeCall>,
    /// Whether a call that it made failed.
    is_failed_by_callee: bool,
}

/// A CALL or STATICCALL, as the frame that makes it sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct MadeCall {
    /// Where.
    pub(super) pc: usize,
    /// The function of the frame.
    pub(super) selector: Option<[u8; 4]>,
    /// Who calls.
    pub(super) account: Address,
    /// Who is called.
    pub(super) to: Address,
    /// Whether ether comes with the call.
    pub(super) pays: bool,
}

/// How a frame ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameEnd {
    /// It came to its end.
    Success,
    /// REVERT.
    Revert,
    /// For any other reason, such as INVALID, or a lack of gas.
    Halt,
}

/// Collects an observation.
#[derive(Debug)]
pub struct Recorder {
    /// The record since the last [`Recorder::begin`].
    pub(super) observation: Observation,
    /// Whether this is a detailed run, which keeps hashes, the trace, and what any instrument keeps.
    pub(super) detailed: bool,
    /// The instruments that were asked for.
    instruments: Instruments,
    programs: Arc<Programs>,
    /// The programs that ran, in the order of their first run. Of a large build few do.
    seen_programs: Vec<Stamped>,
    /// The index of a program in `seen_programs`.
    places: HashMap<u32, u32>,
    known: HashMap<B256, Vec<ProgramId>>,
    /// The contract to choose where several have the same code.
    pub(super) preferred: Option<ContractId>,
    /// The account of a person that has code in this transaction.
    pub(super) scripted: Option<Address>,
    frames: Vec<FrameRecord>,
    /// The program of the running frame, or [`NONE`], and its index in `seen_programs`.
    program: u32,
    place: usize,
    table: Option<Arc<Table>>,
    base: usize,
    clock: u64,
    seen: Vec<SeenOperands>,
    epoch: u32,
    /// One history for each frame, reused from run to run.
    histories: Vec<BlockHistory>,
    /// The instructions of the running frame's program that compute what nobody checks, as far as they are asked for.
    arithmetic: Option<Arc<ProgramArithmetic>>,
    /// The slots that two in the running frame's program have, as far as they are asked for.
    watch: Option<Arc<SlotWatch>>,
    /// The hashes that such programs computed, or all if writes in the place of others are looked at.
    hashes: Vec<HashedSlot>,
    /// The instruction whose results are as near to the exact ones as their type has room for.
    pub(super) saturates: Option<(ProgramId, u32)>,
}

impl Recorder {
    pub(super) fn new(programs: Arc<Programs>) -> Self {
        Self {
            observation: Observation::default(),
            detailed: false,
            instruments: Instruments::default(),
            programs,
            seen_programs: Vec::new(),
            places: HashMap::default(),
            known: HashMap::default(),
            preferred: None,
            scripted: None,
            frames: Vec::new(),
            program: NONE,
            place: 0,
            table: None,
            base: 0,
            clock: 0,
            seen: Vec::new(),
            epoch: 0,
            histories: Vec::new(),
            arithmetic: None,
            watch: None,
            hashes: Vec::new(),
            saturates: None,
        }
    }

    /// Switches on these instruments, and off all others.
    pub(super) fn set_instruments(&mut self, instruments: &Instruments) {
        self.instruments.clone_from(instruments);
    }

    /// Forgets the last transaction.
    pub(super) fn begin(&mut self) {
        self.observation.clear();
        self.frames.clear();
        (self.program, self.table, self.base) = (NONE, None, 0);
        (self.arithmetic, self.watch) = (None, None);
        self.hashes.clear();
        self.histories.truncate(MAX_HISTORIES);
        if self.seen.len() > MAX_SEEN {
            self.seen.truncate(MAX_SEEN);
            self.seen.shrink_to_fit();
        }
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            // The run counter wraps after 2^32 runs, and old stamps would look new.
            let stamps = self.seen_programs.iter_mut().flat_map(|seen| [&mut seen.visited, &mut seen.crossed]);
            stamps.for_each(|stamps| stamps.fill(0));
            self.epoch = 1;
        }
    }

    /// The program of the code with this hash. The code is compared once for each hash, as long as the hash is remembered.
    fn recognise(&mut self, hash: B256, code: &[u8], stage: Stage) -> u32 {
        let programs = &self.programs;
        if self.known.len() >= MAX_KNOWN && !self.known.contains_key(&hash) {
            // Programs that still run are recognised again at once.
            self.known.clear();
        }
        let candidates = self.known.entry(hash).or_insert_with(|| programs.recognise(code, stage));
        let preferred = candidates.iter().find(|id| Some(programs.get(**id).contract) == self.preferred);
        preferred.or(candidates.first()).map_or(NONE, |id| id.0)
    }

    /// Whether the code with this hash is of a contract of the build.
    pub(super) fn knows(&mut self, hash: B256, code: &[u8]) -> bool {
        self.recognise(hash, code, Stage::Runtime) != NONE
    }

    /// Whether the call tree is kept: also where an account reacts, since what happens then stands in it.
    pub(super) fn keeps_calls(&self) -> bool {
        let Instruments { calls, storage, logs, .. } = self.instruments;
        calls || storage || logs || self.detailed || self.scripted.is_some()
    }

    /// Whether logs are kept.
    pub(super) fn keeps_logs(&self) -> bool {
        self.instruments.logs || self.detailed
    }

    /// Adds a call to the tree, below the running frame.
    pub(super) fn open_call(&mut self, call: CallNode) -> Option<usize> {
        let parent = self.frames.last().and_then(|frame| frame.call);
        self.observation.calls.open(CallNode { parent, ..call })
    }

    /// A frame begins. `call` is where it is in the call tree, if it is kept there.
    pub(super) fn enter(&mut self, kind: CallKind, depth: u32, hash: B256, code: &[u8], call: Option<usize>) {
        let stage = if kind == CallKind::Create { Stage::Creation } else { Stage::Runtime };
        let program = self.recognise(hash, code, stage);
        let outer = self.frames.last().map(|frame| (frame.base, frame.program));
        let base = outer.map_or(0, |(base, program)| base + self.sites_of(program));
        let failures = self.observation.failures.len();
        self.frames.push(FrameRecord {
            program,
            depth,
            base,
            failures,
            kind,
            call,
            called: None,
            is_failed_by_callee: false,
        });
        match self.histories.get_mut(self.frames.len() - 1) {
            Some(history) => history.clear(),
            None => self.histories.push(BlockHistory::new()),
        }
        self.switch();
        self.trace(TraceStep::Enter((program != NONE).then_some(ProgramId(program))));
        if program != NONE {
            let needed = base + self.sites_of(program);
            if self.seen.len() < needed {
                self.seen.resize(needed, SeenOperands::default());
            }
            // A JUMPDEST notes by itself that its block is entered.
            if code.first() != Some(&opcode::JUMPDEST) {
                self.arrive(0);
            }
        }
    }

    /// The running frame ends, with what it returns or reverts with.
    pub(super) fn leave(&mut self, end: FrameEnd, output: &Bytes) {
        let success = end == FrameEnd::Success;
        let Some(frame) = self.frames.pop() else { return };
        self.trace(TraceStep::Leave(success));
        if !success {
            let mut index = 0;
            self.observation.failures.retain(|failure| {
                index += 1;
                index <= frame.failures || !failure.kind.has_to_last()
            });
        }
        if let Some(call) = frame.call {
            self.observation.calls.close(call, success, output);
        }
        self.switch();
        if !success {
            self.is_failed_by(&frame, end, output);
        }
    }

    /// A call that the running frame made failed.
    fn is_failed_by(&mut self, callee: &FrameRecord, end: FrameEnd, output: &Bytes) {
        let Some(caller) = self.frames.last_mut() else { return };
        caller.is_failed_by_callee = true;
        let Some(MadeCall { pc, selector, account, to, pays }) = caller.called else { return };
        if callee.kind == CallKind::Call && self.instruments.failed_calls {
            self.fail(FailureKind::FailedCall { account, to, pays }, pc, selector);
        }
        let is_panic = output.starts_with(&crate::code::PANIC_SELECTOR.to_be_bytes());
        if self.instruments.refusals
            && end == FrameEnd::Revert
            && matches!(callee.kind, CallKind::Call | CallKind::Static)
            && callee.program != NONE
            && !callee.is_failed_by_callee
            && !is_panic
            && account != to
        {
            self.fail(FailureKind::Refused { account, by: to }, pc, selector);
        }
    }

    fn sites_of(&mut self, program: u32) -> usize {
        if program == NONE {
            return 0;
        }
        let place = self.place_of(program);
        self.seen_programs[place].table.sites as usize
    }

    /// The index of a program in `seen_programs`, to which it is added if it is new.
    fn place_of(&mut self, program: u32) -> usize {
        let next = self.seen_programs.len() as u32;
        let place = *self.places.entry(program).or_insert(next);
        if place == next {
            let code = self.programs.get(ProgramId(program));
            self.seen_programs.push(Stamped {
                table: Arc::new(Table::new(code)),
                visited: vec![0; code.blocks.len()],
                crossed: vec![0; code.conditions.branches.len() * 2],
            });
        }
        place as usize
    }

    /// Makes the innermost frame the running one.
    fn switch(&mut self) {
        let (program, base) = self.frames.last().map_or((NONE, 0), |frame| (frame.program, frame.base));
        self.place = if program == NONE { 0 } else { self.place_of(program) };
        self.table = (program != NONE).then(|| self.seen_programs[self.place].table.clone());
        (self.program, self.base) = (program, base);
        let arithmetic = self.instruments.arithmetic.as_ref();
        self.arithmetic = arithmetic.and_then(|sites| sites.of_program(ProgramId(program))).cloned();
        let contests = self.instruments.contests.as_ref();
        self.watch = contests.and_then(|contests| contests.of_program(ProgramId(program))).cloned();
    }

    /// Whether a write of the running frame is one that says by itself where it writes.
    #[inline]
    pub(super) fn looks_at_write(&self, pc: usize) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.looks_at(pc))
    }

    /// A write of the running frame with what is known of its slot, if it changes one that two have.
    pub(super) fn placed(&self, write: PlacedWrite) -> Option<PlacedWrite> {
        let watch = self.watch.as_ref().filter(|_| write.before != write.after)?;
        if watch.is_contested(write.slot, write.is_transient) {
            return Some(write);
        }
        let (derivation, by_hand) = watch.derive(write.slot, &self.hashes).filter(|_| !write.is_transient)?;
        Some(PlacedWrite { derivation: Some(derivation), by_hand, ..write })
    }

    /// Whether the hashes that the running frame computes are kept.
    #[inline]
    pub(super) fn keeps_hashes(&self) -> bool {
        self.detailed || self.watch.is_some() || !self.instruments.delegated_writes.is_empty()
    }

    /// Whether results are looked at in the running frame.
    #[inline]
    pub(super) fn looks_at_results(&self) -> bool {
        self.arithmetic.is_some()
    }

    /// What the instruction at `pc` computes from these words, if it does not fit its type.
    pub(super) fn wraps(&self, pc: usize, opcode: u8, top: U256, below: U256) -> Option<Wrap> {
        Wrap::of(self.arithmetic.as_ref()?.site(pc)?, opcode, top, below)
    }

    /// Whether the result of the instruction at `pc` is to be as near to the exact one as its type has room for.
    pub(super) fn is_saturated(&self, pc: usize) -> bool {
        self.saturates == Some((ProgramId(self.program), pc as u32))
    }

    /// A comparison looked at two words.
    #[inline]
    pub(super) fn compare(&mut self, pc: usize, left: U256, right: U256) {
        let Some(table) = &self.table else { return };
        let site = table.site[pc];
        if site != NONE {
            self.clock += 1;
            self.seen[self.base + site as usize] = SeenOperands { clock: self.clock, left, right };
        }
        if self.detailed {
            let kept = &mut self.observation.comparisons;
            if kept.len() >= MAX_COMPARISONS {
                kept.pop_front();
            }
            kept.push_back(Comparison { program: ProgramId(self.program), pc: pc as u32, left, right });
        }
    }

    /// A JUMPI looked at `condition`.
    #[inline]
    pub(super) fn branch(&mut self, pc: usize, condition: U256) {
        let Some(table) = &self.table else { return };
        let index = table.branch[pc];
        if index == NONE {
            return;
        }
        let site = &table.branches[index as usize];
        let taken = !condition.is_zero();
        let edge = spread((u64::from(self.program) << 33) | ((pc as u64) << 1) | u64::from(taken));
        self.observation.path = self.observation.path.rotate_left(5) ^ edge;
        self.observation.path = self.observation.path.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.observation.length += 1;
        let stamp = &mut self.seen_programs[self.place].crossed[index as usize * 2 + usize::from(taken)];
        if *stamp != self.epoch {
            *stamp = self.epoch;
            self.observation.edges ^= edge;
        }
        if self.observation.branches.len() < MAX_BRANCHES {
            let history = &self.histories[self.frames.len() - 1];
            let mut search = ConditionTracer::new(&table.conditions, &self.seen[self.base..], history);
            let DecidingComparison { operator, negated, left, right, .. } = search.decide(site.tested, condition);
            let (program, pc, in_source) = (ProgramId(self.program), pc as u32, site.in_source);
            self.observation.branches.push(Branch { program, pc, taken, operator, negated, left, right, in_source });
        }
        if !taken && site.falls_through {
            self.arrive(pc + 1);
        }
    }

    /// Notes that control goes on at `pc` without a jump, where there is no JUMPDEST to note it.
    #[inline]
    fn arrive(&mut self, pc: usize) {
        self.visit(pc);
        if self.detailed {
            self.trace_block(pc);
        }
    }

    /// Control entered the block at `pc`.
    #[inline]
    pub(super) fn visit(&mut self, pc: usize) {
        let Some(table) = &self.table else { return };
        let Some(&block) = table.block.get(pc) else { return };
        if block == NONE {
            return;
        }
        self.histories[self.frames.len() - 1].push(BlockEntry { block, clock: self.clock });
        let stamp = &mut self.seen_programs[self.place].visited[block as usize];
        if *stamp != self.epoch {
            *stamp = self.epoch;
            self.observation.blocks.push(BlockVisit { program: ProgramId(self.program), block: BlockId(block) });
        }
    }

    /// Traces the block at `pc`.
    pub(super) fn trace_block(&mut self, pc: usize) {
        let block = self.table.as_ref().and_then(|table| table.block.get(pc)).filter(|block| **block != NONE);
        if let Some(&block) = block {
            self.trace(TraceStep::Block(BlockId(block)));
        }
    }

    /// Adds a step to the trace, which detailed runs keep.
    pub(super) fn trace(&mut self, step: TraceStep) {
        if self.detailed && self.observation.trace.len() < MAX_TRACE {
            self.observation.trace.push(step);
        }
    }

    /// The REVERT at `pc` belongs to a panic of the running program.
    #[inline]
    pub(super) fn is_panic(&self, pc: usize) -> bool {
        self.table.as_ref().is_some_and(|table| table.panic[pc])
    }

    /// Whether an event with this first topic says that an assertion failed.
    pub(super) fn is_assertion_event(&self, topic: B256) -> bool {
        self.programs.is_assertion_event(topic)
    }

    /// Whether the running frame's code belongs to the build.
    pub(super) fn is_ours(&self) -> bool {
        self.table.is_some()
    }

    /// Whether DELEGATECALLs and CALLCODEs of foreign code are kept.
    pub(super) fn keeps_delegates(&self) -> bool {
        self.instruments.delegates && self.frames.first().is_some_and(|frame| frame.kind != CallKind::Create)
    }

    /// Whether a call of this account is kept as a failure, given whether it has code.
    pub(super) fn keeps_call_out(&self, to: Address, has_code: impl FnOnce() -> bool) -> bool {
        self.instruments.calls_out && (self.scripted == Some(to) || !has_code())
    }

    /// Whether tokens that go to the sender are kept.
    pub(super) fn keeps_token_moves(&self) -> bool {
        self.instruments.token_moves && self.is_ours()
    }

    /// Whether accounts without code that are asked for it are kept.
    pub(super) fn keeps_codeless(&self) -> bool {
        self.instruments.calls_out && self.is_ours()
    }

    /// An account has no code where the running frame wants some.
    pub(super) fn is_codeless(&mut self, account: Address) {
        let known = &mut self.observation.codeless;
        if known.len() < MAX_CODELESS
            && self.program != NONE
            && self.scripted != Some(account)
            && !known.contains(&account)
        {
            known.push(account);
        }
    }

    /// A payment of the running frame cannot be made.
    pub(super) fn is_unpaid(&mut self, unpaid: Unpaid) {
        if self.program != NONE {
            self.observation.unpaid.get_or_insert(unpaid);
        }
    }

    /// Whether a call of this account is kept as a failure if it fails.
    pub(super) fn keeps_failed_call(&self, to: Address) -> bool {
        let Instruments { failed_calls, refusals, .. } = self.instruments;
        (failed_calls || refusals) && self.is_ours() && self.scripted != Some(to)
    }

    /// Whether JUMPs to where no block begins are kept.
    pub(super) fn keeps_jumps(&self) -> bool {
        self.instruments.jumps
    }

    /// The running frame makes a CALL or STATICCALL; none if nobody asks what becomes of it.
    pub(super) fn calls(&mut self, call: Option<MadeCall>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.called = call;
        }
    }

    /// Whether SELFDESTRUCTs are kept.
    pub(super) fn keeps_destructions(&self) -> bool {
        self.instruments.destructions
    }

    /// A write of the running frame to this slot, if it is kept since the frame runs in the place of another account.
    pub(super) fn delegated_write(&self, account: Address, slot: U256) -> Option<FailureKind> {
        let slots = &self.instruments.delegated_writes;
        let is_delegated = |frame: &FrameRecord| matches!(frame.kind, CallKind::Delegate | CallKind::CallCode);
        if slots.is_empty() || !self.frames.last().is_some_and(is_delegated) {
            return None;
        }
        let derivation = match slots.contains(&slot) {
            true => None,
            false => Some(derivation_of(slot, self.hashes.iter().rev(), |at, _| slots.contains(&at))?.0),
        };
        Some(FailureKind::DelegatedWrite { account, slot, derivation })
    }

    /// The number of watches.
    #[inline]
    pub(super) fn watches(&self) -> usize {
        self.instruments.watches.len()
    }

    /// The name of a watch, if a write of the running frame is one that it watches for.
    pub(super) fn watched(&self, index: usize, slot: U256, value: U256) -> Option<&'static str> {
        let watch = &self.instruments.watches[index];
        self.frames.last().filter(|frame| (watch.matches)(frame.kind, slot, value)).map(|_| watch.name)
    }

    /// Notes that the running frame fails. A loop can fail in the same way in each round: that counts as one failure, so that
    /// it leaves room for others.
    pub(super) fn fail(&mut self, kind: FailureKind, pc: usize, selector: Option<[u8; 4]>) {
        if self.program == NONE || self.observation.failures.len() >= MAX_FAILURES {
            return;
        }
        let history = self.histories[self.frames.len() - 1].blocks();
        let end = |history: &[BlockId]| history.len().saturating_sub(DISTINGUISHING_BLOCKS);
        let is_known = self.observation.failures.iter().any(|known| {
            known.kind.is_like(kind)
                && (known.program.0, known.pc as usize, known.selector) == (self.program, pc, selector)
                && known.history[end(&known.history)..] == history[end(&history)..]
        });
        if is_known {
            return;
        }
        let depth = self.frames.last().map_or(0, |frame| frame.depth);
        self.observation.failures.push(Failure {
            kind,
            program: ProgramId(self.program),
            pc: pc as u32,
            depth,
            selector,
            history,
        });
    }

    #[inline]
    pub(super) fn read(&mut self, address: Address, slot: U256) {
        if self.observation.reads.len() < MAX_SLOT_ACCESSES {
            self.observation.reads.push(SlotAccess { address, slot });
        }
        if self.instruments.storage || self.detailed {
            self.accessed(StorageAccess { slot, stored: None });
        }
    }

    #[inline]
    pub(super) fn write(&mut self, pc: usize, address: Address, slot: U256, value: U256) {
        if self.observation.writes.len() < MAX_SLOT_ACCESSES {
            let at = (self.program != NONE).then_some((ProgramId(self.program), pc as u32));
            let branches = self.observation.branches.len() as u32;
            self.observation.writes.push(SlotWrite { address, slot, value, at, branches });
        }
        if self.instruments.storage || self.detailed {
            self.accessed(StorageAccess { slot, stored: Some(value) });
        }
    }

    /// The running frame read or wrote a slot of its account.
    fn accessed(&mut self, access: StorageAccess) {
        if let Some(call) = self.frames.last().and_then(|frame| frame.call) {
            self.observation.calls.add_access(call, access);
        }
    }

    /// The running frame emitted a log.
    pub(super) fn logged(&mut self, log: &Log) {
        if let Some(call) = self.frames.last().and_then(|frame| frame.call) {
            self.observation.calls.add_log(call, log);
        }
    }

    /// The run said something to the console.
    pub(super) fn say(&mut self, mut text: String) {
        if self.observation.console.len() >= MAX_LINES {
            return;
        }
        if text.len() > MAX_LINE {
            text.truncate(text.floor_char_boundary(MAX_LINE));
            text.push('…');
        }
        self.observation.console.push(text);
    }

    pub(super) fn hashed(&mut self, pc: usize, hash: B256, bytes: Vec<u8>) {
        let is_asked_for = self.watch.is_some() || !self.instruments.delegated_writes.is_empty();
        if let Some(parent) = bytes.last_chunk::<32>().filter(|_| is_asked_for)
            && self.hashes.len() < MAX_SLOT_ACCESSES
        {
            self.hashes.push(HashedSlot {
                hash: U256::from_be_bytes(hash.0),
                parent: U256::from_be_bytes(*parent),
                has_key: bytes.len() > 32,
                by_hand: self.watch.as_ref().is_some_and(|watch| watch.is_by_hand(pc)),
            });
        }
        if self.detailed && self.observation.preimages.len() < MAX_SLOT_ACCESSES {
            self.observation.preimages.push(Preimage { hash, bytes });
        }
    }
}

/// Spreads the bits of a number over the word (the finalizer of SplitMix64).
#[inline]
pub(crate) fn spread(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Build, Bytecode, Contract, ContractKind, SourceId, Span};

    /// The programs of a contract without a source, whose runtime code these bytes are.
    fn programs(code: &'static [u8]) -> Arc<Programs> {
        let contract = Contract {
            name: "A".to_owned(),
            source: SourceId(0),
            span: Span::default(),
            kind: ContractKind::Contract,
            abi: Default::default(),
            creation: Bytecode::default(),
            runtime: Bytecode { code: code.into(), ..Bytecode::default() },
            immutables: Vec::new(),
            storage: None,
            solc: semver::Version::new(0, 8, 0),
            evm_version: Default::default(),
            settings: "".into(),
        };
        Arc::new(Programs::of(&Build { contracts: vec![Arc::new(contract)], ..Build::default() }))
    }

    /// A recorder whose first frame runs that code.
    fn recorder(code: &'static [u8]) -> Recorder {
        let mut recorder = Recorder::new(programs(code));
        recorder.begin();
        enter(&mut recorder, B256::ZERO, code);
        recorder
    }

    fn enter(recorder: &mut Recorder, hash: B256, code: &[u8]) {
        let depth = recorder.frames.len() as u32;
        recorder.enter(CallKind::Call, depth, hash, code, None);
    }

    /// JUMPDEST, INVALID, JUMPDEST, INVALID.
    const TWO: &[u8] = &[0x5b, 0xfe, 0x5b, 0xfe];

    #[test]
    fn failures_of_one_kind_at_one_place_are_one_and_leave_room_for_others() {
        let mut recorder = recorder(TWO);
        for _ in 0..2 * MAX_FAILURES {
            enter(&mut recorder, B256::ZERO, TWO);
            recorder.visit(0);
            recorder.fail(FailureKind::Invalid, 1, None);
            recorder.leave(FrameEnd::Revert, &Bytes::new());
        }
        recorder.visit(2);
        recorder.fail(FailureKind::Panic(1), 3, None);
        let told: Vec<_> = recorder.observation.failures.iter().map(|failure| (failure.kind, failure.pc)).collect();
        assert_eq!(told, [(FailureKind::Invalid, 1), (FailureKind::Panic(1), 3)]);
    }

    #[test]
    fn what_failed_in_a_frame_that_was_reverted_fails_again_outside_of_it() {
        let mut recorder = recorder(TWO);
        enter(&mut recorder, B256::ZERO, TWO);
        recorder.visit(0);
        recorder.fail(FailureKind::Event, 1, None);
        recorder.leave(FrameEnd::Revert, &Bytes::new());
        assert_eq!(recorder.observation.failures, []);
        recorder.visit(0);
        recorder.fail(FailureKind::Event, 1, None);
        assert_eq!(recorder.observation.failures.len(), 1);
    }

    #[test]
    fn code_hashes_are_not_remembered_without_end() {
        let mut recorder = recorder(TWO);
        for number in 1..=10 * MAX_KNOWN {
            enter(&mut recorder, U256::from(number).into(), TWO);
            assert!(recorder.is_ours(), "recognised, remembered or not");
            recorder.leave(FrameEnd::Success, &Bytes::new());
            assert!(recorder.known.len() <= MAX_KNOWN);
        }
    }
}
