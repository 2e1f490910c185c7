//! An [`Encoding`] is how a client counts columns; here for tests, apart from the server's own, so that both can be wrong but not in
//! the same way.

use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "utf-8" => Self::Utf8,
            "utf-16" => Self::Utf16,
            "utf-32" => Self::Utf32,
            _ => panic!("no encoding: {name}"),
        }
    }

    /// How long a text is.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
            Self::Utf32 => text.chars().count(),
        }
    }

    /// The position of a byte.
    pub(crate) fn position_at(self, text: &str, at: usize) -> Value {
        let line = text[..at].matches('\n').count();
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        json!({ "line": line, "character": self.length(&text[start..at]) })
    }

    /// The position of the first `needle`.
    pub(crate) fn position(self, text: &str, needle: &str) -> Value {
        self.position_at(text, text.find(needle).unwrap_or_else(|| panic!("no {needle:?}")))
    }

    /// The byte at a position, which has to be there.
    pub(crate) fn offset(self, text: &str, position: &Value) -> usize {
        let line = position["line"].as_u64().unwrap() as usize;
        let column = position["character"].as_u64().unwrap() as usize;
        let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
        let rest = text[start..].split('\n').next().unwrap();
        let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
        let at = ends.find(|at| self.length(&rest[..*at]) == column);
        start + at.unwrap_or_else(|| panic!("no {position} in {self:?} on the line {rest:?}"))
    }

    /// The text between the two ends of a range.
    pub(crate) fn text_of<'a>(self, text: &'a str, range: &Value) -> &'a str {
        &text[self.offset(text, &range["start"])..self.offset(text, &range["end"])]
    }

    /// The change that replaces the first `old` by `new`, and the text after it.
    pub(crate) fn replacement(self, text: &str, old: &str, new: &str) -> (Value, String) {
        let at = text.find(old).unwrap_or_else(|| panic!("no {old:?}"));
        let range = json!({ "start": self.position_at(text, at), "end": self.position_at(text, at + old.len()) });
        (json!([{ "range": range, "text": new }]), text.replacen(old, new, 1))
    }
}
