//! Cleans the cache folder: removes files that were not used for long or that there is no room for, compiled files in older
//! formats, and everything of projects that were not opened for long. A user may have named a folder with files of their own,
//! so only files of our names in folders of our names are removed, and empty folders.

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// Levels of folders between a project's folder and a file of ours, at most, as in `archive/1/Vault-3f2a9c01d4e5/corpus/`.
const MAX_FOLDER_DEPTH: usize = 4;

/// Files that were not used for this long are removed; chosen by hand.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Younger files are kept: another server may have just written them, and still use them. Chosen by hand.
pub(super) const MIN_AGE: Duration = Duration::from_secs(60 * 60);

/// A stored file.
#[derive(Debug)]
pub(crate) struct StoredFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    /// The time at which it was written, or last used.
    pub(crate) used: SystemTime,
}

/// The files to remove: those that were not used for long, then the least recently used ones until `most` bytes are left.
/// Needed and young files stay.
pub(crate) fn surplus(
    mut files: Vec<StoredFile>,
    now: SystemTime,
    most: u64,
    is_needed: impl Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    files.sort_by(|a, b| (b.used, &a.path).cmp(&(a.used, &b.path)));
    let mut left = 0;
    let mut goes = |file: &StoredFile| {
        let age = now.duration_since(file.used).unwrap_or_default();
        let stays = is_needed(&file.path) || age < MIN_AGE || (age <= MAX_AGE && left + file.bytes <= most);
        left += if stays { file.bytes } else { 0 };
        !stays
    };
    files.into_iter().filter(|file| goes(file)).map(|file| file.path).collect()
}

/// Removes everything of projects of which nothing was used for long, except `own`.
pub(super) fn remove_projects(projects: &Path, own: &Path, now: SystemTime) {
    for folder in folders(projects).filter(|folder| folder != own && is_project(folder)) {
        let mut found = Listing::default();
        for part in ["build", "archive"] {
            let forms = folders(&folder.join(part)).filter(|form| number(form).is_some());
            forms.for_each(|form| found.search(form, MAX_FOLDER_DEPTH - 2));
            found.folders.push(folder.join(part));
        }
        found.folders.push(folder);
        let used =
            found.files.iter().chain(&found.folders).filter_map(|path| path.metadata().ok()?.modified().ok()).max();
        if used.is_some_and(|used| now.duration_since(used).is_ok_and(|age| age > MAX_AGE)) {
            found.remove();
        }
    }
}

/// The folders in `build` with older formats.
pub(super) fn older_formats(build: &Path, shape: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let own = shape.parse::<u32>().unwrap_or(0);
    folders(build).filter(move |folder| number(folder).is_some_and(|number| number < own))
}

/// Files of ours, and the folders around them, the innermost first.
#[derive(Default)]
struct Listing {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Listing {
    fn search(&mut self, folder: PathBuf, depth: usize) {
        if depth > 0 {
            folders(&folder).for_each(|inside| self.search(inside, depth - 1));
        }
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        self.files.extend(files.map(|entry| entry.path()).filter(|path| is_ours(path)));
        self.folders.push(folder);
    }

    fn remove(&self) {
        for file in &self.files {
            if let Err(error) = std::fs::remove_file(file) {
                tracing::debug!(path = %file.display(), %error, "an old file stays");
            }
        }
        // Fails where there is something else.
        self.folders.iter().for_each(|folder| drop(std::fs::remove_dir(folder)));
    }
}

/// The folders in a folder; none if it does not exist. Links are not followed.
pub(crate) fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path())
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn number(folder: &Path) -> Option<u32> {
    name(folder).parse().ok()
}

/// `vault-3f2a9c01d4e5`.
fn is_project(folder: &Path) -> bool {
    name(folder).rsplit_once('-').is_some_and(|(_, tag)| tag.len() == 12 && is_hex(tag))
}

/// `<hash>.json`, or one that was never finished.
fn is_ours(file: &Path) -> bool {
    let name = name(file);
    name.strip_suffix(".json").is_some_and(|key| key.len() == 32 && is_hex(key)) || name.starts_with(".tmp")
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    const HASH: &str = "00112233445566778899aabbccddeeff";

    #[test]
    fn projects_that_nobody_opens_go_and_files_of_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let entry = format!("archive/1/A-001122334455/corpus/{HASH}.json");
        let compiled = format!("build/3/{HASH}.json");
        for (project, file) in [
            ("own-000000000000", compiled.as_str()),
            ("old-111111111111", &compiled),
            ("old-111111111111", &entry),
            ("old-111111111111", "build/2/.tmpHalf"),
            ("used-222222222222", &compiled),
            ("used-222222222222", &entry),
            ("mine", &compiled),
            ("mixed-333333333333", &compiled),
            ("mixed-333333333333", "build/3/notes.json"),
            ("mixed-333333333333", "build/out/A.json"),
        ] {
            let path = folder.path().join(project).join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        // All was made today; one file is used once more in ten days.
        let used =
            std::fs::File::options().append(true).open(folder.path().join("used-222222222222").join(&entry)).unwrap();
        used.set_modified(now + DAY * 10).unwrap();
        let own = folder.path().join("own-000000000000");
        let left_after = |days| {
            remove_projects(folder.path(), &own, now + DAY * days);
            let there = folders(folder.path()).map(|path| name(&path).split('-').next().unwrap().to_owned());
            there.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(left_after(29), "mine mixed old own used");
        assert_eq!(left_after(31), "mine mixed own used");
        let mixed = folder.path().join("mixed-333333333333/build");
        assert!(mixed.join("3/notes.json").exists() && mixed.join("out/A.json").exists());
        assert!(!mixed.join("3").join(format!("{HASH}.json")).exists());
        assert_eq!(left_after(41), "mine mixed own");
        assert!(folder.path().join("mine").join(compiled).exists());
    }

    #[test]
    fn only_older_shapes_are_older() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["1", "2", "3", "4", "old", "2a"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let older: BTreeSet<_> = older_formats(folder.path(), "3").map(|path| name(&path).to_owned()).collect();
        assert_eq!(older, BTreeSet::from(["1".to_owned(), "2".to_owned()]));
    }
}
