//! Text of others in HTML. Besides what HTML itself needs, characters that turn the direction of text, or show nothing, are written as
//! their numbers: a source could look otherwise with them than it is.

use super::super::markup;

/// The text, for an element or an attribute in double quotes.
pub(super) fn escaped(text: &str) -> String {
    markup::escaped(text, |letter, escaped| match letter {
        '\'' => escaped.push_str("&#39;"),
        '\r' => {}
        _ if is_deceiving(letter) => escaped.push_str(&format!("\u{27e8}U+{:04X}\u{27e9}", u32::from(letter))),
        _ => escaped.push(letter),
    })
}

fn is_deceiving(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}');
    let hides = matches!(letter, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    turns || hides || letter.is_control()
}

/// Markdown's code in backquotes as HTML's, all else escaped.
pub(super) fn with_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(text);
    }
    let part = |(index, part): (usize, &&str)| match index % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_text_wherever_it_stands() {
        assert_eq!(
            escaped("<script>alert('1')</script> & \"x\" onload=\"y\"\r\n"),
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;x&quot; onload=&quot;y&quot;\n"
        );
        assert_eq!(
            escaped("a\u{202e}b\u{0}c\u{200b}"),
            "a\u{27e8}U+202E\u{27e9}b\u{27e8}U+0000\u{27e9}c\u{27e8}U+200B\u{27e9}"
        );
    }

    #[test]
    fn code_in_words_is_code() {
        assert_eq!(with_code("`a<b` is `c`"), "<code>a&lt;b</code> is <code>c</code>");
        assert_eq!(with_code("one ` alone"), "one ` alone");
    }
}
