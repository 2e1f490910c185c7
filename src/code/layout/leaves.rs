//! A [`Leaf`] is a part of a variable that is stored in one slot: a member of a struct, an item of a list, a value of a mapping. A
//! [`Clash`] is a leaf of a new layout that is read where a leaf of the old one was written.

use super::{
    compare::Change,
    model::{Field, Layout, slot_and_byte},
    types::Type,
};
use crate::compile::SourceRange;
use alloy_primitives::{U256, U512, keccak256};

/// Structs, lists and mappings within each other that are followed; chosen by hand.
const MAX_DEPTH: usize = 5;
/// Items of a list that are looked at; chosen by hand.
const MAX_ITEMS: u64 = 4;
/// Leaves of one variable that are looked at; chosen by hand.
const MAX_LEAVES: usize = 256;

/// A step from a slot to words that are kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hop {
    /// The value of a mapping in this slot, for a key of this type.
    Key(U256, Type),
    /// The first item of the list in this slot.
    Item(U256),
}

/// What a getter takes to return a part of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GetterArgument {
    /// A key of a mapping.
    Key,
    /// An index of a list.
    Index(u64),
}

/// A part of a variable in one slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Its name: `positions[…].amount`.
    pub name: String,
    /// The variable that it is a part of, under the name that it had before, if an annotation says so.
    pub variable: String,
    /// Its type.
    pub ty: Type,
    /// The same as the compiler writes it; empty for what lies within a list or a mapping.
    pub type_name: String,
    /// The slots that lead to it, where it is not in one of its own.
    pub route: Vec<Hop>,
    /// Its first byte; behind a route from the slot that this leads to.
    pub begin: U512,
    /// The byte after its last.
    pub end: U512,
    /// What the variable's getter takes.
    pub arguments: Vec<GetterArgument>,
    /// The declaration of the variable.
    pub declaration: Option<SourceRange>,
    /// Its name without that of the variable.
    part: String,
}

/// Two parts of variables that share bytes, and are not the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// What was written.
    pub before: Leaf,
    /// What is read there now.
    pub after: Leaf,
}

impl Layout {
    /// What reads, after a change, what another variable or another type wrote.
    pub fn clashes(&self, after: &Self, change: &Change) -> Vec<Clash> {
        let namespace = change.namespace.as_deref();
        let all = |layout: &Self, only: Option<usize>| -> Vec<Leaf> {
            let fields = layout.fields_of(namespace).iter().enumerate();
            let chosen = fields.filter(|(at, field)| only.is_none_or(|only| only == *at) && !field.is_gap());
            chosen.flat_map(|(_, field)| layout.leaves(field)).collect()
        };
        let written = all(self, if change.after.is_some() { None } else { change.before });
        let read = all(after, change.after);
        let mut clashes = Vec::new();
        for after in read {
            for before in written.iter().filter(|before| before.meets(&after)) {
                clashes.push(Clash { before: before.clone(), after: after.clone() });
            }
        }
        clashes
    }

    /// The parts of a variable that was moved, or has another type: before, and after.
    pub fn kept(&self, after: &Self, change: &Change) -> Vec<Clash> {
        let namespace = change.namespace.as_deref();
        let (Some(i), Some(j)) = (change.before, change.after) else { return Vec::new() };
        let written = self.leaves(&self.fields_of(namespace)[i]);
        let read = after.leaves(&after.fields_of(namespace)[j]);
        let same = |before: &Leaf| {
            read.iter().find(|after| after.variable == before.variable && after.part == before.part).cloned()
        };
        written.into_iter().filter_map(|before| Some(Clash { after: same(&before)?, before })).collect()
    }

    /// The first slots that its variables are in, at most this many of each.
    pub fn slots(&self, most: usize) -> Vec<U256> {
        let of_field = |field: &Field| {
            let first = slot_and_byte(field.begin).0;
            let count = (field.end - field.begin).div_ceil(U512::from(32)).min(U512::from(most)).to::<u64>();
            (0..count).map(move |at| first.wrapping_add(U256::from(at)))
        };
        self.fields.iter().filter(|field| !field.is_gap()).flat_map(of_field).collect()
    }

    /// The first two variables that are in the same bytes of a slot in two layouts of one storage, and are not the same: of this one, and
    /// of the other.
    pub fn collision(&self, other: &Self, slot: U256, bytes: U256) -> Option<(Leaf, Leaf)> {
        let is_there = |leaf: &Leaf| {
            leaf.route.is_empty() && slot_and_byte(leaf.begin).0 == slot && !(leaf.mask() & bytes).is_zero()
        };
        for own in self.fields.iter().filter(|field| !field.is_gap()) {
            let others =
                other.fields.iter().filter(|field| !field.is_gap() && own.overlaps(field) && !own.is_same(field));
            for theirs in others {
                let leaves = self.leaves(own).into_iter().filter(is_there);
                for leaf in leaves {
                    let meets = |it: &Leaf| is_there(it) && !(it.mask() & leaf.mask() & bytes).is_zero();
                    if let Some(met) = other.leaves(theirs).into_iter().find(meets) {
                        return Some((leaf, met));
                    }
                }
            }
        }
        None
    }

    fn leaves(&self, field: &Field) -> Vec<Leaf> {
        let whole = Leaf {
            name: field.name.clone(),
            variable: field.renamed_from.as_ref().unwrap_or(&field.name).clone(),
            ty: field.ty.clone(),
            type_name: field.type_name.clone(),
            route: Vec::new(),
            begin: field.begin,
            end: field.end,
            arguments: Vec::new(),
            declaration: field.declaration,
            part: String::new(),
        };
        let mut found = Vec::new();
        self.split(whole, 0, &mut found);
        found.truncate(MAX_LEAVES);
        found
    }

