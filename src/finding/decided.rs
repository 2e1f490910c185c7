//! What a branch of the source decided in one run: its condition, what that was, and what was compared.

use super::compared::Compared;
use crate::{
    compile::{Decision, SourceId},
    evm::Branch,
    harness::Harness,
    oracle::ComparedWord,
};

/// A branch that a run took.
pub(super) struct Decided<'a> {
    pub(super) source: SourceId,
    pub(super) decision: &'a Decision,
    /// Whether the condition was true.
    pub(super) holds: bool,
    /// What was compared, if the condition is one comparison.
    pub(super) compared: Option<Compared>,
}

impl<'a> Decided<'a> {
    /// Of a branch; none if it is not one of the source, or if it is not certain what its condition was.
    pub(super) fn of(harness: &'a Harness, branch: &Branch) -> Option<Self> {
        if !branch.in_source {
            return None;
        }
        let program = harness.programs.get(branch.program);
        let (source, span) = program.range(branch.pc)?;
        let file = harness.build.source(source);
        let decision = file.ast.decision_at(span)?;
        let holds = program.result_of_side(decision, source, branch.pc, branch.taken)?;
        let condition = decision.condition.text(&file.text);
        let compared = Compared::of(harness, condition, ComparedWord::of_branch(branch), holds);
        Some(Self { source, decision, holds, compared })
    }
}
