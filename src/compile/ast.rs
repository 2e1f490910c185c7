//! An [`Ast`] is the part of a syntax tree that findings need: definitions, and expressions that can fail, each with its span.
//! It is read from the compiler's JSON, of which the rest is dropped.

use super::{
    address_flow::AddressFlow,
    decisions::{self, Decision},
    declarations::Declarations,
    operations::{self, Operation},
    placements::Placements,
    span::Span,
    tree::type_of,
};
use alloy_primitives::keccak256;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NodeKind {
    /// A contract, interface or library.
    Contract,
    /// A function, constructor, `receive` or `fallback`.
    Function,
    /// A modifier.
    Modifier,
    /// A state variable with a getter.
    Getter,
    /// `assert(...)`.
    Assert,
    /// `/`, `%`, `/=`, `%=`, `addmod`, `mulmod`.
    Division,
    /// `+`, `-`, `*`, `**`, `++`, `--` and their assignments.
    Arithmetic,
    /// `a[i]` of an array or of bytes. An access to a mapping is none, since no key is out of bounds.
    Index,
    /// `State(x)`, and every other conversion to or from an enum.
    Conversion,
    /// `a.pop()`, and `a.length--` of old.
    Pop,
    /// Any other call.
    Call,
    /// `only(owner)` in the head of a function: a modifier or the constructor of a base.
    Invocation,
    /// `emit E(...)`.
    Emit,
    /// An operation that can write to storage: an assignment, `++`, `--`, `delete`, `push`, `pop`, and `sstore` of assembly.
    Write,
}

/// One node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its kind.
    pub kind: NodeKind,
    /// Its range in the source.
    pub span: Span,
    /// Name of a definition or of what is called; empty where there is none.
    pub name: String,
    /// Four-byte selector of an external function.
    pub selector: Option<[u8; 4]>,
    /// The compiler's number of what is defined or called here, which holds for the sources that were compiled together.
    pub declaration: Option<i64>,
}

/// An enum, as far as its values go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enum {
    /// As the ABI's `internalType` names it, without `enum `: `Vault.State`.
    pub name: String,
    /// The number of its members.
    pub members: u16,
}

/// The kind of a contract definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContractKind {
    /// Can be deployed.
    Contract,
    /// Has functions without a body.
    Abstract,
    /// Declares only.
    Interface,
    /// Deployed once and linked.
    Library,
}

/// The nodes of one source.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ast {
    /// Nodes in the order in which they are met: outer before inner.
    pub nodes: Vec<Node>,
    /// Enums that the source defines.
    pub enums: Vec<Enum>,
    /// String literals, for the dictionary.
    pub strings: Vec<String>,
    /// The numbers of contracts, each with those of its bases, itself included.
    pub bases: Vec<(i64, Vec<i64>)>,
    /// Whether each contract by name is abstract, an interface or a library.
    pub contract_kinds: Vec<(String, ContractKind)>,
    /// As which contracts its addresses are used.
    pub addresses: AddressFlow,
    /// What its contracts keep in storage.
    pub declarations: Declarations,
    /// Arithmetic whose result may not fit its type, outer before inner.
    pub operations: Vec<Operation>,
    /// What says by itself where in storage it is.
    pub placements: Placements,
    /// Where control goes one way or the other, outer before inner.
    pub decisions: Vec<Decision>,
}

impl Ast {
    /// Reads the compact JSON tree that solc gives from 0.4.12 on.
    pub fn read(json: &Value) -> Self {
        let (addresses, declarations, operations, placements) =
            (AddressFlow::read(json), Declarations::read(json), operations::read(json), Placements::read(json));
        let decisions = decisions::read(json);
        let mut ast = Self { addresses, declarations, operations, placements, decisions, ..Self::default() };
        ast.visit(json);
        ast
    }

    /// The smallest node that contains `span` and satisfies `wanted`.
    pub fn smallest(&self, span: Span, wanted: impl Fn(&Node) -> bool) -> Option<&Node> {
        self.nodes.iter().filter(|node| node.span.contains(span) && wanted(node)).min_by_key(|node| node.span.len())
    }

    /// The function or modifier that contains `span`.
    pub fn function_at(&self, span: Span) -> Option<&Node> {
        self.smallest(span, |node| matches!(node.kind, NodeKind::Function | NodeKind::Modifier | NodeKind::Getter))
    }

