//! A [`NeededCompiler`] is a compiler that files of a project want, with where it is. It is looked up only: nothing is started, fetched
//! or compiled.

use super::fetch::package_folder;
use semver::Version;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// A compiler that files of a project want.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeededCompiler {
    /// Which.
    pub wanted: WantedCompiler,
    /// The files that want it, by their names.
    pub files: Vec<String>,
    /// Where it is kept; none if it is in neither of the folders in which compilers are kept.
    pub kept: Option<PathBuf>,
}

/// Which compiler is wanted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum WantedCompiler {
    /// A release: the first that is tried.
    Release(Version),
    /// An executable that the settings name.
    Executable(PathBuf),
    /// One that does not exist: no release meets all of these pragmas and settings.
    Impossible(String),
}

/// Gathers the compilers that files want, each file by its name. Compilers that were fetched from npm are kept in `packages`.
pub(super) fn gather(
    files: impl IntoIterator<Item = (WantedCompiler, String)>,
    packages: &Path,
) -> Vec<NeededCompiler> {
    let mut gathered: BTreeMap<WantedCompiler, Vec<String>> = BTreeMap::new();
    for (wanted, file) in files {
        gathered.entry(wanted).or_default().push(file);
    }
    let needed = |(wanted, files): (WantedCompiler, Vec<String>)| {
        let kept = match &wanted {
            WantedCompiler::Release(version) => kept(version, packages),
            WantedCompiler::Executable(path) => path.is_file().then(|| path.clone()),
            WantedCompiler::Impossible(_) => None,
        };
        NeededCompiler { wanted, files, kept }
    };
    gathered.into_iter().map(needed).collect()
}

/// Where a release is kept: by svm, or as a package in our cache.
fn kept(version: &Version, packages: &Path) -> Option<PathBuf> {
    let native = svm::version_binary(&version.to_string());
    let package = package_folder(packages, version);
    if native.is_file() { Some(native) } else { package.join("package.json").is_file().then_some(package) }
}
