//! `lookahead` computes the part of a path that matters: the prefix up to the last point from which the targets, blocks that
//! are to be reached, could still have been reached. It executes the path abstractly over constants (prefix inference), and at
//! each first entry of a block asks whether any continuation reaches a target (suffix checking). The first "no" ends the
//! no-target-ahead prefix. To a fuzzer with targets, paths with the same prefix are equal (Wüstholz and Christakis, "Targeted
//! Greybox Fuzzing with Static Lookahead Analysis"). "No" is a proof, "yes" may be wrong. It assigns no energy and runs
//! nothing.

mod arithmetic;
mod calls;
mod code;
mod control_flow;
mod domain;
mod memory;
mod prefix;
mod reach;
mod refine;
mod slots;
mod state;
mod step;
mod suffix;
mod targets;
#[cfg(test)]
mod tests;

use crate::{
    code::{BlockId, Exit, ProgramId, Programs, Stage},
    evm::{Observation, TraceStep, spread},
};
use alloy_primitives::{U256, map::HashMap, map::HashSet};
use code::Code;
use control_flow::ControlFlowGraph;
use domain::{Inputs, Words};
use prefix::Prefix;
use reach::{Beyond, Reach};
use revm::bytecode::opcode;
use state::AbstractState;
use std::sync::Arc;
use suffix::{ForwardAnalysis, POINT, VisitOrder};
use targets::{CallsToTarget, TargetBlocks};

/// Instructions of a path behind which no block is a split point (paper, §5).
const MAX_LOCATIONS: u64 = 8192;
/// Blocks that are visited in the searches for one path; chosen by hand. Beyond this, a target counts as ahead.
const MAX_VISITS: u64 = 2_048;
/// Points of paths whose reachable blocks are remembered; chosen by hand.
const MAX_POINTS: usize = 1 << 14;
/// Abstract words that are kept from one path to the next; chosen by hand.
const MAX_WORDS: usize = 1 << 18;

/// The id of a no-target-ahead prefix (λ in the paper): equal for paths with the same prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LookaheadId(pub u64);

/// A block that a path entered for the first time, and where lookahead asked whether a target is ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SplitPoint {
    /// In which program.
    pub program: ProgramId,
    /// Which block.
    pub block: BlockId,
}

/// The result for one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ahead {
    /// The id of its no-target-ahead prefix, which is the whole path if no shorter one was found.
    pub id: LookaheadId,
    /// The split points along that prefix, in order.
    pub split_points: Vec<SplitPoint>,
    /// Whether the prefix ends at the last split point, and not with the path.
    pub is_cut: bool,
    /// The number of branches that the prefix decides.
    pub branches: usize,
}

/// Counts of the work done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Paths that were looked at.
    pub paths: u64,
    /// The number of times it was asked whether a target is ahead of a point.
    pub questions: u64,
    /// Questions that the control-flow graph answered.
    pub by_graph: u64,
    /// Questions whose answer was remembered.
    pub by_memory: u64,
    /// Questions that took a search.
    pub searches: u64,
    /// Blocks visited in these searches.
    pub visits: u64,
    /// Questions about paths that do not fit their code, which stay unanswered.
    pub misfits: u64,
}

/// The blocks that can be reached from a point, whatever the targets are.
#[derive(Debug)]
struct KnownReach {
    reach: Reach,
    /// Whether that is all.
    is_complete: bool,
}

/// The targets of a program, and the distance to them.
#[derive(Debug)]
struct TargetDistances {
    goal: Reach,
    /// The distance of each block from the goal, in edges.
    distance: Vec<u32>,
}

/// A frame of a path, without its abstract state.
struct OpenFrame {
    program: Option<ProgramId>,
    /// The current block; `None` before the first.
    block: Option<BlockId>,
    /// The hash of the path up to its beginning.
    key: u64,
    /// Whether a target is ahead of its caller once it is back.
    is_ahead_of_caller: Option<bool>,
}

