//! [`Functions`] maps code to the functions of the source, by names and never by positions: a function that moved is the same,
//! and so is an inherited one.

use crate::{
    code::program::Program,
    compile::{Build, Contract, Node, NodeKind, SourceId, Span},
};
use std::{
    collections::{BTreeMap, HashMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

/// Equal values have equal digests. Digests are not stored, so they only have to be stable within one process.
pub(super) fn digest(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The functions, modifiers and getters of a build.
pub(super) struct Functions<'a> {
    build: &'a Build,
    /// By source, in the order of positions; they do not nest.
    all: Vec<Vec<FunctionEntry<'a>>>,
}

/// A function of a build.
#[derive(Clone, Copy)]
pub(super) struct FunctionKey(SourceId, usize);

struct FunctionEntry<'a> {
    span: Span,
    /// The contract that defines it; empty for a free function.
    contract: &'a str,
    /// A digest of kind, name and selector, and of the index among functions that share them all.
    name: u64,
}

impl<'a> Functions<'a> {
    pub(super) fn of(build: &'a Build) -> Self {
        let all = build.sources.iter().map(|source| {
            let is = |node: &&Node, kinds: &[NodeKind]| kinds.contains(&node.kind);
            let nodes = || source.ast.nodes.iter();
            let contracts: Vec<&Node> = nodes().filter(|node| is(node, &[NodeKind::Contract])).collect();
            let mut functions: Vec<&Node> =
                nodes().filter(|node| is(node, &[NodeKind::Function, NodeKind::Modifier, NodeKind::Getter])).collect();
            functions.sort_by_key(|node| (node.span.start, node.span.end));
            let mut namesakes: BTreeMap<_, u32> = BTreeMap::new();
            functions
                .into_iter()
                .map(|node| {
                    let contract = contracts.iter().find(|contract| contract.span.contains(node.span));
                    let contract = contract.map_or("", |contract| contract.name.as_str());
                    let count = namesakes.entry((contract, node.kind, &node.name, node.selector)).or_default();
                    *count += 1;
                    FunctionEntry {
                        span: node.span,
                        contract,
                        name: digest((node.kind, &node.name, node.selector, *count)),
                    }
                })
                .collect()
        });
        Self { build, all: all.collect() }
    }

    /// The function that contains a range.
    fn index(&self, source: SourceId, span: Span) -> Option<usize> {
        let functions = &self.all[source.0 as usize];
        let before = functions.partition_point(|function| function.span.start <= span.start);
        before.checked_sub(1).filter(|index| functions[*index].span.contains(span))
    }

    /// The function that a block belongs to, as the contract that it is compiled into sees it: its own functions keep
    /// their identity when the contract gets another name. None for code that the compiler made.
    pub(super) fn owner(&self, program: &Program, contract: &Contract, block: usize) -> Option<u64> {
        let (of, name) = self.names(self.key(program, block)?);
        Some(digest((if of == contract.name { "" } else { of }, name)))
    }

    /// The function that a block belongs to, if any.
    pub(super) fn key(&self, program: &Program, block: usize) -> Option<FunctionKey> {
        let mut elements = program.instructions_of(&program.blocks[block]).iter().filter_map(|i| program.element(i.pc));
        elements.find_map(|element| {
            let source = element.source?;
            Some(FunctionKey(source, self.index(source, element.span)?))
        })
    }

    fn text(&self, source: SourceId, span: Span) -> &'a str {
        span.text(&self.build.source(source).text)
    }

    /// Digests of the source text of each function, without comments and spaces, by contract and name.
    pub(super) fn texts(&self) -> HashMap<(&'a str, u64), u64> {
        let mut texts = HashMap::new();
        for (source, functions) in (0..).map(SourceId).zip(&self.all) {
            for function in functions {
                let text = digest(words(self.text(source, function.span)));
                texts.insert((function.contract, function.name), text);
            }
        }
        texts
    }

    /// Its key in [`Functions::texts`].
    pub(super) fn names(&self, FunctionKey(source, index): FunctionKey) -> (&'a str, u64) {
        let function = &self.all[source.0 as usize][index];
        (function.contract, function.name)
    }

    /// A digest of the text of a function, with its identifiers numbered in the order of their first occurrence: renaming does
    /// not change it.
    pub(super) fn phrase(&self, FunctionKey(source, index): FunctionKey) -> u64 {
        let text = words(self.text(source, self.all[source.0 as usize][index].span));
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let mut phrase = Vec::new();
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if matches!(first, '"' | '\'') {
                literal(rest, first)
            } else {
                first.len_utf8()
            };
            let (word, after) = rest.split_at(length);
            rest = after;
            if is_word(first) && !first.is_ascii_digit() {
                let next = numbers.len();
                phrase.push(digest(*numbers.entry(word).or_insert(next)));
            } else {
                phrase.push(digest(word));
            }
        }
        digest(phrase)
    }

    /// A digest of the source text of a block's instructions, without comments, each up to the brace at which other blocks
    /// begin.
    pub(super) fn says(&self, program: &Program, block: usize) -> u64 {
        let elements = program.instructions_of(&program.blocks[block]).iter().filter_map(|i| program.element(i.pc));
        let mut places: Vec<(SourceId, Span)> =
            elements.filter_map(|element| Some((element.source?, element.span))).collect();
        places.sort_unstable();
        places.dedup();
        let texts = places
            .into_iter()
            .map(|(source, span)| words(self.text(source, span).split('{').next().unwrap_or_default()));
        digest(texts.collect::<Vec<_>>())
    }
}

/// A text without comments, with spaces only where they separate words.
fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    let mut parted = false;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            parted = true;
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            parted = true;
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first.is_whitespace() {
            parted = true;
            first.len_utf8()
        } else {
            let length = if matches!(first, '"' | '\'') { literal(rest, first) } else { first.len_utf8() };
            let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '"' | '\'');
            if parted && joins(first) && words.ends_with(joins) {
                words.push(' ');
            }
            parted = false;
            words.push_str(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    words
}

/// The length of the literal that a text begins with.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn comments_and_spaces_say_nothing() {
        for (a, b) in [
            ("x = y + 1;", "x=y  +\n 1 ;"),
            ("return x; // note\n}", "return /* the */ x;}"),
            ("s = \"//  no\"; t", "s=\"//  no\";t"),
            ("a = \"\\\"/*\"; // b", "a=\"\\\"/*\";"),
        ] {
            assert_eq!(words(a), words(b));
        }
    }

    #[test]
    fn what_parts_words_stays() {
        assert_ne!(words("return x"), words("returnx"));
        assert_eq!(words("return/**/x"), words("return x"));
        assert_ne!(words("\"a  b\""), words("\"a b\""));
    }
}
