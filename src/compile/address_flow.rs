//! An [`AddressFlow`] is what a source says of addresses: between which variables they are copied, and as which contracts they
//! are used. An `address token_` that ends in `IERC20(token)` is the address of an `IERC20`. It is read from the compiler's JSON
//! tree, of which the rest is dropped.
//!
//! State variables, struct members and functions are known by name, since a source may be compiled apart from the one that
//! declares them; parameters and local variables by the number that the compiler gave them.

use super::tree::text;
use alloy_primitives::Address;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// Something that holds an address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Holder {
    /// A parameter or local variable of this source.
    Local(i64),
    /// A state variable or a struct member of this name.
    Named(String),
    /// The parameter at this index of the function, modifier or contract (its constructor) of this name.
    Parameter(String, u16),
    /// Whoever deploys a contract of this source: `msg.sender` in a constructor.
    Deployer,
    /// Whoever calls a function of this source: `msg.sender` elsewhere.
    Caller,
    /// What a function of this name returns, the getter of a public state variable among them.
    Result(String),
    /// What is kept under a constant name, such as `"PriceFeed"`: in a mapping, or by a function that is asked for it.
    Key(String),
    /// Nothing: the address itself stands in the source.
    Literal(Address),
}

/// The parameters of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameters {
    /// The name of the contract that defines it; empty for a function outside of contracts.
    pub contract: String,
    /// Its name; `constructor` for that.
    pub function: String,
    /// The name and number of each parameter.
    pub parameters: Vec<(String, i64)>,
}

/// The copies and uses of addresses in one source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressFlow {
    /// Copies: from, to. Sorted.
    pub copies: Vec<(Holder, Holder)>,
    /// The contract types that holders are used as. Sorted.
    pub uses: Vec<(Holder, String)>,
    /// Functions with parameters.
    pub functions: Vec<Parameters>,
    /// The constant names under which addresses are kept.
    pub keys: BTreeSet<String>,
}

impl AddressFlow {
    /// Reads the compact JSON tree of a source.
    pub fn read(json: &Value) -> Self {
        let mut reader = Reader::default();
        reader.declare(json, "");
        reader.visit(json);
        let Reader { mut flow, .. } = reader;
        flow.copies.sort();
        flow.copies.dedup();
        flow.uses.sort();
        flow.uses.dedup();
        flow
    }

    /// Where a holder's address is copied to, in this source.
    pub fn copied_from<'a>(&'a self, holder: &'a Holder) -> impl Iterator<Item = &'a Holder> {
        let first = self.copies.partition_point(|(from, _)| from < holder);
        self.copies[first..].iter().take_while(move |(from, _)| from == holder).map(|(_, to)| to)
    }

    /// The addresses that stand in this source, in order.
    pub fn literals(&self) -> BTreeSet<Address> {
        let holders = self.copies.iter().map(|(from, _)| from).chain(self.uses.iter().map(|(of, _)| of));
        let literal = |holder| match holder {
            &Holder::Literal(address) => Some(address),
            _ => None,
        };
        holders.filter_map(literal).collect()
    }

    /// The contract types that a holder is used as, in this source.
    pub fn uses_of<'a>(&'a self, holder: &'a Holder) -> impl Iterator<Item = &'a str> {
        let first = self.uses.partition_point(|(of, _)| of < holder);
        self.uses[first..].iter().take_while(move |(of, _)| of == holder).map(|(_, name)| name.as_str())
    }
}

/// What is known of an address in some sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// The contract types that it is used as.
    pub types: BTreeSet<String>,
    /// The names under which other sources may get it: functions that return it, and those of [`Holder::Key`].
    pub given_as: BTreeSet<Holder>,
}

