//! A [`Type`] is the type of something that is kept in storage, read from the compiler's name for it. Structs are referred to by name:
//! one may contain itself, in a mapping.

use crate::compile::{Declarations, value_bytes};
use alloy_primitives::U256;
use std::collections::BTreeMap;

/// The type of a variable in storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// A number, an address, a fixed number of bytes or a boolean: its name, and its length in bytes.
    Value(String, u32),
    /// The address of a contract.
    Contract,
    /// A function of this contract, or one of another contract.
    Function {
        /// Whether it can be of another contract.
        external: bool,
    },
    /// `bytes` or `string`: its name.
    Bytes(String),
    /// An enum, with the names of its members.
    Enum(Vec<String>),
    /// A user-defined value type, with its length in bytes.
    Alias(u32),
    /// The struct of this name.
    Struct(String),
    /// A mapping from keys to values.
    Mapping(Box<Type>, Box<Type>),
    /// A list of items; none for its length if that can change.
    Array(Box<Type>, Option<U256>),
}

/// The definitions that types refer to, by name. Of several with one name, the nearest counts.
#[derive(Debug, Default)]
pub(super) struct Definitions<'a> {
    enums: BTreeMap<&'a str, &'a [String]>,
    value_types: BTreeMap<&'a str, &'a str>,
}

impl<'a> Definitions<'a> {
    /// The definitions of some sources, the nearest first.
    pub(super) fn of(sources: impl Iterator<Item = &'a Declarations>) -> Self {
        let mut found = Self::default();
        for declarations in sources {
            for (name, members) in &declarations.enums {
                found.enums.entry(name).or_insert(members);
            }
            for (name, underlying) in &declarations.value_types {
                found.value_types.entry(name).or_insert(underlying);
            }
        }
        found
    }

    /// Reads the compiler's name of a type; `None` if it refers to something unknown.
    pub(super) fn read(&self, name: &str) -> Option<Type> {
        let name = [" storage ref", " storage pointer"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        if let Some(inside) = name.strip_suffix(']') {
            let (item, length) = inside.rsplit_once('[')?;
            let length = if length.is_empty() { None } else { Some(length.parse().ok()?) };
            return Some(Type::Array(Box::new(self.read(item)?), length));
        }
        if let Some(inside) = name.strip_prefix("mapping(").and_then(|rest| rest.strip_suffix(')')) {
            // A key is never a mapping.
            let (key, value) = inside.split_once(" => ")?;
            return Some(Type::Mapping(Box::new(self.read(key)?), Box::new(self.read(value)?)));
        }
        if name.starts_with("function ") {
            return Some(Type::Function { external: name.contains(" external") });
        }
        match name.split_once(' ') {
            Some(("struct", name)) => Some(Type::Struct(name.to_owned())),
            Some(("contract" | "interface" | "library", _)) => Some(Type::Contract),
            Some(("enum", name)) => self.enums.get(name).map(|members| Type::Enum(members.to_vec())),
            _ if matches!(name, "bytes" | "string") => Some(Type::Bytes(name.to_owned())),
            _ => match value_bytes(name) {
                Some(bytes) => Some(Type::Value(name.to_owned(), bytes)),
                None => Some(Type::Alias(value_bytes(self.value_types.get(name)?)?)),
            },
        }
    }
}

impl Type {
    /// The length of a value that is packed with others; `None` for what begins a slot of its own.
    pub(super) fn packed_bytes(&self) -> Option<u32> {
        match self {
            Self::Value(_, bytes) | Self::Alias(bytes) => Some(*bytes),
            Self::Contract => Some(20),
            Self::Function { external } => Some(if *external { 24 } else { 8 }),
            Self::Enum(members) => Some(if members.len() > 256 { 2 } else { 1 }),
            Self::Bytes(_) | Self::Struct(_) | Self::Mapping(..) | Self::Array(..) => None,
        }
    }

    /// Whether it may keep something where a hash leads: a mapping, a list, a text, or a struct.
    pub(in crate::code) fn may_lead_elsewhere(&self) -> bool {
        match self {
            Self::Array(item, Some(_)) => item.may_lead_elsewhere(),
            other => other.packed_bytes().is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types() {
        let declarations = Declarations {
            enums: vec![("Vault.State".to_owned(), vec!["Open".to_owned(), "Closed".to_owned()])],
            value_types: vec![("Shares".to_owned(), "uint128".to_owned())],
            ..Declarations::default()
        };
        let definitions = Definitions::of([&declarations].into_iter());
        let value = |name: &str, bytes| Type::Value(name.to_owned(), bytes);
        let list = |item, length: Option<u64>| Type::Array(Box::new(item), length.map(U256::from));
        for (name, ty) in [
            ("uint256", Some(value("uint256", 32))),
            ("int24", Some(value("int24", 3))),
            ("bytes4", Some(value("bytes4", 4))),
            ("address payable", Some(value("address payable", 20))),
            ("contract IERC20", Some(Type::Contract)),
            ("enum Vault.State", Some(Type::Enum(vec!["Open".to_owned(), "Closed".to_owned()]))),
            ("enum Vault.Phase", None),
            ("Shares", Some(Type::Alias(16))),
            ("Unknown", None),
            ("uint7", None),
            ("bytes33", None),
            ("struct Vault.Position", Some(Type::Struct("Vault.Position".to_owned()))),
            ("uint8[3][]", Some(list(list(value("uint8", 1), Some(3)), None))),
            (
                "mapping(address => mapping(uint256 => bool))",
                Some(Type::Mapping(
                    Box::new(value("address", 20)),
                    Box::new(Type::Mapping(Box::new(value("uint256", 32)), Box::new(value("bool", 1)))),
                )),
            ),
            ("mapping(address => uint8)[2]", {
                let mapping = Type::Mapping(Box::new(value("address", 20)), Box::new(value("uint8", 1)));
                Some(list(mapping, Some(2)))
            }),
            ("function (uint256) external returns (uint256[])", Some(Type::Function { external: true })),
            ("function (uint256) external", Some(Type::Function { external: true })),
            ("function () returns (bool)", Some(Type::Function { external: false })),
        ] {
            assert_eq!(definitions.read(name), ty, "{name}");
        }
    }
}
