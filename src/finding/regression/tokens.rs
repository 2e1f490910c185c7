//! A [`Token`] is a word, a number, a string or one other character of Solidity, found without a parser: a file that is
//! being edited has tokens even while it has no syntax tree. Comments and white space are not tokens.

/// One token and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    /// The number of braces open around it.
    pub(super) depth: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is_string(&self) -> bool {
        self.text.starts_with(['"', '\''])
    }
}

/// The tokens of a text, in order. A brace has the depth of the text outside of it.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut at, mut depth) = (Vec::new(), 0, 0usize);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            rest.find(['\n', '\r']).unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if first.is_whitespace() || first == '\u{feff}' {
            first.len_utf8()
        } else {
            let length = match first {
                '"' | '\'' => string_length(rest, first),
                _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                _ => first.len_utf8(),
            };
            if first == '}' {
                depth = depth.saturating_sub(1);
            }
            tokens.push(Token { text: &rest[..length], start: at, depth });
            depth += usize::from(first == '{');
            length
        };
        at += length;
    }
    tokens
}

/// The text with another name for an identifier, as it stands in code; strings and comments stay.
pub(super) fn renamed(text: &str, from: &str, to: &str) -> String {
    let (mut renamed, mut end) = (String::with_capacity(text.len()), 0);
    for token in tokens(text).iter().filter(|token| token.text == from) {
        renamed.push_str(&text[end..token.start]);
        renamed.push_str(to);
        end = token.end();
    }
    renamed + &text[end..]
}

/// The texts between `pragma solidity` and the next semicolon.
pub(super) fn pragmas(text: &str) -> Vec<&str> {
    let tokens = tokens(text);
    let starts =
        tokens.windows(2).filter(|pair| pair[0].text == "pragma" && pair[1].text == "solidity" && pair[0].depth == 0);
    starts
        .filter_map(|pair| {
            let end = tokens.iter().find(|token| token.start > pair[1].start && token.text == ";")?;
            Some(text[pair[1].end()..end.start].trim())
        })
        .collect()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// The length of the string at the start of `text`, quotes included. An unclosed string ends with the line.
fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' | '\r' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_hide_what_looks_like_code() {
        assert_eq!(texts("a /* } */ b // }\nc /** \" */ d"), ["a", "b", "c", "d"]);
        assert_eq!(texts("a // b\r\nc /* never closed"), ["a", "c"]);
    }

    #[test]
    fn strings_are_one_token() {
        assert_eq!(texts(r#"x = "}\"//" + '{"' ;"#), ["x", "=", r#""}\"//""#, "+", r#"'{"'"#, ";"]);
        assert_eq!(texts("a = \"open\nb"), ["a", "=", "\"open", "b"]);
        assert_eq!(texts("unicode\"🦀}\" é"), ["unicode", "\"🦀}\"", "é"]);
    }

    #[test]
    fn braces_count_to_the_outside() {
        let depths: Vec<_> = tokens("a { b { } } } c").into_iter().map(|token| (token.text, token.depth)).collect();
        assert_eq!(depths, [("a", 0), ("{", 0), ("b", 1), ("{", 1), ("}", 1), ("}", 0), ("}", 0), ("c", 0)]);
    }

    #[test]
    fn pragmas_of_a_file() {
        let text =
            "// pragma solidity 0.1;\npragma abicoder v2; pragma\n solidity >=0.8.0\n<0.9.0 ;pragma solidity ^0.8.4;";
        assert_eq!(pragmas(text), [">=0.8.0\n<0.9.0", "^0.8.4"]);
        assert!(pragmas("pragma solidity ^0.8.0").is_empty());
    }
}
