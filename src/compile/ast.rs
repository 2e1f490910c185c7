//! An [`Ast`] is the part of a syntax tree that findings need: definitions, and expressions that can fail, each with
//! its span. It is read once from the compiler's JSON and forgets the rest.

use super::span::Span;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a node is.
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
    /// `a[i]`.
    Index,
    /// `State(x)`, and every other conversion.
    Conversion,
    /// `a.pop()`, and `a.length--` of old.
    Pop,
    /// Any other call.
    Call,
    /// `emit E(...)`.
    Emit,
    /// What can write to storage: an assignment, `++`, `--`, `delete`, `push`, `pop`, and `sstore` of assembly.
    Write,
}

/// One node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands.
    pub span: Span,
    /// Name of a definition or of what is called; empty where there is none.
    pub name: String,
    /// Four-byte selector of an external function.
    pub selector: Option<[u8; 4]>,
}

/// An enum, as far as its values go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enum {
    /// As the ABI's `internalType` names it, without `enum `: `Vault.State`.
    pub name: String,
    /// How many members.
    pub members: u16,
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
    /// Whether each contract by name is abstract, an interface or a library.
    pub contract_kinds: Vec<(String, super::ContractKind)>,
}

impl Ast {
    /// Reads the compact JSON tree that solc gives from 0.4.12 on.
    pub fn read(json: &Value) -> Self {
        let mut ast = Self::default();
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

    /// The contract that contains `span`.
    pub fn contract_at(&self, span: Span) -> Option<&Node> {
        self.smallest(span, |node| node.kind == NodeKind::Contract)
    }

    fn visit(&mut self, json: &Value) {
        match json {
            Value::Object(object) => {
                if let (Some(node_type), Some(span)) =
                    (object.get("nodeType").and_then(Value::as_str), object.get("src").and_then(read_span))
                {
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
                    "interface" => super::ContractKind::Interface,
                    "library" => super::ContractKind::Library,
                    _ if json.get("abstract").and_then(Value::as_bool).unwrap_or(false) => {
                        super::ContractKind::Abstract
                    }
                    _ => super::ContractKind::Contract,
                };
                self.contract_kinds.push((text("name").to_owned(), kind));
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
            "IndexAccess" => (NodeKind::Index, ""),
            // Before 0.6 the tree ends here, with the text; the optimizer of the IR knows no smaller place either.
            "InlineAssembly" if text("operations").contains("sstore") || json.get("AST").is_some_and(stores) => {
                (NodeKind::Write, "")
            }
            "YulFunctionCall" if stores(json) => (NodeKind::Write, "sstore"),
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
                let kind = match (text("kind"), of_callee("nodeType"), name) {
                    ("typeConversion", ..) => NodeKind::Conversion,
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
            .map(u32::to_be_bytes);
        let writes = match (node_type, kind) {
            ("Assignment", _) => kind != NodeKind::Write,
            ("UnaryOperation", _) => matches!(text("operator"), "++" | "--"),
            ("FunctionCall", NodeKind::Pop) => true,
            ("FunctionCall", NodeKind::Call) => name == "push",
            _ => false,
        };
        if writes {
            self.nodes.push(Node { kind: NodeKind::Write, span, name: name.to_owned(), selector: None });
        }
        self.nodes.push(Node { kind, span, name: name.to_owned(), selector });
    }
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

/// Reads `start:length:file`.
fn read_span(src: &Value) -> Option<Span> {
    let mut parts = src.as_str()?.split(':');
    let start: u32 = parts.next()?.parse().ok()?;
    let length: u32 = parts.next()?.parse().ok()?;
    Some(Span::new(start, start.checked_add(length)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_smallest_node_of_a_kind_wins() {
        let ast = Ast::read(&json!({
            "nodeType": "IndexAccess", "src": "10:20:0",
            "indexExpression": { "nodeType": "IndexAccess", "src": "14:5:0" },
        }));
        let index = |span| ast.smallest(span, |node| node.kind == NodeKind::Index).map(|node| node.span);
        assert_eq!(index(Span::new(14, 19)), Some(Span::new(14, 19)));
        assert_eq!(index(Span::new(12, 19)), Some(Span::new(10, 30)));
        assert_eq!(index(Span::new(0, 40)), None);
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