/// What is known of an address over these sources, of which the first declares its holder.
pub fn used_as(sources: &[&AddressFlow], holder: Holder) -> Uses {
    let mut found = Uses::default();
    // A local variable means something in its own source only.
    let mut seen: BTreeSet<(usize, Holder)> = BTreeSet::new();
    // Where a holder means something.
    let places = |source: usize, holder: &Holder| -> Vec<(usize, Holder)> {
        match holder {
            Holder::Local(_) | Holder::Deployer | Holder::Caller => vec![(source, holder.clone())],
            Holder::Named(_) | Holder::Result(_) | Holder::Key(_) | Holder::Literal(_) => {
                (0..sources.len()).map(|source| (source, holder.clone())).collect()
            }
            Holder::Parameter(function, index) => {
                let called = |it: &&Parameters| {
                    it.function == *function || (it.function == "constructor" && it.contract == *function)
                };
                let functions = sources
                    .iter()
                    .enumerate()
                    .flat_map(|(at, other)| other.functions.iter().filter(called).map(move |function| (at, function)));
                let parameters = functions.filter_map(|(at, it)| Some((at, it.parameters.get(usize::from(*index))?)));
                parameters.map(|(at, (_, number))| (at, Holder::Local(*number))).collect()
            }
        }
    };
    let mut open = places(0, &holder);
    while let Some((source, holder)) = open.pop() {
        if !seen.insert((source, holder.clone())) {
            continue;
        }
        if matches!(holder, Holder::Result(_) | Holder::Key(_)) {
            found.given_as.insert(holder.clone());
        }
        let flow = sources[source];
        found.types.extend(flow.uses_of(&holder).map(str::to_owned));
        open.extend(flow.copied_from(&holder).flat_map(|to| places(source, to)));
    }
    found
}

#[derive(Default)]
struct Reader {
    flow: AddressFlow,
    /// The holder of each variable that the source declares.
    holders: HashMap<i64, Holder>,
    /// The texts of constants, by the number of the variable.
    texts: HashMap<i64, String>,
    /// Whether what is visited is in a constructor.
    in_constructor: bool,
    /// The name of the function that is visited, if it returns one value.
    returning: Option<String>,
}

fn id(json: &Value) -> Option<i64> {
    json.get("id").and_then(Value::as_i64)
}

fn is_set(json: &Value, key: &str) -> bool {
    json.get(key).and_then(Value::as_bool).unwrap_or(false)
}

fn list<'a>(json: &'a Value, path: &str) -> impl Iterator<Item = &'a Value> {
    json.pointer(path).and_then(Value::as_array).into_iter().flatten()
}

fn children(json: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match json {
        Value::Object(object) => Box::new(
            object
                .iter()
                .filter(|(key, _)| !matches!(key.as_str(), "documentation" | "typeDescriptions" | "typeName"))
                .map(|(_, value)| value),
        ),
        Value::Array(items) => Box::new(items.iter()),
        _ => Box::new(std::iter::empty()),
    }
}

/// The name of the contract in `contract IERC20` and `type(contract IERC20)`.
fn contract_type(json: &Value) -> Option<&str> {
    let name = json.pointer("/typeDescriptions/typeString").and_then(Value::as_str)?;
    let name = name.strip_prefix("type(").map_or(name, |name| name.trim_end_matches(')'));
    name.strip_prefix("contract ")
}

/// Whether a function is a constructor, also one that is named like its contract.
fn is_constructor(json: &Value) -> bool {
    text(json, "kind") == "constructor" || is_set(json, "isConstructor")
}

/// Whether a function is one of a library that is called as a member of its first argument, by `using … for …`.
fn is_attached(callee: &Value) -> bool {
    let identifier = callee.pointer("/typeDescriptions/typeIdentifier").and_then(Value::as_str).unwrap_or("");
    identifier.contains("$bound_to$") || identifier.contains("$attached_to$")
}

/// The name of the contract in the type of a variable: `contract IERC20`, `contract IERC20[] memory`.
fn declared_contract(json: &Value) -> Option<&str> {
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let name = contract_type(json)?;
    Some(name.split(|letter| !is_name(letter)).next().unwrap_or(name))
}

