//! A [`CorpusStore`] holds the data that outlives the process: sequences worth replaying, and findings, of each contract of
//! a project, as files that people can read. It saves and loads; other modules decide which sequences are worth saving, and
//! whether a finding still holds.
//!
//! ```text
//! <folder>/
//!   1/                          the format version: another version of Bellwether may have its own folder beside it
//!     Vault-3f2a9c01d4e5/       one contract: its name, for people, and a hash of its file and name
//!       corpus/<hash>.json      one sequence, by signatures and values as text
//!       findings/<hash>.json    one finding: FINDING.json without what differs from run to run
//! ```
//!
//! A file is named by a hash of its content and written whole or not at all, so that several processes may share a folder:
//! a file deleted during a read is simply missing.

pub(super) mod folder;
pub(super) mod record;
mod writer;

pub use folder::{FORM, Kind, Warn};
pub use record::KeptFinding;

use crate::{
    compile,
    finding::Finding,
    harness::Key,
    input::{CallTable, Sequence},
};
use folder::{Listed, Order, Store};
use record::Decoded;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};
use writer::Writer;

/// The saved data of a contract.
#[derive(Debug, Default)]
pub struct Kept {
    /// The corpus, the shortest first, adapted to the interface that the contract has now.
    pub sequences: Vec<Sequence>,
    /// Findings.
    pub findings: Vec<KeptFinding>,
}

/// The files of one project, and the thread that writes them. A request is on disk within about a second, and all requests
/// are when this is dropped. If nothing can be written, it warns once and does not try again.
pub struct CorpusStore {
    project: String,
    folder: Mutex<PathBuf>,
    writer: Writer,
    warn: Arc<Warn>,
}

