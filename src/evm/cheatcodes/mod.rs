//! `cheatcodes` are the functions of Foundry's test account that the engine runs itself: one file a family, each with its part of the table
//! (`table.rs`). They are dispatched where frames open (`opened.rs`), and what they leave for the end of a call is done where frames close
//! (`closed.rs`). What they keep is in `cheats/`.

mod accounts;
mod arguments;
mod assert;
mod assert_near;
mod block;
mod cheatcode;
mod closed;
mod console;
mod contracts;
mod document;
mod env;
mod error;
mod expect_call;
mod expect_emit;
mod expect_revert;
mod gas;
mod interface;
mod journal;
mod keys;
mod mnemonic;
mod mock;
mod opened;
mod prank;
mod random;
mod record;
mod returns;
mod snapshots;
mod structs;
mod table;
mod text;
mod transaction;
mod unsupported;
mod versions;

pub use cheatcode::{CheatFamily, Cheatcode, Support};
pub(super) use closed::{Ending, close, enter};
pub use document::document;
pub(super) use error::revert;
pub use interface::interface;
pub(super) use opened::{MissingCheatcode, Opened, open};
pub(super) use snapshots::moment;
pub use table::{FAMILIES, all};
pub(super) use transaction::begin;
