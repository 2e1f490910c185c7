//! An [`Operation`] is arithmetic of a source whose result may not fit its type: a sum, a difference, a product, a power, or a
//! conversion to a narrower type. It is read from the compiler's JSON tree, of which the rest is dropped.
//!
//! What wraps around on purpose is left out: what a mask, a shift or a remainder cuts afterwards, what is hashed, negations, products
//! of 512 bits, and hashes that are computed number by number. Whether the compiler checks a result depends on its version, too,
//! which the tree does not say.

use super::{
    span::Span,
    tree::{nodes, text},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What an operation computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OperationKind {
    /// `+`, `++`
    Add,
    /// `-`, `--`
    Subtract,
    /// `*`
    Multiply,
    /// `**`
    Power,
    /// `uint8(x)` of something wider.
    Narrow,
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IntegerType {
    /// Its width.
    pub bits: u16,
    /// Whether it can be below zero.
    pub signed: bool,
}

/// Arithmetic whose result may not fit its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// Its range in the source.
    pub span: Span,
    /// What it computes.
    pub kind: OperationKind,
    /// The type of the result.
    pub ty: IntegerType,
    /// The type of what is narrowed; that of the result for all others.
    pub from: IntegerType,
    /// Whether no compiler checks it: it is in an `unchecked` block or in assembly, or a conversion.
    pub unchecked: bool,
    /// What the code may map to instead: the block of assembly that it is in, or what is computed, compared or assigned with
    /// what is converted, and cuts it.
    pub within: Option<Span>,
    /// The arithmetic that what is converted is a side of, or the call of another contract that passes it: who checks a result cuts its
    /// sides, and who encodes a call cuts its arguments.
    pub side_of: Option<Span>,
    /// Whether `within` is a structure that what is converted is a member of: each member is cut where it is put in memory.
    pub is_member: bool,
    /// Whether it is a difference without a sign that is compared with zero, `a - b >= 0`: however far it goes around, that holds.
    pub always_holds: bool,
}

impl Operation {
    /// Checked arithmetic that nothing else is known of.
    fn new(span: Span, kind: OperationKind, ty: IntegerType) -> Self {
        Self {
            span,
            kind,
            ty,
            from: ty,
            unchecked: false,
            within: None,
            side_of: None,
            is_member: false,
            always_holds: false,
        }
    }
}

/// The words of the EVM.
const WORD: IntegerType = IntegerType { bits: 256, signed: false };

/// Instructions of assembly that tell a number as it is.
const TOLD: [&str; 5] = ["timestamp", "number", "callvalue", "selfbalance", "sload"];

/// Instructions of assembly that work on numbers with a sign.
const SIGNED: [&str; 6] = ["sdiv", "smod", "slt", "sgt", "sar", "signextend"];

/// Functions that hash.
const HASHES: [&str; 5] = ["keccak256", "sha3", "sha256", "ripemd160", "blockhash"];

/// What holds where a node of the tree stands.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    unchecked: bool,
    /// Whether what is computed here is cut or hashed.
    mixes: bool,
    /// Whether it is compared for equality, as check sums are.
    equals: bool,
    /// The assignment of this very value.
    assignment: Option<Span>,
    /// What it is assigned to.
    turned: Option<&'a Value>,
    /// The expression that it is a part of.
    expression: Option<Span>,
    /// The arithmetic or comparison that it is a side of, where nothing is assigned by it.
    binary: Option<Span>,
    /// The arithmetic that it is a side of, that of an assignment such as `+=` too.
    side_of: Option<Span>,
    /// The assignment such as `+=` that it is a side of, with the bits of its type: a narrower side is cut where it is widened.
    widened: Option<(Span, u16)>,
    /// The call of another contract that it is an argument of.
    passed: Option<Span>,
    /// The structure that it is a member of.
    built: Option<Span>,
    /// The expression in which it is compared with zero, where no number without a sign is below that.
    at_least_zero: Option<Span>,
}

impl Around<'_> {
    /// The assignment that widens a side of this type.
    fn widening(&self, ty: IntegerType) -> Option<Span> {
        self.widened.filter(|(_, bits)| ty.bits < *bits).map(|(assignment, _)| assignment)
    }
}