impl Reader {
    /// Notes what the source declares, before it is used.
    fn declare(&mut self, json: &Value, contract: &str) {
        let mut inside = contract;
        match text(json, "nodeType") {
            "ContractDefinition" => inside = text(json, "name"),
            "FunctionDefinition" | "ModifierDefinition" => {
                let function = if is_constructor(json) { "constructor" } else { text(json, "name") };
                let parameters: Vec<(String, i64)> = list(json, "/parameters/parameters")
                    .map(|it| (text(it, "name").to_owned(), id(it).unwrap_or(-1)))
                    .collect();
                // `returns (address pool)`
                if let Some(result) = result(json)
                    && let Some(number) = id(result)
                {
                    self.flow.copies.push((Holder::Local(number), Holder::Result(function.to_owned())));
                }
                if !parameters.is_empty() {
                    let (contract, function) = (contract.to_owned(), function.to_owned());
                    self.flow.functions.push(Parameters { contract, function, parameters });
                }
            }
            "VariableDeclaration" => {
                if let Some(id) = id(json) {
                    let is_named = is_set(json, "stateVariable");
                    let name = text(json, "name").to_owned();
                    // Compilers before 0.5.11 do not say in the ABI which contract a parameter is.
                    if !is_named && let Some(contract) = declared_contract(json) {
                        self.flow.uses.push((Holder::Local(id), contract.to_owned()));
                    }
                    if is_named && text(json, "visibility") == "public" && is_value(json) {
                        self.flow.copies.push((Holder::Named(name.clone()), Holder::Result(name.clone())));
                    }
                    if let Some(text) = constant_text(json) {
                        self.texts.insert(id, text.to_owned());
                    }
                    self.holders.insert(id, if is_named { Holder::Named(name) } else { Holder::Local(id) });
                }
            }
            "StructDefinition" => {
                for member in list(json, "/members") {
                    if let Some(id) = id(member) {
                        self.holders.insert(id, Holder::Named(text(member, "name").to_owned()));
                    }
                }
                return;
            }
            _ => {}
        }
        for child in children(json) {
            self.declare(child, inside);
        }
    }

    fn visit(&mut self, json: &Value) {
        if matches!(text(json, "nodeType"), "FunctionCall" | "IndexAccess")
            && let Some(Holder::Key(name)) = self.holder(json)
        {
            self.kept(json, name);
        }
        match text(json, "nodeType") {
            "FunctionDefinition" => {
                self.in_constructor = is_constructor(json);
                self.returning = result(json).map(|_| text(json, "name").to_owned());
                children(json).for_each(|child| self.visit(child));
                (self.in_constructor, self.returning) = (false, None);
                return;
            }
            "Return" => {
                if let Some(function) = self.returning.clone() {
                    self.copy_to(&json["expression"], Holder::Result(function));
                }
            }
            "Assignment" if text(json, "operator") == "=" => {
                let left = &json["leftHandSide"];
                for right in alternatives(&json["rightHandSide"]) {
                    match (tuple(left), tuple(right)) {
                        (Some(left), Some(right)) => {
                            left.iter().zip(right).for_each(|(left, right)| self.copy(right, left))
                        }
                        _ => self.copy(right, left),
                    }
                }
            }
            "VariableDeclarationStatement" => {
                let declared: Vec<&Value> = list(json, "/declarations").collect();
                for value in alternatives(&json["initialValue"]) {
                    let values = tuple(value).unwrap_or_else(|| vec![value]);
                    for (declared, value) in declared.iter().zip(values) {
                        if let Some(to) = id(declared) {
                            self.copy_to(value, Holder::Local(to));
                        }
                    }
                }
            }
            // `address token = address(token_);` in the head of a contract.
            "VariableDeclaration" if json.get("value").is_some_and(Value::is_object) => {
                let holder = id(json).and_then(|id| self.holders.get(&id).cloned());
                if let Some(to) = holder {
                    self.copy_to(&json["value"], to);
                }
            }
            "FunctionCall" => self.call(json),
            "ModifierInvocation" => {
                let name = json.pointer("/modifierName/name").and_then(Value::as_str).unwrap_or("").to_owned();
                self.pass(&name, list(json, "/arguments"), 0);
            }
            _ => {}
        }
        for child in children(json) {
            self.visit(child);
        }
    }

