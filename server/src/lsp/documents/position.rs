//! An [`Encoding`] is the unit in which the client counts columns, agreed on once in `initialize`. It converts the client's
//! positions to byte offsets and back.

use ropey::Rope;
use tower_lsp_server::ls_types::{Position, PositionEncodingKind, Range};

/// The unit of `Position::character`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Halves of surrogate pairs: what every client knows, and the protocol's default.
    #[default]
    Utf16,
    /// Unicode scalars.
    Utf32,
}

impl Encoding {
    /// The one to use with a client that offers these: the first that we know. We convert in any case, and what a client names
    /// first is what its own texts are made of (UTF-8 in Helix, UTF-32 in Emacs).
    pub(crate) fn negotiate(offered: &[PositionEncodingKind]) -> Self {
        let known = [Self::Utf8, Self::Utf16, Self::Utf32];
        let encoding = |kind: &PositionEncodingKind| known.into_iter().find(|encoding| encoding.kind() == *kind);
        offered.iter().find_map(encoding).unwrap_or_default()
    }

    /// Its name in the protocol.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// The byte at a position. Behind the end of a line is the line's end, within a character its start, behind the last line
    /// the end of the text: the protocol asks for the first, the others keep a confused client from doing harm.
    pub(crate) fn offset(self, text: &Rope, position: Position) -> usize {
        let line = position.line as usize;
        if line >= text.len_lines() {
            return text.len_bytes();
        }
        let mut at = text.line_to_byte(line);
        let mut left = position.character as usize;
        for character in text.line(line).chars() {
            let units = self.units(character);
            if is_line_end(character) || left < units {
                break;
            }
            left -= units;
            at += character.len_utf8();
        }
        at
    }

    /// The position of a byte; that of its character's start, where the byte lies within one.
    pub(crate) fn position(self, text: &Rope, offset: usize) -> Position {
        let offset = offset.min(text.len_bytes());
        let line = text.byte_to_line(offset);
        let (mut at, mut units) = (text.line_to_byte(line), 0);
        for character in text.line(line).chars() {
            at += character.len_utf8();
            if is_line_end(character) || at > offset {
                break;
            }
            units += self.units(character);
        }
        Position::new(line as u32, units as u32)
    }

    /// The range of a span of bytes.
    pub(crate) fn range(self, text: &Rope, span: std::ops::Range<usize>) -> Range {
        Range::new(self.position(text, span.start), self.position(text, span.end))
    }
}

/// Whether it ends a line in the protocol: `\n`, `\r\n` and `\r` do, nothing else.
pub(crate) fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line of each kind; the emoji is 4 bytes, 2 halves, 1 scalar.
    const TEXT: &str = "a\u{1F600}b\r\n\u{e9}\r\u{2028}c\n";

    #[test]
    fn the_same_place_in_every_encoding() {
        let text = Rope::from_str(TEXT);
        // byte, line, columns in UTF-8, UTF-16 and UTF-32
        for (byte, line, columns) in [
            (0, 0, [0, 0, 0]),
            (1, 0, [1, 1, 1]),
            (5, 0, [5, 3, 2]),
            (6, 0, [6, 4, 3]),
            (8, 1, [0, 0, 0]),
            (10, 1, [2, 1, 1]),
            (11, 2, [0, 0, 0]),
            (14, 2, [3, 1, 1]),
            (15, 2, [4, 2, 2]),
            (16, 3, [0, 0, 0]),
        ] {
            for (encoding, column) in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].into_iter().zip(columns) {
                let position = Position::new(line, column);
                assert_eq!(encoding.position(&text, byte), position, "{encoding:?} of byte {byte}");
                assert_eq!(encoding.offset(&text, position), byte, "{encoding:?} at {line}:{column}");
            }
        }
    }

    #[test]
    fn what_lies_outside_is_brought_inside() {
        let text = Rope::from_str(TEXT);
        for (encoding, line, column, byte) in [
            (Encoding::Utf16, 0, 99, 6), // behind the line's end
            (Encoding::Utf16, 0, 2, 1),  // between the halves
            (Encoding::Utf8, 0, 3, 1),   // between the bytes
            (Encoding::Utf16, 9, 9, 16), // behind the last line
            (Encoding::Utf32, 3, 1, 16), // behind the end of the last, empty one
        ] {
            assert_eq!(encoding.offset(&text, Position::new(line, column)), byte, "{encoding:?} at {line}:{column}");
        }
        assert_eq!(Encoding::Utf16.position(&text, 3), Position::new(0, 1), "a byte within the emoji");
        assert_eq!(Encoding::Utf16.position(&text, 7), Position::new(0, 4), "between \\r and \\n");
        assert_eq!(Encoding::Utf16.position(&text, 99), Position::new(3, 0));
    }

    #[test]
    fn the_client_chooses_and_the_default_is_utf16() {
        use PositionEncodingKind as Kind;
        for (offered, chosen) in [
            (vec![], Encoding::Utf16),
            (vec![Kind::UTF16], Encoding::Utf16),
            (vec![Kind::UTF16, Kind::UTF8], Encoding::Utf16),
            (vec![Kind::UTF8, Kind::UTF32, Kind::UTF16], Encoding::Utf8),
            (vec![Kind::UTF32, Kind::UTF8, Kind::UTF16], Encoding::Utf32),
            (vec![Kind::new("utf-7")], Encoding::Utf16),
            (vec![Kind::new("utf-7"), Kind::UTF8], Encoding::Utf8),
        ] {
            assert_eq!(Encoding::negotiate(&offered), chosen, "{offered:?}");
        }
    }
}
