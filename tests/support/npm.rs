//! Packages from npm that tests compile, at fixed versions, each in a folder of its own in the cache of tests. Nothing of a package is
//! executed.

use super::forge::{cache, lock};
use std::{path::PathBuf, process::Command};

/// The folder of a package such as `solady@0.1.26`. Fetched the first time.
pub fn package(pin: &str) -> PathBuf {
    let at = pin.rfind('@').filter(|at| *at > 0).unwrap();
    let folder = cache().join("npm").join(pin.trim_start_matches('@').replace(['/', '@'], "-"));
    let _lock = lock("npm");
    if !folder.is_dir() {
        std::fs::create_dir_all(folder.parent().unwrap()).unwrap();
        let staging = tempfile::tempdir_in(folder.parent().unwrap()).unwrap();
        std::fs::write(staging.path().join("package.json"), "{\"private\":true}").unwrap();
        let output = Command::new("npm")
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--legacy-peer-deps"])
            .args(["--loglevel=error", pin])
            .current_dir(staging.path())
            .output()
            .expect("npm is needed to fetch packages");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::rename(staging.keep(), &folder).unwrap();
    }
    folder.join("node_modules").join(&pin[..at])
}