    /// Notes an expression that is kept under a constant name.
    fn kept(&mut self, json: &Value, name: String) {
        if let Some(contract) = contract_type(json) {
            self.flow.uses.push((Holder::Key(name.clone()), contract.to_owned()));
        }
        self.flow.keys.insert(name);
    }

    fn call(&mut self, json: &Value) {
        let callee = &json["expression"];
        match text(json, "kind") {
            "typeConversion" => {
                let argument = json.pointer("/arguments/0").unwrap_or(&Value::Null);
                if let (Some(name), Some(holder)) = (contract_type(json), self.holder(argument)) {
                    self.flow.uses.push((holder, name.to_owned()));
                }
            }
            "structConstructorCall" => {
                let names = list(json, "/names").filter_map(Value::as_str);
                for (name, value) in names.zip(list(json, "/arguments")) {
                    self.copy_to(value, Holder::Named(name.to_owned()));
                }
            }
            _ => match text(callee, "nodeType") {
                "Identifier" => self.pass(text(callee, "name"), list(json, "/arguments"), 0),
                "MemberAccess" => {
                    let (name, on) = (text(callee, "memberName"), &callee["expression"]);
                    if matches!(name, "call" | "staticcall") {
                        self.low_level(json, on);
                    }
                    // `Library.f(a)`, `super.f(a)`, `C(a).f(b)`; and `a.f(b)` of a library, where `a` is the first argument.
                    let is_attached = is_attached(callee);
                    if is_attached {
                        self.pass(name, std::iter::once(on), 0);
                    }
                    self.pass(name, list(json, "/arguments"), usize::from(is_attached));
                }
                _ => {}
            },
        }
    }

    /// `token.call(abi.encodeWithSelector(IERC20.transfer.selector, …))` uses `token` as an `IERC20`.
    fn low_level(&mut self, json: &Value, on: &Value) {
        let Some(holder) = self.holder(on) else { return };
        let mut open: Vec<&Value> = list(json, "/arguments").collect();
        while let Some(inside) = open.pop() {
            if text(inside, "memberName") == "selector"
                && let Some(name) = inside.pointer("/expression/expression").and_then(contract_type)
            {
                self.flow.uses.push((holder.clone(), name.to_owned()));
            }
            open.extend(children(inside));
        }
    }

