//! The structs and enums that stand by their names in the signatures of cheatcodes.

/// A struct, with the types and names of its fields.
struct Struct {
    name: &'static str,
    fields: &'static [(&'static str, &'static str)],
}

const STRUCTS: &[Struct] = &[
    Struct {
        name: "Wallet",
        fields: &[("address", "addr"), ("uint256", "publicKeyX"), ("uint256", "publicKeyY"), ("uint256", "privateKey")],
    },
    Struct { name: "Log", fields: &[("bytes32[]", "topics"), ("bytes", "data"), ("address", "emitter")] },
    Struct {
        name: "PotentialRevert",
        fields: &[("address", "reverter"), ("bool", "partialMatch"), ("bytes", "revertData")],
    },
    Struct { name: "AccessListItem", fields: &[("address", "target"), ("bytes32[]", "storageKeys")] },
    Struct {
        name: "SignedDelegation",
        fields: &[
            ("uint8", "v"),
            ("bytes32", "r"),
            ("bytes32", "s"),
            ("uint64", "nonce"),
            ("address", "implementation"),
        ],
    },
    Struct {
        name: "Gas",
        fields: &[
            ("uint64", "gasLimit"),
            ("uint64", "gasTotalUsed"),
            ("uint64", "gasMemoryUsed"),
            ("int64", "gasRefunded"),
            ("uint64", "gasRemaining"),
        ],
    },
];

/// Enums, which the ABI calls numbers.
const ENUMS: &[&str] = &["ForgeContext"];

/// The type that a name stands for, without the brackets of a list.
fn known(name: &str) -> Option<String> {
    if ENUMS.contains(&name) {
        return Some("uint8".to_owned());
    }
    let found = STRUCTS.iter().find(|known| known.name == name)?;
    let types: Vec<&str> = found.fields.iter().map(|(kind, _)| *kind).collect();
    Some(format!("({})", types.join(",")))
}

/// A signature with the types that its names stand for, as selectors are made of it.
pub(super) fn expanded(signature: &str) -> String {
    let Some((name, parameters)) = signature.split_once('(') else { return signature.to_owned() };
    let parameters = parameters.trim_end_matches(')').split(',');
    let types = parameters.map(|kind| {
        let base = kind.trim_end_matches("[]");
        known(base).map_or_else(|| kind.to_owned(), |known| format!("{known}{}", &kind[base.len()..]))
    });
    format!("{name}({})", types.collect::<Vec<_>>().join(","))
}

/// A type as the ABI calls it in a declaration: enums are numbers.
pub(super) fn declared(kind: &str) -> &str {
    if ENUMS.contains(&kind) { "uint8" } else { kind }
}

/// The definition in Solidity of the struct that a type names, if it names one.
pub(super) fn definition(kind: &str) -> Option<String> {
    let base = kind.trim_end_matches("[]");
    let found = STRUCTS.iter().find(|known| known.name == base)?;
    let fields: Vec<String> = found.fields.iter().map(|(kind, name)| format!("{kind} {name};")).collect();
    Some(format!("struct {base} {{ {} }}", fields.join(" ")))
}

/// Whether a type is one whose values stand in memory.
pub(super) fn is_in_memory(kind: &str) -> bool {
    let is_struct = STRUCTS.iter().any(|known| known.name == kind.trim_end_matches("[]"));
    is_struct || kind.ends_with(']') || matches!(kind, "string" | "bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_expanded() {
        assert_eq!(expanded("sign(Wallet,bytes32)"), "sign((address,uint256,uint256,uint256),bytes32)");
        assert_eq!(expanded("assumeNoRevert(PotentialRevert[])"), "assumeNoRevert((address,bool,bytes)[])");
        assert_eq!(expanded("isContext(ForgeContext)"), "isContext(uint8)");
        assert_eq!(expanded("record()"), "record()");
    }
}
