//! Type: the ABI type of a value, with what the ABI forgets: which `uint8` is an enum and how many members it has,
//! the names of a struct and its fields, and which `address` is that of which contract. It does not know Solidity's other types (mappings, storage references):
//! a function that takes one cannot be called from outside.

use std::fmt;

use alloy_dyn_abi::{DynSolType, DynSolValue as Value};
use alloy_json_abi::Param;
use alloy_primitives::{Address, B256, Function, I256, U256};

use super::number;

/// Words in the static part of a parameter's type; chosen by hand. A function with a larger one is not called: one call would
/// be half a megabyte.
const MAX_WORDS: usize = 16_384;

/// The type of a value that a transaction can carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bool`.
    Bool,
    /// `address` and `address payable`.
    Address,
    /// The address of a contract of this type, an `address` for the ABI.
    Contract {
        /// Its name, such as `IERC20`.
        name: String,
        /// Whether it is declared so. Otherwise it is declared as an `address`, which the source uses as one.
        is_declared: bool,
    },
    /// `uintN`, the width in bits.
    Uint(usize),
    /// `intN`, the width in bits.
    Int(usize),
    /// `bytesN`, the length in bytes.
    FixedBytes(usize),
    /// An external function: an address and a selector, 24 bytes.
    Function,
    /// An enum, a `uint8` for the ABI.
    Enum {
        /// Its qualified name, such as `Vault.State`.
        name: String,
        /// The number of its members, 1 to 256.
        members: u16,
    },
    /// `bytes`.
    Bytes,
    /// `string`.
    String,
    /// `T[]`.
    Array(Box<Type>),
    /// `T[n]`.
    FixedArray(Box<Type>, usize),
    /// A struct.
    Tuple {
        /// Its qualified name, such as `Market.Order`; empty if unknown.
        name: String,
        /// Its fields, in order.
        fields: Vec<Parameter>,
    },
}

/// A named, typed place: a parameter of a function, a value that it returns, a field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name in the source; empty if it has none.
    pub name: String,
    /// The type.
    pub ty: Type,
}

impl Type {
    /// The type of an ABI parameter; `None` if no value of it can be sent (a mapping, a storage reference, a
    /// fixed-point number) or if it is absurdly large.
    ///
    /// `enums` tells how many members an enum has, by its internal type without array suffixes (`enum Vault.State`).
    pub fn of(param: &Param, enums: &dyn Fn(&str) -> Option<u16>) -> Option<Self> {
        let internal = param.internal_type.as_ref().map(ToString::to_string).unwrap_or_default();
        let base = internal.split('[').next().unwrap_or_default();
        let (stem, sizes) = param.ty.find('[').map_or((&*param.ty, ""), |at| param.ty.split_at(at));
        let mut ty = if stem == "tuple" {
            let name = base.strip_prefix("struct ").unwrap_or_default().to_owned();
            let field = |p: &Param| Some(Parameter { name: p.name.clone(), ty: Self::of(p, enums)? });
            Self::Tuple { name, fields: param.components.iter().map(field).collect::<Option<_>>()? }
        } else if let Some(name) = base.strip_prefix("enum ") {
            // Libraries name the enum itself in the ABI; older compilers give more than 256 members a `uint16`.
            match enums(base) {
                Some(members @ 1..=256) if stem == "uint8" || stem == name => {
                    Self::Enum { name: name.to_owned(), members }
                }
                _ if stem == name => Self::Uint(8),
                _ => Self::elementary(stem)?,
            }
        } else if let Some(name) = base.strip_prefix("contract ") {
            Self::Contract { name: name.to_owned(), is_declared: true }
        } else {
            Self::elementary(stem)?
        };
        for size in sizes.split_terminator(']') {
            ty = match size.strip_prefix('[')? {
                "" => Self::Array(Box::new(ty)),
                n => Self::FixedArray(Box::new(ty), n.parse().ok()?),
            };
        }
        (ty.head_words() <= MAX_WORDS && ty.element_words() <= MAX_WORDS).then_some(ty)
    }

    /// The type that an ABI type string such as `uint8` or `bytes32` names, if it is neither array nor tuple.
    fn elementary(name: &str) -> Option<Self> {
        // alloy takes any `Library.Name` for a `uint8`, but it may be a storage reference.
        if name.contains('.') {
            return None;
        }
        Some(match DynSolType::parse(name).ok()? {
            DynSolType::Bool => Self::Bool,
            DynSolType::Address => Self::Address,
            DynSolType::Function => Self::Function,
            DynSolType::Uint(bits) => Self::Uint(bits),
            DynSolType::Int(bits) => Self::Int(bits),
            DynSolType::FixedBytes(n) => Self::FixedBytes(n),
            DynSolType::Bytes => Self::Bytes,
            DynSolType::String => Self::String,
            _ => return None,
        })
    }

    /// The same type with other types for addresses. `other` tells that of an address, or none if it stays: it gets the name of the
    /// member where the address is in a struct, and the type that it has.
    #[must_use]
    pub(super) fn with_addresses(&self, other: &dyn Fn(Option<&str>, &Self) -> Option<Self>) -> Self {
        self.with_addresses_in(None, other)
    }

