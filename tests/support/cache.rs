//! Where tests keep what they fetch: `BELLWETHER_TEST_CACHE`, or else a folder in the platform's cache folder.

use bellwether::compile::default_cache;
use std::{fs::File, path::PathBuf};

/// The folder.
pub fn cache() -> PathBuf {
    let cache = std::env::var_os("BELLWETHER_TEST_CACHE").map_or_else(|| default_cache().join("tests"), PathBuf::from);
    std::fs::create_dir_all(&cache).unwrap();
    cache
}

/// Waits for its turn among all processes that test; its turn ends with the value.
pub fn lock(name: &str) -> File {
    let file = File::create(cache().join(format!("{name}.lock"))).unwrap();
    file.lock().unwrap();
    file
}
