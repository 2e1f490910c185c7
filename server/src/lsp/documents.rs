//! [`Documents`] holds the texts that the client has open, with the edits since they were last saved, so that a place in the
//! saved text can be found in the current one. It reads nothing from disk.

pub(super) mod edit;
pub(super) mod position;

use bellwether::compile::Span;
use edit::{Anchor, Edit};
use position::{Encoding, is_line_end};
use ropey::Rope;
use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};
use tower_lsp_server::ls_types::{Range, TextDocumentContentChangeEvent, Uri};

/// Edits that are tracked of one document; chosen by hand. With more, places are found by a comparison of the two texts.
const MAX_EDITS: usize = 1_000;
/// Saved texts that are kept of one document; chosen by hand. Places in an older one are found less exactly.
const MAX_BASES: usize = 8;

/// The current range of a place in a text that may have changed since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TrackedRange {
    /// The range. If its lines were edited, what is left of them.
    pub(super) range: Range,
    /// Whether its lines were edited: then nobody knows whether what was found there is still true.
    pub(super) edited: bool,
}

impl TrackedRange {
    /// The range, if it was not edited.
    pub(super) fn unedited(self) -> Option<Range> {
        (!self.edited).then_some(self.range)
    }
}

/// One open text.
#[derive(Debug, Clone)]
pub(super) struct Document {
    /// Its address, as the client writes it.
    pub(super) uri: Uri,
    /// The client's number of this state.
    pub(super) version: i32,
    text: Rope,
    /// All edits, the oldest first.
    edits: Vec<Edit>,
    /// The texts that were opened or saved, the oldest first, each with the number of edits before it. A build was made of one
    /// of these.
    bases: Vec<(Arc<str>, usize)>,
}

impl Document {
    fn new(uri: Uri, version: i32, text: String) -> Self {
        Self { uri, version, text: Rope::from_str(&text), edits: Vec::new(), bases: vec![(text.into(), 0)] }
    }

    /// The text as the client shows it.
    pub(super) fn text(&self) -> String {
        self.text.to_string()
    }

    fn change(&mut self, encoding: Encoding, change: &TextDocumentContentChangeEvent) {
        let Some(range) = change.range else {
            let edit = Edit::between(&self.text.to_string(), &change.text);
            self.text = Rope::from_str(&change.text);
            self.edits.extend(edit);
            return;
        };
        let start = encoding.offset(&self.text, range.start);
        let end = encoding.offset(&self.text, range.end).max(start);
        let line_end_at = |at: usize| is_line_end(char::from(self.text.byte(at)));
        let at_line_start = start == 0 || line_end_at(start - 1);
        let at_line_end = end == self.text.len_bytes() || line_end_at(end);
        self.edits.push(Edit::new(start..end, &change.text, at_line_start, at_line_end));

        let (from, to) = (self.text.byte_to_char(start), self.text.byte_to_char(end));
        self.text.remove(from..to);
        self.text.insert(from, &change.text);
    }

    /// Notes that the current text was saved, and will be compiled.
    fn save(&mut self) {
        self.bases.push((self.text.to_string().into(), self.edits.len()));
        if self.bases.len() > MAX_BASES {
            self.bases.remove(0);
        }
        let unused = self.bases[0].1;
        self.edits.drain(..unused);
        self.bases.iter_mut().for_each(|(_, edits)| *edits -= unused);
    }

    /// Forgets all edits and saved texts.
    fn forget(&mut self) {
        self.edits.clear();
        self.bases = vec![(self.text.to_string().into(), 0)];
    }

    /// The edits that turn this text into the current one.
    fn edits_since(&self, text: &str) -> Vec<Edit> {
        if self.text == *text {
            return Vec::new();
        }
        let known = self.bases.iter().rfind(|(base, _)| **base == *text);
        known.or(self.bases.last()).map_or_else(Vec::new, |(base, edits)| {
            // Not what was opened or saved: another program wrote the file.
            Edit::between(text, base).into_iter().chain(self.edits[*edits..].iter().copied()).collect()
        })
    }
}

/// Finds places of a text in what became of it.
#[derive(Debug)]
pub(super) struct Tracker<'a> {
    encoding: Encoding,
    before: &'a str,
    now: Cow<'a, Rope>,
    edits: Vec<Edit>,
}

