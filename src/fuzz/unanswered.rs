//! An [`Unanswered`] call is one that might go on otherwise if somebody in it were a contract.

use crate::{corpus::State, input::Transaction};
use alloy_primitives::Address;
use std::sync::Arc;

/// A call in which a person without code is paid, called by a function, or asked for code.
#[derive(Debug)]
pub(super) struct Unanswered {
    /// The state before it.
    pub(super) state: Arc<State>,
    /// The call.
    pub(super) transaction: Transaction,
    /// The person.
    pub(super) person: Address,
    /// Whether it ends otherwise if the person has code.
    pub(super) wants_code: bool,
    /// How many of the same calls there were so far, with this one.
    pub(super) times: u64,
}
