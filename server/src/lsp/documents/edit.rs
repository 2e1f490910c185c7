//! An [`Edit`] is the effect of one change on the positions in a text, without the text. An [`Anchor`] is a span that moves
//! with edits. Once an edit touches its lines, only the lines are known, and that they were edited.

use super::position::is_line_end;
use std::ops::Range;

/// `old` bytes at `start` became `new` bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edit {
    /// First byte that is replaced.
    pub(crate) start: usize,
    /// The number of replaced bytes.
    pub(crate) old: usize,
    /// The number of bytes that replace them.
    pub(crate) new: usize,
    /// Whether what follows still starts a line, if it did.
    pub(crate) keeps_line_start: bool,
    /// Whether what goes before still ends a line, if it did.
    pub(crate) keeps_line_end: bool,
}

impl Edit {
    /// The replacement of `range` by `text`, where the range starts at a line's start, or ends at a line's end, as told.
    pub(crate) fn new(range: Range<usize>, text: &str, at_line_start: bool, at_line_end: bool) -> Self {
        Self {
            start: range.start,
            old: range.len(),
            new: text.len(),
            keeps_line_start: if text.is_empty() { at_line_start } else { text.ends_with(is_line_end) },
            keeps_line_end: if text.is_empty() { at_line_end } else { text.starts_with(is_line_end) },
        }
    }

    /// The single edit that turns `before` into `after`: everything between their common beginning and end. `None` if they are
    /// equal.
    pub(crate) fn between(before: &str, after: &str) -> Option<Self> {
        if before == after {
            return None;
        }
        let most = before.len().min(after.len());
        let mut prefix = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
        while !before.is_char_boundary(prefix) || !after.is_char_boundary(prefix) {
            prefix -= 1;
        }
        let equal = |(a, b): &(u8, u8)| a == b;
        let mut suffix = before.bytes().rev().zip(after.bytes().rev()).take(most - prefix).take_while(equal).count();
        while !before.is_char_boundary(before.len() - suffix) || !after.is_char_boundary(after.len() - suffix) {
            suffix -= 1;
        }
        let range = prefix..before.len() - suffix;
        let text = &after[prefix..after.len() - suffix];
        Some(Self::new(range.clone(), text, starts_line(before, range.start), ends_line(before, range.end)))
    }
}

/// Whether a line starts at this byte.
fn starts_line(text: &str, at: usize) -> bool {
    at == 0 || text[..at].ends_with(is_line_end)
}

/// Whether a line ends at this byte.
fn ends_line(text: &str, at: usize) -> bool {
    at == text.len() || text[at..].starts_with(is_line_end)
}

/// A span and the whole lines that it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// The span.
    pub(crate) span: Range<usize>,
    /// From the start of its first line to the end of its last, line end not included.
    pub(crate) lines: Range<usize>,
    /// Whether these were edited: then the span is all of them.
    pub(crate) edited: bool,
}

impl Anchor {
    /// A span of `text`; brought inside, where it reaches out.
    pub(crate) fn new(text: &str, span: Range<usize>) -> Self {
        let inside = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let span = inside(span.start)..inside(span.end.max(span.start));
        let start = text[..span.start].rfind(is_line_end).map_or(0, |at| at + 1);
        let end = text[span.end..].find(is_line_end).map_or(text.len(), |at| span.end + at);
        Self { span, lines: start..end, edited: false }
    }

