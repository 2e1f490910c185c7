//! Where a failure is: the smallest expression that can fail this way, found by walking back from the failing block
//! along the way that led there. The failing block itself maps to generated code or to the whole contract, and so may
//! the check in front of it; the first block on the way whose last instruction lies in a fitting expression tells
//! (engine.md, "Where a finding is").
//!
//! An INVALID is looked at in another way, since it has the place of its check: see `invalid`.

mod invalid;
mod standing;
mod syntax;

use self::{invalid::Invalids, standing::Walker};
use super::{Cause, Scene};
use crate::{
    code::{Program, ProgramId},
    compile::{Ast, Node, NodeKind, SourceId, Span},
    evm::{Failure, FailureKind},
};
use std::collections::BTreeMap;

/// An expression that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) source: SourceId,
    pub(super) span: Span,
}

/// Program, instruction, panic code, the function that was called, and the way back.
type Key = (ProgramId, u32, u64, Option<[u8; 4]>, Vec<u32>);

/// Places found so far: the same way to the same instruction is always the same place.
#[derive(Debug, Default)]
pub(super) struct Places {
    known: BTreeMap<Key, Option<(Place, Cause)>>,
    /// Made for the first INVALID.
    invalids: Option<Invalids>,
}

/// How much of the way back tells two places apart: a check in generated code may be several blocks long.
const WAY: usize = 12;
/// More ways than this are not remembered.
const MAX_KNOWN: usize = 4096;

impl Places {
    pub(super) fn find(&mut self, scene: &Scene<'_>, failure: &Failure) -> Option<(Place, Cause)> {
        let cause = match failure.kind {
            FailureKind::Panic(code) => Cause::Panic(code),
            FailureKind::Invalid if !is_through_ir(scene, failure) => {
                let invalids = self.invalids.get_or_insert_with(|| Invalids::new(scene.build));
                return invalids.find(scene, failure).map(|(place, kind)| (place, Cause::Invalid(kind)));
            }
            FailureKind::Invalid => Cause::Invalid(None),
            FailureKind::Event => Cause::Event,
            FailureKind::Write => Cause::Write,
        };
        let code = if let Cause::Panic(code) = cause { code } else { u64::MAX };
        let way = failure.history.iter().rev().take(WAY).map(|block| block.0).collect();
        let key = (failure.program, failure.pc, code, failure.selector, way);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = locate(scene, failure, cause).map(|(place, kind)| match cause {
            Cause::Invalid(_) => (place, Cause::Invalid(kind)),
            _ => (place, cause),
        });
        if self.known.len() < MAX_KNOWN {
            self.known.insert(key, found);
        }
        found
    }
}

/// Whether the code was made through the IR, whose checks are functions of their own.
fn is_through_ir(scene: &Scene<'_>, failure: &Failure) -> bool {
    let contract = scene.programs.get(failure.program).contract;
    scene.build.contract(contract).settings.contains("\"viaIR\":true")
}

/// The place, and what kind of expression it is as far as that is known.
fn locate(scene: &Scene<'_>, failure: &Failure, cause: Cause) -> Option<(Place, Option<NodeKind>)> {
    let program = scene.programs.get(failure.program);
    let fits = |node: &Node| can_fail(cause, node.kind);
    // An event and a write are made by the failing instruction itself; a check stands in front of the block that fails.
    let own = matches!(cause, Cause::Event | Cause::Write).then_some(failure.pc);
    let blocks = failure.history.iter().rev().skip(1).take(WAY).map(|block| program.block(*block));
    // In each block what decided comes last; the optimizer may have kept only the place of what led to it.
    let before = blocks.flat_map(|block| program.instructions_of(block).iter().rev().map(|instruction| instruction.pc));
    let way: Vec<(SourceId, Span)> = own.into_iter().chain(before).filter_map(|pc| range(program, pc)).collect();
    for (source, span) in &way {
        let ast = &scene.build.source(*source).ast;
        if let Some(node) = ast.smallest(*span, fits) {
            let node = if cause == Cause::Write { only_inside(ast, node) } else { node };
            return Some((Place { source: *source, span: node.span }, Some(node.kind)));
        }
    }
    // The places that are left name a whole function or contract. If only one expression in the function that was called
    // can fail this way, that is it; else the function is all that is known.
    let called = |node: &Node| node.selector.is_some() && node.selector == failure.selector;
    for (source, span) in &way {
        let ast = &scene.build.source(*source).ast;
        let of_contract = ast.contract_at(*span);
        let by_selector =
            || ast.nodes.iter().find(|node| called(node) && of_contract.is_some_and(|of| of.span.contains(node.span)));
        let Some(function) = ast.function_at(*span).or_else(by_selector) else { continue };
        let mut inside = ast.nodes.iter().filter(|node| function.span.contains(node.span) && fits(node));
        return match (inside.next(), inside.next()) {
            (Some(node), None) => Some((Place { source: *source, span: node.span }, Some(node.kind))),
            _ => Some((Place { source: *source, span: function.span }, None)),
        };
    }
    // No syntax tree, or a shape that it does not show: the smallest range on the way, if the text says what it is.
    let (source, span) = way.iter().min_by_key(|(_, span)| span.len()).copied()?;
    let text = span.text(&scene.build.source(source).text);
    let kind = text.starts_with("assert").then_some(NodeKind::Assert);
    Some((Place { source, span }, kind))
}

/// The only write inside of another one, which is a block of assembly then: the IR knows no smaller place. Else that one.
fn only_inside<'a>(ast: &'a Ast, outer: &'a Node) -> &'a Node {
    let mut inside = ast
        .nodes
        .iter()
        .filter(|node| node.kind == NodeKind::Write && node.span != outer.span && outer.span.contains(node.span));
    match (inside.next(), inside.next()) {
        (Some(node), None) if outer.name.is_empty() => node,
        _ => outer,
    }
}

fn range(program: &Program, pc: u32) -> Option<(SourceId, Span)> {
    let element = program.element(pc)?;
    element.source.filter(|_| !element.span.is_empty()).map(|source| (source, element.span))
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
        Cause::Panic(_) => true,
        Cause::Event => kind == NodeKind::Emit,
        Cause::Write => kind == NodeKind::Write,
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
