//! Packages from the npm registry, at fixed versions. Nothing of a package is executed.

use std::{fs, path::Path, process::Command};

/// Installs packages into the `node_modules` of a folder.
///
/// # Panics
///
/// If npm is missing, or cannot fetch one of them.
pub fn install<'a>(packages: impl IntoIterator<Item = &'a str>, folder: &Path) {
    fs::write(folder.join("package.json"), "{\"private\":true}").expect("the cache is writable");
    let output = Command::new("npm")
        .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--legacy-peer-deps"])
        .arg("--loglevel=error")
        .args(packages)
        .current_dir(folder)
        .output()
        .expect("npm is needed to fetch the packages");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
