//! What was compiled, by content: one [`CompiledFile`] for each source under a key that covers compiler, settings and
//! the text of all it imports. A file that did not change is never compiled twice, and keeps its warnings.

use super::{Ast, Diagnostic};
use alloy_primitives::keccak256;
use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// What one source gave.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CompiledFile {
    /// The source names behind the file ids of the source maps.
    pub(super) ids: BTreeMap<u32, String>,
    /// The syntax tree.
    pub(super) ast: Arc<Ast>,
    /// The compiler's output for each contract, if code was asked for.
    pub(super) contracts: BTreeMap<String, Value>,
    /// Warnings.
    pub(super) warnings: Vec<Diagnostic>,
    /// The compiler.
    pub(super) solc: Version,
}

/// Compiled files in memory and, where it can be written, on disk:
///
/// ```text
/// <folder>/
///   <key>.json    one CompiledFile
/// ```
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    files: BTreeMap<String, Arc<CompiledFile>>,
    complained: bool,
}

impl Cache {
    pub(super) fn new(folder: PathBuf) -> Self {
        super::toolchain::sweep(&folder);
        Self { folder, files: BTreeMap::new(), complained: false }
    }

    /// The file under this key. A damaged entry counts as absent.
    pub(super) fn get(&mut self, key: &str) -> Option<Arc<CompiledFile>> {
        if let Some(file) = self.files.get(key) {
            return Some(file.clone());
        }
        let text = std::fs::read_to_string(self.path(key)).ok()?;
        match serde_json::from_str::<CompiledFile>(&text) {
            Ok(file) => {
                let file = Arc::new(file);
                self.files.insert(key.to_owned(), file.clone());
                Some(file)
            }
            Err(error) => {
                tracing::warn!(%key, %error, "a compiled file in the cache is damaged; it is compiled anew");
                None
            }
        }
    }

    pub(super) fn insert(&mut self, key: String, file: CompiledFile) -> Arc<CompiledFile> {
        if let Ok(text) = serde_json::to_string(&file)
            && let Err(error) = super::toolchain::write_atomically(&self.path(&key), &text)
            && !std::mem::replace(&mut self.complained, true)
        {
            tracing::warn!(folder = %self.folder.display(), %error, "the cache cannot be written; memory serves instead");
        }
        let file = Arc::new(file);
        self.files.insert(key, file.clone());
        file
    }

    /// Forgets what no key names, in memory; on disk it stays for the day an edit is undone.
    pub(super) fn retain(&mut self, keys: &std::collections::BTreeSet<String>) {
        self.files.retain(|key, _| keys.contains(key));
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

/// A hash over parts, in which no two lists of parts look alike.
pub(super) fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
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
    let tag = hash([root.to_string_lossy().as_ref()]);
    cache.join("projects").join(format!("{name}-{}", tag.get(..12).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cannot_run_into_each_other() {
        assert_ne!(hash(["ab", "c"]), hash(["a", "bc"]));
    }

    #[test]
    fn a_damaged_entry_is_absent() {
        let folder = tempfile::tempdir().unwrap();
        let file = CompiledFile {
            ids: BTreeMap::from([(0, "A.sol".to_owned())]),
            ast: Arc::default(),
            contracts: BTreeMap::new(),
            warnings: Vec::new(),
            solc: Version::new(0, 8, 30),
        };
        Cache::new(folder.path().to_owned()).insert("k".to_owned(), file);
        assert_eq!(Cache::new(folder.path().to_owned()).get("k").unwrap().ids[&0], "A.sol");
        std::fs::write(folder.path().join("k.json"), "{\"ids\":").unwrap();
        assert!(Cache::new(folder.path().to_owned()).get("k").is_none());
    }
}
