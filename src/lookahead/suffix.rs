//! Suffix checking: the blocks that any path can reach from a point with a given state (paper, §4.3). It is a forward fixpoint
//! over the bytecode with one state for each block and each combination of jump destinations on the stack, so that an internal
//! function returns to where it was called from, however many callers it has.

use super::{
    calls::{call, may_send_ether},
    code::{Code, Landing},
    domain::{Word, Words},
    reach::{Beyond, Reach},
    state::AbstractState,
    step::{Departure, run},
};
use crate::code::BlockId;
use alloy_primitives::{U256, map::HashMap};
use revm::bytecode::opcode;
use std::collections::BTreeSet;

/// The bounds of one analysis.
#[derive(Debug, Clone, Copy)]
pub(super) struct AnalysisLimits {
    /// States of one block that are told apart: recursion has one for each depth.
    contexts: u32,
    /// States of blocks that are visited.
    pub(super) visits: u32,
}

/// The bounds for the control-flow graph of a program, which is made once; chosen by hand.
pub(super) const GRAPH: AnalysisLimits = AnalysisLimits { contexts: 512, visits: 32_768 };
/// The bounds for one point of a path; chosen by hand.
pub(super) const POINT: AnalysisLimits = AnalysisLimits { contexts: 256, visits: 1_024 };

/// Equal return addresses on the stack that count as recursion; chosen by hand. Its depth is not followed further.
const MAX_RECURSION: usize = 12;
/// Joins after which a state keeps constants only; chosen by hand.
const MAX_JOINS: u32 = 12;
/// Blocks that are visited in the order of their distance from the goal; chosen by hand. The rest is visited in an order that
/// visits each less often.
const MAX_GUIDED: u32 = 256;

/// The order in which blocks are visited, and how many.
#[derive(Debug, Clone, Copy)]
pub(super) struct VisitOrder<'a> {
    /// The distance of each block from the goal.
    pub(super) distance: Option<&'a [u32]>,
    /// The position of each block in an order in which predecessors come first.
    pub(super) place: Option<&'a [u32]>,
    /// The bounds.
    pub(super) limits: AnalysisLimits,
}

/// A block with the state in which it is entered.
#[derive(Debug)]
pub(super) struct GraphNode {
    pub(super) block: BlockId,
    /// The index of the first instruction to be run.
    from: u32,
    state: AbstractState,
    joins: u32,
    /// Its successors.
    pub(super) next: Vec<u32>,
    /// Ways out of the program that it takes itself.
    pub(super) beyond: Reach,
}

/// States of a block with the same key are joined.
#[derive(Debug, PartialEq, Eq, Hash)]
struct StateKey {
    block: u32,
    from: u32,
    height: u32,
    /// Jump destinations on the stack, with their heights.
    destinations: Vec<(u32, Word)>,
}

/// An analysis from one point.
#[derive(Debug)]
pub(super) struct ForwardAnalysis<'a> {
    code: &'a Code,
    words: &'a mut Words,
    pub(super) nodes: Vec<GraphNode>,
    index: HashMap<StateKey, u32>,
    contexts: HashMap<u32, u32>,
    queue: BTreeSet<(u32, u32)>,
    /// The blocks and ways out that were reached.
    pub(super) reach: Reach,
    /// The number of states that were visited.
    pub(super) visits: u32,
    guided: bool,
    order: VisitOrder<'a>,
}

impl<'a> ForwardAnalysis<'a> {
    /// An analysis from the instruction at index `from` of a block.
    pub(super) fn new(
        code: &'a Code,
        words: &'a mut Words,
        block: BlockId,
        from: u32,
        state: &AbstractState,
        order: VisitOrder<'a>,
    ) -> Self {
        let reach = Reach::nothing(code.program.blocks.len());
        let mut search = Self {
            code,
            words,
            nodes: Vec::new(),
            index: HashMap::default(),
            contexts: HashMap::default(),
            queue: BTreeSet::new(),
            reach,
            visits: 0,
            guided: order.distance.is_some(),
            order,
        };
        search.flow(block, from, state);
        search
    }

    /// Runs until everything reachable is reached, or until it meets `goal`. True if it came to its end.
    pub(super) fn run(&mut self, goal: Option<&Reach>) -> bool {
        let is_met = |reach: &Reach| goal.is_some_and(|goal| reach.meets(goal));
        while !is_met(&self.reach) {
            let Some((_, node)) = self.queue.pop_first() else { return true };
            self.visits += 1;
            if self.visits > self.order.limits.visits {
                self.reach.add_beyond(Beyond::Anything);
                return true;
            }
            if self.guided && self.visits > MAX_GUIDED {
                self.guided = false;
                let queued: Vec<u32> = self.queue.iter().map(|(_, node)| *node).collect();
                self.queue = queued.into_iter().map(|node| (self.priority(node), node)).collect();
            }
            self.visit(node);
        }
        self.queue.is_empty()
    }

