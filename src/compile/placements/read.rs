//! Reads [`Placements`] from the compact JSON tree, function by function: what a local variable stands for is known where it gets one value
//! only.

use super::{
    MemberWrite, Placements, PointerPlacement, RawAccess, SlotCall, SlotConstant, SlotMention, SlotParameter,
    StructUse, WrittenHash,
};
use crate::compile::{
    slot_expression::{SlotExpression, arguments},
    span::Span,
    tree::{text, type_of},
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Ends of names that stand for the slot of a variable: from 0.7 on, and before.
const SLOT_OF: [&str; 2] = [".slot", "_slot"];

impl Placements {
    /// Reads the compact JSON tree.
    pub(in crate::compile) fn read(json: &Value) -> Self {
        let mut reader = Reader::default();
        reader.visit(json);
        reader.found
    }
}

/// A local variable of a function.
#[derive(Default)]
struct Local {
    /// The struct that it points to, if it does.
    structure: Option<String>,
    /// Its first value, and where that stands, if it has one.
    value: Option<(SlotExpression, Option<Span>)>,
    /// Whether it gets another value, or there are two of its name.
    varies: bool,
}

#[derive(Default)]
struct Reader {
    found: Placements,
    /// The name and the parameters of the function that is read.
    function: (String, Vec<String>),
    /// The structs that it uses.
    used: BTreeSet<String>,
    /// The contract that is read.
    contract: String,
    /// The local variables of the function that is read.
    locals: BTreeMap<String, Local>,
}

impl Reader {
    fn visit(&mut self, json: &Value) {
        match json {
            Value::Object(object) => {
                match text(json, "nodeType") {
                    "ContractDefinition" => {
                        text(json, "name").clone_into(&mut self.contract);
                        self.visit_children(object);
                        self.contract.clear();
                        return;
                    }
                    "FunctionDefinition" | "ModifierDefinition" => {
                        self.locals.clear();
                        self.declare(json);
                        let parameters = json.pointer("/parameters/parameters").and_then(Value::as_array);
                        let parameters = parameters.into_iter().flatten().map(|it| text(it, "name").to_owned());
                        self.function = (text(json, "name").to_owned(), parameters.collect());
                        self.note_getter(json);
                        self.visit_children(object);
                        self.locals.clear();
                        if let Some(function) = span(json) {
                            let used = std::mem::take(&mut self.used).into_iter();
                            self.found.uses.extend(used.map(|structure| StructUse { function, structure }));
                        }
                        return;
                    }
                    _ => self.note(json),
                }
                self.visit_children(object);
            }
            Value::Array(items) => items.iter().for_each(|item| self.visit(item)),
            _ => {}
        }
    }

    fn visit_children(&mut self, object: &serde_json::Map<String, Value>) {
        for (key, child) in object {
            if !matches!(key.as_str(), "documentation" | "typeDescriptions" | "src" | "typeName") {
                self.visit(child);
            }
        }
    }

    /// Collects the local variables of a function, in Solidity and in assembly.
    fn declare(&mut self, json: &Value) {
        let Value::Object(object) = json else {
            json.as_array().into_iter().flatten().for_each(|item| self.declare(item));
            return;
        };
        match text(json, "nodeType") {
            "VariableDeclaration" => self.add_local(text(json, "name"), structure_of(json), None),
            "VariableDeclarationStatement" => {
                if let (Some([declaration]), Some(value)) =
                    (json.get("declarations").and_then(Value::as_array).map(Vec::as_slice), json.get("initialValue"))
                {
                    let value = (self.expression(value), span(value));
                    self.add_local(text(declaration, "name"), structure_of(declaration), Some(value));
                    return;
                }
            }
            "Assignment" | "UnaryOperation" => {
                let changed = json.get("leftHandSide").or_else(|| {
                    matches!(text(json, "operator"), "++" | "--" | "delete").then(|| json.get("subExpression"))?
                });
                changed.into_iter().flat_map(assigned).for_each(|name| self.vary(name));
            }
            "YulVariableDeclaration" => {
                let names = json.get("variables").and_then(Value::as_array).into_iter().flatten();
                let names: Vec<&str> = names.map(|name| text(name, "name")).collect();
                let value = json.get("value").filter(|value| !value.is_null());
                let value = value.filter(|_| names.len() == 1);
                let value = value.map(|value| (self.assembly(value), span(value)));
                for name in names {
                    self.add_local(name, None, value.clone());
                }
            }
            "YulAssignment" => {
                let names = json.get("variableNames").and_then(Value::as_array).into_iter().flatten();
                names.for_each(|name| self.vary(text(name, "name")));
            }
            // Parameters and results of functions of assembly.
            "YulTypedName" => self.add_local(text(json, "name"), None, None),
            "InlineAssembly" => {
                for statement in Statement::all(text(json, "operations")) {
                    let value = SlotExpression::of_text(statement.value, &|name| self.local(name));
                    match statement.declares {
                        true => self.add_local(statement.name, None, Some((value, None))),
                        false => self.vary(statement.name),
                    }
                }
            }
            _ => {}
        }
        for (key, child) in object {
            if !matches!(key.as_str(), "documentation" | "typeDescriptions" | "src" | "typeName" | "variables") {
                self.declare(child);
            }
        }
    }

    fn add_local(&mut self, name: &str, structure: Option<&str>, value: Option<(SlotExpression, Option<Span>)>) {
        if name.is_empty() {
            return;
        }
        let is_known = self.locals.contains_key(name);
        let local = self.locals.entry(name.to_owned()).or_default();
        if is_known {
            local.varies = true;
        } else {
            (local.structure, local.value) = (structure.map(str::to_owned), value);
        }
    }

    fn vary(&mut self, name: &str) {
        if let Some(local) = self.locals.get_mut(name) {
            local.varies = true;
        }
    }

    /// What a local variable of this name is; none if there is none.
    fn local(&self, name: &str) -> Option<SlotExpression> {
        let Local { value, varies, .. } = self.locals.get(name)?;
        let value = value.as_ref().filter(|_| !varies).map(|(value, _)| value.clone());
        Some(value.unwrap_or(SlotExpression::Unknown))
    }

    /// Where the value of an expression stands: that of a local variable, where it got it.
    fn written(&self, json: &Value) -> Option<Span> {
        let local = self.locals.get(text(json, "name")).filter(|local| !local.varies);
        local.and_then(|local| local.value.as_ref()?.1).or_else(|| span(json))
    }

    fn note(&mut self, json: &Value) {
        match text(json, "nodeType") {
            "VariableDeclaration" if json.get("constant").and_then(Value::as_bool) == Some(true) => {
                let value = json.get("value").map_or(SlotExpression::Unknown, |value| self.expression(value));
                self.add_constant(text(json, "name").to_owned(), json, value);
            }
            "InlineAssembly" => match json.get("AST") {
                Some(tree) => self.note_assembly(json, tree),
                None => self.note_text(json),
            },
            "FunctionCall" => {
                let callee = |key: &str| json.get("expression").map_or("", |callee| text(callee, key));
                if matches!(callee("name"), "keccak256" | "sha3") {
                    self.found.hashes.extend(span(json).map(|span| WrittenHash { span, is_block: false }));
                }
                if matches!(callee("memberName"), "push" | "pop") {
                    self.note_write(json, json.pointer("/expression/expression"));
                }
                self.note_call(json);
            }
            "Assignment" => {
                let target = json.get("leftHandSide");
                let parts = target.and_then(|target| target.get("components")).and_then(Value::as_array);
                match parts {
                    Some(parts) => parts.iter().for_each(|part| self.note_write(json, Some(part))),
                    None => self.note_write(json, target),
                }
            }
            "MemberAccess" => {
                let structure = json.get("expression").and_then(|inner| structure(type_of(inner)));
                self.used.extend(structure.map(str::to_owned));
            }
            "UnaryOperation" if matches!(text(json, "operator"), "++" | "--" | "delete") => {
                self.note_write(json, json.get("subExpression"));
            }
            _ => {}
        }
    }

    fn expression(&self, json: &Value) -> SlotExpression {
        SlotExpression::of_solidity(json, &|name| self.local(name))
    }

    fn add_constant(&mut self, name: String, json: &Value, value: SlotExpression) {
        if let (Some(span), true) = (span(json), value != SlotExpression::Unknown) {
            self.found.constants.push(SlotConstant { contract: self.contract.clone(), name, span, value });
        }
    }

    /// Notes a function without parameters that does nothing but return an expression.
    fn note_getter(&mut self, json: &Value) {
        let takes_none = json.pointer("/parameters/parameters").and_then(Value::as_array).is_some_and(Vec::is_empty);
        let results = json.pointer("/returnParameters/parameters").and_then(Value::as_array).map(Vec::as_slice);
        let returns_word = matches!(results, Some([only]) if matches!(type_of(only), "bytes32" | "uint256"));
        let statements = json.pointer("/body/statements").and_then(Value::as_array);
        if let (true, true, Some([only])) = (takes_none, returns_word, statements.map(Vec::as_slice))
            && text(only, "nodeType") == "Return"
            && let Some(returned) = only.get("expression").filter(|returned| !returned.is_null())
        {
            let value = self.expression(returned);
            self.add_constant(format!("{}()", text(json, "name")), json, value);
        }
    }

    /// Notes which member of which struct a write is about, if it goes through a pointer.
    fn note_write(&mut self, json: &Value, target: Option<&Value>) {
        let (mut at, mut member) = (target, None);
        let root = loop {
            let Some(part) = at else { return };
            at = match text(part, "nodeType") {
                "MemberAccess" => {
                    let inner = part.get("expression");
                    if member.is_none()
                        && let Some(structure) = inner.and_then(|inner| structure(type_of(inner)))
                    {
                        member = Some((structure, text(part, "memberName")));
                    }
                    inner
                }
                "IndexAccess" => part.get("baseExpression"),
                "TupleExpression" => part.pointer("/components/0"),
                // `list.push()` and `list.push` give a place within the list.
                "FunctionCall" if part.pointer("/expression/memberName").is_some_and(|name| name == "push") => {
                    part.pointer("/expression/expression")
                }
                _ => break part,
            };
        };
        let is_variable = text(root, "nodeType") == "Identifier" && type_of(root).ends_with(" storage ref");
        if let (Some(span), Some(target), Some((structure, member)), false) =
            (span(json), target.and_then(span), member, is_variable)
        {
            let (structure, member) = (structure.to_owned(), member.to_owned());
            self.found.members.push(MemberWrite { span, target, structure, member });
        }
    }

    /// Notes a call that passes a constant which may be a slot.
    fn note_call(&mut self, json: &Value) {
        let Some(callee) = json.get("expression").filter(|_| text(json, "kind") == "functionCall") else { return };
        let arguments = json.get("arguments").and_then(Value::as_array).into_iter().flatten();
        let is_member = text(callee, "nodeType") == "MemberAccess";
        let bound = callee.get("expression").filter(|bound| is_member && !type_of(bound).starts_with("type("));
        let function = text(callee, if is_member { "memberName" } else { "name" });
        let all: Vec<&Value> = bound.into_iter().chain(arguments).collect();
        let may_be_slot = |argument: &&Value| type_of(argument) == "bytes32";
        if function.is_empty() || !all.iter().any(may_be_slot) {
            return;
        }
        let arguments: Vec<SlotExpression> = all
            .iter()
            .map(|argument| if may_be_slot(argument) { self.expression(argument) } else { SlotExpression::Unknown })
            .collect();
        if let (Some(span), true) = (span(json), arguments.iter().any(|argument| *argument != SlotExpression::Unknown))
        {
            self.found.calls.push(SlotCall { span, function: function.to_owned(), arguments });
        }
    }

    /// Notes that the slot of an access is a parameter, if it is one.
    fn note_parameter(&mut self, name: &str, stores: bool, is_transient: bool) {
        let (function, parameters) = &self.function;
        let varies = self.locals.get(name).is_none_or(|local| local.varies);
        let Some(index) = parameters.iter().position(|parameter| parameter == name).filter(|_| !varies) else { return };
        let (count, index) = (parameters.len() as u32, index as u32);
        let parameter = SlotParameter { function: function.clone(), count, index, stores, is_transient };
        if !function.is_empty() && !self.found.parameters.contains(&parameter) {
            self.found.parameters.push(parameter);
        }
    }

    /// Notes what a block of assembly does.
    fn note_assembly(&mut self, json: &Value, tree: &Value) {
        let Some(block) = span(json) else { return };
        let references = json.get("externalReferences").and_then(Value::as_array);
        let slots = references.into_iter().flatten().filter(|reference| reference.get("isSlot") == Some(&true.into()));
        let slots: Vec<&str> = slots.map(|reference| text(reference, "src")).collect();
        let mut hashes = false;
        self.note_yul(tree, block, &slots, &mut hashes);
        if hashes {
            self.found.hashes.push(WrittenHash { span: block, is_block: true });
        }
    }

    fn note_yul(&mut self, json: &Value, block: Span, slots: &[&str], hashes: &mut bool) {
        let is_slot = |name: &Value| slots.contains(&text(name, "src"));
        match json {
            Value::Object(object) => {
                let names = object.get("variableNames").and_then(Value::as_array).map(Vec::as_slice);
                match (text(json, "nodeType"), names) {
                    ("YulAssignment", Some([name])) if is_slot(name) => {
                        let value = object.get("value").unwrap_or(&Value::Null);
                        self.note_parameter(text(value, "name"), true, false);
                        self.note_pointer(text(name, "name"), span(json), self.assembly(value));
                        self.note_yul(value, block, slots, hashes);
                        return;
                    }
                    ("YulIdentifier", _) if is_slot(json) => {
                        self.note_mention(text(json, "name"), span(json));
                    }
                    ("YulFunctionCall", _) => match json.pointer("/functionName/name").and_then(Value::as_str) {
                        Some("keccak256") => *hashes = true,
                        Some(name @ ("sstore" | "tstore" | "sload" | "tload")) => {
                            let slot = json.pointer("/arguments/0").unwrap_or(&Value::Null);
                            let (stores, is_transient) = (name.ends_with("store"), name.starts_with('t'));
                            if let (Some(span), Some(written), false) = (span(json), self.written(slot), is_slot(slot))
                            {
                                self.note_parameter(text(slot, "name"), stores, is_transient);
                                let slot = self.assembly(slot);
                                self.found.accesses.push(RawAccess {
                                    span,
                                    block,
                                    slot,
                                    written,
                                    stores,
                                    is_transient,
                                });
                            }
                        }
                        _ => {}
                    },
                    _ => {}
                }
                object.values().for_each(|child| self.note_yul(child, block, slots, hashes));
            }
            Value::Array(items) => items.iter().for_each(|item| self.note_yul(item, block, slots, hashes)),
            _ => {}
        }
    }

    fn assembly(&self, json: &Value) -> SlotExpression {
        SlotExpression::of_assembly(json, &|name| self.local(name))
    }

    /// Notes what a block of assembly does that is given as a text.
    fn note_text(&mut self, json: &Value) {
        let (Some(block), operations) = (span(json), text(json, "operations")) else { return };
        let is_slot = |reader: &Self, word: &str| word.ends_with(SLOT_OF[1]) && !reader.locals.contains_key(word);
        for (called, stores) in [("sstore(", true), ("sload(", false)] {
            for at in operations.match_indices(called).map(|(at, _)| at) {
                let inside = enclosed(&operations[at + called.len()..]);
                let slot = arguments(inside).first().map_or("", |slot| slot.trim());
                if is_slot(self, slot) {
                    continue;
                }
                self.note_parameter(slot, stores, false);
                let slot = SlotExpression::of_text(slot, &|name| self.local(name));
                let (span, written, is_transient) = (block, block, false);
                self.found.accesses.push(RawAccess { span, block, slot, written, stores, is_transient });
            }
        }
        for word in operations.split(|letter: char| !is_letter(letter)) {
            if is_slot(self, word) {
                self.note_mention(word, Some(block));
            }
        }
        if operations.contains("keccak256(") || operations.contains("sha3(") {
            self.found.hashes.push(WrittenHash { span: block, is_block: true });
        }
    }

    fn note_pointer(&mut self, name: &str, span: Option<Span>, slot: SlotExpression) {
        let structure = self.locals.get(without_end(name)).and_then(|local| local.structure.clone());
        if let (Some(span), Some(structure)) = (span, structure) {
            self.found.pointers.push(PointerPlacement { structure, slot, span });
        }
    }

    fn note_mention(&mut self, name: &str, span: Option<Span>) {
        let name = without_end(name);
        let variable = (!self.locals.contains_key(name)).then(|| name.to_owned());
        self.found.mentions.extend(span.map(|span| SlotMention { span, variable }));
    }
}

/// An assignment in assembly that is given as a text.
struct Statement<'a> {
    name: &'a str,
    value: &'a str,
    /// Whether it declares the variable.
    declares: bool,
}

