//! A [`Script`] is a JavaScript or TypeScript file as a list of tokens, in which literals can be looked up by the name of their
//! property. Nothing is ever executed; a computed value is [`Literal::Unknown`].

use std::{cell::Cell, collections::BTreeMap};

/// A value as it stands in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    Text(String),
    Number(u64),
    Boolean(bool),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
    /// Anything that only running the script would tell.
    Unknown,
}

impl Literal {
    /// The value of a property, if this is an object that has it.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text, if this is one.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Number(Option<u64>),
    Mark(char),
    /// A template with substitutions, or a regular expression.
    Opaque,
}

/// Values that are read at most, so that a definition that refers to itself ends; chosen by hand.
const MAX_VALUES_READ: usize = 20_000;
/// Levels to which literals may nest; chosen by hand.
const MAX_NESTING: usize = 24;

/// The tokens of a script.
pub(super) struct Script {
    tokens: Vec<(Token, usize)>,
    /// For each bracket the index of the one that it pairs with, or the number of tokens; for other tokens themselves.
    partner: Vec<usize>,
    /// For each token, how many braces are open around it, and the index of the innermost bracket.
    around: Vec<(usize, Option<usize>)>,
    /// The tokens at which the values of `const`, `let` and `var` begin.
    variables: BTreeMap<String, usize>,
    reads_left: Cell<usize>,
}

impl Script {
    pub(super) fn new(text: &str) -> Self {
        let tokens = tokenize(text);
        let mut partner: Vec<usize> = (0..tokens.len()).collect();
        let mut around = Vec::with_capacity(tokens.len());
        let (mut open, mut braces) = (Vec::<usize>::new(), 0_usize);
        for (at, (token, _)) in tokens.iter().enumerate() {
            if let Token::Mark('}' | ')' | ']') = token
                && let Some(start) = open.pop()
            {
                partner[start] = at;
                braces -= usize::from(tokens[start].0 == Token::Mark('{'));
            }
            around.push((braces, open.last().copied()));
            if let Token::Mark('{' | '(' | '[') = token {
                partner[at] = tokens.len();
                open.push(at);
                braces += usize::from(*token == Token::Mark('{'));
            }
        }
        let mut script =
            Self { tokens, partner, around, variables: BTreeMap::new(), reads_left: Cell::new(MAX_VALUES_READ) };
        script.variables = script.find_variables();
        script
    }

    /// The value of the outermost property of that name that is a literal, or else that is there at all, and its line, counted
    /// from 1.
    pub(super) fn property(&self, name: &str) -> Option<(Literal, usize)> {
        let mut places: Vec<usize> = (1..self.tokens.len())
            .filter(|&at| {
                self.is_name(at, name)
                    && self.is_mark(at + 1, ':')
                    && matches!(self.tokens[at - 1].0, Token::Mark('{' | ','))
                    && self.around[at].1.is_some_and(|open| self.is_mark(open, '{'))
            })
            .collect();
        places.sort_by_key(|&at| self.around[at].0);
        // A name that stands in thousands of places is no configuration.
        places.truncate(64);
        let values = || places.iter().map(|&at| (self.value(at + 2, MAX_NESTING).0, self.tokens[at].1));
        values().find(|(value, _)| *value != Literal::Unknown).or_else(|| values().next())
    }

    /// The literal at a token, and the token after it: a `,`, a closing bracket, or the end of the statement.
    fn value(&self, at: usize, depth: usize) -> (Literal, usize) {
        self.reads_left.set(self.reads_left.get().saturating_sub(1));
        if depth == 0 || self.reads_left.get() == 0 {
            return (Literal::Unknown, self.skip(at));
        }
        let Some((token, _)) = self.tokens.get(at) else {
            return (Literal::Unknown, at);
        };
        let literal = match token {
            Token::Text(text) => Literal::Text(text.clone()),
            Token::Number(Some(number)) => Literal::Number(*number),
            Token::Word(word) if word == "true" || word == "false" => Literal::Boolean(word == "true"),
            Token::Word(word) if self.ends(at + 1) => match self.variables.get(word) {
                Some(&value) => self.value(value, depth - 1).0,
                None => Literal::Unknown,
            },
            Token::Mark('{') => self.object(at, depth - 1),
            Token::Mark('[') => self.list(at, depth - 1),
            _ => Literal::Unknown,
        };
        let after = self.partner[at] + 1;
        if self.ends(after) { (literal, self.skip(after)) } else { (Literal::Unknown, self.skip(after)) }
    }

    fn object(&self, open: usize, depth: usize) -> Literal {
        let (mut at, end) = (open + 1, self.partner[open]);
        let mut entries = Vec::new();
        while at < end {
            let name = match &self.tokens[at].0 {
                Token::Word(name) | Token::Text(name) => Some(name),
                _ => None,
            };
            let (entry, next) = match name {
                Some(name) if self.is_mark(at + 1, ':') => {
                    let (value, next) = self.value(at + 2, depth);
                    (Some((name.clone(), value)), next)
                }
                // `{ solidity }` is short for `{ solidity: solidity }`.
                Some(name) if at + 1 == end || self.is_mark(at + 1, ',') => {
                    let (value, next) = self.value(at, depth);
                    (Some((name.clone(), value)), next)
                }
                _ => (None, self.skip(at)),
            };
            entries.extend(entry);
            at = next.max(at) + 1;
        }
        Literal::Object(entries)
    }

