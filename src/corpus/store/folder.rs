//! The files of the corpus store: their names, their limits, and how they are added and removed. Only files whose names are
//! hashes are ever removed; anything else in the folder stays.

use crate::compile::{StoredFile, folders, hash, surplus, sweep, tagged, write_atomically};
use crate::harness::Key;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// Reports a problem with the store's folder, in words for users. Called from the store's thread and from threads that
/// load.
pub type Warn = Box<dyn Fn(&str) + Send + Sync>;

/// The version of the file format, raised when the meaning of a file changes.
pub const FORM: &str = "1";
/// Sequences kept of a contract, and their bytes; chosen by hand. More would soon be found again.
pub(in crate::corpus) const MAX_ENTRIES: usize = 1024;
pub(in crate::corpus) const MAX_ENTRY_BYTES: u64 = 8 << 20;
/// Bytes of the largest file that is written or read; chosen by hand.
const MAX_FILE: u64 = 1 << 20;
/// Bytes kept of one project; chosen by hand. Beyond that, the least recently used files are removed.
const MAX_BYTES: u64 = 128 << 20;
/// Characters of a contract's name that its folder's name begins with; chosen by hand.
const MAX_NAME: usize = 40;

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A sequence that is worth running again.
    Entry,
    /// A finding.
    Finding,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Entry, Self::Finding];

    /// The folder of a contract's files of this kind.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Entry => "corpus",
            Self::Finding => "findings",
        }
    }
}

/// A request to the writing thread.
#[derive(Debug)]
pub(super) enum Order {
    /// Write this file, replacing the one in its slot. Without a slot, the name is the slot.
    Keep { key: Key, kind: Kind, slot: Option<String>, text: String },
    /// Delete this file.
    Release { key: Key, kind: Kind, slot: String },
    /// Record that these files exist.
    Loaded { key: Key, files: Vec<Loaded> },
    /// Delete loaded files that were not saved again.
    Settle { key: Key },
    /// Move all files of one contract to another.
    Rename { from: Key, to: Key },
    /// Delete all files.
    Clear,
    /// Write all known files to another folder.
    Move { folder: PathBuf },
}

impl Order {
    pub(super) fn is_of_entry(&self) -> bool {
        matches!(self, Self::Keep { kind: Kind::Entry, .. })
    }
}

/// A file that existed when the contract was loaded.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) name: String,
    kind: Kind,
    slot: String,
    bytes: u64,
    /// Whether it is deleted unless it is saved again.
    prunes: bool,
}

/// A file of a folder.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) path: PathBuf,
    /// The name without its extension.
    pub(super) name: String,
    bytes: u64,
    modified: SystemTime,
}

impl Listed {
    /// The text of the file.
    pub(super) fn read(&self) -> std::io::Result<String> {
        let mut text = String::new();
        // The file may have grown since it was listed.
        std::fs::File::open(&self.path)?.take(MAX_FILE + 1).read_to_string(&mut text)?;
        if text.len() as u64 > MAX_FILE {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "more than 1 MiB"));
        }
        Ok(text)
    }

    /// The record of this file as a loaded one.
    pub(super) fn loaded(&self, kind: Kind, slot: String, prunes: bool) -> Loaded {
        Loaded { name: self.name.clone(), kind, slot, bytes: self.bytes, prunes }
    }
}

/// The file name for this text.
pub(in crate::corpus) fn name_of(text: &str) -> String {
    hash([text])
}

