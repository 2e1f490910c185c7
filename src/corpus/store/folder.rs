//! The files: which there are of each contract, how many there may be, and how they come and go. Only names that are
//! hashes are ever removed: what somebody else put there stays.

use crate::compile::{StoredFile, folders, hash, surplus, sweep, tagged, write_atomically};
use crate::harness::Key;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// Where an archive says what is wrong with its folder, in words for people. Called from its thread and from those that load.
pub type Warn = Box<dyn Fn(&str) + Send + Sync>;

/// Goes up when a file says something else than before.
pub(super) const FORM: &str = "1";
/// As many sequences are kept of a contract, and as many bytes of them: more are found again soon.
const MAX_ENTRIES: usize = 1024;
const MAX_ENTRY_BYTES: u64 = 8 << 20;
/// A file that is larger is neither written nor read.
const MAX_FILE: u64 = 1 << 20;
/// Beyond so many bytes of one project goes what was used longest ago.
const MAX_BYTES: u64 = 128 << 20;
/// So much of a contract's name is part of its folder's.
const MAX_NAME: usize = 40;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Entry,
    Finding,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Self::Entry => "corpus",
            Self::Finding => "findings",
        }
    }
}

/// What is to be done.
#[derive(Debug)]
pub(super) enum Order {
    /// Keep this; what has its slot makes room. Without a slot, its name is one.
    Keep { key: Key, kind: Kind, slot: Option<String>, text: String },
    /// Let go of this.
    Release { key: Key, kind: Kind, slot: String },
    /// These are there.
    Loaded { key: Key, files: Vec<Loaded> },
    /// Let go of what was there and was not kept again.
    Settle { key: Key },
    /// All of one contract is another's.
    Rename { from: Key, to: Key },
    /// Let go of everything.
    Clear,
    /// Keep all that is known elsewhere.
    Move { folder: PathBuf },
}

impl Order {
    pub(super) fn is_of_entry(&self) -> bool {
        matches!(self, Self::Keep { kind: Kind::Entry, .. })
    }
}

/// A file that was there before.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) name: String,
    slot: Option<String>,
    bytes: u64,
    /// Whether it goes unless it is kept again.
    prunes: bool,
}

/// A file of a folder.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) path: PathBuf,
    /// Without its ending.
    pub(super) name: String,
    bytes: u64,
    modified: SystemTime,
}

impl Listed {
    /// Its text.
    pub(super) fn read(&self) -> std::io::Result<String> {
        let mut text = String::new();
        // It may have grown since it was listed.
        std::fs::File::open(&self.path)?.take(MAX_FILE + 1).read_to_string(&mut text)?;
        if text.len() as u64 > MAX_FILE {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "more than 1 MiB"));
        }
        Ok(text)
    }

    /// As it is to be remembered.
    pub(super) fn loaded(&self, slot: Option<String>, prunes: bool) -> Loaded {
        Loaded { name: self.name.clone(), slot, bytes: self.bytes, prunes }
    }
}

/// The name of a file that says this.
pub(super) fn name_of(text: &str) -> String {
    hash([text])
}

/// Whether a file of this name may be ours.
fn is_ours(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// The folder of a contract.
pub(super) fn folder_of(archive: &Path, key: &Key) -> PathBuf {
    let name: String = key.name.chars().take(MAX_NAME).collect();
    archive.join(FORM).join(tagged(&name, [key.file.as_str(), key.name.as_str()]))
}

/// The files of one kind, by name: those that were used last, where there are too many.
pub(super) fn list(folder: &Path, kind: Kind) -> Vec<Listed> {
    let mut files = all(folder, kind);
    files.sort_by(|a, b| (b.modified, &a.name).cmp(&(a.modified, &b.name)));
    files.truncate(MAX_ENTRIES);
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// The files of one kind, in any order. What is being written is none of them.
fn all(folder: &Path, kind: Kind) -> Vec<Listed> {
    let entries = std::fs::read_dir(folder.join(kind.folder())).into_iter().flatten().flatten();
    let listed = |entry: std::fs::DirEntry| {
        // Not what a link leads to, nor a pipe that nobody writes into.
        let facts = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let path = entry.path();
        let name = path.file_name()?.to_str()?.strip_suffix(".json")?.to_owned();
        let modified = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(Listed { path, name, bytes: facts.len(), modified })
    };
    entries.filter_map(listed).collect()
}

/// One file that is known.
#[derive(Debug)]
struct Record {
    name: String,
    bytes: u64,
    /// In the order in which they came.
    number: u64,
    /// Whether it is from before, and goes unless it is kept again.
    prunes: bool,
}

/// All files of a project.
pub(super) struct Store {
    folder: PathBuf,
    known: BTreeMap<Key, BTreeMap<(Kind, String), Record>>,
    next: u64,
    /// Nothing can be written.
    failed: bool,
    /// Whether what is old goes, and the folder was not looked through for that yet.
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

    /// Memory serves from now on.
    pub(super) fn give_up(&mut self, why: &str) {
        if !std::mem::replace(&mut self.failed, true) {
            let folder = self.folder.display();
            (self.warn)(&format!(
                "{folder} cannot be written ({why}): memory serves instead, so that corpus and findings end with this process"
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
        if let Some(record) = known.get_mut(&slot).filter(|record| record.name == name) {
            record.prunes = false;
            // What is used is young.
            if touch(&path) {
                return;
            }
        }
        if self.failed || text.len() as u64 > MAX_FILE {
            return;
        }
        // Once more, if another server just removed the folder because it was empty.
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

    /// Of too many sequences the first go: what was found first was found with the least work.
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
        for kind in [Kind::Entry, Kind::Finding] {
            sweep(&folder_of(&self.folder, key).join(kind.folder()));
        }
        for file in files {
            let kind = if file.slot.is_some() { Kind::Finding } else { Kind::Entry };
            let slot = (kind, file.slot.unwrap_or_else(|| file.name.clone()));
            let number = self.next;
            self.next += 1;
            let record = Record { name: file.name, bytes: file.bytes, number, prunes: file.prunes };
            let known = self.known.entry(key.clone()).or_default();
            match known.get(&slot) {
                None => drop(known.insert(slot, record)),
                // Written by this process since.
                Some(there) if there.name == record.name => {}
                // Two servers told one finding in two ways, and one is enough.
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
            // What cannot be moved stays where it is, and goes with age.
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

    /// All that is ours, of all contracts.
    fn files(&self) -> Vec<Listed> {
        let kinds = |contract: PathBuf| [Kind::Entry, Kind::Finding].map(|kind| all(&contract, kind));
        self.contracts().into_iter().flat_map(kinds).flatten().filter(|file| is_ours(&file.name)).collect()
    }

    fn contracts(&self) -> Vec<PathBuf> {
        folders(&self.folder.join(FORM)).collect()
    }

    /// Removes what nobody kept or found again for long, and what there is no room for. What is known to be there is in use.
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
            for kind in [Kind::Entry, Kind::Finding] {
                // Fails where there is something.
                let _ = std::fs::remove_dir(contract.join(kind.folder()));
            }
            let _ = std::fs::remove_dir(contract);
        }
    }
}

/// Notes that a file is used; false if it is not there.
fn touch(path: &Path) -> bool {
    match std::fs::File::options().append(true).open(path) {
        Ok(file) => {
            // Where this cannot be noted, the file goes earlier.
            let _ = file.set_modified(SystemTime::now());
            true
        }
        // One that may not be written is there all the same.
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