/// Looks ahead on the paths of one build.
#[derive(Debug)]
pub struct Lookahead {
    programs: Arc<Programs>,
    targets: TargetBlocks,
    calls_to_target: Option<CallsToTarget>,
    distances: Vec<Option<TargetDistances>>,
    words: Words,
    codes: Vec<Option<Code>>,
    graphs: Vec<Option<ControlFlowGraph>>,
    points: HashMap<u64, KnownReach>,
    /// Whether a target counts as ahead of everything.
    is_blind: bool,
    /// Blocks visited for the current path.
    visits: u64,
    work: WorkCounts,
}

impl Lookahead {
    /// A lookahead for the code of a build, with these targets.
    pub fn new(programs: Arc<Programs>, targets: impl IntoIterator<Item = (ProgramId, BlockId)>) -> Self {
        let count = programs.len();
        Self {
            targets: TargetBlocks::new(&programs, targets),
            calls_to_target: None,
            distances: nothing(count),
            words: Words::default(),
            codes: nothing(count),
            graphs: nothing(count),
            points: HashMap::default(),
            is_blind: false,
            visits: 0,
            work: WorkCounts::default(),
            programs,
        }
    }

    /// The same, with a target ahead of every path (paper, §6.3, RQ2), so that only path ids and split points are left.
    #[must_use]
    pub fn blind(self) -> Self {
        Self { is_blind: true, ..self }
    }

    /// Replaces the targets. Facts about paths are kept.
    pub fn set_targets(&mut self, targets: impl IntoIterator<Item = (ProgramId, BlockId)>) {
        self.targets = TargetBlocks::new(&self.programs, targets);
        self.calls_to_target = None;
        self.distances.iter_mut().for_each(|distances| *distances = None);
    }

    /// Counts of the work done so far.
    pub fn work(&self) -> WorkCounts {
        self.work
    }

    /// Whether a call of this program may reach a target, in any state. False is a proof.
    pub fn can_reach(&mut self, program: ProgramId) -> bool {
        self.prepare(program);
        match (&self.graphs[program.0 as usize], &self.distances[program.0 as usize]) {
            (Some(graph), Some(distances)) => graph.entry.meets(&distances.goal),
            _ => true,
        }
    }

    /// Whether a frame of this program may enter a block, in any state. False is a proof.
    pub fn is_reachable(&mut self, program: ProgramId, block: BlockId) -> bool {
        let entry = &self.graph(program).entry;
        entry.contains(block) || entry.goes_beyond(Beyond::Anything)
    }

    /// Whether a frame of this program may send ether, or lets other code do so in the name of its account, in any state. False is a proof.
    pub fn may_send_ether(&mut self, program: ProgramId) -> bool {
        let entry = &self.graph(program).entry;
        entry.goes_beyond(Beyond::Ether) || entry.goes_beyond(Beyond::Anything)
    }

    /// The distance from a block to a target in its program, or to a call that leads to one, in edges of the control-flow
    /// graph. The largest number if it is unknown, `None` if there is no way, which is a proof as far as this frame goes.
    pub fn blocks_to_target(&mut self, program: ProgramId, block: BlockId) -> Option<u32> {
        self.prepare(program);
        match (&self.graphs[program.0 as usize], &self.distances[program.0 as usize]) {
            (Some(graph), Some(distances)) => {
                (!graph.rules_out(block, &distances.goal)).then(|| distances.distance[block.0 as usize])
            }
            _ => Some(control_flow::FAR),
        }
    }

    /// Whether the destination of every jump of a program is known. If one is not, any block may be ahead of it.
    pub fn knows_jumps(&mut self, program: ProgramId) -> bool {
        self.graph(program).is_complete
    }