    /// What is declared at exactly this range, a variable, a member of a struct or a constant: its name, and that of the contract or struct.
    pub fn declared(&self, span: Span) -> Option<(&str, &str)> {
        let Declarations { contracts, structs, .. } = &self.declarations;
        let variables = contracts.iter().flat_map(|contract| {
            let of_contract = contract.variables.iter().chain(&contract.transient);
            of_contract.map(|variable| (variable, contract.name.as_str()))
        });
        let members = structs.iter().flat_map(|of| of.members.iter().map(|member| (member, of.name.as_str())));
        let mut declared = variables.chain(members).map(|(variable, of)| (variable.span, variable.name.as_str(), of));
        let constants = self.placements.constants.iter();
        let mut constants =
            constants.map(|constant| (constant.span, constant.name.as_str(), constant.contract.as_str()));
        let is_it = |(at, ..): &(Span, &str, &str)| *at == span;
        declared.find(is_it).or_else(|| constants.find(is_it)).map(|(_, name, of)| (name, of))
    }

    /// The decision that code with this range makes: of the whole of it, or of its condition.
    pub fn decision_at(&self, span: Span) -> Option<&Decision> {
        let mut decisions = self.decisions.iter();
        let of_condition = || self.decisions.iter().rfind(|decision| decision.condition == span);
        decisions.find(|decision| decision.span == span).or_else(of_condition)
    }

    /// The contract that contains `span`.
    pub fn contract_at(&self, span: Span) -> Option<&Node> {
        self.smallest(span, |node| node.kind == NodeKind::Contract)
    }

