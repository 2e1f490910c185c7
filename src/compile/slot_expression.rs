//! A [`SlotExpression`] is an expression of a source that gives a slot, kept so far that it can be worked out without running anything:
//! numbers, texts, hashes of them, what is computed with them, and the names of constants. It is read from the compiler's tree of
//! Solidity and of assembly, and before 0.6 from the text of assembly. Names are looked up by whoever asks.

use super::tree::{text, type_of};
use alloy_primitives::{U256, keccak256};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Constants that refer to each other which are followed; chosen by hand.
const MAX_DEPTH: usize = 16;
/// Bytes of a text that is hashed, at most; chosen by hand.
const MAX_BYTES: usize = 1024;

/// An expression that gives a slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SlotExpression {
    /// A number.
    Word(U256),
    /// A text, or bytes.
    Bytes(Vec<u8>),
    /// A constant, `POSITION` or `Storage.POSITION`, or a function without parameters that returns one: `position()`.
    Named(String),
    /// `keccak256(…)`
    Hash(Box<Self>),
    /// `abi.encode(…)`
    Encoded(Vec<Self>),
    /// `abi.encodePacked(…)`, of words and texts.
    Packed(Vec<Self>),
    /// `~x`
    Not(Box<Self>),
    /// Two expressions with an operator between them.
    Operation(SlotOperator, Box<[Self; 2]>),
    /// Anything else: what it gives is known only when it runs.
    Unknown,
}

/// An operator of a [`SlotExpression`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "their names say what they are")]
pub enum SlotOperator {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// The value of a [`SlotExpression`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlotValue {
    /// A word.
    Word(U256),
    /// Bytes of any length.
    Bytes(Vec<u8>),
}

impl SlotValue {
    /// As a word: a text of up to 32 bytes stands at the left end.
    pub fn word(&self) -> Option<U256> {
        match self {
            Self::Word(word) => Some(*word),
            Self::Bytes(bytes) if bytes.len() <= 32 => {
                let mut word = [0; 32];
                word[..bytes.len()].copy_from_slice(bytes);
                Some(U256::from_be_bytes(word))
            }
            Self::Bytes(_) => None,
        }
    }
}

impl SlotExpression {
    /// The value, given those of names. None if it is known only when it runs.
    pub fn value(&self, named: &mut dyn FnMut(&str) -> Option<SlotValue>) -> Option<SlotValue> {
        let mut word = |expression: &Self| expression.value(named)?.word();
        Some(match self {
            Self::Word(known) => SlotValue::Word(*known),
            Self::Bytes(bytes) => SlotValue::Bytes(bytes.clone()),
            Self::Named(name) => named(name)?,
            Self::Not(inner) => SlotValue::Word(!word(inner)?),
            Self::Operation(operator, sides) => SlotValue::Word(operator.apply(word(&sides[0])?, word(&sides[1])?)),
            Self::Hash(inner) => match inner.value(named)? {
                SlotValue::Bytes(bytes) if bytes.len() <= MAX_BYTES => {
                    SlotValue::Word(U256::from_be_bytes(keccak256(bytes).0))
                }
                _ => return None,
            },
            Self::Encoded(parts) => SlotValue::Bytes(encode(&values(parts, named)?)),
            Self::Packed(parts) => {
                let packed = values(parts, named)?.into_iter().flat_map(|value| match value {
                    SlotValue::Word(word) => word.to_be_bytes::<32>().to_vec(),
                    SlotValue::Bytes(bytes) => bytes,
                });
                SlotValue::Bytes(packed.collect())
            }
            Self::Unknown => return None,
        })
    }