    /// Its place after an edit; `None` if the edit removes its lines, with text left on both sides of them.
    pub(crate) fn after(self, edit: &Edit) -> Option<Self> {
        let end = edit.start + edit.old;
        let above = end < self.lines.start || end == self.lines.start && edit.keeps_line_start;
        let below = edit.start > self.lines.end || edit.start == self.lines.end && edit.keeps_line_end;
        if above {
            let moved = |at: usize| at - edit.old + edit.new;
            let both = |range: Range<usize>| moved(range.start)..moved(range.end);
            Some(Self { span: both(self.span), lines: both(self.lines), edited: self.edited })
        } else if below {
            Some(self)
        } else {
            let lines = match (edit.start < self.lines.start, end > self.lines.end) {
                (true, true) => return None,
                // New text belongs to the lines above.
                (true, false) => edit.start + edit.new..self.lines.end - edit.old + edit.new,
                (false, true) => self.lines.start..edit.start + edit.new,
                (false, false) => self.lines.start..self.lines.end - edit.old + edit.new,
            };
            Some(Self { span: lines.clone(), lines, edited: true })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where `x` of `before` is in `after`, if they differ by one edit that does not touch its line.
    fn moved(before: &str, after: &str) -> Option<usize> {
        let anchor = anchor(before, after).filter(|anchor| !anchor.edited)?;
        Some(anchor.span.start)
    }

    /// What became of the anchor of `x` in `before`, which one edit made `after`.
    fn anchor(before: &str, after: &str) -> Option<Anchor> {
        let at = before.find('x').unwrap();
        let anchor = Anchor::new(before, at..at + 1);
        match Edit::between(before, after) {
            Some(edit) => anchor.after(&edit),
            None => Some(anchor),
        }
    }

    #[test]
    fn of_lines_that_were_edited_the_lines_are_known() {
        for (before, after, lines) in [
            ("a\n  x;\nb", "a\n  y;\nb", Some("  y;")),
            ("a\n  x;\nb", "a\n  x; // why\nb", Some("  x; // why")),
            ("a\n  x;\nb", "a\n  y;\n  z;\nb", Some("  y;\n  z;")),
            ("a\n  x;\nb", "a  x;\nb", Some("  x;")), // joined with the line above
            ("a\n  x;\nb", "a\n  x;b", Some("  x;")), // and with the one below
            ("a\n  x;\nb", "a\n\nb", Some("")),
            ("a\n  x;\nb", "c\n  y;\nd", None), // all is new
        ] {
            let anchor = anchor(before, after);
            assert!(anchor.as_ref().is_none_or(|anchor| anchor.edited && anchor.span == anchor.lines));
            assert_eq!(anchor.map(|anchor| &after[anchor.lines]), lines, "{before:?} became {after:?}");
        }
    }

    #[test]
    fn edits_elsewhere_move_it_and_edits_of_its_line_are_noted() {
        for (before, after, found) in [
            ("a\n  x;\nb", "a\n  x;\nb", Some(4)),
            ("a\n  x;\nb", "aaa\n  x;\nb", Some(6)),   // a longer line above
            ("a\n  x;\nb", "a\n\n\n  x;\nb", Some(6)), // lines more
            ("a\nc\n  x;\nb", "a\n  x;\nb", Some(4)),  // a line less
            ("a\n  x;\nb", "  x;\nb", Some(2)),        // the first line less
            ("a\n  x;\nb", "a\n  x;\nbbb\n", Some(4)), // below
            ("a\n  x;\nb", "a\n  x;", Some(4)),        // the last line less
            ("a\n  x;\nb", "a\n  x;\nc\nb", Some(4)),  // a line more right below
            ("a\r\n  x;\r\nb", "a\r\n\r\n  x;\r\nb", Some(7)), // CRLF
            ("a\r\n  x;\r\nb", "a\r\n  x;\r\n\r\nb", Some(5)),
            ("\u{e9}\n  x;", "\u{e8}\n  x;", Some(5)), // within a character's bytes
            ("a\n  x;\nb", "a\n   x;\nb", None),       // its indentation
            ("a\n  x;\nb", "a\n  x; // why\nb", None), // its end
            ("a\n  x;\nb", "a  x;\nb", None),          // joined with the line above
            ("a\n  x;\nb", "a\n  x;b", None),          // and with the one below
            ("a\n  x;\nb", "a\n  ;\nb", None),         // itself
        ] {
            assert_eq!(moved(before, after), found, "{before:?} became {after:?}");
        }
    }

    #[test]
    fn an_anchor_covers_all_lines_of_its_span() {
        let text = "one\ntwo\nthree\nfour";
        let anchor = Anchor::new(text, text.find("wo").unwrap()..text.find("ree").unwrap());
        assert_eq!(anchor.lines, 4..13);
        assert_eq!(Anchor::new("a\u{e9}", 2..99).span, 1..3, "brought inside");
    }
}
