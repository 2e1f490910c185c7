//! A project as large as real ones: contracts of our own on top of three libraries from npm, at fixed versions, kept in the cache
//! folder between runs.

use crate::{
    client::project::Project,
    saves::{Edit, MARK},
};
use bellwether::compile::default_cache;
use std::{path::PathBuf, process::Command};

/// The libraries. The folder they are kept in is named after [`EDITION`]: change both.
const PACKAGES: [&str; 3] = ["@openzeppelin/contracts@5.4.0", "solady@0.1.26", "solmate@6.8.0"];
const EDITION: &str = "libraries-1";

/// Our own contracts.
const CONTRACTS: [(&str, &str); 6] = [
    ("Treasury", include_str!("large/Treasury.sol")),
    ("Reserve", include_str!("large/Reserve.sol")),
    ("Assembly", include_str!("large/Assembly.sol")),
    ("Badges", include_str!("large/Badges.sol")),
    ("Points", include_str!("large/Points.sol")),
    ("Shares", include_str!("large/Shares.sol")),
];

/// `Treasury` lends nothing while it is paused: `pause()` by its owner, `lend(0)`.
pub(crate) const EDIT: Edit = Edit {
    file: "contracts/Treasury.sol",
    sound: "        _requireNotPaused();",
    defective: "        // _requireNotPaused();",
};

/// The project, on its own; the libraries are copied, since the server follows no link out of a folder that it was not told to trust.
pub(crate) fn project() -> Project {
    let project = Project::files(&[("hardhat.config.js", "module.exports = { solidity: \"0.8.37\" };\n")]);
    for (name, text) in CONTRACTS {
        project.write(&format!("contracts/{name}.sol"), &format!("{text}{MARK}0\n"));
    }
    project.add_copy(&libraries().join("node_modules"), "node_modules");
    project
}

/// The folder with the libraries, fetched the first time.
fn libraries() -> PathBuf {
    let folder = default_cache().join("benches").join(EDITION);
    if !folder.is_dir() {
        let parent = folder.parent().expect("it is in the cache");
        std::fs::create_dir_all(parent).expect("the cache is writable");
        let staging = tempfile::tempdir_in(parent).expect("the cache is writable");
        std::fs::write(staging.path().join("package.json"), "{\"private\":true}").expect("the cache is writable");
        let output = Command::new("npm")
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"])
            .args(PACKAGES)
            .current_dir(staging.path())
            .output()
            .expect("npm is needed to fetch the libraries");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::rename(staging.keep(), &folder).expect("the cache is writable");
    }
    folder
}
