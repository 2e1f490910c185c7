//! [`Token`]s are the words and signs of a Rust file, without comments, literals of text, and lifetimes. That is enough to read paths.

/// A word, `::`, or any other single sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// Its line, counted from 1.
    pub(crate) line: usize,
}

/// All tokens of a file.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut rest, mut line) = (Vec::new(), source, 1);
    while let Some(first) = rest.chars().next() {
        let (length, is_token) = next(rest, first);
        let (text, after) = rest.split_at(length);
        if is_token {
            tokens.push(Token { text, line });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    tokens
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// How many bytes belong to what begins a text, and whether they are a token.
fn next(text: &str, first: char) -> (usize, bool) {
    if let Some(length) = text_literal(text) {
        return (length, false);
    }
    if text.starts_with("//") {
        return (text.find('\n').unwrap_or(text.len()), false);
    }
    if text.starts_with("/*") {
        return (block_comment(text), false);
    }
    if first == '\'' {
        return (character_or_lifetime(text), false);
    }
    if is_word(first) {
        return (text.find(|character| !is_word(character)).unwrap_or(text.len()), true);
    }
    (if text.starts_with("::") { 2 } else { first.len_utf8() }, !first.is_whitespace())
}

/// The length of a string, with whatever prefix.
fn text_literal(text: &str) -> Option<usize> {
    let prefix = text.find(|character: char| !matches!(character, 'b' | 'c' | 'r'))?;
    let hashes = text[prefix..].find(|character| character != '#')?;
    let start = prefix + hashes + 1;
    if prefix > 2 || !text[prefix + hashes..].starts_with('"') {
        return None;
    }
    if text[..prefix].contains('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(text[start..].find(&end).map_or(text.len(), |at| start + at + end.len()));
    }
    (hashes == 0).then(|| start + quoted(&text[start..], '"'))
}

/// The length of what is quoted, its closing quote included.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a comment, which may hold others.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                break;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// The length of what begins with a single quote.
fn character_or_lifetime(text: &str) -> usize {
    let mut inside = text[1..].chars();
    let (first, second) = (inside.next(), inside.next());
    if first == Some('\\') || second == Some('\'') {
        return 1 + quoted(&text[1..], '\'');
    }
    1 + text[1..].find(|character| !is_word(character)).unwrap_or(text.len() - 1)
}