    /// Looks ahead on the path of a detailed run.
    pub fn analyze(&mut self, observation: &Observation) -> Ahead {
        self.work.paths += 1;
        self.visits = 0;
        if self.words.len() > MAX_WORDS {
            self.words = Words::default();
            self.codes.iter_mut().for_each(|code| *code = None);
        }
        let steps = &observation.trace;
        let mut prefix = Prefix::new(steps);
        let mut open: Vec<OpenFrame> = Vec::new();
        let mut entered: HashSet<SplitPoint> = HashSet::default();
        let mut split_points = Vec::new();
        let (mut key, mut locations, mut branches) = (0, 0, 0);
        for (at, step) in steps.iter().enumerate() {
            key = follow(key, *step);
            match *step {
                TraceStep::Enter(program) => {
                    open.push(OpenFrame { program, block: None, key, is_ahead_of_caller: None });
                    if let Some(program) = program {
                        self.prepare(program);
                    }
                }
                TraceStep::Leave(_) => {
                    open.pop();
                }
                TraceStep::CallWithoutFrame(_) => {}
                TraceStep::Block(block) => {
                    let Some(frame) = open.last_mut() else { continue };
                    let Some(program) = frame.program else { continue };
                    let before = frame.block.replace(block);
                    let code = self.programs.get(program).clone();
                    branches += usize::from(before.is_some_and(|before| code.block(before).exit == Exit::Branch));
                    let split_point = SplitPoint { program, block };
                    if locations < MAX_LOCATIONS && entered.insert(split_point) {
                        split_points.push(split_point);
                        if !self.is_ahead(&mut prefix, at, key, &mut open) {
                            return Ahead { id: LookaheadId(spread(key)), split_points, is_cut: true, branches };
                        }
                    }
                    locations += code.block(block).instructions.len() as u64;
                }
            }
        }
        let branches = observation.branches.len();
        Ahead { id: LookaheadId(observation.path), split_points, is_cut: false, branches }
    }

    /// Whether a target is ahead of the path after the step at this index: in its innermost frame, or in its callers once it
    /// has returned.
    fn is_ahead(&mut self, prefix: &mut Prefix<'_>, at: usize, key: u64, open: &mut [OpenFrame]) -> bool {
        if self.is_blind || open.iter().any(|frame| frame.program.is_none()) {
            // Code of other origin may do anything.
            return true;
        }
        let Some(innermost) = open.last() else { return true };
        if self.reaches(innermost, key, prefix, at, None) {
            return true;
        }
        // The caller of each frame is the one before it.
        (1..open.len()).any(|callee| match open[callee].is_ahead_of_caller {
            Some(known) => known,
            None => {
                let key = spread(open[callee].key ^ 1);
                let ahead = self.reaches(&open[callee - 1], key, prefix, at, Some(callee - 1));
                open[callee].is_ahead_of_caller = Some(ahead);
                ahead
            }
        })
    }

    /// Whether a target is ahead of a frame at its current position. For a caller at this depth: ahead of the return of its
    /// pending call, whatever that returns.
    fn reaches(
        &mut self,
        frame: &OpenFrame,
        key: u64,
        prefix: &mut Prefix<'_>,
        at: usize,
        caller: Option<usize>,
    ) -> bool {
        let (Some(program), Some(block)) = (frame.program, frame.block) else { return true };
        self.prepare(program);
        let index = program.0 as usize;
        let (Some(graph), Some(distances)) = (&self.graphs[index], &self.distances[index]) else { return true };
        self.work.questions += 1;
        if graph.rules_out(block, &distances.goal) {
            self.work.by_graph += 1;
            return false;
        }
        let known = self.points.get(&key);
        if let Some(point) = known.filter(|point| point.is_complete || point.reach.meets(&distances.goal)) {
            self.work.by_memory += 1;
            return point.reach.meets(&distances.goal);
        }
        if self.visits + u64::from(POINT.visits) > MAX_VISITS {
            return true;
        }
        let codes = &self.codes;
        let code = |program: ProgramId| codes[program.0 as usize].as_ref().expect("made when a path entered it");
        let Some(frames) = prefix.advance(at, &mut self.words, code) else {
            self.work.misfits += 1;
            return true;
        };
        let stands = caller.map_or(frames.last(), |depth| frames.get(depth));
        let Some(Some(stands)) = stands else { return true };
        let mut state = stands.state.clone();
        let mut from = stands.instruction;
        let code = code(program);
        if caller.is_some() {
            let byte = code.program.instructions[from as usize].opcode;
            if calls::call(&mut self.words, &mut state, byte, None).is_none() {
                return false;
            }
            from += 1;
        }
        let order = VisitOrder { distance: Some(&distances.distance), place: Some(&graph.place), limits: POINT };
        let mut search = ForwardAnalysis::new(code, &mut self.words, block, from, &state, order);
        if caller.is_none() {
            search.reach.add(block);
        }
        let is_complete = search.run(Some(&distances.goal));
        self.work.searches += 1;
        self.work.visits += u64::from(search.visits);
        self.visits += u64::from(search.visits);
        let is_ahead = search.reach.meets(&distances.goal);
        let reach = search.reach;
        if self.points.len() >= MAX_POINTS {
            self.points.clear();
        }
        self.points.insert(key, KnownReach { reach, is_complete });
        is_ahead
    }