    fn list(&self, open: usize, depth: usize) -> Literal {
        let (mut at, end) = (open + 1, self.partner[open]);
        let mut items = Vec::new();
        while at < end {
            let (value, next) = self.value(at, depth);
            items.push(value);
            at = next.max(at) + 1;
        }
        Literal::List(items)
    }

    /// Whether a value can end before this token.
    fn ends(&self, at: usize) -> bool {
        match self.tokens.get(at) {
            None | Some((Token::Mark(',' | '}' | ']' | ')' | ';'), _)) => true,
            Some((Token::Word(word), line)) => {
                // TypeScript's `as const` and `satisfies X`, and a statement that ends with its line.
                matches!(word.as_str(), "as" | "satisfies") || self.tokens[at - 1].1 < *line
            }
            _ => false,
        }
    }

    /// The next `,` or closing bracket of the same nesting.
    fn skip(&self, mut at: usize) -> usize {
        while let Some((token, _)) = self.tokens.get(at) {
            match token {
                Token::Mark(',' | '}' | ']' | ')') => break,
                _ => at = self.partner[at] + 1,
            }
        }
        at
    }

    fn find_variables(&self) -> BTreeMap<String, usize> {
        let mut variables = BTreeMap::new();
        for at in 0..self.tokens.len() {
            let is_declaration = ["const", "let", "var"].iter().any(|word| self.is_word(at, word));
            let Some((Token::Word(name), _)) = self.tokens.get(at + 1) else {
                continue;
            };
            if is_declaration {
                // Past a type, which may hold anything but an `=`.
                let value = (at + 2..self.tokens.len().min(at + 32)).find(|&i| self.is_mark(i, '='));
                variables.extend(value.map(|equals| (name.clone(), equals + 1)));
            }
        }
        variables
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|(token, _)| *token == Token::Mark(mark))
    }

    fn is_word(&self, at: usize, expected: &str) -> bool {
        matches!(self.tokens.get(at), Some((Token::Word(word), _)) if word == expected)
    }

    fn is_name(&self, at: usize, expected: &str) -> bool {
        matches!(self.tokens.get(at), Some((Token::Word(name) | Token::Text(name), _)) if name == expected)
    }
}

/// Cuts a script into tokens, each with its line; comments are left out.
fn tokenize(text: &str) -> Vec<(Token, usize)> {
    let mut tokens: Vec<(Token, usize)> = Vec::new();
    let mut rest = text.chars().peekable();
    let mut line = 1;
    while let Some(c) = rest.next() {
        let start = line;
        let token = match c {
            '\n' => {
                line += 1;
                continue;
            }
            c if c.is_whitespace() => continue,
            '/' if rest.peek() == Some(&'/') => {
                while rest.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            '/' if rest.peek() == Some(&'*') => {
                rest.next();
                let mut last = ' ';
                for c in rest.by_ref() {
                    line += usize::from(c == '\n');
                    if (last, c) == ('*', '/') {
                        break;
                    }
                    last = c;
                }
                continue;
            }
            '/' if !matches!(
                tokens.last(),
                Some((Token::Mark(')' | ']' | '}') | Token::Word(_) | Token::Number(_), _))
            ) =>
            {
                // A regular expression: its quotes begin no text.
                while let Some(c) = rest.next_if(|c| *c != '\n') {
                    match c {
                        '\\' => drop(rest.next_if(|c| *c != '\n')),
                        '/' => break,
                        _ => {}
                    }
                }
                Token::Opaque
            }
            '\'' | '"' | '`' => {
                let mut content = String::new();
                let mut is_computed = false;
                while let Some(d) = rest.next_if(|d| c == '`' || *d != '\n') {
                    match d {
                        d if d == c => break,
                        '\\' => content.extend(rest.next()),
                        d => {
                            is_computed |= c == '`' && d == '$' && rest.peek() == Some(&'{');
                            content.push(d);
                        }
                    }
                }
                line += content.matches('\n').count();
                if is_computed { Token::Opaque } else { Token::Text(content) }
            }
            c if c.is_alphanumeric() || c == '_' || c == '$' => {
                let mut word = String::from(c);
                let is_number = c.is_ascii_digit();
                let within = |d: &char| d.is_alphanumeric() || *d == '_' || *d == '$' || is_number && *d == '.';
                while let Some(d) = rest.next_if(within) {
                    word.push(d);
                }
                if is_number { Token::Number(word.replace('_', "").parse().ok()) } else { Token::Word(word) }
            }
            c => Token::Mark(c),
        };
        tokens.push((token, start));
    }
    tokens
}

#[cfg(test)]
mod tests;
