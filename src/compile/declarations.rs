//! [`Declarations`] is the part of a syntax tree that storage layouts need beside what the compiler says of them: state variables with
//! their place and their annotations, structs and enums with their members, the bases of contracts, and whether a contract is marked
//! as one that is upgraded. Names are as the source has them; nothing is resolved, since the compiler's numbers hold for sources that
//! were compiled together only.

use super::{
    span::Span,
    tree::{nodes, text, type_of},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The declarations of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declarations {
    /// Its contracts, in order.
    pub contracts: Vec<ContractDeclaration>,
    /// Its structs, those of contracts included.
    pub structs: Vec<StructDeclaration>,
    /// Its enums, with the names of their members.
    pub enums: Vec<(String, Vec<String>)>,
    /// Its user-defined value types, with the types that they stand for.
    pub value_types: Vec<(String, String)>,
}

/// A contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractDeclaration {
    /// Its name.
    pub name: String,
    /// The names of its direct bases, in order.
    pub bases: Vec<String>,
    /// The variables that it keeps in storage, in order.
    pub variables: Vec<VariableDeclaration>,
    /// The variables that it keeps in transient storage, in order.
    pub transient: Vec<VariableDeclaration>,
    /// Whether something in it says that it is upgraded behind a proxy: an initializer, a gap, a namespace, its name, or an annotation.
    pub is_upgradeable: bool,
}

/// A state variable, or a member of a struct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableDeclaration {
    /// Its name.
    pub name: String,
    /// Its type, as the compiler writes it.
    pub ty: String,
    /// The whole declaration.
    pub span: Span,
    /// The name that it had before, by `@custom:oz-renamed-from`.
    pub renamed_from: Option<String>,
    /// The type that it had before, by `@custom:oz-retyped-from`.
    pub retyped_from: Option<String>,
}

/// A struct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructDeclaration {
    /// Its name, with that of its contract: `Vault.Position`.
    pub name: String,
    /// The namespace that is kept in it, by `@custom:storage-location`: `erc7201:vault.main`.
    pub namespace: Option<String>,
    /// Its members, in order.
    pub members: Vec<VariableDeclaration>,
    /// The whole definition.
    pub span: Span,
}

/// Modifiers of functions that stand in for a constructor behind a proxy.
const INITIALIZERS: [&str; 3] = ["initializer", "reinitializer", "onlyInitializing"];
/// Contracts whose heirs are upgraded.
const UPGRADEABLE: [&str; 2] = ["Initializable", "UUPSUpgradeable"];

/// Whether a variable reserves storage for later versions.
pub fn is_gap(name: &str, ty: &str) -> bool {
    (name == "__gap" || name.starts_with("__gap_")) && ty.ends_with(']')
}

impl Declarations {
    /// Reads the compact JSON tree.
    pub(super) fn read(json: &Value) -> Self {
        let mut declarations = Self::default();
        for node in nodes(json) {
            declarations.note(node);
        }
        declarations
    }

    fn note(&mut self, node: &Value) {
        match text(node, "nodeType") {
            "ContractDefinition" => {
                nodes(node).for_each(|member| self.note(member));
                self.contracts.push(contract(node));
            }
            "StructDefinition" => self.structs.push(StructDeclaration {
                name: canonical_name(node),
                namespace: annotation(node, "storage-location"),
                members: node.get("members").and_then(Value::as_array).into_iter().flatten().map(variable).collect(),
                span: span(node),
            }),
            "EnumDefinition" => {
                let members = node.get("members").and_then(Value::as_array).into_iter().flatten();
                let members = members.map(|member| text(member, "name").to_owned()).collect();
                self.enums.push((canonical_name(node), members));
            }
            "UserDefinedValueTypeDefinition" => {
                let underlying = node.get("underlyingType").map_or("", type_of);
                self.value_types.push((canonical_name(node), underlying.to_owned()));
            }
            _ => {}
        }
    }
}

fn contract(node: &Value) -> ContractDeclaration {
    let is_kept = |member: &&Value| {
        text(member, "nodeType") == "VariableDeclaration"
            && member.get("constant").and_then(Value::as_bool) != Some(true)
            && text(member, "mutability") != "immutable"
    };
    let name = text(node, "name").to_owned();
    let bases: Vec<String> = node
        .get("baseContracts")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|base| base.pointer("/baseName/name")?.as_str())
        // `Module.Base` where a whole file was imported under a name.
        .map(|base| base.rsplit('.').next().unwrap_or(base).to_owned())
        .collect();
    let is_transient = |member: &&Value| text(member, "storageLocation") == "transient";
    let (transient, variables): (Vec<_>, Vec<_>) = nodes(node).filter(is_kept).partition(is_transient);
    let [transient, variables] =
        [transient, variables].map(|members| members.into_iter().map(variable).collect::<Vec<_>>());
    let is_upgradeable = UPGRADEABLE.iter().any(|known| name == *known || bases.iter().any(|base| base == known))
        || variables.iter().any(|variable| is_gap(&variable.name, &variable.ty))
        || std::iter::once(node).chain(nodes(node)).any(is_mark);
    ContractDeclaration { name, bases, variables, transient, is_upgradeable }
}

