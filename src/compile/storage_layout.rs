//! The storage layout of contracts that were compiled before 0.5.13, from which release on the compiler tells it: made of the
//! syntax trees in the form in which later releases give it. Bases come first, the most basic of all at the beginning, and values share a
//! slot where the next one still fits.

use super::tree::{nodes, text};
use semver::Version;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};

/// The first release that tells it.
const TOLD_SINCE: Version = Version::new(0, 5, 13);
/// Bytes of a slot.
const SLOT: u128 = 32;
/// Types within types that are followed; chosen by hand.
const MAX_DEPTH: usize = 64;

/// Whether this release tells the storage layouts of contracts.
pub(super) fn is_told_by(solc: &Version) -> bool {
    (solc.major, solc.minor, solc.patch) >= (TOLD_SINCE.major, TOLD_SINCE.minor, TOLD_SINCE.patch)
}

/// Adds its storage layout to each contract of the compiler's output, which has the syntax trees of all sources. A contract of which something
/// is not understood gets none.
pub(super) fn add(output: &mut Value) {
    let layouts = {
        let trees: Vec<&Value> = sources(output).filter_map(|(_, source)| source.get("ast")).collect();
        let definitions = Definitions::of(&trees);
        let mut layouts = Vec::new();
        for (file, source) in sources(output) {
            for contract in source.get("ast").into_iter().flat_map(nodes).filter(|node| is(node, "ContractDefinition"))
            {
                let layout = definitions.layout(contract);
                layouts.extend(layout.map(|layout| (file.clone(), text(contract, "name").to_owned(), layout)));
            }
        }
        layouts
    };
    for (file, name, layout) in layouts {
        let contract = output.get_mut("contracts").and_then(|contracts| contracts.get_mut(file)?.get_mut(name));
        if let Some(Value::Object(contract)) = contract {
            contract.insert("storageLayout".to_owned(), layout);
        }
    }
}

/// The definitions of all sources, by the compiler's numbers for them.
struct Definitions<'a> {
    by_id: HashMap<u64, &'a Value>,
}

/// The types that variables of a contract have, by their identifiers.
type Types = BTreeMap<String, Value>;

/// A type by its identifier, and the bytes that it takes.
struct Measured {
    identifier: String,
    bytes: u128,
    /// Whether others may share a slot with it.
    is_packed: bool,
}