impl Tracker<'_> {
    /// The current range of a span; `None` if its lines are gone.
    pub(super) fn locate(&self, span: Span) -> Option<TrackedRange> {
        let found = Anchor::new(self.before, span.start as usize..span.end as usize);
        let anchor = self.edits.iter().try_fold(found.clone(), Anchor::after)?;
        place(self.encoding, &self.now, self.before, found, anchor)
    }
}

/// The range of an anchor of the text `before` in the text `now`, given the edits between.
fn place(encoding: Encoding, now: &Rope, before: &str, found: Anchor, anchor: Anchor) -> Option<TrackedRange> {
    if !anchor.edited {
        return Some(TrackedRange { range: encoding.range(now, anchor.span), edited: false });
    }
    let lines = now.byte_slice(anchor.lines.clone()).to_string();
    let ends = |at: usize| at == now.len_bytes() || is_line_end(char::from(now.byte(at)));
    let is_whole = (anchor.lines.start == 0 || ends(anchor.lines.start - 1)) && ends(anchor.lines.end);
    if is_whole && lines == before[found.lines.clone()] {
        // The edits were undone.
        let start = anchor.lines.start + (found.span.start - found.lines.start);
        return Some(TrackedRange { range: encoding.range(now, start..start + found.span.len()), edited: false });
    }
    // As many lines as there were: one edit may have brought a whole file.
    let height = before[found.lines].split_inclusive('\n').count().max(1);
    let text = lines.trim_start();
    let start = anchor.lines.start + (lines.len() - text.len());
    let length = text.split_inclusive('\n').take(height).map(str::len).sum::<usize>();
    let length = text[..length].trim_end().len();
    (length > 0).then(|| TrackedRange { range: encoding.range(now, start..start + length), edited: true })
}

/// All open texts. A copy shares them, and what is changed afterwards is changed in one of the two.
#[derive(Debug, Clone, Default)]
pub(super) struct Documents {
    /// How the client counts columns.
    pub(super) encoding: Encoding,
    open: BTreeMap<PathBuf, Arc<Document>>,
}

impl Documents {
    /// Opens a text.
    pub(super) fn open(&mut self, path: PathBuf, uri: Uri, version: i32, text: String) {
        self.open.insert(path, Arc::new(Document::new(uri, version, text)));
    }

    /// Applies the client's changes. False if it is not open.
    pub(super) fn change(&mut self, path: &Path, version: i32, changes: &[TextDocumentContentChangeEvent]) -> bool {
        let Some(document) = self.open.get_mut(path).map(Arc::make_mut) else { return false };
        for change in changes {
            document.change(self.encoding, change);
        }
        document.version = version;
        if document.edits.len() > MAX_EDITS {
            document.forget();
        }
        true
    }

    /// Notes that the client wrote it to disk.
    pub(super) fn save(&mut self, path: &Path) {
        if let Some(document) = self.open.get_mut(path) {
            Arc::make_mut(document).save();
        }
    }

    /// Closes it.
    pub(super) fn close(&mut self, path: &Path) {
        self.open.remove(path);
    }

    /// The text at this path, if it is open.
    pub(super) fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(path).map(|document| &**document)
    }

    /// The address of a file, as the client writes it if the file is open.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        self.get(path).map(|document| document.uri.clone()).or_else(|| Uri::from_file_path(path))
    }

    /// The paths of all that are open.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.open.keys()
    }

    /// The current range of a span of `text`, which was compiled from this path; `None` if its lines are gone. A file that is
    /// not open is taken as it is on disk, where that is known to differ.
    pub(super) fn locate(&self, path: &Path, text: &str, span: Span, on_disk: Option<&str>) -> Option<TrackedRange> {
        self.tracker(path, text, on_disk).locate(span)
    }

    /// The same for many spans of one text.
    pub(super) fn tracker<'a>(&'a self, path: &Path, text: &'a str, on_disk: Option<&str>) -> Tracker<'a> {
        let (now, edits) = match self.open.get(path) {
            Some(document) => (Cow::Borrowed(&document.text), document.edits_since(text)),
            None => {
                let now = on_disk.unwrap_or(text);
                (Cow::Owned(Rope::from_str(now)), Edit::between(text, now).into_iter().collect())
            }
        };
        Tracker { encoding: self.encoding, before: text, now, edits }
    }

    /// The range of a span, regardless of open documents.
    pub(super) fn range(&self, text: &str, span: Span) -> Range {
        self.encoding.range(&Rope::from_str(text), span.start as usize..span.end as usize)
    }
}

#[cfg(test)]
mod tests;
