//! Jumps: the last call with other words, which lead somewhere else.

use super::confirmed::Trial;
use crate::{evm::FailureKind, input::Transaction, oracle::violation::Violation};
use alloy_primitives::U256;

impl Trial<'_> {
    /// Whether the jump where the violation is leads somewhere else if another word is passed, or more ether.
    pub fn moves_jump(&mut self, violation: &Violation) -> bool {
        let Some(last) = &self.last else { return false };
        let transaction = last.transaction.clone();
        let Some(destination) = self.destination(&transaction, violation) else { return false };
        let others = self.others(&transaction, None);
        others.iter().any(|other| self.destination(other, violation).is_some_and(|other| other != destination))
    }

    /// Where the jump leads with another last call.
    fn destination(&mut self, transaction: &Transaction, violation: &Violation) -> Option<U256> {
        let before = self.last.as_ref()?.before.clone();
        let (index, _) = self.run(&before, transaction).into_iter().find(|(_, shown)| shown == violation)?;
        match self.executor.observation().failures.get(index)?.kind {
            FailureKind::WildJump { to } => Some(to),
            _ => None,
        }
    }
}
