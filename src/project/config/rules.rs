//! How entries of `[[ignore]]` and `[[levels]]` are read. One with a mistake is left out as a whole, and told: an ignore that is
//! wider than it was meant would hide findings.

use super::{Level, Reading};
use crate::project::{
    document::{DocumentNode, Value},
    exclude,
    nearest::suggestion,
    rules::{IgnoreRule, LevelRule, PlaceRule},
};
use std::collections::BTreeMap;

/// The keys of a place.
const PLACE: [&str; 4] = ["file", "contract", "function", "expression"];

impl Reading<'_> {
    /// The valid entries of `[[ignore]]`.
    pub(super) fn ignore_rules(&mut self, node: &DocumentNode) -> Vec<IgnoreRule> {
        entries(node).iter().filter_map(|entry| self.ignore_rule(entry)).collect()
    }

    fn ignore_rule(&mut self, node: &DocumentNode) -> Option<IgnoreRule> {
        let place = self.place_rule("ignore", node, &["oracle", "reason"])?;
        let oracle = self.text("ignore", "oracle", node)?;
        if oracle.is_empty() {
            self.warn(
                node.line,
                "an `ignore` entry names no oracle: write `oracle = \"assertion\"` or the like; the entry is ignored"
                    .to_owned(),
            );
            return None;
        }
        if !self.is_oracle(&oracle, node.get("oracle").and_then(|node| node.line)) {
            return None;
        }
        if place.file.is_none() {
            self.warn(node.line, "an `ignore` entry names no file: write `file = \"src/Vault.sol\"` or another glob pattern; the entry is ignored".to_owned());
            return None;
        }
        let reason = self.text("ignore", "reason", node)?.trim().to_owned();
        if reason.is_empty() {
            self.warn(node.line, "an `ignore` entry has no reason: write `reason = \"...\"` that says why these findings are intended; until then they are shown".to_owned());
            return None;
        }
        Some(IgnoreRule { oracle, place, reason, line: node.line })
    }

    /// The valid entries of `[[levels]]`.
    pub(super) fn level_rules(&mut self, node: &DocumentNode) -> Vec<LevelRule> {
        entries(node).iter().filter_map(|entry| self.level_rule(entry)).collect()
    }

    fn level_rule(&mut self, node: &DocumentNode) -> Option<LevelRule> {
        let place = self.place_rule("levels", node, &["oracles"])?;
        if place == PlaceRule::default() {
            let remedy = "name a `file`, `contract` or `function`, or use `[oracles]` for the whole project";
            self.warn(node.line, format!("a `levels` entry names no place: {remedy}; the entry is ignored"));
            return None;
        }
        let mut oracles = BTreeMap::new();
        for (oracle, node) in node.get("oracles").map(DocumentNode::entries).into_iter().flatten() {
            if !self.is_oracle(oracle, node.line) {
                continue;
            }
            match node.text().and_then(Level::from_name) {
                Some(level) => drop(oracles.insert(oracle.clone(), level)),
                None => {
                    let levels = Level::NAMES.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    self.wrong(&format!("levels.oracles.{oracle}"), &format!("one of {levels}"), node);
                }
            }
        }
        if oracles.is_empty() {
            let remedy = "write `oracles.assertion = \"hint\"` or the like";
            self.warn(node.line, format!("a `levels` entry sets no level: {remedy}; the entry is ignored"));
            return None;
        }
        Some(LevelRule { place, oracles })
    }

    /// The place of an entry that has these other keys; `None` if one of its keys is not known or has a wrong value.
    fn place_rule(&mut self, table: &str, node: &DocumentNode, others: &[&str]) -> Option<PlaceRule> {
        let known = || PLACE.iter().chain(others).copied();
        let unknown = node.entries().iter().find(|(key, _)| !known().any(|name| name == key));
        if let Some((key, node)) = unknown {
            let message = format!("unknown key `{key}` in `{table}`{}", suggestion(key, known()));
            self.warn(node.line, format!("{message}; the entry is ignored"));
            return None;
        }
        let mut values = [None, None, None, None];
        for (value, key) in values.iter_mut().zip(PLACE) {
            *value = Some(self.text(table, key, node)?).filter(|text| !text.is_empty());
        }
        let [file, contract, function, expression] = values;
        if let Some(Err(reason)) = file.as_deref().map(exclude::check) {
            let file = file.unwrap_or_default();
            self.warn(node.line, format!("`{table}`: {file:?} is not a glob pattern: {reason}; the entry is ignored"));
            return None;
        }
        Some(PlaceRule { file, contract, function, expression })
    }

    /// The text of a key; empty if it is not there, and `None` if it is something else.
    fn text(&mut self, table: &str, key: &str, node: &DocumentNode) -> Option<String> {
        match node.get(key) {
            None => Some(String::new()),
            Some(DocumentNode { value: Value::Nothing, .. }) => Some(String::new()),
            Some(node) => match node.text() {
                Some(text) => Some(text.to_owned()),
                None => {
                    self.wrong(&format!("{table}.{key}"), "a string", node);
                    None
                }
            },
        }
    }

    /// Whether there is an oracle of this name; a warning where there is none.
    fn is_oracle(&mut self, name: &str, line: Option<usize>) -> bool {
        let is_known = self.settings.oracles().any(|known| known == name);
        if !is_known {
            let message = self.no_oracle(name, "");
            self.warn(line, message);
        }
        is_known
    }
}

fn entries(node: &DocumentNode) -> &[DocumentNode] {
    match &node.value {
        Value::List(entries) => entries,
        _ => &[],
    }
}
