//! Packages from PyPI that tests run, at fixed versions, each in an environment of its own in the cache of tests.

use super::cache::{cache, lock};
use std::{path::PathBuf, process::Command};

/// The folder of executables of a package such as `moto[server]==5.2.5`. Fetched the first time.
pub fn executables(pin: &str) -> PathBuf {
    let folder = cache().join("pypi").join(pin.replace("==", "-").replace(['[', ']'], "-"));
    let _lock = lock("pypi");
    // An environment cannot be moved once it is made, so it is there when it is complete.
    let complete = folder.join("complete");
    if !complete.exists() {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.parent().unwrap()).unwrap();
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder));
        run(Command::new(folder.join("bin/pip")).args(["install", "--quiet", pin]));
        std::fs::write(complete, "").unwrap();
    }
    folder.join("bin")
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