    /// The names in it.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Named(name) => vec![name],
            Self::Hash(inner) | Self::Not(inner) => inner.names(),
            Self::Encoded(parts) | Self::Packed(parts) => parts.iter().flat_map(Self::names).collect(),
            Self::Operation(_, sides) => sides.iter().flat_map(Self::names).collect(),
            Self::Word(_) | Self::Bytes(_) | Self::Unknown => Vec::new(),
        }
    }

    /// Reads an expression of Solidity. `local` gives what a local variable is.
    pub(super) fn of_solidity(json: &Value, local: &dyn Fn(&str) -> Option<Self>) -> Self {
        Self::read_solidity(json, local, 0).unwrap_or(Self::Unknown)
    }

    fn read_solidity(json: &Value, local: &dyn Fn(&str) -> Option<Self>, depth: usize) -> Option<Self> {
        let depth = depth + 1;
        if depth > MAX_DEPTH {
            return None;
        }
        let read = |json: &Value| Self::read_solidity(json, local, depth);
        let child = |key: &str| json.get(key).and_then(read);
        match text(json, "nodeType") {
            "Literal" => literal(json),
            "Identifier" => {
                let name = text(json, "name");
                Some(local(name).unwrap_or_else(|| Self::Named(name.to_owned())))
            }
            "MemberAccess" => {
                let of = json.get("expression").filter(|of| type_of(of).starts_with("type("))?;
                let of = [text(of, "name"), text(of, "memberName")].concat();
                Some(Self::Named(format!("{of}.{}", text(json, "memberName"))))
            }
            "TupleExpression" => match json.get("components")?.as_array()?.as_slice() {
                [only] => read(only),
                _ => None,
            },
            "UnaryOperation" if text(json, "operator") == "~" => Some(Self::Not(Box::new(child("subExpression")?))),
            "BinaryOperation" => {
                let operator = SlotOperator::of_solidity(text(json, "operator"))?;
                let sides = Box::new([child("leftExpression")?, child("rightExpression")?]);
                Some(Self::Operation(operator, sides))
            }
            "FunctionCall" => Self::read_call(json, &read),
            _ => None,
        }
    }

    fn read_call(json: &Value, read: &dyn Fn(&Value) -> Option<Self>) -> Option<Self> {
        let arguments = json.get("arguments")?.as_array()?;
        let callee = json.get("expression")?;
        let only = || if let [only] = arguments.as_slice() { Some(only) } else { None };
        if text(json, "kind") == "typeConversion" {
            let inner = read(only()?)?;
            return converted(inner, type_of(json));
        }
        match (text(callee, "nodeType"), text(callee, "name"), text(callee, "memberName")) {
            ("Identifier", "keccak256" | "sha3", _) => Some(Self::Hash(Box::new(read(only()?)?))),
            ("Identifier", "erc7201", _) => Some(Self::namespace(read(only()?)?)),
            ("MemberAccess", _, "encode") => arguments.iter().map(read).collect::<Option<_>>().map(Self::Encoded),
            ("MemberAccess", _, "encodePacked") => {
                let is_whole = |argument: &&Value| is_word(type_of(argument)) || is_text(type_of(argument));
                let all = arguments.iter().all(|argument| is_whole(&argument));
                arguments.iter().map(read).collect::<Option<_>>().filter(|_| all).map(Self::Packed)
            }
            ("MemberAccess", _, "wrap" | "unwrap") => read(only()?),
            ("Identifier", name, _) if arguments.is_empty() => Some(Self::Named(format!("{name}()"))),
            ("MemberAccess", _, name) if arguments.is_empty() => {
                let of = callee.get("expression").filter(|of| type_of(of).starts_with("type("))?;
                Some(Self::Named(format!("{}.{name}()", text(of, "name"))))
            }
            _ => None,
        }
    }

    /// The formula of ERC-7201 for the name of a namespace.
    fn namespace(name: Self) -> Self {
        let word = |number: u64| Self::Word(U256::from(number));
        let operation = |operator, left, right| Self::Operation(operator, Box::new([left, right]));
        let inner = operation(SlotOperator::Subtract, Self::Hash(Box::new(name)), word(1));
        let outer = Self::Hash(Box::new(Self::Encoded(vec![inner])));
        operation(SlotOperator::And, outer, Self::Not(Box::new(word(0xff))))
    }

    /// Reads an expression of assembly.
    pub(super) fn of_assembly(json: &Value, local: &dyn Fn(&str) -> Option<Self>) -> Self {
        Self::read_assembly(json, local, 0).unwrap_or(Self::Unknown)
    }

    fn read_assembly(json: &Value, local: &dyn Fn(&str) -> Option<Self>, depth: usize) -> Option<Self> {
        if depth > MAX_DEPTH {
            return None;
        }
        match text(json, "nodeType") {
            "YulLiteral" if text(json, "kind") == "string" => bytes_of(json).map(Self::Bytes),
            "YulLiteral" => number(text(json, "value")).map(Self::Word),
            "YulIdentifier" => {
                let name = text(json, "name");
                Some(local(name).unwrap_or_else(|| Self::Named(name.to_owned())))
            }
            "YulFunctionCall" => {
                let arguments = json.get("arguments")?.as_array()?;
                let read = |argument: &Value| Self::read_assembly(argument, local, depth + 1);
                let arguments = arguments.iter().map(read).collect::<Option<Vec<_>>>()?;
                Self::called(json.pointer("/functionName/name")?.as_str()?, arguments)
            }
            _ => None,
        }
    }

    /// What a function of the EVM gives.
    fn called(name: &str, arguments: Vec<Self>) -> Option<Self> {
        match (name, <[Self; 2]>::try_from(arguments)) {
            ("not", Err(inner)) => Some(Self::Not(Box::new(inner.into_iter().next()?))),
            ("shl", Ok([by, of])) => Some(Self::Operation(SlotOperator::ShiftLeft, Box::new([of, by]))),
            ("shr", Ok([by, of])) => Some(Self::Operation(SlotOperator::ShiftRight, Box::new([of, by]))),
            (_, Ok(sides)) => Some(Self::Operation(SlotOperator::of_assembly(name)?, Box::new(sides))),
            _ => None,
        }
    }

    /// Reads an expression of assembly as a text.
    pub(super) fn of_text(written: &str, local: &dyn Fn(&str) -> Option<Self>) -> Self {
        Self::read_text(written, local, 0).unwrap_or(Self::Unknown)
    }

    fn read_text(written: &str, local: &dyn Fn(&str) -> Option<Self>, depth: usize) -> Option<Self> {
        let written = written.trim();
        if depth > MAX_DEPTH {
            return None;
        }
        if written.starts_with(|letter: char| letter.is_ascii_digit()) {
            return number(written).map(Self::Word);
        }
        if let Some((name, rest)) = written.split_once('(') {
            let arguments = arguments(rest.strip_suffix(')')?);
            let arguments = arguments.into_iter().map(|argument| Self::read_text(argument, local, depth + 1));
            return Self::called(name.trim(), arguments.collect::<Option<_>>()?);
        }
        let is_name = !written.is_empty() && written.chars().all(is_letter);
        is_name.then(|| local(written).unwrap_or_else(|| Self::Named(written.to_owned())))
    }
}

