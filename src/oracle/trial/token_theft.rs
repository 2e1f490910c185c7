//! Theft of tokens: a user without a role and without a stake takes tokens that are not theirs.

use super::{
    books::is_kept_under,
    confirmed::Trial,
    ended::Ended,
    strangers::{Replaced, StrangerPower},
    theft::{Share, Theft},
};
use crate::{
    evm::{FailureKind, Snapshot, Status},
    input::{InstanceId, Transaction},
    oracle::{getter::balance_call, violation::Violation},
};
use alloy_primitives::{Address, U256};

/// How many times as much others pay in to see whether what is taken is all of it. Chosen by hand.
const TIMES: u64 = 3;

/// Whose calls each of the users makes, one way after the other: what others paid in stays theirs.
const REPLACED: [Replaced; 3] = [Replaced::LastSenderInTurn, Replaced::LastSender, Replaced::LastCall];

impl Trial<'_> {
    /// The tokens that any user takes where the violation is: as many as they say, or all that is there, although they had no token before,
    /// paid nothing in, gave nothing up for it, owe nothing afterwards, and were given nothing. Tokens that somebody sent to a contract which
    /// knows nothing of it are no loss to anybody else. Who had or paid something takes what is not theirs if the same call pays them again
    /// and again.
    pub fn token_theft(&mut self, violation: &Violation) -> Option<Theft> {
        self.shorten(violation);
        REPLACED.into_iter().find_map(|replaced| self.token_theft_by(replaced, violation))
    }

    /// The same where each of the users makes these calls.
    fn token_theft_by(&mut self, replaced: Replaced, violation: &Violation) -> Option<Theft> {
        let strangers = self.strangers_who(violation, &[replaced]);
        if strangers.power != StrangerPower::Choose {
            return None;
        }
        let attack = self.prepared_first(strangers.attack, violation)?;
        let last = attack.last()?.clone();
        let thief = last.sender;
        if attack.iter().any(|transaction| self.gives(transaction, thief))
            || self.is_dealt_with(&attack, violation, |_| true)
        {
            return None;
        }
        let ended = self.end(attack.clone(), violation)?;
        let FailureKind::TokenMove { token, from, .. } = ended.shown? else { return None };
        let taken = self.tokens_taken(token, thief, &ended).filter(|taken| !taken.is_zero())?;
        let has_stake = |transaction: &Transaction| transaction.sender == thief && !transaction.value.is_zero();
        if attack.iter().any(has_stake)
            || self.gives_up(&ended, &last, thief)
            || self.is_noted(&ended, &last, token)
            || !self.is_paid_in_properly(&attack, thief, (token, from))
        {
            return self.paid_again(&attack, Some(token), violation);
        }
        // There may be too little for more than they chose.
        let richer = self.richer(&attack, thief);
        let is_chosen = self.chooses_amount(&last, taken, |trial, other| {
            let ended = trial.ended_on(&ended.before, other)?;
            trial.tokens_taken(token, thief, &ended)
        }) || std::iter::once(&attack).chain(&richer).any(|attack| {
            self.chose_amount(attack, taken, violation, |trial, ended| trial.tokens_taken(token, thief, ended))
        });
        let share = if is_chosen {
            Share::Chosen
        } else if richer.as_ref().is_some_and(|richer| self.takes_all_tokens(richer, taken, (token, from), violation)) {
            Share::All
        } else {
            return None;
        };
        // Nor for as many as do it.
        let only_first = self.is_only_for_first(&attack, violation)
            && richer.is_none_or(|richer| self.is_only_for_first(&richer, violation));
        Some(Theft { token: Some(token), taken, share, only_first, attack })
    }

    /// Whether another contract than the token notes more under the address of whoever makes the last call, as a debt is.
    fn is_noted(&mut self, ended: &Ended, last: &Transaction, token: Address) -> bool {
        let preimages = self.preimages(&ended.before, last);
        let mut changes = ended.before.changes(&ended.after).into_iter();
        changes.any(|(account, slot, was, is)| {
            account != token && is > was && is_kept_under(last.sender, slot, &preimages)
        })
    }

    /// How many tokens somebody has more after the last transaction; none if they have fewer.
    fn tokens_taken(&mut self, token: Address, by: Address, ended: &Ended) -> Option<U256> {
        let before = self.tokens_of(token, &ended.before, by)?;
        self.tokens_of(token, &ended.after, by)?.checked_sub(before)
    }

    /// The tokens of an account, as their contract tells.
    pub(super) fn tokens_of(&mut self, token: Address, state: &Snapshot, of: Address) -> Option<U256> {
        let call = balance_call(token, of, state);
        let outcome = self.executor.run(state, &call);
        let is_word = outcome.status == Status::Success && outcome.output.len() == 32;
        is_word.then(|| U256::from_be_slice(&outcome.output))
    }

    /// Whether the thief neither gets nor spends any token before the last transaction, and the account that they take from gets its own
    /// by calls of other contracts than the token, which are its business.
    fn is_paid_in_properly(&mut self, attack: &[Transaction], thief: Address, taken: (Address, Address)) -> bool {
        let (token, from) = taken;
        let mut steps: Vec<(Address, Snapshot, Snapshot)> = Vec::new();
        let calls = self.harness.calls.clone();
        self.each_step(attack.to_vec(), |call, step| {
            let target = call.at.unwrap_or_else(|| calls.instance(call.call.target).address);
            steps.push((target, step.before.clone(), step.after.clone()));
        });
        steps.pop();
        let Some((.., last)) = steps.last() else { return true };
        let is_contract = from != token && last.has_code(from);
        let tokens = self.tokens_in(last);
        steps.iter().all(|(target, before, after)| {
            let mut is_same =
                |of: Address, account| self.tokens_of(of, before, account) == self.tokens_of(of, after, account);
            tokens.iter().all(|of| is_same(*of, thief)) && (!is_contract || *target != token || is_same(token, from))
        })
    }

    /// The tokens that there are on a state: those of the world, and those that contracts created.
    fn tokens_in(&self, state: &Snapshot) -> Vec<Address> {
        let calls = &self.harness.calls;
        let is_token = |id: InstanceId| calls.instance(id).interface.is_token();
        let all = (0..calls.instances().len() as u16).map(InstanceId).filter(|id| !calls.is_created(*id));
        let deployed = all.filter(|id| is_token(*id)).map(|id| calls.instance(id).address);
        let kind = |at: &Address| self.harness.created_kind(&state.code(*at));
        deployed.chain(state.created().filter(|at| kind(at).is_some_and(is_token))).collect()
    }

    /// Whether nothing is left where the thief takes from, and they take three times as much where everybody else passes numbers that are
    /// three times as large: what is paid once stays the same, and what has to be paid for costs something then.
    fn takes_all_tokens(
        &mut self,
        richer: &[Transaction],
        amount: U256,
        taken: (Address, Address),
        violation: &Violation,
    ) -> bool {
        let Some(thief) = richer.last().map(|last| last.sender) else { return false };
        let (token, from) = taken;
        let Some(ended) = self.end(richer.to_vec(), violation).filter(Ended::succeeds) else { return false };
        self.tokens_of(token, &ended.after, from) == Some(U256::ZERO)
            && self.tokens_taken(token, thief, &ended) == Some(times(amount))
    }

    /// The same transactions, in which everybody else passes numbers, and pays, three times as much; none if that is the same.
    fn richer(&self, attack: &[Transaction], thief: Address) -> Option<Vec<Transaction>> {
        let mut richer = attack.to_vec();
        for transaction in richer.iter_mut().filter(|transaction| transaction.sender != thief) {
            self.set_amounts(transaction, times);
            transaction.value = transaction.value.saturating_mul(U256::from(TIMES));
        }
        (richer != attack).then_some(richer)
    }
}

/// Three times as much, or a third of what is too large for that; 1 for nothing.
fn times(word: U256) -> U256 {
    match word.is_zero() {
        true => U256::ONE,
        false => word.checked_mul(U256::from(TIMES)).unwrap_or(word / U256::from(TIMES)),
    }
}
