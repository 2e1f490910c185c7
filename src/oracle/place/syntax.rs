//! The [`Syntax`] of a build is an index of its syntax trees by range and by declaration: the node at exactly a range, the
//! definition that a call names, and the functions that a frame may have been called for.

use crate::{
    code::Program,
    compile::{Build, Node, NodeKind, SourceId, SourceRange},
};
use std::collections::BTreeMap;

/// An index of the nodes of all sources.
#[derive(Debug, Default)]
pub(super) struct Syntax {
    /// Nodes by the range that they cover exactly.
    exact: BTreeMap<SourceRange, Vec<u32>>,
    /// Functions and modifiers by the compiler's number.
    declared: BTreeMap<i64, Vec<(SourceId, u32)>>,
    /// The numbers of a contract's bases, itself included, by its own.
    bases: BTreeMap<i64, Vec<i64>>,
}

impl Syntax {
    /// Indexes the trees of a build.
    pub(super) fn of(build: &Build) -> Self {
        let mut syntax = Self::default();
        for (index, source) in (0..).zip(&build.sources) {
            let id = SourceId(index);
            for (at, node) in (0..).zip(&source.ast.nodes) {
                syntax.exact.entry((id, node.span)).or_default().push(at);
                if let (NodeKind::Function | NodeKind::Modifier, Some(number)) = (node.kind, node.declaration) {
                    syntax.declared.entry(number).or_default().push((id, at));
                }
            }
            syntax.bases.extend(source.ast.bases.iter().cloned());
        }
        syntax
    }

    /// The nodes that cover exactly this range.
    pub(super) fn exact<'a>(&'a self, build: &'a Build, (source, span): SourceRange) -> impl Iterator<Item = &'a Node> {
        let nodes = &build.source(source).ast.nodes;
        self.exact.get(&(source, span)).into_iter().flatten().map(|at| &nodes[*at as usize])
    }

    /// The node of this kind that covers exactly this range.
    pub(super) fn exact_of<'a>(&'a self, build: &'a Build, range: SourceRange, kind: NodeKind) -> Option<&'a Node> {
        self.exact(build, range).find(|node| node.kind == kind)
    }

    /// The definition of what a call or an invocation names, if that is a function or a modifier.
    pub(super) fn named(&self, build: &Build, node: &Node) -> Option<SourceRange> {
        let same = |(source, at): &&(SourceId, u32)| build.source(*source).ast.nodes[*at as usize].name == node.name;
        let (source, at) = self.declared.get(&node.declaration?)?.iter().find(same)?;
        Some((*source, build.source(*source).ast.nodes[*at as usize].span))
    }

    /// Whether a definition is another one, or overrides it: both have one name, in a contract and in one of its bases. A call of the
    /// overridden one may run it.
    pub(super) fn stands_for(&self, build: &Build, definition: SourceRange, other: SourceRange) -> bool {
        if definition == other {
            return true;
        }
        let of = |range: SourceRange| {
            let ast = &build.source(range.0).ast;
            let node =
                self.exact(build, range).find(|node| matches!(node.kind, NodeKind::Function | NodeKind::Modifier))?;
            Some((node.name.clone(), ast.contract_at(range.1)?.declaration?))
        };
        let (Some((name, contract)), Some((other_name, base))) = (of(definition), of(other)) else { return false };
        name == other_name && contract != base && self.bases.get(&contract).is_some_and(|bases| bases.contains(&base))
    }

    /// Whether two functions hold as many nodes of the same kinds, as functions with the same code do.
    pub(super) fn is_alike(&self, build: &Build, one: SourceRange, other: SourceRange) -> bool {
        let kinds = |(source, span): SourceRange| {
            let nodes = build.source(source).ast.nodes.iter().filter(|node| span.contains(node.span));
            nodes.map(|node| node.kind).collect::<Vec<_>>()
        };
        kinds(one) == kinds(other)
    }

    /// The functions that a frame with this selector may run, the most derived first; none where that cannot be told.
    pub(super) fn selected(&self, build: &Build, program: &Program, selector: Option<[u8; 4]>) -> Vec<SourceRange> {
        let contract = build.contract(program.contract);
        let Some(function) = contract.abi.functions().find(|function| Some(function.selector().0) == selector) else {
            return Vec::new();
        };
        let own = build.source(contract.source).ast.contract_at(contract.span).and_then(|node| node.declaration);
        let bases = own.and_then(|own| self.bases.get(&own)).map_or(&[][..], Vec::as_slice);
        let mut found = Vec::new();
        for (index, source) in (0..).zip(&build.sources) {
            let ast = &source.ast;
            // Before 0.6 the tree tells no selectors.
            let is_it = |node: &&Node| match (node.kind, node.selector) {
                (NodeKind::Function | NodeKind::Getter, Some(own)) => Some(own) == selector,
                (NodeKind::Function, None) => node.name == function.name,
                _ => false,
            };
            for node in ast.nodes.iter().filter(is_it) {
                let of = ast.contract_at(node.span).and_then(|contract| contract.declaration);
                let rank = of.and_then(|of| bases.iter().position(|base| *base == of));
                found.extend(rank.map(|rank| (rank, (SourceId(index), node.span))));
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, range)| range).collect()
    }

    /// The functions, and the modifiers that they invoke.
    pub(super) fn with_modifiers(&self, build: &Build, functions: &[SourceRange]) -> Vec<SourceRange> {
        let mut all = functions.to_vec();
        for (source, span) in functions {
            let invocations = build.source(*source).ast.nodes.iter();
            let invocations = invocations.filter(|node| node.kind == NodeKind::Invocation && span.contains(node.span));
            let modifiers = invocations.filter_map(|node| self.named(build, node));
            all.extend(
                modifiers.filter(|(source, span)| self.exact_of(build, (*source, *span), NodeKind::Modifier).is_some()),
            );
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether a function is one of these, or a modifier that one of them invokes.
    pub(super) fn is_among(&self, build: &Build, function: SourceRange, functions: &[SourceRange]) -> bool {
        self.with_modifiers(build, functions).iter().any(|other| self.stands_for(build, function, *other))
    }
}

/// The function or modifier that a range lies in.
pub(super) fn function_around(build: &Build, (source, span): SourceRange) -> Option<SourceRange> {
    build.source(source).ast.function_at(span).map(|node| (source, node.span))
}