    fn visit(&mut self, node: u32) {
        let GraphNode { block, from, ref state, .. } = self.nodes[node as usize];
        let mut state = state.clone();
        let mut beyond = Reach::nothing(self.code.program.blocks.len());
        let mut from = from;
        let leaving = loop {
            match run(self.code, self.words, &mut state, block, from) {
                Departure::Call(index) => {
                    let byte = self.code.program.instructions[index as usize].opcode;
                    if may_send_ether(self.words, &state, byte) {
                        beyond.add_beyond(Beyond::Ether);
                    }
                    match call(self.words, &mut state, byte, None) {
                        Some(callee) => beyond.add_call(callee),
                        None => break Departure::End,
                    }
                    from = index + 1;
                }
                other => break other,
            }
        };
        let mut next = Vec::new();
        match leaving {
            Departure::Fall => next.extend(self.enter(self.code.fall(block), &state, &mut beyond)),
            Departure::Jump(target) => next.extend(self.jump(target, &state, &mut beyond)),
            Departure::Branch(target, condition) => {
                let decided = state.decide(self.words, condition);
                if decided != Some(true) {
                    let mut state = state.clone();
                    if state.assume(self.words, condition, U256::ZERO) {
                        next.extend(self.enter(self.code.fall(block), &state, &mut beyond));
                    }
                }
                if decided != Some(false) && state.assume_nonzero(self.words, condition) {
                    next.extend(self.jump(target, &state, &mut beyond));
                }
            }
            Departure::End | Departure::Call(_) => {
                let last = self.code.program.block(block).instructions.end - 1;
                if self.code.program.instructions[last as usize].opcode == opcode::SELFDESTRUCT {
                    beyond.add_beyond(Beyond::Ether);
                }
            }
        }
        self.reach.extend(&beyond);
        let node = &mut self.nodes[node as usize];
        node.beyond.extend(&beyond);
        for next in next {
            if !node.next.contains(&next) {
                node.next.push(next);
            }
        }
    }

    fn jump(&mut self, target: Word, state: &AbstractState, beyond: &mut Reach) -> Option<u32> {
        let landing = match state.value(self.words, target) {
            Some(target) => self.code.jump(target),
            None => Landing::Unknown,
        };
        self.enter(landing, state, beyond)
    }

    fn enter(&mut self, landing: Landing, state: &AbstractState, beyond: &mut Reach) -> Option<u32> {
        match landing {
            Landing::Block(block) => {
                self.reach.add(block);
                let from = self.code.program.block(block).instructions.start;
                let node = self.flow(block, from, state);
                if node.is_none() {
                    beyond.add_beyond(Beyond::Anything);
                }
                node
            }
            Landing::Nowhere => None,
            Landing::Unknown => {
                beyond.add_beyond(Beyond::Anything);
                None
            }
        }
    }

    /// Adds a state to a block. `None` if the block has too many.
    fn flow(&mut self, block: BlockId, from: u32, state: &AbstractState) -> Option<u32> {
        let state = state.canonical(self.words);
        let destinations: Vec<(u32, Word)> = (0_u32..)
            .zip(&state.stack)
            .filter(|(_, word)| self.code.is_destination(self.words, **word))
            .map(|(height, word)| (height, *word))
            .collect();
        if is_recursion(&destinations) {
            return None;
        }
        let context = StateKey { block: block.0, from, height: state.stack.len() as u32, destinations };
        if let Some(&node) = self.index.get(&context) {
            let known = &mut self.nodes[node as usize];
            let joined = known.state.join(&state, self.words);
            if joined != known.state {
                known.joins += 1;
                known.state = if known.joins > MAX_JOINS { joined.coarse(self.words) } else { joined };
                let priority = self.priority(node);
                self.queue.insert((priority, node));
            }
            return Some(node);
        }
        let contexts = self.contexts.entry(block.0).or_default();
        *contexts += 1;
        if *contexts > self.order.limits.contexts {
            return None;
        }
        let node = self.nodes.len() as u32;
        let beyond = Reach::nothing(self.code.program.blocks.len());
        self.nodes.push(GraphNode { block, from, state, joins: 0, next: Vec::new(), beyond });
        self.index.insert(context, node);
        let priority = self.priority(node);
        self.queue.insert((priority, node));
        Some(node)
    }

    fn priority(&self, node: u32) -> u32 {
        let block = self.nodes[node as usize].block.0 as usize;
        match (self.order.distance, self.order.place) {
            (Some(distance), _) if self.guided => distance[block],
            (_, Some(place)) => place[block],
            _ => block as u32,
        }
    }
}

/// Whether one destination stands on the stack more often than calls of different functions put it there.
fn is_recursion(destinations: &[(u32, Word)]) -> bool {
    let times = |wanted: Word| destinations.iter().filter(|(_, word)| *word == wanted).count();
    destinations.len() > MAX_RECURSION && destinations.iter().any(|(_, word)| times(*word) > MAX_RECURSION)
}
