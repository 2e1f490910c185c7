//! The two sides of the comparison in an assertion that failed, with their values. Which of two words belongs to which side is told
//! only where it is certain: the optimizer may swap them.

use super::story::name;
use crate::{
    harness::Harness,
    input::{brief::short, print::on_one_line},
    oracle::{ComparedWord, Grounds, StatedComparison, StatedSides, Violation},
};
use alloy_primitives::{Address, I256, U256};
use std::cmp::Ordering;

/// A side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedValue {
    /// Its text in the source.
    pub expression: String,
    /// Its value when the comparison was made, for people.
    pub value: String,
}

/// Comparisons, the longer ones first.
const OPERATORS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

/// The comparison that failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Its sides, the left one first; empty if none is known.
    pub values: Vec<ComparedValue>,
    /// What stands between them; none where a function compares.
    pub operator: Option<&'static str>,
}

impl Comparison {
    /// The comparison with its values, and what each is: `` `0 >= 1`: `total` is 0, `sum()` is 1 ``. None if none is known.
    pub fn told(&self) -> Option<String> {
        let Self { values, operator } = self;
        let shorts: Vec<String> = values.iter().map(|side| short(&side.value)).collect();
        let told =
            values.iter().zip(&shorts).filter(|(side, short)| ![*short, &side.value].contains(&&side.expression));
        let told: Vec<String> = told.map(|(side, short)| format!("`{}` is {short}", side.expression)).collect();
        match (operator, &shorts[..]) {
            (Some(operator), [left, right]) => Some(format!("`{left} {operator} {right}`: {}", told.join(", "))),
            _ => (!told.is_empty()).then(|| told.join(", ")),
        }
    }
}

/// The comparison with its sides; none if the grounds are others, or if it is not certain which side is which.
pub(super) fn compared(harness: &Harness, violation: &Violation, grounds: &Grounds) -> Comparison {
    match grounds {
        Grounds::Compared(one, other) | Grounds::RefusesSender { sides: [one, other], .. } => {
            let text = violation.place.names(&harness.build).expression;
            let condition = text.strip_prefix("assert(").and_then(|text| text.strip_suffix(')'));
            condition.map_or_else(Comparison::default, |condition| sides_of(harness, condition, [*one, *other], false))
        }
        Grounds::Broken { compared: Some(comparison), .. } => stated(harness, comparison),
        _ => Comparison::default(),
    }
}

/// The comparison that a property states.
fn stated(harness: &Harness, stated: &StatedComparison) -> Comparison {
    let StatedComparison { range: (source, span), sides, holds } = stated;
    let text = span.text(&harness.build.source(*source).text);
    match sides {
        StatedSides::Compared(words) => sides_of(harness, text, *words, *holds),
        StatedSides::Told(values) => {
            let sides = arguments(text).filter(|sides| sides.len() >= 2).unwrap_or_default();
            let value =
                |(side, value): (&str, &String)| ComparedValue { expression: on_one_line(side), value: value.clone() };
            Comparison { values: sides.into_iter().zip(values).map(value).collect(), operator: None }
        }
    }
}

/// What a condition compared that is one comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Compared {
    /// The left side and the right one, and what stands between them.
    Sides([ComparedValue; 2], &'static str),
    /// The two words; which is which is not certain.
    Words([String; 2]),
}

impl Compared {
    /// Of a condition that holds or does not, with the words that were compared. None if it is not one comparison, or compares others.
    pub(crate) fn of(harness: &Harness, condition: &str, words: [ComparedWord; 2], holds: bool) -> Option<Self> {
        let is_optimized = || harness.compiled().settings.contains("\"enabled\":true");
        let (left, operator, right) = split(condition)?;
        // Equality is the same for numbers with and without a sign; a literal tells.
        let is_negative = [left, right].iter().any(|side| side.starts_with('-'));
        let words = words.map(|word| ComparedWord { signed: word.signed || is_negative, ..word });
        let are_accounts = [left, right].iter().any(|side| is_account(side));
        let side = |word| if are_accounts { account(harness, word) } else { side(word) };
        match orders((left, operator, right), words, holds, is_optimized)[..] {
            [] => None,
            [[first, second]] => {
                let value = |text, word| ComparedValue { expression: on_one_line(text), value: side(word) };
                Some(Self::Sides([value(left, first), value(right, second)], operator))
            }
            _ => Some(Self::Words(words.map(side))),
        }
    }
}

/// The comparison in a condition that holds or does not, where it is certain which word is which.
fn sides_of(harness: &Harness, condition: &str, words: [ComparedWord; 2], holds: bool) -> Comparison {
    match Compared::of(harness, condition, words, holds) {
        Some(Compared::Sides(sides, operator)) => Comparison { values: sides.into(), operator: Some(operator) },
        Some(Compared::Words(_)) | None => Comparison::default(),
    }
}

