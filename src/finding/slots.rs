//! Names of storage slots, from the contract's layout and from the hashes that a run computed for mappings and arrays. A
//! slot without a known name is shown by its number.

use crate::{evm::Preimage, input::brief::short, oracle::arbitrary_write::sentinel_near};
use alloy_primitives::{Address, B256, U256};
use foundry_compilers::artifacts::{Storage, StorageLayout, StorageType};
use serde_json::Value;

/// The largest distance, in slots, of an element from the start of its mapping's or array's value; chosen by hand.
const MAX_SPREAD: u64 = 1 << 20;
/// The deepest nesting of mappings, arrays and structs; chosen by hand.
const MAX_DEPTH: usize = 12;

/// A layout, and the hashes that a run computed.
pub(super) struct Slots<'a> {
    pub(super) layout: Option<&'a StorageLayout>,
    pub(super) preimages: &'a [Preimage],
    /// Names of accounts.
    pub(super) name: &'a dyn Fn(Address) -> Option<String>,
}

/// A variable or a part of one, in one slot.
struct Variable {
    name: String,
    ty: String,
    /// Bytes from the right end of the slot.
    offset: usize,
}

impl Slots<'_> {
    /// The meaning of a change of a slot from one word to another: `(name, before, after)` for each variable that changed.
    pub(super) fn describe(&self, slot: U256, before: U256, after: U256) -> Vec<(String, String, String)> {
        let mut changes = Vec::new();
        for variable in self.variables(slot, 0) {
            let (Some(old), Some(new)) = (self.show(&variable, before), self.show(&variable, after)) else { continue };
            if old != new {
                changes.push((variable.name, old, new));
            }
        }
        if changes.is_empty() {
            let whose = if slot == sentinel_near(slot) { " (any other would do)" } else { "" };
            let [before, after] = [before, after].map(|word| short(&number(word)));
            changes.push((format!("slot {slot:#x}{whose}"), before, after));
        }
        changes
    }

    /// What a slot holds: `(name, value)` for each variable in it.
    pub(super) fn held(&self, slot: U256, word: U256) -> Vec<(String, String)> {
        let shown = |variable: Variable| {
            let value = self.show(&variable, word)?;
            Some((variable.name, value))
        };
        let held: Vec<_> = self.variables(slot, 0).into_iter().filter_map(shown).collect();
        if held.is_empty() { vec![(format!("slot {slot:#x}"), short(&number(word)))] } else { held }
    }

    fn variables(&self, slot: U256, depth: usize) -> Vec<Variable> {
        let Some(layout) = self.layout.filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        let mut found = Vec::new();
        for storage in &layout.storage {
            let Ok(start) = storage.slot.parse::<U256>() else { continue };
            if slot >= start && slot - start < self.slots_of(&storage.storage_type) {
                self.leaves(
                    storage.label.clone(),
                    &storage.storage_type,
                    storage.offset as usize,
                    slot - start,
                    &mut found,
                );
            }
        }
        if !found.is_empty() {
            return found;
        }
        for preimage in self.preimages {
            let distance = slot.wrapping_sub(U256::from_be_bytes(preimage.hash.0));
            if distance > U256::from(MAX_SPREAD) || preimage.bytes.len() < 32 {
                continue;
            }
            let (key, parent) = preimage.bytes.split_at(preimage.bytes.len() - 32);
            for parent in self.variables(U256::from_be_slice(parent), depth + 1) {
                let Some(ty) = layout.types.get(&parent.ty) else { continue };
                match (ty.encoding.as_str(), &ty.value, other(ty, "base")) {
                    ("mapping", Some(value), _) => {
                        let name = format!("{}[{}]", parent.name, self.key(ty.key.as_deref(), key));
                        self.leaves(name, value, 0, distance, &mut found);
                    }
                    ("dynamic_array", _, Some(base)) if key.is_empty() => {
                        self.element(&parent.name, base, distance, &mut found);
                    }
                    _ => {}
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        found
    }

    /// The parts of a variable that are in its slot number `at`.
    fn leaves(&self, name: String, ty: &str, offset: usize, at: U256, found: &mut Vec<Variable>) {
        let Some(definition) = self.layout.and_then(|layout| layout.types.get(ty)) else { return };
        if let Some(members) = definition.other.get("members").and_then(Value::as_array) {
            for member in members.iter().filter_map(|member| serde_json::from_value::<Storage>(member.clone()).ok()) {
                let Ok(start) = member.slot.parse::<U256>() else { continue };
                if at >= start && at - start < self.slots_of(&member.storage_type) {
                    let name = format!("{name}.{}", member.label);
                    self.leaves(name, &member.storage_type, member.offset as usize, at - start, found);
                }
            }
        } else if let (Some(base), "inplace") = (other(definition, "base"), definition.encoding.as_str()) {
            self.element(&name, base, at, found);
        } else {
            found.push(Variable { name, ty: ty.to_owned(), offset });
        }
    }

    /// The elements of an array that are in its slot number `at`.
    fn element(&self, name: &str, base: &str, at: U256, found: &mut Vec<Variable>) {
        let size = self.bytes_of(base).max(1);
        if size >= 32 {
            let slots = self.slots_of(base);
            self.leaves(format!("{name}[{}]", at / slots), base, 0, at % slots, found);
        } else {
            let per_slot = 32 / size;
            for index in 0..per_slot {
                let name = format!("{name}[{}]", at * U256::from(per_slot) + U256::from(index));
                self.leaves(name, base, index * size, U256::ZERO, found);
            }
        }
    }

    fn bytes_of(&self, ty: &str) -> usize {
        self.layout.and_then(|layout| layout.types.get(ty)).and_then(|ty| ty.number_of_bytes.parse().ok()).unwrap_or(32)
    }

    fn slots_of(&self, ty: &str) -> U256 {
        U256::from(self.bytes_of(ty).div_ceil(32).max(1))
    }

    fn key(&self, ty: Option<&str>, bytes: &[u8]) -> String {
        match ty {
            Some(ty) if bytes.len() == 32 => self.word(ty, U256::from_be_slice(bytes)),
            _ => std::str::from_utf8(bytes)
                .map_or_else(|_| short(&alloy_primitives::hex::encode_prefixed(bytes)), |text| format!("{text:?}")),
        }
    }

    fn show(&self, variable: &Variable, word: U256) -> Option<String> {
        let bytes = self.bytes_of(&variable.ty).min(32);
        let shifted = word >> (variable.offset * 8);
        let value = if bytes == 32 { shifted } else { shifted & ((U256::from(1) << (bytes * 8)) - U256::from(1)) };
        match self.layout?.types.get(&variable.ty)?.encoding.as_str() {
            "inplace" => Some(self.word(&variable.ty, value)),
            "dynamic_array" => Some(format!("length {value}")),
            "bytes" => Some(short_bytes(variable.ty.starts_with("t_string"), word)),
            _ => Some(short(&number(value))),
        }
    }

    fn word(&self, ty: &str, word: U256) -> String {
        let signed = |bits: usize| {
            let sign = U256::from(1) << (bits - 1);
            if word & sign == U256::ZERO {
                return short(&word.to_string());
            }
            let modulus = if bits == 256 { U256::ZERO } else { U256::from(1) << bits };
            short(&format!("-{}", modulus.wrapping_sub(word)))
        };
        let unsigned = || short(&word.to_string());
        match ty.strip_prefix("t_").unwrap_or(ty) {
            "bool" => (!word.is_zero()).to_string(),
            name if name.starts_with("address") || name.starts_with("contract") => {
                let address = Address::from_word(B256::from(word));
                (self.name)(address).unwrap_or_else(|| short(&address.to_string()))
            }
            name if name.starts_with("int") => {
                name[3..].parse().ok().filter(|bits| (8..=256).contains(bits)).map_or_else(unsigned, signed)
            }
            name if name.starts_with("bytes") => short(&format!("{word:#x}")),
            _ => unsigned(),
        }
    }
}

fn other<'a>(ty: &'a StorageType, key: &str) -> Option<&'a str> {
    ty.other.get(key).and_then(Value::as_str)
}

/// A `string` or `bytes` as its slot holds it: the whole text if it has less than 32 bytes, else its length.
fn short_bytes(is_text: bool, word: U256) -> String {
    if word.bit(0) {
        return format!("length {}", word >> 1);
    }
    let length = usize::from(word.byte(0) / 2).min(31);
    let bytes = &word.to_be_bytes::<32>()[..length];
    match std::str::from_utf8(bytes) {
        Ok(text) if is_text => format!("{text:?}"),
        _ => short(&alloy_primitives::hex::encode_prefixed(bytes)),
    }
}

/// A number, or what looks like a hash in hexadecimal digits.
pub(super) fn number(word: U256) -> String {
    if word < U256::from(1_000_000_000_u64) { word.to_string() } else { format!("{word:#x}") }
}
