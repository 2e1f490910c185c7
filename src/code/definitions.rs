//! [`Definitions`] finds definitions in the sources of a build by name or selector, whichever source contains them. It is made
//! once for a build, and not once for each contract.

use crate::compile::{Ast, Build, Node, NodeKind, SourceId, SourceRange};
use std::collections::HashMap;

/// An index of definitions.
#[derive(Debug, Default)]
pub struct Definitions {
    enums: HashMap<String, u16>,
    by_selector: HashMap<[u8; 4], Vec<SourceRange>>,
    by_name: HashMap<String, Vec<SourceRange>>,
}

impl Definitions {
    /// Indexes a build.
    pub fn of(build: &Build) -> Self {
        let mut found = Self::default();
        for (source, id) in build.sources.iter().zip((0..).map(SourceId)) {
            let Ast { nodes, enums, .. } = &*source.ast;
            found.enums.extend(enums.iter().map(|definition| (definition.name.clone(), definition.members)));
            for node in nodes {
                found.note(node, id);
            }
        }
        found
    }

    fn note(&mut self, node: &Node, source: SourceId) {
        if let Some(selector) = node.selector {
            self.by_selector.entry(selector).or_default().push((source, node.span));
        } else if node.kind == NodeKind::Function {
            // Functions without a selector: fallback, receive and all that cannot be called from outside.
            self.by_name.entry(node.name.clone()).or_default().push((source, node.span));
        }
    }

    /// The number of members of an enum: `Phase`, or `Auction.Phase`.
    pub fn members(&self, name: &str) -> Option<u16> {
        self.enums.get(name).copied()
    }

    /// The definitions with this selector, in the order of sources.
    pub fn with_selector(&self, selector: [u8; 4]) -> &[SourceRange] {
        self.by_selector.get(&selector).map_or(&[], Vec::as_slice)
    }

    /// The functions of this name that have no selector, in the order of sources.
    pub fn with_name(&self, name: &str) -> &[SourceRange] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }
}