    fn visit(&mut self, json: &Value) {
        match json {
            Value::Object(object) => {
                if let (Some(node_type), Some(span)) = (
                    object.get("nodeType").and_then(Value::as_str),
                    object.get("src").and_then(Value::as_str).and_then(Span::of_src),
                ) {
                    self.note(node_type, span, json);
                }
                for (key, child) in object {
                    // Documentation and types hold no node that can fail.
                    if !matches!(key.as_str(), "documentation" | "typeDescriptions" | "src" | "typeName") {
                        self.visit(child);
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.visit(item)),
            _ => {}
        }
    }

    fn note(&mut self, node_type: &str, span: Span, json: &Value) {
        let text = |key: &str| json.get(key).and_then(Value::as_str).unwrap_or("");
        let (kind, name) = match node_type {
            "ContractDefinition" => {
                let kind = match text("contractKind") {
                    "interface" => ContractKind::Interface,
                    "library" => ContractKind::Library,
                    _ if json.get("abstract").and_then(Value::as_bool).unwrap_or(false) => ContractKind::Abstract,
                    _ => ContractKind::Contract,
                };
                self.contract_kinds.push((text("name").to_owned(), kind));
                let bases = json.get("linearizedBaseContracts").and_then(Value::as_array);
                let bases = bases.into_iter().flatten().filter_map(Value::as_i64).collect();
                self.bases.extend(json.get("id").and_then(Value::as_i64).map(|id| (id, bases)));
                (NodeKind::Contract, text("name"))
            }
            "FunctionDefinition" => {
                let name = match (text("name"), text("kind")) {
                    ("", "") if json.get("isConstructor").and_then(Value::as_bool).unwrap_or(false) => "constructor",
                    ("", "") => "fallback",
                    ("", kind) => kind,
                    (name, _) => name,
                };
                (NodeKind::Function, name)
            }
            "ModifierDefinition" => (NodeKind::Modifier, text("name")),
            "VariableDeclaration" if json.get("functionSelector").is_some() => (NodeKind::Getter, text("name")),
            "EnumDefinition" => {
                let members = json.get("members").and_then(Value::as_array).map_or(0, |members| members.len() as u16);
                let name = if text("canonicalName").is_empty() { text("name") } else { text("canonicalName") };
                self.enums.push(Enum { name: name.to_owned(), members });
                return;
            }
            "Literal" => {
                if text("kind") == "string" && !text("value").is_empty() {
                    self.strings.push(text("value").to_owned());
                }
                return;
            }
            "EmitStatement" => (NodeKind::Emit, ""),
            "IndexAccess" if json.get("baseExpression").is_some_and(has_bounds) => (NodeKind::Index, ""),
            "ModifierInvocation" => {
                (NodeKind::Invocation, json.pointer("/modifierName/name").and_then(Value::as_str).unwrap_or(""))
            }
            // Before 0.6 the tree ends here, with the text; the optimizer of the IR knows no smaller place either.
            "InlineAssembly" => {
                let has = |instruction: &str| text("operations").contains(&format!("{instruction}("));
                if CALLS.into_iter().any(has) {
                    let (kind, name) = (NodeKind::Call, String::new());
                    self.nodes.push(Node { kind, span, name, selector: None, declaration: None });
                }
                if !has("sstore") && !json.get("AST").is_some_and(stores) {
                    return;
                }
                (NodeKind::Write, "")
            }
            "YulFunctionCall" if stores(json) => (NodeKind::Write, "sstore"),
            "YulFunctionCall" => match json.pointer("/functionName/name").and_then(Value::as_str) {
                Some(name) if CALLS.contains(&name) => (NodeKind::Call, name),
                _ => return,
            },
            "BinaryOperation" => match text("operator") {
                "/" | "%" => (NodeKind::Division, ""),
                "+" | "-" | "*" | "**" => (NodeKind::Arithmetic, ""),
                _ => return,
            },
            "UnaryOperation" => match text("operator") {
                // `a.length--` shrinks an array before 0.6, and fails on an empty one.
                "--" if json.pointer("/subExpression/memberName").and_then(Value::as_str) == Some("length") => {
                    (NodeKind::Pop, "length--")
                }
                "++" | "--" | "-" => (NodeKind::Arithmetic, ""),
                "delete" => (NodeKind::Write, ""),
                _ => return,
            },
            "Assignment" => match text("operator") {
                "/=" | "%=" => (NodeKind::Division, ""),
                "+=" | "-=" | "*=" => (NodeKind::Arithmetic, ""),
                _ => (NodeKind::Write, ""),
            },
            "FunctionCall" => {
                let callee = json.get("expression");
                let of_callee = |key: &str| callee.and_then(|callee| callee.get(key)).and_then(Value::as_str);
                let name = of_callee("memberName").or(of_callee("name")).unwrap_or("");
                let argument = json.pointer("/arguments/0").unwrap_or(&Value::Null);
                let kind = match (text("kind"), of_callee("nodeType"), name) {
                    ("typeConversion", ..) if is_enum(json) || is_enum(argument) => NodeKind::Conversion,
                    ("typeConversion", ..) => return,
                    (_, Some("Identifier"), "assert") => NodeKind::Assert,
                    (_, Some("Identifier"), "addmod" | "mulmod") => NodeKind::Division,
                    (_, Some("MemberAccess"), "pop") => NodeKind::Pop,
                    _ => NodeKind::Call,
                };
                (kind, name)
            }
            _ => return,
        };
        let selector = json
            .get("functionSelector")
            .and_then(Value::as_str)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok())
            .map(u32::to_be_bytes)
            .or_else(|| (kind == NodeKind::Function).then(|| selector_of(json)).flatten());
        let declaration = match kind {
            NodeKind::Contract | NodeKind::Function | NodeKind::Modifier => json.get("id"),
            NodeKind::Call => json.pointer("/expression/referencedDeclaration"),
            NodeKind::Invocation => json.pointer("/modifierName/referencedDeclaration"),
            _ => None,
        }
        .and_then(Value::as_i64);
        let writes = match (node_type, kind) {
            ("Assignment", _) => kind != NodeKind::Write,
            ("UnaryOperation", _) => matches!(text("operator"), "++" | "--"),
            ("FunctionCall", NodeKind::Pop) => true,
            ("FunctionCall", NodeKind::Call) => name == "push",
            _ => false,
        };
        if writes {
            let write = Node { kind: NodeKind::Write, span, name: name.to_owned(), selector: None, declaration: None };
            self.nodes.push(write);
        }
        self.nodes.push(Node { kind, span, name: name.to_owned(), selector, declaration });
    }
}

/// The selector of a function that can be called from outside, by its name and types: the trees of solc before 0.6 do not have it. None if
/// a type of it has another name in calldata, as a structure has.
fn selector_of(function: &Value) -> Option<[u8; 4]> {
    let text = |key: &str| function.get(key).and_then(Value::as_str).unwrap_or("");
    let is_constructor = function.get("isConstructor").and_then(Value::as_bool).unwrap_or(false);
    if text("name").is_empty() || is_constructor || !matches!(text("visibility"), "public" | "external") {
        return None;
    }
    let parameters = function.pointer("/parameters/parameters")?.as_array()?;
    let types = parameters.iter().map(|parameter| {
        let ty = parameter.pointer("/typeDescriptions/typeString")?.as_str()?;
        let ty = ["storage", "function", "struct"].iter().all(|word| !ty.contains(word)).then_some(ty)?;
        let ty = ty.trim_end_matches(" memory").trim_end_matches(" calldata");
        let (base, dimensions) = ty.split_at(ty.find('[').unwrap_or(ty.len()));
        let base = match base.split(' ').next()? {
            "contract" => "address",
            "enum" => "uint8",
            base => base,
        };
        let dimensions = dimensions.replace(" memory", "").replace(" calldata", "");
        Some(format!("{base}{dimensions}"))
    });
    let types = types.collect::<Option<Vec<String>>>()?.join(",");
    keccak256(format!("{}({types})", text("name"))).first_chunk().copied()
}

/// The instructions that run other code, or end a contract, as assembly calls them.
const CALLS: [&str; 6] = ["call", "callcode", "delegatecall", "staticcall", "selfdestruct", "suicide"];

fn is_enum(json: &Value) -> bool {
    type_of(json).starts_with("enum ")
}

/// Whether an index of this expression can be out of bounds: not the key of a mapping, and not the length in the name of a type.
fn has_bounds(base: &Value) -> bool {
    let name = type_of(base);
    // A list of mappings ends in its length.
    let is_mapping = name.starts_with("mapping(") && name.ends_with(')');
    !is_mapping && !name.starts_with("type(")
}

/// Whether there is an `sstore` in a tree of assembly.
fn stores(json: &Value) -> bool {
    match json {
        Value::Object(object) => {
            object.get("functionName").and_then(|name| name.get("name")).and_then(Value::as_str) == Some("sstore")
                || object.values().any(stores)
        }
        Value::Array(items) => items.iter().any(stores),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_smallest_node_of_a_kind_wins() {
        let ast = Ast::read(&json!({
            "nodeType": "IndexAccess", "src": "10:20:0", "baseExpression": {},
            "indexExpression": { "nodeType": "IndexAccess", "src": "14:5:0", "baseExpression": {} },
        }));
        let index = |span| ast.smallest(span, |node| node.kind == NodeKind::Index).map(|node| node.span);
        assert_eq!(index(Span::new(14, 19)), Some(Span::new(14, 19)));
        assert_eq!(index(Span::new(12, 19)), Some(Span::new(10, 30)));
        assert_eq!(index(Span::new(0, 40)), None);
    }

    #[test]
    fn only_what_can_be_out_of_bounds_is_an_index() {
        for (base, is_index) in [
            ("uint256[] storage ref", true),
            ("bytes32", true),
            ("mapping(address => uint256)[3] storage ref", true),
            ("mapping(address => uint256[])", false),
            ("type(uint256)", false),
        ] {
            let base = json!({ "typeDescriptions": { "typeString": base } });
            let ast = Ast::read(&json!({ "nodeType": "IndexAccess", "src": "1:2:0", "baseExpression": base }));
            assert_eq!(ast.nodes.len(), usize::from(is_index), "{base}");
        }
    }

    #[test]
    fn only_conversions_of_enums_are_noted() {
        let of = |name: &str| json!({ "typeDescriptions": { "typeString": name } });
        let kinds = |to: &str, from: &str| {
            let mut call = of(to);
            call["nodeType"] = "FunctionCall".into();
            call["kind"] = "typeConversion".into();
            call["src"] = "1:2:0".into();
            call["arguments"] = json!([of(from)]);
            Ast::read(&call).nodes.into_iter().map(|node| node.kind).collect::<Vec<_>>()
        };
        assert_eq!(kinds("enum Vault.State", "uint256"), [NodeKind::Conversion]);
        assert_eq!(kinds("uint256", "enum Vault.State"), [NodeKind::Conversion]);
        assert_eq!(kinds("uint256", "int256"), []);
    }

    #[test]
    fn selectors_that_the_compiler_does_not_tell_are_computed() {
        let selector = |visibility: &str, types: &[&str]| {
            let parameter = |name: &&str| json!({ "typeDescriptions": { "typeString": name } });
            let parameters: Vec<Value> = types.iter().map(parameter).collect();
            let selector = selector_of(&json!({
                "nodeType": "FunctionDefinition", "src": "0:1:0", "name": "transfer", "visibility": visibility,
                "parameters": { "parameters": parameters },
            }));
            selector.map(alloy_primitives::hex::encode)
        };
        let of = |signature: &str| Some(alloy_primitives::hex::encode(&keccak256(signature)[..4]));
        assert_eq!(selector("public", &["address payable", "uint256"]), Some("a9059cbb".to_owned()));
        assert_eq!(selector("external", &["contract Token", "enum A.B"]), of("transfer(address,uint8)"));
        assert_eq!(selector("public", &["bytes memory", "uint256[3][] calldata"]), of("transfer(bytes,uint256[3][])"));
        assert_eq!(selector("internal", &["uint256"]), None);
        assert_eq!(selector("public", &["struct A.S memory"]), None);
        assert_eq!(selector("public", &["mapping(address => uint256) storage"]), None);
    }

    #[test]
    fn constructors_and_fallbacks_without_a_name_get_one() {
        let name = |json| Ast::read(&json).nodes[0].name.clone();
        assert_eq!(
            name(json!({"nodeType": "FunctionDefinition", "src": "0:1:0", "name": "", "kind": "receive"})),
            "receive"
        );
        assert_eq!(
            name(json!({"nodeType": "FunctionDefinition", "src": "0:1:0", "name": "", "isConstructor": true})),
            "constructor"
        );
        assert_eq!(
            name(json!({"nodeType": "FunctionDefinition", "src": "0:1:0", "name": "", "isConstructor": false})),
            "fallback"
        );
    }
}
