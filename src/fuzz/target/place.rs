//! [`Places`] tell the lines that blocks stand for. What the compiler's source map knows of an instruction is a range; one as
//! wide as a function or a contract says nothing of lines.

use crate::{
    code::{BlockId, ProgramId},
    compile::{NodeKind, SourceId, Span},
    subject::Subject,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
};

/// A line of a source, from 1.
pub(super) type Line = (SourceId, u32);

/// How wide a range is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Function,
    Contract,
}

pub(super) struct Places<'a> {
    subject: &'a Subject,
    /// By source, looked at when a block stands in it: a contract is made of few of the sources of a build.
    wide: RefCell<HashMap<SourceId, HashMap<Span, Width>>>,
}

impl<'a> Places<'a> {
    pub(super) fn of(subject: &'a Subject) -> Self {
        Self { subject, wide: RefCell::default() }
    }

    /// Whether a range is as wide as a function or a contract.
    fn width(&self, (source, span): (SourceId, Span)) -> Option<Width> {
        let mut wide = self.wide.borrow_mut();
        wide.entry(source).or_insert_with(|| self.widths_in(source)).get(&span).copied()
    }

    fn widths_in(&self, id: SourceId) -> HashMap<Span, Width> {
        let build = &self.subject.build;
        let nodes = build.source(id).ast.nodes.iter().filter_map(|node| match node.kind {
            NodeKind::Function | NodeKind::Modifier => Some((node.span, Width::Function)),
            NodeKind::Contract => Some((node.span, Width::Contract)),
            _ => None,
        });
        let contracts = build.contracts_in(id).map(|contract| (contract.span, Width::Contract));
        nodes.chain(contracts).collect()
    }

    /// The ranges of a block's instructions.
    fn ranges(&self, id: ProgramId, block: BlockId) -> impl Iterator<Item = (SourceId, Span)> {
        let program = self.subject.programs.get(id);
        let instructions = program.instructions_of(program.block(block)).iter();
        let elements = instructions.filter_map(|instruction| program.element(instruction.pc));
        elements.filter(|element| !element.span.is_empty()).filter_map(|element| Some((element.source?, element.span)))
    }

    fn start(&self, (source, span): (SourceId, Span)) -> Line {
        (source, self.subject.build.source(source).lines.line(span.start))
    }

    /// The lines on which anything begins that a block does, the heads of functions included.
    pub(super) fn lines(&self, id: ProgramId, block: BlockId) -> Vec<Line> {
        let ranges = self.ranges(id, block).filter(|range| self.width(*range) != Some(Width::Contract));
        let mut lines: Vec<Line> = ranges.map(|range| self.start(range)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The line that most of a block belongs to; none if it says no more than the function or the contract.
    pub(super) fn line(&self, id: ProgramId, block: BlockId) -> Option<Line> {
        let mut votes: BTreeMap<Line, usize> = BTreeMap::new();
        for range in self.ranges(id, block).filter(|range| self.width(*range).is_none()) {
            *votes.entry(self.start(range)).or_default() += 1;
        }
        votes.into_iter().max_by_key(|(line, votes)| (*votes, std::cmp::Reverse(*line))).map(|(line, _)| line)
    }

    /// The line of the function that a block belongs to, or else of the contract.
    pub(super) fn outer(&self, id: ProgramId, block: BlockId) -> Line {
        let function = self.ranges(id, block).find(|range| self.width(*range) == Some(Width::Function));
        let contract = self.subject.build.contract(self.subject.programs.get(id).contract);
        self.start(function.unwrap_or((contract.source, contract.span)))
    }
}