impl SlotOperator {
    fn of_solidity(operator: &str) -> Option<Self> {
        Some(match operator {
            "+" => Self::Add,
            "-" => Self::Subtract,
            "*" => Self::Multiply,
            "&" => Self::And,
            "|" => Self::Or,
            "^" => Self::Xor,
            "<<" => Self::ShiftLeft,
            ">>" => Self::ShiftRight,
            _ => return None,
        })
    }

    fn of_assembly(name: &str) -> Option<Self> {
        Some(match name {
            "add" => Self::Add,
            "sub" => Self::Subtract,
            "mul" => Self::Multiply,
            "and" => Self::And,
            "or" => Self::Or,
            "xor" => Self::Xor,
            _ => return None,
        })
    }

    fn apply(self, left: U256, right: U256) -> U256 {
        match self {
            Self::Add => left.wrapping_add(right),
            Self::Subtract => left.wrapping_sub(right),
            Self::Multiply => left.wrapping_mul(right),
            Self::And => left & right,
            Self::Or => left | right,
            Self::Xor => left ^ right,
            Self::ShiftLeft => left.wrapping_shl(right.saturating_to()),
            Self::ShiftRight => left.wrapping_shr(right.saturating_to()),
        }
    }
}

fn values(parts: &[SlotExpression], named: &mut dyn FnMut(&str) -> Option<SlotValue>) -> Option<Vec<SlotValue>> {
    parts.iter().map(|part| part.value(named)).collect()
}

/// What `abi.encode` makes of words and texts.
fn encode(values: &[SlotValue]) -> Vec<u8> {
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    for value in values {
        match value {
            SlotValue::Word(word) => head.extend(word.to_be_bytes::<32>()),
            SlotValue::Bytes(bytes) => {
                head.extend(U256::from(32 * values.len() + tail.len()).to_be_bytes::<32>());
                tail.extend(U256::from(bytes.len()).to_be_bytes::<32>());
                tail.extend(bytes);
                tail.resize(tail.len().next_multiple_of(32), 0);
            }
        }
    }
    [head, tail].concat()
}