    /// Prepares a program: its code for the analysis, its graph, and its distances to targets.
    fn prepare(&mut self, program: ProgramId) {
        self.graph(program);
        self.code(program);
        if self.distances[program.0 as usize].is_none() {
            let calls_to_target = self.calls_to_target();
            let goal = self.targets.goal(&self.programs, program, calls_to_target);
            let distance = self.graph(program).distances(&goal);
            self.distances[program.0 as usize] = Some(TargetDistances { goal, distance });
        }
    }

    fn code(&mut self, program: ProgramId) -> (&Code, &mut Words) {
        let Self { programs, codes, words, .. } = self;
        let code = codes[program.0 as usize]
            .get_or_insert_with(|| Code::new(programs.get(program).clone(), programs.loose(program), words));
        (code, words)
    }

    fn graph(&mut self, program: ProgramId) -> &ControlFlowGraph {
        if self.graphs[program.0 as usize].is_none() {
            let (code, words) = self.code(program);
            let graph = ControlFlowGraph::new(code, words);
            self.graphs[program.0 as usize] = Some(graph);
        }
        self.graphs[program.0 as usize].as_ref().expect("made above if it was not there")
    }

    /// The calls that may lead to a target.
    fn calls_to_target(&mut self) -> CallsToTarget {
        if let Some(calls_to_target) = self.calls_to_target {
            return calls_to_target;
        }
        let holders: Vec<(ProgramId, Reach)> =
            self.targets.programs().map(|(program, blocks)| (program, blocks.clone())).collect();
        let mut calls_to_target = CallsToTarget { anybody: false, transfer: false };
        for (program, blocks) in holders {
            let is_hit = |reach: &Reach| reach.meets(&blocks) || reach.goes_beyond(Beyond::Anything);
            if is_hit(&self.graph(program).entry) {
                calls_to_target.anybody = true;
                if self.programs.get(program).stage == Stage::Runtime {
                    let reach = self.reach_by_transfer(program);
                    calls_to_target.transfer |= is_hit(&reach) || reach.goes_beyond(Beyond::Anybody);
                }
            }
        }
        self.calls_to_target = Some(calls_to_target);
        calls_to_target
    }

    /// The blocks that a call without calldata reaches in a program: those of its `receive` or `fallback` function.
    fn reach_by_transfer(&mut self, program: ProgramId) -> Reach {
        let (code, words) = self.code(program);
        let mut state = AbstractState::entry(words);
        let size = state.make(words, opcode::CALLDATASIZE, Inputs::None);
        let is_possible = state.assume(words, size, U256::ZERO);
        debug_assert!(is_possible);
        let order = VisitOrder { distance: None, place: None, limits: POINT };
        let mut search = ForwardAnalysis::new(code, words, BlockId(0), 0, &state, order);
        search.run(None);
        search.reach.add(BlockId(0));
        search.reach
    }
}

fn nothing<T>(count: usize) -> Vec<Option<T>> {
    (0..count).map(|_| None).collect()
}

/// The hash of a path that is continued with a step.
fn follow(key: u64, step: TraceStep) -> u64 {
    let (kind, number) = match step {
        TraceStep::Enter(None) => (0, 0),
        TraceStep::Enter(Some(program)) => (1, program.0),
        TraceStep::Block(block) => (2, block.0),
        TraceStep::Leave(success) => (3, u32::from(success)),
        TraceStep::CallWithoutFrame(success) => (4, u32::from(success)),
    };
    spread(key.rotate_left(5) ^ ((kind << 32) | u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
