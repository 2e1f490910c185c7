//! Refused calls: the last call with other words, by other senders, and right after the setup.

use super::confirmed::Trial;
use crate::{
    evm::{FailureKind, Snapshot},
    harness::Action,
    input::Transaction,
    oracle::violation::Violation,
    world::ACTORS,
};
use alloy_primitives::{Address, U256};

impl Trial<'_> {
    /// Whether the contract that is called where the violation is refuses whatever is passed, whoever sends it, right after the setup
    /// too, and looks at nothing but what it is called with: then no other state makes it accept.
    pub fn is_always_refused(&mut self, violation: &Violation) -> bool {
        let Some(last) = self.last.as_ref().filter(|last| last.transaction.reaction.is_none()) else { return false };
        let (start, transaction) = (last.start.clone(), last.transaction.clone());
        self.executor.set_detailed(true);
        let depends_on_words = self.depends_on_words_only(&start, &transaction, violation);
        self.executor.set_detailed(false);
        if !depends_on_words {
            return false;
        }
        let by_others = ACTORS.iter().map(|actor| Transaction { sender: actor.address, ..transaction.clone() });
        let mut others = self.others(&transaction, None).into_iter().chain(by_others);
        others.all(|other| self.run(&start, &other).iter().any(|(_, shown)| shown == violation))
    }

    /// Whether a call is refused on a state by a contract that reads no storage and calls nobody, and that is called by one that
    /// reads nothing but whom to call.
    fn depends_on_words_only(&mut self, state: &Snapshot, transaction: &Transaction, violation: &Violation) -> bool {
        let call = self.harness.call(Action::Call(transaction), state.moment());
        let outcome = self.executor.run(state, &call);
        let shown = (self.judge)(&self.executor, &outcome).into_iter().find(|(_, shown)| shown == violation);
        let observation = self.executor.observation();
        let failure = shown.and_then(|(index, _)| observation.failures.get(index));
        let Some(FailureKind::Refused { account, by }) = failure.map(|failure| failure.kind) else { return false };
        let nodes = observation.calls.nodes();
        let refuses = |index: &usize| !nodes[*index].success && nodes[*index].target == by;
        let Some(index) = (0..nodes.len()).find(refuses) else { return false };
        let callee = &nodes[index];
        let Some(caller) = callee.parent.map(|parent| &nodes[parent]).filter(|caller| caller.target == account) else {
            return false;
        };
        let names_callee = |slot: U256| names(state.slot(account, slot), by);
        callee.storage.is_empty()
            && nodes.iter().all(|node| node.parent != Some(index))
            && caller.storage.iter().all(|access| access.stored.is_some() || names_callee(access.slot))
    }
}

/// Whether a word has an account in it, alone or packed with others.
fn names(word: U256, account: Address) -> bool {
    word.to_be_bytes::<32>().windows(20).any(|bytes| bytes == account.as_slice())
}