/// The value of a literal.
fn literal(json: &Value) -> Option<SlotExpression> {
    match text(json, "kind") {
        "number" if text(json, "subdenomination").is_empty() => number(text(json, "value")).map(SlotExpression::Word),
        "number" | "bool" => None,
        _ => bytes_of(json).map(SlotExpression::Bytes),
    }
}

/// The bytes of a literal that is a text.
fn bytes_of(json: &Value) -> Option<Vec<u8>> {
    let hex = text(json, "hexValue");
    (hex.len() <= 2 * MAX_BYTES).then(|| alloy_primitives::hex::decode(hex).ok()).flatten()
}

/// A number as it is written, without a fraction.
fn number(written: &str) -> Option<U256> {
    let digits = written.replace('_', "");
    if digits.is_empty() {
        return None;
    }
    if let Some(hex) = digits.strip_prefix("0x") {
        return U256::from_str_radix(hex, 16).ok();
    }
    let (digits, zeros) = digits.split_once(['e', 'E']).unwrap_or((&digits, "0"));
    let scale = U256::from(10).checked_pow(U256::from(zeros.parse::<u8>().ok()?))?;
    U256::from_str_radix(digits, 10).ok()?.checked_mul(scale)
}

/// An expression, converted to another type, if that leaves it what it is.
fn converted(inner: SlotExpression, ty: &str) -> Option<SlotExpression> {
    match (inner, ty) {
        (SlotExpression::Bytes(bytes), "bytes32") if bytes.len() <= 32 => {
            SlotValue::Bytes(bytes).word().map(SlotExpression::Word)
        }
        (inner @ SlotExpression::Bytes(_), ty) => is_text(ty).then_some(inner),
        (inner, ty) if is_word(ty) => Some(inner),
        (SlotExpression::Word(word), ty) => {
            let bits: usize = ty.strip_prefix("uint")?.parse().ok()?;
            (word.bit_len() <= bits).then_some(SlotExpression::Word(word))
        }
        _ => None,
    }
}

fn is_word(ty: &str) -> bool {
    matches!(ty, "uint256" | "int256" | "bytes32")
}

fn is_text(ty: &str) -> bool {
    ty.starts_with("literal_string") || ty.starts_with("string") || ty.split(' ').next() == Some("bytes")
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$')
}

/// The arguments of a call, as they are written.
pub(super) fn arguments(inside: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, letter) in inside.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inside.trim().is_empty() {
        found.push(&inside[start..]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(expression: &SlotExpression) -> Option<U256> {
        expression.value(&mut |name| (name == "FIVE").then_some(SlotValue::Word(U256::from(5))))?.word()
    }

    #[test]
    fn the_formula_of_the_standard() {
        let expected = "0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500".parse().ok();
        let name = SlotExpression::Bytes(b"example.main".to_vec());
        assert_eq!(value(&SlotExpression::namespace(name)), expected);
    }

    #[test]
    fn assembly_as_a_text() {
        let read = |written: &str| value(&SlotExpression::of_text(written, &|_| None));
        let word = |number: u64| Some(U256::from(number));
        for (written, expected) in [
            ("7", word(7)),
            (" 0x10 ", word(16)),
            ("FIVE", word(5)),
            ("OTHER", None),
            ("add(FIVE, 0x02)", word(7)),
            ("add(FIVE, not(0))", word(4)),
            ("shl(4, sub(FIVE, 1))", word(64)),
            ("shr(1, 9)", word(4)),
            ("keccak256(0, 64)", None),
            ("sload(0)", None),
            ("add(1)", None),
            ("", None),
        ] {
            assert_eq!(read(written), expected, "{written:?}");
        }
    }

    #[test]
    fn numbers_as_they_are_written() {
        for (written, expected) in [
            ("1_000", Some(1_000_u64)),
            ("0xff_ff", Some(0xffff)),
            ("2e3", Some(2_000)),
            ("1.5", None),
            ("1e90", None),
            ("", None),
        ] {
            assert_eq!(number(written), expected.map(U256::from), "{written:?}");
        }
    }

    #[test]
    fn texts_are_encoded_behind_words() {
        let word = |number: u64| U256::from(number).to_be_bytes::<32>().to_vec();
        let mut padded = b"abc".to_vec();
        padded.resize(32, 0);
        let values = [SlotValue::Word(U256::from(9)), SlotValue::Bytes(b"abc".to_vec())];
        assert_eq!(encode(&values), [word(9), word(64), word(3), padded].concat());
    }
}
