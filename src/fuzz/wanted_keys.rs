//! Wanted keys: hashes under which a call looked for something in a mapping. A bid that is revealed is looked for under the hash of
//! all that it is made of: whoever enters that hash first can reveal it.

use crate::input::{CallTable, Field, Transaction};
use alloy_primitives::U256;
use std::collections::VecDeque;

/// The calls that are kept; chosen by hand.
const MAX_CALLS: usize = 64;

/// Calls that looked for something under a hash, the latest last.
#[derive(Debug, Default)]
pub(super) struct WantedKeys {
    calls: VecDeque<(U256, Transaction)>,
}

impl WantedKeys {
    /// Notes the hashes under which a call looked for something. Of several calls that looked for the same, the first is kept.
    pub(super) fn note(&mut self, keys: &[U256], transaction: &Transaction) {
        for key in keys {
            if self.calls.iter().any(|(known, _)| known == key) {
                continue;
            }
            if self.calls.len() >= MAX_CALLS {
                self.calls.pop_front();
            }
            self.calls.push_back((*key, transaction.clone()));
        }
    }

    /// The hashes, each with the call that looked for it.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(U256, Transaction)> {
        self.calls.iter()
    }

    /// The call that looks for what this one entered.
    pub(super) fn looked_for(&self, entered: &Transaction, calls: &CallTable) -> Option<&Transaction> {
        if self.calls.is_empty() {
            return None;
        }
        let words = entered.words(calls);
        let arguments = words.iter().filter(|(field, _)| matches!(field, Field::Argument { .. })).map(|(_, word)| word);
        let mut found = arguments.filter_map(|word| self.calls.iter().find(|(key, _)| key == word));
        found.next().map(|(_, call)| call)
    }
}
