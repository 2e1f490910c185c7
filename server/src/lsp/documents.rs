//! [`Documents`] are the texts that the client has open, as it shows them, with the edits since they were last saved: so that
//! what was found in the saved text can be shown where it is now. Nothing is read from disk here.

use super::{
    edit::{Anchor, Edit},
    position::{Encoding, is_line_end},
};
use bellwether::compile::Span;
use ropey::Rope;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use tower_lsp_server::ls_types::{Range, TextDocumentContentChangeEvent, Uri};

/// With more edits than this, what is where is told from the two texts instead.
const MAX_EDITS: usize = 1_000;
/// So many texts are known that edits have been made to since. What was found in an older one is placed less exactly.
const MAX_BASES: usize = 8;

/// One open text.
#[derive(Debug)]
pub(super) struct Document {
    /// Its address, as the client writes it.
    pub(super) uri: Uri,
    /// The client's number of this state.
    pub(super) version: i32,
    text: Rope,
    /// All edits, the oldest first.
    edits: Vec<Edit>,
    /// The texts that were opened or saved, the oldest first, each with how many edits it has. A build knows one of these.
    bases: Vec<(String, usize)>,
}

impl Document {
    fn new(uri: Uri, version: i32, text: String) -> Self {
        Self { uri, version, text: Rope::from_str(&text), edits: Vec::new(), bases: vec![(text, 0)] }
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

    /// What is there now will be compiled.
    fn save(&mut self) {
        self.bases.push((self.text.to_string(), self.edits.len()));
        if self.bases.len() > MAX_BASES {
            self.bases.remove(0);
        }
        let unused = self.bases[0].1;
        self.edits.drain(..unused);
        self.bases.iter_mut().for_each(|(_, edits)| *edits -= unused);
    }

    /// Forgets how the text came about.
    fn forget(&mut self) {
        self.edits.clear();
        self.bases = vec![(self.text.to_string(), 0)];
    }

    fn locate(&self, encoding: Encoding, text: &str, span: Span) -> Option<Range> {
        let mut anchor = Anchor::new(text, span.start as usize..span.end as usize);
        if self.text != *text {
            let known = self.bases.iter().rfind(|(base, _)| base == text);
            let edits = match known.or(self.bases.last()) {
                Some((base, edits)) => {
                    // Not what was opened or saved: another program wrote the file.
                    if let Some(edit) = Edit::between(text, base) {
                        anchor = anchor.after(&edit)?;
                    }
                    &self.edits[*edits..]
                }
                None => &[],
            };
            for edit in edits {
                anchor = anchor.after(edit)?;
            }
        }
        Some(encoding.range(&self.text, anchor.span))
    }
}

/// All open texts.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// How the client counts columns.
    pub(super) encoding: Encoding,
    open: BTreeMap<PathBuf, Document>,
}

impl Documents {
    /// The client opened a text.
    pub(super) fn open(&mut self, path: PathBuf, uri: Uri, version: i32, text: String) {
        self.open.insert(path, Document::new(uri, version, text));
    }

    /// The client changed it, in these steps. False if it is not open.
    pub(super) fn change(&mut self, path: &Path, version: i32, changes: &[TextDocumentContentChangeEvent]) -> bool {
        let Some(document) = self.open.get_mut(path) else { return false };
        for change in changes {
            document.change(self.encoding, change);
        }
        document.version = version;
        if document.edits.len() > MAX_EDITS {
            document.forget();
        }
        true
    }

    /// The client wrote it to disk.
    pub(super) fn save(&mut self, path: &Path) {
        if let Some(document) = self.open.get_mut(path) {
            document.save();
        }
    }

    /// The client closed it.
    pub(super) fn close(&mut self, path: &Path) {
        self.open.remove(path);
    }

    /// The text at this path, if it is open.
    pub(super) fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    /// The paths of all that are open.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.open.keys()
    }

    /// Where a span of `text`, which was compiled from this path, is now. None while its own lines are being edited.
    pub(super) fn locate(&self, path: &Path, text: &str, span: Span) -> Option<Range> {
        match self.open.get(path) {
            Some(document) => document.locate(self.encoding, text, span),
            None => Some(self.range(text, span)),
        }
    }

    /// The range of a span, whatever is open.
    pub(super) fn range(&self, text: &str, span: Span) -> Range {
        self.encoding.range(&Rope::from_str(text), span.start as usize..span.end as usize)
    }
}

#[cfg(test)]
mod tests;
