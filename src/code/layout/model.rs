//! The types of a [`Layout`]: variables with their types and places.

use super::types::Type;
use crate::compile::{SourceRange, is_gap};
use alloy_primitives::{U256, U512};
use std::collections::BTreeMap;

/// The storage of a contract.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// Its state variables, in the order of their places.
    pub fields: Vec<Field>,
    /// The variables of each namespace, by its annotation: `erc7201:vault.main`.
    pub namespaces: BTreeMap<String, Vec<Field>>,
    /// The members of each struct, with places relative to its beginning.
    pub structs: BTreeMap<String, Vec<Field>>,
}

/// A variable in storage, or a member of a struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its type as the compiler writes it.
    pub type_name: String,
    /// Its first byte, counted from the right end of slot 0: 32 for each slot.
    pub begin: U512,
    /// The byte after its last.
    pub end: U512,
    /// The name that an annotation says it had before.
    pub renamed_from: Option<String>,
    /// The type that an annotation says it had before.
    pub retyped_from: Option<String>,
    /// Its declaration, if it was found.
    pub declaration: Option<SourceRange>,
}

impl Field {
    /// Whether it reserves storage for later versions.
    pub fn is_gap(&self) -> bool {
        matches!(self.ty, Type::Array(..)) && is_gap(&self.name, &self.type_name)
    }

    /// Whether it is a single word or less, and no struct, list, mapping or text.
    pub fn is_value(&self) -> bool {
        self.ty.packed_bytes().is_some()
    }

    /// Whether it is the same variable of another contract: in the same place, of the same type, and under the same name, or one struct.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_alike = self.name == other.name || matches!(self.ty, Type::Struct(_));
        self.begin == other.begin && self.type_name == other.type_name && is_alike
    }

    /// Whether it shares a byte with another one.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.begin < other.end && other.begin < self.end
    }
}

/// The slot and the byte in it, from the right, of a place.
pub(super) fn slot_and_byte(place: U512) -> (U256, usize) {
    let slot: U512 = place >> 5;
    (slot.to::<U256>(), (place & U512::from(31)).to::<usize>())
}
