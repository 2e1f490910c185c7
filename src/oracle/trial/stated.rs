//! The comparison that fails in a property: where it stands, and its two sides. Assertions of forge's revert with the values of both
//! sides, and those of ds-test log them; what else compares is taken from the instruction.

use super::{checks::ComparedWord, confirmed::Trial};
use crate::{
    compile::{SourceRange, Span},
    evm::{Comparison, Outcome, Status},
    harness::Action,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Log, keccak256};
use revm::bytecode::opcode;

/// A comparison of two sides that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedComparison {
    /// The call of an assertion with both sides as its first arguments, or the comparison itself.
    pub range: SourceRange,
    /// The sides.
    pub sides: StatedSides,
    /// Whether the comparison held, as in `if (a != b) return false`.
    pub holds: bool,
}

/// The values of two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatedSides {
    /// As the assertion tells them, the left one first.
    Told([String; 2]),
    /// As they were compared; which is which is not certain.
    Compared([ComparedWord; 2]),
}

/// What an assertion tells about two values.
const RELATIONS: [&str; 6] = [" != ", " == ", " >= ", " <= ", " > ", " < "];
/// The logs of ds-test that name a value.
const NAMED: [&str; 5] = [
    "uint(string,uint256)",
    "int(string,int256)",
    "address(string,address)",
    "bytes32(string,bytes32)",
    "string(string,string)",
];
/// What stands in front of a comparison that has to hold.
const STATES: [&str; 5] = ["require", "assert", "assertTrue", "return", "&&"];

impl Trial<'_> {
    /// The comparison that fails in the last call; `ended` is how that ends.
    pub(in crate::oracle) fn stated_comparison(&mut self, ended: &Outcome) -> Option<StatedComparison> {
        let last = self.last.as_ref()?;
        let (source, span) = self.harness.definition(last.transaction.call)?;
        let call = self.harness.call(Action::Call(last.transaction), last.before.moment());
        self.executor.set_detailed(true);
        self.executor.run(&last.before, &call);
        self.executor.set_detailed(false);
        // What a property calls for its assertions stands in it, or else beside it in its file.
        let text = &*self.harness.build.source(source).text;
        let places = [span, Span::new(0, text.len() as u32)];
        let values = match ended.status {
            Status::Revert => told_values(&ended.told(|_| None)),
            _ => logged_values(&ended.logs),
        };
        places.into_iter().find_map(|place| match &values {
            Some(values) => {
                let range = self.asserted((source, place), text)?;
                Some(StatedComparison { range, sides: StatedSides::Told(values.clone()), holds: false })
            }
            None => self.compared((source, place), text),
        })
    }

    /// The last call of an assertion that was made in this place.
    fn asserted(&self, (source, place): SourceRange, text: &str) -> Option<SourceRange> {
        let programs = &self.harness.programs;
        let entered = self.executor.observation().entered().into_iter().rev();
        let mut ranges = entered.filter_map(|(program, block)| {
            let program = programs.get(program);
            program.range(program.block(block).last)
        });
        ranges.find(|(of, span)| *of == source && place.contains(*span) && span.text(text).starts_with("assert"))
    }

    /// The last comparison that was made in this place, if it has to hold there, or must not.
    fn compared(&self, (source, place): SourceRange, text: &str) -> Option<StatedComparison> {
        let programs = &self.harness.programs;
        let comparisons = self.executor.observation().comparisons.iter().rev();
        let operator = |comparison: &Comparison| programs.get(comparison.program).code[comparison.pc as usize];
        let compares = |opcode: u8| {
            matches!(
                opcode,
                opcode::EQ | opcode::LT | opcode::GT | opcode::SLT | opcode::SGT | opcode::SUB | opcode::XOR
            )
        };
        let mut compared = comparisons.filter(|comparison| compares(operator(comparison))).filter_map(|comparison| {
            let (of, span) = programs.get(comparison.program).range(comparison.pc)?;
            let is_there = of == source && place.contains(span) && is_comparison(span.text(text));
            is_there.then_some((comparison, span))
        });
        let (comparison, span) = compared.next()?;
        let before = text[..span.start as usize].trim_end_matches([' ', '(', '\n', '\t', '\r']);
        let signed = matches!(operator(comparison), opcode::SLT | opcode::SGT);
        let sides = [comparison.left, comparison.right].map(|word| ComparedWord { word, signed });
        let holds = before.ends_with("if") && returns_false(&text[span.end as usize..]);
        let is_stated = holds || STATES.iter().any(|word| before.ends_with(word));
        is_stated.then_some(StatedComparison { range: (source, span), sides: StatedSides::Compared(sides), holds })
    }
}