/// The operations of a source.
pub(super) fn read(tree: &Value) -> Vec<Operation> {
    let mut reader = Reader::default();
    reader.pass_on(tree);
    reader.visit(tree, Around::default());
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Vec<Operation>,
    /// Variables that the function shifts to the right: it takes them apart.
    shifted: BTreeSet<String>,
    /// Variables that begin with a narrowed value, by the compiler's number. What is too much is cut where they are used.
    narrowed: BTreeMap<i64, Operation>,
}

impl Reader {
    fn visit<'a>(&mut self, json: &'a Value, around: Around<'a>) {
        match json {
            Value::Object(object) => {
                let Some(mut around) = self.enter(json, around) else { return };
                let is_expression = json.get("typeDescriptions").is_some() && text(json, "nodeType") != "Identifier";
                around.expression = read_span(json).filter(|_| is_expression).or(around.expression);
                // Only the sides themselves are compared, and only the value itself is assigned.
                around.equals &= text(json, "nodeType") != "FunctionCall";
                let is_assignment = text(json, "nodeType") == "Assignment";
                around.assignment = around.assignment.filter(|_| is_assignment);
                around.turned = around.turned.filter(|_| is_assignment);
                // Parentheses change nothing.
                if text(json, "nodeType") != "TupleExpression" {
                    let operator = text(json, "operator");
                    let is_binary = text(json, "nodeType") == "BinaryOperation";
                    let computes = kind(operator.strip_suffix('=').unwrap_or(operator)).is_some();
                    let compares = matches!(operator, "<" | "<=" | ">" | ">=");
                    around.binary = read_span(json).filter(|_| is_binary && (computes || compares));
                    around.side_of = read_span(json).filter(|_| computes && (is_binary || is_assignment));
                    let bits = integer(json).filter(|_| computes && is_assignment).map(|ty| ty.bits);
                    around.widened = read_span(json).zip(bits);
                    around.passed = read_span(json).filter(|_| is_external(json));
                    around.built = read_span(json).filter(|_| text(json, "kind") == "structConstructorCall");
                }
                for (key, child) in object {
                    if !matches!(key.as_str(), "documentation" | "typeDescriptions" | "src" | "typeName") {
                        self.visit(child, around);
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.visit(item, around)),
            _ => {}
        }
    }

    /// Notes a node, and says what holds inside of it; none if nothing there is of interest.
    fn enter<'a>(&mut self, json: &'a Value, mut around: Around<'a>) -> Option<Around<'a>> {
        let operator = text(json, "operator");
        match text(json, "nodeType") {
            "FunctionDefinition" => {
                // Who knows the upper half of a product knows that the lower half wraps around.
                if calls(json, "mulmod") {
                    return None;
                }
                self.shifted.clear();
                shifted(json, &mut self.shifted);
            }
            "UncheckedBlock" => around.unchecked = true,
            "BinaryOperation" => {
                around.mixes |= matches!(operator, "&" | "|" | "^" | "%" | "<<" | ">>") || is_hash(json);
                around.equals = matches!(operator, "==" | "!=");
                if let Some(kind) = kind(operator)
                    && !is_negation(json)
                    && !is_of_a_counter(json, &around)
                {
                    self.note(json, kind, around);
                }
                around.at_least_zero = at_least_zero(json).and_then(read_span);
            }
            "Assignment" => {
                around.turned = json.get("leftHandSide").filter(|_| operator == "=");
                around.mixes |= matches!(operator, "&=" | "|=" | "^=" | "%=" | "<<=" | ">>=");
                around.assignment = read_span(json).filter(|_| operator == "=");
                if let Some(kind) = operator.strip_suffix('=').and_then(kind)
                    && !is_of_a_counter(json, &around)
                {
                    self.note(json, kind, around);
                }
            }
            "UnaryOperation" => match operator {
                "++" => self.note(json, OperationKind::Add, around),
                "--" => self.note(json, OperationKind::Subtract, around),
                _ => {}
            },
            "FunctionCall" => {
                self.convert(json, around);
                let name = callee(json);
                let hashes = HASHES.contains(&name) || name.starts_with("encode");
                around.mixes |= hashes || is_other_conversion(json);
            }
            "InlineAssembly" => self.assembly(json),
            "VariableDeclarationStatement" => self.declare(json, around),
            "Identifier" => {
                let declaration = json.get("referencedDeclaration").and_then(Value::as_i64);
                if let Some(operation) = declaration.and_then(|id| self.narrowed.get(&id)).copied() {
                    let within = match around.side_of {
                        Some(_) => around.binary.or(around.widening(operation.ty)),
                        None => around.expression,
                    };
                    let (side_of, is_member) = (around.side_of.or(around.passed), around.built.is_some());
                    self.found.push(Operation { within, side_of, is_member, ..operation });
                }
            }
            _ => {}
        }
        Some(around)
    }

    fn note(&mut self, json: &Value, kind: OperationKind, around: Around<'_>) {
        if let (Some(span), Some(ty), false) = (read_span(json), integer(json), around.mixes) {
            let is_compared = kind == OperationKind::Subtract && !ty.signed && around.at_least_zero == Some(span);
            self.found.push(Operation {
                unchecked: around.unchecked,
                always_holds: is_compared,
                ..Operation::new(span, kind, ty)
            });
        }
    }

    /// Notes a variable that begins with a narrowed value.
    fn declare(&mut self, json: &Value, around: Around<'_>) {
        let declared = json.get("declarations").and_then(Value::as_array).map(Vec::as_slice);
        let Some([variable]) = declared else { return };
        let id = variable.get("id").and_then(Value::as_i64);
        let narrowed = json.get("initialValue").map(bare).and_then(|value| self.narrowing(value, around));
        self.narrowed.extend(id.zip(narrowed));
    }

    /// Notes the parameters of functions of the same source that get a narrowed value, if one call only passes them one.
    fn pass_on(&mut self, tree: &Value) {
        let mut parameters = BTreeMap::new();
        parameters_of(tree, &mut parameters);
        let mut passed: BTreeMap<i64, Vec<Operation>> = BTreeMap::new();
        self.note_passed(tree, &parameters, &mut passed);
        self.shifted.clear();
        let only = passed.into_iter().filter(|(_, narrowed)| narrowed.len() == 1);
        self.narrowed.extend(only.map(|(parameter, narrowed)| (parameter, narrowed[0])));
    }

    /// Collects what is narrowed and passed to parameters, by the compiler's numbers for them.
    fn note_passed(
        &mut self,
        json: &Value,
        parameters: &BTreeMap<i64, Vec<i64>>,
        passed: &mut BTreeMap<i64, Vec<Operation>>,
    ) {
        match json {
            Value::Object(object) => {
                if text(json, "nodeType") == "FunctionDefinition" {
                    self.shifted.clear();
                    shifted(json, &mut self.shifted);
                }
                let called = json.pointer("/expression/referencedDeclaration").and_then(Value::as_i64);
                let called = called.filter(|_| text(json, "nodeType") == "FunctionCall" && !is_external(json));
                if let Some(parameters) = called.and_then(|called| parameters.get(&called))
                    && let Some(arguments) = json.get("arguments").and_then(Value::as_array)
                {
                    // What a function of a library is called on is its first parameter.
                    let own = parameters.iter().rev().zip(arguments.iter().rev());
                    let narrowed = own.filter_map(|(parameter, argument)| {
                        Some((*parameter, self.narrowing(bare(argument), Around::default())?))
                    });
                    narrowed.for_each(|(parameter, operation)| passed.entry(parameter).or_default().push(operation));
                }
                object.values().for_each(|child| self.note_passed(child, parameters, passed));
            }
            Value::Array(items) => items.iter().for_each(|item| self.note_passed(item, parameters, passed)),
            _ => {}
        }
    }

    /// Notes a conversion to a narrower type, unless it takes a part of a word on purpose.
    fn convert(&mut self, json: &Value, around: Around<'_>) {
        let narrowing = self.narrowing(json, around);
        self.found.extend(narrowing);
    }

    /// The conversion to a narrower type that an expression is, unless it takes a part of a word on purpose.
    fn narrowing(&self, json: &Value, around: Around<'_>) -> Option<Operation> {
        let argument = json.pointer("/arguments/0").map(bare)?;
        let is_conversion = text(json, "kind") == "typeConversion";
        let takes_part = matches!(text(argument, "operator"), "&" | "|" | "^" | "%" | ">>" | "<<" | "~")
            || self.shifted.contains(text(argument, "name"))
            || HASHES.contains(&callee(argument));
        let (span, ty, from) = (read_span(json)?, integer(json)?, integer(argument)?);
        let is_narrower = is_conversion && ty.bits < from.bits && !takes_part && !around.mixes && !around.equals;
        // What is too much is cut where the result is used.
        let within = around.assignment.or(around.binary).or(around.widening(ty)).or(around.passed).or(around.built);
        let (side_of, is_member) = (around.side_of.or(around.passed), around.built.is_some());
        let operation = Operation { from, unchecked: true, ..Operation::new(span, OperationKind::Narrow, ty) };
        is_narrower.then_some(Operation { within, side_of, is_member, ..operation })
    }

    /// Notes what a block of assembly stores as the result of an operation, whose type nobody says: it is taken for a word without a
    /// sign.
    fn assembly(&mut self, json: &Value) {
        let (Some(tree), Some(block)) = (json.get("AST"), read_span(json)) else { return };
        let (mut stored, mut assigned) = (Vec::new(), Vec::new());
        yul(tree, &mut stored, &mut assigned);
        let mut values: Vec<&Value> = Vec::new();
        for value in stored {
            match text(value, "nodeType") {
                "YulFunctionCall" => values.push(value),
                _ => {
                    let name = text(value, "name");
                    values.extend(assigned.iter().filter(|(to, _)| *to == name).map(|(_, value)| *value));
                }
            }
        }
        // What a variable of Solidity gets: a product, or a sum or difference of two words that nothing was done with, since bits are
        // juggled with in nested ones. Numbers with a sign go around by themselves.
        let mut own = BTreeSet::new();
        declared(tree, &mut own);
        if !SIGNED.iter().any(|name| calls(tree, name)) {
            let is_amount = |value: &Value| match callee(value) {
                "mul" => true,
                "add" | "sub" => arguments(value).iter().all(is_plain),
                _ => false,
            };
            let handed_out = assigned.iter().filter(|(to, value)| !own.contains(*to) && is_amount(value));
            values.extend(handed_out.map(|(_, value)| *value));
        }
        for value in values {
            let argument = |index: usize| arguments(value).get(index);
            let named = |index: usize| argument(index).and_then(|argument| argument.pointer("/functionName/name"));
            let kind = match callee(value) {
                "add" => OperationKind::Add,
                "sub" if argument(0).is_some_and(is_zero) => continue,
                "sub" => OperationKind::Subtract,
                "mul" => OperationKind::Multiply,
                _ => continue,
            };
            let is_negated = (0..2).any(|index| named(index).and_then(Value::as_str) == Some("not"));
            if let (Some(span), false) = (read_span(value), is_negated)
                && self.found.iter().all(|known| known.span != span)
            {
                let operation = Operation::new(span, kind, WORD);
                self.found.push(Operation { unchecked: true, within: Some(block), ..operation });
            }
        }
    }
}

/// Whether a word of assembly is one that nothing was done with: a name, a number, or what an instruction tells.
fn is_plain(word: &Value) -> bool {
    text(word, "nodeType") != "YulFunctionCall" || TOLD.contains(&callee(word))
}

/// Whether a call is one of another contract, by its type.
fn is_external(json: &Value) -> bool {
    let ty = json.pointer("/expression/typeDescriptions/typeString").and_then(Value::as_str).unwrap_or_default();
    text(json, "kind") == "functionCall" && ty.contains(" external")
}

fn kind(operator: &str) -> Option<OperationKind> {
    Some(match operator {
        "+" => OperationKind::Add,
        "-" => OperationKind::Subtract,
        "*" => OperationKind::Multiply,
        "**" => OperationKind::Power,
        _ => return None,
    })
}

/// The type of an expression, if it is that of a number and no constant.
fn integer(json: &Value) -> Option<IntegerType> {
    let name = json.pointer("/typeDescriptions/typeString")?.as_str()?;
    let (signed, bits) = match name.strip_prefix("uint") {
        Some(bits) => (false, bits),
        None => (true, name.strip_prefix("int")?),
    };
    Some(IntegerType { bits: bits.parse().ok()?, signed })
}

/// An expression without the parentheses around it.
fn bare(json: &Value) -> &Value {
    let inner = json.get("components").and_then(Value::as_array).filter(|inner| inner.len() == 1);
    inner.map_or(json, |inner| bare(&inner[0]))
}

/// The name of what a node calls, in Solidity or in assembly.
fn callee(json: &Value) -> &str {
    let named = ["/expression/name", "/expression/memberName", "/functionName/name"];
    named.iter().find_map(|path| json.pointer(path).and_then(Value::as_str)).unwrap_or("")
}

/// What a call passes.
fn arguments(json: &Value) -> &[Value] {
    json.get("arguments").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The side of a comparison that is compared with zero in a way that holds for all numbers without a sign.
fn at_least_zero(json: &Value) -> Option<&Value> {
    let side = |key: &str| json.get(key).map(bare);
    let (left, right) = (side("leftExpression")?, side("rightExpression")?);
    match text(json, "operator") {
        ">=" if is_zero(right) => Some(left),
        "<=" if is_zero(left) => Some(right),
        _ => None,
    }
}

fn is_zero(json: &Value) -> bool {
    matches!(text(json, "value"), "0" | "0x0" | "0x00")
}

/// Whether it is `0 - x` or `~x + 1`.
fn is_negation(json: &Value) -> bool {
    let side = |key: &str| json.get(key).map(bare);
    let is_inverted = |key: &str| side(key).is_some_and(|side| text(side, "operator") == "~");
    (text(json, "operator") == "-" && side("leftExpression").is_some_and(is_zero))
        || is_inverted("leftExpression")
        || is_inverted("rightExpression")
}

/// Bits of a moment that goes around in our century, or in the next; chosen by hand.
const MAX_MOMENT_BITS: u16 = 40;

/// Whether it is arithmetic of counters that go around, of which only differences count: `outside = global - outside` turns one around,
/// exchanges say `cumulative` and `growth`, and moments of few bits are told by their names.
fn is_of_a_counter(json: &Value, around: &Around<'_>) -> bool {
    let side = |keys: [&str; 2]| keys.into_iter().find_map(|key| json.get(key)).map(bare);
    let [left, right] = [side(["leftExpression", "leftHandSide"]), side(["rightExpression", "rightHandSide"])];
    let is_turned =
        text(json, "operator") == "-" && right.zip(around.turned).is_some_and(|(one, other)| is_same(one, other));
    let is_called = |words: &[&str]| {
        let names =
            [left, right].into_iter().flatten().map(|side| [text(side, "name"), text(side, "memberName")].concat());
        names.map(|name| name.to_lowercase()).any(|name| words.iter().any(|word| name.contains(word)))
    };
    let is_short = integer(json).is_some_and(|ty| ty.bits <= MAX_MOMENT_BITS);
    is_turned || is_called(&["cumulative", "growth"]) || (is_short && is_called(&["time"]))
}

/// Whether two expressions name the same variable.
fn is_same(one: &Value, other: &Value) -> bool {
    let keys = ["expression", "baseExpression", "indexExpression"];
    let is_named =
        ["name", "memberName"].iter().any(|key| !text(one, key).is_empty()) || one.get("baseExpression").is_some();
    is_named
        && ["nodeType", "name", "memberName"].iter().all(|key| text(one, key) == text(other, key))
        && keys.iter().all(|key| match (one.get(key), other.get(key)) {
            (Some(one), Some(other)) => is_same(one, other),
            (None, None) => true,
            _ => false,
        })
}

/// Whether it is `h * 31 + x`, `(h ^ x) * 31`, `(h << 5) + x` or `uint256(keccak256(x)) + 1`: a hash, or a random number. Amounts are multiplied by even numbers and by
/// small ones.
fn is_hash(json: &Value) -> bool {
    let sides = |of: &Value| {
        ["leftExpression", "rightExpression"].map(|key| of.get(key).map_or(Value::Null, |side| bare(side).clone()))
    };
    let multiplies = |product: &Value| text(product, "operator") == "*" && sides(product).iter().any(is_odd_constant);
    let mixes = |side: &Value| matches!(text(side, "operator"), "^" | "<<");
    match text(json, "operator") {
        "+" if sides(json).iter().any(|side| multiplies(side) || mixes(side)) => true,
        "+" | "-" => HASHES.iter().any(|name| calls(json, name)),
        "*" => sides(json).iter().any(mixes),
        _ => false,
    }
}

fn is_odd_constant(json: &Value) -> bool {
    let digits = text(json, "value").replace('_', "");
    let is_literal = text(json, "nodeType") == "Literal" && text(json, "subdenomination").is_empty();
    let number = match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(&hex[hex.len().saturating_sub(30)..], 16),
        None => digits[digits.len().saturating_sub(30)..].parse(),
    };
    is_literal && number.is_ok_and(|number| number > 16 && number % 2 == 1)
}

/// Whether it is a conversion to something that is no number: what is inside becomes an address or bytes.
fn is_other_conversion(json: &Value) -> bool {
    text(json, "kind") == "typeConversion" && integer(json).is_none()
}

/// Whether a function is called by this name, in Solidity or in assembly.
fn calls(json: &Value, name: &str) -> bool {
    match json {
        Value::Object(object) => {
            object.get("name").and_then(Value::as_str) == Some(name) || object.values().any(|child| calls(child, name))
        }
        Value::Array(items) => items.iter().any(|item| calls(item, name)),
        // Before 0.6 assembly is a text.
        Value::String(text) => text.contains("mulmod("),
        _ => false,
    }
}

/// The parameters of functions, by the compiler's numbers for them.
fn parameters_of(json: &Value, parameters: &mut BTreeMap<i64, Vec<i64>>) {
    for node in nodes(json) {
        let number = |node: &Value| node.get("id").and_then(Value::as_i64);
        if let ("FunctionDefinition", Some(id)) = (text(node, "nodeType"), number(node)) {
            let own = node.pointer("/parameters/parameters").and_then(Value::as_array);
            parameters.insert(id, own.into_iter().flatten().filter_map(number).collect());
        }
        parameters_of(node, parameters);
    }
}

/// The variables that are shifted to the right.
fn shifted(json: &Value, names: &mut BTreeSet<String>) {
    match json {
        Value::Object(object) => {
            if text(json, "operator") == ">>"
                && let Some(name) = json.get("leftExpression").map(|left| text(bare(left), "name"))
            {
                names.insert(name.to_owned());
            }
            object.values().for_each(|child| shifted(child, names));
        }
        Value::Array(items) => items.iter().for_each(|item| shifted(item, names)),
        _ => {}
    }
}

/// The variables that assembly declares.
fn declared<'a>(json: &'a Value, names: &mut BTreeSet<&'a str>) {
    match json {
        Value::Object(object) => {
            let variables = object.get("variables").and_then(Value::as_array).into_iter().flatten();
            names.extend(variables.map(|variable| text(variable, "name")));
            object.values().for_each(|child| declared(child, names));
        }
        Value::Array(items) => items.iter().for_each(|item| declared(item, names)),
        _ => {}
    }
}

/// The words that assembly stores, and the variables that get the result of a call.
fn yul<'a>(json: &'a Value, stored: &mut Vec<&'a Value>, assigned: &mut Vec<(&'a str, &'a Value)>) {
    match json {
        Value::Object(object) => {
            if callee(json) == "sstore"
                && let Some(word) = json.pointer("/arguments/1")
            {
                stored.push(word);
            }
            let names = object.get("variables").or(object.get("variableNames")).and_then(Value::as_array);
            if let (Some(names), Some(value)) = (names, object.get("value"))
                && let [name] = &names[..]
            {
                assigned.push((text(name, "name"), value));
            }
            object.values().for_each(|child| yul(child, stored, assigned));
        }
        Value::Array(items) => items.iter().for_each(|item| yul(item, stored, assigned)),
        _ => {}
    }
}

/// Reads `start:length:file` of a node.
fn read_span(json: &Value) -> Option<Span> {
    let mut parts = json.get("src")?.as_str()?.split(':');
    let start: u32 = parts.next()?.parse().ok()?;
    let length: u32 = parts.next()?.parse().ok()?;
    Some(Span::new(start, start.checked_add(length)?))
}
