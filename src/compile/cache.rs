//! The cache of compiled files, by content: one [`CompiledFile`] for each source, under a key that covers the compiler, its
//! settings and the text of all imports. A file that did not change is never compiled twice, and keeps its warnings.

use super::{
    compiled::CompiledFile,
    forgotten::{self, StoredFile},
};
use crate::project::read_text;
use alloy_primitives::keccak256;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// The version of the format. Raised whenever the content of a [`CompiledFile`] or its syntax tree changes.
const FORMAT_VERSION: &str = "29";
/// Bytes of compiled files that are kept on disk for one project, at most; chosen by hand.
const MAX_BYTES: u64 = 256 << 20;

/// Compiled files in memory and, where it can be written, on disk:
///
/// ```text
/// <project>/build/
///   4/            the shape of what is kept: another version of ours may keep something else beside it
///     <key>.json  a line with the hash of all that follows, then one CompiledFile
/// ```
#[derive(Debug)]
pub(super) struct Cache {
    /// The folder of the project in the cache.
    project: PathBuf,
    folder: PathBuf,
    files: BTreeMap<String, Arc<CompiledFile>>,
    complained: bool,
    /// Whether the folder was pruned since the last write.
    tidy: bool,
}

impl Cache {
    pub(super) fn new(project: &Path) -> Self {
        let folder = project.join("build").join(FORMAT_VERSION);
        super::toolchain::sweep(&folder);
        Self { project: project.to_owned(), folder, files: BTreeMap::new(), complained: false, tidy: false }
    }

    /// The file under this key. A damaged entry counts as absent.
    pub(super) fn get(&mut self, key: &str) -> Option<Arc<CompiledFile>> {
        if let Some(file) = self.files.get(key) {
            return Some(file.clone());
        }
        let path = self.path(key);
        let text = match read_text(&path) {
            Ok(text) => text,
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    tracing::warn!(%key, %error, "a compiled file in the cache cannot be read; it is compiled again");
                }
                return None;
            }
        };
        // A file that is used counts as young. If its time cannot be set, it is removed earlier and compiled again.
        let _ = std::fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        match unseal(&text) {
            Ok(file) => {
                let file = Arc::new(file);
                self.files.insert(key.to_owned(), file.clone());
                Some(file)
            }
            Err(error) => {
                tracing::warn!(%key, %error, "a compiled file in the cache is damaged; it is compiled again");
                None
            }
        }
    }

    pub(super) fn insert(&mut self, key: String, file: CompiledFile) -> Arc<CompiledFile> {
        if let Ok(text) = serde_json::to_string(&file)
            && let Err(error) = super::toolchain::write_atomically(&self.path(&key), &seal(&text))
            && !std::mem::replace(&mut self.complained, true)
        {
            tracing::warn!(folder = %self.folder.display(), %error, "the cache cannot be written; compiled files are kept in memory only");
        }
        self.tidy = false;
        let file = Arc::new(file);
        self.files.insert(key, file.clone());
        file
    }

    /// Drops files under other keys from memory. On disk they stay while they are not too old and there is room, for the case
    /// that an edit is undone.
    pub(super) fn retain(&mut self, keys: &BTreeSet<String>) {
        self.files.retain(|key, _| keys.contains(key));
        if !std::mem::replace(&mut self.tidy, true) {
            let now = SystemTime::now();
            prune(&self.folder, keys, now, MAX_BYTES);
            for older in forgotten::older_formats(&self.project.join("build"), FORMAT_VERSION) {
                prune(&older, &BTreeSet::new(), now, 0);
                // Fails while something younger is left.
                let _ = std::fs::remove_dir(older);
            }
            if let Some(projects) = self.project.parent() {
                forgotten::remove_projects(projects, &self.project, now);
            }
        }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

/// A text with its hash in front: a lost bit, or an edit of the file, must not change what is fuzzed.
fn seal(text: &str) -> String {
    format!("{}\n{text}", hash([text]))
}

/// The content of a sealed text, if its hash is right.
fn unseal(text: &str) -> Result<CompiledFile, String> {
    let (seal, text) = text.split_once('\n').ok_or("it has no hash")?;
    if hash([text]) != seal {
        return Err("its hash is not that of its text".to_owned());
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Removes old files, and then the least recently used ones until `most` bytes are left. Several servers may share the folder:
/// a file that another one still needs is only compiled again, and a file that cannot be removed stays.
fn prune(folder: &Path, keys: &BTreeSet<String>, now: SystemTime, most: u64) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    // Unfinished files of a process that was killed are among them: they are nobody's, and go with age like the rest.
    let kept = entries.filter_map(|entry| {
        let facts = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(StoredFile { path: entry.path(), bytes: facts.len(), used: facts.modified().ok()? })
    });
    let is_needed = |path: &Path| path.file_stem().is_some_and(|key| keys.contains(key.to_string_lossy().as_ref()));
    for path in forgotten::surplus(kept.collect(), now, most, is_needed) {
        if let Err(error) = std::fs::remove_file(&path) {
            tracing::debug!(path = %path.display(), %error, "an old compiled file stays");
        }
    }
}

/// A hash over parts, in which no two lists of parts look alike.
pub(crate) fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend((part.len() as u64).to_be_bytes());
        bytes.extend(part.as_bytes());
    }
    keccak256(bytes).to_string().trim_start_matches("0x").get(..32).unwrap_or_default().to_owned()
}

