//! Refusal: the same transaction, in which whoever is called refuses.

use super::{confirmed::Trial, ended::log_alike};
use crate::{
    evm::FailureKind,
    input::{Deed, Reaction, Transaction},
    oracle::violation::Violation,
};
use alloy_primitives::{Address, Bytes, U256};

impl Trial<'_> {
    /// The transactions in which whoever is called where the violation is refuses, and the last one goes on as if nothing had
    /// happened: on the same path, with the same result, the same events and the same words in storage. That a payment failed may be
    /// logged: that gives nothing back. None if it does not, also if only who called the contract ignores what it returned.
    pub fn refusal(&mut self, violation: &Violation) -> Option<Vec<Transaction>> {
        self.in_detail(|trial| trial.goes_on_if_refused(violation))
    }

    fn goes_on_if_refused(&mut self, violation: &Violation) -> Option<Vec<Transaction>> {
        let mut accepted = self.sequence.transactions.clone();
        accepted.last_mut()?.reaction = None;
        let accepting = self.end(accepted.clone(), violation)?;
        let Some(FailureKind::CallOut { to, pays, .. }) = accepting.shown else { return None };
        let returned = self.returned_by_others(to);
        let last = accepted.last()?;
        let sent = if last.sender == to { last.value } else { U256::ZERO };
        if pays && accepting.after.balance(to).saturating_add(sent) <= accepting.before.balance(to) {
            // The caller has not enough ether: nobody is asked.
            return None;
        }
        let mut attack = accepted;
        attack.last_mut()?.reaction = Some(Box::new(Reaction::new(to, Deed::Refuse)));
        let refusing = self.end(attack.clone(), violation)?;
        refusing.shown?;
        let (accepted, refused) = (&accepting.outcome.logs, &refusing.outcome.logs);
        let logs_alike = if pays { log_alike(accepted, refused) } else { accepted == refused };
        let goes_on = accepting.succeeds()
            && refusing.succeeds()
            && accepting.path == refusing.path
            && accepting.outcome.output == refusing.outcome.output
            && returned == self.returned_by_others(to)
            && logs_alike
            && accepting.after.changes(&refusing.after).is_empty();
        goes_on.then_some(attack)
    }

    /// Who was called in the last run, but for this account, and what they returned.
    fn returned_by_others(&self, account: Address) -> Vec<(Address, Bytes)> {
        let others = self.executor.observation().calls.nodes().iter().filter(|call| call.target != account);
        others.map(|call| (call.target, call.output.clone())).collect()
    }
}
