//! Runs a call again in which somebody without code is paid, called or asked for code: as a contract that accepts, with the answer that
//! the call goes on with, as one that makes the call of it fail, and as one that calls back.

use crate::{
    corpus::State,
    evm::{Executor, Failure, FailureKind, Observation, Status},
    fuzz::{budget::TransactionBudget, fuzzer::Fuzzer, unanswered::Unanswered},
    input::{Deed, Reaction, Transaction},
    oracle::OpenCall,
    search::KeepState,
    world::{is_actor, is_deployer, users},
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// The ways in which somebody makes a call of them fail, the mildest first.
const FAILING: [Deed; 3] = [Deed::Refuse, Deed::BurnGas, Deed::Bomb];

/// Calls of one function for which all of these ways are tried, whatever comes of the first; chosen by hand.
const ALL_WAYS: u64 = 2;

/// Calls back that are tried for one call at most; chosen by hand: a contract has a dozen functions that change something.
const MAX_CALLS: usize = 24;

/// Answers that are tried for one call at most; chosen by hand: what is answered is checked for its type, and then compared.
const MAX_ANSWERS: usize = 4;

impl Fuzzer {
    /// Notes a call in which a person has no code.
    pub(in crate::fuzz) fn note_codeless(
        &mut self,
        observation: &Observation,
        state: &Arc<State>,
        transaction: &Transaction,
        new_path: bool,
    ) {
        let is_person = |account: &&Address| is_actor(**account);
        let asked = observation.codeless.iter().find(is_person).copied();
        let called = |failure: &Failure| match failure.kind {
            FailureKind::CallOut { to, pays, may_act, .. } if pays || may_act => Some(to).filter(|to| is_person(&to)),
            _ => None,
        };
        let Some(person) = asked.or_else(|| observation.failures.iter().find_map(called)) else { return };
        // Nobody in a test is somebody else than its author says.
        let is_free = self.session.harness.calls.rules().bare.is_none() && transaction.reaction.is_none();
        self.unanswered.note(transaction.call, new_path, |times| {
            is_free.then(|| {
                let (state, transaction) = (state.clone(), transaction.clone());
                Unanswered { state, transaction, person, wants_code: asked.is_some(), times }
            })
        });
    }

    /// Runs such a call again with a user in that place who is a contract: one that accepts, some that fail, and one that calls back.
    pub(super) fn answer(
        &mut self,
        executor: &mut Executor,
        unanswered: Unanswered,
        budget: &mut TransactionBudget<'_>,
    ) {
        let Unanswered { state, mut transaction, person: asked, wants_code, times } = unanswered;
        // What the deployer does is no attack.
        let person = if is_deployer(asked) { users().next().unwrap_or(asked) } else { asked };
        let session = self.session.clone();
        transaction.put_in_place(asked, person, &session.harness.calls);
        let open = OpenCall {
            harness: &session.harness,
            outer: &transaction,
            before: Some(&state.snapshot),
            person,
            accomplice: users().rfind(|user| *user != person).unwrap_or(person),
            paid_in: transaction.value,
            held: &[],
            made: self.oracles.made(),
        };
        let calls: Vec<Transaction> =
            open.paying_calls_back().into_iter().chain(open.calls_back()).take(MAX_CALLS).collect();
        // Who asks for a call back may want to be paid by it.
        let contract = session.harness.calls.instance(transaction.call.target).address;
        let payments = OpenCall { accomplice: transaction.at.unwrap_or(contract), ..open }.calls_back().into_iter();
        let payments: Vec<Transaction> = payments.filter(|call| !calls.contains(call)).take(MAX_CALLS).collect();
        let (answer, mut goes_on) = match wants_code {
            true => self.accept(executor, &state, &transaction, person, budget),
            false => (None, false),
        };
        for deed in FAILING {
            if budget.is_spent() {
                return;
            }
            let reaction = Some(Box::new(Reaction::new(person, deed)));
            let failed = Transaction { reaction, ..transaction.clone() };
            // Where the contract goes on without them is a state of its own.
            let is_handled = self.execute(executor, &state, failed, KeepState::IfNewPath, budget).succeeded;
            // A call that fails if one refuses fails as well if one takes its gas, which costs milliseconds.
            if !is_handled && times > ALL_WAYS {
                break;
            }
        }
        let call_back = |deed: Deed| {
            let reaction = Some(Box::new(Reaction { account: person, deed, answer }));
            Transaction { reaction, ..transaction.clone() }
        };
        let deeds = std::iter::once(Deed::Repeat).chain(calls.into_iter().map(|call| Deed::Call(Box::new(call))));
        for deed in deeds {
            goes_on |= self.call_back(executor, &state, call_back(deed), budget);
        }
        for payment in payments {
            if goes_on {
                break;
            }
            goes_on = self.call_back(executor, &state, call_back(Deed::Call(Box::new(payment))), budget);
        }
    }

    /// Runs a call in which somebody calls back. Returns whether it succeeds.
    fn call_back(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: Transaction,
        budget: &mut TransactionBudget<'_>,
    ) -> bool {
        if budget.is_spent() {
            return false;
        }
        budget.spend();
        let outcome = self.run_and_judge(executor, state, &transaction);
        self.record(executor, state, &transaction, &outcome);
        // What is called back may owe more than there is.
        self.note_unpaid(executor.observation().unpaid, state, &transaction, false);
        if self.session.coverage.would_grow(executor.observation()) {
            self.search_call_back(executor, state, transaction, budget);
        }
        outcome.status == Status::Success
    }

    /// Keeps a call in which somebody calls back as an entry, if it reaches what only they can reach: then the words that they pass are
    /// searched like others. What the same call reaches that is made while no other one is open is covered that way.
    fn search_call_back(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: Transaction,
        budget: &mut TransactionBudget<'_>,
    ) {
        if let Some(alone) = transaction.call_back().filter(|_| !budget.is_spent()).cloned() {
            self.execute(executor, state, alone, KeepState::IfNewPath, budget);
        }
        if !budget.is_spent() {
            budget.spend();
            self.run_and_judge(executor, state, &transaction);
            if self.session.coverage.would_grow(executor.observation()) && !budget.is_spent() {
                self.execute(executor, state, transaction, KeepState::IfNewPath, budget);
            }
        }
    }

    /// Runs the call with a person who accepts, and as long as it fails because of what they answer, with what that is compared with.
    /// Returns the last answer, and whether it succeeds with that.
    fn accept(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: &Transaction,
        person: Address,
        budget: &mut TransactionBudget<'_>,
    ) -> (Option<U256>, bool) {
        let mut answer = None;
        for _ in 0..MAX_ANSWERS {
            if budget.is_spent() {
                break;
            }
            let reaction = Some(Box::new(Reaction { account: person, deed: Deed::Answer, answer }));
            let accepted = Transaction { reaction, ..transaction.clone() };
            budget.spend();
            if self.run_and_judge(executor, state, &accepted).status == Status::Success {
                // What only a contract can do leads to states of its own. A try that fails is no entry to mutate, so it is not executed.
                if !budget.is_spent() {
                    self.execute(executor, state, accepted, KeepState::IfNewPath, budget);
                }
                return (answer, true);
            }
            let Some(wanted) = wanted(executor.observation(), answer) else { break };
            answer = Some(wanted);
        }
        (answer, false)
    }
}

/// What an answer was last compared with, if that is another word. An answer that was not chosen is a selector.
fn wanted(observation: &Observation, answer: Option<U256>) -> Option<U256> {
    let is_selector = |word: U256| !word.is_zero() && (word << 32_usize).is_zero();
    let is_answer = |word: U256| answer.map_or_else(|| is_selector(word), |answer| word == answer);
    let compared = observation.branches.iter().rev().find_map(|branch| match (branch.left, branch.right) {
        (left, right) if is_answer(left) => Some((left, right)),
        (left, right) if is_answer(right) => Some((right, left)),
        _ => None,
    });
    compared.filter(|(answered, other)| answered != other).map(|(_, other)| other)
}
