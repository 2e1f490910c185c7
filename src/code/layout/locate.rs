//! A [`Part`] is what a layout keeps in one slot: a value, or the length of a list, with the names that lead to it. A slot within a
//! mapping or a list is found by its [`Derivation`]: the slot that it was hashed from, and the steps from there.

use super::{
    model::{Field, Layout, slot_and_byte},
    types::Type,
};
use crate::compile::SourceRange;
use alloy_primitives::{U256, U512};

/// Structs, lists and mappings within each other that are followed; chosen by hand.
const MAX_DEPTH: usize = 16;
/// Hashes on the way to a slot that are followed; chosen by hand: a mapping in a struct in a mapping in a mapping has three.
pub const MAX_STEPS: usize = 4;

/// How a slot was hashed from another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Derivation {
    /// The slot that was hashed first.
    pub root: U256,
    /// The steps from there.
    pub steps: [Option<DerivationStep>; MAX_STEPS],
}

/// A step from a slot to what is kept elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DerivationStep {
    /// Whether a key was hashed with the slot, as for a mapping; else only the slot was, as for a list.
    pub has_key: bool,
    /// Slots between the hash and what is hashed next, or what is meant.
    pub distance: u32,
}

/// What is kept in a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its name: `positions[…].amount`.
    pub name: String,
    /// The last name in it: `amount`.
    pub label: String,
    /// Its type.
    pub ty: Type,
    /// The structs on the way, each with its member.
    pub members: Vec<(String, String)>,
    /// The bytes that it takes in the slot.
    pub mask: U256,
    /// The declaration of the variable, or of the member of a namespace, that it is a part of.
    pub declaration: Option<SourceRange>,
}

/// Where the walk to a part is.
struct Step<'a> {
    /// The first byte of what it is at.
    begin: U512,
    /// The slot that is looked for, counted as the bytes are.
    slot: U256,
    /// The hashes that are left.
    steps: &'a [Option<DerivationStep>],
    depth: usize,
}

impl Layout {
    /// What is kept in a slot, given how it was hashed if it is within a mapping or a list.
    pub fn parts_in(&self, slot: U256, derivation: Option<&Derivation>) -> Vec<Part> {
        let (slot, steps) = derivation.map_or((slot, &[][..]), |derivation| (derivation.root, &derivation.steps[..]));
        let mut found = Vec::new();
        for field in self.fields.iter().filter(|field| !field.is_gap() && covers(field.begin, field.end, slot)) {
            let part = Part {
                name: field.name.clone(),
                label: field.name.clone(),
                ty: field.ty.clone(),
                members: Vec::new(),
                mask: U256::ZERO,
                declaration: field.declaration,
            };
            self.walk(part, Step { begin: field.begin, slot, steps, depth: 0 }, &mut found);
        }
        found
    }

    /// The same in a namespace that a struct is kept in: what is found there is a member of it.
    pub fn members_in(&self, structure: &str, slot: U256, derivation: Option<&Derivation>) -> Vec<Part> {
        let mut parts = self.parts_in(slot, derivation);
        for part in &mut parts {
            let member = part.name.split(['.', '[']).next().unwrap_or_default().to_owned();
            part.members.insert(0, (structure.to_owned(), member));
        }
        parts
    }

    /// The declarations of two variables of which values are in the same bytes of a slot that was hashed, in two layouts of one storage,
    /// and which are not the same: of this one, and of the other.
    pub fn derived_collision(
        &self,
        other: &Self,
        slot: U256,
        derivation: &Derivation,
        bytes: U256,
    ) -> Option<(SourceRange, SourceRange)> {
        let others = other.parts_in(slot, Some(derivation));
        let of = |layout: &Self, declaration: SourceRange| {
            layout.fields.iter().find(|field| field.declaration == Some(declaration)).cloned()
        };
        self.parts_in(slot, Some(derivation)).iter().find_map(|own| {
            let met = others.iter().find(|met| !(own.mask & met.mask & bytes).is_zero())?;
            let (own, met) = (own.declaration?, met.declaration?);
            (!of(self, own)?.is_same(&of(other, met)?)).then_some((own, met))
        })
    }

