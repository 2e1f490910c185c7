//! An [`UnpaidCall`] is one that might go on otherwise if somebody paid something in before it.

use crate::{corpus::State, evm::Unpaid, input::Transaction};
use std::sync::Arc;

/// A call in which a contract has too little ether for a payment.
#[derive(Debug)]
pub(super) struct UnpaidCall {
    /// The state before it.
    pub(super) state: Arc<State>,
    /// The call.
    pub(super) transaction: Transaction,
    /// The payment.
    pub(super) unpaid: Unpaid,
}
