//! A [`PushedWord`] is the word that a PUSH instruction puts on the stack, without what moves at every edit: a jump destination is a block,
//! whatever its offset.

use alloy_primitives::U256;

/// A pushed word, by what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PushedWord {
    Constant(U256),
    Block,
    /// An offset or a length of data behind the code.
    Data,
    /// A constant that the compiler keeps behind the code.
    Kept(u64),
    /// An immutable, by its source text.
    Immutable(u64),
    /// The offset to which the constructor writes an immutable.
    Hole,
    Library(u64),
}
