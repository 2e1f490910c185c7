//! Runs a call again in which somebody without code is called or asked for code: as a contract that accepts, or that calls back.

use crate::{
    corpus::State,
    evm::{Executor, Observation, Status},
    fuzz::{budget::TransactionBudget, findings::is_due, fuzzer::Fuzzer},
    input::{Deed, Field, Reaction, Transaction},
    oracle::OpenCall,
    world::{ACTORS, ActorRole, is_deployer},
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// A call in which a person without code is called by a function, or asked for code.
#[derive(Debug)]
pub(in crate::fuzz) struct Unanswered {
    state: Arc<State>,
    transaction: Transaction,
    person: Address,
}

impl Fuzzer {
    /// Notes a call in which a person lacks code, to be run again in the next step: on a new path, and then for the less of the same
    /// calls the more there were.
    pub(in crate::fuzz) fn note_codeless(
        &mut self,
        observation: &Observation,
        state: &Arc<State>,
        transaction: &Transaction,
        new_path: bool,
    ) {
        let is_person = |account: &&Address| ACTORS.iter().any(|actor| actor.address == **account);
        let Some(person) = observation.codeless.iter().find(is_person) else { return };
        let times = self.unanswered_calls.entry(transaction.call).or_default();
        *times += 1;
        if self.unanswered.is_none() && transaction.reaction.is_none() && (new_path || is_due(*times)) {
            let (state, transaction) = (state.clone(), transaction.clone());
            self.unanswered = Some(Unanswered { state, transaction, person: *person });
        }
    }

    /// Runs such a call again with a user in that place who is a contract: one that accepts, and if that fails, one that calls back.
    pub(super) fn answer(
        &mut self,
        executor: &mut Executor,
        unanswered: Unanswered,
        budget: &mut TransactionBudget<'_>,
    ) {
        let Unanswered { state, mut transaction, person: asked } = unanswered;
        let users = || ACTORS.iter().filter(|actor| actor.role == ActorRole::User).map(|actor| actor.address);
        // What the deployer does is no attack.
        let person = if is_deployer(asked) { users().next().unwrap_or(asked) } else { asked };
        self.put_in_place(&mut transaction, asked, person);
        let answered = self.reacting(executor, &state, &transaction, (person, Deed::Answer), budget);
        if answered != Some(Status::Revert) {
            return;
        }
        let session = self.session.clone();
        let open = OpenCall {
            harness: &session.harness,
            outer: &transaction,
            before: Some(&state.snapshot),
            person,
            accomplice: users().rfind(|user| *user != person).unwrap_or(person),
            paid_in: transaction.value,
        };
        for call in open.paying_calls_back().into_iter().chain(open.calls_back()) {
            if self.reacting(executor, &state, &transaction, (person, Deed::Call(Box::new(call))), budget).is_none() {
                return;
            }
        }
    }

    /// Runs a call in which somebody reacts, and judges it. Returns how it ends; none if the budget is spent.
    fn reacting(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: &Transaction,
        (account, deed): (Address, Deed),
        budget: &mut TransactionBudget<'_>,
    ) -> Option<Status> {
        if budget.is_spent() {
            return None;
        }
        budget.spend();
        let reaction = Some(Box::new(Reaction { account, deed }));
        let outcome = self.run_and_judge(executor, state, &Transaction { reaction, ..transaction.clone() });
        Some(outcome.status)
    }

    /// Puts somebody else in the place of a person: as the sender, and wherever the call names them.
    fn put_in_place(&self, transaction: &mut Transaction, of: Address, person: Address) {
        let calls = &self.session.harness.calls;
        let function = calls.function(transaction.call);
        if transaction.sender == of {
            transaction.sender = person;
        }
        let (of, person): (U256, U256) = (of.into_word().into(), person.into_word().into());
        for (field, word) in transaction.words(calls) {
            if matches!(field, Field::Argument { .. }) && word == of {
                transaction.set_word(function, &field, person);
            }
        }
    }
}
