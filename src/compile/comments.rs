//! [`Comments`] of a Solidity text: where they stand, read letter by letter, so that a text that does not compile has them as
//! well. What they say is not known here.

use super::span::Span;

/// The comments of a text, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comments(Vec<Span>);

impl Comments {
    /// Of a text. A comment of one line ends before the line does, and a block that is never closed at the end of the text.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let find = |from: usize, end: &str| text.get(from..).and_then(|rest| rest.find(end)).map(|at| from + at);
        let (mut comments, mut at) = (Vec::new(), 0);
        while let Some(byte) = bytes.get(at) {
            let start = at;
            match (byte, bytes.get(at + 1)) {
                (b'/', Some(b'/')) => {
                    let line = &text[start..find(start, "\n").unwrap_or(text.len())];
                    at = start + line.trim_end_matches('\r').len();
                    comments.push(Span::new(start as u32, at as u32));
                }
                (b'/', Some(b'*')) => {
                    at = find(start + 2, "*/").map_or(text.len(), |end| end + 2);
                    comments.push(Span::new(start as u32, at as u32));
                }
                (b'"' | b'\'', _) => at = end_of_string(bytes, start),
                _ => at += 1,
            }
        }
        Self(comments)
    }

    /// Their ranges.
    pub fn spans(&self) -> impl DoubleEndedIterator<Item = Span> {
        self.0.iter().copied()
    }

    /// The first byte from `offset` on that is neither in a comment nor white space.
    pub fn next_code(&self, text: &str, offset: u32) -> Option<u32> {
        let mut at = offset as usize;
        let mut ahead = self.0.iter().filter(|comment| comment.end > offset).peekable();
        loop {
            at += text.get(at..)?.find(|letter: char| !letter.is_whitespace())?;
            match ahead.next_if(|comment| comment.start as usize <= at) {
                Some(comment) => at = at.max(comment.end as usize),
                None => return Some(at as u32),
            }
        }
    }

    /// Whether nothing but comments and white space is in a range.
    pub fn fill(&self, text: &str, range: Span) -> bool {
        self.next_code(text, range.start).is_none_or(|code| code >= range.end)
    }

    /// The text with spaces instead of comments, so that lines and columns stay.
    pub fn blanked(&self, text: &str) -> String {
        let (mut blank, mut before) = (String::with_capacity(text.len()), 0);
        for comment in &self.0 {
            blank.push_str(&text[before..comment.start as usize]);
            let is_kept = |letter: char| if letter == '\n' { letter } else { ' ' };
            blank.extend(comment.text(text).chars().map(is_kept));
            before = comment.end as usize;
        }
        blank + &text[before..]
    }
}

/// The first byte behind a string literal, which ends with its line at the latest.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if *byte == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_found_and_strings_are_none() {
        for (text, comments) in [
            ("a // b\r\nc", vec!["// b"]),
            ("/* a\n b */ c /**/", vec!["/* a\n b */", "/**/"]),
            ("\"// a\" // b", vec!["// b"]),
            ("'/* \\' */' /* b */", vec!["/* b */"]),
            ("// it's\n// \"so\"", vec!["// it's", "// \"so\""]),
            ("\"open\n// b", vec!["// b"]),
            ("/* open", vec!["/* open"]),
            ("// /* a\nb */", vec!["// /* a"]),
            ("/*/ a */ b", vec!["/*/ a */"]),
            ("a / b * c", vec![]),
            ("\u{e9} // \u{1f600}\n\\", vec!["// \u{1f600}"]),
            ("\"\\", vec![]),
        ] {
            let found: Vec<&str> = Comments::of(text).spans().map(|span| span.text(text)).collect();
            assert_eq!(found, comments, "{text:?}");
        }
    }

    #[test]
    fn code_follows_comments() {
        let text = "// a\n /* b */ // c\n\n x";
        let comments = Comments::of(text);
        assert_eq!(comments.next_code(text, 0), Some(21));
        assert_eq!(comments.next_code(text, 9), Some(21));
        assert_eq!(comments.next_code(text, 22), None);
        assert!(comments.fill(text, Span::new(0, 21)) && !comments.fill(text, Span::new(0, 22)));
    }

    #[test]
    fn blanks_keep_lines() {
        let text = "a // b\n/* c\nd */ e";
        assert_eq!(Comments::of(text).blanked(text), "a     \n    \n     e");
    }
}
