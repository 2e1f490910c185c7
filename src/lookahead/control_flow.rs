//! The [`ControlFlowGraph`] of a program is found by a forward analysis from its entry with nothing known. A block that is not
//! reachable in it is not reachable in any state.

use super::{
    code::Code,
    domain::Words,
    reach::{Beyond, Reach},
    state::AbstractState,
    suffix::{ForwardAnalysis, GRAPH, GraphNode, VisitOrder},
};
use crate::code::BlockId;
use std::collections::VecDeque;

/// A distance beyond that of any goal.
pub(super) const FAR: u32 = u32::MAX;

/// The control-flow graph of a program.
#[derive(Debug)]
pub(super) struct ControlFlowGraph {
    /// The blocks that are reached from the entry, itself included.
    pub(super) entry: Reach,
    /// The blocks that are reached from each block, itself included. Meaningless if some jump is unknown.
    from: Vec<Reach>,
    /// Whether every jump is known.
    pub(super) is_complete: bool,
    /// The position of each block in an order in which predecessors come first, loops apart.
    pub(super) place: Vec<u32>,
    /// Edges, backwards.
    before: Vec<Vec<u32>>,
    /// The ways out of the program that each block takes itself.
    beyond: Vec<Reach>,
}

impl ControlFlowGraph {
    pub(super) fn new(code: &Code, words: &mut Words) -> Self {
        let count = code.program.blocks.len();
        let nothing = Reach::nothing(count);
        if count == 0 {
            let (from, place, before, beyond) = Default::default();
            return Self { entry: nothing, from, is_complete: true, place, before, beyond };
        }
        let state = AbstractState::entry(words);
        let order = VisitOrder { distance: None, place: None, limits: GRAPH };
        let mut search = ForwardAnalysis::new(code, words, BlockId(0), 0, &state, order);
        search.run(None);
        let ForwardAnalysis { nodes, mut reach, .. } = search;
        reach.add(BlockId(0));
        let order = postorder(&nodes);
        let ahead = closure(&nodes, &order, count);
        let mut flow = Self {
            is_complete: !reach.goes_beyond(Beyond::Anything),
            entry: reach,
            from: vec![nothing.clone(); count],
            place: vec![FAR; count],
            before: vec![Vec::new(); count],
            beyond: vec![nothing; count],
        };
        for (place, node) in (0..).zip(order.iter().rev()) {
            let at = nodes[*node as usize].block.0 as usize;
            flow.place[at] = flow.place[at].min(place);
        }
        for (node, ahead) in nodes.iter().zip(&ahead) {
            let at = node.block.0 as usize;
            flow.from[at].extend(ahead);
            flow.beyond[at].extend(&node.beyond);
            for next in &node.next {
                let next = nodes[*next as usize].block.0 as usize;
                if !flow.before[next].contains(&node.block.0) {
                    flow.before[next].push(node.block.0);
                }
            }
        }
        flow
    }

    /// Whether the graph alone proves that the goal cannot be reached from a block.
    pub(super) fn rules_out(&self, block: BlockId, goal: &Reach) -> bool {
        self.is_complete && !self.from[block.0 as usize].meets(goal)
    }

    /// The distance of each block from the goal, in edges.
    pub(super) fn distances(&self, goal: &Reach) -> Vec<u32> {
        let mut distance = vec![FAR; self.from.len()];
        let mut queue = VecDeque::new();
        for block in 0..self.from.len() as u32 {
            if goal.contains(BlockId(block)) || self.beyond[block as usize].meets(goal) {
                distance[block as usize] = 0;
                queue.push_back(block);
            }
        }
        while let Some(block) = queue.pop_front() {
            for before in &self.before[block as usize] {
                if distance[*before as usize] == FAR {
                    distance[*before as usize] = distance[block as usize] + 1;
                    queue.push_back(*before);
                }
            }
        }
        distance
    }
}

/// Nodes after all that they lead to, loops apart.
fn postorder(nodes: &[GraphNode]) -> Vec<u32> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut seen = vec![false; nodes.len()];
    let mut open: Vec<(u32, usize)> = Vec::new();
    if !nodes.is_empty() {
        seen[0] = true;
        open.push((0, 0));
    }
    while let Some((node, child)) = open.last_mut() {
        match nodes[*node as usize].next.get(*child) {
            Some(next) => {
                *child += 1;
                if !std::mem::replace(&mut seen[*next as usize], true) {
                    open.push((*next, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
    order
}

/// The nodes that are reached from each node: repeated until nothing changes, in an order that needs few rounds.
fn closure(nodes: &[GraphNode], order: &[u32], blocks: usize) -> Vec<Reach> {
    let mut ahead = vec![Reach::nothing(blocks); nodes.len()];
    for (reach, node) in ahead.iter_mut().zip(nodes) {
        reach.add(node.block);
        reach.extend(&node.beyond);
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for node in order {
            let mut reach = ahead[*node as usize].clone();
            for next in &nodes[*node as usize].next {
                changed |= reach.extend(&ahead[*next as usize]);
            }
            ahead[*node as usize] = reach;
        }
    }
    ahead
}
