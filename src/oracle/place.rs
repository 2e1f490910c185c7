//! The place of a failure: the smallest expression that can fail this way. It is found by walking back from the failing block
//! along the blocks that led there, to the first block whose last instruction lies in a fitting expression. The failing block
//! itself maps to generated code or to the whole contract, and so may the check in front of it.
//!
//! An INVALID maps to the place of its check, so it is handled apart: see `invalid`.

mod guard;
mod invalid;
mod standing;
mod syntax;

use self::invalid::{FoundPlace, Invalids};
use super::{
    execution::Execution,
    violation::{Cause, Place},
};
use crate::{
    code::ProgramId,
    compile::{Ast, Node, NodeKind, SourceId, Span},
    evm::{Failure, FailureKind},
};
use std::collections::BTreeMap;

/// Program, byte offset, kind of failure, selector of the call, and the blocks that led there.
type FailureKey = (ProgramId, u32, FailureKind, Option<[u8; 4]>, Vec<u32>);

/// An expression that is looked for around a failure.
pub(super) struct Sought<'a> {
    /// Whether an expression of this kind can be it.
    pub(super) fits: &'a dyn Fn(NodeKind) -> bool,
    /// Whether the failing instruction itself belongs to it; else it stands in front of the block that fails.
    pub(super) made_by_itself: bool,
    /// Finds a smaller expression in the one that was found, where the code tells no more.
    pub(super) narrow: for<'n> fn(&'n Ast, &'n Node) -> &'n Node,
}

/// The places found so far: the same blocks before the same instruction always lead to the same place.
#[derive(Debug, Default)]
pub(super) struct Places {
    known: BTreeMap<FailureKey, FoundPlace>,
    /// Made for the first INVALID.
    invalids: Option<Invalids>,
}

/// Blocks that the walk back looks at; chosen by hand. A check in generated code may be several blocks long.
const MAX_WAY_BACK: usize = 12;
/// Places that are remembered; chosen by hand.
const MAX_KNOWN: usize = 4096;

impl Places {
    /// The place and the cause of the check that fails. `None` if it is no check.
    pub(super) fn check(&mut self, execution: &Execution<'_>, failure: &Failure) -> Option<(Place, Cause)> {
        let cause = match failure.kind {
            FailureKind::Panic(code) => Cause::Panic(code),
            FailureKind::Invalid if !is_through_ir(execution, failure) => {
                let invalids = self.invalids.get_or_insert_with(|| Invalids::new(execution.build));
                return invalids.find(execution, failure);
            }
            FailureKind::Invalid => Cause::Invalid(None),
            FailureKind::Event => Cause::Event,
            FailureKind::Write(_)
            | FailureKind::CallOut { .. }
            | FailureKind::TokenMove { .. }
            | FailureKind::FailedCall { .. }
            | FailureKind::Refused { .. }
            | FailureKind::WildJump { .. }
            | FailureKind::Delegate { .. }
            | FailureKind::Destroy { .. }
            | FailureKind::DelegatedWrite { .. }
            | FailureKind::Cheatcode { .. }
            | FailureKind::Wrap(_)
            | FailureKind::PlacedWrite(_) => return None,
        };
        // An event is emitted by the failing instruction itself; a check stands in front of the block that fails.
        let sought = Sought {
            fits: &|kind| can_fail(cause, kind),
            made_by_itself: cause == Cause::Event,
            narrow: |_, node| node,
        };
        self.find(execution, failure, &sought).map(|(place, kind)| match cause {
            Cause::Invalid(_) => (place, Cause::Invalid(kind)),
            _ => (place, cause),
        })
    }

    /// Where an expression is.
    pub(super) fn expression(
        &mut self,
        execution: &Execution<'_>,
        failure: &Failure,
        sought: &Sought<'_>,
    ) -> Option<Place> {
        self.find(execution, failure, sought).map(|(place, _)| place)
    }

    fn find(&mut self, execution: &Execution<'_>, failure: &Failure, sought: &Sought<'_>) -> FoundPlace {
        let way = failure.history.iter().rev().take(MAX_WAY_BACK).map(|block| block.0).collect();
        let key = (failure.program, failure.pc, failure.kind.without_accounts(), failure.selector, way);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = locate(execution, failure, sought);
        if self.known.len() < MAX_KNOWN {
            self.known.insert(key, found);
        }
        found
    }
}

