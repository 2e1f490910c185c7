//! A [`ProgramOutline`] is a program as its source shows it: the blocks of each line, and the functions that its code is made of,
//! with their blocks and branches. It follows from the code alone, and knows nothing of what was reached.

use super::{
    block::BlockId,
    lines::{Line, Lines},
    program::{Program, ProgramId},
    programs::Programs,
};
use crate::compile::{Build, NodeKind, SourceId, SourceRange, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The lines and functions of a program.
#[derive(Debug, Default)]
pub struct ProgramOutline {
    /// The blocks of each line with code; see [`Lines::blocks`].
    pub lines: BTreeMap<Line, Vec<BlockId>>,
    /// The functions and modifiers with code in it, in the order of their sources.
    pub functions: Vec<FunctionOutline>,
}

/// The code of a function or a modifier in one program.
#[derive(Debug, PartialEq, Eq)]
pub struct FunctionOutline {
    /// Its definition.
    pub definition: SourceRange,
    /// The blocks with code of its own, in order.
    pub blocks: Vec<BlockId>,
    /// Its branches that the user wrote: the byte offsets of their JUMPIs, in order.
    pub branches: Vec<u32>,
}

impl ProgramOutline {
    /// Of a program of a build.
    pub fn of(build: &Build, programs: &Programs, id: ProgramId) -> Self {
        let lines = Lines::of(build, programs).blocks(id);
        Self { lines, functions: functions(build, programs.get(id)) }
    }

    /// The best state, which is the least, of the blocks of each line, where `state_of` knows any.
    pub fn line_states<S: Ord>(&self, state_of: impl Fn(BlockId) -> Option<S>) -> impl Iterator<Item = (Line, S)> {
        let best = move |blocks: &Vec<BlockId>| blocks.iter().filter_map(|block| state_of(*block)).min();
        self.lines.iter().filter_map(move |(line, blocks)| Some((*line, best(blocks)?)))
    }
}

fn functions(build: &Build, program: &Program) -> Vec<FunctionOutline> {
    let mut definitions: HashMap<SourceId, Vec<Span>> = HashMap::new();
    let mut function_at = |(source, span): SourceRange| {
        let spans = definitions.entry(source).or_insert_with(|| definitions_in(build, source));
        // They do not overlap.
        let at = spans.partition_point(|function| function.start <= span.start).checked_sub(1)?;
        spans[at].contains(span).then_some((source, spans[at]))
    };
    let mut found: BTreeMap<SourceRange, (BTreeSet<BlockId>, Vec<u32>)> = BTreeMap::new();
    for block in program.code_blocks() {
        for instruction in program.instructions_of(program.block(block)) {
            let Some(function) = program.range(instruction.pc).and_then(&mut function_at) else { continue };
            let (blocks, branches) = found.entry(function).or_default();
            blocks.insert(block);
            if program.conditions.branches.contains_key(&instruction.pc) && program.is_in_source(instruction.pc) {
                branches.push(instruction.pc);
            }
        }
    }
    let outline = |(definition, (blocks, branches)): (SourceRange, (BTreeSet<BlockId>, Vec<u32>))| FunctionOutline {
        definition,
        blocks: blocks.into_iter().collect(),
        branches,
    };
    found.into_iter().map(outline).collect()
}

/// The functions and modifiers that a source defines, in order.
fn definitions_in(build: &Build, source: SourceId) -> Vec<Span> {
    let nodes = build.source(source).ast.nodes.iter();
    let is_function = |kind| matches!(kind, NodeKind::Function | NodeKind::Modifier);
    let mut spans: Vec<Span> = nodes.filter(|node| is_function(node.kind)).map(|node| node.span).collect();
    spans.sort_unstable();
    spans
}