    fn with_addresses_in(&self, member: Option<&str>, other: &dyn Fn(Option<&str>, &Self) -> Option<Self>) -> Self {
        match self {
            Self::Address | Self::Contract { .. } => other(member, self).unwrap_or_else(|| self.clone()),
            Self::Array(inner) => Self::Array(Box::new(inner.with_addresses_in(member, other))),
            Self::FixedArray(inner, n) => Self::FixedArray(Box::new(inner.with_addresses_in(member, other)), *n),
            Self::Tuple { name, fields } => {
                let field = |field: &Parameter| Parameter {
                    name: field.name.clone(),
                    ty: field.ty.with_addresses_in(Some(&field.name), other),
                };
                Self::Tuple { name: name.clone(), fields: fields.iter().map(field).collect() }
            }
            _ => self.clone(),
        }
    }

    /// The contract types of the addresses in a value of this type, each as often as it is needed to tell them apart: twice in
    /// a list.
    #[must_use]
    pub fn contract_types(&self) -> Vec<&str> {
        match self {
            Self::Contract { name, .. } => vec![name],
            Self::Array(inner) => inner.contract_types().repeat(2),
            Self::FixedArray(inner, n) => inner.contract_types().repeat((*n).min(3)),
            Self::Tuple { fields, .. } => fields.iter().flat_map(|field| field.ty.contract_types()).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it is an address, of a contract or of anybody.
    #[must_use]
    pub const fn is_address(&self) -> bool {
        matches!(self, Self::Address | Self::Contract { .. })
    }

    /// Whether it is the address of a contract.
    #[must_use]
    pub const fn is_contract(&self) -> bool {
        matches!(self, Self::Contract { .. })
    }

    /// The type at the end of a path into its values.
    #[must_use]
    pub fn leaf(&self, path: &[u32]) -> Option<&Self> {
        path.iter().try_fold(self, |ty, index| match ty {
            Self::Array(inner) | Self::FixedArray(inner, _) => Some(&**inner),
            Self::Tuple { fields, .. } => fields.get(*index as usize).map(|field| &field.ty),
            _ => None,
        })
    }

    /// Whether the encoding of this type has a length of its own, so that its head is only an offset.
    #[must_use]
    pub fn is_dynamic(&self) -> bool {
        match self {
            Self::Bytes | Self::String | Self::Array(_) => true,
            Self::FixedArray(inner, _) => inner.is_dynamic(),
            Self::Tuple { fields, .. } => fields.iter().any(|f| f.ty.is_dynamic()),
            _ => false,
        }
    }

    /// How many words this type takes in the head of the sequence it stands in.
    #[must_use]
    pub fn head_words(&self) -> usize {
        match self {
            _ if self.is_dynamic() => 1,
            Self::FixedArray(inner, n) => inner.head_words().saturating_mul(*n),
            Self::Tuple { fields, .. } => fields.iter().fold(0usize, |sum, f| sum.saturating_add(f.ty.head_words())),
            _ => 1,
        }
    }

    /// The words of the least value of this type and of everything in it: what one element more costs.
    pub(super) fn element_words(&self) -> usize {
        match self {
            Self::Array(inner) => inner.element_words(),
            Self::FixedArray(inner, n) => inner.element_words().saturating_mul(*n),
            Self::Tuple { fields, .. } => fields.iter().fold(0usize, |sum, f| sum.saturating_add(f.ty.element_words())),
            _ => 1,
        }
    }

    /// Whether this type has only one value, so that no mutation can change it.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::FixedArray(inner, n) => *n == 0 || inner.is_constant(),
            Self::Tuple { fields, .. } => fields.iter().all(|f| f.ty.is_constant()),
            Self::FixedBytes(n) => *n == 0,
            _ => false,
        }
    }

    /// The value that Solidity gives a variable of this type that was never written.
    #[must_use]
    pub fn zero(&self) -> Value {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Address | Self::Contract { .. } => Value::Address(Address::ZERO),
            Self::Uint(bits) => Value::Uint(U256::ZERO, *bits),
            Self::Int(bits) => Value::Int(I256::ZERO, *bits),
            Self::FixedBytes(n) => Value::FixedBytes(B256::ZERO, *n),
            Self::Function => Value::Function(Function::ZERO),
            Self::Enum { .. } => Value::Uint(U256::ZERO, 8),
            Self::Bytes => Value::Bytes(Vec::new()),
            Self::String => Value::String(String::new()),
            Self::Array(_) => Value::Array(Vec::new()),
            Self::FixedArray(inner, n) => Value::FixedArray(vec![inner.zero(); *n]),
            Self::Tuple { fields, .. } => Value::Tuple(fields.iter().map(|f| f.ty.zero()).collect()),
        }
    }

    /// Whether a value is of this type, within its width included. An enum may be out of its range (as calldata may).
    #[must_use]
    pub fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool, Value::Bool(_))
            | (Self::Address | Self::Contract { .. }, Value::Address(_))
            | (Self::Function, Value::Function(_))
            | (Self::Bytes, Value::Bytes(_))
            | (Self::String, Value::String(_)) => true,
            (Self::Enum { .. }, Value::Uint(x, 8)) => x.bit_len() <= 8,
            (Self::Uint(bits), Value::Uint(x, width)) => bits == width && x.bit_len() <= *bits,
            (Self::Int(bits), Value::Int(x, width)) => {
                bits == width && number::sign_extend(x.into_raw() & number::mask(*bits), *bits) == x.into_raw()
            }
            (Self::FixedBytes(n), Value::FixedBytes(word, length)) => {
                n == length && word[*n..].iter().all(|byte| *byte == 0)
            }
            (Self::Array(inner), Value::Array(items)) => items.iter().all(|item| inner.accepts(item)),
            (Self::FixedArray(inner, n), Value::FixedArray(items)) => {
                items.len() == *n && items.iter().all(|item| inner.accepts(item))
            }
            (Self::Tuple { fields, .. }, Value::Tuple(items)) => {
                fields.len() == items.len() && fields.iter().zip(items).all(|(f, item)| f.ty.accepts(item))
            }
            _ => false,
        }
    }
}