/// Whether an expression compares, and not only something within it.
fn is_comparison(expression: &str) -> bool {
    let mut depth = 0_i32;
    expression.chars().any(|letter| {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(letter, '=' | '<' | '>')
    })
}

/// Whether the condition of an `if` ends here, and what follows returns false.
fn returns_false(after: &str) -> bool {
    let then = after
        .trim_start()
        .strip_prefix(')')
        .map(|then| then.trim_start_matches(|letter: char| letter == '{' || letter.is_whitespace()));
    then.is_some_and(|then| then.starts_with("return false;"))
}

/// The two values that an assertion of ds-test logged last, by names that newer and older versions give them.
fn logged_values(logs: &[Log]) -> Option<[String; 2]> {
    let mut named = logs.iter().rev().filter_map(named_value);
    let is = |names: [&'static str; 2]| move |(name, _): &(String, String)| names.contains(&name.as_str());
    let (_, right) = named.find(is(["Right", "Actual"]))?;
    let (_, left) = named.next().filter(is(["Left", "Expected"]))?;
    Some([left, right])
}

/// The name and the value of a log of ds-test, such as `log_named_uint(string,uint256)`.
fn named_value(log: &Log) -> Option<(String, String)> {
    let topic = log.topics().first()?;
    let kind = NAMED.iter().find(|kind| keccak256(format!("log_named_{kind}")) == *topic)?;
    let ty = DynSolType::parse(kind.split_once('(')?.1.split_once(',')?.1.trim_end_matches(')')).ok()?;
    let value = DynSolType::Tuple(vec![DynSolType::String, ty]).abi_decode_params(&log.data.data).ok()?;
    let [DynSolValue::String(name), value] = value.as_tuple()? else { return None };
    let told = match value {
        DynSolValue::Uint(word, _) => word.to_string(),
        DynSolValue::Int(word, _) => word.to_string(),
        DynSolValue::Address(address) => address.to_string(),
        DynSolValue::FixedBytes(word, _) => word.to_string(),
        DynSolValue::String(text) => format!("{text:?}"),
        _ => return None,
    };
    Some((name.trim().to_owned(), told))
}

/// The two values at the end of what an assertion says: `assertion failed: 2 != 1`.
fn told_values(told: &str) -> Option<[String; 2]> {
    let text = told.strip_prefix("revert \"")?.strip_suffix('"')?;
    let (at, relation) = RELATIONS.iter().filter_map(|relation| Some((text.rfind(relation)?, *relation))).max()?;
    let (before, right) = (&text[..at], &text[at + relation.len()..]);
    let left = before.rsplit_once(": ").map_or(before, |(_, left)| left);
    let is_value = |side: &str| !side.is_empty() && (!side.contains(' ') || side.starts_with('['));
    (is_value(left) && is_value(right)).then(|| [left.to_owned(), right.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::told_values;

    #[test]
    fn what_an_assertion_says_ends_with_the_two_values() {
        for (told, values) in [
            ("revert \"assertion failed: 2 != 1\"", Some(["2", "1"])),
            ("revert \"shares: do not add up: -2 >= 1\"", Some(["-2", "1"])),
            ("revert \"assertion failed: [1, 2] != []\"", Some(["[1, 2]", "[]"])),
            ("revert \"assertion failed\"", None),
            ("revert \"a is more > than that\"", None),
            ("revert Failed", None),
            ("panic 0x01", None),
        ] {
            assert_eq!(told_values(told), values.map(|sides| sides.map(str::to_owned)), "{told}");
        }
    }
}
