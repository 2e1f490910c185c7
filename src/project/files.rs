//! The files of a project, and the [`FileRole`] of each. Roles follow from paths and names alone: no file is opened.

use std::{
    collections::{BTreeSet, VecDeque},
    fs,
    path::{Path, PathBuf},
};

use super::{
    exclude::Globs,
    model::{FileRole, Project},
    paths::{absolute, is_in_node_modules, slashed},
    root::{is_hidden, is_root},
};

/// The ending of the files of generated regression tests, which state what is known already.
const GENERATED: &str = ".bellwether.t.sol";

impl Project {
    /// The Solidity files whose contracts are fuzzed, absolute and sorted: those of `sources` without tests, scripts,
    /// dependencies, nested projects, hidden folders, build output, and what `exclude` matches. A file that `sources` names itself
    /// is there whatever it is called. Folders that cannot be read are passed over.
    pub fn files(&self) -> Vec<PathBuf> {
        self.files_of(&[FileRole::Contract], &self.sources)
    }

    /// The same, and after them the Solidity files with tests, of the sources and of the folders for tests, without what
    /// [`files`](Self::files) passes over, too.
    pub fn files_and_tests(&self) -> Vec<PathBuf> {
        let folders: Vec<PathBuf> = self.sources.iter().chain(&self.test_folders).cloned().collect();
        self.files_of(&[FileRole::Contract, FileRole::Test], &folders)
    }

    /// The files with these roles, in the order of the roles.
    fn files_of(&self, roles: &[FileRole], folders: &[PathBuf]) -> Vec<PathBuf> {
        let excludes = self.excludes();
        let is_generated = |file: &PathBuf| file.to_string_lossy().ends_with(GENERATED);
        let wanted = self.solidity_files(folders).into_iter().filter_map(|file| {
            let role = self.role_of(&file);
            let place = roles.iter().position(|wanted| *wanted == role)?;
            (!is_generated(&file) && !excludes.matches(&self.relative(&file))).then_some((place, file))
        });
        let mut files: Vec<(usize, PathBuf)> = wanted.collect();
        files.sort();
        files.dedup();
        files.into_iter().map(|(_, file)| file).collect()
    }

    /// The part that a file plays; it need not exist.
    ///
    /// Of the folders that contain it, the innermost decides; one that is listed as source and as something else is source, and
    /// then the name's ending tells (`.t.sol` a test, `.s.sol` a script). Everything that is compiled only where it is imported
    /// counts as a dependency, also the files of a project nested in this one.
    pub fn role(&self, file: &Path) -> FileRole {
        let file = self.inside(file);
        let is_nested = || {
            let folders = file.ancestors().skip(1);
            folders.take_while(|folder| *folder != self.root && folder.starts_with(&self.root)).any(is_root)
        };
        if self.sources.contains(&file) {
            FileRole::Contract
        } else if is_nested() {
            FileRole::Dependency
        } else {
            self.role_of(&file)
        }
    }

    /// Whether the setting `exclude` keeps the file's contracts from being fuzzed.
    pub fn excluded(&self, file: &Path) -> bool {
        self.excludes().matches(&self.relative(file))
    }

    /// The file's path from the root, with forward slashes on every system; the whole path for a file outside of the root.
    pub fn relative(&self, file: &Path) -> String {
        let file = self.inside(file);
        slashed(file.strip_prefix(&self.root).unwrap_or(&file))
    }

    fn excludes(&self) -> Globs {
        Globs::new(self.config.exclude.as_deref().unwrap_or_default())
    }

    /// The absolute path in the root's own spelling, where it leads through symbolic links to a place in the root.
    fn inside(&self, file: &Path) -> PathBuf {
        let file = absolute(file);
        if file.starts_with(&self.root) {
            return file;
        }
        let folder_and_name = || {
            let (folder, root) = (fs::canonicalize(file.parent()?).ok()?, fs::canonicalize(&self.root).ok()?);
            Some(self.root.join(folder.strip_prefix(root).ok()?).join(file.file_name()?))
        };
        folder_and_name().unwrap_or(file)
    }

    /// The role by folders and name, nested projects aside.
    fn role_of(&self, file: &Path) -> FileRole {
        if self.sources.iter().any(|source| source == file) {
            return FileRole::Contract;
        }
        let folders = [
            (FileRole::Contract, &self.sources[..]),
            (FileRole::Test, &self.test_folders),
            (FileRole::Script, self.scripts.as_slice()),
            (FileRole::Dependency, &self.libraries),
            (FileRole::Dependency, &self.outputs),
        ];
        // Of equally deep ones the first in this order.
        let innermost = folders
            .iter()
            .flat_map(|(role, folders)| folders.iter().map(move |folder| (*role, folder)))
            .filter(|(_, folder)| file.starts_with(folder))
            .rev()
            .max_by_key(|(_, folder)| folder.components().count());
        let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        match innermost {
            Some((role, folder)) if file.strip_prefix(folder).is_ok_and(|below| !is_in_node_modules(below)) => {
                match role {
                    FileRole::Contract | FileRole::Test | FileRole::Script if name.ends_with(".t.sol") => {
                        FileRole::Test
                    }
                    FileRole::Contract | FileRole::Test | FileRole::Script if name.ends_with(".s.sol") => {
                        FileRole::Script
                    }
                    role => role,
                }
            }
            _ => FileRole::Dependency,
        }
    }

    /// Every `.sol` file in these folders, each visited once.
    fn solidity_files(&self, folders: &[PathBuf]) -> Vec<PathBuf> {
        let real_root = fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        let mut files = Vec::new();
        let mut visited = BTreeSet::new();
        let mut open: VecDeque<PathBuf> = folders.iter().cloned().collect();
        // Folders that are reached by links come last, so that a file that is there twice keeps its real name.
        let mut linked = VecDeque::new();
        while let Some(folder) = open.pop_front().or_else(|| linked.pop_front()) {
            if folder.is_file() {
                files.push(folder);
                continue;
            }
            let Ok(real) = fs::canonicalize(&folder) else {
                continue;
            };
            if !visited.insert(real) {
                continue;
            }
            let mut entries: Vec<_> = fs::read_dir(&folder).into_iter().flatten().flatten().collect();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let path = entry.path();
                let Ok(kind) = fs::metadata(&path) else {
                    continue;
                };
                if is_hidden(&path) {
                    continue;
                } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "sol") {
                    files.push(path);
                } else if kind.is_dir() && !self.is_closed(&path) {
                    if !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                        open.push_back(path);
                    } else if fs::canonicalize(&path).is_ok_and(|real| !real_root.starts_with(real)) {
                        // A link to a folder around the root would bring in everything.
                        linked.push_back(path);
                    }
                }
            }
        }
        files
    }

    /// Whether a folder below the sources contains nothing of this project.
    fn is_closed(&self, folder: &Path) -> bool {
        let is_other = self.libraries.iter().chain(&self.outputs).any(|other| other == folder);
        let is_source = self.sources.iter().any(|source| source == folder);
        !is_source && (is_other || folder.ends_with("node_modules") || is_root(folder))
    }
}

#[cfg(test)]
mod tests;