impl From<&Type> for DynSolType {
    fn from(ty: &Type) -> Self {
        match ty {
            Type::Bool => Self::Bool,
            Type::Address | Type::Contract { .. } => Self::Address,
            Type::Uint(bits) => Self::Uint(*bits),
            Type::Int(bits) => Self::Int(*bits),
            Type::FixedBytes(n) => Self::FixedBytes(*n),
            Type::Function => Self::Function,
            Type::Enum { .. } => Self::Uint(8),
            Type::Bytes => Self::Bytes,
            Type::String => Self::String,
            Type::Array(inner) => Self::Array(Box::new(Self::from(&**inner))),
            Type::FixedArray(inner, n) => Self::FixedArray(Box::new(Self::from(&**inner)), *n),
            Type::Tuple { fields, .. } => Self::Tuple(fields.iter().map(|f| Self::from(&f.ty)).collect()),
        }
    }
}

/// The canonical ABI name, as in signatures: `uint8` for an enum, `(address,uint256)` for a struct.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Address | Self::Contract { .. } => f.write_str("address"),
            Self::Uint(bits) => write!(f, "uint{bits}"),
            Self::Int(bits) => write!(f, "int{bits}"),
            Self::FixedBytes(n) => write!(f, "bytes{n}"),
            Self::Function => f.write_str("function"),
            Self::Enum { .. } => f.write_str("uint8"),
            Self::Bytes => f.write_str("bytes"),
            Self::String => f.write_str("string"),
            Self::Array(inner) => write!(f, "{inner}[]"),
            Self::FixedArray(inner, n) => write!(f, "{inner}[{n}]"),
            Self::Tuple { fields, .. } => {
                f.write_str("(")?;
                for (i, field) in fields.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { "," } else { "" }, field.ty)?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ty: &str, internal: &str) -> Option<String> {
        let param: Param = serde_json::from_value(serde_json::json!({
            "name": "x", "type": ty, "internalType": internal,
            "components": if ty.starts_with("tuple") {
                serde_json::json!([{"name": "who", "type": "address", "internalType": "contract Token"},
                                   {"name": "how", "type": "uint8[]", "internalType": "enum Vault.State[]"}])
            } else {
                serde_json::json!([])
            },
        }))
        .expect("a parameter");
        let members = |name: &str| (name == "enum Vault.State").then_some(3);
        Type::of(&param, &members).map(|ty| format!("{ty:?}").replace('"', ""))
    }

    #[test]
    fn abi_parameters_keep_what_the_abi_forgets() {
        let cases = [
            ("uint256", "uint256", "Uint(256)"),
            ("uint256", "Price", "Uint(256)"),
            ("address", "contract Token", "Contract { name: Token, is_declared: true }"),
            ("uint8", "enum Vault.State", "Enum { name: Vault.State, members: 3 }"),
            ("uint8", "enum Other.State", "Uint(8)"),
            ("uint8[2][]", "enum Vault.State[2][]", "Array(FixedArray(Enum { name: Vault.State, members: 3 }, 2))"),
            ("Vault.State", "enum Vault.State", "Enum { name: Vault.State, members: 3 }"),
            ("bytes4[]", "bytes4[]", "Array(FixedBytes(4))"),
            (
                "tuple[]",
                "struct Vault.Order[]",
                "Array(Tuple { name: Vault.Order, fields: [Parameter { name: who, ty: Contract { name: Token, is_declared: true } }, \
                 Parameter { name: how, ty: Array(Enum { name: Vault.State, members: 3 }) }] })",
            ),
        ];
        for (ty, internal, expected) in cases {
            assert_eq!(of(ty, internal).as_deref(), Some(expected), "{ty} {internal}");
        }
    }

    #[test]
    fn what_cannot_be_sent_is_no_type() {
        for (ty, internal) in
            [("uint256[100000]", "uint256[100000]"), ("uint8[9999][9999]", ""), ("Lib.Set", "Lib.Set")]
        {
            assert_eq!(of(ty, internal), None, "{ty}");
        }
    }
}
