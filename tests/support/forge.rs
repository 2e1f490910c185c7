//! The real forge, from its npm package, with the compilers that the engine has. Both are kept between runs, in
//! `BELLWETHER_TEST_CACHE` or else the platform's cache folder:
//!
//! ```text
//! <cache>/
//!   forge-1.7.1/                     the npm package
//!   home-0.8.37/.svm/0.8.37/         a home folder for forge, with an executable for each compiler
//! ```

use bellwether::{
    compile::{Compiler, default_cache},
    project::Project,
};
pub use cache::{cache, lock};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

#[path = "cache.rs"]
mod cache;

/// The release that tests run with.
const FORGE: &str = "1.7.1";

/// What `forge test` came to.
#[derive(Debug)]
pub struct ForgeOutcome {
    /// Tests that passed, as `Contract::test`, sorted.
    pub passed: Vec<String>,
    /// Tests that failed, with the reason, sorted.
    pub failed: Vec<(String, String)>,
    /// All that was printed.
    pub output: String,
}

/// Runs `forge test` in a project, offline, with these releases of solc and no other. Its configuration stays as it is.
pub fn forge_test(root: &Path, solc: &[&str], options: &[&str]) -> ForgeOutcome {
    let mut command = forge_command(root, solc);
    let output = command.args(["test", "--color", "never"]).args(options).output().unwrap();
    let output = [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat();
    let (mut suite, mut passed, mut failed) = (String::new(), Vec::new(), Vec::new());
    for line in output.lines().take_while(|line| *line != "Failing tests:") {
        if let Some((_, contract)) = line.strip_prefix("Ran ").and_then(|line| line.rsplit_once(':')) {
            suite = contract.to_owned();
        }
        let test = |text: &str| format!("{suite}::{}", text.split('(').next().unwrap_or_default());
        if let Some(text) = line.strip_prefix("[PASS] ") {
            passed.push(test(text));
        } else if let Some((reason, text)) = line.strip_prefix("[FAIL").and_then(|line| line.rsplit_once("] ")) {
            failed.push((test(text), reason.trim_start_matches(": ").to_owned()));
        }
    }
    passed.sort();
    failed.sort();
    ForgeOutcome { passed, failed, output }
}

/// What `forge fmt` would change in a file; nothing if it is as it should be.
pub fn forge_fmt(file: &Path) -> String {
    let mut command = forge_command(file.parent().unwrap(), &[]);
    let output = command.args(["fmt", "--check", "--color", "never"]).arg(file).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Forge in a project, offline, with these releases of solc and no other.
pub fn forge_command(root: &Path, solc: &[&str]) -> Command {
    let home = cache().join(format!("home-{}", solc.join("-")));
    for version in solc {
        let text = format!("#!/bin/sh\nexec '{}' \"$@\"\n", solc_executable(version).display());
        provide_script(&home.join(".svm").join(version).join(format!("solc-{version}")), &text);
    }
    let mut command = Command::new(forge());
    command.current_dir(root).env("HOME", &home).env("FOUNDRY_OFFLINE", "true").env_remove("FOUNDRY_PROFILE");
    command
}

/// The executable of forge. Fetched the first time.
pub fn forge() -> PathBuf {
    let folder = cache().join(format!("forge-{FORGE}"));
    let _lock = lock("forge");
    if !folder.is_dir() {
        let staging = tempfile::tempdir_in(cache()).unwrap();
        std::fs::write(staging.path().join("package.json"), "{\"private\":true}").unwrap();
        // The package's own script would fetch what npm has fetched already: one optional dependency for each platform.
        let output = Command::new("npm")
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"])
            .arg(format!("@foundry-rs/forge@{FORGE}"))
            .current_dir(staging.path())
            .output()
            .expect("npm is needed to fetch forge");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::rename(staging.keep(), &folder).unwrap();
    }
    let packages = std::fs::read_dir(folder.join("node_modules/@foundry-rs")).unwrap();
    let executable = packages.map(|entry| entry.unwrap().path().join("bin/forge")).find(|path| path.is_file());
    executable.expect("npm has a forge for this platform")
}

/// An executable that is this release of solc: the one that the engine finds, native or an npm package.
pub fn solc_executable(version: &str) -> PathBuf {
    let native = svm::version_binary(version);
    let package = default_cache().join("solc").join(version).join("node_modules/solc");
    if !native.is_file() && !package.join("package.json").is_file() {
        fetch(version);
    }
    if native.is_file() {
        return native;
    }
    // The server's tests use this file as well, from one folder further down.
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let script =
        folders.map(|folder| folder.join("src/compile/solc_worker.js")).find(|script| script.is_file()).unwrap();
    let executable = cache().join("solc").join(version);
    provide_script(
        &executable,
        &format!("#!/bin/sh\nexec node '{}' '{}' \"$@\"\n", script.display(), package.display()),
    );
    executable
}

/// Has the engine fetch a compiler.
fn fetch(version: &str) {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("A.sol"), format!("pragma solidity ={version};\n")).unwrap();
    let build = Compiler::new(&default_cache(), root.path(), true).build(&Project::load(root.path()).unwrap());
    assert!(!build.has_errors(), "{:?}", build.diagnostics);
}

/// Writes an executable, unless it is there: moved into place, so that nobody runs one that is still open for writing.
fn provide_script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let _lock = lock("scripts");
    if std::fs::read_to_string(path).is_ok_and(|present| present == text) {
        return;
    }
    let folder = path.parent().unwrap();
    std::fs::create_dir_all(folder).unwrap();
    let file = tempfile::NamedTempFile::new_in(folder).unwrap().into_temp_path();
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file.persist(path).unwrap();
}