/// Whether a file of this name may belong to the store.
pub(in crate::corpus) fn is_ours(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// The folder of a contract.
pub(super) fn folder_of(archive: &Path, key: &Key) -> PathBuf {
    archive.join(FORM).join(folder_name(key))
}

/// The name of a contract's folder.
pub(in crate::corpus) fn folder_name(key: &Key) -> String {
    let name: String = key.name.chars().take(MAX_NAME).collect();
    let suite = key.suite.iter().flat_map(|(file, suite)| [file.as_str(), suite.as_str()]);
    tagged(&name, [key.file.as_str(), key.name.as_str()].into_iter().chain(suite))
}

/// The files of one kind, by name; if there are too many, the most recently used ones.
pub(super) fn list(folder: &Path, kind: Kind) -> Vec<Listed> {
    let mut files = all(folder, kind);
    files.sort_by(|a, b| (b.modified, &a.name).cmp(&(a.modified, &b.name)));
    files.truncate(MAX_ENTRIES);
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// The files of one kind, in any order, without files that are being written.
fn all(folder: &Path, kind: Kind) -> Vec<Listed> {
    let entries = std::fs::read_dir(folder.join(kind.folder())).into_iter().flatten().flatten();
    let listed = |entry: std::fs::DirEntry| {
        // Symbolic links are not followed, and pipes are not opened: reading one could block forever.
        let facts = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let path = entry.path();
        let name = path.file_name()?.to_str()?.strip_suffix(".json")?.to_owned();
        let modified = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(Listed { path, name, bytes: facts.len(), modified })
    };
    entries.filter_map(listed).collect()
}

/// A known file.
#[derive(Debug)]
struct Record {
    name: String,
    bytes: u64,
    /// The order in which files became known.
    number: u64,
    /// Whether it was loaded, and is deleted unless it is saved again.
    prunes: bool,
}

/// All files of a project.
pub(super) struct Store {
    folder: PathBuf,
    known: BTreeMap<Key, BTreeMap<(Kind, String), Record>>,
    next: u64,
    /// Whether the folder cannot be written.
    failed: bool,
    /// Whether old files are removed and the folder has not been checked for them yet.
    ages: bool,
    warn: Arc<Warn>,
}

impl Store {
    pub(super) fn new(folder: &Path, ages: bool, warn: Arc<Warn>) -> Self {
        Self { folder: folder.to_owned(), known: BTreeMap::new(), next: 0, failed: false, ages, warn }
    }

    pub(super) fn carry_out(&mut self, order: Order) {
        match order {
            Order::Keep { key, kind, slot, text } => self.keep(&key, kind, slot, &text),
            Order::Release { key, kind, slot } => self.release(&key, kind, &slot),
            Order::Loaded { key, files } => self.loaded(&key, files),
            Order::Settle { key } => self.settle(&key),
            Order::Rename { from, to } => self.rename(&from, &to),
            Order::Clear => self.clear(),
            Order::Move { folder } => self.move_to(folder),
        }
    }

    /// Stops writing for good, with one warning; the corpus is kept in memory only.
    pub(super) fn give_up(&mut self, why: &str) {
        if !std::mem::replace(&mut self.failed, true) {
            let folder = self.folder.display();
            (self.warn)(&format!(
                "{folder} cannot be written ({why}): corpus and findings are kept in memory only, and end with this process"
            ));
        }
    }

    fn path(&self, key: &Key, kind: Kind, name: &str) -> PathBuf {
        folder_of(&self.folder, key).join(kind.folder()).join(format!("{name}.json"))
    }

    fn keep(&mut self, key: &Key, kind: Kind, slot: Option<String>, text: &str) {
        let name = name_of(text);
        let path = self.path(key, kind, &name);
        let slot = (kind, slot.unwrap_or_else(|| name.clone()));
        let known = self.known.entry(key.clone()).or_default();
        // A sequence that is there as another machine shared it is the same one.
        let is_kept = |record: &&mut Record| kind == Kind::Entry || record.name == name;
        if let Some(record) = known.get_mut(&slot).filter(is_kept) {
            record.prunes = false;
            // A file in use counts as young.
            let kept = record.name.clone();
            if touch(&self.path(key, kind, &kept)) {
                return;
            }
        }
        if self.failed || text.len() as u64 > MAX_FILE {
            return;
        }
        // Tries once more, because another server may just have removed the empty folder.
        let again = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => write_atomically(&path, text),
            _ => Err(error),
        };
        if let Err(error) = write_atomically(&path, text).or_else(again) {
            return self.give_up(&error.to_string());
        }
        let record = Record { name: name.clone(), bytes: text.len() as u64, number: self.next, prunes: false };
        self.next += 1;
        let known = self.known.entry(key.clone()).or_default();
        if let Some(before) = known.insert(slot, record).filter(|before| before.name != name) {
            remove(&self.path(key, kind, &before.name));
        }
        self.bound(key);
    }

    /// Removes the oldest sequences if there are too many: an early find took the least work.
    fn bound(&mut self, key: &Key) {
        loop {
            let Some(known) = self.known.get(key) else { return };
            let entries = known.iter().filter(|((kind, _), _)| *kind == Kind::Entry);
            let (count, bytes) =
                entries.clone().fold((0, 0), |(count, bytes), (_, record)| (count + 1, bytes + record.bytes));
            if count <= MAX_ENTRIES && bytes <= MAX_ENTRY_BYTES {
                return;
            }
            let first = entries.min_by_key(|(_, record)| record.number).map(|((_, slot), _)| slot.clone());
            let Some(slot) = first else { return };
            self.release(key, Kind::Entry, &slot);
        }
    }

    fn release(&mut self, key: &Key, kind: Kind, slot: &str) {
        let known = self.known.get_mut(key).and_then(|known| known.remove(&(kind, slot.to_owned())));
        if let Some(record) = known.filter(|record| is_ours(&record.name)) {
            remove(&self.path(key, kind, &record.name));
        }
    }

    fn loaded(&mut self, key: &Key, files: Vec<Loaded>) {
        for kind in Kind::ALL {
            sweep(&folder_of(&self.folder, key).join(kind.folder()));
        }
        for file in files {
            let kind = file.kind;
            let slot = (kind, file.slot);
            let number = self.next;
            self.next += 1;
            let record = Record { name: file.name, bytes: file.bytes, number, prunes: file.prunes };
            let known = self.known.entry(key.clone()).or_default();
            match known.get(&slot) {
                None => drop(known.insert(slot, record)),
                // The file was written by this process in the meantime.
                Some(there) if there.name == record.name => {}
                // Two machines described one finding, or what one sequence reaches, differently, and one file is enough.
                Some(_) if is_ours(&record.name) => remove(&self.path(key, kind, &record.name)),
                Some(_) => {}
            }
        }
        self.bound(key);
    }

    fn settle(&mut self, key: &Key) {
        let known = self.known.get(key).into_iter().flatten();
        let gone: Vec<_> = known.filter(|(_, record)| record.prunes).map(|(slot, _)| slot.clone()).collect();
        gone.iter().for_each(|(kind, slot)| self.release(key, *kind, slot));
        if std::mem::take(&mut self.ages) {
            self.prune(SystemTime::now(), MAX_BYTES);
        }
    }

    fn rename(&mut self, from: &Key, to: &Key) {
        let (old, new) = (folder_of(&self.folder, from), folder_of(&self.folder, to));
        for ((kind, slot), record) in self.known.remove(from).into_iter().flatten() {
            let file = Path::new(kind.folder()).join(format!("{}.json", record.name));
            let _ = std::fs::create_dir_all(new.join(kind.folder()));
            // A file that cannot be moved stays, and is removed when it is old.
            if std::fs::rename(old.join(&file), new.join(&file)).is_ok() {
                self.known.entry(to.clone()).or_default().insert((kind, slot), record);
            }
        }
        self.remove_empty();
    }

    fn clear(&mut self) {
        self.known.clear();
        self.files().into_iter().for_each(|file| remove(&file.path));
        self.remove_empty();
    }

    fn move_to(&mut self, folder: PathBuf) {
        let before = std::mem::replace(&mut self.folder, folder);
        self.failed = false;
        let files: Vec<(Key, Kind, String)> = self
            .known
            .iter()
            .flat_map(|(key, known)| known.iter().map(|((kind, _), record)| (key.clone(), *kind, record.name.clone())))
            .collect();
        for (key, kind, name) in files {
            let old = folder_of(&before, &key).join(kind.folder()).join(format!("{name}.json"));
            let Ok(text) = std::fs::read_to_string(old) else { continue };
            if let Err(error) = write_atomically(&self.path(&key, kind, &name), &text) {
                return self.give_up(&error.to_string());
            }
        }
    }

    /// All files of the store, of all contracts.
    fn files(&self) -> Vec<Listed> {
        let kinds = |contract: PathBuf| Kind::ALL.map(|kind| all(&contract, kind));
        self.contracts().into_iter().flat_map(kinds).flatten().filter(|file| is_ours(&file.name)).collect()
    }

    fn contracts(&self) -> Vec<PathBuf> {
        folders(&self.folder.join(FORM)).collect()
    }

    /// Removes files that were not saved or found again for long, and the oldest ones beyond the size limit. Known files
    /// are in use.
    fn prune(&self, now: SystemTime, most: u64) {
        let paths = |(key, known): (&Key, &BTreeMap<_, Record>)| {
            known.iter().map(|((kind, _), record)| self.path(key, *kind, &record.name)).collect::<Vec<_>>()
        };
        let in_use: BTreeSet<PathBuf> = self.known.iter().flat_map(paths).collect();
        let files = self.files().into_iter();
        let kept = files.map(|Listed { path, bytes, modified, .. }| StoredFile { path, bytes, used: modified });
        for path in surplus(kept.collect(), now, most, |path| in_use.contains(path)) {
            remove(&path);
        }
        self.remove_empty();
    }

    fn remove_empty(&self) {
        for contract in self.contracts() {
            for kind in Kind::ALL {
                // Fails if the folder is not empty.
                let _ = std::fs::remove_dir(contract.join(kind.folder()));
            }
            let _ = std::fs::remove_dir(contract);
        }
    }
}

/// Marks a file as used; false if it does not exist.
fn touch(path: &Path) -> bool {
    match std::fs::File::options().append(true).open(path) {
        Ok(file) => {
            // If the time cannot be set, the file is removed earlier.
            let _ = file.set_modified(SystemTime::now());
            true
        }
        // A read-only file exists all the same.
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::debug!(path = %path.display(), %error, "cannot be removed");
    }
}