    fn walk(&self, part: Part, at: Step<'_>, found: &mut Vec<Part>) {
        if at.depth > MAX_DEPTH {
            return;
        }
        let (first, byte) = slot_and_byte(at.begin);
        let next = at.steps.split_first().and_then(|(step, rest)| Some(((*step)?, rest)));
        let depth = at.depth + 1;
        match part.ty.clone() {
            Type::Struct(name) => {
                for Field { name: label, ty, begin, end, .. } in self.members(&name) {
                    let (begin, end) = (at.begin + *begin, at.begin + *end);
                    if covers(begin, end, at.slot) {
                        let mut member = part.named(&format!(".{label}"), label, ty);
                        member.members.push((name.clone(), label.clone()));
                        self.walk(member, Step { begin, depth, ..at }, found);
                    }
                }
            }
            Type::Array(item, Some(_)) => {
                let from = at.slot.saturating_sub(first);
                self.walk_items(&part, &item, from, Step { depth, ..at }, found);
            }
            Type::Mapping(_, value) => {
                if let Some((DerivationStep { has_key: true, distance }, rest)) = next.filter(|_| first == at.slot) {
                    let value = part.named("[…]", &part.label, &value);
                    let slot = U256::from(distance);
                    self.walk(value, Step { begin: U512::ZERO, slot, steps: rest, depth }, found);
                }
            }
            Type::Array(..) | Type::Bytes(_) if first != at.slot => {}
            Type::Array(item, None) => match next {
                None => found.push(Part { mask: U256::MAX, ..part }),
                Some((DerivationStep { has_key: false, distance }, rest)) => {
                    let slot = U256::from(distance);
                    self.walk_items(&part, &item, slot, Step { begin: U512::ZERO, slot, steps: rest, depth }, found);
                }
                Some(_) => {}
            },
            Type::Bytes(_) if next.is_none_or(|(step, _)| !step.has_key) => {
                found.push(Part { mask: U256::MAX, ..part });
            }
            ty => {
                let bytes = ty.packed_bytes().filter(|_| first == at.slot && next.is_none());
                if let Some(bytes) = bytes {
                    let ones = if bytes == 32 { U256::MAX } else { (U256::from(1) << (8 * bytes)) - U256::from(1) };
                    found.push(Part { mask: ones << (8 * byte), ..part });
                }
            }
        }
    }

    /// Walks to the items of a list that are in the slot which is so many slots behind the first of them.
    fn walk_items(&self, list: &Part, item: &Type, from: U256, at: Step<'_>, found: &mut Vec<Part>) {
        let of_item = || list.named("[…]", &list.label, item);
        let (start, _) = slot_and_byte(at.begin);
        if let Some(bytes) = item.packed_bytes() {
            let slot_start = U512::from(start.wrapping_add(from)) << 5;
            for index in 0..32 / bytes {
                let begin = slot_start + U512::from(index * bytes);
                self.walk(of_item(), Step { begin, ..at }, found);
            }
        } else if let Some(slots) = self.slots_of(item, 0).filter(|slots| !slots.is_zero()) {
            let first = start.wrapping_add(from - from % slots);
            self.walk(of_item(), Step { begin: U512::from(first) << 5, ..at }, found);
        }
    }

    /// The slots that something takes which begins a slot of its own.
    fn slots_of(&self, ty: &Type, depth: usize) -> Option<U256> {
        let slot = U512::from(32);
        match ty {
            _ if depth > MAX_DEPTH => None,
            Type::Struct(name) => {
                let end = self.members(name).last()?.end;
                Some(end.div_ceil(slot).to::<U256>())
            }
            Type::Array(item, Some(length)) => match item.packed_bytes() {
                Some(bytes) => Some(length.div_ceil(U256::from(32 / bytes))),
                None => self.slots_of(item, depth + 1)?.checked_mul(*length),
            },
            _ => Some(U256::from(1)),
        }
    }
}

