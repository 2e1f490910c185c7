//! An [`CorpusStore`] is what outlives the process: sequences that are worth running again, and findings, of each contract of
//! a project, as files that people can read. It keeps and gives back; which sequences are worth keeping, and whether a
//! finding still holds, others decide.
//!
//! ```text
//! <folder>/
//!   1/                          the form of what is kept: another version of ours may keep something else beside it
//!     Vault-3f2a9c01d4e5/       one contract: its name, for people, and a hash of its file and name
//!       corpus/<hash>.json      one sequence, by signatures and values as text
//!       findings/<hash>.json    one finding: FINDING.json without what differs from run to run
//! ```
//!
//! A file is named by a hash of its content and written whole or not at all, so that several processes may share a folder:
//! what goes while another one reads it is not there, and nothing else.

mod folder;
mod record;
mod writer;

pub use folder::Warn;
pub use record::KeptFinding;

use crate::{
    compile,
    finding::Finding,
    harness::Key,
    input::{CallTable, Sequence},
};
use folder::{Kind, Listed, Order, Store};
use record::Decoded;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};
use writer::Writer;

/// What was kept of a contract.
#[derive(Debug, Default)]
pub struct Kept {
    /// The corpus, the shortest first, adapted to the interface that the contract has now.
    pub sequences: Vec<Sequence>,
    /// Findings.
    pub findings: Vec<KeptFinding>,
}

/// The files of one project, and the thread that writes them. What is handed in is on disk within about a second, and
/// all of it when this is dropped. Where nothing can be written, that is said once, and then not tried again.
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
    /// The archive of the project at `root` in the cache, where what nobody uses any more goes with age.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn in_cache(cache: &Path, root: &Path, warn: Warn) -> std::io::Result<Self> {
        Self::start(&in_cache(cache, root), &root.to_string_lossy(), true, warn)
    }

    /// An archive in a folder that somebody named. `project` is the root as findings are to name it.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn in_folder(folder: &Path, project: &str, warn: Warn) -> std::io::Result<Self> {
        Self::start(folder, project, false, warn)
    }

    fn start(folder: &Path, project: &str, ages: bool, warn: Warn) -> std::io::Result<Self> {
        let warn = Arc::new(warn);
        let writer = Writer::start(Store::new(folder, ages, warn.clone()))?;
        Ok(Self { project: project.to_owned(), folder: Mutex::new(folder.to_owned()), writer, warn })
    }

    /// Whether a folder can be an archive: makes it, and writes into it.
    ///
    /// # Errors
    ///
    /// If it is no folder, cannot be made, or cannot be written.
    pub fn check_folder(folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        tempfile::tempfile_in(folder).map(drop)
    }

    /// What was kept of a contract. Files that are none of ours or damaged are skipped, said, and left as they are.
    pub fn load(&self, key: &Key, calls: &CallTable) -> Kept {
        let folder = folder::folder_of(&self.folder.lock().unwrap_or_else(PoisonError::into_inner), key);
        let mut damaged = Damaged::default();
        let mut files = Vec::new();
        let mut kept = Kept::default();

        let mut entries = Vec::new();
        for file in folder::list(&folder, Kind::Entry) {
            let Some(text) = damaged.read(&file) else { continue };
            match record::read_entry(&text, calls) {
                Ok(Decoded::Whole(sequence)) => entries.push((file.loaded(None, true), Some(sequence))),
                // What is of another build is there for the day when that comes back.
                Ok(Decoded::Adapted(sequence)) => entries.push((file.loaded(None, false), Some(sequence))),
                Ok(Decoded::Foreign) => entries.push((file.loaded(None, false), None)),
                Err(problem) => damaged.add(&file, &problem),
            }
        }
        // Listed by name; what is short is run first, and goes first where there is too much.
        entries.sort_by_key(|(_, sequence)| sequence.as_ref().map_or(0, |sequence| sequence.transactions.len()));
        for (file, sequence) in entries {
            files.push(file);
            kept.sequences.extend(sequence);
        }

        for file in folder::list(&folder, Kind::Finding) {
            let Some(text) = damaged.read(&file) else { continue };
            match record::read_finding(&text, calls) {
                Ok(finding) => {
                    files.push(file.loaded(Some(finding.saved.id.clone()), false));
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

    /// Keeps a sequence.
    pub fn keep(&self, key: &Key, calls: &CallTable, sequence: &Sequence) {
        let text = record::entry(key, calls, sequence);
        self.writer.give(Order::Keep { key: key.clone(), kind: Kind::Entry, slot: None, text });
    }

    /// Lets go of a sequence that was kept.
    pub fn release(&self, key: &Key, calls: &CallTable, sequence: &Sequence) {
        let slot = folder::name_of(&record::entry(key, calls, sequence));
        self.writer.give(Order::Release { key: key.clone(), kind: Kind::Entry, slot });
    }

    /// All that was loaded has been run again: sequences that were not kept again since bring nothing any more, and go.
    pub fn settle(&self, key: &Key) {
        self.writer.give(Order::Settle { key: key.clone() });
    }

    /// Keeps a finding; one of the same id makes room.
    pub fn keep_finding(&self, key: &Key, finding: &Finding) {
        let text = record::finding(finding, &self.project);
        self.writer.give(Order::Keep { key: key.clone(), kind: Kind::Finding, slot: Some(finding.id.clone()), text });
    }

    /// Lets go of a finding that no longer holds.
    pub fn release_finding(&self, key: &Key, id: &str) {
        self.writer.give(Order::Release { key: key.clone(), kind: Kind::Finding, slot: id.to_owned() });
    }

    /// A contract has another name now, or stands in another file: what was kept of it goes with it.
    pub fn rename(&self, from: &Key, to: &Key) {
        self.writer.give(Order::Rename { from: from.clone(), to: to.clone() });
    }

    /// Lets go of everything.
    pub fn clear(&self) {
        self.writer.give(Order::Clear);
    }

    /// Keeps all of it in another cache from now on, with what is known to be kept. What is in the old one stays.
    pub fn move_to(&self, cache: &Path, root: &Path) {
        let folder = in_cache(cache, root);
        let mut now = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        if *now != folder {
            folder.clone_into(&mut now);
            self.writer.give(Order::Move { folder });
        }
    }

    /// Writes what waits at once, without waiting for that.
    pub fn hurry(&self) {
        self.writer.hurry();
    }

    /// Waits until all that was handed in is written.
    pub fn flush(&self) {
        self.writer.flush();
    }
}

fn in_cache(cache: &Path, root: &Path) -> PathBuf {
    compile::project_folder(cache, root).join("archive")
}

/// Files that are not what they should be.
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
            // Another server let go of it just now.
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
        Some(format!("{folder} has {files} damaged or not ours, and left alone; the first: {first}: {problem}"))
    }
}

#[cfg(test)]
mod tests;