impl std::fmt::Debug for CorpusStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CorpusStore").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl CorpusStore {
    /// The corpus store of the project at `root` in the cache, where unused files are removed when they are old.
    ///
    /// # Errors
    ///
    /// If the system cannot start a thread.
    pub fn in_cache(cache: &Path, root: &Path, warn: Warn) -> std::io::Result<Self> {
        Self::start(&in_cache(cache, root), &root.to_string_lossy(), true, warn)
    }

    /// A corpus store in a folder that the user named. `project` is the root as it is written into findings.
    ///
    /// # Errors
    ///
    /// If the system cannot start a thread.
    pub fn in_folder(folder: &Path, project: &str, warn: Warn) -> std::io::Result<Self> {
        Self::start(folder, project, false, warn)
    }

    fn start(folder: &Path, project: &str, ages: bool, warn: Warn) -> std::io::Result<Self> {
        let warn = Arc::new(warn);
        let writer = Writer::start(Store::new(folder, ages, warn.clone()))?;
        Ok(Self { project: project.to_owned(), folder: Mutex::new(folder.to_owned()), writer, warn })
    }

    /// Checks that a folder can hold a corpus store: creates it, and writes into it.
    ///
    /// # Errors
    ///
    /// If it is no folder, cannot be created, or cannot be written.
    pub fn check_folder(folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        tempfile::tempfile_in(folder).map(drop)
    }

    /// The saved data of a contract. Damaged or foreign files are skipped with a warning, and left as they are.
    pub fn load(&self, key: &Key, calls: &CallTable) -> Kept {
        let folder = folder::folder_of(&self.folder.lock().unwrap_or_else(PoisonError::into_inner), key);
        let mut damaged = Damaged::default();
        let mut files = Vec::new();
        let mut kept = Kept::default();

        let mut entries = Vec::new();
        for file in folder::list(&folder, Kind::Entry) {
            let Some(text) = damaged.read(&file) else { continue };
            match record::read_entry(&text, calls) {
                Ok(Decoded::Whole(sequence)) => {
                    let slot = folder::name_of(&record::entry(key, calls, &sequence));
                    entries.push((file.loaded(Kind::Entry, slot, true), Some(sequence)));
                }
                // A sequence of another build is kept in case that build returns.
                Ok(Decoded::Adapted(sequence)) => {
                    entries.push((file.loaded(Kind::Entry, file.name.clone(), false), Some(sequence)));
                }
                Ok(Decoded::Foreign) => entries.push((file.loaded(Kind::Entry, file.name.clone(), false), None)),
                Err(problem) => damaged.add(&file, &problem),
            }
        }
        // Files are listed by name; short sequences are replayed first, and removed first if there are too many.
        entries.sort_by_key(|(_, sequence)| sequence.as_ref().map_or(0, |sequence| sequence.transactions.len()));
        for (file, sequence) in entries {
            files.push(file);
            kept.sequences.extend(sequence);
        }

        for file in folder::list(&folder, Kind::Finding) {
            let Some(text) = damaged.read(&file) else { continue };
            match record::read_finding(&text, calls) {
                Ok(finding) => {
                    files.push(file.loaded(Kind::Finding, finding.saved.id.clone(), false));
                    kept.findings.push(finding);
                }
                Err(problem) => damaged.add(&file, &problem),
            }
        }
        if let Some(words) = damaged.words(&folder) {
            (self.warn)(&words);
        }
        self.writer.give(Order::Loaded { key: key.clone(), files });
        kept
    }

    /// Saves a sequence.
    pub fn keep(&self, key: &Key, calls: &CallTable, sequence: &Sequence) {
        let text = record::entry(key, calls, sequence);
        self.writer.give(Order::Keep { key: key.clone(), kind: Kind::Entry, slot: None, text });
    }

    /// Deletes a saved sequence.
    pub fn release(&self, key: &Key, calls: &CallTable, sequence: &Sequence) {
        let slot = folder::name_of(&record::entry(key, calls, sequence));
        self.writer.give(Order::Release { key: key.clone(), kind: Kind::Entry, slot });
    }

    /// Ends the replay of the loaded sequences: those that were not saved again since are deleted, as they add nothing any
    /// more.
    pub fn settle(&self, key: &Key) {
        self.writer.give(Order::Settle { key: key.clone() });
    }

    /// Saves a finding, replacing one with the same id.
    pub fn keep_finding(&self, key: &Key, finding: &Finding) {
        let text = record::finding(finding, &self.project);
        self.writer.give(Order::Keep { key: key.clone(), kind: Kind::Finding, slot: Some(finding.id.clone()), text });
    }

    /// Deletes a finding that no longer holds.
    pub fn release_finding(&self, key: &Key, id: &str) {
        self.writer.give(Order::Release { key: key.clone(), kind: Kind::Finding, slot: id.to_owned() });
    }

    /// Moves the files of a contract that was renamed, or moved to another source file.
    pub fn rename(&self, from: &Key, to: &Key) {
        self.writer.give(Order::Rename { from: from.clone(), to: to.clone() });
    }

    /// Deletes everything.
    pub fn clear(&self) {
        self.writer.give(Order::Clear);
    }

    /// Saves everything to another cache from now on, including all files known so far. Files in the old cache stay.
    pub fn move_to(&self, cache: &Path, root: &Path) {
        let folder = in_cache(cache, root);
        let mut now = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        if *now != folder {
            folder.clone_into(&mut now);
            self.writer.give(Order::Move { folder });
        }
    }

    /// Writes pending requests at once, without blocking the caller.
    pub fn hurry(&self) {
        self.writer.hurry();
    }

    /// Waits until all requests are written.
    pub fn flush(&self) {
        self.writer.flush();
    }
}

fn in_cache(cache: &Path, root: &Path) -> PathBuf {
    compile::project_folder(cache, root).join("archive")
}

/// Files that could not be used, with the reason.
#[derive(Default)]
struct Damaged {
    count: usize,
    first: Option<(PathBuf, String)>,
}

impl Damaged {
    /// The text of a file; none if it vanished, or cannot be read.
    fn read(&mut self, file: &Listed) -> Option<String> {
        match file.read() {
            Ok(text) => Some(text),
            // Another server has just deleted it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                self.add(file, &error.to_string());
                None
            }
        }
    }

    fn add(&mut self, file: &Listed, problem: &str) {
        self.count += 1;
        self.first.get_or_insert_with(|| (file.path.clone(), problem.to_owned()));
    }

    fn words(&self, folder: &Path) -> Option<String> {
        let (path, problem) = self.first.as_ref()?;
        let files = match self.count {
            1 => "1 file that is".to_owned(),
            count => format!("{count} files that are"),
        };
        let (first, folder) = (path.strip_prefix(folder).unwrap_or(path).display(), folder.display());
        Some(format!(
            "{folder} has {files} damaged or not written by Bellwether, and left alone; the first: {first}: {problem}"
        ))
    }
}

#[cfg(test)]
mod tests;
