//! Makes a project of a package: its own sources are the project's, laid out as in the package, and what they import is in
//! `node_modules` beside them. Only Solidity files and manifests are kept; of the manifest, the release of solc that the
//! package's authors used is a hint for the compiler. Projects stay in the cache folder between runs.

use crate::{
    list::{EDITION, Package},
    support::{npm, report::say},
};
use bellwether::compile::default_cache;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The root of the package's project, which is made the first time.
pub fn project_of(package: &Package) -> PathBuf {
    let name = package.pin.trim_start_matches('@').replace(['/', '@'], "-");
    let folder = default_cache().join("benches").join(EDITION).join(name);
    if !folder.is_dir() {
        say(&format!("{}: installing", package.pin));
        let parent = folder.parent().expect("it is in the cache");
        fs::create_dir_all(parent).expect("the cache is writable");
        let installed = tempfile::tempdir_in(parent).expect("the cache is writable");
        npm::install(package.beside.iter().copied().chain([package.pin]), installed.path());
        let modules = installed.path().join("node_modules");
        let made = tempfile::tempdir_in(parent).expect("the cache is writable");
        copy(&modules, &made.path().join("node_modules"));
        copy(&modules.join(package.name()), made.path());
        fs::rename(made.keep(), &folder).expect("the cache is writable");
    }
    folder
}

/// Copies the Solidity files and manifests of a folder. Links, such as those to executables, are left out.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("npm has made it").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().expect("npm has made it");
        let is_kept = path.extension().is_some_and(|extension| extension == "sol") || path.ends_with("package.json");
        if kind.is_dir() {
            copy(&path, &target);
        } else if kind.is_file() && is_kept {
            fs::create_dir_all(to).expect("the cache is writable");
            fs::copy(&path, &target).expect("the cache is writable");
        }
    }
}
