//! Whose call a word belongs to: that of a transaction, or the one that somebody makes who is called during it.

use crate::input::Transaction;

/// Who makes a call of a transaction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Caller {
    /// Its sender: the transaction itself.
    Sender,
    /// Somebody who is called during it, and makes a call of their own.
    Called,
}

impl Caller {
    pub(super) fn call(self, transaction: &Transaction) -> Option<&Transaction> {
        match self {
            Self::Sender => Some(transaction),
            Self::Called => transaction.call_back(),
        }
    }

    pub(super) fn call_mut(self, transaction: &mut Transaction) -> Option<&mut Transaction> {
        match self {
            Self::Sender => Some(transaction),
            Self::Called => transaction.call_back_mut(),
        }
    }
}