/// Whether a contract, or a member of one, says that it is upgraded.
fn is_mark(node: &Value) -> bool {
    let invocations = node.get("modifiers").and_then(Value::as_array).into_iter().flatten();
    let mut modifiers = invocations.filter_map(|modifier| modifier.pointer("/modifierName/name")?.as_str());
    documentation(node).contains("@custom:oz-upgrades")
        || annotation(node, "storage-location").is_some()
        || modifiers.any(|name| INITIALIZERS.contains(&name))
}

fn variable(node: &Value) -> VariableDeclaration {
    VariableDeclaration {
        name: text(node, "name").to_owned(),
        ty: type_of(node).to_owned(),
        span: span(node),
        renamed_from: annotation(node, "oz-renamed-from"),
        retyped_from: annotation(node, "oz-retyped-from"),
    }
}

fn canonical_name(node: &Value) -> String {
    let canonical = text(node, "canonicalName");
    if canonical.is_empty() { text(node, "name") } else { canonical }.to_owned()
}

fn span(node: &Value) -> Span {
    Span::of_src(text(node, "src")).unwrap_or_default()
}

/// The NatSpec comment above a node: a text, or a node with a text, as versions differ.
fn documentation(node: &Value) -> &str {
    let documentation = node.get("documentation");
    let inner = documentation.and_then(|documentation| documentation.get("text"));
    inner.or(documentation).and_then(Value::as_str).unwrap_or("")
}

/// The words after `@custom:` and this tag, up to the next tag.
fn annotation(node: &Value, tag: &str) -> Option<String> {
    let documentation = documentation(node);
    let of_tag = |rest: &str| {
        let rest = rest.strip_prefix(tag)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.to_owned())
    };
    let rest = documentation.split("@custom:").skip(1).find_map(of_tag)?;
    let words = rest.split("\n @").next().unwrap_or("").split("\n@").next().unwrap_or("");
    Some(words.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn annotations_end_at_the_next_tag() {
        let node = |text: &str| json!({ "documentation": { "text": text } });
        for (text, renamed) in [
            ("@custom:oz-renamed-from owner", Some("owner")),
            ("The fee.\n @custom:oz-renamed-from  owner \n @custom:oz-retyped-from bool", Some("owner")),
            ("@custom:oz-renamed-from owner\n@dev more", Some("owner")),
            ("@custom:oz-renamed-from-something owner", None),
            ("renamed from owner", None),
        ] {
            assert_eq!(annotation(&node(text), "oz-renamed-from").as_deref(), renamed, "{text:?}");
        }
        let old = json!({ "documentation": " @custom:oz-retyped-from uint8" });
        assert_eq!(annotation(&old, "oz-retyped-from").as_deref(), Some("uint8"), "a text before 0.6.3");
    }

    #[test]
    fn what_marks_a_contract_as_upgradeable() {
        let contract_with = |member: Value| contract(&json!({ "name": "Vault", "nodes": [member] })).is_upgradeable;
        let gap = json!({ "nodeType": "VariableDeclaration", "name": "__gap", "typeDescriptions": { "typeString": "uint256[50]" } });
        let initializer = |name: &str| json!({ "modifiers": [{ "modifierName": { "name": name } }] });
        let documented = |text: &str| json!({ "documentation": { "text": text } });
        for (member, is_upgradeable) in [
            (gap, true),
            (initializer("initializer"), true),
            (initializer("onlyOwner"), false),
            (documented("@custom:oz-upgrades-unsafe-allow constructor"), true),
            (documented("@custom:storage-location erc7201:vault.main"), true),
            (documented("Is upgraded by nobody."), false),
        ] {
            assert_eq!(contract_with(member.clone()), is_upgradeable, "{member}");
        }
        let heir = |base: &str| json!({ "name": "Vault", "baseContracts": [{ "baseName": { "name": base } }] });
        assert!(contract(&heir("Initializable")).is_upgradeable);
        assert!(contract(&heir("oz.UUPSUpgradeable")).is_upgradeable);
        assert!(!contract(&heir("Ownable")).is_upgradeable);
    }

    #[test]
    fn variables_are_kept_in_storage_or_in_transient_storage() {
        let variable = |name: &str, more: Value| {
            let mut node = json!({ "nodeType": "VariableDeclaration", "name": name, "src": "1:2:0" });
            node.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            node
        };
        let node = json!({ "name": "Vault", "nodes": [
            variable("kept", json!({})),
            variable("constant", json!({ "constant": true })),
            variable("immutable", json!({ "mutability": "immutable" })),
            variable("transient", json!({ "storageLocation": "transient" })),
        ] });
        let names = |variables: Vec<VariableDeclaration>| -> Vec<String> {
            variables.into_iter().map(|variable| variable.name).collect()
        };
        let ContractDeclaration { variables, transient, .. } = contract(&node);
        assert_eq!((names(variables), names(transient)), (vec!["kept".to_owned()], vec!["transient".to_owned()]));
    }
}
