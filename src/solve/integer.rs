//! An [`Integer`] is a number of the exact arithmetic: it has a sign and does not wrap.

use alloy_primitives::aliases::I512;

/// A signed number of 512 bits, wide enough for a word times a word.
pub type Integer = I512;
