//! A [`Decision`] is a place of a source where a condition, or how a call ends, decides which way control goes: `if`, a loop, `? :`, `&&`,
//! `||`, `try`, and the checks `require` and `assert`. It is read from the compiler's JSON tree, of which the rest is dropped.

use super::span::Span;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decider {
    /// A condition that control goes on from both ways.
    Condition,
    /// The left one of two conditions, after which the right one may not be looked at.
    FirstOfTwo,
    /// The condition of a `require` or an `assert`, without which the call fails.
    Check,
    /// A call of `try`, that succeeds or not.
    Call,
}

/// A place where control goes one way or the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The whole statement or expression.
    pub span: Span,
    /// What decides.
    pub decider: Decider,
    /// The condition, or the call.
    pub condition: Span,
    /// The part that is run only where the condition holds, if there is one.
    pub when_true: Option<Span>,
    /// The part that is run only where it does not, if there is one.
    pub when_false: Option<Span>,
}

impl Decision {
    /// Which result of the condition leads to the block right behind the decision, given the ranges of its code, and which of them are in
    /// the decision's own source. None where that is not certain, as for code that fails, which compilers share between places.
    pub fn leads_to(&self, ranges: &[(Span, bool)], fails: bool) -> Option<bool> {
        let is_within = |part: Span| ranges.iter().any(|(range, is_own)| *is_own && part.contains(*range));
        let stays = ranges.iter().all(|(range, is_own)| *is_own && self.span.contains(*range));
        match self.decider {
            _ if ranges.is_empty() => None,
            Decider::Check => Some(!stays).filter(|holds| !(*holds && fails)),
            _ if self.when_true.is_some_and(is_within) => Some(true),
            _ if self.when_false.is_some_and(is_within) => Some(false),
            Decider::Condition if self.when_false.is_none() && !stays && !fails => Some(false),
            _ => None,
        }
    }
}

/// The decisions of a source, outer before inner.
pub(super) fn read(tree: &Value) -> Vec<Decision> {
    let mut decisions = Vec::new();
    visit(tree, &mut decisions);
    decisions
}

fn visit(json: &Value, decisions: &mut Vec<Decision>) {
    match json {
        Value::Object(object) => {
            decisions.extend(decision(json));
            object.values().for_each(|child| visit(child, decisions));
        }
        Value::Array(items) => items.iter().for_each(|item| visit(item, decisions)),
        _ => {}
    }
}