/// Whether the code was made through the IR, whose checks are functions of their own.
fn is_through_ir(execution: &Execution<'_>, failure: &Failure) -> bool {
    execution.build.contract(execution.programs.get(failure.program).contract).is_through_ir()
}

fn locate(execution: &Execution<'_>, failure: &Failure, sought: &Sought<'_>) -> FoundPlace {
    let program = execution.programs.get(failure.program);
    let fits = |node: &Node| (sought.fits)(node.kind);
    let place = |source: SourceId, span: Span| Place::of(execution.build, source, span);
    let own = sought.made_by_itself.then_some(failure.pc);
    let blocks = failure.history.iter().rev().skip(1).take(MAX_WAY_BACK).map(|block| program.block(*block));
    // In each block what decided comes last; the optimizer may have kept only the place of what led to it.
    let before = blocks.flat_map(|block| program.instructions_of(block).iter().rev().map(|instruction| instruction.pc));
    let way: Vec<(SourceId, Span)> = own.into_iter().chain(before).filter_map(|pc| program.range(pc)).collect();
    for (source, span) in &way {
        let ast = &execution.build.source(*source).ast;
        if let Some(node) = ast.smallest(*span, fits) {
            let node = (sought.narrow)(ast, node);
            // Of assembly before 0.6 the tree has the whole block, and the code knows the instruction.
            let text = |span: Span| span.text(&execution.build.source(*source).text);
            let is_instruction = text(node.span).starts_with("assembly") && names_instruction(text(*span));
            let span = if is_instruction { *span } else { node.span };
            return Some((place(*source, span), Some(node.kind)));
        }
    }
    // The places that are left name a whole function or contract. If only one expression in the function that was called
    // can fail this way, that is it; else the function is all that is known.
    let called = |node: &Node| node.selector.is_some() && node.selector == failure.selector;
    for (source, span) in &way {
        let ast = &execution.build.source(*source).ast;
        let of_contract = ast.contract_at(*span);
        let by_selector =
            || ast.nodes.iter().find(|node| called(node) && of_contract.is_some_and(|of| of.span.contains(node.span)));
        let Some(function) = ast.function_at(*span).or_else(by_selector) else { continue };
        let mut inside = ast.nodes.iter().filter(|node| function.span.contains(node.span) && fits(node));
        return match (inside.next(), inside.next()) {
            (Some(node), None) => Some((place(*source, node.span), Some(node.kind))),
            _ => Some((place(*source, function.span), None)),
        };
    }
    // No syntax tree, or a shape that it does not show: the smallest range on the way, if the text says what it is.
    let (source, span) = way.iter().min_by_key(|(_, span)| span.len()).copied()?;
    let text = span.text(&execution.build.source(source).text);
    let kind = text.starts_with("assert").then_some(NodeKind::Assert);
    Some((place(source, span), kind))
}

/// Whether assembly begins with an instruction that stores, calls, or ends a contract.
fn names_instruction(text: &str) -> bool {
    let name = text.split('(').next().unwrap_or_default();
    let names = ["sstore", "call", "callcode", "delegatecall", "staticcall", "selfdestruct", "suicide"];
    names.contains(&name.trim_end())
}

fn can_fail(cause: Cause, kind: NodeKind) -> bool {
    match cause {
        Cause::Panic(0x01) => kind == NodeKind::Assert,
        Cause::Panic(0x11) => kind == NodeKind::Arithmetic,
        Cause::Panic(0x12) => kind == NodeKind::Division,
        Cause::Panic(0x21) => kind == NodeKind::Conversion,
        Cause::Panic(0x31) => kind == NodeKind::Pop,
        Cause::Panic(0x32) => kind == NodeKind::Index,
        Cause::Panic(0x51) => kind == NodeKind::Call,
        Cause::Panic(_) | Cause::Collision(..) | Cause::Other(_) => true,
        Cause::Event => kind == NodeKind::Emit,
        Cause::Guard => kind == NodeKind::Call,
        Cause::Invalid(_) => matches!(
            kind,
            NodeKind::Assert
                | NodeKind::Division
                | NodeKind::Index
                | NodeKind::Conversion
                | NodeKind::Pop
                | NodeKind::Call
        ),
    }
}
