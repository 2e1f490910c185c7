//! Refusal: the same transaction, in which whoever is called refuses.

use super::confirmed::Trial;
use crate::{
    evm::FailureKind,
    input::{Deed, Reaction, Transaction},
    oracle::violation::Violation,
};

impl Trial<'_> {
    /// The transactions in which whoever is called where the violation is refuses, and the last one goes on as if nothing had
    /// happened: on the same path, with the same result, and with the same words in storage. None if it does not.
    pub fn refusal(&mut self, violation: &Violation) -> Option<Vec<Transaction>> {
        let mut accepted = self.sequence.transactions.clone();
        accepted.last_mut()?.reaction = None;
        let accepting = self.end(accepted.clone(), violation)?;
        let Some(FailureKind::CallOut { to, .. }) = accepting.shown else { return None };
        let mut attack = accepted;
        attack.last_mut()?.reaction = Some(Box::new(Reaction { account: to, deed: Deed::Refuse }));
        let refusing = self.end(attack.clone(), violation)?;
        refusing.shown?;
        let goes_on = accepting.succeeds()
            && refusing.succeeds()
            && accepting.path == refusing.path
            && accepting.outcome.output == refusing.outcome.output
            && accepting.outcome.logs == refusing.outcome.logs
            && accepting.after.changes(&refusing.after).is_empty();
        goes_on.then_some(attack)
    }
}
