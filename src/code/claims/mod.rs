//! A [`ProgramClaims`] is what the code of a program says of slots: the structs that pointers put somewhere, and what assembly stores
//! under a constant or a number, beside the variables of the contract. [`Contests`] are the slots that two of them have, with the
//! instructions that may write there: of a program in which all keep apart, nothing is noted when it runs. Nothing is run here.

mod contest;
mod owner;
mod reader;
mod scope;
mod watch;

pub use contest::Contests;
pub use owner::{Namespace, OwnerKind, ProgramClaims, RawSlot, SlotOwner};
pub use scope::StatedSlot;
pub use watch::{HashedSlot, SlotWatch, derivation_of};