/// The folder of a project in the cache: its name, for people, and a hash of its path.
pub fn project_folder(cache: &Path, root: &Path) -> PathBuf {
    let name = root.file_name().map_or_else(|| "root".into(), |name| name.to_string_lossy().into_owned());
    cache.join("projects").join(tagged(&name, [root.to_string_lossy().as_ref()]))
}

/// The name of a folder of ours: one for people, and the beginning of a hash over parts, which tells apart what is called the same.
pub(crate) fn tagged<'a>(name: &str, parts: impl IntoIterator<Item = &'a str>) -> String {
    format!("{name}-{}", hash(parts).get(..12).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use forgotten::MIN_AGE;
    use std::time::Duration;

    #[test]
    fn parts_cannot_run_into_each_other() {
        assert_ne!(hash(["ab", "c"]), hash(["a", "bc"]));
    }

    #[test]
    fn what_is_old_or_too_much_goes_and_what_is_needed_or_new_stays() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let hours = |count: u32| Duration::from_secs(60 * 60) * count;
        for (name, age) in [
            ("needed.json", hours(9_000)),
            ("ancient.json", hours(9_000)),
            (".tmpLeft", hours(9_000)),
            ("old.json", hours(20)),
            ("recent.json", hours(10)),
            ("fresh.json", hours(0)),
        ] {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.set_len(100).unwrap();
            file.set_modified(now - age).unwrap();
        }
        let left = |most| {
            prune(folder.path(), &BTreeSet::from(["needed".to_owned()]), now, most);
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        assert_eq!(left(1000), ["fresh.json", "needed.json", "old.json", "recent.json"]);
        assert_eq!(left(250), ["fresh.json", "needed.json", "recent.json"], "first what was used longest ago");
        assert_eq!(left(0), ["fresh.json", "needed.json"]);
    }

    #[test]
    fn a_damaged_entry_is_absent() {
        let folder = tempfile::tempdir().unwrap();
        let file = CompiledFile { ids: BTreeMap::from([(7, "A.sol".to_owned())]), ..CompiledFile::default() };
        Cache::new(folder.path()).insert("k".to_owned(), file);
        let get = || Cache::new(folder.path()).get("k");
        assert_eq!(get().unwrap().ids[&7], "A.sol");
        let path = folder.path().join("build").join(FORMAT_VERSION).join("k.json");
        let whole = std::fs::read_to_string(&path).unwrap();
        for damaged in [
            whole.replace("\"7\"", "\"8\""),
            whole[..whole.len() / 2].to_owned(),
            whole.lines().nth(1).unwrap().to_owned(),
            String::new(),
        ] {
            assert_ne!(damaged, whole);
            std::fs::write(&path, &damaged).unwrap();
            assert!(get().is_none(), "{damaged}");
        }
    }

    #[test]
    fn what_an_older_version_kept_goes_once_it_is_not_used_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("vault-001122334455");
        let old = project.join("build/2");
        std::fs::create_dir_all(&old).unwrap();
        let used = std::fs::File::create(old.join("used.json")).unwrap();
        let unused = std::fs::File::create(old.join("unused.json")).unwrap();
        unused.set_len(100).unwrap();
        unused.set_modified(SystemTime::now() - MIN_AGE * 2).unwrap();
        Cache::new(&project).retain(&BTreeSet::new());
        assert!(old.join("used.json").exists() && !old.join("unused.json").exists(), "an older version may be running");
        used.set_len(100).unwrap();
        used.set_modified(SystemTime::now() - MIN_AGE * 2).unwrap();
        Cache::new(&project).retain(&BTreeSet::new());
        assert!(!old.exists());
    }
}