impl Part {
    fn named(&self, end: &str, label: &str, ty: &Type) -> Self {
        Self { name: format!("{}{end}", self.name), label: label.to_owned(), ty: ty.clone(), ..self.clone() }
    }

    /// Whether it is the same as another part, as far as names tell: a member of the same struct, or something of the same name and type.
    pub fn is_alike(&self, other: &Self) -> bool {
        let plain = |part: &Self| part.label.trim_matches('_').to_lowercase();
        let shares = self.members.iter().any(|member| other.members.contains(member));
        shares || (self.ty == other.ty && self.mask == other.mask && plain(self) == plain(other))
    }
}

/// Whether a part of what lies between two bytes is in a slot.
fn covers(begin: U512, end: U512, slot: U256) -> bool {
    let start = U512::from(slot) << 5;
    begin < start + U512::from(32) && start < end
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn word(name: &str) -> Type {
        Type::Value(name.to_owned(), if name == "address" { 20 } else { 32 })
    }

    fn field(name: &str, ty: Type, begin: u64, end: u64) -> Field {
        Field {
            name: name.to_owned(),
            ty,
            type_name: String::new(),
            begin: U512::from(begin),
            end: U512::from(end),
            renamed_from: None,
            retyped_from: None,
            declaration: None,
        }
    }

    /// A number, a packed address beside a flag, a list, and a mapping of structs that hold a mapping and a number.
    fn layout() -> Layout {
        let flag = Type::Value("bool".to_owned(), 1);
        let balances = Type::Mapping(Box::new(word("address")), Box::new(word("uint256")));
        let vaults = Type::Mapping(Box::new(word("uint256")), Box::new(Type::Struct("Vault".to_owned())));
        Layout {
            fields: vec![
                field("total", word("uint256"), 0, 32),
                field("owner", word("address"), 32, 52),
                field("open", flag, 52, 53),
                field("list", Type::Array(Box::new(word("uint256")), None), 64, 96),
                field("vaults", vaults, 96, 128),
                field("fixed", Type::Array(Box::new(word("uint256")), Some(U256::from(3))), 128, 224),
            ],
            structs: BTreeMap::from([(
                "Vault".to_owned(),
                vec![field("balances", balances, 0, 32), field("cap", word("uint256"), 32, 64)],
            )]),
            ..Layout::default()
        }
    }

    fn told(slot: u64, steps: &[(bool, u32)]) -> Vec<String> {
        let mut derivation = Derivation { root: U256::from(slot), steps: [None; MAX_STEPS] };
        for (to, (has_key, distance)) in derivation.steps.iter_mut().zip(steps) {
            *to = Some(DerivationStep { has_key: *has_key, distance: *distance });
        }
        let derivation = (!steps.is_empty()).then_some(&derivation);
        layout().parts_in(U256::from(slot), derivation).into_iter().map(|part| part.name).collect()
    }

    #[test]
    fn what_is_in_a_slot() {
        for (slot, steps, expected) in [
            (0, &[][..], &["total"][..]),
            (1, &[], &["owner", "open"]),
            (2, &[], &["list"]),
            (2, &[(false, 7)], &["list[…]"]),
            (2, &[(true, 0)], &[]),
            (3, &[], &[]),
            (3, &[(true, 1)], &["vaults[…].cap"]),
            (3, &[(true, 0)], &[]),
            (3, &[(true, 2)], &[]),
            (3, &[(true, 0), (true, 0)], &["vaults[…].balances[…]"]),
            (3, &[(false, 0)], &[]),
            (6, &[], &["fixed[…]"]),
            (7, &[], &[]),
        ] {
            assert_eq!(told(slot, steps), expected, "slot {slot}, {steps:?}");
        }
    }
}