impl<'a> Statement<'a> {
    fn all(operations: &'a str) -> Vec<Self> {
        let of = |(at, _): (usize, &str)| {
            let before = operations[..at].trim_end();
            let start = before.rfind(|letter: char| !is_letter(letter)).map_or(0, |at| at + 1);
            let after = &operations[at + ":=".len()..];
            let end = after.find(['\n', '}']).unwrap_or(after.len());
            Self {
                name: &before[start..],
                value: value(&after[..end]),
                declares: before[..start].trim_end().ends_with("let"),
            }
        };
        operations.match_indices(":=").map(of).collect()
    }
}

/// The expression that a text begins with: a word, or a call.
fn value(written: &str) -> &str {
    let written = written.trim_start();
    let word = written.find(|letter: char| !is_letter(letter)).unwrap_or(written.len());
    match written[word..].strip_prefix('(') {
        Some(rest) => &written[..(word + enclosed(rest).len() + 2).min(written.len())],
        None => &written[..word],
    }
}

/// What stands before the parenthesis that closes one which was opened before.
fn enclosed(written: &str) -> &str {
    let mut depth = 1_usize;
    let end = written.find(|letter: char| {
        depth = match letter {
            '(' => depth + 1,
            ')' => depth - 1,
            _ => depth,
        };
        depth == 0
    });
    &written[..end.unwrap_or(written.len())]
}

/// The variable in the name of its slot.
fn without_end(name: &str) -> &str {
    SLOT_OF.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// The struct that a local variable points to.
fn structure_of(json: &Value) -> Option<&str> {
    let name = type_of(json).strip_prefix("struct ").filter(|_| text(json, "storageLocation") == "storage")?;
    Some(name.split(' ').next().unwrap_or(name))
}

/// The struct that a type in storage is.
fn structure(ty: &str) -> Option<&str> {
    let name = ty.strip_prefix("struct ")?;
    name.strip_suffix(" storage pointer").or_else(|| name.strip_suffix(" storage ref"))
}

/// The local variables that an expression assigns to.
fn assigned(json: &Value) -> Vec<&str> {
    match text(json, "nodeType") {
        "Identifier" => vec![text(json, "name")],
        "TupleExpression" => {
            json.get("components").and_then(Value::as_array).into_iter().flatten().flat_map(assigned).collect()
        }
        _ => Vec::new(),
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$')
}

fn span(json: &Value) -> Option<Span> {
    Span::of_src(text(json, "src"))
}
