//! A seed where none was given.

use std::hash::{BuildHasher, RandomState};

/// Another one each time: the standard library seeds its hash maps from the system. 48 bits, which any reader of our JSON
/// holds exactly.
pub(crate) fn any_seed() -> u64 {
    RandomState::new().hash_one(0) >> 16
}