    fn pass<'a>(&mut self, function: &str, arguments: impl Iterator<Item = &'a Value>, first: usize) {
        for (index, argument) in arguments.enumerate() {
            if let Ok(index) = u16::try_from(index + first) {
                self.copy_to(argument, Holder::Parameter(function.to_owned(), index));
            }
        }
    }

    fn copy(&mut self, from: &Value, to: &Value) {
        if let Some(to) = self.holder(to) {
            self.copy_to(from, to);
        }
    }

    fn copy_to(&mut self, from: &Value, to: Holder) {
        for from in alternatives(from) {
            self.copy_one(from, to.clone());
        }
    }

    fn copy_one(&mut self, from: &Value, to: Holder) {
        if let Some(from) = self.holder(from)
            && from != to
        {
            self.flow.copies.push((from, to));
        }
    }

    /// The variable, member, element or result that an expression is, through conversions and brackets.
    fn holder(&self, json: &Value) -> Option<Holder> {
        match text(json, "nodeType") {
            "Identifier" => {
                let declared = json.get("referencedDeclaration").and_then(Value::as_i64);
                let known = declared.and_then(|id| self.holders.get(&id).cloned());
                // Declared in another source: a state variable of a base. Functions, contracts and `msg` hold nothing.
                known.or_else(|| is_value(json).then(|| Holder::Named(text(json, "name").to_owned())))
            }
            "MemberAccess" => {
                let of = json.pointer("/expression/name").and_then(Value::as_str);
                if of == Some("msg") && text(json, "memberName") == "sender" {
                    return Some(if self.in_constructor { Holder::Deployer } else { Holder::Caller });
                }
                let is_global = matches!(of, Some("msg" | "tx" | "block"));
                (is_value(json) && !is_global).then(|| Holder::Named(text(json, "memberName").to_owned()))
            }
            "Literal" if text(json, "kind") == "number" && is_value(json) => {
                text(json, "value").parse().ok().map(Holder::Literal)
            }
            "IndexAccess" => self.key(&json["indexExpression"]).or_else(|| self.holder(&json["baseExpression"])),
            "TupleExpression" => match tuple(json)?[..] {
                [one] => self.holder(one),
                _ => None,
            },
            "FunctionCall" if text(json, "kind") == "typeConversion" => self.holder(json.pointer("/arguments/0")?),
            "FunctionCall" if text(json, "kind") == "functionCall" && is_value(json) => {
                let callee = &json["expression"];
                if text(callee, "nodeType") == "NewExpression" {
                    return None;
                }
                let name = [text(callee, "name"), text(callee, "memberName")].concat();
                let key = list(json, "/arguments").find_map(|argument| self.key(argument));
                key.or_else(|| (!name.is_empty()).then_some(Holder::Result(name)))
            }
            _ => None,
        }
    }

    /// What is kept under a constant name.
    fn key(&self, json: &Value) -> Option<Holder> {
        let declared = json.get("referencedDeclaration").and_then(Value::as_i64);
        let text = declared.and_then(|id| self.texts.get(&id).map(String::as_str)).or_else(|| short_text(json));
        text.map(|text| Holder::Key(text.to_owned()))
    }
}

/// The only value that a function returns, if that is an address.
fn result(json: &Value) -> Option<&Value> {
    let mut results = list(json, "/returnParameters/parameters");
    let only = results.next().filter(|result| is_value(result));
    only.filter(|_| results.next().is_none())
}

/// Whether an expression or a variable holds addresses.
fn is_value(json: &Value) -> bool {
    json.pointer("/typeDescriptions/typeString").and_then(Value::as_str).is_some_and(holds_address)
}

/// The text of a constant.
fn constant_text(json: &Value) -> Option<&str> {
    short_text(json.get("value").filter(|_| is_set(json, "constant"))?)
}

/// The text of a literal that fits a word. A sentence is no name.
fn short_text(json: &Value) -> Option<&str> {
    let is_text = text(json, "nodeType") == "Literal" && text(json, "kind") == "string";
    let is_name = |text: &&str| (1..=32).contains(&text.len()) && !text.contains(char::is_whitespace);
    Some(text(json, "value")).filter(is_name).filter(|_| is_text)
}

/// Whether a type is an address, a contract, or a collection of them.
fn holds_address(ty: &str) -> bool {
    !ty.starts_with("function") && !ty.starts_with("type(") && (ty.contains("address") || ty.contains("contract "))
}

/// The values that an expression may have: both of `a ? b : c`.
fn alternatives(json: &Value) -> Vec<&Value> {
    match text(json, "nodeType") {
        "Conditional" => {
            [&json["trueExpression"], &json["falseExpression"]].into_iter().flat_map(alternatives).collect()
        }
        _ => vec![json],
    }
}

/// The components of a tuple.
fn tuple(json: &Value) -> Option<Vec<&Value>> {
    (text(json, "nodeType") == "TupleExpression").then(|| list(json, "/components").collect())
}
