//! The sides of a branch: a JUMPI is taken or not, which says nothing to people until it is known which result of the source's
//! condition that is. Compilers negate conditions as they like, so it is read off the code that follows.

use super::program::Program;
use crate::compile::{Ast, Decision, SourceId, SourceRange};

impl Program {
    /// The branches that the user wrote: the byte offsets of their JUMPIs, with their places in the source, in the order of the code.
    pub fn written_branches(&self) -> impl Iterator<Item = (u32, SourceRange)> {
        let written = self.conditions.branches.keys().copied().filter(|pc| self.is_in_source(*pc));
        written.filter_map(|pc| Some((pc, self.range(pc)?)))
    }

    /// Which result of a condition makes the JUMPI at `pc` go this way. None where that is not certain.
    pub fn result_of_side(&self, decision: &Decision, source: SourceId, pc: u32, taken: bool) -> Option<bool> {
        let id = self.block_of(pc)?;
        let behind = if taken { self.jumps_to(self.block(id)) } else { self.block_behind(id) };
        let behind = self.block(behind?);
        decision.leads_to(&self.ranges_in(behind, source), self.fails(behind))
    }

    /// Whether the JUMPI at `pc` is taken where the condition of the source holds. Where neither side tells, it is assumed that it is
    /// not, as compilers write it without optimizations.
    pub fn is_taken_if_true(&self, ast: &Ast, pc: u32, (source, span): SourceRange) -> bool {
        let of_side = |taken| self.result_of_side(ast.decision_at(span)?, source, pc, taken);
        of_side(true).or_else(|| of_side(false).map(|result| !result)).unwrap_or(false)
    }
}
