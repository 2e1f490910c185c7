//! Re-entry: the same calls, made while a call of a contract is open, and one after the other.

use super::{
    books::{Books, any_is_less},
    calls_back::OpenCall,
    confirmed::Trial,
    ended::wealth,
    strangers::Replaced,
};
use crate::{
    evm::FailureKind,
    input::{Deed, Field, FunctionKind, Instance, InstanceId, Reaction, Transaction, Type},
    oracle::violation::Violation,
    world::{World, users},
};
use alloy_primitives::{Address, U256};

/// The part of a payment that a gain is at least: one in so many. Chosen by hand.
const MAX_PART: u64 = 10_000;

/// What somebody gains who calls back while a call is open.
#[derive(Debug, Clone)]
pub struct Reentry {
    /// The ether, in wei, that they have more than with the same calls made one after the other.
    pub gain: U256,
    /// The transactions in which they do it.
    pub attack: Vec<Transaction>,
}

/// A way to call back, and who is behind it.
struct Attempt {
    transactions: Vec<Transaction>,
    /// Which transaction is called back in.
    open: usize,
    attackers: Vec<Address>,
}

impl Trial<'_> {
    /// What a user gains who is a contract and calls back where the violation is. Others may pay in before what the user paid in, and
    /// an accomplice may make the same call afterwards.
    pub fn reentry(&mut self, violation: &Violation) -> Option<Reentry> {
        let transactions = self.sequence.transactions.clone();
        // What somebody did before that belongs to the state in which the last call back is made.
        if let Some(open) = transactions.iter().rposition(|transaction| transaction.reaction.is_some()) {
            let person = transactions[open].reaction.as_ref()?.account;
            if transactions[open].at == Some(person) {
                // Nothing but their own call is open.
                return None;
            }
            let mut attackers: Vec<Address> = transactions[open..].iter().map(|after| after.sender).collect();
            attackers.push(person);
            attackers.sort_unstable();
            attackers.dedup();
            return self.gained(Attempt { transactions, open, attackers }, violation);
        }
        // What the deployer does, a user may do as well, or not.
        let by_user = users().next().map(|user| self.sent_by(user, Replaced::LastSender));
        let (transactions, person) = std::iter::once(transactions).chain(by_user).find_map(|transactions| {
            let shown = self.end(transactions.clone(), violation)?.shown;
            let Some(FailureKind::CallOut { to, .. }) = shown else { return None };
            users().any(|user| user == to).then_some((transactions, to))
        })?;
        self.attempts(&transactions, person).into_iter().find_map(|attempt| self.gained(attempt, violation))
    }

    fn attempts(&mut self, transactions: &[Transaction], person: Address) -> Vec<Attempt> {
        let is_taken = |user: &Address| transactions.iter().any(|transaction| transaction.sender == *user);
        let mut others: Vec<Address> = users().filter(|user| *user != person).collect();
        others.sort_by_key(is_taken);
        let [victim, accomplice, ..] = others[..] else { return Vec::new() };
        let mut attempts = Vec::new();
        let bases = self.bases(transactions, person, victim);
        let prepared: Vec<Vec<Transaction>> = bases.iter().filter_map(|base| self.prepared(base, person)).collect();
        let held = self.held(person);
        for base in bases.into_iter().chain(prepared) {
            let Some(last) = base.last() else { continue };
            let open = base.len() - 1;
            let attempt = |deed: Deed, then: Option<Transaction>| {
                let mut transactions = base.clone();
                transactions[open].reaction = Some(Box::new(Reaction::new(person, deed)));
                let attackers = std::iter::once(person).chain(then.as_ref().map(|then| then.sender)).collect();
                transactions.extend(then);
                Attempt { transactions, open, attackers }
            };
            attempts.push(attempt(Deed::Repeat, None));
            for call in self.calls_back(&base, person, accomplice, &held) {
                attempts.push(attempt(Deed::Call(Box::new(call.clone())), None));
                let mut then = last.clone();
                self.rename(&mut then, person, accomplice);
                then.sender = accomplice;
                attempts.push(attempt(Deed::Call(Box::new(call)), Some(then)));
            }
        }
        attempts
    }

    /// The transactions, with and without a victim, and each with the last call as it is, and about all that the person paid in.
    fn bases(&self, transactions: &[Transaction], person: Address, victim: Address) -> Vec<Vec<Transaction>> {
        let with_victim = self.with_victim(transactions, person, victim);
        let plain = [with_victim, transactions.to_vec()];
        plain.into_iter().flat_map(|base| [self.about_all(&base, person), Some(base)]).flatten().collect()
    }

    /// The transactions in a world of several contracts, before which the deployer pays each of them ether, and a person lets each of
    /// them spend their tokens; and with half of what the person paid in for each number of the last call. None if there is one contract.
    fn prepared(&self, transactions: &[Transaction], person: Address) -> Option<Vec<Transaction>> {
        let calls = &self.harness.calls;
        let all = (0..).map(InstanceId).zip(calls.instances());
        let deployed: Vec<(InstanceId, &Instance)> = all.filter(|(id, _)| !calls.is_created(*id)).collect();
        let (last, before) = transactions.split_last()?;
        if deployed.len() < 2 {
            return None;
        }
        let paid_in = transactions.iter().map(|transaction| transaction.value).max()?;
        let mut prepared = Vec::new();
        for call in calls.state_changing().iter().filter(|call| !calls.is_created(call.target)) {
            let function = calls.function(*call);
            if function.kind == FunctionKind::Receive && function.is_payable() {
                let value = paid_in.saturating_mul(U256::from(2));
                prepared.push(Transaction { value, ..Transaction::with_nothing(*call, World::owner(), calls) });
            }
            let [spender, amount] = &function.inputs[..] else { continue };
            if function.name == "approve" && spender.ty.is_address() && matches!(amount.ty, Type::Uint(_)) {
                for (_, other) in deployed.iter().filter(|(other, _)| *other != call.target) {
                    let mut approval = Transaction::with_nothing(*call, person, calls);
                    for (field, _) in approval.words(calls) {
                        if let Field::Argument { index, .. } = field {
                            let word = if index == 0 { other.address.into_word().into() } else { paid_in };
                            approval.set_word(function, &field, word);
                        }
                    }
                    prepared.push(approval);
                }
            }
        }
        let first = [before, &prepared, std::slice::from_ref(last)].concat();
        self.about(&first, person, U256::from(2)).or(Some(first))
    }

    /// The transactions, with all that a person paid in for each number of the last call; none if that is the same.
    pub(super) fn about_all(&self, transactions: &[Transaction], person: Address) -> Option<Vec<Transaction>> {
        self.about(transactions, person, U256::ONE)
    }

    /// The same with a part of what they paid in.
    fn about(&self, transactions: &[Transaction], person: Address, divisor: U256) -> Option<Vec<Transaction>> {
        let mut about_all = transactions.to_vec();
        let (last, before) = about_all.split_last_mut()?;
        let own = before.iter().filter(|transaction| transaction.sender == person);
        let all = own.fold(U256::ZERO, |sum, transaction| sum.saturating_add(transaction.value)) / divisor;
        self.set_amounts(last, |_| all);
        (about_all != transactions).then_some(about_all)
    }

    /// Puts another number in place of each that a transaction passes.
    pub(super) fn set_amounts(&self, transaction: &mut Transaction, other: impl Fn(U256) -> U256) {
        let function = self.harness.calls.function(transaction.call);
        for (field, word) in transaction.words(&self.harness.calls) {
            if matches!(field.leaf(function), Some(Type::Uint(_))) {
                transaction.set_word(function, &field, other(word));
            }
        }
    }

    /// The transactions, in which somebody else pays in whatever a person pays in before the last call.
    fn with_victim(&self, transactions: &[Transaction], person: Address, victim: Address) -> Vec<Transaction> {
        let last = transactions.len().saturating_sub(1);
        let mut with_victim = Vec::new();
        for (index, transaction) in transactions.iter().enumerate() {
            if index < last && transaction.sender == person && !transaction.value.is_zero() {
                let mut other = Transaction { sender: victim, ..transaction.clone() };
                self.rename(&mut other, person, victim);
                with_victim.push(other);
            }
            with_victim.push(transaction.clone());
        }
        with_victim
    }

    /// Calls that a person, under whose address these amounts are held, may make while the last call is open.
    fn calls_back(
        &self,
        transactions: &[Transaction],
        person: Address,
        accomplice: Address,
        held: &[U256],
    ) -> Vec<Transaction> {
        let Some(outer) = transactions.last() else { return Vec::new() };
        let before = self.last.as_ref().map(|last| &last.before);
        let paid_in = transactions.iter().map(|transaction| transaction.value).max().unwrap_or_default();
        OpenCall { harness: self.harness, outer, before, person, accomplice, paid_in, held, made: self.made }
            .calls_back()
    }

    /// What an attempt gains, if it shows the violation and leaves the attackers with more than both orders of the same calls.
    fn gained(&mut self, attempt: Attempt, violation: &Violation) -> Option<Reentry> {
        let Attempt { transactions, open, attackers } = attempt;
        let ended = self.end(transactions.clone(), violation)?;
        ended.shown?;
        let in_turn = self.in_turn(&transactions, open, violation);
        let most = in_turn.iter().map(|end| end.wealth(&attackers)).max()?;
        let gain = ended.wealth(&attackers).checked_sub(most).filter(|gain| !gain.is_zero())?;
        // Divisions round otherwise in another order.
        let is_last = open + 1 == transactions.len();
        let paid = ended.wealth(&attackers).saturating_sub(wealth(&ended.before, &attackers));
        if is_last && gain.saturating_mul(U256::from(MAX_PART)) < paid {
            return None;
        }
        let gives_something_up = |trial: &mut Self, person: Address| {
            let preimages = trial.preimages(&ended.before, &transactions[open]);
            let changed = Books { preimages, person }.changed(&ended.before, &ended.after);
            any_is_less(&changed, &ended.before, &ended.after)
        };
        if is_last
            && attackers.iter().any(|person| gives_something_up(self, *person))
            && !self.succeeds_without_call_back(&transactions, open, violation)
        {
            return None;
        }
        Some(Reentry { gain, attack: transactions })
    }
}
