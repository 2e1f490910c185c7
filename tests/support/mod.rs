//! What several integration tests need: where fixtures are, a campaign that is run to its end, and the real forge.

#![allow(dead_code, reason = "each test uses a part")]

pub mod campaign;
pub mod edit;
pub mod files;
pub mod forge;
pub mod npm;
pub mod poll;
pub mod redact;
pub mod running;
pub mod sandbox;
pub mod slow;
pub mod solidity_tests;
pub mod token;
pub mod told;

use std::path::{Path, PathBuf};

/// `fixtures/NAME`.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// Every project in `fixtures/`.
pub fn projects() -> Vec<PathBuf> {
    let mut roots: Vec<_> = std::fs::read_dir(fixture(""))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    roots.sort();
    assert!(!roots.is_empty());
    roots
}
