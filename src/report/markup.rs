//! Text of others as HTML and XML hold it.

/// The text with entities for what markup itself needs, for an element or an attribute in double quotes. Lines and tabs stay; `write` adds
/// every other letter.
pub(super) fn escaped(text: &str, write: impl Fn(char, &mut String)) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(letter),
            _ => write(letter, &mut escaped),
        }
    }
    escaped
}
