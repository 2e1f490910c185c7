//! A [`Span`] is a byte range of a source; a [`LineIndex`] turns its ends into lines and columns. Neither holds text.

/// A half-open byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` to `end`, in bytes.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The range that the compiler writes as `start:length:file`.
    pub(super) fn of_src(src: &str) -> Option<Self> {
        let mut parts = src.split(':');
        let start: u32 = parts.next()?.parse().ok()?;
        let length: u32 = parts.next()?.parse().ok()?;
        Some(Self::new(start, start.checked_add(length)?))
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it holds no byte.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether `inner` lies within it.
    pub const fn contains(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// The text it covers, empty where it lies outside or cuts a character.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// Byte offsets at which lines start.
#[derive(Debug, Clone, Default)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Indexes a text whose lines end in `\n` (a `\r` before it belongs to the line).
    pub fn new(text: &str) -> Self {
        let starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1))
            .collect();
        Self { starts }
    }

    /// The line (from 1) that holds this byte.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset).max(1) as u32
    }

    /// The offset at which a line starts, from 1; `None` if there is no such line.
    pub fn start(&self, line: u32) -> Option<u32> {
        self.starts.get((line as usize).checked_sub(1)?).copied()
    }

    /// Line and column, both from 1, the column in Unicode scalars.
    pub fn position(&self, text: &str, offset: u32) -> (u32, u32) {
        let line = self.line(offset);
        let start = self.starts.get(line as usize - 1).copied().unwrap_or(0);
        let column = Span::new(start, offset.max(start)).text(text).chars().count() as u32 + 1;
        (line, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_scalars_not_bytes() {
        let text = "a\n\u{1F600}é x\r\nend";
        let lines = LineIndex::new(text);
        let x = text.find('x').unwrap() as u32;
        assert_eq!(lines.position(text, x), (2, 4));
        assert_eq!(lines.position(text, text.find("end").unwrap() as u32), (3, 1));
        assert_eq!(lines.position(text, 0), (1, 1));
    }

    #[test]
    fn an_offset_past_the_end_is_on_the_last_line() {
        let lines = LineIndex::new("a\nb");
        assert_eq!(lines.line(99), 2);
    }
}