impl<'a> Definitions<'a> {
    fn of(trees: &[&'a Value]) -> Self {
        let mut by_id = HashMap::new();
        let mut open: Vec<&Value> = trees.iter().copied().flat_map(nodes).collect();
        while let Some(node) = open.pop() {
            by_id.extend(node.get("id").and_then(Value::as_u64).map(|id| (id, node)));
            if is(node, "ContractDefinition") {
                open.extend(nodes(node));
            }
        }
        Self { by_id }
    }

    fn layout(&self, contract: &'a Value) -> Option<Value> {
        let mut types = Types::new();
        let linearized = contract.get("linearizedBaseContracts")?.as_array()?;
        let mut variables = Vec::new();
        for base in linearized.iter().rev() {
            let base = *self.by_id.get(&base.as_u64()?)?;
            let is_kept = |member: &&Value| {
                is(member, "VariableDeclaration") && member.get("constant").and_then(Value::as_bool) != Some(true)
            };
            variables.extend(nodes(base).filter(is_kept));
        }
        let (storage, _) = self.place(variables.into_iter(), &mut types, 0)?;
        Some(json!({ "storage": storage, "types": types.into_iter().collect::<Map<_, _>>() }))
    }

    /// Places variables one after the other: how the compiler tells of them, and the number of slots.
    fn place(
        &self,
        variables: impl Iterator<Item = &'a Value>,
        types: &mut Types,
        depth: usize,
    ) -> Option<(Vec<Value>, u128)> {
        let (mut placed, mut next) = (Vec::new(), 0_u128);
        for variable in variables {
            let Measured { identifier, bytes, is_packed } = self.sized(variable.get("typeName")?, types, depth)?;
            let fits = is_packed && next % SLOT + bytes <= SLOT;
            let begin = if fits { next } else { next.checked_next_multiple_of(SLOT)? };
            next = begin.checked_add(bytes)?;
            placed.push(json!({
                "astId": variable.get("id"),
                "contract": "",
                "label": text(variable, "name"),
                "offset": (begin % SLOT) as u64,
                "slot": (begin / SLOT).to_string(),
                "type": identifier,
            }));
        }
        Some((placed, next.div_ceil(SLOT)))
    }

    /// A type, which is noted among the types together with those that it is made of.
    fn sized(&self, name: &'a Value, types: &mut Types, depth: usize) -> Option<Measured> {
        if depth > MAX_DEPTH {
            return None;
        }
        let said = |key: &str| name.pointer(&format!("/typeDescriptions/{key}")).and_then(Value::as_str);
        let label = said("typeString")?;
        let label =
            [" storage ref", " storage pointer"].iter().find_map(|end| label.strip_suffix(end)).unwrap_or(label);
        let identifier = plain(said("typeIdentifier").unwrap_or(label));
        let inside = |name: &'a Value, types: &mut Types| self.sized(name, types, depth + 1);
        let mut told = json!({ "label": label });
        let (bytes, is_packed) = match text(name, "nodeType") {
            "ElementaryTypeName" if matches!(label, "string" | "bytes") => {
                told["encoding"] = json!("bytes");
                (SLOT, false)
            }
            "ElementaryTypeName" => (value_bytes(label)?.into(), true),
            "FunctionTypeName" => (if text(name, "visibility") == "external" { 24 } else { 8 }, true),
            "Mapping" => {
                let key = inside(name.get("keyType")?, types)?;
                let value = inside(name.get("valueType")?, types)?;
                told["encoding"] = json!("mapping");
                told["key"] = json!(key.identifier);
                told["value"] = json!(value.identifier);
                (SLOT, false)
            }
            "ArrayTypeName" => {
                let base = inside(name.get("baseType")?, types)?;
                told["base"] = json!(base.identifier);
                let length = label.strip_suffix(']')?.rsplit_once('[')?.1;
                if length.is_empty() {
                    told["encoding"] = json!("dynamic_array");
                    (SLOT, false)
                } else {
                    let length: u128 = length.parse().ok()?;
                    let slots = match base.is_packed {
                        true => length.div_ceil(SLOT / base.bytes),
                        false => length.checked_mul(base.bytes / SLOT)?,
                    };
                    (slots.checked_mul(SLOT)?, false)
                }
            }
            "UserDefinedTypeName" => {
                let definition = *self.by_id.get(&name.get("referencedDeclaration")?.as_u64()?)?;
                let members = || definition.get("members").and_then(Value::as_array).into_iter().flatten();
                match text(definition, "nodeType") {
                    "ContractDefinition" => (20, true),
                    "EnumDefinition" => (if members().count() > 256 { 2 } else { 1 }, true),
                    "StructDefinition" => {
                        if let Some(known) = types.get(&identifier) {
                            // It contains itself, in a mapping or a list, where its size is of no account.
                            let bytes = known["numberOfBytes"].as_str().and_then(|bytes| bytes.parse().ok());
                            return Some(Measured { identifier, bytes: bytes.unwrap_or(SLOT), is_packed: false });
                        }
                        types.insert(identifier.clone(), Value::Null);
                        let (members, slots) = self.place(members(), types, depth + 1)?;
                        told["members"] = json!(members);
                        (slots.checked_mul(SLOT)?, false)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        told["numberOfBytes"] = json!(bytes.to_string());
        if told.get("encoding").is_none() {
            told["encoding"] = json!("inplace");
        }
        types.insert(identifier.clone(), told);
        Some(Measured { identifier, bytes, is_packed })
    }
}

/// The length of an elementary type, in bytes; none for any other name.
pub fn value_bytes(name: &str) -> Option<u32> {
    let bits = |digits: &str| if digits.is_empty() { Some(256) } else { digits.parse::<u32>().ok() };
    match name {
        "bool" => Some(1),
        "address" | "address payable" => Some(20),
        _ => match name.strip_prefix("uint").or_else(|| name.strip_prefix("int")) {
            Some(digits) => bits(digits).filter(|bits| bits % 8 == 0 && (8..=256).contains(bits)).map(|bits| bits / 8),
            None => name.strip_prefix("bytes")?.parse().ok().filter(|bytes| (1..=32).contains(bytes)),
        },
    }
}

/// An identifier as layouts have it: `t_mapping(t_address,t_uint256)` for `t_mapping$_t_address_$_t_uint256_$`. What a pointer to storage
/// refers to is the same type.
fn plain(identifier: &str) -> String {
    let mut rest = identifier.strip_suffix("_ptr").unwrap_or(identifier);
    let mut plain = String::new();
    while let Some(letter) = rest.chars().next() {
        // A type follows a comma, and none follows what is closed.
        let (length, written) = match rest {
            comma if comma.starts_with("_$_t_") => (3, ','),
            closed if closed.starts_with("_$") => (2, ')'),
            open if open.starts_with("$_") => (2, '('),
            _ => (letter.len_utf8(), letter),
        };
        plain.push(written);
        rest = &rest[length..];
    }
    plain
}

fn sources(output: &Value) -> impl Iterator<Item = (&String, &Value)> {
    output.get("sources").and_then(Value::as_object).into_iter().flatten()
}

fn is(node: &Value, kind: &str) -> bool {
    text(node, "nodeType") == kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_written_as_in_layouts() {
        for (escaped, plain) in [
            ("t_uint256", "t_uint256"),
            ("t_mapping$_t_address_$_t_uint256_$", "t_mapping(t_address,t_uint256)"),
            ("t_struct$_Position_$12_storage_ptr", "t_struct(Position)12_storage"),
            ("t_array$_t_uint8_$3_storage_ptr", "t_array(t_uint8)3_storage"),
            (
                "t_mapping$_t_address_$_t_mapping$_t_bytes4_$_t_bool_$_$",
                "t_mapping(t_address,t_mapping(t_bytes4,t_bool))",
            ),
        ] {
            assert_eq!(super::plain(escaped), plain, "{escaped}");
        }
    }

    #[test]
    fn layouts_are_told_from_0_5_13_on() {
        for (release, told) in [("0.4.26", false), ("0.5.12", false), ("0.5.13", true), ("0.8.37", true)] {
            assert_eq!(is_told_by(&Version::parse(release).unwrap()), told, "{release}");
        }
    }
}
