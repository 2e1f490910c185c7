//! The stand-in: a contract that answers any call with what was chosen for it. Its code is compiled once and kept with its source,
//! `stand_in.sol`; a test compiles the source again.

use alloy_primitives::{Bytes, hex};

/// Its source.
pub const SOURCE: &str = include_str!("stand_in.sol");

/// Its creation code, as solc 0.8.30 makes it for Byzantium with 200 optimizer runs and without metadata.
const CREATION: &str = include_str!("stand_in.hex");

/// Its creation code.
///
/// # Panics
///
/// Never: the file holds hexadecimal digits.
pub fn creation() -> Bytes {
    hex::decode(CREATION.trim()).expect("hexadecimal digits").into()
}