/// The arguments of a call: `assertEq(f(a, b), c)` has two. None where quotes or comments make that uncertain before the second ends.
fn arguments(call: &str) -> Option<Vec<&str>> {
    let inner = call.split_once('(')?.1.strip_suffix(')')?;
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, letter) in inner.char_indices() {
        match letter {
            '"' | '\'' | '/' if found.len() < 2 => return None,
            '"' | '\'' => return Some(found),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                found.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(inner[start..].trim());
    Some(found)
}

/// Whether an expression is an account whatever the contract declares; what is compared with it is one, too.
fn is_account(expression: &str) -> bool {
    let is_converted = || {
        let inner = expression.strip_prefix("address(").and_then(|rest| rest.strip_suffix(')'));
        inner.is_some_and(|inner| !inner.contains(['(', ')']))
    };
    matches!(expression, "msg.sender" | "tx.origin" | "block.coinbase") || is_converted()
}

/// An account as a side of a comparison: its name if it has one.
fn account(harness: &Harness, side: ComparedWord) -> String {
    let address = Address::from_word(side.word.into());
    name(harness, address).unwrap_or_else(|| address.to_string())
}

/// A side of a comparison: a number, or what looks like a hash in hexadecimal digits.
pub(super) fn side(side: ComparedWord) -> String {
    match side.signed {
        true => I256::from_raw(side.word).to_string(),
        // The largest numbers are no hashes.
        false if side.word.bit_len() > 200 && (!side.word).bit_len() > 200 => format!("{:#x}", side.word),
        false => side.word.to_string(),
    }
}

/// The sides of the one comparison in a condition; none if there is another number of them, another condition beside it, or a comment.
/// What is compared with `true` or `false` is a condition itself.
fn split(condition: &str) -> Option<(&str, &'static str, &str)> {
    let uncertain = ["//", "/*", "\"", "'", "&&", "||", "?"];
    if uncertain.iter().any(|text| condition.contains(text)) {
        return None;
    }
    let (mut depth, mut at, mut found) = (0_usize, 0, None);
    while let Some(rest) = condition.get(at..).filter(|rest| !rest.is_empty()) {
        let operator = OPERATORS.into_iter().find(|operator| rest.starts_with(operator));
        match (rest.chars().next()?, operator) {
            ('(' | '[' | '{', _) => depth += 1,
            (')' | ']' | '}', _) => depth = depth.checked_sub(1)?,
            _ if rest.starts_with("<<") || rest.starts_with(">>") => at += 1,
            (_, Some(operator)) if depth == 0 => {
                if found.replace((at, operator)).is_some() {
                    return None;
                }
                at += operator.len() - 1;
            }
            _ => {}
        }
        at += condition[at..].chars().next()?.len_utf8();
    }
    let (at, operator) = found?;
    let (left, right) = (condition[..at].trim(), condition[at + operator.len()..].trim());
    let is_number = |side: &str| !matches!(side, "" | "true" | "false");
    (is_number(left) && is_number(right)).then_some((left, operator, right))
}

/// The orders of the words that they may have as sides: those in which the comparison holds, or does not. Where both are, as of two words
/// that are not equal, a literal tells, or the order in which code is made that is not optimized. None if these words were not compared.
fn orders(
    (left, operator, right): (&str, &str, &str),
    [one, other]: [ComparedWord; 2],
    held: bool,
    is_optimized: impl Fn() -> bool,
) -> Vec<[ComparedWord; 2]> {
    let both = if one == other { vec![[one, other]] } else { vec![[one, other], [other, one]] };
    let mut possible = both;
    possible.retain(|[left, right]| holds(*left, operator, *right) == held);
    if possible.len() < 2 {
        return possible;
    }
    let literals = [literal(left), literal(right)];
    match literals {
        [None, None] if !is_optimized() => possible.truncate(1),
        [left, right] => possible.retain(|[first, second]| {
            left.is_none_or(|word| word == first.word) && right.is_none_or(|word| word == second.word)
        }),
    }
    possible
}

fn holds(left: ComparedWord, operator: &str, right: ComparedWord) -> bool {
    let order = match left.signed {
        true => I256::from_raw(left.word).cmp(&I256::from_raw(right.word)),
        false => left.word.cmp(&right.word),
    };
    match operator {
        "==" => order == Ordering::Equal,
        "!=" => order != Ordering::Equal,
        "<=" => order != Ordering::Greater,
        ">=" => order != Ordering::Less,
        "<" => order == Ordering::Less,
        _ => order == Ordering::Greater,
    }
}

/// The value of a number without a unit.
fn literal(text: &str) -> Option<U256> {
    let digits = text.replace('_', "");
    match digits.strip_prefix("0x") {
        // Of this length it is an address with a checksum, or shorter, a number: both are their digits.
        Some(hex) => U256::from_str_radix(hex, 16).ok(),
        None => U256::from_str_radix(&digits, 10).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_split_at_its_only_comparison() {
        for (condition, sides) in [
            ("a == b", Some(("a", "==", "b"))),
            ("f(x <= 1)[i] >=\n b << 2", Some(("f(x <= 1)[i]", ">=", "b << 2"))),
            ("a<b", Some(("a", "<", "b"))),
            ("\u{e9} != 1", Some(("\u{e9}", "!=", "1"))),
            ("a == b == c", None),
            ("a == b && c", None),
            ("a == true", None),
            ("f(a == b)", None),
            ("a", None),
            ("a >> 1", None),
            ("a == /* b */ c", None),
            ("a ==", None),
            (") == (", None),
        ] {
            assert_eq!(split(condition), sides, "{condition:?}");
        }
    }

    #[test]
    fn a_comparison_is_told_with_its_values_and_what_they_are() {
        let side = |(expression, value): (&str, &str)| ComparedValue {
            expression: expression.to_owned(),
            value: value.to_owned(),
        };
        let told = |sides: &[(&str, &str)], operator| {
            Comparison { values: sides.iter().copied().map(side).collect(), operator }.told()
        };
        for (sides, operator, expected) in [
            (vec![("balance", "0"), ("sum()", "1")], Some(">="), Some("`0 >= 1`: `balance` is 0, `sum()` is 1")),
            (vec![("total", "7"), ("8", "8")], Some("=="), Some("`7 == 8`: `total` is 7")),
            (
                vec![("1e18", "1000000000000000000"), ("x", "2000000000000000000")],
                Some("=="),
                Some("`1e18 == 2e18`: `x` is 2e18"),
            ),
            (vec![("a()", "1"), ("b()", "2")], None, Some("`a()` is 1, `b()` is 2")),
            (vec![], None, None),
        ] {
            assert_eq!(told(&sides, operator).as_deref(), expected, "{sides:?}");
        }
    }

    #[test]
    fn accounts_are_known_by_their_text() {
        for (expression, expected) in [
            ("msg.sender", true),
            ("tx.origin", true),
            ("address(token)", true),
            ("address(this).balance", false),
            ("address(a) == address(b)", false),
            ("sender", false),
        ] {
            assert_eq!(is_account(expression), expected, "{expression}");
        }
    }

    #[test]
    fn arguments_are_separated_by_commas_outside_of_brackets() {
        for (call, expected) in [
            ("assertEq(f(a, b), c)", Some(vec!["f(a, b)", "c"])),
            ("assertLe(a[i],\n b, \"why, not\")", Some(vec!["a[i]", "b"])),
            ("assertEq(x, \"a\")", None),
            ("assertTrue(a)", Some(vec!["a"])),
            ("a == b", None),
        ] {
            assert_eq!(arguments(call), expected, "{call:?}");
        }
    }

    #[test]
    fn words_are_given_to_sides_only_where_that_is_certain() {
        let word = |word: i64| ComparedWord { word: I256::try_from(word).unwrap().into_raw(), signed: word < 0 };
        let told = |sides, [one, other]: [i64; 2], optimized: bool| {
            let words = [word(one), word(other)].map(|it| ComparedWord { signed: one < 0 || other < 0, ..it });
            match orders(sides, words, false, || optimized)[..] {
                [sides] => Some(sides.map(|it| I256::from_raw(it.word).as_i64())),
                _ => None,
            }
        };
        for (sides, words, optimized, expected) in [
            (("a", "<=", "b"), [5, 3], true, Some([5, 3])),
            (("a", "<=", "b"), [3, 5], true, Some([5, 3])),
            (("a", ">", "b"), [-3, 5], true, Some([-3, 5])),
            (("a", "!=", "b"), [5, 5], true, Some([5, 5])),
            (("a", "!=", "b"), [5, 3], true, None),
            (("a", "==", "b"), [5, 3], true, None),
            (("a", "==", "b"), [5, 3], false, Some([5, 3])),
            (("a", "==", "3"), [3, 5], true, Some([5, 3])),
            (("0x05", "==", "b"), [3, 5], true, Some([5, 3])),
            (("a", "==", "7"), [3, 5], true, None),
        ] {
            assert_eq!(told(sides, words, optimized), expected, "{sides:?} {words:?}");
        }
        let plain = |word: u64| ComparedWord { word: U256::from(word), signed: false };
        let held = orders(("a", "<=", "b"), [plain(100), plain(97)], true, || true);
        assert_eq!(held, [[plain(97), plain(100)]], "where it holds, the other order");
        let neither = orders(("a", "==", "b"), [plain(100), plain(97)], true, || true);
        assert!(neither.is_empty(), "other words were compared");
    }
}
