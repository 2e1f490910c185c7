//! What is below a folder.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// All files below a folder, in order; none where there is no folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// The texts of all files below a folder.
pub fn texts(folder: &Path) -> BTreeMap<PathBuf, String> {
    files(folder).into_iter().map(|file| (file.clone(), std::fs::read_to_string(file).unwrap())).collect()
}
