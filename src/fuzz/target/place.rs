//! [`Places`] tell the lines that blocks stand for. What the compiler's source map knows of an instruction is a range; one as
//! wide as a function or a contract says nothing of lines.

use crate::{
    code::{BlockId, ProgramId},
    compile::{NodeKind, SourceId, Span},
    subject::Subject,
};
use std::collections::{BTreeMap, HashMap};

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
    wide: HashMap<(SourceId, Span), Width>,
}

impl<'a> Places<'a> {
    pub(super) fn of(subject: &'a Subject) -> Self {
        let mut wide = HashMap::new();
        for (source, id) in subject.build.sources.iter().zip((0..).map(SourceId)) {
            for node in &source.ast.nodes {
                let width = match node.kind {
                    NodeKind::Function | NodeKind::Modifier => Width::Function,
                    NodeKind::Contract => Width::Contract,
                    _ => continue,
                };
                wide.insert((id, node.span), width);
            }
        }
        for id in subject.build.contract_ids() {
            let contract = subject.build.contract(id);
            wide.insert((contract.source, contract.span), Width::Contract);
        }
        Self { subject, wide }
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
        let ranges = self.ranges(id, block).filter(|range| self.wide.get(range) != Some(&Width::Contract));
        let mut lines: Vec<Line> = ranges.map(|range| self.start(range)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The line that most of a block belongs to; none if it says no more than the function or the contract.
    pub(super) fn line(&self, id: ProgramId, block: BlockId) -> Option<Line> {
        let mut votes: BTreeMap<Line, usize> = BTreeMap::new();
        for range in self.ranges(id, block).filter(|range| !self.wide.contains_key(range)) {
            *votes.entry(self.start(range)).or_default() += 1;
        }
        votes.into_iter().max_by_key(|(line, votes)| (*votes, std::cmp::Reverse(*line))).map(|(line, _)| line)
    }

    /// The line of the function that a block belongs to, or else of the contract.
    pub(super) fn outer(&self, id: ProgramId, block: BlockId) -> Line {
        let function = self.ranges(id, block).find(|range| self.wide.get(range) == Some(&Width::Function));
        let contract = self.subject.build.contract(self.subject.programs.get(id).contract);
        self.start(function.unwrap_or((contract.source, contract.span)))
    }
}
