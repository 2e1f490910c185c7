//! A [`Tree`] is a folder of files for a test, written from one text: `//- path` begins a file, `//- path/` makes a folder,
//! `//- path -> target` a symbolic link.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::paths::{clean, slashed};

/// A temporary folder; gone when dropped.
pub(super) struct Tree(tempfile::TempDir);

impl Tree {
    /// Writes the files. The folder is a git work tree, so that nothing above it plays a part.
    pub(super) fn new(text: &str) -> Self {
        let tree = Self::without_git(text);
        fs::create_dir_all(tree.path(".git")).unwrap();
        tree
    }

    /// Writes the files, in a folder that is no git work tree.
    pub(super) fn without_git(text: &str) -> Self {
        let tree = Self(tempfile::Builder::new().prefix("tree").tempdir().unwrap());
        for entry in format!("\n{text}").split("\n//- ").skip(1) {
            let (name, content) = entry.split_once('\n').unwrap_or((entry, ""));
            let name = name.trim();
            if let Some((link, target)) = name.split_once(" -> ") {
                tree.make_parent(link);
                link_to(target, &tree.path(link));
            } else if name.ends_with('/') {
                fs::create_dir_all(tree.path(name)).unwrap();
            } else {
                tree.make_parent(name);
                fs::write(tree.path(name), content).unwrap();
            }
        }
        tree
    }

    /// The folder itself.
    pub(super) fn root(&self) -> &Path {
        self.0.path()
    }

    /// The absolute path of something in it.
    pub(super) fn path(&self, relative: &str) -> PathBuf {
        let path = self.0.path().join(relative);
        // Keeps dots for tests that are about them.
        if relative.contains("..") { path } else { clean(&path) }
    }

    /// Paths as a test shows them: relative to the tree, with forward slashes.
    pub(super) fn show<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Vec<String> {
        let root = self.root();
        paths.into_iter().map(|path| slashed(path.strip_prefix(root).unwrap_or(path))).collect()
    }

    fn make_parent(&self, relative: &str) {
        fs::create_dir_all(self.path(relative).parent().unwrap()).unwrap();
    }
}

#[cfg(unix)]
fn link_to(target: &str, link: &Path) {
    std::os::unix::fs::symlink(target, link).unwrap();
}

#[cfg(not(unix))]
fn link_to(_: &str, link: &Path) {
    panic!("{}: links are for tests on unix", link.display());
}