    /// Splits what takes several words, or keeps them elsewhere.
    fn split(&self, leaf: Leaf, depth: usize, found: &mut Vec<Leaf>) {
        if depth > MAX_DEPTH || found.len() > MAX_LEAVES {
            return;
        }
        match leaf.ty.clone() {
            Type::Struct(name) => {
                for member in self.members(&name) {
                    let part = leaf.part(&format!(".{}", member.name), &member.ty, &member.type_name);
                    let (begin, end) = (leaf.begin + member.begin, leaf.begin + member.end);
                    self.split(Leaf { begin, end, ..part }, depth + 1, found);
                }
            }
            Type::Array(item, Some(length)) => {
                let (bytes, each) = match item.packed_bytes() {
                    Some(bytes) => (U512::from(bytes), U256::from(32 / bytes)),
                    None if length.is_zero() => return,
                    None => ((leaf.end - leaf.begin) / U512::from(length), U256::from(1)),
                };
                for index in 0..length.min(U256::from(MAX_ITEMS)).to::<u64>() {
                    let (slot, nth) = (U256::from(index) / each, U256::from(index) % each);
                    let stride = if each == U256::from(1) && bytes > U512::from(32) { bytes } else { U512::from(32) };
                    let begin = leaf.begin + U512::from(slot) * stride + U512::from(nth) * bytes;
                    let mut part = leaf.part(&format!("[{index}]"), &item, "");
                    part.arguments.push(GetterArgument::Index(index));
                    self.split(Leaf { begin, end: begin + bytes, ..part }, depth + 1, found);
                }
            }
            Type::Mapping(key, value) => {
                let hop = Hop::Key(slot_and_byte(leaf.begin).0, *key);
                self.split(leaf.beyond("[…]", hop, GetterArgument::Key, &value), depth + 1, found);
            }
            Type::Array(item, None) => {
                let hop = Hop::Item(slot_and_byte(leaf.begin).0);
                let items = leaf.beyond("[0]", hop, GetterArgument::Index(0), &item);
                // Its length.
                found.push(leaf);
                self.split(items, depth + 1, found);
            }
            _ => found.push(leaf),
        }
    }
}

impl Leaf {
    /// A part of it.
    fn part(&self, name: &str, ty: &Type, type_name: &str) -> Self {
        Self {
            name: format!("{}{name}", self.name),
            part: format!("{}{name}", self.part),
            ty: ty.clone(),
            type_name: type_name.to_owned(),
            ..self.clone()
        }
    }

    /// What it leads to.
    fn beyond(&self, name: &str, hop: Hop, argument: GetterArgument, ty: &Type) -> Self {
        let mut part = self.part(name, ty, "");
        part.route.push(hop);
        part.arguments.push(argument);
        let bytes = U512::from(ty.packed_bytes().unwrap_or(32));
        Self { begin: U512::ZERO, end: bytes, ..part }
    }

    /// Whether it shares bytes with another one and is not the same.
    fn meets(&self, after: &Self) -> bool {
        let is_same = self.variable == after.variable && self.part == after.part && self.ty.reads(&after.ty);
        self.route == after.route && self.begin < after.end && after.begin < self.end && !is_same
    }

    /// The slot that holds it, for these keys, and the slots of lists on the way, which have to have an item. `None` if there are too
    /// few keys.
    pub fn slot(&self, keys: &[U256]) -> Option<(U256, Vec<U256>)> {
        let (mut start, mut lists, mut keys) = (None, Vec::new(), keys.iter());
        for hop in &self.route {
            // Within what a hop leads to, the next hop's slot counts from there.
            let at = |slot: &U256| start.map_or(*slot, |start: U256| start.wrapping_add(*slot));
            start = Some(match hop {
                Hop::Key(slot, _) => {
                    let key = keys.next()?.to_be_bytes::<32>();
                    U256::from_be_bytes(keccak256([key, at(slot).to_be_bytes()].concat()).0)
                }
                Hop::Item(slot) => {
                    lists.push(at(slot));
                    U256::from_be_bytes(keccak256(at(slot).to_be_bytes::<32>()).0)
                }
            });
        }
        let (slot, _) = slot_and_byte(self.begin);
        Some((start.map_or(slot, |start| start.wrapping_add(slot)), lists))
    }

    /// The types of the keys that lead to it.
    pub fn keys(&self) -> impl Iterator<Item = &Type> {
        self.route.iter().filter_map(|hop| match hop {
            Hop::Key(_, ty) => Some(ty),
            Hop::Item(_) => None,
        })
    }

    /// Whether it holds an address.
    pub fn is_address(&self) -> bool {
        match &self.ty {
            Type::Contract => true,
            Type::Value(name, _) => name.starts_with("address"),
            _ => false,
        }
    }

    /// The name of the variable whose getter returns it.
    pub fn getter(&self) -> &str {
        self.name.split(['.', '[']).next().unwrap_or_default()
    }

    /// A mask of its bytes in its slot. What takes more than one slot is not a leaf.
    pub fn mask(&self) -> U256 {
        let (_, byte) = slot_and_byte(self.begin);
        let bytes = (self.end - self.begin).to::<u64>().min(32) as usize;
        let ones = if bytes == 32 { U256::MAX } else { (U256::from(1) << (8 * bytes)) - U256::from(1) };
        ones << (8 * byte)
    }
}

impl Type {
    /// Whether words of this type mean the same as words of another.
    fn reads(&self, after: &Self) -> bool {
        match (self, after) {
            (Self::Contract, Self::Value(name, _)) | (Self::Value(name, _), Self::Contract) => name == "address",
            (Self::Enum(before), Self::Enum(after)) => after.starts_with(before),
            _ => self == after,
        }
    }
}
