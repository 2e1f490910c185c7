//! Contracts of npm packages.

/// Nothing yet.
pub fn compare(_seeds: u64) {}