fn decision(json: &Value) -> Option<Decision> {
    let text = |pointer: &str| json.pointer(pointer).and_then(Value::as_str);
    let part = |pointer: &str| Span::of_src(text(&format!("{pointer}/src"))?);
    let decision = |decider, condition: &str, when_true: Option<Span>, when_false: Option<Span>| {
        Some(Decision { span: part("")?, decider, condition: part(condition)?, when_true, when_false })
    };
    match text("/nodeType")? {
        "IfStatement" => decision(Decider::Condition, "/condition", part("/trueBody"), part("/falseBody")),
        "WhileStatement" | "ForStatement" => decision(Decider::Condition, "/condition", part("/body"), None),
        "Conditional" => decision(Decider::Condition, "/condition", part("/trueExpression"), part("/falseExpression")),
        "BinaryOperation" => match text("/operator")? {
            "&&" => decision(Decider::FirstOfTwo, "/leftExpression", part("/rightExpression"), None),
            "||" => decision(Decider::FirstOfTwo, "/leftExpression", None, part("/rightExpression")),
            _ => None,
        },
        "TryStatement" => decision(Decider::Call, "/externalCall", part("/clauses/0/block"), part("/clauses/1/block")),
        "FunctionCall" if matches!(text("/expression/name"), Some("require" | "assert")) => {
            decision(Decider::Check, "/arguments/0", None, None)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn span((start, end): (u32, u32)) -> Span {
        Span::new(start, end)
    }

    #[test]
    fn a_decision_has_its_condition_and_what_depends_on_it() {
        let at = |src: &str| json!({ "nodeType": "Block", "src": src });
        let [condition, yes, no] = ["13:5:0", "20:10:0", "36:4:0"].map(at);
        for (tree, decider, when_true, when_false) in [
            (
                json!({ "nodeType": "IfStatement", "condition": condition, "trueBody": yes, "falseBody": no }),
                Decider::Condition,
                Some((20, 30)),
                Some((36, 40)),
            ),
            (
                json!({ "nodeType": "IfStatement", "condition": condition, "trueBody": yes, "falseBody": null }),
                Decider::Condition,
                Some((20, 30)),
                None,
            ),
            (
                json!({ "nodeType": "ForStatement", "condition": condition, "body": yes }),
                Decider::Condition,
                Some((20, 30)),
                None,
            ),
            (
                json!({
                    "nodeType": "BinaryOperation", "operator": "||", "leftExpression": condition, "rightExpression": no,
                }),
                Decider::FirstOfTwo,
                None,
                Some((36, 40)),
            ),
            (
                json!({ "nodeType": "TryStatement", "externalCall": condition, "clauses": [
                    { "block": yes }, { "block": no },
                ] }),
                Decider::Call,
                Some((20, 30)),
                Some((36, 40)),
            ),
            (
                json!({
                    "nodeType": "FunctionCall", "expression": { "name": "require" }, "arguments": [condition, yes],
                }),
                Decider::Check,
                None,
                None,
            ),
        ] {
            let mut tree = tree;
            tree["src"] = json!("10:30:0");
            let found = Decision {
                span: span((10, 40)),
                decider,
                condition: span((13, 18)),
                when_true: when_true.map(span),
                when_false: when_false.map(span),
            };
            assert_eq!(read(&tree), [found], "{tree}");
        }
        for tree in [
            json!({ "nodeType": "ForStatement", "src": "10:30:0", "condition": null, "body": yes }),
            json!({ "nodeType": "BinaryOperation", "operator": "<", "src": "10:30:0" }),
            json!({ "nodeType": "FunctionCall", "src": "10:30:0", "expression": { "name": "f" } }),
        ] {
            assert_eq!(read(&tree), [], "{tree}");
        }
    }

    #[test]
    fn code_behind_a_decision_tells_the_result_that_leads_there_where_it_is_certain() {
        use Decider::{Check, Condition, FirstOfTwo};
        let (yes, no) = (Some((20, 30)), Some((36, 40)));
        let whole = (10, 40);
        for (decider, when_true, when_false, ranges, fails, result) in [
            (Condition, yes, no, vec![whole, (22, 24)], false, Some(true)),
            (Condition, yes, no, vec![(22, 24)], true, Some(true)),
            (Condition, yes, no, vec![(36, 38)], false, Some(false)),
            (Condition, yes, None, vec![whole, (50, 60)], false, Some(false)),
            (Condition, yes, None, vec![(50, 60)], true, None),
            (Condition, yes, no, vec![(50, 60)], false, None),
            (Condition, yes, None, vec![whole], false, None),
            (FirstOfTwo, None, no, vec![(36, 38)], false, Some(false)),
            (FirstOfTwo, None, no, vec![(50, 60)], false, None),
            (FirstOfTwo, yes, None, vec![(50, 60)], false, None),
            (Check, None, None, vec![whole, (50, 60)], false, Some(true)),
            (Check, None, None, vec![whole, (15, 18)], true, Some(false)),
            (Check, None, None, vec![(50, 60)], true, None),
            (Check, None, None, vec![], false, None),
        ] {
            let (when_true, when_false) = (when_true.map(span), when_false.map(span));
            let decision = Decision { span: span(whole), decider, condition: span((13, 18)), when_true, when_false };
            let told: Vec<(Span, bool)> = ranges.iter().map(|range| (span(*range), true)).collect();
            assert_eq!(decision.leads_to(&told, fails), result, "{decider:?} {when_true:?} {when_false:?} {ranges:?}");
        }
        let when_true = yes.map(span);
        let decision =
            Decision { span: span(whole), decider: Condition, condition: span((13, 18)), when_true, when_false: None };
        let elsewhere = [(span(whole), true), (span((22, 24)), false)];
        assert_eq!(decision.leads_to(&elsewhere, false), Some(false), "in another source, a range is not within");
    }
}
