//! A [`SlotOwner`] is what a program keeps in a slot: a state variable, a member of a struct that a pointer puts somewhere, or what
//! assembly stores under a constant.

use super::scope::StatedSlot;
use crate::{
    code::layout::{Derivation, Layout, Part, Type},
    compile::SourceRange,
};
use alloy_primitives::U256;
use std::{collections::BTreeSet, sync::Arc};

/// A struct that a pointer puts somewhere.
#[derive(Debug, Clone)]
pub struct Namespace {
    /// The name of the struct, with that of its contract.
    pub structure: String,
    /// Where it is put.
    pub stated: StatedSlot,
    /// Its members, there.
    pub(super) layout: Arc<Layout>,
}

/// A slot that assembly stores to or loads from under a constant or a number.
#[derive(Debug, Clone)]
pub struct RawSlot {
    /// The slot.
    pub stated: StatedSlot,
    /// The name of the constant; none if it is a number.
    pub name: Option<String>,
    /// Whether it is in transient storage.
    pub is_transient: bool,
    /// Whether the code stores there, and does not only load.
    pub is_stored: bool,
    /// The writes to it.
    pub stores: Vec<SourceRange>,
    /// The calls that pass it to where it is used.
    pub calls: Vec<SourceRange>,
}

/// What a program keeps in a slot.
#[derive(Debug, Clone)]
pub struct SlotOwner {
    /// What it is.
    pub kind: OwnerKind,
    /// Its name, its type and its bytes.
    pub part: Part,
    /// Its declaration: of the variable, the member, or the constant.
    pub declaration: SourceRange,
}

/// The kinds of owners.
#[derive(Debug, Clone)]
pub enum OwnerKind {
    /// A state variable, and whether the code asks for its slot somewhere.
    Variable {
        /// Whether it does.
        is_mentioned: bool,
    },
    /// A member of a namespace that begins at this slot.
    Member(StatedSlot),
    /// What is kept under this constant, and whether the code stores it, and does not only load it.
    Constant(StatedSlot, bool),
}

/// Everything that a program says of slots.
#[derive(Debug, Clone, Default)]
pub struct ProgramClaims {
    /// The structs that pointers put somewhere.
    pub namespaces: Vec<Namespace>,
    /// The slots that assembly stores to.
    pub raw: Vec<RawSlot>,
    /// The layout of the contract, if it is known.
    pub layout: Option<Arc<Layout>>,
    /// The transient storage of the contract, if it has any.
    pub transient: Option<Arc<Layout>>,
    /// The variables whose slots the code asks for.
    pub mentioned: BTreeSet<String>,
    /// The constants that functions name which store where a hash leads, with their values: they may be hashed.
    pub seeds: Vec<(SourceRange, U256)>,
    /// Whether the code asks for the slots of variables that it is passed: then it may compute that of any.
    pub hands_slots_around: bool,
    /// Whether other programs that may share its storage keep something else where this one does.
    pub is_contested_by_others: bool,
}

impl ProgramClaims {
    /// What is kept in a slot, given how that was hashed if it is within a mapping or a list.
    pub fn owners(&self, slot: U256, derivation: Option<&Derivation>, is_transient: bool) -> Vec<SlotOwner> {
        let layout = if is_transient { self.transient.as_ref() } else { self.layout.as_ref() };
        let mut owners: Vec<SlotOwner> =
            layout.into_iter().flat_map(|layout| self.variables(layout, slot, derivation)).collect();
        if !is_transient {
            for Namespace { structure, stated, layout } in &self.namespaces {
                let parts = layout.members_in(structure, slot, derivation);
                let of_namespace = |part: Part| SlotOwner::of(OwnerKind::Member(stated.clone()), part);
                owners.extend(parts.into_iter().filter_map(of_namespace));
            }
        }
        if derivation.is_none() {
            let is_there = |raw: &&RawSlot| raw.stated.slot == slot && raw.is_transient == is_transient;
            owners.extend(self.raw.iter().filter(is_there).filter_map(RawSlot::owner));
        }
        owners
    }

    fn variables(&self, layout: &Layout, slot: U256, derivation: Option<&Derivation>) -> Vec<SlotOwner> {
        let parts = layout.parts_in(slot, derivation).into_iter();
        let owners = parts.filter_map(|part| {
            let variable = part.name.split(['.', '[']).next().unwrap_or_default();
            let is_mentioned = self.mentioned.contains(variable);
            SlotOwner::of(OwnerKind::Variable { is_mentioned }, part)
        });
        owners.collect()
    }
}

impl SlotOwner {
    fn of(kind: OwnerKind, part: Part) -> Option<Self> {
        Some(Self { kind, declaration: part.declaration?, part })
    }

    /// Whether a write to a member of a struct may be meant for it.
    pub fn is_member(&self, structure: &str, member: &str) -> bool {
        self.part.members.iter().any(|(of, name)| of == structure && name == member)
    }
}

impl RawSlot {
    /// As an owner; a number owns nothing, since nobody says what is kept there.
    fn owner(&self) -> Option<SlotOwner> {
        let (name, declaration) = (self.name.clone()?, self.stated.constant?);
        let part = Part {
            label: name.clone(),
            name,
            ty: Type::Value("bytes32".to_owned(), 32),
            members: Vec::new(),
            mask: U256::MAX,
            declaration: Some(declaration),
        };
        Some(SlotOwner { kind: OwnerKind::Constant(self.stated.clone(), self.is_stored), part, declaration })
    }
}
